//! Where integers with handles of libraries are.
//!
//! Postcondition: variables of different names in a COMMON block are different places.

use rustc_hash::FxHashSet;

use super::ids::{SymbolId, TypeId};

/// A variable, the variable of that name in a COMMON block, or a component in each variable of a type. An array is one
/// place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HandlePlace {
    Variable(SymbolId),
    Common { block: String, name: String },
    Component(TypeId, String),
}

/// The places with handles that a restart creates again.
#[derive(Debug, Default)]
pub struct HandlePlaces {
    /// All statements that set them are repeated.
    pub current: FxHashSet<HandlePlace>,
    /// Some statements that set them are not repeated.
    pub mixed: FxHashSet<HandlePlace>,
}
