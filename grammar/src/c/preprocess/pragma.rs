//! `#pragma` and `_Pragma`.
//!
//! Input: the line, or the string.
//! Output: an entry in the unit's list. Pragmas that affect preprocessing are executed.

use cppc_source::{Diagnostic, Origin, Span};

use super::lexeme::{Kind, Lexeme};
use super::state::Preprocessor;
use super::{codes, words};
use crate::c::lexer::{self, Piece, PieceKind};
use crate::c::token::{spell_bytes, Pragma, Token};

impl Preprocessor<'_> {
    /// `rest` contains the tokens after `pragma`, `span` is the line without its end.
    pub fn pragma(&mut self, rest: &[Piece], span: Span) {
        let lexemes: Vec<Lexeme> = rest.iter().map(|&piece| self.lexeme(piece)).collect();
        let origin = Origin { span, expansion: None };
        self.record(&lexemes, span, origin, false);
    }

    fn record(&mut self, lexemes: &[Lexeme], span: Span, origin: Origin, operator: bool) {
        self.execute_pragma(lexemes);
        let before = self.out.tokens.len() as u32;
        let tokens: Vec<Token> = lexemes.iter().map(|&lexeme| self.token(lexeme)).collect();
        let outer = self.expansion;
        let standard = lexemes.first().is_some_and(|first| first.is_word(words::STDC));
        let expanded = if standard { tokens.clone() } else { self.expanded(lexemes) };
        self.expansion = outer;
        self.out.pragmas.push(Pragma { span, origin, operator, tokens, expanded, before });
    }

    fn expanded(&mut self, lexemes: &[Lexeme]) -> Vec<Token> {
        let depth = self.contexts.len();
        let start = self.pending.len();
        self.pending.extend_from_slice(lexemes);
        self.push_barrier(start, self.buffer.last_read());
        let mut tokens = Vec::with_capacity(lexemes.len());
        loop {
            let lexeme = self.next_solid();
            if lexeme.kind == Kind::End {
                break;
            }
            tokens.push(self.token(lexeme));
        }
        self.close_contexts(depth);
        tokens
    }

    /// Executes a pragma that affects preprocessing.
    fn execute_pragma(&mut self, lexemes: &[Lexeme]) {
        match lexemes {
            [once, ..] if once.is_word(words::ONCE) => {
                self.headers.read.set_once(self.files, self.buffer.file);
            }
            [word, open, text, close, ..]
                if open.is(words::LEFT_PAREN)
                    && close.is(words::RIGHT_PAREN)
                    && text.kind == Kind::String =>
            {
                let name = self.text(text.name).trim_matches('"').trim().to_owned();
                let name = self.out.names.intern(&name);
                if word.is_word(words::PUSH_MACRO) {
                    self.macros.push(name);
                } else if word.is_word(words::POP_MACRO) {
                    self.macros.pop(name);
                }
            }
            _ => {}
        }
    }

    /// `_Pragma("…")`. The name has been read.
    pub fn pragma_operator(&mut self, name: Lexeme) {
        let (open, text, close) = match self.parenthesis_follows() {
            true => (self.next_solid(), self.next_solid(), self.next_solid()),
            false => (name, name, name),
        };
        if text.kind != Kind::String || !close.is(words::RIGHT_PAREN) {
            let diagnostic = Diagnostic::error(codes::BAD_PRAGMA, name.span, "`_Pragma` needs one string");
            self.report(diagnostic.help("write `_Pragma(\"…\")`"));
            return;
        }
        let span = match name.span.file == close.span.file && name.span.start <= close.span.end {
            true => name.span.to(close.span),
            false => name.span,
        };
        let expansion = (name.flags | open.flags | text.flags | close.flags) & Lexeme::EXPANDED != 0;
        let expansion = self.expansion.filter(|_| expansion);
        let lexemes = self.destringize(text);
        self.record(&lexemes, span, Origin { span, expansion }, true);
    }

    /// The tokens in a string literal.
    fn destringize(&mut self, literal: Lexeme) -> Vec<Lexeme> {
        let spelling = spell_bytes(self.text(literal.name));
        let inner = inner_text(&spelling);
        let mut text = Vec::with_capacity(inner.len());
        let mut bytes = inner.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            let escaped = byte == b'\\' && matches!(bytes.peek(), Some(b'"' | b'\\'));
            text.push(if escaped { bytes.next().unwrap_or(byte) } else { byte });
        }
        // If the literal is in the file without escapes, each of its tokens has a span of its own.
        let in_place = text == inner && self.files.text(literal.span) == spelling;
        let offset = literal.span.start + spelling.iter().position(|&b| b == b'"').unwrap_or(0) as u32;
        let lexed = lexer::lex(&text, self.language);
        let tokens = lexed.tokens.iter().filter(|piece| piece.kind != PieceKind::Newline);
        tokens
            .map(|&piece| {
                let name = match piece.kind {
                    PieceKind::Punctuator(index) => lexer::punctuator(index),
                    _ => self.out.names.intern_bytes(&text[piece.range()]),
                };
                let lexeme = Lexeme::new(piece, name, literal.span.file).without(Lexeme::ODD);
                let mut span = literal.span;
                if in_place {
                    span.start = offset + 1 + piece.start;
                    span.end = offset + 1 + piece.end;
                }
                Lexeme { span, ..lexeme }.with(literal.flags & Lexeme::EXPANDED)
            })
            .collect()
    }
}

/// The text between the quotes.
fn inner_text(literal: &[u8]) -> &[u8] {
    let open = literal.iter().position(|&byte| byte == b'"').map_or(0, |at| at + 1);
    let close = literal.iter().rposition(|&byte| byte == b'"').unwrap_or(open);
    literal.get(open..close).unwrap_or_default()
}
