//! The names of a source that generated ones might be.

use std::collections::BTreeSet;

use crate::bind::fortran::Bound;

/// What generated names begin with.
const PREFIX: &str = "cppc";

/// Words of the lines, and names as the tree knows them: in fixed form blanks may stand within. Only those
/// that begin as generated names do.
pub(super) fn names(bound: &Bound, source: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    for line in &bound.sources[source].lines.lines {
        for word in line.text.split(|byte| !is_word(byte)) {
            let begins = word.get(..PREFIX.len()).is_some_and(|first| first.eq_ignore_ascii_case(PREFIX.as_bytes()));
            if begins {
                names.insert(String::from_utf8_lossy(word).to_ascii_lowercase());
            }
        }
    }
    let known = bound.symbols.iter().map(|symbol| &symbol.name);
    names.extend(known.filter(|name| name.starts_with(PREFIX) && !name.contains(' ')).cloned());
    names
}
