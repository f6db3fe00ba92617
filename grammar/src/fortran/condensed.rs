//! The text of a logical line in canonical form: lower case, without blanks that have no meaning.
//!
//! Input: a logical line.
//! Output: ASCII text in which each character constant and each Hollerith constant is one byte, and the
//! mapping to the line.
//! Postcondition: brackets and operators in the text belong to the statement, never to a constant.

use super::logical::Form;

/// Represents a Hollerith constant, such as `5HHELLO`, including its count.
pub const HOLLERITH: u8 = 1;
/// Represents a character constant with its quotes.
pub const CHARACTERS: u8 = 2;
/// Represents a character constant that is ended by the end of the line.
pub const UNCLOSED: u8 = 3;
/// Represents a byte that is invalid in statements.
pub const FOREIGN: u8 = 0x7f;

/// A condensed line. The buffers are reused for each line.
#[derive(Debug, Default)]
pub struct Condensed {
    text: String,
    /// The offset in the line of each byte of the text, or of the first byte that it represents.
    origins: Vec<u32>,
    /// The constants that are represented by single bytes, in order.
    pub constants: Vec<Constant>,
}

#[derive(Debug, Clone, Copy)]
pub struct Constant {
    /// Its end in the line.
    pub end: u32,
    /// The length of its value, in bytes.
    pub length: u32,
}

impl Condensed {
    pub fn fill(&mut self, line: &[u8], form: Form) {
        let mut text = std::mem::take(&mut self.text).into_bytes();
        text.clear();
        text.reserve(line.len());
        self.origins.clear();
        self.origins.reserve(line.len());
        self.constants.clear();
        let fixed = matches!(form, Form::Fixed { .. });
        let mut at = 0;
        while let Some(&byte) = line.get(at) {
            let next = match byte {
                b' ' | b'\t' | b'\x0c' | b'\r' | b'\n' if fixed => {
                    at += 1;
                    continue;
                }
                b'\'' | b'"' => self.characters(line, at, &mut text),
                b'h' | b'H' => self.hollerith(line, at, &mut text),
                _ => None,
            };
            if let Some(next) = next {
                at = next;
                continue;
            }
            text.push(match byte {
                b'\t' | b'\x0c' | b'\r' | b'\n' => b' ',
                b' '..=b'~' => byte.to_ascii_lowercase(),
                _ => FOREIGN,
            });
            self.origins.push(at as u32);
            at += 1;
        }
        // Only ASCII bytes were added.
        self.text = String::from_utf8(text).unwrap_or_default();
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offset in the line at which a byte of the text begins.
    pub fn origin(&self, at: u32) -> u32 {
        self.origins.get(at as usize).copied().unwrap_or_default()
    }

    /// A constant in quotes. Two quotes in it represent one. Returns the offset after it.
    fn characters(&mut self, line: &[u8], start: usize, text: &mut Vec<u8>) -> Option<usize> {
        let quote = line[start];
        let mut at = start + 1;
        let mut length = 0;
        let mut mark = UNCLOSED;
        while let Some(found) = line.get(at..).and_then(|rest| memchr::memchr(quote, rest)) {
            length += found as u32;
            at += found + 1;
            if line.get(at) != Some(&quote) {
                mark = CHARACTERS;
                break;
            }
            length += 1;
            at += 1;
        }
        if mark == UNCLOSED {
            at = line.len();
        }
        text.push(mark);
        self.origins.push(start as u32);
        self.constants.push(Constant { end: at as u32, length });
        Some(at)
    }

    /// A Hollerith constant whose count has just been read, if the `h` at this offset makes it one.
    /// `REAL*8HOURS` contains none.
    fn hollerith(&mut self, line: &[u8], at: usize, text: &mut Vec<u8>) -> Option<usize> {
        // A count and its `h` have no blank between them: `8 H` after `REAL*` is not a constant.
        let counted = at.checked_sub(1).is_some_and(|before| line[before].is_ascii_digit());
        if !counted {
            return None;
        }
        let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let start = text.len() - digits;
        let before = &text[..start];
        let follows = match before {
            // `.NE.4HABCD` is a constant, a fraction is not.
            [.., letter, b'.'] => !letter.is_ascii_lowercase(),
            [.., last] => last.is_ascii_alphanumeric() || matches!(last, b'_' | b'$' | b'.' | b'@'),
            [] => false,
        };
        if follows || is_length_of_type(before) {
            return None;
        }
        let count: usize = std::str::from_utf8(&text[start..]).ok()?.parse().ok()?;
        let end = (at + 1).checked_add(count)?.min(line.len());
        let origin = self.origins.get(start).copied()?;
        text.truncate(start);
        self.origins.truncate(start);
        text.push(HOLLERITH);
        self.origins.push(origin);
        self.constants.push(Constant { end: end as u32, length: count as u32 });
        Some(end)
    }
}

/// True if a number after this text is the length of a type: `REAL*8`, `PURE INTEGER*4`.
pub fn is_length_of_type(before: &[u8]) -> bool {
    let Some(word) = before.strip_suffix(b"*") else { return false };
    let word = word.trim_ascii_end();
    let types: [&[u8]; 6] = [b"integer", b"real", b"logical", b"complex", b"character", b"byte"];
    let alone = word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
    alone && types.iter().any(|name| word.ends_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(form: Form, line: &str, expect: &str) {
        let mut condensed = Condensed::default();
        condensed.fill(line.as_bytes(), form);
        let shown = condensed.text().replace('\u{1}', "<H>").replace('\u{2}', "<C>").replace('\u{3}', "<U>");
        assert_eq!(shown, expect, "{line}");
        let mut last = None;
        for at in 0..condensed.text().len() as u32 {
            assert!(last < Some(condensed.origin(at)));
            last = Some(condensed.origin(at));
        }
    }

    #[test]
    fn constants_are_one_byte() {
        let fixed = Form::Fixed { columns: 72 };
        check(fixed, "CALL F ('it''s', \"(\", 5H( )=,, X)", "callf(<C>,<C>,<H>,x)");
        check(fixed, "REAL*8 HOURS, H2", "real*8hours,h2");
        check(fixed, "REAL*8HOURS", "real*8hours");
        check(fixed, "DATA X /3*4HABCD/", "datax/3*<H>/");
        check(fixed, "IF (X .NE. 4HA(B)) Y = 1.5H", "if(x.ne.<H>)y=1.5h");
        check(fixed, "DO 10 H = 1, 2H3", "do10h=1,<H>");
        check(fixed, "A10H = 'x", "a10h=<U>");
        check(Form::Free, "Print *, 'A' // \"\"", "print *, <C> // <C>");
        check(Form::Free, "x = 99H", "x = <H>");
    }
}
