//! Pointers that may point to elements with gaps between them.
//!
//! Postcondition: a component is the same in all variables of its type.

use rustc_hash::FxHashSet;

use super::ids::{ScopeId, SymbolId};

/// Pointers that may point to elements with gaps between them.
#[derive(Debug, Default)]
pub struct GappedPointers {
    pub(super) variables: FxHashSet<SymbolId>,
    /// The scope of the derived type, and the name of the component.
    pub(super) components: FxHashSet<(ScopeId, String)>,
}

impl GappedPointers {
    pub(super) fn has_variable(&self, variable: SymbolId) -> bool {
        self.variables.contains(&variable)
    }

    pub(super) fn has_component(&self, home: ScopeId, name: &str) -> bool {
        self.components.contains(&(home, name.to_ascii_lowercase()))
    }

    pub(super) fn len(&self) -> usize {
        self.variables.len() + self.components.len()
    }
}
