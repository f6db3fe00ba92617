//! The inputs on which a compiler's answers depend, and whether they have changed.
//!
//! Input: the output of the compiler for `-v`.
//! Output: the programs that ran, the files that were read and the directories that were searched, each with
//! a stamp.
//! Postcondition: as long as the stamps are the same, the compiler would give the same answers.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::super::compiler_answers::CompilerAnswers;

#[derive(Debug, PartialEq, Eq)]
pub struct Watched {
    pub subject: Subject,
    pub stamp: String,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Subject {
    /// A program, found in the search path as a shell does.
    Command(OsString),
    Path(PathBuf),
}

impl Watched {
    fn now(subject: Subject) -> Watched {
        let stamp = subject.stamp();
        Watched { subject, stamp }
    }

    pub fn is_as_it_was(&self) -> bool {
        self.subject.stamp() == self.stamp
    }
}

impl Subject {
    fn stamp(&self) -> String {
        match self {
            Subject::Path(path) => stamp(path),
            Subject::Command(word) => match find(word) {
                Some(path) => format!("{} {}", path.display(), stamp(&path)),
                None => ABSENT.to_owned(),
            },
        }
    }
}

const ABSENT: &str = "absent";

/// The size of a file and the time of its last change. For directories only their existence.
pub fn stamp(path: &Path) -> String {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => "directory".to_owned(),
        Ok(metadata) => {
            format!("{} {}.{}", metadata.size(), metadata.mtime(), metadata.mtime_nsec())
        }
        Err(_) => ABSENT.to_owned(),
    }
}

/// The path of a command.
pub fn find(command: &OsStr) -> Option<PathBuf> {
    let runs =
        |path: &PathBuf| fs::metadata(path).is_ok_and(|file| file.is_file() && file.mode() & 0o111 != 0);
    if command.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(command)).filter(runs);
    }
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|directory| directory.join(command)).find(runs);
    found
}

/// The inputs on which the answers depend.
pub fn watched(command: &OsStr, verbose_output: &[u8], compiler_answers: &CompilerAnswers) -> Vec<Watched> {
    let mut subjects: Vec<Subject> = wrapper_data(command).map(Subject::Path).into_iter().collect();
    let mut in_lists = false;
    for line in verbose_output.split(|&byte| byte == b'\n') {
        let path = |bytes: &[u8]| Subject::Path(PathBuf::from(OsStr::from_bytes(bytes)));
        in_lists |= line.starts_with(b"#include \"...\"");
        if let Some(command) = line.strip_prefix(b"COLLECT_GCC=") {
            subjects.push(Subject::Command(OsStr::from_bytes(command).to_owned()));
        } else if let Some(quoted) = line.strip_prefix(b"ignoring nonexistent directory \"") {
            subjects.push(path(quoted.strip_suffix(b"\"").unwrap_or(quoted)));
        } else if let Some(file) = line.strip_prefix(b"Reading specs from ") {
            subjects.push(path(file));
        } else if let Some(file) = line.strip_prefix(b"Configuration file: ") {
            subjects.push(path(file));
        } else if let Some(program) = program(line).filter(|_| !in_lists) {
            subjects.push(path(program));
        }
    }
    for directory in compiler_answers.quote_directories.iter().chain(&compiler_answers.bracket_directories) {
        // The header that compilers include implicitly.
        subjects.push(Subject::Path(directory.join("stdc-predef.h")));
        subjects.push(Subject::Path(directory.clone()));
    }
    subjects.into_iter().map(Watched::now).collect()
}

/// ` /usr/lib/…/cc1 -E …` or ` "/usr/lib/…/clang" -cc1 …`.
fn program(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(b" ")?;
    let (line, end) = match line.strip_prefix(b"\"") {
        Some(line) => (line, b'"'),
        None => (line, b' '),
    };
    let program = line.split(|&byte| byte == end).next()?;
    program.starts_with(b"/").then_some(program)
}

/// Open MPI's wrappers read their flags from a file that is named after them.
fn wrapper_data(command: &OsStr) -> Option<PathBuf> {
    let found = find(command)?;
    let prefix = found.parent()?.parent()?;
    let mut name = found.file_name()?.to_owned();
    name.push("-wrapper-data.txt");
    Some(prefix.join("share/openmpi").join(name))
}
