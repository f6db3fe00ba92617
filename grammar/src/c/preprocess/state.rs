//! The state of preprocessing a translation unit.

use std::rc::Rc;
use std::sync::Arc;

use cppc_source::{Diagnostic, Expansion, ExpansionId, FileId, Files, Span};

use super::compiler::Compiler;
use super::first_includes::FirstIncludes;
use super::headers::Headers;
use super::lexeme::Lexeme;
use super::macros::{MacroId, Macros};
use super::unit_cache::UnitCache;
use super::{codes, words};
use crate::c::language::{self, Language};
use crate::c::lexer::{self, Lexed, Piece, PieceKind};
use crate::c::token::{spell_bytes, Name, Names, Preprocessed};

pub struct Preprocessor<'a> {
    pub files: &'a mut Files,
    pub compiler: &'a Compiler,
    pub cache: &'a mut UnitCache,
    pub language: Language,
    pub out: Preprocessed,
    /// By name: whether it is a keyword. Names beyond the end are not keywords.
    pub keywords: Vec<bool>,
    pub macros: Macros,
    pub headers: Headers,
    pub first_includes: FirstIncludes,
    /// The output contains the name of the main file.
    pub names_main: bool,
    /// The current file, and the files that include it.
    pub buffer: Buffer,
    pub including: Vec<Buffer>,
    pub conditionals: Vec<Conditional>,
    /// Lexemes that are read before the file continues. The last context is read first.
    pub contexts: Vec<Context>,
    /// The lexemes of all contexts, concatenated.
    pub pending: Vec<Lexeme>,
    /// The arguments of the macros that are being expanded.
    pub arguments: Vec<Argument>,
    /// Their lexemes.
    pub argument_lexemes: Vec<Lexeme>,
    /// The outermost expansion in progress.
    pub expansion: Option<ExpansionId>,
    /// In `#if`: expansions do not reach the output.
    pub in_condition: bool,
    /// In an operand of `#if` that is not evaluated.
    pub unevaluated: bool,
    /// Between the parentheses of a macro's arguments: the file may not end here.
    pub collecting: bool,
    pub expansion_depth: u32,
    /// The number of lexemes that macros have produced. It measures the work and has a limit.
    pub work: u64,
    pub includes: u32,
    pub bytes_read: u64,
    /// A limit was exceeded. Nothing more is read.
    pub stopped: bool,
    pub counter: u32,
    pub main: FileId,
    pub assertions: Vec<(Name, String)>,
    /// A buffer for spellings and incomplete bodies.
    pub scratch: Vec<u8>,
}

/// A file and the position in it.
#[derive(Debug, Clone)]
pub struct Buffer {
    pub file: FileId,
    pub bytes: Arc<[u8]>,
    pub lexed: Rc<Lexed>,
    /// The index of its next token.
    pub at: usize,
    /// The index of the directory at which `#include_next` continues.
    pub next_directory: usize,
    /// The number of conditionals that were open when it began.
    pub conditionals: usize,
    /// The `#include` that named it.
    pub included_at: Option<Span>,
    /// Set by `#line`: an offset of line numbers, and another name.
    pub line_offset: i64,
    pub presumed_name: Option<String>,
}

/// A `#if` whose `#endif` has not been read yet.
#[derive(Debug, Clone, Copy)]
pub struct Conditional {
    pub span: Span,
    /// One of its groups was read. The following groups are skipped.
    pub taken: bool,
    pub seen_else: bool,
}

/// Lexemes `at..end` of `pending`, which are read before the following text.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    pub start: u32,
    pub at: u32,
    pub end: u32,
    /// The macro that is being expanded.
    pub expands: Option<MacroId>,
    /// The use of the macro, from its name to its closing parenthesis.
    pub place: Span,
    /// Reading ends after it: it is an argument or the line of a directive.
    pub barrier: bool,
}

/// An argument as written and as expanded.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub start: u32,
    pub end: u32,
    /// Both are 0 if the expansion is not needed.
    pub expanded_start: u32,
    pub expanded_end: u32,
    /// A variadic argument may be missing, which is not the same as empty.
    pub given: bool,
}

impl<'a> Preprocessor<'a> {
    pub fn new(
        files: &'a mut Files,
        main: FileId,
        compiler: &'a Compiler,
        cache: &'a mut UnitCache,
    ) -> Preprocessor<'a> {
        let language = compiler.language;
        let mut names = words::names();
        let keywords = keyword_table(&mut names, language);
        let headers = Headers::new(compiler);
        let buffer = Buffer::new(main, Arc::from([]), Rc::default(), 0);
        Preprocessor {
            files,
            compiler,
            cache,
            language,
            out: Preprocessed {
                names,
                tokens: Vec::with_capacity(TOKENS_AT_FIRST),
                ..Preprocessed::default()
            },
            keywords,
            macros: Macros::default(),
            headers,
            first_includes: FirstIncludes::default(),
            names_main: false,
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

    /// Reports a diagnostic. If it is in another file than the main one, the chain of includes is added.
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

    /// Stops preprocessing: the rest is not read.
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

    /// Appends the spelling of a lexeme that `#` and `##` use.
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

    /// Begins an outermost expansion at the name of a macro.
    pub fn begin_expansion(&mut self, name: Lexeme) {
        let text = self.text(name.name).into();
        let expansion = Expansion { name: text, invocation: name.span };
        self.expansion = Some(self.out.expansions.add(expansion));
    }

    /// Extends the expansion in progress to a closing parenthesis in the file.
    pub fn extend_expansion(&mut self, close: Span) {
        let Some(id) = self.expansion else { return };
        let invocation = &mut self.out.expansions.get_mut(id).invocation;
        if invocation.file == close.file && invocation.start <= close.end {
            *invocation = invocation.to(close);
        }
    }

    /// Counts the bytes of the files. False if the limit is exceeded.
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

    /// Counts the lexemes that macros produce and the bytes that `#` and `##` create. False if the limit is
    /// exceeded.
    pub fn may_work(&mut self, amount: usize, place: Span) -> bool {
        self.work += amount as u64 + 1;
        if self.work > WORK_LIMIT {
            self.stop(
                Diagnostic::error(codes::LIMIT, place, "macros expand to too much text")
                    .note(format!("macros produced more than {WORK_LIMIT} tokens")),
            );
        }
        !self.stopped
    }
}

/// The number of tokens of a file with a large header. Unused capacity needs no physical memory.
const TOKENS_AT_FIRST: usize = 1 << 15;

/// Far more than any real program needs, and less than a second of work.
const WORK_LIMIT: u64 = 1 << 23;

/// Offsets into spellings have 32 bits.
const BYTES_LIMIT: u64 = 1 << 31;

impl Buffer {
    pub fn new(file: FileId, bytes: Arc<[u8]>, lexed: Rc<Lexed>, next_directory: usize) -> Buffer {
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

    /// The span of the token that was read last.
    pub fn last_read(&self) -> Span {
        match self.at.checked_sub(1).and_then(|at| self.lexed.tokens.get(at)) {
            Some(piece) => Span { file: self.file, start: piece.start, end: piece.end },
            None => self.end(),
        }
    }

    /// The empty span after its last byte.
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
