//! Preprocessing: conditionals resolved, headers read, macros expanded.
//!
//! In: a file, the files it includes, and what the compiler predefines. Out: the tokens that the
//! compiler proper sees, each with its origin; pragmas; diagnostics. Holds afterwards: the tokens
//! are those of `cc -E` under the same flags, and a token without an expansion stands in its file
//! as it was lexed.

mod codes;
mod words;
mod lexeme;
mod flags;
mod questions;
mod told;
mod cache;
mod compiler;
mod macros;
mod headers;
mod state;
mod define;
mod substitute;
mod builtin;
mod expand;
mod number;
mod expression;
mod condition;
mod include;
mod pragma;
mod directive;
mod reader;

pub use cache::ProbeCache;
pub use compiler::{Compiler, ProbeError};
pub use flags::Forced;

use std::path::Path;

use cppc_source::{Diagnostic, FileId, Files, Origin, Span};

use headers::Wanted;
use lexeme::{Kind, Lexeme};
use state::Preprocessor;

use super::lexer::{self, Piece, PieceKind};
use super::token::{Name, Preprocessed, Token, TokenKind};

/// Preprocesses a file as the compiler would. Headers are added to the files.
pub fn preprocess(files: &mut Files, main: FileId, compiler: &Compiler) -> Preprocessed {
    let predefined = predefined_file(files, compiler);
    let mut preprocessor = Preprocessor::new(files, main, compiler);
    preprocessor.define_builtins(compiler, Span::new(predefined, 0, 0));
    preprocessor.whole_file(predefined);
    for forced in &compiler.forced {
        preprocessor.forced_file(forced);
    }
    preprocessor.whole_file(main);
    preprocessor.out
}

/// The name that compilers give to what they predefine.
const PREDEFINED: &str = "<built-in>";

fn predefined_file(files: &mut Files, compiler: &Compiler) -> FileId {
    let same = |&id: &FileId| {
        let file = files.get(id);
        file.path == Path::new(PREDEFINED) && file.bytes == compiler.predefined
    };
    let known = files.ids().find(same);
    known.unwrap_or_else(|| files.add(PREDEFINED, compiler.predefined.clone()))
}

impl Preprocessor<'_> {
    /// Reads a file and all that it includes into the output.
    fn whole_file(&mut self, file: FileId) {
        self.enter(file, 0, None);
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

    /// Passes on what stands in the file and concerns no macro and no directive. Most of a unit is
    /// such, so it goes the short way.
    fn plain_tokens(&mut self) {
        let lexed = self.buffer.lexed.clone();
        let file = self.buffer.file;
        while let Some(&piece) = lexed.tokens.get(self.buffer.at) {
            let (kind, text) = match piece.kind {
                lexer::HASH if piece.has(Piece::FIRST) => return,
                PieceKind::Punctuator(index) => {
                    (TokenKind::Punctuator, lexer::punctuator(index))
                }
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
        // The compiler looks in the working directory, not in that of the main file.
        let wanted = Wanted { name: &forced.path, beside: Some(Path::new("")), from: 0 };
        let Ok(Some(found)) = self.headers.find(self.files, wanted) else {
            let text = format!("the header `{}` is not found", forced.path.display());
            self.report(Diagnostic::placeless(codes::MISSING_INCLUDE, text).note(
                "a flag of the compiler asks for it: `-include` or `-imacros`",
            ));
            return;
        };
        let (tokens, pragmas) = (self.out.tokens.len(), self.out.pragmas.len());
        self.whole_file(found.file);
        if forced.macros_only {
            self.out.tokens.truncate(tokens);
            self.out.pragmas.truncate(pragmas);
        }
    }

    /// The token that the parser sees.
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
            // Reported where it matters; in a pragma it may stand.
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
                let message = format!("`{}` means nothing in C", text.escape_debug());
                Diagnostic::error(codes::STRAY_CHARACTER, lexeme.span, message)
            }
        };
        self.report(diagnostic);
    }
}
