//! The state of the reader.

use std::path::PathBuf;
use std::rc::Rc;

use cppc_source::{Diagnostic, FileId, Files, Span};
use rustc_hash::FxHashMap;

use super::card::{first_solid, Card};
use super::codes;
use super::context::Context;
use super::expanded_line::ExpandedLine;
use super::macros::{Macro, Macros};
use super::options::{Definition, Options};
use super::partial_line::PartialLine;
use super::predefined::may_be_predefined;
use crate::fortran::logical::{Form, Include, LineKind, LogicalLine};

pub struct Reader<'a> {
    pub files: &'a mut Files,
    pub options: &'a Options,
    pub diagnostics: Vec<Diagnostic>,
    pub main: FileId,
    pub form: Form,
    pub lines: Vec<LogicalLine>,
    pub includes: Vec<Include>,
    /// The current statement. In fixed form it stays open until the next statement begins.
    pub partial_line: Option<PartialLine>,
    /// The current directive.
    pub directive: Option<OpenDirective>,
    /// Directives that were read before the end of the statement before them was known.
    pub held: Vec<LogicalLine>,
    /// The files that are being read, the innermost last.
    pub opened: Vec<FileId>,
    /// The files that were read for includes, by their path on disk.
    pub known: FxHashMap<PathBuf, FileId>,
    pub size_bytes: u64,
    /// The innermost file is preprocessed.
    pub preprocess: bool,
    pub macros: Macros,
    /// The macros include those of the compiler.
    pub has_predefined: bool,
    pub conditionals: Vec<Conditional>,
    /// The number of conditionals that belong to the files around the innermost.
    pub outer_conditionals: usize,
    /// The values of conditions, by their text.
    pub conditions: FxHashMap<Vec<u8>, bool>,
    /// The position at which a macro is being used.
    pub place: Span,
    /// The number of bytes of all expansions.
    pub expansion_bytes: usize,
    /// The offset of a C comment that does not end.
    pub open_comment: Option<usize>,
    /// The buffer for an expanded line.
    pub expanded_line: ExpandedLine,
    /// A limit was exceeded. Nothing more is read.
    pub stopped: bool,
}

/// An open conditional.
pub struct Conditional {
    pub span: Span,
    /// The lines of this branch are read.
    pub active: bool,
    /// A branch has been taken, or none may be taken.
    pub decided: bool,
    pub seen_else: bool,
}

/// A directive that may continue on the next line.
pub struct OpenDirective {
    pub partial_line: PartialLine,
    /// The `&` at the end of its last line.
    pub announced: Option<Span>,
    /// The number of open parentheses, and the length of the text in which they were counted.
    pub depth: i64,
    pub counted: usize,
}

/// The maximum nesting depth of included files.
pub const DEPTH_LIMIT: usize = 200;
/// The maximum number of includes.
pub const INCLUDE_LIMIT: usize = 100_000;
/// The maximum size of all text, in bytes.
pub const SIZE_LIMIT: u64 = 1 << 28;
/// The maximum number of statements.
pub const LINE_LIMIT: usize = 1 << 22;

impl<'a> Reader<'a> {
    pub fn new(files: &'a mut Files, main: FileId, options: &'a Options) -> Reader<'a> {
        let mut reader = Reader {
            form: options.form,
            main,
            lines: Vec::new(),
            includes: Vec::new(),
            partial_line: None,
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
            expansion_bytes: 0,
            open_comment: None,
            expanded_line: ExpandedLine::default(),
            stopped: false,
            files,
            options,
            diagnostics: Vec::new(),
        };
        reader.define_given(false);
        reader
    }

    /// Defines the macros of flags: only those with names that compilers use too, or all.
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
    pub fn load_predefined(&mut self, name: &[u8]) {
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
        self.load_predefined(name);
        self.macros.find(name).is_some() || matches!(name, b"__FILE__" | b"__LINE__")
    }

    /// The macro with this name at the current position.
    pub fn macro_named(&mut self, name: &[u8]) -> Option<Rc<Macro>> {
        self.load_predefined(name);
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

    /// Adds a complete statement or directive.
    pub fn keep(&mut self, partial_line: PartialLine) {
        if partial_line.kind == LineKind::Statement && partial_line.is_empty() && partial_line.label.is_none()
        {
            return;
        }
        if let Context::Quote(quote) = partial_line.context() {
            let message = "the character constant does not end";
            let help = format!("close it with `{}`", quote as char);
            self.report(Diagnostic::warning(codes::OPEN_CHARACTER, partial_line.span, message).help(help));
        }
        let line = partial_line.finish(self.form);
        self.lines.push(line);
        if self.lines.len() > LINE_LIMIT {
            self.stop("statements");
        }
    }

    /// Begins another statement after a `;`. The text of the card ends at `end`.
    pub fn next_statement(&mut self, card: &Card, semicolon: usize, end: usize) {
        let mark = card.span(semicolon..semicolon + 1);
        let mut next = PartialLine::new(LineKind::Statement, Span { start: mark.end, ..card.line });
        if let Some(mut partial_line) = self.partial_line.take() {
            let follows = first_solid(&card.text[..end], semicolon + 1);
            partial_line.shares_line |= follows.is_some_and(|at| !matches!(card.text[at], b'!' | b';'));
            next.shares_line = partial_line.shares_line || !partial_line.is_empty();
            if partial_line.span.file == mark.file {
                partial_line.span.end = mark.start.max(partial_line.span.start);
            }
            self.keep(partial_line);
        }
        self.partial_line = Some(next);
    }

    /// Ends the open statement, because nothing continues it.
    pub fn flush(&mut self) {
        self.close_directive();
        if let Some(partial_line) = self.partial_line.take() {
            self.keep(partial_line);
        }
        self.lines.append(&mut self.held);
    }

    /// Ends the current directive.
    pub fn close_directive(&mut self) {
        let Some(open) = self.directive.take() else { return };
        if let Some(mark) = open.announced {
            let message = "the directive is incomplete";
            self.report(
                Diagnostic::error(codes::NOT_CONTINUED, mark, message)
                    .because("marks that the directive continues")
                    .help("write the rest after `!$cppc&` on the next line, or remove the `&`"),
            );
        }
        self.held.push(open.partial_line.finish(self.form));
    }

    pub fn stop(&mut self, what: &str) {
        if !std::mem::replace(&mut self.stopped, true) {
            let place = Span::new(self.main, 0, 0);
            let message = format!("more {what} than can be read");
            self.report(Diagnostic::error(codes::LIMIT, place, message));
        }
    }
}
