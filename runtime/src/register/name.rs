//! Names as numbers, so that comparing two of them is cheap.
//!
//! Input: the text of a name.
//! Output: its symbol.
//! Postcondition: equal texts have equal symbols. A text that was seen before allocates no memory.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The empty name: the procedure of the root frame, or a call through a pointer.
    pub const EMPTY: Symbol = Symbol(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The suffix of the name of an array's bounds.
pub const BOUNDS: &str = "(:)";

#[derive(Debug)]
pub struct Names {
    texts: Vec<String>,
    symbols: HashMap<String, Symbol, BuildHasherDefault<ShortText>>,
    /// For each name whose bounds were requested, the name of the bounds.
    bounds: HashMap<Symbol, Symbol>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Names { texts: Vec::new(), symbols: HashMap::default(), bounds: HashMap::new() };
        names.symbol("");
        names
    }
}

impl Names {
    pub fn symbol(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.symbols.insert(text.to_owned(), symbol);
        symbol
    }

    /// The symbol of a text that has one.
    pub fn known(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// The name of the bounds of an array in a state file.
    pub fn bounds(&mut self, name: Symbol) -> Symbol {
        if let Some(&bounds) = self.bounds.get(&name) {
            return bounds;
        }
        let bounds = self.symbol(&format!("{}{BOUNDS}", self.text(name)));
        self.bounds.insert(name, bounds);
        bounds
    }

    /// All texts, by index of their symbols.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.index()]
    }
}

/// FNV-1a, which is fast for short texts. Collisions by an attacker are no concern, because the names come
/// from the program itself.
struct ShortText(u64);

impl Default for ShortText {
    fn default() -> Self {
        ShortText(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for ShortText {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_symbols() {
        let mut names = Names::default();
        let first = names.symbol("matrix");
        assert_eq!(names.symbol("matrix"), first);
        assert_ne!(names.symbol("matrices"), first);
        assert_eq!(names.text(first), "matrix");
        assert_eq!(names.symbol(""), Symbol::EMPTY);
    }
}
