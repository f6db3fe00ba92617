//! The types and values of literals.
//!
//! Input: the spelling of a literal.
//! Output: its type by C's rules on LP64, and its value where that is an integer.
//! Postcondition: an unknown suffix gives an unknown type.

use cppc_grammar::c::tree::Basic;

use super::operators::{is_complex, of_rank, real_rank};
use super::types::{ArrayLength, Type};

/// An integer literal's type and value.
pub fn integer(text: &str) -> (Type, Option<i128>) {
    let text: String = text.chars().filter(|&letter| letter != '\'').collect();
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', _, ..] => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    let end = digits.find(|letter: char| !letter.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let value = if digits.is_empty() { Some(0) } else { u128::from_str_radix(digits, radix).ok() };
    let imaginary = suffix.contains(['i', 'j']);
    if imaginary {
        return (Type::basic(Basic::ComplexOther), None);
    }
    let unsigned = suffix.contains('u');
    let longs = suffix.matches('l').count();
    if suffix.contains(|letter| !matches!(letter, 'u' | 'l')) {
        return (Type::UNKNOWN, None);
    }
    let Some(value) = value else { return (Type::UNKNOWN, None) };
    (Type::basic(integer_type(value, radix, unsigned, longs)), i128::try_from(value).ok())
}

/// The value of an integer literal.
pub fn integer_value(text: &str) -> Option<i128> {
    integer(text).1
}

/// The value of a character constant.
pub fn character_value(text: &str) -> Option<i128> {
    character(text).1
}

/// The first of the types that the suffix and the radix allow, and that holds the value.
fn integer_type(value: u128, radix: u32, unsigned: bool, longs: usize) -> Basic {
    let signed_fits = |bits: u32| value < 1 << (bits - 1);
    let unsigned_fits = |bits: u32| value < 1 << bits;
    let either = unsigned || radix != 10;
    let rows = [
        (0, 32, Basic::Int, Basic::UnsignedInt),
        (1, 64, Basic::Long, Basic::UnsignedLong),
        (2, 64, Basic::LongLong, Basic::UnsignedLongLong),
    ];
    for (rank, bits, signed_type, unsigned_type) in rows {
        if rank < longs {
            continue;
        }
        if !unsigned && signed_fits(bits) {
            return signed_type;
        }
        if either && unsigned_fits(bits) {
            return unsigned_type;
        }
    }
    Basic::Int128
}

/// A floating literal's type.
pub fn float(text: &str) -> Type {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    // In a hexadecimal literal `f` and `d` are digits until the exponent.
    let tail = if hexadecimal { lower.rfind('p').map_or("", |at| &lower[at + 1..]) } else { &lower[..] };
    let start = tail.rfind(['.', '+', '-']).map_or(0, |at| at + 1);
    let tail = tail[start..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    let tail = match tail.strip_prefix('e') {
        Some(exponent) if !hexadecimal => exponent.trim_start_matches(|letter: char| letter.is_ascii_digit()),
        _ => tail,
    };
    let imaginary = tail.contains(['i', 'j']);
    let suffix: String = tail.chars().filter(|letter| !matches!(letter, 'i' | 'j')).collect();
    let rank = match suffix.as_str() {
        "f" | "f32" => 1,
        "" | "d" | "f64" | "f32x" => 2,
        "l" | "f64x" | "w" => 3,
        "q" | "f128" => 4,
        _ => return Type::UNKNOWN,
    };
    Type::basic(of_rank(rank, imaginary))
}

/// A character constant's type and value.
pub fn character(text: &str) -> (Type, Option<i128>) {
    let (prefix, body) = split_quoted(text);
    let basic = match prefix {
        "u" => Basic::UnsignedShort,
        "U" => Basic::UnsignedInt,
        "u8" => Basic::UnsignedChar,
        _ => Basic::Int,
    };
    let units = code_units(body, prefix);
    let value = match units.as_slice() {
        [one] if prefix.is_empty() => Some(i128::from(*one as u8 as i8)),
        [one] => Some(i128::from(*one)),
        // The value of several is the compiler's business.
        _ => None,
    };
    (Type::basic(basic), value)
}

/// The type of adjacent string literals: an array with its terminator.
pub fn string(texts: &[&str]) -> Type {
    let prefix =
        texts.iter().map(|text| split_quoted(text).0).find(|prefix| !prefix.is_empty()).unwrap_or("");
    let length: usize = texts.iter().map(|text| code_units(split_quoted(text).1, prefix).len()).sum();
    let basic = match prefix {
        "L" => Basic::Int,
        "u" => Basic::UnsignedShort,
        "U" => Basic::UnsignedInt,
        _ => Basic::Char,
    };
    Type::array_of(Type::basic(basic), ArrayLength::Known(length as u64 + 1))
}

/// The prefix and what stands between the quotes.
fn split_quoted(text: &str) -> (&str, &str) {
    let Some(start) = text.find(['"', '\'']) else { return ("", text) };
    let body = &text[start + 1..];
    (text[..start].trim_end_matches('R'), body.get(..body.len().saturating_sub(1)).unwrap_or(""))
}

/// The code units that a literal's body stands for, escapes undone: bytes without a prefix.
fn code_units(body: &str, prefix: &str) -> Vec<u32> {
    let mut units = Vec::new();
    let mut rest = body.chars().peekable();
    let push = |units: &mut Vec<u32>, letter: char| match prefix {
        "" | "u8" => units.extend(letter.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        "u" => units.extend(letter.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit))),
        _ => units.push(letter as u32),
    };
    while let Some(letter) = rest.next() {
        if letter != '\\' {
            push(&mut units, letter);
            continue;
        }
        let Some(escape) = rest.next() else { break };
        let take =
            |rest: &mut std::iter::Peekable<std::str::Chars<'_>>, start: u32, radix: u32, most: usize| {
                let mut value = start;
                for _ in 0..most {
                    let Some(digit) = rest.peek().and_then(|letter| letter.to_digit(radix)) else { break };
                    value = value.wrapping_mul(radix).wrapping_add(digit);
                    rest.next();
                }
                value
            };
        match escape {
            'x' => units.push(take(&mut rest, 0, 16, usize::MAX)),
            '0'..='7' => units.push(take(&mut rest, escape as u32 - '0' as u32, 8, 2)),
            'u' | 'U' => {
                let value = take(&mut rest, 0, 16, if escape == 'u' { 4 } else { 8 });
                push(&mut units, char::from_u32(value).unwrap_or('?'));
            }
            _ => units.push(simple_escape(escape)),
        }
    }
    units
}

fn simple_escape(letter: char) -> u32 {
    match letter {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        other => other as u32,
    }
}

/// The real part's type; a real or integer type is its own.
pub fn component(basic: Basic) -> Option<Basic> {
    match (is_complex(basic), real_rank(basic)) {
        (true, Some(rank)) => Some(of_rank(rank, false)),
        (true, None) => None,
        (false, _) => Some(basic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(ty: &Type) -> Basic {
        match ty.kind {
            crate::bind::c::Kind::Basic(basic) => basic,
            _ => Basic::Void,
        }
    }

    #[test]
    fn integers_take_the_first_type_that_holds_them() {
        let cases = [
            ("1", Basic::Int, 1),
            ("2147483648", Basic::Long, 2147483648),
            ("0x80000000", Basic::UnsignedInt, 0x80000000),
            ("0xffffffffffffffff", Basic::UnsignedLong, 0xffffffffffffffff),
            ("1u", Basic::UnsignedInt, 1),
            ("1ul", Basic::UnsignedLong, 1),
            ("1LL", Basic::LongLong, 1),
            ("010", Basic::Int, 8),
            ("0", Basic::Int, 0),
            ("0b101", Basic::Int, 5),
            ("1'000", Basic::Int, 1000),
        ];
        for (text, ty, value) in cases {
            let found = integer(text);
            assert_eq!((kind(&found.0), found.1), (ty, Some(value)), "{text}");
        }
    }

    #[test]
    fn floats_take_the_type_of_their_suffix() {
        let cases = [
            ("1.0", Basic::Double),
            ("1e5f", Basic::Float),
            ("1.f", Basic::Float),
            ("0x1.8p3f", Basic::Float),
            ("0x1.fp-3", Basic::Double),
            ("2.5e+10L", Basic::LongDouble),
            ("1.0iF", Basic::ComplexFloat),
            ("3.0i", Basic::ComplexDouble),
            ("1e-5Q", Basic::Float128),
            ("1.0f64", Basic::Double),
        ];
        for (text, ty) in cases {
            assert_eq!(kind(&float(text)), ty, "{text}");
        }
    }

    #[test]
    fn strings_and_characters_undo_escapes() {
        assert_eq!(string(&["\"ab\\n\"", "\"\\x41\\0\""]), string(&["\"12345\""]));
        assert_eq!(character("'\\n'").1, Some(10));
        assert_eq!(character("'\\377'").1, Some(-1));
        assert_eq!(kind(&character("L'x'").0), Basic::Int);
    }
}
