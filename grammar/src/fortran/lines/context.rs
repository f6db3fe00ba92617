//! What a byte is part of: a character constant, a Hollerith constant, or the statement itself.
//!
//! In: a statement's text, as far as it is known. Out: where the scan has to stop: at a comment, at the
//! end of the statement, at a mark of continuation. Holds afterwards: marks inside of
//! constants were passed over.

use super::card::{is_blank, is_word};

/// What the next byte of the text is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    Code,
    /// A character constant that this quote ends.
    Quote(u8),
    /// So many bytes of a Hollerith constant are still to come.
    Hollerith(u32),
}

/// Why a scan has stopped, with the place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    End,
    Comment(usize),
    Semicolon(usize),
    /// Free form: `&` with nothing but blanks or a comment behind it.
    Ampersand(usize),
}

/// Longer ones are nothing that a compiler takes.
const HOLLERITH_LIMIT: u64 = 1 << 16;

/// How far a statement has been scanned, and what was seen in it.
#[derive(Debug)]
pub struct Scan {
    pub context: Context,
    /// Blanks before this place of the text belong to a constant.
    pub constant_end: usize,
    seen_slash: bool,
    /// Whether it is a FORMAT, once somebody has looked.
    is_format: Option<bool>,
}

impl Scan {
    pub fn new() -> Scan {
        Scan { context: Context::Code, constant_end: 0, seen_slash: false, is_format: None }
    }

    /// Scans a statement's text from `from` to its end. `free` tells the form.
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

    /// The length of the Hollerith constant whose `H` stands at `at`, if it is one. Digits before it may
    /// belong to a name (`DO 5 H = 1, 3`), or tell a length (`REAL*8 H`).
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

/// A character constant that the line does not end: in free form a last `&` continues it.
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

/// The number before `at`, and what stands before that. In fixed form blanks mean nothing.
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

/// In a FORMAT the comma before a Hollerith may be missing: `1X5HHELLO`.
fn is_format(text: &[u8]) -> bool {
    let solid = text.iter().filter(|&&byte| !is_blank(byte)).map(u8::to_ascii_lowercase);
    solid.take(7).eq(b"format(".iter().copied())
}
