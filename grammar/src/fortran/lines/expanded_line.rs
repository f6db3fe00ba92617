//! A line that the preprocessor creates.

use std::ops::Range;

use cppc_source::{FileId, Span};

use crate::fortran::logical::{Run, RunOrigin};

/// An incomplete line.
#[derive(Default)]
pub struct ExpandedLine {
    pub text: Vec<u8>,
    pub runs: Vec<Run>,
}

impl ExpandedLine {
    /// Adds bytes of the file.
    pub fn copy(&mut self, bytes: &[u8], range: Range<usize>, file: FileId) {
        let (at, start) = (self.text.len() as u32, range.start as u32);
        let goes_on = self.runs.last().is_some_and(|last| match last.origin {
            RunOrigin::Bytes { start: first, .. } => first + (at - last.start) == start,
            RunOrigin::Generated { .. } => false,
        });
        if !goes_on && !range.is_empty() {
            self.runs.push(Run { start: at, origin: RunOrigin::Bytes { file, start } });
        }
        self.text.extend_from_slice(&bytes[range]);
    }

    pub fn push(&mut self, text: &[u8], from: Span) {
        if !text.is_empty() {
            let start = self.text.len() as u32;
            self.runs.push(Run { start, origin: RunOrigin::Generated { from } });
            self.text.extend_from_slice(text);
        }
    }
}
