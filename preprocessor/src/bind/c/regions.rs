//! Statements that a pragma of OpenMP or OpenACC hands to several threads.
//!
//! In: the pragmas of a unit and where statements start. Out: the statement of each such pragma.

use rustc_hash::FxHashMap;

use cppc_grammar::c::token::{Names, Pragma, Preprocessed};
use cppc_grammar::c::tree::Range;
use cppc_source::Span;

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

/// Pragmas of OpenMP with a statement that belongs to them.
const OMP: [&str; 20] = [
    "parallel",
    "for",
    "sections",
    "section",
    "single",
    "task",
    "taskloop",
    "taskgroup",
    "critical",
    "master",
    "masked",
    "atomic",
    "ordered",
    "simd",
    "teams",
    "distribute",
    "loop",
    "scope",
    "workshare",
    "target",
];

const ACC: [&str; 7] = ["parallel", "kernels", "serial", "loop", "data", "host_data", "atomic"];

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
    let known: &[&str] = match word(0) {
        "omp" => &OMP,
        "acc" => &ACC,
        _ => return None,
    };
    // Those that stand alone: `target update`, `target enter data`, `ordered depend(…)`.
    let alone = matches!(
        (word(1), word(2)),
        ("target", "update" | "enter" | "exit") | ("ordered", "depend" | "doacross")
    );
    (known.contains(&word(1)) && !alone).then(|| format!("{} {}", word(0), word(1)))
}
