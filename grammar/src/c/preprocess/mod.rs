//! Preprocessing: resolves conditionals, reads headers, expands macros.
//!
//! Input: a file, the files that it includes, and the predefined macros of the compiler.
//! Output: the tokens that the compiler proper reads, each with its origin; pragmas; diagnostics.
//! Postcondition: the tokens are those of `cc -E` with the same flags, and a token without an expansion is in
//! its file as it was lexed.

mod codes;
mod words;
mod lexeme;
mod flags;
mod questions;
mod compiler_answers;
mod cache;
mod compiler;
mod macros;
mod read_headers;
mod unit_cache;
mod headers;
mod first_includes;
mod state;
mod define;
mod substitute;
mod builtin;
mod expand;
mod number;
mod expression;
mod condition;
mod include;
mod preamble;
mod pragma;
mod directive;
mod reader;

pub use cache::{Digest, ProbeCache};
pub use compiler::{Compiler, ProbeError};
pub use flags::Forced;
pub use unit_cache::UnitCache;

use std::path::Path;

use cppc_source::{Diagnostic, FileId, Files, Origin, Span};

use headers::HeaderRequest;
use lexeme::{Kind, Lexeme};
use state::Preprocessor;

use super::lexer::{self, Piece, PieceKind};
use super::token::{Name, Preprocessed, Token, TokenKind};

/// Preprocesses a file as the compiler does. Headers are added to the files.
pub fn preprocess(files: &mut Files, main: FileId, compiler: &Compiler) -> Preprocessed {
    preprocess_with(files, main, compiler, &mut UnitCache::default())
}

/// Preprocesses one of several files. `cache` is for units with this compiler and with these files.
pub fn preprocess_with(
    files: &mut Files,
    main: FileId,
    compiler: &Compiler,
    cache: &mut UnitCache,
) -> Preprocessed {
    let mut preprocessor = Preprocessor::new(files, main, compiler, cache);
    preprocessor.find_first_includes(main);
    let next = preprocessor.restore_preamble();
    if next.is_none() {
        let predefined = predefined_file(preprocessor.files, compiler);
        preprocessor.define_builtins(compiler, Span::new(predefined, 0, 0));
        preprocessor.whole_file(predefined, 0);
        for forced in &compiler.forced {
            preprocessor.forced_file(forced);
        }
        preprocessor.store_preamble();
    }
    preprocessor.whole_file(main, next.unwrap_or(0));
    preprocessor.out
}

/// The name of the file that compilers give to their predefined macros.
const PREDEFINED: &str = "<built-in>";

fn predefined_file(files: &mut Files, compiler: &Compiler) -> FileId {
    let same = |&id: &FileId| {
        let file = files.get(id);
        file.path == Path::new(PREDEFINED) && file.bytes == compiler.predefined
    };
    let existing = files.ids().find(same);
    existing.unwrap_or_else(|| files.add(PREDEFINED, compiler.predefined.clone()))
}

impl Preprocessor<'_> {
    /// Reads a file, from a token on, and all files that it includes into the output.
    fn whole_file(&mut self, file: FileId, at: usize) {
        self.enter(file, 0, None);
        self.buffer.at = at;
        loop {
            if self.contexts.is_empty() {
                self.plain_tokens();
            }
            let lexeme = self.next();
            match lexeme.kind {
                Kind::Padding => {}
                Kind::End => break,
                Kind::Identifier if lexeme.name == words::PRAGMA_OPERATOR => {
                    self.pragma_operator(lexeme);
                }
                _ => {
                    if lexeme.kind == Kind::Stray {
                        self.report_stray(lexeme);
                    }
                    let token = self.token(lexeme);
                    self.out.tokens.push(token);
                }
            }
        }
    }

    /// Passes on tokens that are neither part of a macro nor of a directive. Most tokens of a unit are such
    /// tokens, so they have this fast path.
    fn plain_tokens(&mut self) {
        let lexed = self.buffer.lexed.clone();
        let file = self.buffer.file;
        while let Some(&piece) = lexed.tokens.get(self.buffer.at) {
            let (kind, text) = match piece.kind {
                lexer::HASH if piece.has(Piece::FIRST) => return,
                PieceKind::Punctuator(index) => (TokenKind::Punctuator, lexer::punctuator(index)),
                PieceKind::Identifier => {
                    let name = self.name(piece);
                    if self.macros.find(name).is_some() || name == words::PRAGMA_OPERATOR {
                        return;
                    }
                    (self.word_kind(name), name)
                }
                PieceKind::Newline => {
                    self.buffer.at += 1;
                    continue;
                }
                _ => return,
            };
            self.buffer.at += 1;
            let span = Span { file, start: piece.start, end: piece.end };
            self.out.tokens.push(Token { kind, text, origin: Origin { span, expansion: None } });
        }
    }

    fn word_kind(&self, name: Name) -> TokenKind {
        match self.keywords.get(name.0 as usize) {
            Some(true) => TokenKind::Keyword,
            _ => TokenKind::Identifier,
        }
    }

    /// A file of `-include` or `-imacros`.
    fn forced_file(&mut self, forced: &Forced) {
        // The compiler searches the working directory, not that of the main file.
        let request = HeaderRequest { name: &forced.path, including_directory: Some(Path::new("")), from: 0 };
        let Ok(Some(found)) = self.headers.find(self.files, self.cache, request) else {
            let text = format!("the header `{}` is not found", forced.path.display());
            self.report(
                Diagnostic::placeless(codes::MISSING_INCLUDE, text)
                    .note("a compiler option includes it: `-include` or `-imacros`"),
            );
            return;
        };
        let (tokens, pragmas) = (self.out.tokens.len(), self.out.pragmas.len());
        self.whole_file(found.file, 0);
        if forced.macros_only {
            self.out.tokens.truncate(tokens);
            self.out.pragmas.truncate(pragmas);
        }
    }

    /// The token that the parser reads.
    fn token(&mut self, lexeme: Lexeme) -> Token {
        let expansion = self.expansion.filter(|_| lexeme.has(Lexeme::EXPANDED));
        let origin = Origin { span: lexeme.span, expansion };
        let kind = match lexeme.kind {
            Kind::Identifier => self.word_kind(lexeme.name),
            Kind::Number if number::is_float(self.text(lexeme.name)) => TokenKind::Float,
            Kind::Number => TokenKind::Integer,
            Kind::Character => TokenKind::Character,
            Kind::String | Kind::Header => TokenKind::String,
            Kind::Punctuator => TokenKind::Punctuator,
            // It is allowed in a pragma. Elsewhere the parser reports it.
            _ => TokenKind::Punctuator,
        };
        Token { kind, text: lexeme.name, origin }
    }

    fn report_stray(&mut self, lexeme: Lexeme) {
        let text = self.text(lexeme.name).to_owned();
        let diagnostic = match text.as_bytes().first() {
            Some(b'"') => {
                let message = "the string does not end on its line";
                Diagnostic::error(codes::OPEN_LITERAL, lexeme.span, message).help("close it with `\"`")
            }
            Some(b'\'') => {
                let message = "the character does not end on its line";
                Diagnostic::error(codes::OPEN_LITERAL, lexeme.span, message).help("close it with `'`")
            }
            _ => {
                let message = format!("`{}` is not a token of C", text.escape_debug());
                Diagnostic::error(codes::STRAY_CHARACTER, lexeme.span, message)
            }
        };
        self.report(diagnostic);
    }
}
