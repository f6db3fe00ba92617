//! Slots for the values of one statement: results of calls, arguments, operands, choices.
//!
//! Input: the values that a statement needs, and its steps when they are complete.
//! Output: slots of earlier statements, which are used again, and complete captures.
//! Postcondition: a slot has one meaning within a statement.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use cppc_source::Span;

use super::carry::carry;
use super::{SavedMember, SavedMemberId, Step};
use crate::model::Class;

#[derive(Default)]
pub(super) struct Temporaries {
    /// Those of the current statement, with the text of the value.
    used: BTreeMap<SavedMemberId, Option<Span>>,
    /// Those of earlier statements, in order.
    free: BTreeSet<SavedMemberId>,
    /// Those that contain addresses that are not passed to the runtime.
    addresses: BTreeSet<SavedMemberId>,
}

impl Temporaries {
    /// A slot of an earlier statement that can have such a value.
    pub fn free(
        &self,
        slots: &[SavedMember],
        wanted: &SavedMember,
        holds_address: bool,
    ) -> Option<SavedMemberId> {
        self.free
            .iter()
            .copied()
            .find(|&id| is_alike(&slots[id.0], wanted) && self.holds_address(id) == holds_address)
    }

    /// Records that the current statement uses a slot for the value of this text.
    pub fn take(&mut self, slot: SavedMemberId, text: Option<Span>, holds_address: bool) {
        self.free.remove(&slot);
        self.used.insert(slot, text);
        if holds_address {
            self.addresses.insert(slot);
        }
    }

    pub fn holds_address(&self, slot: SavedMemberId) -> bool {
        self.addresses.contains(&slot)
    }

    /// Ends a statement, after its steps are complete. The rest of the statement uses all slots in `after` at
    /// the same time.
    pub fn complete(&mut self, steps: &mut [Step], after: impl IntoIterator<Item = SavedMemberId>) {
        let used = std::mem::take(&mut self.used);
        carry(steps, &used, after);
        self.free.extend(used.into_keys());
    }
}

/// Whether a slot can have such a value. A slot whose size is known only at run time has exactly one value.
fn is_alike(slot: &SavedMember, wanted: &SavedMember) -> bool {
    discriminant(&slot.kind) == discriminant(&wanted.kind)
        && slot.pattern == wanted.pattern
        && slot.code == wanted.code
        && slot.class == wanted.class
        && !matches!(wanted.class, Class::Dynamic { .. })
}
