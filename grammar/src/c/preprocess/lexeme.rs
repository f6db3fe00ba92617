//! A preprocessing token on its way through macro expansion.

use cppc_source::{FileId, Span};

use super::words;
use crate::c::lexer::{Piece, PieceKind};
use crate::c::token::Name;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lexeme {
    pub kind: Kind,
    pub flags: u8,
    /// The spelling; for a parameter its number, for the start of `__VA_OPT__` how many lexemes
    /// it holds.
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
    /// Stands where a macro or an argument starts and ends: blanks there count in `#`.
    Padding,
    /// An empty operand of `##`.
    Placemarker,
    /// Nothing more: the end of a line, of an argument, of the unit.
    End,
}

impl Lexeme {
    /// Blanks, a comment or a line end stand before it.
    pub const SPACED: u8 = Piece::SPACED;
    /// A macro's name that is never expanded again.
    pub const PAINTED: u8 = 2;
    /// In a macro's body: `##` comes next.
    pub const PASTED: u8 = 4;
    /// In a macro's body: `#` stands before it.
    pub const QUOTED: u8 = 8;
    /// Its spelling in the file differs from its name (a digraph, `\u00e9`), which `#` shows.
    pub const ODD: u8 = 16;
    /// It came through a macro.
    pub const EXPANDED: u8 = 32;
    /// Padding that stands for a token, whose blanks it has.
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

    /// Padding before or after what came of `source`.
    pub fn padding(span: Span) -> Lexeme {
        Lexeme { kind: Kind::Padding, flags: 0, name: Name(0), span }
    }

    /// Padding that has the blanks of a token that is gone.
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
