//! A preprocessing token during macro expansion.

use cppc_source::{FileId, Span};

use super::words;
use crate::c::lexer::{Piece, PieceKind};
use crate::c::token::Name;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lexeme {
    pub kind: Kind,
    pub flags: u8,
    /// The spelling. For a parameter its number; for the start of `__VA_OPT__` the number of lexemes that it
    /// contains.
    pub name: Name,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Identifier,
    Number,
    Character,
    String,
    Header,
    Punctuator,
    Stray,
    /// In a macro's body: a parameter.
    Parameter,
    /// In a macro's body: `__VA_OPT__(`.
    OptionalStart,
    /// In a macro's body: the `)` that belongs to it.
    OptionalEnd,
    /// Marks where a macro or an argument starts and ends, because blanks there matter for `#`.
    Padding,
    /// An empty operand of `##`.
    Placemarker,
    /// The end of a line, of an argument, or of the unit.
    End,
}

impl Lexeme {
    /// Blanks, a comment or a line end precede it.
    pub const SPACED: u8 = Piece::SPACED;
    /// The name of a macro that is never expanded again.
    pub const PAINTED: u8 = 2;
    /// In a macro's body: `##` follows.
    pub const PASTED: u8 = 4;
    /// In a macro's body: `#` precedes it.
    pub const QUOTED: u8 = 8;
    /// Its spelling in the file differs from its name (a digraph, `\u00e9`). `#` uses the spelling.
    pub const ODD: u8 = 16;
    /// It was produced by a macro.
    pub const EXPANDED: u8 = 32;
    /// Padding that represents a token and has its blanks.
    pub const SOURCED: u8 = 64;

    pub fn new(piece: Piece, name: Name, file: FileId) -> Lexeme {
        let kind = match piece.kind {
            PieceKind::Identifier => Kind::Identifier,
            PieceKind::Number => Kind::Number,
            PieceKind::Character => Kind::Character,
            PieceKind::String => Kind::String,
            PieceKind::Header => Kind::Header,
            PieceKind::Punctuator(_) => Kind::Punctuator,
            PieceKind::Stray => Kind::Stray,
            PieceKind::Space | PieceKind::Newline => Kind::Padding,
        };
        let odd = piece.has(Piece::ESCAPED | Piece::DIGRAPH);
        let flags = piece.flags & Piece::SPACED | if odd { Lexeme::ODD } else { 0 };
        Lexeme { kind, flags, name, span: Span { file, start: piece.start, end: piece.end } }
    }

    pub fn end(span: Span) -> Lexeme {
        Lexeme { kind: Kind::End, flags: 0, name: Name(0), span }
    }

    /// Padding before or after an expansion.
    pub fn padding(span: Span) -> Lexeme {
        Lexeme { kind: Kind::Padding, flags: 0, name: Name(0), span }
    }

    /// Padding that has the blanks of a token which was removed.
    pub fn padding_for(source: Lexeme) -> Lexeme {
        let flags = source.flags & Lexeme::SPACED | Lexeme::SOURCED;
        Lexeme { kind: Kind::Padding, flags, name: Name(0), span: source.span }
    }

    pub fn placemarker(span: Span) -> Lexeme {
        Lexeme { kind: Kind::Placemarker, flags: 0, name: Name(0), span }
    }

    pub fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[must_use]
    pub fn with(self, flag: u8) -> Lexeme {
        Lexeme { flags: self.flags | flag, ..self }
    }

    #[must_use]
    pub fn without(self, flag: u8) -> Lexeme {
        Lexeme { flags: self.flags & !flag, ..self }
    }

    pub fn is(self, punctuator: Name) -> bool {
        self.kind == Kind::Punctuator && self.name == punctuator
    }

    pub fn is_word(self, word: Name) -> bool {
        self.kind == Kind::Identifier && self.name == word
    }

    pub fn is_hash(self) -> bool {
        self.is(words::HASH)
    }
}
