//! The key of a question to a compiler.
//!
//! Input: the command, its flags, the environment.
//! Output: a key.
//! Postcondition: two runs with the same key give the same answers, as long as the files that they depend on
//! do not change (`watch`). The key is a digest: neither the environment nor the flags can be read from it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::super::questions;
use super::digest::Digest;
use super::watch::{find, stamp};

/// The key. `None` if the answers may depend on something that cannot be observed.
pub fn key(command: &OsStr, flags: &[OsString]) -> Option<String> {
    if flags.iter().any(|flag| is_opaque(flag)) {
        return None;
    }
    let found = find(command)?;
    let real = found.canonicalize().ok()?;
    let mut digest = Digest::default();
    digest.word(env!("CARGO_PKG_VERSION").as_bytes());
    digest.word(&(questions::count() as u64).to_le_bytes());
    for word in [command, found.as_os_str(), real.as_os_str(), OsStr::new(&stamp(&real))] {
        digest.word(word.as_bytes());
    }
    digest.word(&(flags.len() as u64).to_le_bytes());
    flags.iter().for_each(|flag| digest.word(flag.as_bytes()));
    let known = is_known(&real);
    let mut variables: Vec<(OsString, OsString)> =
        std::env::vars_os().filter(|(name, _)| matters(name, known)).collect();
    variables.sort();
    for (name, value) in &variables {
        digest.word(name.as_bytes());
        digest.word(value.as_bytes());
    }
    let anywhere = known && flags.iter().all(|flag| is_the_same_anywhere(flag));
    if !anywhere || !found.is_absolute() || variables.iter().any(is_relative) {
        digest.word(std::env::current_dir().ok()?.as_os_str().as_bytes());
    }
    Some(digest.text())
}

/// Flags with effects that cannot be observed: the processor of the machine, plugins, files of options.
fn is_opaque(flag: &OsStr) -> bool {
    let bytes = flag.as_bytes();
    let begins = |beginning: &&str| bytes.starts_with(beginning.as_bytes());
    bytes.ends_with(b"=native")
        || ["-fplugin", "-specs", "-Xclang", "-config", "-mllvm", "@"].iter().any(begins)
}

/// Compilers whose inputs are known. All others may be scripts with arbitrary inputs.
fn is_known(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let mut start = [0; 4];
    let read = File::open(program).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok()
        && start == *b"\x7fELF"
        && ["gcc", "clang", "opal_wrapper"].iter().any(|known| name.contains(known))
}

/// True if a variable can change the answers of a compiler.
fn matters(name: &OsStr, known: bool) -> bool {
    let begins = |beginning: &&str| name.as_bytes().starts_with(beginning.as_bytes());
    if known {
        return VARIABLES.iter().any(|variable| name == *variable) || FAMILIES.iter().any(begins);
    }
    !UNHEEDED.iter().any(|variable| name == *variable) && !begins(&"CPPC_")
}

/// Variables that GCC, clang and Open MPI's wrapper read.
const VARIABLES: &[&str] = &[
    "PATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "COMPILER_PATH",
    "SDKROOT",
    "MACOSX_DEPLOYMENT_TARGET",
    "SOURCE_DATE_EPOCH",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
];

/// Prefixes of such variables.
const FAMILIES: &[&str] = &["GCC_", "CCC_", "CLANG_", "OMPI_", "OPAL_", "PMIX_", "PRTE_", "MPICH_"];

/// Variables that differ between calls of the same build.
const UNHEEDED: &[&str] = &[
    "_",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "MAKEFLAGS",
    "MFLAGS",
    "MAKELEVEL",
    "MAKEOVERRIDES",
    "MAKE_TERMOUT",
    "MAKE_TERMERR",
    "TERM",
    "COLUMNS",
    "LINES",
    "LC_ALL",
    "LANG",
];

/// True if the flag does not depend on the working directory.
fn is_the_same_anywhere(flag: &OsStr) -> bool {
    const TEXT: &[&str] =
        &["-D", "-U", "-O", "-std", "-ansi", "-pthread", "-trigraphs", "-undef", "-nostdinc", "-m"];
    const PATH: &[&str] = &["-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot=", "-I", "-B", ""];
    let bytes = flag.as_bytes();
    let is_absolute = |beginning: &&str| match bytes.strip_prefix(beginning.as_bytes()) {
        // Without a value: the path is the next word.
        Some(path) => path.starts_with(b"/") || path.is_empty(),
        None => false,
    };
    TEXT.iter().any(|text| bytes.starts_with(text.as_bytes()))
        || PATH.iter().any(is_absolute)
        || bytes.starts_with(b"-f") && !bytes.contains(&b'=')
}

/// True for a list of paths that contains a relative path.
fn is_relative((name, value): &(OsString, OsString)) -> bool {
    name.as_bytes().ends_with(b"PATH")
        && value.as_bytes().split(|&byte| byte == b':').any(|path| !path.starts_with(b"/"))
}
