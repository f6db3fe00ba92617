//! A line of a file as the compiler sees it, and where each of its bytes stands.
//!
//! Holds afterwards: positions of a card lead to bytes of its file, in order.

use std::ops::Range;

use cppc_source::{FileId, Span};

use crate::fortran::logical::{Run, RunOrigin};

/// One line, its end left out.
#[derive(Clone, Copy)]
pub struct Card<'a> {
    pub text: &'a [u8],
    /// The line in its file.
    pub line: Span,
    /// Where the text comes from when macros were expanded in it; else it is the line as it stands.
    pub runs: Option<&'a [Run]>,
}

impl<'a> Card<'a> {
    pub fn file(&self) -> FileId {
        self.line.file
    }

    /// The bytes of the file that make a range of the text.
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

    /// The bytes that one byte of the text comes from; behind the last, the line's end.
    fn edge(&self, runs: &[Run], at: usize) -> Span {
        let index = runs.partition_point(|run| run.start as usize <= at);
        let run = index.checked_sub(1).and_then(|index| runs.get(index));
        match run {
            Some(run) if at < self.text.len() => match run.origin {
                RunOrigin::Bytes { start, .. } => {
                    let byte = start + (at as u32 - run.start);
                    Span::new(self.file(), byte, byte + 1)
                }
                RunOrigin::Made { from } => from,
            },
            _ => self.line.at_end(),
        }
    }

    /// The runs of a range, with their places in the text.
    pub fn origins(&self, range: Range<usize>) -> impl Iterator<Item = Run> + use<'a> {
        let (file, line) = (self.file(), self.line.start);
        let runs: &'a [Run] = self.runs.unwrap_or(&[]);
        let first = runs.partition_point(|run| run.start as usize <= range.start).saturating_sub(1);
        let (start, end) = (range.start as u32, range.end as u32);
        let plain = self.runs.is_none().then_some(Run {
            start,
            origin: RunOrigin::Bytes { file, start: line + start },
        });
        let cut = runs[first..].iter().take_while(move |run| run.start < end).map(move |run| {
            let skipped = start.saturating_sub(run.start);
            let origin = match run.origin {
                RunOrigin::Bytes { file, start } => RunOrigin::Bytes { file, start: start + skipped },
                made => made,
            };
            Run { start: run.start.max(start), origin }
        });
        plain.into_iter().chain(cut)
    }
}

/// What separates words, and what compilers pass over like it.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' | 0)
}

/// The first byte from `from` on that is no blank.
pub fn first_solid(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.iter().position(|&byte| !is_blank(byte)).map(|at| from + at)
}

/// What may stand in a name.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}
