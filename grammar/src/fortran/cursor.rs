//! A position among the tokens of a statement, and the reading of keywords from it.
//!
//! Input: the tokens of a line.
//! Output: words split at the keywords with which they begin.
//! Postcondition: in fixed form any text may follow a keyword (`CALLFOO`, `DO10I`). In free form only text
//! that cannot be part of a name, or a number (`GOTO10`), may follow it.

use super::lexer::Lexed;
use super::logical::{At, Form, LineId, LogicalLine};
use super::token::{Number, Shape, Token};
use super::tree::{LabelUse, Name};

/// A cursor is cheap to copy. A copy marks a position to return to.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'l> {
    pub lexed: &'l Lexed,
    pub line: LineId,
    pub fixed: bool,
    text: &'l [u8],
    /// The current token, and the offset in the condensed text if its beginning has been read.
    index: u32,
    cut: u32,
    end: u32,
}

impl<'l> Cursor<'l> {
    /// A cursor at the first token of a line, with which `lexed` has been filled.
    pub fn new(lexed: &'l Lexed, line: &'l LogicalLine, id: LineId) -> Cursor<'l> {
        let fixed = matches!(line.form, Form::Fixed { .. });
        let end = lexed.tokens.len() as u32;
        Cursor { lexed, line: id, fixed, text: &line.text, index: 0, cut: 0, end }
    }

    pub fn is_done(self) -> bool {
        self.index >= self.end
    }

    /// The current token, or the rest of it if its beginning has been read.
    pub fn peek(self) -> Option<Token> {
        if self.is_done() {
            return None;
        }
        let mut token = *self.lexed.tokens.get(self.index as usize)?;
        if self.cut > token.start {
            token.start = self.cut;
            token.from = self.lexed.condensed.origin(self.cut);
            let digits = self.text_of(token).bytes().all(|byte| byte.is_ascii_digit());
            if token.shape == Shape::Word && digits {
                token.shape = Shape::Number(Number::Integer);
            }
        }
        Some(token)
    }

    /// The token after the last one, if the cursor has only a part of the statement.
    pub fn behind(self) -> Option<Token> {
        self.lexed.tokens.get(self.end as usize).copied()
    }

    pub fn shape(self) -> Option<Shape> {
        self.peek().map(|token| token.shape)
    }

    pub fn advance(&mut self) {
        self.index = (self.index + 1).min(self.end);
        self.cut = 0;
    }

    /// Reads a token of this shape.
    pub fn eat(&mut self, shape: Shape) -> bool {
        let found = self.shape() == Some(shape);
        if found {
            self.advance();
        }
        found
    }

    pub fn text_of(self, token: Token) -> &'l str {
        self.lexed.text(token)
    }

    /// The text of the current word.
    pub fn word(self) -> Option<&'l str> {
        let token = self.peek().filter(|token| token.shape == Shape::Word)?;
        Some(self.text_of(token))
    }

    /// The current offset in the line.
    pub fn place(self) -> u32 {
        match self.peek() {
            Some(token) => token.from,
            None => self.lexed.tokens[..self.end as usize].last().map_or(0, |last| last.to),
        }
    }

    /// The range from the current token to the end.
    pub fn at(self) -> At {
        let end = self.lexed.tokens[..self.end as usize].last().map_or(0, |last| last.to);
        At { line: self.line, start: self.place().min(end), end }
    }

    pub fn at_of(self, token: Token) -> At {
        At { line: self.line, start: token.from, end: token.to }
    }

    /// Reads a keyword that may be written as one or several words.
    pub fn take(&mut self, parts: &[&str]) -> bool {
        let mut next = *self;
        for (number, part) in parts.iter().enumerate() {
            let Some(token) = next.peek().filter(|token| token.shape == Shape::Word) else {
                return false;
            };
            let text = next.text_of(token);
            let Some(rest) = text.strip_prefix(part) else { return false };
            let more = number + 1 < parts.len();
            if rest.is_empty() {
                next.advance();
            } else if more || next.fixed || rest.as_bytes()[0].is_ascii_digit() {
                next.cut = token.start + part.len() as u32;
            } else {
                return false;
            }
        }
        *self = next;
        true
    }

    /// Reads a word that is delimited by punctuation or blanks.
    pub fn take_whole(&mut self, word: &str) -> bool {
        let found = self.word() == Some(word);
        if found {
            self.advance();
        }
        found
    }

    pub fn take_name(&mut self) -> Option<Name> {
        let token = self.peek().filter(|token| token.shape == Shape::Word)?;
        let text = self.text_of(token);
        if text.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        self.advance();
        Some(Name { text: text.to_owned(), at: self.at_of(token) })
    }

    /// Reads a label: digits, even if a name follows them (`DO10I`).
    pub fn take_label(&mut self) -> Option<LabelUse> {
        let token = self.peek()?;
        let text = self.text_of(token);
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let value = text[..digits].parse().ok().filter(|&value| value <= 99_999)?;
        let at = self.at_of(token);
        if digits == text.len() {
            self.advance();
            return Some(LabelUse { value, at });
        }
        if token.shape != Shape::Word {
            return None;
        }
        self.cut = token.start + digits as u32;
        let end = self.lexed.condensed.origin(self.cut - 1) + 1;
        Some(LabelUse { value, at: At { end, ..at } })
    }

    /// Returns the content of the brackets at the current position, and moves after them.
    pub fn take_brackets(&mut self) -> Option<Cursor<'l>> {
        let token = self.peek()?;
        if !matches!(token.shape, Shape::Open | Shape::OpenBracket | Shape::OpenConstructor) {
            return None;
        }
        if token.link <= self.index || token.link >= self.end {
            return None;
        }
        let inside = Cursor { index: self.index + 1, cut: 0, end: token.link, ..*self };
        self.index = token.link + 1;
        self.cut = 0;
        Some(inside)
    }

    /// The part before a later position.
    pub fn until(self, later: Cursor<'l>) -> Cursor<'l> {
        Cursor { end: later.index, ..self }
    }

    /// The range of the line up to a later position, which may be inside the same word.
    pub fn at_until(self, later: Cursor<'l>) -> At {
        let end = if later.cut > 0 {
            self.lexed.condensed.origin(later.cut - 1) + 1
        } else {
            let before = (later.index as usize).checked_sub(1);
            before.and_then(|before| self.lexed.tokens.get(before)).map_or(0, |token| token.to)
        };
        let start = self.place();
        At { line: self.line, start, end: end.max(start) }
    }

    /// The content of the current character constant, as written.
    pub fn literal(self) -> Option<String> {
        let token = self.peek().filter(|token| matches!(token.shape, Shape::Characters(_)))?;
        let text = self.text.get(token.from as usize..token.to as usize)?;
        let quote = text.iter().position(|byte| matches!(byte, b'\'' | b'"'))?;
        let inside = text.get(quote + 1..text.len().checked_sub(1)?)?;
        Some(String::from_utf8_lossy(inside).into_owned())
    }

    /// Skips tokens, and brackets as a whole, up to a token of this shape.
    pub fn skip_to(&mut self, shape: Shape) -> bool {
        while let Some(found) = self.shape() {
            if found == shape {
                return true;
            }
            self.skip();
        }
        false
    }

    /// Skips one token, or a pair of brackets with its content.
    pub fn skip(&mut self) {
        if self.take_brackets().is_none() {
            self.advance();
        }
    }
}
