//! The names in a source that generated names could equal.

use std::collections::BTreeSet;

use crate::bind::fortran::{Bound, Source};

/// The prefix of generated names.
const PREFIX: &str = "cppc";

/// For each source, the words of its lines, and for all sources the names in the trees, because names in
/// fixed form may contain blanks. Only names with the prefix of generated names are included.
pub(super) fn names(bound: &Bound) -> Vec<BTreeSet<String>> {
    let known = bound.symbols.iter().map(|symbol| &symbol.name);
    let known: BTreeSet<String> =
        known.filter(|name| name.starts_with(PREFIX) && !name.contains(' ')).cloned().collect();
    let of_source = |source: &Source| {
        let mut names = known.clone();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        for line in &source.lines.lines {
            for word in line.text.split(|byte| !is_word(byte)) {
                let first = word.get(..PREFIX.len());
                if first.is_some_and(|first| first.eq_ignore_ascii_case(PREFIX.as_bytes())) {
                    names.insert(String::from_utf8_lossy(word).to_ascii_lowercase());
                }
            }
        }
        names
    };
    bound.sources.iter().map(of_source).collect()
}
