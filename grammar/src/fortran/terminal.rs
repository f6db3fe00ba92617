//! The terminals of the grammar.
//!
//! Input: a part of a statement's tokens, and what to parse there.
//! Output: terminals with ranges of the line.
//! Postcondition: two words that form one (`DOUBLE PRECISION`, `IN OUT`) are one name.

use super::cursor::Cursor;
use super::token::{Number, Shape, Token};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terminal<'l> {
    /// The first terminal, which selects what is parsed.
    Start(Start),
    Name(&'l str),
    /// `DIMENSION` or `CODIMENSION` among the attributes of a declaration.
    Dimension,
    Codimension,
    Integer(&'l str),
    /// The flag is set if the exponent is written with `d`.
    Real(&'l str, bool),
    /// Their length in bytes.
    Characters(u32),
    Hollerith(u32),
    Boz,
    Logical(&'l str),
    Defined(&'l str),
    /// An operator between two operands that has no other meaning: `==`, `.and.`
    Infix(Infix),
    Not,
    Plus,
    Minus,
    Star,
    Slash,
    Concatenate,
    Open,
    Close,
    OpenConstructor,
    CloseConstructor,
    OpenBracket,
    CloseBracket,
    Comma,
    Colon,
    DoubleColon,
    Equals,
    Arrow,
    Percent,
    Rank,
    Ampersand,
    /// A byte that is invalid in statements.
    Foreign,
}

/// The start symbol that the grammar is requested to parse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Expression,
    Assignment,
    Call,
    /// `(a, k=b, 1:2)`
    Arguments,
    /// `a, k=b`
    List,
    /// `(controls) items`
    Controlled,
    /// `format, items`
    Plain,
    /// `(type :: objects)`
    TypedAllocation,
    /// `i = 1, n, 2`
    Loop,
    /// `*8`, `(kind=8)`, after the name of a type.
    Selector,
    /// The rest of a declaration after the name of a type: with `::`, and without.
    Declaration,
    OldDeclaration,
    Entities,
    Common,
    Equivalence,
    Parameter,
    /// `name = value, …`
    Constants,
    /// `(a => b, …)`
    Associations,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Infix {
    Power,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Equivalent,
    NotEquivalent,
}

pub type Located<'l> = (u32, Terminal<'l>, u32);

/// The terminals of the rest of a cursor, after the one that selects the start symbol.
pub struct Terminals<'l> {
    cursor: Cursor<'l>,
    start: Option<Start>,
    /// Words between a comma and the next one may be attributes with a special form.
    attributes: bool,
    depth: u32,
    after_comma: bool,
}

impl<'l> Terminals<'l> {
    pub fn new(cursor: Cursor<'l>, start: Start) -> Terminals<'l> {
        let attributes = start == Start::Declaration;
        Terminals { cursor, start: Some(start), attributes, depth: 0, after_comma: false }
    }

    fn word(&mut self, token: Token) -> Located<'l> {
        let mut text = self.cursor.text_of(token);
        let mut end = token.to;
        let next = match text {
            "in" => "out",
            "double" => "precision",
            _ => "",
        };
        let joined = self.cursor.peek().filter(|next| next.shape == Shape::Word);
        if let Some(second) = joined.filter(|_| !next.is_empty()) {
            let whole = match (text, self.cursor.text_of(second)) {
                ("in", "out") => Some("inout"),
                ("double", "precision") => Some("doubleprecision"),
                ("double", "complex") => Some("doublecomplex"),
                _ => None,
            };
            if let Some(whole) = whole {
                (text, end) = (whole, second.to);
                self.cursor.advance();
            }
        }
        let terminal = match text {
            "dimension" if self.attributes && self.after_comma => Terminal::Dimension,
            "codimension" if self.attributes && self.after_comma => Terminal::Codimension,
            _ => Terminal::Name(text),
        };
        (token.from, terminal, end)
    }

    /// Tracks whether the next word can be an attribute: it follows a comma outside of brackets and precedes
    /// `::`.
    fn track(&mut self, shape: Shape) {
        match shape {
            Shape::Open | Shape::OpenBracket | Shape::OpenConstructor => self.depth += 1,
            Shape::Close | Shape::CloseBracket | Shape::CloseConstructor => {
                self.depth = self.depth.saturating_sub(1);
            }
            Shape::DoubleColon if self.depth == 0 => self.attributes = false,
            _ => {}
        }
        self.after_comma = shape == Shape::Comma && self.depth == 0;
    }
}

impl<'l> Iterator for Terminals<'l> {
    type Item = Result<Located<'l>, ()>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(start) = self.start.take() {
            let at = self.cursor.place();
            return Some(Ok((at, Terminal::Start(start), at)));
        }
        let token = self.cursor.peek()?;
        self.cursor.advance();
        let located = match token.shape {
            Shape::Word => self.word(token),
            _ => (token.from, terminal(token, self.cursor.text_of(token)), token.to),
        };
        if self.attributes {
            self.track(token.shape);
        }
        Some(Ok(located))
    }
}

fn terminal(token: Token, text: &str) -> Terminal<'_> {
    match token.shape {
        Shape::Word => Terminal::Name(text),
        Shape::Number(kind) | Shape::Fraction(kind) | Shape::Characters(kind) => match kind {
            Number::Integer => Terminal::Integer(text),
            Number::Real => Terminal::Real(text, false),
            Number::Double => Terminal::Real(text, true),
            Number::Characters => Terminal::Characters(token.link),
            Number::Boz => Terminal::Boz,
        },
        Shape::Hollerith => Terminal::Hollerith(token.link),
        Shape::Boz => Terminal::Boz,
        Shape::Logical => Terminal::Logical(text),
        Shape::Defined => Terminal::Defined(text),
        Shape::Open => Terminal::Open,
        Shape::Close => Terminal::Close,
        Shape::OpenConstructor => Terminal::OpenConstructor,
        Shape::CloseConstructor => Terminal::CloseConstructor,
        Shape::OpenBracket => Terminal::OpenBracket,
        Shape::CloseBracket => Terminal::CloseBracket,
        Shape::Comma => Terminal::Comma,
        Shape::Colon => Terminal::Colon,
        Shape::DoubleColon => Terminal::DoubleColon,
        Shape::Equals => Terminal::Equals,
        Shape::Arrow => Terminal::Arrow,
        // `record.field` is `record%field` in old Fortran.
        Shape::Percent | Shape::Dot => Terminal::Percent,
        Shape::Rank => Terminal::Rank,
        Shape::Ampersand => Terminal::Ampersand,
        Shape::Plus => Terminal::Plus,
        Shape::Minus => Terminal::Minus,
        Shape::Star => Terminal::Star,
        Shape::Slash => Terminal::Slash,
        Shape::Concatenate => Terminal::Concatenate,
        Shape::Not => Terminal::Not,
        Shape::Unclosed | Shape::Foreign => Terminal::Foreign,
        _ => infix(token.shape).map_or(Terminal::Foreign, Terminal::Infix),
    }
}

fn infix(shape: Shape) -> Option<Infix> {
    Some(match shape {
        Shape::Power => Infix::Power,
        Shape::Equal => Infix::Equal,
        Shape::NotEqual => Infix::NotEqual,
        Shape::Less => Infix::Less,
        Shape::LessEqual => Infix::LessEqual,
        Shape::Greater => Infix::Greater,
        Shape::GreaterEqual => Infix::GreaterEqual,
        Shape::And => Infix::And,
        Shape::Or => Infix::Or,
        Shape::Equivalent => Infix::Equivalent,
        Shape::NotEquivalent => Infix::NotEquivalent,
        _ => return None,
    })
}
