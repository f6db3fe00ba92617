//! What the statements of all procedures do to variables that they pass on.
//!
//! Input: the statements. Output: lists of calls, changes and moves, in the order of the program.

use cppc_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::copies::Associations;
use super::ids::{ProcedureId, SymbolId};
use super::repointed::{Followed, Pointer};

/// A call with the variables that it passes.
pub(super) struct Call {
    pub caller: ProcedureId,
    /// The procedure with its body, if it is here.
    pub callee: Option<ProcedureId>,
    /// No procedure of the program is behind it.
    pub foreign: bool,
    /// Each with the dummy argument, if that is known.
    pub passed: Vec<(SymbolId, Option<SymbolId>)>,
}

#[derive(Default)]
pub(super) struct Gathered {
    pub calls: Vec<Call>,
    pub changed: FxHashSet<SymbolId>,
    pub moved: Vec<Move>,
    pub associations: Associations,
    /// Pointers that a procedure points elsewhere.
    pub repointed: Vec<(ProcedureId, Pointer)>,
    pub lent: Vec<Lent>,
    /// The variables that the names of ASSOCIATE, SELECT TYPE and SELECT RANK mean, or that contain what they mean.
    pub selected: FxHashMap<SymbolId, SymbolId>,
    pub followed: Vec<Followed>,
}

/// Memory that is allocated, given back or pointed elsewhere.
pub(super) struct Move {
    pub procedure: ProcedureId,
    pub variable: SymbolId,
    /// The component of the variable, or of a component, that moves.
    pub component: Option<String>,
    pub span: Span,
    /// Or may be: an assignment allocates what has another shape anew.
    pub is_certain: bool,
    /// An ALLOCATE statement for an allocatable, which had no memory before.
    pub is_new: bool,
}

/// An argument whose memory the called procedure can move.
pub(super) struct Lent {
    pub caller: ProcedureId,
    pub variable: SymbolId,
    pub component: Option<String>,
    pub dummy: SymbolId,
    pub span: Span,
}

impl Gathered {
    /// The variable behind the name of a construct.
    pub fn meant(&self, variable: SymbolId) -> SymbolId {
        self.selected.get(&variable).copied().unwrap_or(variable)
    }
}
