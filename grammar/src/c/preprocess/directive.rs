//! Executes preprocessing directives: `#` at the start of a line.
//!
//! Input: the line.
//! Output: changed macros, files and conditionals.
//! Postcondition: the next token of the file is the one after the line.

use cppc_source::{Diagnostic, Span};

use super::condition::line_length;
use super::lexeme::{Kind, Lexeme};
use super::state::Preprocessor;
use super::{codes, words};
use crate::c::lexer::{Piece, PieceKind};
use crate::c::token::Name;

impl Preprocessor<'_> {
    /// Executes the directive whose `#` is the next token of the file.
    pub fn directive(&mut self) {
        let lexed = self.buffer.lexed.clone();
        let start = self.buffer.at;
        let length = line_length(&lexed.tokens[start..]);
        self.buffer.at += length;
        // The line without its end.
        let line = &lexed.tokens[start..start + length.max(1) - 1];
        let [hash, word, rest @ ..] = line else { return };
        let span = Span { file: self.buffer.file, start: hash.start, end: word.end };
        match word.kind {
            PieceKind::Identifier => {
                let name = self.name(*word);
                let end = lexed.tokens[start + length - 1].start;
                let whole = Span { end: end.max(span.end), ..span };
                self.named_directive(name, rest, span, whole);
            }
            // `# 12 "file"`, a line marker as compilers write it.
            PieceKind::Number => self.line(&line[1..], span),
            _ => self.unknown(span),
        }
    }

    fn named_directive(&mut self, word: Name, rest: &[Piece], span: Span, whole: Span) {
        match word {
            words::DEFINE => self.define(rest, span),
            words::UNDEF => self.undefine(rest, span),
            words::INCLUDE | words::INCLUDE_NEXT | words::IMPORT => self.include(word, rest, span),
            words::IF | words::IFDEF | words::IFNDEF => self.open_conditional(word, rest, span),
            words::ELSE | words::ELIF | words::ELIFDEF | words::ELIFNDEF => {
                self.next_group(word, span);
            }
            words::ENDIF => self.close_conditional(span),
            words::PRAGMA => self.pragma(rest, whole),
            words::LINE => self.line(rest, span),
            words::ERROR => {
                let text = self.rest_of_line(rest);
                let message = format!("`#error` is reached: {text}");
                self.error(codes::ERROR_DIRECTIVE, whole, message);
            }
            words::WARNING => {
                let text = self.rest_of_line(rest);
                self.report(Diagnostic::warning(codes::WARNING_DIRECTIVE, whole, text));
            }
            words::IDENT | words::SCCS => {}
            words::ASSERT => self.assert(rest, span),
            words::UNASSERT => self.unassert(rest, span),
            words::EMBED => {
                let text = "`#embed` is not understood";
                let diagnostic = Diagnostic::error(codes::EMBED, span, text);
                self.report(diagnostic.help("write the bytes into a separate file and include it"));
            }
            _ => self.unknown(span),
        }
    }

    fn unknown(&mut self, span: Span) {
        let text = format!("`{}` is not a directive", self.files.text_lossy(span));
        self.error(codes::UNKNOWN_DIRECTIVE, span, text);
    }

    /// The text of the line as it is in the file.
    fn rest_of_line(&self, rest: &[Piece]) -> String {
        match (rest.first(), rest.last()) {
            (Some(first), Some(last)) => {
                let span = Span { file: self.buffer.file, start: first.start, end: last.end };
                self.files.text_lossy(span).into_owned()
            }
            _ => String::new(),
        }
    }

    /// `#line 12 "file"`
    fn line(&mut self, rest: &[Piece], span: Span) {
        let depth = self.push_line(rest);
        let (number, file) = (self.next_solid(), self.next_solid());
        self.close_contexts(depth);
        let digits = self.text(number.name);
        let value = match number.kind {
            Kind::Number if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse::<i64>().ok(),
            _ => None,
        };
        let Some(value) = value else {
            let diagnostic = Diagnostic::error(codes::BAD_DIRECTIVE, span, "expected a line number");
            self.report(diagnostic.help("write `#line 12` or `#line 12 \"file.c\"`"));
            return;
        };
        if file.kind == Kind::String || file.kind == Kind::Header {
            self.buffer.presumed_name = Some(self.text(file.name).trim_matches('"').to_owned());
        }
        // The number is that of the next line.
        let (line, _) = self.files.get(span.file).line_column(span.end);
        self.buffer.line_offset = value - i64::from(line) - 1;
    }

    /// `#assert machine(x)`, an extension that is older than the standard.
    fn assert(&mut self, rest: &[Piece], span: Span) {
        match self.assertion(rest) {
            Some((predicate, Some(answer))) => self.assertions.push((predicate, answer)),
            _ => self.error(codes::BAD_DIRECTIVE, span, "`#assert` needs a predicate and an answer"),
        }
    }

    fn unassert(&mut self, rest: &[Piece], span: Span) {
        match self.assertion(rest) {
            Some((predicate, answer)) => self.assertions.retain(|(name, text)| {
                *name != predicate || answer.as_ref().is_some_and(|answer| answer != text)
            }),
            None => self.error(codes::BAD_DIRECTIVE, span, "`#unassert` needs a predicate"),
        }
    }

    fn assertion(&mut self, rest: &[Piece]) -> Option<(Name, Option<String>)> {
        let lexemes: Vec<Lexeme> = rest.iter().map(|&piece| self.lexeme(piece)).collect();
        let (predicate, answer) = lexemes.split_first()?;
        if predicate.kind != Kind::Identifier {
            return None;
        }
        let answer = match answer {
            [] => None,
            [open, inner @ .., close] if open.is(words::LEFT_PAREN) && close.is(words::RIGHT_PAREN) => {
                let mut text = Vec::new();
                inner.iter().for_each(|&lexeme| self.spell(lexeme, &mut text));
                Some(String::from_utf8_lossy(&text).into_owned())
            }
            _ => return None,
        };
        Some((predicate.name, answer))
    }

    /// True if `#predicate(answer)` is asserted. Without an answer, true if any answer is.
    pub fn is_asserted(&mut self, predicate: Name, answer: Option<&str>) -> bool {
        let asserted = self
            .assertions
            .iter()
            .any(|(name, text)| *name == predicate && answer.is_none_or(|answer| answer == text));
        // The predefined assertions of gcc are equivalent to these macros.
        let tell = match (self.text(predicate), answer) {
            ("system", Some("linux")) => "__linux__",
            ("system", Some("unix" | "posix") | None) => "__unix__",
            ("cpu" | "machine", Some("x86_64")) => "__x86_64__",
            ("cpu" | "machine", Some("i386")) => "__i386__",
            _ => return asserted,
        };
        let tell = self.out.names.intern(tell);
        asserted || self.macros.find(tell).is_some()
    }
}
