//! A line of a file as the compiler reads it, and the position of each of its bytes.
//!
//! Postcondition: positions of a card refer to bytes of its file, in increasing order.

use std::ops::Range;

use cppc_source::{FileId, Span};

use crate::fortran::logical::{Run, RunOrigin};

/// One line without its line end.
#[derive(Clone, Copy)]
pub struct Card<'a> {
    pub text: &'a [u8],
    /// The span of the line in its file.
    pub line: Span,
    /// The origin of the text if macros were expanded in it. Otherwise the text is the line of the file.
    pub runs: Option<&'a [Run]>,
}

impl<'a> Card<'a> {
    pub fn file(&self) -> FileId {
        self.line.file
    }

    /// The bytes of the file for a range of the text.
    pub fn span(&self, range: Range<usize>) -> Span {
        let Some(runs) = self.runs else {
            let at = |offset: usize| self.line.start + offset as u32;
            return Span::new(self.file(), at(range.start), at(range.end));
        };
        let start = self.edge(runs, range.start).start;
        let end = match range.is_empty() {
            true => start,
            false => self.edge(runs, range.end - 1).end.max(start),
        };
        Span::new(self.file(), start, end)
    }

    /// The bytes of the file for one byte of the text. After the last byte, the end of the line.
    fn edge(&self, runs: &[Run], at: usize) -> Span {
        let index = runs.partition_point(|run| run.start as usize <= at);
        let run = index.checked_sub(1).and_then(|index| runs.get(index));
        match run {
            Some(run) if at < self.text.len() => match run.origin {
                RunOrigin::Bytes { start, .. } => {
                    let byte = start + (at as u32 - run.start);
                    Span::new(self.file(), byte, byte + 1)
                }
                RunOrigin::Generated { from } => from,
            },
            _ => self.line.at_end(),
        }
    }

    /// The runs of a range, with their offsets in the text.
    pub fn origins(&self, range: Range<usize>) -> impl Iterator<Item = Run> + use<'a> {
        let (file, line) = (self.file(), self.line.start);
        let runs: &'a [Run] = self.runs.unwrap_or(&[]);
        let first = runs.partition_point(|run| run.start as usize <= range.start).saturating_sub(1);
        let (start, end) = (range.start as u32, range.end as u32);
        let plain = self
            .runs
            .is_none()
            .then_some(Run { start, origin: RunOrigin::Bytes { file, start: line + start } });
        let cut = runs[first..].iter().take_while(move |run| run.start < end).map(move |run| {
            let skipped = start.saturating_sub(run.start);
            let origin = match run.origin {
                RunOrigin::Bytes { file, start } => RunOrigin::Bytes { file, start: start + skipped },
                expanded_line => expanded_line,
            };
            Run { start: run.start.max(start), origin }
        });
        plain.into_iter().chain(cut)
    }
}

/// Characters that separate words, and those that compilers skip like blanks.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' | 0)
}

/// The first byte from `from` on that is not a blank.
pub fn first_solid(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.iter().position(|&byte| !is_blank(byte)).map(|at| from + at)
}

/// Characters that are allowed in a name.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}
