//! The tokens of C after preprocessing, as the compiler proper reads them, each with its origin.
//!
//! Postcondition: concatenating the spellings of a file's preprocessing tokens and the trivia between them
//! gives the bytes of the file.

use cppc_source::{Diagnostic, Expansions, Origin, Span};

/// One token. It is cheap to copy, because its text is in the unit's `Names`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// The spelling of an identifier, literal, keyword or punctuator.
    pub text: Name,
    pub origin: Origin,
}

/// An interned spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// The kind of a token for the grammar. The parser distinguishes keywords and punctuators by `text`. GNU
/// spellings (`__const__`) keep their spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    Identifier,
    Keyword,
    Integer,
    Float,
    Character,
    String,
    Punctuator,
}

/// The spellings of a translation unit, each stored once.
///
/// In a spelling, bytes that are not UTF-8 are represented by special characters, see `spell_bytes`.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// All texts, concatenated.
    buffer: String,
    /// The offset in the buffer at which each text ends. It starts where the previous text ends.
    ends: Vec<u32>,
    /// A hash table with open addressing whose size is a power of two. An entry contains the number of a name
    /// plus one, or 0 if it is empty.
    entries: Vec<TableEntry>,
}

#[derive(Debug, Clone, Copy, Default)]
struct TableEntry {
    hash: u32,
    number: u32,
}

impl Names {
    pub fn intern(&mut self, text: &str) -> Name {
        // At most half full, so that a search is short and always ends.
        if self.entries.len() < 2 * (self.ends.len() + 1) {
            self.grow();
        }
        let hash = hash(text.as_bytes());
        let at = self.entry(hash, text.as_bytes());
        if self.entries[at].number == 0 {
            self.buffer.push_str(text);
            self.ends.push(self.buffer.len() as u32);
            self.entries[at] = TableEntry { hash, number: self.ends.len() as u32 };
        }
        Name(self.entries[at].number - 1)
    }

    /// The name of the text that bytes of a file spell. The bytes are checked for UTF-8 only at their first
    /// occurrence.
    pub fn intern_bytes(&mut self, bytes: &[u8]) -> Name {
        match self.find_bytes(bytes) {
            Some(name) => name,
            None => self.intern(&text_of_bytes(bytes)),
        }
    }

    pub fn find(&self, text: &str) -> Option<Name> {
        self.find_bytes(text.as_bytes())
    }

    fn find_bytes(&self, text: &[u8]) -> Option<Name> {
        if self.entries.is_empty() {
            return None;
        }
        self.entries[self.entry(hash(text), text)].number.checked_sub(1).map(Name)
    }

    pub fn text(&self, name: Name) -> &str {
        let at = name.0 as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.buffer[start as usize..self.ends[at] as usize]
    }

    /// The number of names. Every name is less than it.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The entry that contains the text, or the empty entry where it belongs.
    fn entry(&self, hash: u32, text: &[u8]) -> usize {
        let mask = self.entries.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let entry = self.entries[at];
            let found = entry.number == 0
                || entry.hash == hash && self.text(Name(entry.number - 1)).as_bytes() == text;
            if found {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.entries.len() * 2).max(4096);
        let old = std::mem::replace(&mut self.entries, vec![TableEntry::default(); size]);
        for entry in old.into_iter().filter(|entry| entry.number != 0) {
            let mut at = entry.hash as usize & (size - 1);
            while self.entries[at].number != 0 {
                at = (at + 1) & (size - 1);
            }
            self.entries[at] = entry;
        }
    }
}

/// Multiplies and folds eight bytes at a time. Names are short. A hash that resists attacks is not needed: a
/// source that causes collisions only slows down its own translation.
fn hash(text: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = text.len() as u64;
    let mut chunks = text.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        state = (state.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    let rest = chunks.remainder().iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
    state = (state.rotate_left(5) ^ rest).wrapping_mul(FACTOR);
    (state >> 32) as u32
}

/// The first of 128 private-use characters that represent the bytes 0x80 to 0xff where these are not UTF-8.
const FOREIGN: u32 = 0x10_ff00;

/// The text that represents the bytes. `spell_bytes` is its inverse.
pub fn text_of_bytes(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => foreign_text(bytes).into(),
    }
}

fn foreign_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let foreign = chunk.invalid().iter().map(|&byte| FOREIGN + u32::from(byte));
        text.extend(foreign.filter_map(char::from_u32));
    }
    text
}

/// The bytes of a spelling as they are in the file.
pub fn spell_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match u32::from(character).checked_sub(FOREIGN) {
            Some(byte @ 0x80..=0xff) => bytes.push(byte as u8),
            _ => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// A translation unit after preprocessing.
#[derive(Debug, Clone, Default)]
pub struct Preprocessed {
    pub tokens: Vec<Token>,
    pub names: Names,
    pub expansions: Expansions,
    /// Every `#pragma` and `_Pragma` that is not skipped, in text order.
    pub pragmas: Vec<Pragma>,
    pub diagnostics: Vec<Diagnostic>,
}

/// A pragma and its position among the tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pragma {
    /// From `#` to the end of the line, including its spliced lines, or the whole `_Pragma(…)`.
    pub span: Span,
    /// The macro that produced it, if it is not in its file: `_Pragma` in a macro.
    pub origin: Origin,
    /// True if it is written as `_Pragma("…")`.
    pub operator: bool,
    /// The tokens after `pragma`, macros not expanded.
    pub tokens: Vec<Token>,
    /// The tokens after `pragma`, macros expanded.
    pub expanded: Vec<Token>,
    /// The index of the first token of the unit that follows it.
    pub before: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_name() {
        let mut names = Names::default();
        assert_eq!(names.find("a"), None);
        let many: Vec<Name> = (0..10_000).map(|n| names.intern(&format!("name{n}"))).collect();
        for (n, &name) in many.iter().enumerate() {
            let text = format!("name{n}");
            assert_eq!(names.intern(&text), name);
            assert_eq!(names.find(&text), Some(name));
            assert_eq!(names.text(name), text);
        }
        assert_eq!(names.len(), 10_000);
        assert_eq!(names.find(""), None);
        let empty = names.intern("");
        assert_eq!(names.text(empty), "");
    }

    #[test]
    fn foreign_bytes_come_back() {
        for bytes in [&b"plain"[..], b"caf\xe9 \xc3\xa9", b"\xff\xfe\x80", b""] {
            assert_eq!(spell_bytes(&text_of_bytes(bytes)), bytes);
        }
    }
}
