//! Preprocessing tokens and the trivia between them.
//!
//! Input: the bytes of a file.
//! Output: pieces in text order, each with the bytes that spell it.
//! Postcondition: the pieces are adjacent and cover the whole file. Bytes without meaning in C are pieces
//! too.

pub mod identifier;
mod raw;

use logos::Logos;

use identifier::{identifier_character, may_stand_in_identifier};
use raw::Raw;

use super::language::Language;
use super::logical::{Cursor, Logical, Run};
use super::token::Name;

/// A preprocessing token or a range of trivia.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub kind: PieceKind,
    pub flags: u8,
    /// The bytes `start..end` of the file.
    pub start: u32,
    pub end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// Blanks, a comment, or a splice between two tokens.
    Space,
    Newline,
    Identifier,
    Number,
    Character,
    String,
    /// `<stdio.h>` or `"a.h"` where the name of a header is expected.
    Header,
    /// Its index in `PUNCTUATORS`.
    Punctuator(u8),
    /// A byte or character that is not part of C, or a quote without a closing quote.
    Stray,
}

impl Piece {
    /// Blanks, a comment or a line end precede it.
    pub const SPACED: u8 = 1;
    /// It is the first token of its line.
    pub const FIRST: u8 = 2;
    /// It contains splices or trigraphs. `clean` or `clean_raw` returns its spelling.
    pub const CUT: u8 = 4;
    /// An identifier with universal character names, which are equal to the characters that they name.
    pub const ESCAPED: u8 = 8;
    /// A punctuator in its alternative spelling, such as `<:`.
    pub const DIGRAPH: u8 = 16;
    /// A comment that is ended by the end of the file.
    pub const OPEN: u8 = 32;
    /// A raw string, in which a splice is part of the text.
    pub const RAW: u8 = 64;

    pub fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The spelling of a token that contains splices and trigraphs.
pub fn clean(bytes: &[u8], language: Language) -> Vec<u8> {
    Logical::new(bytes, language.trigraphs).text.into_owned()
}

/// The spelling of a raw string, which keeps splices and trigraphs between its quotes.
pub fn clean_raw(bytes: &[u8], language: Language) -> Vec<u8> {
    let quote = memchr::memchr(b'"', bytes).unwrap_or(bytes.len());
    [&clean(&bytes[..quote], language), &bytes[quote..]].concat()
}

/// The punctuators. They are the first names of every unit, in this order.
pub const PUNCTUATORS: [&str; 48] = [
    "[", "]", "(", ")", "{", "}", ".", "->", "++", "--", "&", "*", "+", "-", "~", "!", "/", "%", "<<", ">>",
    "<", ">", "<=", ">=", "==", "!=", "^", "|", "&&", "||", "?", ":", ";", "...", "=", "*=", "/=", "%=",
    "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ",", "#", "##",
];

/// The name of a punctuator with this index.
pub const fn punctuator(index: u8) -> Name {
    Name(index as u32)
}

/// The tokens of a file without trivia. Each line that has tokens ends with a `Newline`.
#[derive(Debug, Default)]
pub struct Lexed {
    pub tokens: Vec<Piece>,
    /// The indices in `tokens` of the lines whose first token is `#`.
    pub directives: Vec<u32>,
    /// The comment that is ended by the end of the file.
    pub open_comment: Option<Piece>,
}

/// Lexes a file for preprocessing.
pub fn lex(bytes: &[u8], language: Language) -> Lexed {
    let logical = Logical::new(bytes, language.trigraphs);
    let mut lexed = Lexed { tokens: Vec::with_capacity(bytes.len() / 8), ..Lexed::default() };
    let mut line_is_empty = true;
    for piece in Pieces::new(bytes, &logical, language) {
        match piece.kind {
            PieceKind::Space if piece.has(Piece::OPEN) => lexed.open_comment = Some(piece),
            PieceKind::Space => continue,
            PieceKind::Newline if line_is_empty => continue,
            PieceKind::Newline => line_is_empty = true,
            _ => {
                line_is_empty = false;
                if piece.has(Piece::FIRST) && piece.kind == HASH {
                    lexed.directives.push(lexed.tokens.len() as u32);
                }
            }
        }
        lexed.tokens.push(piece);
    }
    if !line_is_empty {
        let end = bytes.len() as u32;
        lexed.tokens.push(Piece { kind: PieceKind::Newline, flags: 0, start: end, end });
    }
    lexed
}

/// All pieces of a file, including trivia.
pub fn pieces(bytes: &[u8], language: Language) -> Vec<Piece> {
    let logical = Logical::new(bytes, language.trigraphs);
    Pieces::new(bytes, &logical, language).collect()
}

/// The token that the bytes spell, if they spell exactly one token.
pub fn single(bytes: &[u8], language: Language) -> Option<Piece> {
    let logical = Logical::plain(bytes);
    let mut pieces = Pieces::new(bytes, &logical, language);
    let piece = pieces.next()?;
    let trivia = matches!(piece.kind, PieceKind::Space | PieceKind::Newline);
    (!trivia && piece.end as usize == bytes.len()).then_some(piece)
}

/// U+FEFF in UTF-8. Compilers skip it at the start of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub const HASH: PieceKind = PieceKind::Punctuator(Raw::Hash as u8);
pub const LEFT_PAREN: PieceKind = PieceKind::Punctuator(Raw::LeftParen as u8);

/// Lexes the logical text and assigns each token its range in the file.
struct Pieces<'a> {
    bytes: &'a [u8],
    logical: &'a Logical<'a>,
    language: Language,
    raw: logos::Lexer<'a, Raw>,
    /// The logical offset at which `raw` started.
    base: usize,
    cursor: Cursor,
    run: Run,
    /// The pieces so far cover the file up to this offset.
    covered: usize,
    /// A token that is returned after the splice before it.
    held: Option<Piece>,
    spaced: bool,
    first: bool,
    line: Line,
}

/// The state of the current line, as far as lexing depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Text,
    /// After the `#` that begins a directive.
    Directive,
    /// After `#include`.
    Header,
    /// In a `#if`.
    Condition,
    /// After `__has_include` in a `#if`.
    HasInclude,
    /// After the parenthesis of `__has_include`.
    HasIncludeHeader,
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if let Some(held) = self.held.take() {
            return Some(held);
        }
        let Some(piece) = self.lex() else { return self.rest() };
        self.note(piece);
        let covered = std::mem::replace(&mut self.covered, piece.end as usize);
        if covered < piece.start as usize {
            self.held = Some(piece);
            return Some(space(covered, piece.start as usize));
        }
        Some(piece)
    }
}

impl<'a> Pieces<'a> {
    fn new(bytes: &'a [u8], logical: &'a Logical<'a>, language: Language) -> Pieces<'a> {
        Pieces {
            bytes,
            logical,
            language,
            raw: Raw::lexer(&logical.text),
            base: 0,
            cursor: Cursor::default(),
            run: logical.run(0),
            covered: 0,
            held: None,
            spaced: false,
            first: true,
            line: Line::Text,
        }
    }

    /// The splices at the end of the file, after the last logical byte.
    fn rest(&mut self) -> Option<Piece> {
        let covered = std::mem::replace(&mut self.covered, self.bytes.len());
        (covered < self.bytes.len()).then(|| space(covered, self.bytes.len()))
    }

    fn lex(&mut self) -> Option<Piece> {
        if self.offset() == 0 && self.logical.text.starts_with(BYTE_ORDER_MARK) {
            self.jump(BYTE_ORDER_MARK.len());
            return Some(self.piece(PieceKind::Space, 0, BYTE_ORDER_MARK.len()));
        }
        if matches!(self.line, Line::Header | Line::HasIncludeHeader) {
            if let Some(header) = self.header() {
                return Some(header);
            }
        }
        let raw = self.raw.next()?;
        let span = self.raw.span();
        let (start, end) = (self.base + span.start, self.base + span.end);
        let piece = match raw {
            Ok(raw) if raw as u8 <= Raw::HashHash as u8 => {
                self.piece(PieceKind::Punctuator(raw as u8), start, end)
            }
            Ok(Raw::Identifier) => self.identifier(start, end),
            Ok(Raw::Blanks) => self.piece(PieceKind::Space, start, end),
            Ok(Raw::Newline) => self.piece(PieceKind::Newline, start, end),
            Ok(Raw::Number) => self.number(start, end),
            Ok(Raw::String) => self.quoted(PieceKind::String, start, end),
            Ok(Raw::Character) => self.quoted(PieceKind::Character, start, end),
            Ok(Raw::LineComment) => self.rest_of_line(PieceKind::Space, start),
            Ok(Raw::BlockComment) => self.block_comment(start),
            Ok(Raw::Extended) => self.extended(start, end),
            Ok(Raw::Quote) => self.rest_of_line(PieceKind::Stray, start),
            Ok(digraph) => {
                let piece = self.piece(PieceKind::Punctuator(digraph.plain() as u8), start, end);
                Piece { flags: piece.flags | Piece::DIGRAPH, ..piece }
            }
            Err(()) => self.piece(PieceKind::Stray, start, end),
        };
        Some(piece)
    }

    fn offset(&self) -> usize {
        self.base + self.raw.span().end
    }

    /// Continues lexing at another logical offset.
    fn jump(&mut self, to: usize) {
        self.base = to;
        self.raw = Raw::lexer(&self.logical.text[to..]);
    }

    fn piece(&mut self, kind: PieceKind, start: usize, end: usize) -> Piece {
        if end <= self.run.until {
            let (from, to) = (start + self.run.shift, end + self.run.shift);
            let piece = Piece { kind, flags: 0, start: from as u32, end: to as u32 };
            return piece.with(self.spaced, self.first);
        }
        self.run = self.logical.run(end);
        let (from, to) =
            (self.logical.start(&mut self.cursor, start), self.logical.end(&mut self.cursor, end));
        let flags = if to - from != end - start { Piece::CUT } else { 0 };
        Piece { kind, flags, start: from as u32, end: to as u32 }.with(self.spaced, self.first)
    }

    /// Updates the state of the line for the next piece.
    fn note(&mut self, piece: Piece) {
        match piece.kind {
            PieceKind::Space => {
                self.spaced = true;
                return;
            }
            PieceKind::Newline => {
                self.spaced = true;
                self.first = true;
                self.line = Line::Text;
                return;
            }
            _ => self.spaced = false,
        }
        let first = std::mem::replace(&mut self.first, false);
        if self.line == Line::Text && !(first && piece.kind == HASH) {
            return;
        }
        self.line = self.line_after(piece);
    }

    fn line_after(&self, piece: Piece) -> Line {
        let cleaned;
        let mut text = &self.bytes[piece.range()];
        if piece.has(Piece::CUT) {
            cleaned = clean(text, self.language);
            text = &cleaned;
        }
        match self.line {
            Line::Text => Line::Directive,
            Line::Directive => match text {
                b"include" | b"include_next" | b"import" | b"embed" => Line::Header,
                b"if" | b"elif" => Line::Condition,
                _ => Line::Text,
            },
            Line::Header => Line::Text,
            Line::Condition => match text {
                b"__has_include" | b"__has_include_next" | b"__has_embed" => Line::HasInclude,
                _ => Line::Condition,
            },
            Line::HasInclude if piece.kind == LEFT_PAREN => Line::HasIncludeHeader,
            Line::HasInclude | Line::HasIncludeHeader => Line::Condition,
        }
    }

    /// A header name `<…>` or `"…"`, which has no escapes, if one is here and ends on this line.
    fn header(&mut self) -> Option<Piece> {
        let rest = self.raw.remainder();
        let close = match rest.first()? {
            b'<' => b'>',
            b'"' => b'"',
            _ => return None,
        };
        let length = memchr::memchr2(close, b'\n', &rest[1..])? + 2;
        if rest[length - 1] != close {
            return None;
        }
        let start = self.offset();
        self.jump(start + length);
        Some(self.piece(PieceKind::Header, start, start + length))
    }

    fn rest_of_line(&mut self, kind: PieceKind, start: usize) -> Piece {
        let rest = self.raw.remainder();
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let length = length - usize::from(rest[..length].ends_with(b"\r"));
        self.raw.bump(length);
        self.piece(kind, start, self.offset())
    }

    fn block_comment(&mut self, start: usize) -> Piece {
        match memchr::memmem::find(self.raw.remainder(), b"*/") {
            Some(length) => {
                self.raw.bump(length + 2);
                self.piece(PieceKind::Space, start, self.offset())
            }
            None => {
                self.raw.bump(self.raw.remainder().len());
                let piece = self.piece(PieceKind::Space, start, self.offset());
                Piece { flags: piece.flags | Piece::OPEN, ..piece }
            }
        }
    }

    /// An identifier, or a raw string if the identifier is its prefix.
    fn identifier(&mut self, start: usize, end: usize) -> Piece {
        let piece = self.piece(PieceKind::Identifier, start, end);
        let text = &self.logical.text;
        let quote = text[end - 1] == b'R' && text.get(end) == Some(&b'"');
        if !quote || !self.language.raw_strings() {
            return piece;
        }
        if !matches!(&text[start..end], b"R" | b"LR" | b"uR" | b"UR" | b"u8R") {
            return piece;
        }
        // Splices are part of a raw string, so its end is searched in the file itself.
        let open = self.logical.start(&mut self.cursor, end);
        let Some(length) = raw_string(&self.bytes[open..]) else { return piece };
        let stop = open + length;
        self.jump(self.logical.logical_of(stop));
        let cut = if open - piece.start as usize == end - start { 0 } else { Piece::CUT };
        let flags = piece.flags & !Piece::CUT | Piece::RAW | cut;
        Piece { kind: PieceKind::String, flags, end: stop as u32, ..piece }
    }

    /// A number. In C23 a quote between two digits belongs to it.
    fn number(&mut self, start: usize, end: usize) -> Piece {
        let mut end = end;
        if self.language.c2x() {
            let text = &self.logical.text;
            while text.get(end) == Some(&b'\'') {
                let more = text[end + 1..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
                match more.count() {
                    0 => break,
                    count => end += 1 + count,
                }
                let signed = matches!(text[end - 1], b'e' | b'E' | b'p' | b'P')
                    && matches!(text.get(end), Some(b'+' | b'-'));
                end += usize::from(signed);
            }
            if end != self.offset() {
                self.jump(end);
            }
        }
        self.piece(PieceKind::Number, start, end)
    }

    /// A literal, or only its prefix if the language treats the prefix as an identifier.
    fn quoted(&mut self, kind: PieceKind, start: usize, end: usize) -> Piece {
        let text = &self.logical.text[start..end];
        let separate = match text {
            [b'u', b'8', b'\'', ..] if !self.language.c2x() => 2,
            [b'u', b'8', ..] if !self.language.unicode_literals() => 2,
            [b'u' | b'U', ..] if !self.language.unicode_literals() => 1,
            _ => return self.piece(kind, start, end),
        };
        self.jump(start + separate);
        self.piece(PieceKind::Identifier, start, start + separate)
    }

    /// An identifier with characters beyond ASCII, up to the first character that is not allowed in one.
    fn extended(&mut self, start: usize, end: usize) -> Piece {
        let logical = self.logical;
        let text = &logical.text[start..end];
        let mut at = 0;
        while let Some((character, length)) = identifier_character(&text[at..]) {
            if !may_stand_in_identifier(character, at == 0) {
                break;
            }
            at += length;
        }
        if at < text.len() {
            // At the start of the identifier: the character or byte is a token of its own.
            let stray = at == 0;
            if stray {
                at = identifier_character(text).map_or(1, |(_, length)| length);
            }
            self.jump(start + at);
            if stray {
                return self.piece(PieceKind::Stray, start, start + at);
            }
        }
        let piece = self.piece(PieceKind::Identifier, start, start + at);
        let escaped = if text[..at].contains(&b'\\') { Piece::ESCAPED } else { 0 };
        Piece { flags: piece.flags | escaped, ..piece }
    }
}

impl Piece {
    fn with(mut self, spaced: bool, first: bool) -> Piece {
        self.flags |= if spaced { Piece::SPACED } else { 0 };
        self.flags |= if first { Piece::FIRST } else { 0 };
        self
    }
}

fn space(start: usize, end: usize) -> Piece {
    Piece { kind: PieceKind::Space, flags: 0, start: start as u32, end: end as u32 }
}

/// The length of `"delimiter(…)delimiter"`, in bytes.
fn raw_string(text: &[u8]) -> Option<usize> {
    let open = memchr::memchr(b'(', text)?;
    let delimiter = &text[1..open];
    let foreign = |byte: &u8| matches!(byte, b' ' | b')' | b'\\' | b'\t' | b'\n' | b'\r' | b'"');
    if delimiter.len() > 16 || delimiter.iter().any(foreign) {
        return None;
    }
    let close = [b")", delimiter, b"\""].concat();
    memchr::memmem::find(&text[open..], &close).map(|at| open + at + close.len())
}
