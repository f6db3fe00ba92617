//! Names that are written almost like one that is visible.

use super::bound::Bound;
use super::ids::{ScopeId, SymbolId, TypeId};

/// A name closer than this to a visible one was probably meant to be it.
const SIMILAR: f64 = 0.8;

impl Bound<'_> {
    /// The visible variable whose name is most like this one.
    pub(super) fn nearest(&self, scope: ScopeId, name: &str) -> Option<(String, SymbolId)> {
        let mut best: Option<(f64, &str, SymbolId)> = None;
        let mut next = Some(scope);
        while let Some(id) = next {
            let found = self.scope(id);
            for (other, &symbol) in &found.names {
                let score = strsim::jaro_winkler(name, other);
                let better = best
                    .is_none_or(|(most, known, _)| score > most || (score == most && other.as_str() < known));
                if score >= SIMILAR && better && self.symbol(symbol).is_variable() {
                    best = Some((score, other, symbol));
                }
            }
            next = found.parent;
        }
        best.map(|(_, name, id)| (name.to_owned(), id))
    }

    /// The component whose name is most like this one.
    pub(super) fn nearest_component(&self, ty: TypeId, name: &str) -> Option<String> {
        let components = self.components_of(ty);
        let scored = components.iter().map(|one| (strsim::jaro_winkler(name, &one.name), &one.name));
        let best = scored.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(score, _)| *score >= SIMILAR);
        best.map(|(_, name)| name.clone())
    }
}
