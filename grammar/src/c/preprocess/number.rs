//! Evaluates literals in `#if`, and distinguishes integers from floating constants.

/// A 64-bit value and its signedness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    pub bits: u64,
    pub unsigned: bool,
}

impl Value {
    pub const ZERO: Value = Value { bits: 0, unsigned: false };

    pub fn signed(value: i64) -> Value {
        Value { bits: value as u64, unsigned: false }
    }

    pub fn truth(self) -> bool {
        self.bits != 0
    }
}

/// True if a preprocessing number is a floating constant.
pub fn is_float(text: &str) -> bool {
    let bytes = text.as_bytes();
    let hexadecimal = matches!(bytes, [b'0', b'x' | b'X', ..]);
    let binary = matches!(bytes, [b'0', b'b' | b'B', ..]);
    bytes.iter().any(|byte| match byte {
        b'.' => true,
        b'p' | b'P' => hexadecimal,
        b'e' | b'E' => !hexadecimal && !binary,
        _ => false,
    })
}

/// The value of an integer constant, or the error in it.
pub fn integer(text: &str) -> Result<Value, String> {
    if is_float(text) {
        return Err(format!("`{text}` is not an integer"));
    }
    let plain = text.replace('\'', "");
    let (digits, radix) = match plain.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&plain[2..], 16),
        [b'0', b'b' | b'B', ..] => (&plain[2..], 2),
        [b'0', ..] => (&plain[..], 8),
        _ => (&plain[..], 10),
    };
    let length = digits.bytes().take_while(|byte| (*byte as char).is_digit(radix)).count();
    let (digits, suffix) = digits.split_at(length);
    let suffix_says_unsigned = match suffix.to_ascii_lowercase().as_str() {
        "" | "l" | "ll" | "z" | "wb" => false,
        "u" | "ul" | "ull" | "lu" | "llu" | "uz" | "zu" | "uwb" | "wbu" => true,
        _ => return Err(format!("`{text}` is not an integer")),
    };
    if digits.is_empty() {
        return Err(format!("`{text}` has no digits"));
    }
    let bits = u64::from_str_radix(digits, radix).map_err(|_| format!("`{text}` is too large"))?;
    // A constant that does not fit into `intmax_t` is unsigned.
    Ok(Value { bits, unsigned: suffix_says_unsigned || bits > i64::MAX as u64 })
}

/// The value of a character constant. `text` includes quotes and prefix.
pub fn character(text: &str) -> Option<Value> {
    let quote = text.find('\'')?;
    let (prefix, body) = (&text[..quote], text[quote + 1..].strip_suffix('\'')?);
    let bytes = crate::c::token::spell_bytes(body);
    if !prefix.is_empty() && prefix != "u8" {
        return wide(&bytes, prefix);
    }
    let (mut value, mut count) = (0u32, 0);
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let code;
        (code, rest) = unit(rest)?;
        value = value << 8 | (code & 0xff);
        count += 1;
    }
    match count {
        0 => None,
        // `char` is signed. Several characters form an `int`.
        1 if prefix.is_empty() => Some(Value::signed(i64::from(value as u8 as i8))),
        1 => Some(Value { bits: u64::from(value), unsigned: true }),
        _ => Some(Value::signed(i64::from(value as i32))),
    }
}

/// The last character of `L'…'`, `u'…'`, `U'…'`.
fn wide(bytes: &[u8], prefix: &str) -> Option<Value> {
    let mut rest = bytes;
    let mut last = None;
    while let Some(&byte) = rest.first() {
        let code;
        if byte.is_ascii() {
            (code, rest) = unit(rest)?;
        } else {
            let character = rest.utf8_chunks().next()?.valid().chars().next()?;
            code = u32::from(character);
            rest = &rest[character.len_utf8()..];
        }
        last = Some(code);
    }
    let code = last?;
    Some(match prefix {
        "L" => Value::signed(i64::from(code as i32)),
        "u" => Value { bits: u64::from(code as u16), unsigned: true },
        _ => Value { bits: u64::from(code), unsigned: true },
    })
}

/// The first byte or escape sequence, and the text after it.
fn unit(text: &[u8]) -> Option<(u32, &[u8])> {
    let [b'\\', escape, rest @ ..] = text else {
        let (&byte, rest) = text.split_first()?;
        return Some((u32::from(byte), rest));
    };
    let simple = match escape {
        b'n' => 10,
        b't' => 9,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'r' => 13,
        b'v' => 11,
        b'e' | b'E' => 27,
        b'x' => return digits(rest, 16, usize::MAX),
        b'u' => return digits(rest, 16, 4),
        b'U' => return digits(rest, 16, 8),
        b'0'..=b'7' => return digits(&text[1..], 8, 3),
        &other => u32::from(other),
    };
    Some((simple, rest))
}

fn digits(text: &[u8], radix: u32, most: usize) -> Option<(u32, &[u8])> {
    let is_digit = |byte: &&u8| (**byte as char).is_digit(radix);
    let count = text.iter().take(most).take_while(is_digit).count();
    let value = text[..count].iter().fold(0u32, |value, &byte| {
        value.wrapping_mul(radix).wrapping_add((byte as char).to_digit(radix).unwrap_or(0))
    });
    (count > 0).then(|| (value, &text[count..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_the_values_of_the_standard() {
        let value = |text: &str| integer(text).map(|value| (value.bits, value.unsigned)).ok();
        assert_eq!(value("10"), Some((10, false)));
        assert_eq!(value("0x1Fu"), Some((31, true)));
        assert_eq!(value("017LL"), Some((15, false)));
        assert_eq!(value("0b101"), Some((5, false)));
        assert_eq!(value("1'000"), Some((1000, false)));
        assert_eq!(value("0"), Some((0, false)));
        assert_eq!(value("18446744073709551615"), Some((u64::MAX, true)));
        for bad in ["18446744073709551616", "1.0", "1e3", "08", "0x", "1abc", "1lul"] {
            assert_eq!(value(bad), None, "{bad}");
        }
    }

    #[test]
    fn characters_have_the_values_of_the_compiler() {
        let value = |text: &str| character(text).map(|value| value.bits as i64);
        assert_eq!(value("'a'"), Some(97));
        assert_eq!(value("'\\n'"), Some(10));
        assert_eq!(value("'\\377'"), Some(-1));
        assert_eq!(value("'\\x41'"), Some(65));
        assert_eq!(value("'ab'"), Some(97 * 256 + 98));
        assert_eq!(value("L'\u{e9}'"), Some(0xe9));
        assert_eq!(value("u'\\u00e9'"), Some(0xe9));
        assert_eq!(value("''"), None);
    }

    #[test]
    fn floats_are_told_from_integers() {
        for float in ["1.0", "1e5", ".5", "0x1p3", "1.f", "1e+5", "0x.8p0"] {
            assert!(is_float(float), "{float}");
        }
        for integer in ["1", "0xe5", "0b1", "10ULL", "0x1f"] {
            assert!(!is_float(integer), "{integer}");
        }
    }
}
