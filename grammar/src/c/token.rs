//! The tokens of C after preprocessing, as the compiler proper sees them, each with its origin.
//!
//! Holds afterwards: concatenating the spellings of a file's preprocessing tokens and the trivia
//! between them gives the file back, byte for byte.

use std::sync::Arc;

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
#[derive(Debug, Clone, Default)]
pub struct Names {
    texts: Vec<Arc<str>>,
    index: std::collections::HashMap<Arc<str>, Name>,
}

impl Names {
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.index.get(text) {
            return name;
        }
        let text: Arc<str> = text.into();
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.clone());
        self.index.insert(text, name);
        name
    }

    pub fn find(&self, text: &str) -> Option<Name> {
        self.index.get(text).copied()
    }

    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
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
