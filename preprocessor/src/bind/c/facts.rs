//! What is known of each procedure besides its names: addresses taken, calls, labels.

use super::ids::SymbolId;
use std::collections::BTreeSet;

use cppc_grammar::c::token::Name;
use cppc_grammar::c::tree::{ExprId, Range};

#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Variables whose address is taken in this procedure, `&x.f`, `&x[i]` and asm operands in
    /// memory too; and those that a nested function uses.
    pub address_taken: BTreeSet<SymbolId>,
    /// Where variables of the procedure get values, by the token: assignments to them and to their parts, initialisers,
    /// and whatever may do it because it has their address.
    pub set: Vec<(SymbolId, u32)>,
    /// In the order of the text, those in nested expressions too.
    pub calls: Vec<CallFact>,
    pub labels: Vec<LabelFact>,
    pub gotos: Vec<GotoFact>,
    /// `&&label`, `goto *`, `asm goto`: jumps that cannot be followed.
    pub computed_jumps: Vec<Range>,
}

#[derive(Debug, Clone)]
pub struct CallFact {
    /// The call expression.
    pub expr: ExprId,
    pub range: Range,
    pub callee: Callee,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Callee {
    Function(SymbolId),
    /// Through a pointer, or a callee that we do not understand.
    Pointer,
    /// `__builtin_…` without a declaration.
    Builtin(Name),
}

#[derive(Debug, Clone)]
pub struct LabelFact {
    pub name: Name,
    /// The token of its name.
    pub token: u32,
    /// The labelled statement, label included.
    pub range: Range,
}

#[derive(Debug, Clone)]
pub struct GotoFact {
    pub name: Name,
    pub token: u32,
    /// The whole `goto` statement.
    pub range: Range,
}
