//! A tokeniser for preprocessed text, as `cc -E -P` writes it.
//!
//! Input: text.
//! Output: a unit whose tokens are in one file. It has no directives and no macros, so that the parser is
//! tested independently of the preprocessor.

use cppc_grammar::c::language::{is_keyword, Language};
use cppc_grammar::c::token::{Preprocessed, Token, TokenKind};
use cppc_source::{FileId, Files, Origin, Span};

const PUNCTUATORS: [&str; 25] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>",
];

pub struct Tokenized {
    pub files: Files,
    pub file: FileId,
    pub unit: Preprocessed,
}

pub fn tokenize(path: &str, text: &str) -> Tokenized {
    let mut files = Files::new();
    let file = files.add(path, text.as_bytes());
    let mut unit = Preprocessed::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let skipped = trivia(rest);
        if skipped > 0 {
            at += skipped;
            continue;
        }
        let (kind, length) = token(rest);
        let span = Span::new(file, at as u32, (at + length) as u32);
        let name = unit.names.intern(&rest[..length]);
        let origin = Origin { span, expansion: None };
        unit.tokens.push(Token { kind, text: name, origin });
        at += length;
    }
    Tokenized { files, file, unit }
}

/// The length of the white space, comment or `#` line at the start.
fn trivia(rest: &str) -> usize {
    if rest.starts_with("//") || rest.starts_with('#') {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    rest.len() - rest.trim_start().len()
}

fn token(rest: &str) -> (TokenKind, usize) {
    let first = rest.as_bytes()[0];
    let word =
        rest.bytes().take_while(|&b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 128).count();
    let dotted = first == b'.' && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    if first.is_ascii_digit() || dotted {
        return number(rest);
    }
    if let Some(quote @ ('"' | '\'')) = rest[word..].chars().next() {
        if matches!(&rest[..word], "" | "L" | "u" | "U" | "u8") {
            let kind = if quote == '"' { TokenKind::String } else { TokenKind::Character };
            return (kind, word + quoted(&rest[word..], quote));
        }
    }
    if word > 0 {
        let keyword = is_keyword(&rest[..word], Language::default());
        return (if keyword { TokenKind::Keyword } else { TokenKind::Identifier }, word);
    }
    let punctuator = PUNCTUATORS.iter().find(|p| rest.starts_with(**p));
    (TokenKind::Punctuator, punctuator.map_or(1, |p| p.len()))
}

fn number(rest: &str) -> (TokenKind, usize) {
    let mut length = 0;
    let bytes = rest.as_bytes();
    while let Some(&byte) = bytes.get(length) {
        let sign = matches!(byte, b'+' | b'-');
        let exponent = length > 0 && matches!(bytes[length - 1], b'e' | b'E' | b'p' | b'P');
        if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || (sign && exponent)) {
            break;
        }
        length += 1;
    }
    let text = rest[..length].to_ascii_lowercase();
    let hexadecimal = text.starts_with("0x");
    let float = text.contains('.') || text.contains('p') || (!hexadecimal && text.contains('e'));
    (if float { TokenKind::Float } else { TokenKind::Integer }, length)
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}
