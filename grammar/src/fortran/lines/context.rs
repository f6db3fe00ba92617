//! What a byte is part of: a character constant, a Hollerith constant, or the statement itself.
//!
//! In: a statement's text, as far as it is known. Out: where the scan has to stop: at a comment, at the
//! end of the statement, at a mark of continuation. Holds afterwards: marks inside of
//! constants were passed over.

use super::card::is_blank;

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

/// Scans from `from` on. `free` tells the form. Blanks before `constant_end` belong to a constant.
pub fn scan(
    text: &[u8],
    from: usize,
    context: &mut Context,
    constant_end: &mut usize,
    free: bool,
) -> Stop {
    let mut at = from;
    loop {
        match *context {
            Context::Code => {}
            Context::Quote(quote) => match memchr::memchr(quote, &text[at..]) {
                Some(found) => {
                    *context = Context::Code;
                    at += found + 1;
                }
                None => return open_end(text, at, free),
            },
            Context::Hollerith(count) => {
                let taken = (count as usize).min(text.len() - at);
                at += taken;
                *constant_end = at;
                *context = match count - taken as u32 {
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
            quote @ (b'\'' | b'"') => *context = Context::Quote(quote),
            b'!' => return Stop::Comment(at),
            b';' => return Stop::Semicolon(at),
            b'&' if free && ends_line(&text[at + 1..]) => return Stop::Ampersand(at),
            b'h' | b'H' => {
                if let Some(count) = hollerith(text, at, free) {
                    *context = Context::Hollerith(count);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

const MATTERS: [bool; 256] = {
    let mut table = [false; 256];
    let mut index = 0;
    let bytes = b"'\"!;&hH";
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

/// The length of the Hollerith constant whose `H` stands at `at`, if it is one. Digits before it may
/// belong to a name (`DO 5 H = 1, 3`), or tell a length (`REAL*8 H`).
fn hollerith(text: &[u8], at: usize, free: bool) -> Option<u32> {
    let (mut count, mut scale, mut start) = (0u64, 1u64, at);
    let mut before = None;
    while let Some(&byte) = start.checked_sub(1).and_then(|index| text.get(index)) {
        if byte.is_ascii_digit() {
            count += u64::from(byte - b'0') * scale;
            scale = scale.saturating_mul(10).min(HOLLERITH_LIMIT * 10);
        } else if free || !is_blank(byte) {
            before = Some(byte);
            break;
        }
        start -= 1;
    }
    if count == 0 || count > HOLLERITH_LIMIT {
        return None;
    }
    let is_one = match before {
        Some(b'*') => memchr::memchr(b'/', &text[..start]).is_some(),
        Some(byte) if super::card::is_word(byte) => is_format(text),
        _ => true,
    };
    is_one.then_some(count as u32)
}

/// In a FORMAT the comma before a Hollerith may be missing: `1X5HHELLO`.
fn is_format(text: &[u8]) -> bool {
    let solid = text.iter().filter(|&&byte| !is_blank(byte)).map(u8::to_ascii_lowercase);
    solid.take(7).eq(b"format(".iter().copied())
}
