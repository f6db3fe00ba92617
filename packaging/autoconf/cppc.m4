# AC_CPPC([ACTION-IF-FOUND], [ACTION-IF-NOT-FOUND])
# -------------------------------------------------
# Adds the option `--with-cppc[=PREFIX]`. If CPPC is wanted and found, the C compiler (and the Fortran compiler, if
# AC_PROG_FC or AC_PROG_F77 came before) runs through CPPC's wrapper in the Makefiles. Write it after AC_PROG_CC and
# after all tests of the compiler:
#
#   AC_PROG_CC
#   AC_CPPC
#
# Without the option, CPPC is used if it is in the path. `--without-cppc` builds the original program.
# Without ACTION-IF-NOT-FOUND, it is an error if the option was given and CPPC is not found.
#
# Output variables: CPPC_WRAPPER_CC, CPPC_WRAPPER_FC, CPPC_TOOL.
AC_DEFUN([AC_CPPC],
[AC_REQUIRE([AC_PROG_CC])dnl
AC_ARG_WITH([cppc],
  [AS_HELP_STRING([--with-cppc@<:@=PREFIX@:>@], [save and resume the state of the program with CPPC @<:@default: if it is in PATH@:>@])],
  [], [with_cppc=check])
AS_CASE([$with_cppc],
  [no], [ac_cppc_path=],
  [yes|check], [ac_cppc_path=$PATH],
  [ac_cppc_path=$with_cppc/bin])
CPPC_WRAPPER_CC= CPPC_WRAPPER_FC= CPPC_TOOL=
AS_IF([test "x$with_cppc" != xno], [
  AC_PATH_PROG([CPPC_WRAPPER_CC], [cppc-cc], [], [$ac_cppc_path])
  AC_PATH_PROG([CPPC_WRAPPER_FC], [cppc-fc], [], [$ac_cppc_path])
  AC_PATH_PROG([CPPC_TOOL], [cppc], [], [$ac_cppc_path])
])
AS_IF([test "x$CPPC_WRAPPER_CC" != x], [
  AS_CASE([$CC], [*cppc-*], [], [CC="$CPPC_WRAPPER_CC --cppc-launcher $CC"])
  AC_PROVIDE_IFELSE([AC_PROG_FC],
    [AS_CASE([$FC], [*cppc-*|''], [], [FC="$CPPC_WRAPPER_FC --cppc-launcher $FC"])])
  AC_PROVIDE_IFELSE([AC_PROG_F77],
    [AS_CASE([$F77], [*cppc-*|''], [], [F77="$CPPC_WRAPPER_FC --cppc-launcher $F77"])])
  $1
], [
  m4_default([$2], [AS_CASE([$with_cppc], [check|no], [],
    [AC_MSG_ERROR([CPPC is not found: give its prefix as --with-cppc=PREFIX])])])
])
])# AC_CPPC
