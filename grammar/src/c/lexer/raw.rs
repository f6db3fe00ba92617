//! The tokens and trivia of C as regular expressions.
//!
//! Input: logical text.
//! Output: the longest match at each offset. The caller handles everything that depends on the language or on
//! the line (digit separators, header names).

use logos::Logos;

#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false)]
pub enum Raw {
    // The punctuators come first, in the order of `PUNCTUATORS`: the discriminant is the index.
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token(".")]
    Dot,
    #[token("->")]
    Arrow,
    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    #[token("&")]
    And,
    #[token("*")]
    Star,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("~")]
    Tilde,
    #[token("!")]
    Not,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("^")]
    Caret,
    #[token("|")]
    Or,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token("...")]
    Ellipsis,
    #[token("=")]
    Assign,
    #[token("*=")]
    StarAssign,
    #[token("/=")]
    SlashAssign,
    #[token("%=")]
    PercentAssign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("<<=")]
    ShiftLeftAssign,
    #[token(">>=")]
    ShiftRightAssign,
    #[token("&=")]
    AndAssign,
    #[token("^=")]
    CaretAssign,
    #[token("|=")]
    OrAssign,
    #[token(",")]
    Comma,
    #[token("#")]
    Hash,
    #[token("##")]
    HashHash,

    #[token("<:")]
    DigraphLeftBracket,
    #[token(":>")]
    DigraphRightBracket,
    #[token("<%")]
    DigraphLeftBrace,
    #[token("%>")]
    DigraphRightBrace,
    #[token("%:")]
    DigraphHash,
    #[token("%:%:")]
    DigraphHashHash,

    #[regex(r"[ \t\r\x0b\x0c\x00]+")]
    Blanks,
    #[token("\n")]
    #[token("\r\n")]
    Newline,
    // The two bytes that open a comment. The caller searches for its end.
    #[token("//")]
    LineComment,
    #[token("/*")]
    BlockComment,

    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*", priority = 8)]
    Identifier,
    // The caller checks whether its characters are allowed in an identifier.
    #[regex(
        b"([A-Za-z_$]|[\\x80-\\xff]|\\\\u[0-9A-Fa-f]{4}|\\\\U[0-9A-Fa-f]{8})([A-Za-z0-9_$]|[\\x80-\\xff]|\\\\u[0-9A-Fa-f]{4}|\\\\U[0-9A-Fa-f]{8})*",
        priority = 1
    )]
    Extended,
    #[regex(r"\.?[0-9]([eEpP][+\-]|[A-Za-z0-9_.$])*")]
    Number,
    #[regex(b"(u8|u|U|L)?'([^'\\\\\\n]|\\\\[^\\n])*'")]
    Character,
    #[regex(b"(u8|u|U|L)?\"([^\"\\\\\\n]|\\\\[^\\n])*\"")]
    String,
    // A quote without a closing quote extends to the end of the line.
    #[token("'")]
    #[token("\"")]
    Quote,
}

impl Raw {
    /// The punctuator that a digraph is an alternative spelling of.
    pub fn plain(self) -> Raw {
        match self {
            Raw::DigraphLeftBracket => Raw::LeftBracket,
            Raw::DigraphRightBracket => Raw::RightBracket,
            Raw::DigraphLeftBrace => Raw::LeftBrace,
            Raw::DigraphRightBrace => Raw::RightBrace,
            Raw::DigraphHash => Raw::Hash,
            Raw::DigraphHashHash => Raw::HashHash,
            other => other,
        }
    }
}
