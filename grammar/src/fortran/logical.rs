//! Logical lines: statements and directives as the compiler reads them, each byte with its origin.
//!
//! Input: the results of the readers of the two forms.
//! Output: the text of a line without comments, continuation marks and sequence numbers, with `INCLUDE` and
//! macros processed, and the mapping to the file.
//! Postcondition: a span is returned only for bytes that are in the main file.

use std::ops::Range;

use cppc_source::{Diagnostic, FileId, Files, Span};

/// The form of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Statements in columns 7 to `columns` (72 unless an option of the compiler changes it).
    Fixed {
        columns: u32,
    },
    Free,
}

/// A source as a sequence of logical lines, including those of included files.
#[derive(Debug)]
pub struct Lines {
    pub file: FileId,
    pub form: Form,
    pub lines: Vec<LogicalLine>,
    /// `INCLUDE` lines and `#include` directives, with the files that were read for them.
    pub includes: Vec<Include>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug)]
pub struct Include {
    pub span: Span,
    /// `None` if no such file exists where the compiler searches.
    pub file: Option<FileId>,
    pub name: String,
}

/// Index of a logical line in `Lines::lines`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineId(pub u32);

/// A range of bytes in the text of a logical line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    pub line: LineId,
    pub start: u32,
    pub end: u32,
}

impl At {
    /// From the start of this range to the end of the other, which is on the same line.
    pub fn to(self, other: At) -> At {
        At { line: self.line, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    Statement,
    /// A CPPC directive. The text is the part after the sentinel.
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
    /// The form of its file. An included file has the form of the including file.
    pub form: Form,
    pub label: Option<Label>,
    /// The statement: macros expanded, without comments and continuation marks, with its blanks. If a
    /// character constant is continued in fixed form, short lines are padded to their last column.
    pub text: Vec<u8>,
    /// The origin of each run of `text`, in order, without gaps.
    pub runs: Vec<Run>,
    /// From the first byte of the first line in the file, including the label, to the last byte before the
    /// line end of its last continuation. Several statements on a line (`;`) have separate spans.
    pub span: Span,
    /// Another statement precedes it on its first line, or follows it on its last line.
    pub shares_line: bool,
}

/// A run of the text of a logical line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Its offset in the text. It ends where the next run begins.
    pub start: u32,
    pub origin: RunOrigin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOrigin {
    /// Bytes that are the same in the file, from this offset on.
    Bytes { file: FileId, start: u32 },
    /// The expansion of a macro in these bytes, or blanks that pad a line.
    Generated { from: Span },
}

impl LogicalLine {
    /// A line with only this text, for tests and generated text.
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

    /// The span of `file` for a range of the text, including continuation marks and comments inside it.
    /// `None` if one end of it is not text of that file, or is inside the expansion of a macro.
    pub fn place(&self, range: Range<u32>, file: FileId) -> Option<Span> {
        if range.start >= range.end || range.end as usize > self.text.len() {
            return None;
        }
        let start = self.edge(range.start, Edge::Start)?;
        let end = self.edge(range.end, Edge::End)?;
        let whole = start.file == file && end.file == file && start.start <= end.end;
        whole.then(|| Span::new(file, start.start, end.end))
    }

    /// A range of the text as its author wrote it: without continuation marks and comments, macros not
    /// expanded. A part of an expansion is returned as expanded.
    pub fn written(&self, range: Range<u32>, files: &Files) -> String {
        let end = range.end.min(self.text.len() as u32);
        let mut written = Vec::with_capacity(range.len());
        let mut at = range.start;
        let mut index = self.runs.partition_point(|run| run.start <= at).saturating_sub(1);
        while let Some(run) = self.runs.get(index).filter(|_| at < end) {
            let next = self.runs.get(index + 1).map_or(self.text.len() as u32, |next| next.start);
            let stop = next.min(end);
            match run.origin {
                RunOrigin::Generated { from } if !from.is_empty() && at == run.start && stop == next => {
                    written
                        .extend(files.text(from).iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }));
                }
                _ => written.extend_from_slice(&self.text[at as usize..stop as usize]),
            }
            (at, index) = (stop, index + 1);
        }
        String::from_utf8_lossy(&written).into_owned()
    }

    /// The span that a diagnostic about a range of the text marks.
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
            RunOrigin::Generated { from } => from,
        })
    }

    fn run(&self, at: u32) -> Option<Run> {
        let index = self.runs.partition_point(|run| run.start <= at);
        self.runs.get(index.checked_sub(1)?).copied()
    }

    /// The byte at an edge of a range. The expansion of a macro counts only as a whole.
    fn edge(&self, at: u32, edge: Edge) -> Option<Span> {
        let inside = match edge {
            Edge::Start => at,
            Edge::End => at - 1,
        };
        let index = self.runs.partition_point(|run| run.start <= inside).checked_sub(1)?;
        let run = self.runs[index];
        if let RunOrigin::Generated { .. } = run.origin {
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
