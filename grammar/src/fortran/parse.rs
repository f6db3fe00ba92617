//! From logical lines to the tree.
//!
//! In: the logical lines of a source. Out: a tree and diagnostics, never one or the other. Holds
//! afterwards: every line is in the tree; one that no grammar knows costs no other, and has a
//! diagnostic, as far as `DIAGNOSTICS_LIMIT`.

use std::ops::Range;

use cppc_source::Diagnostic;

use super::blocks::Blocks;
use super::body;
use super::cursor::Cursor;
use super::explain;
use super::lexer::Lexed;
use super::logical::{At, Form, LineId, LineKind, Lines, LogicalLine, Run, RunOrigin};
use super::statement::role::Role;
use super::statement::{self, Read};
use super::tree::{Expr, StatementKind, Tree};

/// What is known of a source after parsing.
#[derive(Debug)]
pub struct Parsed {
    pub tree: Tree,
    /// Errors in the main file, warnings for lines of included files.
    pub diagnostics: Vec<Diagnostic>,
}

pub fn parse(lines: &Lines) -> Parsed {
    let mut blocks = Blocks::new(lines);
    let mut lexed = Lexed::default();
    for (number, line) in lines.lines.iter().enumerate() {
        let id = LineId(number as u32);
        if line.kind == LineKind::Directive {
            blocks.add(id, line, directive(id, line));
            continue;
        }
        lexed.structures = blocks.structures;
        lexed.fill(line);
        if lexed.tokens.is_empty() {
            continue;
        }
        let read = statement::read(Cursor::new(&lexed, line, id), blocks.scene());
        blocks.add(id, line, read);
    }
    let (tree, diagnostics) = blocks.finish();
    Parsed { tree, diagnostics }
}

fn directive(id: LineId, line: &LogicalLine) -> Read {
    let at = At { line: id, start: 0, end: line.text.len() as u32 };
    Read { name: None, at, role: Role::Plain(StatementKind::Directive), troubles: Vec::new() }
}

/// Reads an expression that stands in a range of a line, as directives have them.
///
/// # Errors
/// What was found where something else was expected.
pub fn parse_expression(line: &LogicalLine, id: LineId, range: Range<u32>) -> Result<Expr, Diagnostic> {
    let length = line.text.len() as u32;
    let (start, end) = (range.start.min(length), range.end.min(length));
    // Blanks in front, and nothing behind: so positions count from the line's start.
    let mut text = vec![b' '; start as usize];
    text.extend_from_slice(line.text.get(start as usize..end as usize).unwrap_or_default());
    let part = LogicalLine {
        kind: line.kind,
        form: line.form,
        label: None,
        text,
        runs: vec![Run { start: 0, origin: RunOrigin::Made { from: line.span } }],
        span: line.span,
        shares_line: line.shares_line,
    };
    let mut lexed = Lexed::default();
    lexed.fill(&part);
    if let Some(fault) = lexed.fault {
        return Err(explain::tokens(&lexed, fault).diagnostic(line));
    }
    if lexed.tokens.is_empty() {
        let empty = explain::Trouble::new("C0210", start, end, "expected an expression");
        return Err(empty.diagnostic(line));
    }
    debug_assert!(matches!(part.form, Form::Free | Form::Fixed { .. }));
    body::expression(Cursor::new(&lexed, &part, id)).map_err(|trouble| trouble.diagnostic(line))
}
