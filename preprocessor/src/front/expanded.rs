//! Replaces macro uses in a C source whose statements must be rewritten by the text of their expansions.
//!
//! Input: a unit and its diagnostics.
//! Output: the text of the source with these expansions in place, if a diagnostic is about text inside a macro.
//! Postcondition: each line keeps its number. `has_same_tokens` shows whether the compiler reads the same program.

use std::collections::BTreeMap;

use cppc_grammar::c::token::spell_bytes;
use cppc_source::{Diagnostic, Files, ShownLines, Span};

use super::c::Unit;
use super::{Text, OUT_OF_REACH};

pub fn in_place(unit: &Unit, files: &Files, diagnostics: &[Diagnostic]) -> Option<Text> {
    let preprocessed = &unit.preprocessed;
    let faults = diagnostics.iter().filter(|found| OUT_OF_REACH.contains(&found.code));
    let faults: Vec<Span> = faults
        .filter_map(|found| Some(found.labels.first()?.span))
        .filter(|span| span.file == unit.file)
        .collect();
    if faults.is_empty() {
        return None;
    }
    // The uses by their positions, with the texts of their tokens.
    let mut expanded: BTreeMap<u32, (Span, Vec<u8>)> = BTreeMap::new();
    for token in &preprocessed.tokens {
        let Some(expansion) = token.origin.expansion else { continue };
        let invocation = preprocessed.expansions.get(expansion).invocation;
        let is_wanted = |fault: &Span| fault.start < invocation.end && invocation.start < fault.end;
        if invocation.file == unit.file && faults.iter().any(is_wanted) {
            let (_, text) = expanded.entry(invocation.start).or_insert((invocation, Vec::new()));
            text.extend(spell_bytes(preprocessed.names.text(token.text)));
            text.push(b' ');
        }
    }
    if expanded.is_empty() {
        return None;
    }
    let source = files.get(unit.file);
    let (mut bytes, mut at) = (Vec::with_capacity(source.bytes.len()), 0);
    for (invocation, text) in expanded.into_values() {
        let (start, end) = (invocation.start as usize, invocation.end as usize);
        bytes.extend_from_slice(source.bytes.get(at..start)?);
        bytes.extend(text);
        bytes.extend(source.bytes[start..end].iter().filter(|&&byte| byte == b'\n'));
        at = end;
    }
    bytes.extend_from_slice(&source.bytes[at..]);
    let shown = source.shown().map(|shown| ShownLines {
        unexpanded: shown.unexpanded.clone().or_else(|| Some(source.bytes.clone())),
        ..shown.clone()
    });
    Some(Text { bytes, shown })
}

/// Whether two texts of a source have the same tokens and pragmas after preprocessing. They differ if the expansion of a macro
/// contains its own name, or a pragma.
pub fn has_same_tokens(one: &Unit, other: &Unit) -> bool {
    let (one, other) = (&one.preprocessed, &other.preprocessed);
    one.tokens.len() == other.tokens.len()
        && one.pragmas.len() == other.pragmas.len()
        && one
            .tokens
            .iter()
            .zip(&other.tokens)
            .all(|(a, b)| a.kind == b.kind && one.names.text(a.text) == other.names.text(b.text))
}
