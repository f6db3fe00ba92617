//! The two compiler wrappers: one program, under two names.
//!
//! In: nothing. Out: how `cppc-cc` and `cppc-fc` differ. Holds afterwards: nothing else in here asks
//! which of them is running.

use crate::language::Language;

#[derive(Debug, PartialEq, Eq)]
pub struct Wrapper {
    pub name: &'static str,
    /// The language of the compiler behind it; sources of the other are translated too.
    pub language: Language,
    /// The environment's word for the compiler.
    pub variable: &'static str,
    /// The compiler when nothing is said.
    pub compiler: &'static str,
    /// What a user might set `variable` to.
    pub compilers: &'static str,
    pub about: &'static str,
    pub long_about: &'static str,
    pub after: &'static str,
}

pub static CPPC_CC: Wrapper = Wrapper {
    name: "cppc-cc",
    language: Language::C,
    variable: "CPPC_CC",
    compiler: "cc",
    compilers: "`gcc` or `mpicc`",
    about: "Compile, with the directives of CPPC translated",
    long_about: "\
Stands in for a C compiler: takes its command line, translates the sources that carry `#pragma cppc` \
directives or call procedures that do, compiles, and links with the runtime of CPPC. Everything that \
does not begin with `--cppc-` is the compiler's: `CC=cppc-cc` works for Makefiles, autotools and CMake.

With `-c` each object keeps a record of how it was made. When objects are linked, the program is \
looked at as a whole, and those that turn out to call instrumented procedures of other files are \
compiled again, into temporary files.",
    after: "\
Environment:
  CPPC_CC      the compiler behind it, with options if need be [default: cc];
               with an MPI compiler such as `mpicc` programs are linked with `libcppc_mpi`
  CPPC_PREFIX  where CPPC is installed [default: found from the place of this program]

Exit codes: the compiler's own; 1 when a directive has a mistake; 2 when something could not run",
};

pub static CPPC_FC: Wrapper = Wrapper {
    name: "cppc-fc",
    language: Language::Fortran,
    variable: "CPPC_FC",
    compiler: "gfortran",
    compilers: "`gfortran` or `mpifort`",
    about: "Compile Fortran, with the directives of CPPC translated",
    long_about: "\
Stands in for a Fortran compiler: takes its command line, translates the sources that carry `!$cppc` \
directives or call procedures that do, compiles, and links with the runtime of CPPC. Everything that \
does not begin with `--cppc-` is the compiler's: `FC=cppc-fc` works for Makefiles, autotools and CMake.

With `-c` each object keeps a record of how it was made, and beside the file of each module, `NAME.mod`, \
stands `NAME.cppc-module`, which says where its source is. When objects are linked, the program is looked \
at as a whole, and those that turn out to call instrumented procedures of other files are compiled again, \
into temporary files. Objects may come from `cppc-cc` and `cppc-fc`; either can link them.",
    after: "\
Environment:
  CPPC_FC      the compiler behind it, with options if need be [default: gfortran];
               with an MPI compiler such as `mpifort` programs are linked with `libcppc_mpi`
  CPPC_PREFIX  where CPPC is installed [default: found from the place of this program]

Exit codes: the compiler's own; 1 when a directive has a mistake; 2 when something could not run",
};
