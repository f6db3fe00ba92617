//! The predefined macros of the compiler.
//!
//! Input: the compiler and the flags that affect them.
//! Output: `#define` lines.
//! Postcondition: the compiler is run only if a source contains a name that it may define. Without a compiler
//! the names are those of gfortran on Linux.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Command, Stdio};

/// Names of predefined macros begin with two underscores, except these.
const OTHERS: [&[u8]; 4] = [b"_OPENMP", b"_OPENACC", b"_LP64", b"_LANGUAGE_FORTRAN"];

/// Those of gfortran 12. For the version macros the compiler is asked.
const USUAL: &str = "\
#define __GFORTRAN__ 1
#define _LANGUAGE_FORTRAN 1
#define __GNUC__ 12
#define __GNUC_MINOR__ 2
#define __GNUC_PATCHLEVEL__ 0
#define __VERSION__ \"12.2.0\"
#define __STDC_HOSTED__ 0
#define __GFC_INT_1__ 1
#define __GFC_INT_2__ 1
#define __GFC_INT_8__ 1
#define __GFC_INT_16__ 1
#define __GFC_REAL_10__ 1
#define __GFC_REAL_16__ 1
#define _LP64 1
#define __LP64__ 1
#define __CHAR_BIT__ 8
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__
";
const USUAL_WITH_OPENMP: &str = "#define _OPENMP 201511\n";

pub fn may_be_predefined(name: &[u8]) -> bool {
    name.starts_with(b"__") || OTHERS.contains(&name)
}

pub fn usual(openmp: bool) -> Vec<u8> {
    let mut lines = USUAL.as_bytes().to_vec();
    if openmp {
        lines.extend_from_slice(USUAL_WITH_OPENMP.as_bytes());
    }
    lines
}

/// The flags that are passed on when the compiler is asked.
pub fn affects_macros(flag: &OsStr) -> bool {
    let kept: [&[u8]; 7] = [b"-O", b"-f", b"-m", b"-std=", b"-pthread", b"--target", b"--gcc-toolchain"];
    let not: [&[u8]; 5] = [b"-fsyntax-only", b"-fdump", b"-fpreprocessed", b"-ftime", b"-fprofile"];
    let begins = |list: &[&[u8]]| list.iter().any(|prefix| flag.as_bytes().starts_with(prefix));
    begins(&kept) && !begins(&not)
}

/// Asks the compiler. `None` if it does not answer.
pub fn ask(compiler: &OsStr, flags: &[OsString]) -> Option<Vec<u8>> {
    let empty = tempfile::Builder::new().suffix(".F90").tempfile().ok()?;
    let output = Command::new(compiler)
        .args(flags)
        .args(["-cpp", "-E", "-dM"])
        .arg(empty.path())
        .env("LC_ALL", "C")
        .env_remove("DEPENDENCIES_OUTPUT")
        .env_remove("SUNPRO_DEPENDENCIES")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let told = output.status.success() && output.stdout.starts_with(b"#define")
        || memchr::memmem::find(&output.stdout, b"\n#define ").is_some();
    told.then_some(output.stdout)
}
