//! Splits a file into the text of statements and the text between them.
//!
//! Input: the lines of a file.
//! Output: its bytes, piece by piece.
//! Postcondition: the pieces are adjacent and cover the file from the first byte to the last.

use cppc_source::{Files, Span};

use crate::fortran::logical::{LineId, Lines, RunOrigin};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub span: Span,
    /// The line that contains it in its text or label. `None` for comments, continuation marks, sentinels,
    /// preprocessor lines and similar.
    pub line: Option<LineId>,
}

/// The pieces of the file that was read, without those of included files.
pub fn pieces(lines: &Lines, files: &Files) -> Vec<Piece> {
    let mut parts: Vec<Piece> = Vec::new();
    for (index, line) in lines.lines.iter().enumerate() {
        let id = Some(LineId(index as u32));
        parts.extend(line.label.map(|label| Piece { span: label.span, line: id }));
        for (at, run) in line.runs.iter().enumerate() {
            let next = line.runs.get(at + 1).map_or(line.text.len() as u32, |next| next.start);
            let span = match run.origin {
                RunOrigin::Bytes { file, start } => Span::new(file, start, start + (next - run.start)),
                RunOrigin::Generated { from } => from,
            };
            parts.push(Piece { span, line: id });
        }
    }
    parts.retain(|part| part.span.file == lines.file && !part.span.is_empty());
    parts.sort_by_key(|part| part.span.start);
    let end = files.get(lines.file).bytes.len() as u32;
    let mut pieces = Vec::with_capacity(2 * parts.len() + 1);
    let mut at = 0;
    for part in parts {
        // One use of a macro can produce two statements.
        if part.span.start < at {
            continue;
        }
        if part.span.start > at {
            pieces.push(Piece { span: Span::new(lines.file, at, part.span.start), line: None });
        }
        at = part.span.end;
        pieces.push(part);
    }
    if at < end {
        pieces.push(Piece { span: Span::new(lines.file, at, end), line: None });
    }
    pieces
}
