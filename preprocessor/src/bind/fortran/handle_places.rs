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

/// The places with handles. A place is *current* if all statements that set it are repeated in a restart, and *mixed* if
/// only some are.
#[derive(Debug, Default)]
pub struct HandlePlaces {
    /// For arguments. A dummy argument that its procedure does not set is current: a restart calls the procedure with the
    /// right value.
    pub arguments: Handles,
    /// For registers and captures. A dummy argument is mixed if one of its arguments is.
    pub items: Handles,
    /// COMMON blocks whose variables have different names in different procedures. They are not followed.
    pub renamed: FxHashSet<String>,
}

#[derive(Debug, Default)]
pub struct Handles {
    pub current: FxHashSet<HandlePlace>,
    pub mixed: FxHashSet<HandlePlace>,
}
