//! Statements that a pragma of OpenMP or OpenACC hands to several threads.
//!
//! Input: the pragmas of a unit and where statements start.
//! Output: the statement of each such pragma.

use rustc_hash::FxHashMap;

use cppc_grammar::c::token::{Names, Pragma, Preprocessed};
use cppc_grammar::c::tree::Range;
use cppc_source::Span;

use crate::bind::regions::{stands_alone, words};

/// A structured block of another pragma: no directive can stand in it.
#[derive(Debug, Clone)]
pub struct Region {
    /// The statement.
    pub range: Range,
    /// The pragma.
    pub pragma: Span,
    /// `omp parallel`
    pub name: String,
}

/// What only C has.
const OWN: [&str; 2] = ["for", "section"];

pub(super) fn regions(preprocessed: &Preprocessed, statements: &FxHashMap<u32, Range>) -> Vec<Region> {
    let found = preprocessed.pragmas.iter().filter_map(|pragma| {
        let name = structured(pragma, &preprocessed.names)?;
        let range = *statements.get(&pragma.before)?;
        Some(Region { range, pragma: pragma.span, name })
    });
    found.collect()
}

fn structured(pragma: &Pragma, names: &Names) -> Option<String> {
    let word = |index: usize| pragma.tokens.get(index).map_or("", |token| names.text(token.text));
    let (family, first) = (word(0), word(1));
    let is_known = words(family, &OWN).any(|known| known == first) && !stands_alone(first, word(2));
    is_known.then(|| format!("{family} {first}"))
}
