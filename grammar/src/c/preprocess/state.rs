//! What preprocessing remembers while it goes through a translation unit.

use std::rc::Rc;
use std::sync::Arc;

use cppc_source::{Diagnostic, Expansion, ExpansionId, FileId, Files, Span};

use super::compiler::Compiler;
use super::headers::Headers;
use super::lexeme::Lexeme;
use super::macros::{MacroId, Macros};
use super::{codes, words};
use crate::c::language::{self, Language};
use crate::c::lexer::{self, Lexed, Piece, PieceKind};
use crate::c::token::{spell_bytes, Name, Names, Preprocessed};

pub struct Preprocessor<'a> {
    pub files: &'a mut Files,
    pub compiler: &'a Compiler,
    pub language: Language,
    pub out: Preprocessed,
    /// By name: whether it is a keyword. Names beyond it are not.
    pub keywords: Vec<bool>,
    pub macros: Macros,
    pub headers: Headers,
    /// The file that is being read, and those that include it.
    pub buffer: Buffer,
    pub including: Vec<Buffer>,
    pub conditionals: Vec<Conditional>,
    /// What is to be read before the file goes on; the last comes first.
    pub contexts: Vec<Context>,
    /// The lexemes of all contexts, one after the other.
    pub pending: Vec<Lexeme>,
    /// The arguments of the macros that are being expanded.
    pub arguments: Vec<Argument>,
    /// Their lexemes.
    pub argument_lexemes: Vec<Lexeme>,
    /// The outermost expansion that goes on.
    pub expansion: Option<ExpansionId>,
    /// In `#if`: what is expanded here does not reach the output.
    pub in_condition: bool,
    /// There, in an operand whose value does not count.
    pub unevaluated: bool,
    /// Between the parentheses of a macro's arguments: the file may not end here.
    pub collecting: bool,
    pub expansion_depth: u32,
    /// How many lexemes macros have brought: a measure of the work, which has a limit.
    pub work: u64,
    pub includes: u32,
    pub bytes_read: u64,
    /// A limit was hit: nothing more is read.
    pub stopped: bool,
    pub counter: u32,
    pub main: FileId,
    pub assertions: Vec<(Name, String)>,
    /// Room for spellings and bodies in the making.
    pub scratch: Vec<u8>,
}

/// A file and how far it is read.
#[derive(Debug, Clone)]
pub struct Buffer {
    pub file: FileId,
    pub bytes: Arc<[u8]>,
    pub lexed: Rc<Lexed>,
    /// The next of its tokens.
    pub at: usize,
    /// Where `#include_next` looks on: an index into the directories.
    pub next_directory: usize,
    /// How many conditionals were open when it began.
    pub conditionals: usize,
    /// The `#include` that brought it.
    pub included_at: Option<Span>,
    /// What `#line` said: to add to the line, and another name.
    pub line_offset: i64,
    pub presumed_name: Option<String>,
}

/// A `#if` whose `#endif` is still to come.
#[derive(Debug, Clone, Copy)]
pub struct Conditional {
    pub span: Span,
    /// One of its groups was read: those to come are skipped.
    pub taken: bool,
    pub seen_else: bool,
}

/// Lexemes `at..end` of `pending`, to be read before what comes after.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    pub start: u32,
    pub at: u32,
    pub end: u32,
    /// The macro whose expansion this is.
    pub expands: Option<MacroId>,
    /// The use of the macro, from its name to its closing parenthesis.
    pub place: Span,
    /// Reading ends with it: an argument or a directive's line.
    pub barrier: bool,
}

/// An argument as it was written and as it expands.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub start: u32,
    pub end: u32,
    /// Both 0 when it was not wanted expanded.
    pub expanded_start: u32,
    pub expanded_end: u32,
    /// A variadic argument may be missing, which is not the same as empty.
    pub given: bool,
}

impl<'a> Preprocessor<'a> {
    pub fn new(files: &'a mut Files, main: FileId, compiler: &'a Compiler) -> Preprocessor<'a> {
        let language = compiler.language;
        let mut names = words::names();
        let keywords = keyword_table(&mut names, language);
        let headers = Headers::new(files, compiler);
        let buffer = Buffer::new(main, Arc::from([]), Rc::default(), 0);
        Preprocessor {
            files,
            compiler,
            language,
            out: Preprocessed {
                names,
                tokens: Vec::with_capacity(TOKENS_AT_FIRST),
                ..Preprocessed::default()
            },
            keywords,
            macros: Macros::default(),
            headers,
            buffer,
            including: Vec::new(),
            conditionals: Vec::new(),
            contexts: Vec::new(),
            pending: Vec::new(),
            arguments: Vec::new(),
            argument_lexemes: Vec::new(),
            expansion: None,
            in_condition: false,
            unevaluated: false,
            collecting: false,
            expansion_depth: 0,
            work: 0,
            includes: 0,
            bytes_read: 0,
            stopped: false,
            counter: 0,
            main,
            assertions: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Reports a finding, with the way from the main file when it is in another.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let foreign = diagnostic.labels.first().is_some_and(|label| label.span.file != self.main);
        let mut chain = self.including.iter().skip(1).chain([&self.buffer]);
        let include = chain.find_map(|buffer| buffer.included_at);
        self.out.diagnostics.push(match include {
            Some(span) if foreign => diagnostic.label(span, "included from here"),
            _ => diagnostic,
        });
    }

    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Gives up: what is left is not read.
    pub fn stop(&mut self, diagnostic: Diagnostic) {
        if !std::mem::replace(&mut self.stopped, true) {
            self.report(diagnostic);
        }
    }

    /// The lexeme of a token in the current file.
    pub fn lexeme(&mut self, piece: Piece) -> Lexeme {
        let name = self.name(piece);
        Lexeme::new(piece, name, self.buffer.file)
    }

    pub fn name(&mut self, piece: Piece) -> Name {
        if let PieceKind::Punctuator(index) = piece.kind {
            return lexer::punctuator(index);
        }
        let bytes = &self.buffer.bytes[piece.range()];
        if piece.flags & (Piece::CUT | Piece::ESCAPED) == 0 {
            return self.out.names.intern_bytes(bytes);
        }
        let mut clean = bytes.to_vec();
        if piece.has(Piece::RAW) {
            clean = lexer::clean_raw(&clean, self.language);
        } else if piece.has(Piece::CUT) {
            clean = lexer::clean(&clean, self.language);
        }
        if piece.has(Piece::ESCAPED) {
            clean = lexer::identifier::unescape(&clean);
        }
        self.out.names.intern_bytes(&clean)
    }

    /// Appends what `#` and `##` see of a lexeme.
    pub fn spell(&self, lexeme: Lexeme, out: &mut Vec<u8>) {
        if lexeme.has(Lexeme::ODD) {
            out.extend(lexer::clean(self.files.text(lexeme.span), self.language));
            return;
        }
        match self.text(lexeme.name) {
            text if text.is_ascii() => out.extend_from_slice(text.as_bytes()),
            text => out.extend(spell_bytes(text)),
        }
    }

    pub fn text(&self, name: Name) -> &str {
        self.out.names.text(name)
    }

    /// Starts an outermost expansion at a macro's name.
    pub fn begin_expansion(&mut self, name: Lexeme) {
        let text = self.text(name.name).to_owned();
        let expansion = Expansion { name: text, invocation: name.span };
        self.expansion = Some(self.out.expansions.add(expansion));
    }

    /// A closing parenthesis in the file belongs to the expansion that goes on.
    pub fn extend_expansion(&mut self, close: Span) {
        let Some(id) = self.expansion else { return };
        let invocation = &mut self.out.expansions.get_mut(id).invocation;
        if invocation.file == close.file && invocation.start <= close.end {
            *invocation = invocation.to(close);
        }
    }

    /// Counts the bytes of the files; false when there are too many.
    pub fn may_read(&mut self, file: FileId) -> bool {
        self.bytes_read += self.files.get(file).bytes.len() as u64;
        if self.bytes_read > BYTES_LIMIT {
            let place = Span { file, start: 0, end: 0 };
            self.stop(
                Diagnostic::error(codes::LIMIT, place, "the files are too large")
                    .note(format!("one unit may have {BYTES_LIMIT} bytes, its headers included")),
            );
        }
        !self.stopped
    }

    /// Counts the lexemes that macros bring, and the bytes that `#` and `##` make; false when there
    /// are too many.
    pub fn may_work(&mut self, amount: usize, place: Span) -> bool {
        self.work += amount as u64 + 1;
        if self.work > WORK_LIMIT {
            self.stop(
                Diagnostic::error(codes::LIMIT, place, "macros expand to too much text")
                    .note(format!("more than {WORK_LIMIT} tokens came of macros")),
            );
        }
        !self.stopped
    }
}

/// As many as a file with a large header has; what is not used is never touched.
const TOKENS_AT_FIRST: usize = 1 << 15;

/// Far beyond any program, and less than a second of work.
const WORK_LIMIT: u64 = 1 << 23;

/// Offsets into spellings have 32 bits.
const BYTES_LIMIT: u64 = 1 << 31;

impl Buffer {
    pub fn new(
        file: FileId,
        bytes: Arc<[u8]>,
        lexed: Rc<Lexed>,
        next_directory: usize,
    ) -> Buffer {
        Buffer {
            file,
            bytes,
            lexed,
            at: 0,
            next_directory,
            conditionals: 0,
            included_at: None,
            line_offset: 0,
            presumed_name: None,
        }
    }

    /// The token that was read last.
    pub fn last_read(&self) -> Span {
        match self.at.checked_sub(1).and_then(|at| self.lexed.tokens.get(at)) {
            Some(piece) => Span { file: self.file, start: piece.start, end: piece.end },
            None => self.end(),
        }
    }

    /// The place after its last byte.
    pub fn end(&self) -> Span {
        let end = self.bytes.len() as u32;
        Span { file: self.file, start: end, end }
    }
}

fn keyword_table(names: &mut Names, language: Language) -> Vec<bool> {
    let mut table = Vec::new();
    for keyword in language::keywords(language) {
        let at = names.intern(keyword).0 as usize;
        if table.len() <= at {
            table.resize(at + 1, false);
        }
        table[at] = true;
    }
    table
}
