//! The hidden variables of a procedure.
//!
//! Input: the slots of its plan.
//! Output: a name for each slot that is a variable of the procedure.
//! Postcondition: the names are distinct.

use std::collections::HashMap;

use super::expression::{Expr, Name};
use crate::plan::{ProcedurePlan, Role, SavedMemberId, SavedMemberKind};

pub(super) struct Names {
    /// None for a slot that is a cell of the runtime.
    slots: Vec<Option<String>>,
}

impl Names {
    pub fn new(plan: &ProcedurePlan) -> Names {
        let mut counts: HashMap<&'static str, u32> = HashMap::new();
        let slots = plan.slots.iter().map(|slot| {
            let word = word(&slot.kind)?;
            let count = counts.entry(word).or_default();
            *count += 1;
            Some(format!("{}_{count}", word.to_ascii_uppercase()))
        });
        Names { slots: slots.collect() }
    }

    /// The hidden variable of a slot; none for a cell.
    pub fn variable(&self, id: SavedMemberId) -> Option<Name> {
        self.slots[id.0].clone().map(Name::hidden)
    }

    /// The hidden variable of a slot that is not a cell.
    pub fn slot(&self, id: SavedMemberId) -> Expr {
        Expr::hidden(self.slots[id.0].clone().unwrap_or_default())
    }
}

/// The number of the cell of a saved variable.
pub(super) fn cell(id: SavedMemberId) -> u32 {
    id.0 as u32 + 1
}

/// Stands for the name of a module in generated names. They are too short for the name itself.
pub(super) fn hash_of_module(name: &str) -> String {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016X}")
}

fn word(kind: &SavedMemberKind) -> Option<&'static str> {
    match kind {
        SavedMemberKind::Saved { .. } | SavedMemberKind::PathPointer { .. } => None,
        SavedMemberKind::Value(_) => Some("value"),
        SavedMemberKind::Argument(_) => Some("argument"),
        SavedMemberKind::Operand(_) => Some("operand"),
        SavedMemberKind::Choice(_) => Some("choice"),
        SavedMemberKind::Capture { .. } => Some("capture"),
        SavedMemberKind::Hidden { role, .. } => Some(role_word(*role)),
    }
}

fn role_word(role: Role) -> &'static str {
    match role {
        Role::Condition => "true",
        Role::Case => "case",
        Role::First => "first",
        Role::Last => "last",
        Role::Step => "step",
        Role::Branch => "branch",
        Role::Alternate => "alternate",
        Role::Bounds => "bounds",
        Role::Lent => "lent",
        Role::Repeated => "repeated",
        Role::Substitute => "substitute",
        Role::Shape => "shape",
    }
}
