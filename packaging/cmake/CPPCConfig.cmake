# CPPC for CMake projects:
#
#   find_package(CPPC REQUIRED)
#   add_executable(app main.c solver.f90)
#   target_cppc(app)
#
# `target_cppc` compiles the C and Fortran sources of targets with CPPC, and links them with its runtime. Call it for the
# program, and for each library with directives. The compilers of the project stay the same.

cmake_minimum_required(VERSION 3.21)

get_filename_component(CPPC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(CPPC_C_WRAPPER "${CPPC_PREFIX}/bin/cppc-cc")
set(CPPC_Fortran_WRAPPER "${CPPC_PREFIX}/bin/cppc-fc")
set(CPPC_TOOL "${CPPC_PREFIX}/bin/cppc")
set(CPPC_INCLUDE_DIR "${CPPC_PREFIX}/include")

set(CPPC_FOUND TRUE)
foreach(_cppc_program IN ITEMS "${CPPC_C_WRAPPER}" "${CPPC_Fortran_WRAPPER}")
  if(NOT EXISTS "${_cppc_program}")
    set(CPPC_FOUND FALSE)
    set(CPPC_NOT_FOUND_MESSAGE "`${_cppc_program}` does not exist: install CPPC again")
  endif()
endforeach()
unset(_cppc_program)

# target_cppc(TARGET... [OPTIONS OPTION...])
#
# OPTIONS are options of the wrappers, for example `--cppc-check=live`.
function(target_cppc)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "OPTIONS")
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "target_cppc: name at least one target")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Makefiles|Ninja")
    message(FATAL_ERROR "target_cppc: the generator `${CMAKE_GENERATOR}` cannot run another compiler: use Ninja or Unix Makefiles")
  endif()
  set(launch --cppc-launcher ${arg_OPTIONS})
  foreach(target IN LISTS arg_UNPARSED_ARGUMENTS)
    if(NOT TARGET "${target}")
      message(FATAL_ERROR "target_cppc: `${target}` is not a target of this project")
    endif()
    set_target_properties("${target}" PROPERTIES
      C_COMPILER_LAUNCHER "${CPPC_C_WRAPPER};${launch}"
      Fortran_COMPILER_LAUNCHER "${CPPC_Fortran_WRAPPER};${launch}")
    get_target_property(type "${target}" TYPE)
    if(type MATCHES "EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY")
      # One wrapper links programs in every language.
      list(JOIN launch " " words)
      set_target_properties("${target}" PROPERTIES
        RULE_LAUNCH_LINK "\"${CPPC_C_WRAPPER}\" ${words}")
    endif()
  endforeach()
endfunction()
