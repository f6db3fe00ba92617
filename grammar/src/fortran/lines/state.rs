//! What the reader knows while it reads.

use std::path::PathBuf;
use std::rc::Rc;

use cppc_source::{Diagnostic, FileId, Files, Span};
use rustc_hash::FxHashMap;

use super::card::{first_solid, Card};
use super::codes;
use super::context::Context;
use super::draft::Draft;
use super::macros::{Macro, Macros};
use super::made::Made;
use super::options::{Definition, Options};
use super::predefined::may_be_predefined;
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
    /// The innermost file is preprocessed.
    pub preprocess: bool,
    pub macros: Macros,
    /// What the compiler defines is among the macros.
    pub has_predefined: bool,
    pub conditionals: Vec<Conditional>,
    /// How many of them belong to the files around the innermost.
    pub outer_conditionals: usize,
    /// Values of conditions, by their text.
    pub conditions: FxHashMap<Vec<u8>, bool>,
    /// Where a macro is being used.
    pub place: Span,
    /// How much text macros have made.
    pub made_bytes: usize,
    /// Where a comment of C begins that does not end.
    pub open_comment: Option<usize>,
    /// Room for a line that is being made.
    pub made: Made,
    /// A limit was passed: nothing more is read.
    pub stopped: bool,
}

/// A conditional that is open.
pub struct Conditional {
    pub span: Span,
    /// The lines of this branch are read.
    pub active: bool,
    /// A branch has been taken, or none may be.
    pub decided: bool,
    pub seen_else: bool,
}

/// A directive that may still go on in the next line.
pub struct OpenDirective {
    pub draft: Draft,
    /// The `&` at the end of its last line.
    pub announced: Option<Span>,
    /// Parentheses that are open, and how much of the text they were counted in.
    pub depth: i64,
    pub counted: usize,
}

/// How many files stand inside each other.
pub const DEPTH_LIMIT: usize = 200;
/// How many includes are read in all.
pub const INCLUDE_LIMIT: usize = 100_000;
/// How much text.
pub const SIZE_LIMIT: u64 = 1 << 28;
/// How many statements.
pub const LINE_LIMIT: usize = 1 << 22;

impl<'a> Reader<'a> {
    pub fn new(
        files: &'a mut Files,
        main: FileId,
        options: &'a Options,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Reader<'a> {
        let mut reader = Reader {
            form: options.form,
            main,
            lines: Vec::new(),
            includes: Vec::new(),
            draft: None,
            directive: None,
            held: Vec::new(),
            opened: Vec::new(),
            known: FxHashMap::default(),
            size_bytes: 0,
            preprocess: options.preprocess,
            macros: Macros::new(),
            has_predefined: false,
            conditionals: Vec::new(),
            outer_conditionals: 0,
            conditions: FxHashMap::default(),
            place: Span::new(main, 0, 0),
            made_bytes: 0,
            open_comment: None,
            made: Made::default(),
            stopped: false,
            files,
            options,
            diagnostics,
        };
        reader.define_given(false);
        reader
    }

    /// What flags define; of names that compilers use too, or of all.
    fn define_given(&mut self, only_compilers: bool) {
        for definition in &self.options.definitions {
            let (Definition::Define(name, _) | Definition::Undefine(name)) = definition;
            if only_compilers && !may_be_predefined(name) {
                continue;
            }
            match definition {
                Definition::Define(name, body) => {
                    let line = [name, &b" "[..], body].concat();
                    let _ = self.macros.read(&line);
                }
                Definition::Undefine(name) => self.macros.undefine(name),
            }
        }
    }

    /// Asks the compiler for its macros if this is the first name that may be one of them.
    pub fn know(&mut self, name: &[u8]) {
        if self.has_predefined || !may_be_predefined(name) {
            return;
        }
        self.has_predefined = true;
        for line in self.options.predefined().split(|&byte| byte == b'\n') {
            if let Some(definition) = line.strip_prefix(b"#define ") {
                let _ = self.macros.read(definition);
            }
        }
        self.define_given(true);
    }

    pub fn is_macro(&mut self, name: &[u8]) -> bool {
        self.know(name);
        self.macros.find(name).is_some() || matches!(name, b"__FILE__" | b"__LINE__")
    }

    /// The macro of a name, as it is at the place that is being read.
    pub fn macro_named(&mut self, name: &[u8]) -> Option<Rc<Macro>> {
        self.know(name);
        let (file, at) = (self.place.file, self.place.start);
        let text = match name {
            b"__LINE__" => self.files.get(file).line_column(at).0.to_string(),
            b"__FILE__" => format!("\"{}\"", self.files.get(file).path.display()),
            _ => return self.macros.find(name).cloned(),
        };
        Some(Rc::new(Macro::of_text(text.as_bytes())))
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// A statement has ended, or a directive.
    pub fn keep(&mut self, draft: Draft) {
        if draft.kind == LineKind::Statement && draft.is_empty() && draft.label.is_none() {
            return;
        }
        if let Context::Quote(quote) = draft.context() {
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
