//! The compiler's own include directories, which contain for example `mpif.h`.
//!
//! Input: the command of the compiler.
//! Output: directories. If the compiler does not answer, there are none.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Asks with the options of Open MPI's wrapper, MPICH's wrapper and the GNU compiler.
pub fn ask(compiler: &OsStr) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Some(told) = run(compiler, "--showme:incdirs") {
        found.extend(words(&told).map(PathBuf::from));
    }
    if found.is_empty() {
        if let Some(told) = run(compiler, "-show") {
            found.extend(flags(&told));
        }
    }
    if let Some(told) = run(compiler, "-print-file-name=finclude") {
        found.extend(words(&told).map(PathBuf::from));
    }
    found.retain(|directory| directory.is_absolute() && directory.is_dir());
    found
}

/// The output of the compiler, if it accepts the option.
fn run(compiler: &OsStr, option: &str) -> Option<Vec<u8>> {
    let output = Command::new(compiler)
        .arg(option)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then_some(output.stdout)
}

fn words(text: &[u8]) -> impl Iterator<Item = OsString> + '_ {
    let words = text.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    words.map(|word| OsString::from_vec(word.to_vec()))
}

/// The directories of `-I` in a command line.
fn flags(text: &[u8]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut words = words(text);
    while let Some(word) = words.next() {
        let bytes = word.into_vec();
        match bytes.strip_prefix(b"-I") {
            Some(b"") => found.extend(words.next().map(PathBuf::from)),
            Some(directory) => found.push(PathBuf::from(OsString::from_vec(directory.to_vec()))),
            None => {}
        }
    }
    found
}
