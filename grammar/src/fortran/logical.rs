//! Logical lines: statements and directives as the compiler sees them, each byte with its origin.
//!
//! In: what the readers of the two forms found. Out: a line's text without comments, continuation
//! marks and sequence numbers, `INCLUDE`d and preprocessed, and the way back to the file. Holds
//! afterwards: a place is only given for bytes that the main file really has.

use std::ops::Range;

use cppc_source::{FileId, Files, Span};

/// How a source is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Statements in columns 7 to `columns` (72 unless the compiler is told otherwise).
    Fixed { columns: u32 },
    Free,
}

/// A source as a sequence of logical lines, those of included files in their place.
#[derive(Debug)]
pub struct Lines {
    pub file: FileId,
    pub form: Form,
    pub lines: Vec<LogicalLine>,
    /// `INCLUDE` lines and `#include`s, with what was read for them.
    pub includes: Vec<Include>,
}

#[derive(Debug)]
pub struct Include {
    pub span: Span,
    /// None when there is no such file where the compiler would look.
    pub file: Option<FileId>,
    pub name: String,
}

/// Position of a logical line in `Lines::lines`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineId(pub u32);

/// A range of bytes of a logical line's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    pub line: LineId,
    pub start: u32,
    pub end: u32,
}

impl At {
    /// From the start of this to the end of the other, which is on the same line.
    pub fn to(self, other: At) -> At {
        At { line: self.line, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    Statement,
    /// A directive of ours: the text is what stands behind the sentinel.
    Directive,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// 1 to 99999.
    pub value: u32,
    pub span: Span,
}

#[derive(Debug)]
pub struct LogicalLine {
    pub kind: LineKind,
    /// How the file that it stands in is laid out (an included file has the form of its includer).
    pub form: Form,
    pub label: Option<Label>,
    /// The statement: macros expanded, comments and continuation marks gone, blanks as they are. In a
    /// character context that is continued in fixed form, short lines are filled up to their last column.
    pub text: Vec<u8>,
    /// Where each run of `text` comes from, in order, without gaps.
    pub runs: Vec<Run>,
    /// From the first byte of the (first) line of the file, label included, to the last byte before
    /// the line end of its last continuation. Of several statements on a line (`;`), each has its own part.
    pub span: Span,
    /// Other statements stand on its first line before it, or on its last line behind it.
    pub shares_line: bool,
}

/// A run of a logical line's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Where it begins in the text; it ends where the next begins.
    pub start: u32,
    pub origin: RunOrigin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOrigin {
    /// As it stands in the file: byte for byte from here on.
    Bytes { file: FileId, start: u32 },
    /// What a macro made of these bytes, or blanks that fill a line up.
    Made { from: Span },
}

impl LogicalLine {
    /// A line of a text that is all there is, for tests and for text that we make ourselves.
    pub fn plain(file: FileId, form: Form, text: &str) -> LogicalLine {
        LogicalLine {
            kind: LineKind::Statement,
            form,
            label: None,
            text: text.as_bytes().to_vec(),
            runs: vec![Run { start: 0, origin: RunOrigin::Bytes { file, start: 0 } }],
            span: Span::new(file, 0, text.len() as u32),
            shares_line: false,
        }
    }

    /// The bytes of `file` that make a range of the text, from the first to the last; continuation marks and
    /// comments between them included. None when an end of it is not that file's own text, or lies
    /// within what a macro made.
    pub fn place(&self, range: Range<u32>, file: FileId) -> Option<Span> {
        if range.start >= range.end || range.end as usize > self.text.len() {
            return None;
        }
        let start = self.edge(range.start, Edge::Start)?;
        let end = self.edge(range.end, Edge::End)?;
        let whole = start.file == file && end.file == file && start.start <= end.end;
        whole.then(|| Span::new(file, start.start, end.end))
    }

    /// A range of the text as its author wrote it: without marks of continuation and comments, macros
    /// not expanded. What is only a part of what a macro made is given as it was made.
    pub fn written(&self, range: Range<u32>, files: &Files) -> String {
        let end = range.end.min(self.text.len() as u32);
        let mut written = Vec::with_capacity(range.len());
        let mut at = range.start;
        let mut index = self.runs.partition_point(|run| run.start <= at).saturating_sub(1);
        while let Some(run) = self.runs.get(index).filter(|_| at < end) {
            let next = self.runs.get(index + 1).map_or(self.text.len() as u32, |next| next.start);
            let stop = next.min(end);
            match run.origin {
                RunOrigin::Made { from } if !from.is_empty() && at == run.start && stop == next => {
                    written.extend(files.text(from).iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }));
                }
                _ => written.extend_from_slice(&self.text[at as usize..stop as usize]),
            }
            (at, index) = (stop, index + 1);
        }
        String::from_utf8_lossy(&written).into_owned()
    }

    /// Where a diagnostic about a range of the text points.
    pub fn anchor(&self, range: Range<u32>) -> Span {
        let own = self.byte(range.start).map_or(self.span.file, |span| span.file);
        if let Some(span) = self.place(range.clone(), own) {
            return span;
        }
        self.byte(range.start).unwrap_or(self.span)
    }

    /// The origin of one byte of the text.
    fn byte(&self, at: u32) -> Option<Span> {
        let run = self.run(at)?;
        Some(match run.origin {
            RunOrigin::Bytes { file, start } => {
                let byte = start + (at - run.start);
                Span::new(file, byte, byte + 1)
            }
            RunOrigin::Made { from } => from,
        })
    }

    fn run(&self, at: u32) -> Option<Run> {
        let index = self.runs.partition_point(|run| run.start <= at);
        self.runs.get(index.checked_sub(1)?).copied()
    }

    /// The byte at an edge of a range; what a macro made counts only whole.
    fn edge(&self, at: u32, edge: Edge) -> Option<Span> {
        let inside = match edge {
            Edge::Start => at,
            Edge::End => at - 1,
        };
        let index = self.runs.partition_point(|run| run.start <= inside).checked_sub(1)?;
        let run = self.runs[index];
        if let RunOrigin::Made { .. } = run.origin {
            let end = self.runs.get(index + 1).map_or(self.text.len() as u32, |next| next.start);
            let whole = match edge {
                Edge::Start => run.start == at,
                Edge::End => end == at,
            };
            if !whole {
                return None;
            }
        }
        self.byte(inside)
    }
}

#[derive(Debug, Clone, Copy)]
enum Edge {
    Start,
    End,
}
