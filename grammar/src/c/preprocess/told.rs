//! What a compiler told when it was asked.
//!
//! Holds afterwards: nothing of it depends on the file that is translated.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Its predefined macros and those of the command line, as `#define` lines.
    pub predefined: Vec<u8>,
    pub quote_directories: Vec<PathBuf>,
    pub bracket_directories: Vec<PathBuf>,
    /// Answers to `__has_attribute(x)` and its like; operators by their name alone.
    pub answers: FxHashMap<String, u64>,
}
