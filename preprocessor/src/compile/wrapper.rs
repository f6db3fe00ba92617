//! The two compiler wrappers: one program with two names.
//!
//! Output: the differences between `cppc-cc` and `cppc-fc`.
//! Postcondition: no other code of this module depends on which wrapper is running.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::language::Language;

#[derive(Debug, PartialEq, Eq)]
pub struct Wrapper {
    pub name: &'static str,
    /// The language of the wrapped compiler. Sources of the other language are translated too.
    pub language: Language,
    /// The environment variable that names the compiler.
    pub variable: &'static str,
    /// The default compiler.
    pub compiler: &'static str,
    /// Examples of values for `variable`.
    pub compilers: &'static str,
    pub about: &'static str,
    pub long_about: &'static str,
    pub after: &'static str,
}

/// What the names of all wrappers begin with.
const BEGINNING: &[u8] = b"cppc-";

impl Wrapper {
    /// The compiler that is in the name by which the wrapper was called: `mpicc` in `cppc-mpicc`.
    pub fn compiler_of_name(&self, program: &OsStr) -> Option<OsString> {
        let name = Path::new(program).file_name().filter(|name| *name != self.name)?;
        let compiler = name.as_bytes().strip_prefix(BEGINNING).filter(|compiler| !compiler.is_empty())?;
        Some(OsStr::from_bytes(compiler).to_owned())
    }
}

pub static CPPC_CC: Wrapper = Wrapper {
    name: "cppc-cc",
    language: Language::C,
    variable: "CPPC_CC",
    compiler: "cc",
    compilers: "`gcc` or `mpicc`",
    about: "Compile C with CPPC directives",
    long_about: "\
Acts as a C compiler. It accepts the compiler's command line, translates the sources that contain `#pragma cppc` \
directives or that call instrumented procedures, compiles them, and links with the runtime of CPPC. All options that do \
not begin with `--cppc-` are passed to the compiler. So `CC=cppc-cc` works with Makefiles, autotools and CMake.

`cppc-mpicc` is `cppc-cc` for the compiler `mpicc`. Any link to this program whose name is `cppc-` and the name of a compiler runs that compiler. `cppc-gcc-ar` and its relatives run the programs for archives that belong to the compiler. CMake needs them for link-time optimisation.

With `-c`, each object contains a record of how it was made. When objects are linked, the whole program is analysed. Objects that \
call instrumented procedures of other files are then compiled again, into temporary files.",
    after: "\
Environment:
  CPPC_CC      the C compiler, with options if needed [default: cc], if neither --cppc-cc nor the name of this program says it;
               with an MPI compiler such as `mpicc`, programs are linked with `libcppc_mpi`
  CPPC_PREFIX  the directory where CPPC is installed [default: derived from the path of this program]",
};

pub static CPPC_FC: Wrapper = Wrapper {
    name: "cppc-fc",
    language: Language::Fortran,
    variable: "CPPC_FC",
    compiler: "gfortran",
    compilers: "`gfortran` or `mpifort`",
    about: "Compile Fortran with CPPC directives",
    long_about: "\
Acts as a Fortran compiler. It accepts the compiler's command line, translates the sources that contain `!$cppc` \
directives or that call instrumented procedures, compiles them, and links with the runtime of CPPC. All options that do \
not begin with `--cppc-` are passed to the compiler. So `FC=cppc-fc` works with Makefiles, autotools and CMake.

`cppc-mpifort` is `cppc-fc` for the compiler `mpifort`. Any link to this program whose name is `cppc-` and the name of a compiler runs that compiler.

With `-c`, each object contains a record of how it was made. Next to the file `NAME.mod` of each module, `NAME-cppc-module` records \
where its source is. When objects are linked, the whole program is analysed. Objects that call instrumented procedures of other files \
are then compiled again, into temporary files. Objects may come from `cppc-cc` and `cppc-fc`, and either of them can link them.",
    after: "\
Environment:
  CPPC_FC      the Fortran compiler, with options if needed [default: gfortran], if neither --cppc-cc nor the name of this program says it;
               with an MPI compiler such as `mpifort`, programs are linked with `libcppc_mpi`
  CPPC_PREFIX  the directory where CPPC is installed [default: derived from the path of this program]",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_another_compiler_chooses_it() {
        let of = |name: &str| CPPC_CC.compiler_of_name(OsStr::new(name));
        assert_eq!(of("/opt/bin/cppc-mpicc"), Some("mpicc".into()));
        assert_eq!(of("cppc-mpicc.mpich"), Some("mpicc.mpich".into()));
        assert_eq!(of("./cppc-cc"), None);
        assert_eq!(of("cc"), None);
    }
}
