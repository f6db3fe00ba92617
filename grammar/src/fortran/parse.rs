//! Parses logical lines into the tree.
//!
//! Input: the logical lines of a source.
//! Output: always both a tree and diagnostics.
//! Postcondition: every line is in the tree. A line that could not be parsed does not affect the others, and
//! has a diagnostic, up to `DIAGNOSTICS_LIMIT`.

use std::ops::Range;

use cppc_source::Diagnostic;

use super::body;
use super::cursor::Cursor;
use super::explain;
use super::lexer::Lexed;
use super::logical::{At, Form, LineId, LineKind, Lines, LogicalLine, Run, RunOrigin};
use super::statement::role::Role;
use super::statement::{self, Read};
use super::tree::{Expr, StatementKind, Tree};
use super::tree_builder::TreeBuilder;

/// The result of parsing a source.
#[derive(Debug)]
pub struct Parsed {
    pub tree: Tree,
    /// Errors for the main file, warnings for lines of included files.
    pub diagnostics: Vec<Diagnostic>,
}

pub fn parse(lines: &Lines) -> Parsed {
    let mut tree_builder = TreeBuilder::new(lines);
    let mut lexed = Lexed::default();
    for (number, line) in lines.lines.iter().enumerate() {
        let id = LineId(number as u32);
        if line.kind == LineKind::Directive {
            tree_builder.add(id, line, directive(id, line));
            continue;
        }
        lexed.structures = tree_builder.structures;
        lexed.fill(line);
        if lexed.tokens.is_empty() {
            continue;
        }
        let read = statement::read(Cursor::new(&lexed, line, id), tree_builder.line_context());
        tree_builder.add(id, line, read);
    }
    let (tree, diagnostics) = tree_builder.finish();
    Parsed { tree, diagnostics }
}

fn directive(id: LineId, line: &LogicalLine) -> Read {
    let at = At { line: id, start: 0, end: line.text.len() as u32 };
    Read { name: None, at, role: Role::Plain(StatementKind::Directive), errors: Vec::new() }
}

/// Parses an expression in a range of a line, as directives contain them.
///
/// # Errors
/// What was found, and what was expected.
pub fn parse_expression(line: &LogicalLine, id: LineId, range: Range<u32>) -> Result<Expr, Diagnostic> {
    let length = line.text.len() as u32;
    let (start, end) = (range.start.min(length), range.end.min(length));
    // Blanks before it and no text after it, so that offsets count from the start of the line.
    let mut text = vec![b' '; start as usize];
    text.extend_from_slice(line.text.get(start as usize..end as usize).unwrap_or_default());
    let part = LogicalLine {
        kind: line.kind,
        form: line.form,
        label: None,
        text,
        runs: vec![Run { start: 0, origin: RunOrigin::Generated { from: line.span } }],
        span: line.span,
        shares_line: line.shares_line,
    };
    let mut lexed = Lexed::default();
    lexed.fill(&part);
    if let Some(fault) = lexed.fault {
        return Err(explain::tokens(&lexed, fault).diagnostic(line));
    }
    if lexed.tokens.is_empty() {
        let empty = explain::LineError::new("C0210", start, end, "expected an expression");
        return Err(empty.diagnostic(line));
    }
    debug_assert!(matches!(part.form, Form::Free | Form::Fixed { .. }));
    body::expression(Cursor::new(&lexed, &part, id)).map_err(|error| error.diagnostic(line))
}
