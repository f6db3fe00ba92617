//! The includes with which the main file begins.

use super::read_headers::FoundHeader;

/// The first includes of the main file.
#[derive(Debug, Default)]
pub struct FirstIncludes {
    pub headers: Vec<FoundHeader>,
    /// For each: the index of the first token of the main file after its line.
    pub ends: Vec<usize>,
    /// The number of tokens of the main file.
    pub tokens: usize,
    /// How many of them are read.
    pub count: usize,
}

impl FirstIncludes {
    /// The index of the next token of the main file at which the state may be stored.
    pub fn next_end(&self) -> Option<usize> {
        self.ends.get(self.count).copied()
    }
}
