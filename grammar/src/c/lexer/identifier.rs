//! Identifiers with characters beyond ASCII, written directly or as `\u00e9`.

/// The spelling of an identifier with its universal character names replaced by the characters.
pub fn unescape(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some((character, length)) = identifier_character(&text[at..]) {
        plain.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        at += length;
    }
    plain
}

/// The first character and the number of bytes that spell it.
pub fn identifier_character(text: &[u8]) -> Option<(char, usize)> {
    let digits = match text {
        [] => return None,
        [b'\\', b'u', ..] => text.get(2..6)?,
        [b'\\', b'U', ..] => text.get(2..10)?,
        [byte, ..] if byte.is_ascii() => return Some((*byte as char, 1)),
        _ => {
            let chunk = text[..text.len().min(4)].utf8_chunks().next()?;
            let character = chunk.valid().chars().next()?;
            return Some((character, character.len_utf8()));
        }
    };
    let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((char::from_u32(code)?, digits.len() + 2))
}

/// Characters allowed in identifiers (C11, annex D).
pub fn may_stand_in_identifier(character: char, first: bool) -> bool {
    let within = |ranges: &[(u32, u32)]| {
        ranges.iter().any(|&(low, high)| (low..=high).contains(&u32::from(character)))
    };
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || matches!(character, '_' | '$');
    }
    within(&IDENTIFIER_RANGES) && !(first && within(&NOT_FIRST_RANGES))
}

#[rustfmt::skip]
const IDENTIFIER_RANGES: [(u32, u32); 45] = [
    (0xa8, 0xa8), (0xaa, 0xaa), (0xad, 0xad), (0xaf, 0xaf), (0xb2, 0xb5), (0xb7, 0xba),
    (0xbc, 0xbe), (0xc0, 0xd6), (0xd8, 0xf6), (0xf8, 0xff), (0x100, 0x167f), (0x1681, 0x180d),
    (0x180f, 0x1fff), (0x200b, 0x200d), (0x202a, 0x202e), (0x203f, 0x2040), (0x2054, 0x2054),
    (0x2060, 0x206f), (0x2070, 0x218f), (0x2460, 0x24ff), (0x2776, 0x2793), (0x2c00, 0x2dff),
    (0x2e80, 0x2fff), (0x3004, 0x3007), (0x3021, 0x302f), (0x3031, 0x303f), (0x3040, 0xd7ff),
    (0xf900, 0xfd3d), (0xfd40, 0xfdcf), (0xfdf0, 0xfe44), (0xfe47, 0xfffd),
    (0x10000, 0x1fffd), (0x20000, 0x2fffd), (0x30000, 0x3fffd), (0x40000, 0x4fffd),
    (0x50000, 0x5fffd), (0x60000, 0x6fffd), (0x70000, 0x7fffd), (0x80000, 0x8fffd),
    (0x90000, 0x9fffd), (0xa0000, 0xafffd), (0xb0000, 0xbfffd), (0xc0000, 0xcfffd),
    (0xd0000, 0xdfffd), (0xe0000, 0xefffd),
];

const NOT_FIRST_RANGES: [(u32, u32); 4] =
    [(0x300, 0x36f), (0x1dc0, 0x1dff), (0x20d0, 0x20ff), (0xfe20, 0xfe2f)];
