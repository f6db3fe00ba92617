//! Determines whether a byte is part of a character constant, a Hollerith constant, or the statement itself.
//!
//! Input: the text of a statement, as far as it has been read.
//! Output: the position at which the scan stops: a comment, the end of the statement, or a continuation mark.
//! Postcondition: such marks inside constants were skipped.

use super::card::{is_blank, is_word};

/// The context of the next byte of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    Code,
    /// A character constant that ends with this quote.
    Quote(u8),
    /// A Hollerith constant with this number of remaining bytes.
    Hollerith(u32),
}

/// The reason why a scan has stopped, with the offset in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    End,
    Comment(usize),
    Semicolon(usize),
    /// Free form: `&` with only blanks or a comment after it.
    Ampersand(usize),
}

/// Compilers do not accept longer constants.
const HOLLERITH_LIMIT: u64 = 1 << 16;

/// The state of the scan of a statement.
#[derive(Debug)]
pub struct Scan {
    pub context: Context,
    /// Blanks before this offset of the text belong to a constant.
    pub constant_end: usize,
    seen_slash: bool,
    /// Whether the statement is a FORMAT, after the first check.
    is_format: Option<bool>,
}

impl Scan {
    pub fn new() -> Scan {
        Scan { context: Context::Code, constant_end: 0, seen_slash: false, is_format: None }
    }

    /// Scans the text of a statement from `from` to its end. `free` is set for free form.
    pub fn scan(&mut self, text: &[u8], from: usize, free: bool) -> Stop {
        let mut at = from;
        loop {
            match self.context {
                Context::Code => {}
                Context::Quote(quote) => match memchr::memchr(quote, &text[at..]) {
                    Some(found) => {
                        self.context = Context::Code;
                        at += found + 1;
                    }
                    None => return open_end(text, at, free),
                },
                Context::Hollerith(count) => {
                    let taken = (count as usize).min(text.len() - at);
                    at += taken;
                    self.constant_end = at;
                    self.context = match count - taken as u32 {
                        0 => Context::Code,
                        left => Context::Hollerith(left),
                    };
                    if at == text.len() {
                        return Stop::End;
                    }
                }
            }
            let Some(found) = text[at..].iter().position(|&byte| MATTERS[byte as usize]) else {
                return Stop::End;
            };
            at += found;
            match text[at] {
                quote @ (b'\'' | b'"') => self.context = Context::Quote(quote),
                b'!' => return Stop::Comment(at),
                b';' => return Stop::Semicolon(at),
                b'&' if free && ends_line(&text[at + 1..]) => return Stop::Ampersand(at),
                b'/' => self.seen_slash = true,
                b'h' | b'H' => {
                    if let Some(count) = self.hollerith(text, at, free) {
                        self.context = Context::Hollerith(count);
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The length of the Hollerith constant whose `H` is at `at`, if it is one. Digits before it may belong
    /// to a name (`DO 5 H = 1, 3`) or be a length (`REAL*8 H`).
    fn hollerith(&mut self, text: &[u8], at: usize, free: bool) -> Option<u32> {
        let (count, before) = count_before(text, at, free)?;
        let is_one = match before {
            Some(b'*') => self.seen_slash,
            Some(byte) if is_word(byte) => *self.is_format.get_or_insert_with(|| is_format(text)),
            _ => true,
        };
        is_one.then_some(count)
    }
}

const MATTERS: [bool; 256] = {
    let mut table = [false; 256];
    let mut index = 0;
    let bytes = b"'\"!;&/hH";
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
};

/// A character constant that does not end on the line. In free form a final `&` continues it.
fn open_end(text: &[u8], from: usize, free: bool) -> Stop {
    let last = text[from..].iter().rposition(|&byte| !is_blank(byte));
    match last {
        Some(last) if free && text[from + last] == b'&' => Stop::Ampersand(from + last),
        _ => Stop::End,
    }
}

fn ends_line(rest: &[u8]) -> bool {
    rest.iter().find(|&&byte| !is_blank(byte)).is_none_or(|&byte| byte == b'!')
}

/// The number before `at`, and the byte before the number. In fixed form blanks are ignored.
fn count_before(text: &[u8], at: usize, free: bool) -> Option<(u32, Option<u8>)> {
    let (mut count, mut scale, mut start) = (0u64, 1u64, at);
    let mut before = None;
    while let Some(&byte) = start.checked_sub(1).and_then(|index| text.get(index)) {
        if byte.is_ascii_digit() {
            count = count.saturating_add(u64::from(byte - b'0') * scale);
            scale = scale.saturating_mul(10).min(HOLLERITH_LIMIT * 10);
        } else if free || !is_blank(byte) {
            before = Some(byte);
            break;
        }
        start -= 1;
    }
    (1..=HOLLERITH_LIMIT).contains(&count).then_some((count as u32, before))
}

/// In a FORMAT the comma before a Hollerith constant may be missing: `1X5HHELLO`.
fn is_format(text: &[u8]) -> bool {
    let solid = text.iter().filter(|&&byte| !is_blank(byte)).map(u8::to_ascii_lowercase);
    solid.take(7).eq(b"format(".iter().copied())
}
