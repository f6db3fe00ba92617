//! The answers of a compiler.
//!
//! Postcondition: they do not depend on the translated file.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompilerAnswers {
    /// Its predefined macros and those of the command line, as `#define` lines.
    pub predefined: Vec<u8>,
    pub quote_directories: Vec<PathBuf>,
    pub bracket_directories: Vec<PathBuf>,
    /// Answers to `__has_attribute(x)` and similar. An operator itself is an entry without an argument.
    pub answers: FxHashMap<String, u64>,
}
