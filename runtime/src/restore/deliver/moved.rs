//! Registers that a restart delivers at another address than the program had them at.
//!
//! Input: the pointers that the program had, and those that a restart sets.
//! Output: the pointers that still point to the earlier memory.
//! Postcondition: nothing was written.

use super::super::stale::{self, EarlierMemory, Stale};
use super::{Delivery, Request, Saved};
use crate::register::memory::Range;
use crate::register::segments::mappings;
use cppc_abi::types::{self, Class};

/// Pointers to numbers point to their first byte, or to a part of a complex number. In structures and bytes, each
/// byte may have a pointer to it.
fn step_bytes(type_code: i32) -> usize {
    match types::by_code(type_code) {
        Some(found) if found.class == Class::Complex => found.size_bytes / 2,
        Some(found) => found.size_bytes,
        None => 1,
    }
}

impl Delivery {
    /// Records that the register is now at `address`, if it was elsewhere before.
    /// `was` reads where it was, if nothing else knows it.
    pub(super) fn record_move(
        &mut self,
        request: &Request,
        saved: &Saved,
        was: impl FnOnce() -> usize,
        address: usize,
    ) {
        let size_bytes = (saved.count as usize).saturating_mul(saved.element_bytes as usize);
        // The slot may itself be in memory that was delivered already, where the pointer is not set yet.
        let slot = request.address;
        let before = || self.earlier.pointer_before(slot);
        let was = self.overwritten.pointer(slot).or_else(before).unwrap_or_else(was);
        if was != address && size_bytes > 0 {
            let range = Range { address: was, size_bytes };
            self.earlier.extend(EarlierMemory::new(
                request.name,
                range,
                step_bytes(request.type_code),
                address,
                &self.mapped,
            ));
        }
    }

    /// The pointers that still point to the earlier memory of registers. `stack` is the stack of the open
    /// calls.
    pub fn stale(&self, stack: Range) -> Vec<Stale> {
        if self.earlier.is_empty() {
            return Vec::new();
        }
        let whole = (0..).zip(&self.blocks).filter(|(index, _)| !self.fields.contains_key(index));
        let placed = whole.filter_map(|(index, block)| {
            Some(Range { address: block.base?, size_bytes: self.native_size(index) })
        });
        stale::find(self.earlier.all(), &self.mapped, &mappings(), &placed.collect::<Vec<_>>(), stack)
    }
}
