//! What the reader knows while it reads.

use std::path::PathBuf;

use cppc_source::{Diagnostic, FileId, Files, Span};
use rustc_hash::FxHashMap;

use super::card::{first_solid, Card};
use super::codes;
use super::context::Context;
use super::draft::Draft;
use super::options::Options;
use crate::fortran::logical::{Form, Include, LineKind, LogicalLine};

pub struct Reader<'a> {
    pub files: &'a mut Files,
    pub options: &'a Options,
    pub diagnostics: &'a mut Vec<Diagnostic>,
    pub main: FileId,
    pub form: Form,
    pub lines: Vec<LogicalLine>,
    pub includes: Vec<Include>,
    /// The statement that is being read. In fixed form each one, until the next one begins.
    pub draft: Option<Draft>,
    /// The directive that is being read.
    pub directive: Option<OpenDirective>,
    /// Directives that came before it was known that the statement before them had ended.
    pub held: Vec<LogicalLine>,
    /// The files that are being read, the innermost last.
    pub opened: Vec<FileId>,
    /// Files that were read for an include, by the path on disk.
    pub known: FxHashMap<PathBuf, FileId>,
    pub size_bytes: u64,
    /// A limit was passed: nothing more is read.
    pub stopped: bool,
}

/// A directive that may still go on in the next line.
pub struct OpenDirective {
    pub draft: Draft,
    /// The `&` at the end of its last line.
    pub announced: Option<Span>,
}

/// How many files stand inside each other.
pub const DEPTH_LIMIT: usize = 100;
/// How many includes are read in all.
pub const INCLUDE_LIMIT: usize = 100_000;
/// How much text.
pub const SIZE_LIMIT: u64 = 1 << 28;
/// How many statements.
pub const LINE_LIMIT: usize = 1 << 22;

impl Reader<'_> {
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// A statement has ended, or a directive.
    pub fn keep(&mut self, draft: Draft) {
        if draft.kind == LineKind::Statement && draft.is_empty() && draft.label.is_none() {
            return;
        }
        if let Context::Quote(quote) = draft.context {
            let message = "the character constant does not end";
            let help = format!("close it with `{}`", quote as char);
            self.report(Diagnostic::warning(codes::OPEN_CHARACTER, draft.span, message).help(help));
        }
        let line = draft.finish(self.form);
        self.lines.push(line);
        if self.lines.len() > LINE_LIMIT {
            self.stop("statements");
        }
    }

    /// Behind a `;` another statement begins. What counts of the card ends at `end`.
    pub fn next_statement(&mut self, card: &Card, semicolon: usize, end: usize) {
        let mark = card.span(semicolon..semicolon + 1);
        let mut next = Draft::new(LineKind::Statement, Span { start: mark.end, ..card.line });
        if let Some(mut draft) = self.draft.take() {
            let follows = first_solid(&card.text[..end], semicolon + 1);
            draft.shares_line |= follows.is_some_and(|at| !matches!(card.text[at], b'!' | b';'));
            next.shares_line = draft.shares_line || !draft.is_empty();
            if draft.span.file == mark.file {
                draft.span.end = mark.start.max(draft.span.start);
            }
            self.keep(draft);
        }
        self.draft = Some(next);
    }

    /// Nothing continues what came before.
    pub fn flush(&mut self) {
        self.close_directive();
        if let Some(draft) = self.draft.take() {
            self.keep(draft);
        }
        self.lines.append(&mut self.held);
    }

    /// The directive that was being read has ended.
    pub fn close_directive(&mut self) {
        let Some(open) = self.directive.take() else { return };
        if let Some(mark) = open.announced {
            let message = "the directive breaks off";
            self.report(
                Diagnostic::error(codes::NOT_CONTINUED, mark, message)
                    .because("says that the directive goes on")
                    .help("write the rest behind `!$cppc&` in the next line, or take the `&` out"),
            );
        }
        self.held.push(open.draft.finish(self.form));
    }

    pub fn stop(&mut self, what: &str) {
        if !std::mem::replace(&mut self.stopped, true) {
            let place = Span::new(self.main, 0, 0);
            let message = format!("more {what} than can be read");
            self.report(Diagnostic::error(codes::LIMIT, place, message));
        }
    }
}
