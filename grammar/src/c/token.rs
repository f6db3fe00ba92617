//! The tokens of C after preprocessing, as the compiler proper sees them, each with its origin.
//!
//! Holds afterwards: concatenating the spellings of a file's preprocessing tokens and the trivia
//! between them gives the file back, byte for byte.

use cppc_source::{Diagnostic, Expansions, Origin, Span};

/// One token. Cheap to copy: texts are in the unit's `Names`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// The spelling of an identifier, literal or keyword; of a punctuator too.
    pub text: Name,
    pub origin: Origin,
}

/// An interned spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// What kind of token it is for the grammar. Keywords and punctuators are told apart by `text`
/// when the parser asks; GNU spellings (`__const__`) keep their own spelling.
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

/// The spellings of a translation unit, each once.
///
/// Bytes that are not UTF-8 stand in a spelling as characters of their own, see `spell_bytes`.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// All texts, one after the other.
    buffer: String,
    /// Where each text ends in the buffer; it starts where the one before it ends.
    ends: Vec<u32>,
    /// Open addressing over a power of two: a name's number plus one, 0 where there is none.
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    hash: u32,
    number: u32,
}

impl Names {
    pub fn intern(&mut self, text: &str) -> Name {
        // At most half full, so that a search is short and always ends.
        if self.slots.len() < 2 * (self.ends.len() + 1) {
            self.grow();
        }
        let hash = hash(text.as_bytes());
        let at = self.slot(hash, text.as_bytes());
        if self.slots[at].number == 0 {
            self.buffer.push_str(text);
            self.ends.push(self.buffer.len() as u32);
            self.slots[at] = Slot { hash, number: self.ends.len() as u32 };
        }
        Name(self.slots[at].number - 1)
    }

    /// The name of what bytes of a file spell. Whether they are UTF-8 is only asked the first time.
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
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(hash(text), text)].number.checked_sub(1).map(Name)
    }

    pub fn text(&self, name: Name) -> &str {
        let at = name.0 as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.buffer[start as usize..self.ends[at] as usize]
    }

    /// How many names there are: each is below it.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The slot that holds the text, or the empty one where it belongs.
    fn slot(&self, hash: u32, text: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            let found = slot.number == 0
                || slot.hash == hash && self.text(Name(slot.number - 1)).as_bytes() == text;
            if found {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(4096);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for slot in old.into_iter().filter(|slot| slot.number != 0) {
            let mut at = slot.hash as usize & (size - 1);
            while self.slots[at].number != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = slot;
        }
    }
}

/// Multiply and fold, eight bytes at a time: names are short and nobody attacks this table with
/// more than its own time.
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

/// The first of 128 characters of a private plane that stand for the bytes 0x80 to 0xff where
/// these are not UTF-8.
const FOREIGN: u32 = 0x10_ff00;

/// The text of bytes, so that `spell_bytes` gives the bytes back.
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

/// The bytes of a spelling as they stand in the file.
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
#[derive(Debug, Default)]
pub struct Preprocessed {
    pub tokens: Vec<Token>,
    pub names: Names,
    pub expansions: Expansions,
    /// Every `#pragma` (and `_Pragma`) that is not skipped, in the order of the text.
    pub pragmas: Vec<Pragma>,
    pub diagnostics: Vec<Diagnostic>,
}

/// A pragma and where it stands among the tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pragma {
    /// From `#` to before the line's end (all its spliced lines), or the whole `_Pragma(…)`.
    pub span: Span,
    /// What brought it when it does not stand in its file as it is: `_Pragma` in a macro.
    pub origin: Origin,
    /// Whether it is written `_Pragma("…")`.
    pub operator: bool,
    /// What follows `pragma`, macros not expanded.
    pub tokens: Vec<Token>,
    /// The same with macros expanded.
    pub expanded: Vec<Token>,
    /// The index in the unit's tokens of the first token after it.
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
