//! The tokens of a statement.
//!
//! Input: condensed text.
//! Output: shapes, lexed by logos. The end of a number is determined by hand, because `1.EQ.2` does not
//! contain a real number and `1.E2` is one.
//! Postcondition: words are as long as possible. Keywords are not recognised here.

use logos::{Lexer, Logos};

/// A token of a statement. Its text is a range of the condensed line.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    pub shape: Shape,
    /// Its start in the condensed text.
    pub start: u32,
    pub end: u32,
    /// Its start in the line.
    pub from: u32,
    pub to: u32,
    /// For a bracket: the index of its partner. For a constant: its length in bytes.
    pub link: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// The next number is the length of a type: `REAL*8D1` declares `D1`.
    pub digits_only: bool,
}

#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip " +", extras = Reading)]
pub enum Shape {
    #[regex(r"[a-z_$@][a-z0-9_$@]*")]
    Word,
    #[regex(r"[0-9]+", number)]
    Number(Number),
    #[regex(r"\.[0-9]+", fraction)]
    Fraction(Number),
    /// With the kind before it, if there is one: `ck_'text'`.
    #[regex(r"([a-z][a-z0-9_$]*_)?\x02", boz_behind)]
    Characters(Number),
    #[token("\x01")]
    Hollerith,
    #[regex(r"[bozx]\x02")]
    Boz,
    #[token("\x03")]
    Unclosed,

    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("(/")]
    OpenConstructor,
    #[token("/)")]
    CloseConstructor,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("::")]
    DoubleColon,
    #[token("=")]
    Equals,
    #[token("=>")]
    Arrow,
    #[token("%")]
    Percent,
    #[token(".")]
    Dot,
    #[token("..")]
    Rank,
    #[token("&")]
    Ampersand,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("**")]
    Power,
    #[token("//")]
    Concatenate,
    #[token("==")]
    #[token(".eq.")]
    Equal,
    #[token("/=")]
    #[token(".ne.")]
    NotEqual,
    #[token("<")]
    #[token(".lt.")]
    Less,
    #[token("<=")]
    #[token(".le.")]
    LessEqual,
    #[token(">")]
    #[token(".gt.")]
    Greater,
    #[token(">=")]
    #[token(".ge.")]
    GreaterEqual,
    #[token(".not.")]
    Not,
    #[token(".and.")]
    And,
    #[token(".or.")]
    Or,
    #[token(".eqv.")]
    Equivalent,
    #[token(".neqv.")]
    #[token(".xor.")]
    NotEquivalent,
    #[regex(r"\.(true|false)\.(_[a-z0-9_]+)?")]
    Logical,
    #[regex(r"\.[a-z][a-z0-9_]*\.", priority = 1)]
    Defined,
    /// A byte that is invalid in statements.
    Foreign,
}

/// The kind of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    Integer,
    Real,
    Double,
    /// `1_'text'`: the kind of a character constant.
    Characters,
    /// `'ff'x`
    Boz,
}

fn number(lexer: &mut Lexer<'_, Shape>) -> Number {
    if std::mem::take(&mut lexer.extras.digits_only) {
        return Number::Integer;
    }
    let rest = lexer.remainder().as_bytes();
    let mut length = 0;
    let mut kind = Number::Integer;
    if rest.first() == Some(&b'.') && !begins_operator(&rest[1..]) {
        length = 1 + digits(&rest[1..]);
        kind = Number::Real;
    }
    finish(lexer, length, kind)
}

fn fraction(lexer: &mut Lexer<'_, Shape>) -> Number {
    finish(lexer, 0, Number::Real)
}

/// Reads the exponent and the kind.
fn finish(lexer: &mut Lexer<'_, Shape>, mut length: usize, mut kind: Number) -> Number {
    let rest = lexer.remainder().as_bytes();
    let exponent = exponent(&rest[length..]);
    if exponent > 0 {
        kind = if rest[length] == b'd' { Number::Double } else { Number::Real };
        length += exponent;
    }
    if rest.get(length) == Some(&b'_') {
        let word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let suffix = 1 + rest[length + 1..].iter().take_while(word).count();
        if suffix > 1 {
            length += suffix;
        } else if rest.get(length + 1) == Some(&super::condensed::CHARACTERS) && kind == Number::Integer {
            kind = Number::Characters;
            length += 2;
        }
    }
    lexer.bump(length);
    kind
}

/// True if the text after a number and a dot is the rest of `.eq.` or a similar operator.
fn begins_operator(rest: &[u8]) -> bool {
    let letters = rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    letters > 0 && rest.get(letters) == Some(&b'.') && exponent(rest) == 0
}

fn exponent(rest: &[u8]) -> usize {
    if !matches!(rest.first(), Some(b'e' | b'd' | b'q')) {
        return 0;
    }
    let sign = usize::from(matches!(rest.get(1), Some(b'+' | b'-')));
    match digits(&rest[1 + sign..]) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}

fn digits(rest: &[u8]) -> usize {
    rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// `'ff'x`, the old spelling of `x'ff'`.
fn boz_behind(lexer: &mut Lexer<'_, Shape>) -> Number {
    let rest = lexer.remainder().as_bytes();
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let alone = !rest.get(1).is_some_and(word);
    if matches!(rest.first(), Some(b'b' | b'o' | b'z' | b'x')) && alone && lexer.slice().len() == 1 {
        lexer.bump(1);
        return Number::Boz;
    }
    Number::Characters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(text: &str) -> Vec<(String, Shape)> {
        let lexer = Shape::lexer(text).spanned();
        lexer.map(|(shape, span)| (text[span].to_owned(), shape.unwrap_or(Shape::Foreign))).collect()
    }

    fn check(text: &str, expect: &[&str]) {
        let found: Vec<String> = shapes(text).into_iter().map(|(text, _)| text).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn numbers_end_where_operators_begin() {
        check("1.eq.2", &["1", ".eq.", "2"]);
        check("1.e2.eq.x", &["1.e2", ".eq.", "x"]);
        check("1.and.1..or..5", &["1", ".and.", "1.", ".or.", ".5"]);
        check("1.d0+.5d-3_8*2e+10q", &["1.d0", "+", ".5d-3_8", "*", "2e+10", "q"]);
        check("10_ik,1_\u{2}", &["10_ik", ",", "1_\u{2}"]);
        assert_eq!(shapes("1.e2")[0].1, Shape::Number(Number::Real));
        assert_eq!(shapes("1d2")[0].1, Shape::Number(Number::Double));
    }

    #[test]
    fn constants_have_their_letters() {
        assert_eq!(shapes("z\u{2}")[0].1, Shape::Boz);
        assert_eq!(shapes("\u{2}x")[0].1, Shape::Characters(Number::Boz));
        assert_eq!(shapes("ck_\u{2}")[0].1, Shape::Characters(Number::Characters));
        assert_eq!(shapes(".true._4")[0].1, Shape::Logical);
        assert_eq!(shapes(".truer.")[0].1, Shape::Defined);
    }

    #[test]
    fn joined_punctuators_are_one() {
        check("a(/1,2/)//b", &["a", "(/", "1", ",", "2", "/)", "//", "b"]);
        check("a%b.c(1::2)", &["a", "%", "b", ".", "c", "(", "1", "::", "2", ")"]);
    }
}
