//! Sets the pointers in restored memory, also if their targets are restored later.
//!
//! Input: the relocations of the state file, and the addresses of memory blocks as they become known.
//! Output: pointers with their values, or null until the target is known.
//! Postcondition: a pointer that had to wait for its target is set before the next replayed call, if it is still null. Those in
//! followed arrays are left to `finish`, because the program may have freed their memory.

use super::{Delivery, FieldRange, Saved};
use crate::manifest::{Location, Relocation};
use crate::register::memory::{pointer_at, set_pointer_at, Range as MemoryRange};
use cppc_abi::storage::PARTIAL;
use std::collections::HashMap;
use std::ops::Range;

/// The pointers that wait for each memory block.
#[derive(Debug, Default)]
pub(super) struct WaitingPointers {
    for_block: HashMap<u32, Vec<Waiting>>,
}

#[derive(Debug, Clone, Copy)]
enum Waiting {
    /// The index of a relocation: a pointer in restored memory.
    Relocation(usize),
    /// The index of a register: the pointer that is its slot.
    Register(usize),
}

impl Delivery {
    /// Records the pointers in the content of a register whose targets have no address yet.
    pub(super) fn wait_for_targets(&mut self, saved: &Saved, target: Location) {
        if saved.storage & PARTIAL == 0 {
            self.add_waiting(target.block, self.pointer_offsets(saved, target));
        }
    }

    pub(super) fn add_waiting(&mut self, block: u32, offsets: Range<u64>) {
        let (first, found) = self.manifest().numbered_relocations_in(block, offsets);
        let waits = |target: &Location| !self.symbols.is_in(*target) && self.address(*target).is_none();
        let targets = found
            .iter()
            .zip(first..)
            .filter_map(|(pointer, index)| Some((pointer.target.filter(waits)?, index)));
        let waiting: Vec<(u32, usize)> = targets.map(|(target, index)| (target.block, index)).collect();
        for (block, index) in waiting {
            self.waiting.for_block.entry(block).or_default().push(Waiting::Relocation(index));
        }
    }

    /// Records a pointer that is a register itself, and whose target has no address yet.
    pub(super) fn add_waiting_register(&mut self, index: usize, target: Location) {
        self.waiting.for_block.entry(target.block).or_default().push(Waiting::Register(index));
    }

    /// Sets the pointers to a memory block that has an address now.
    pub(super) fn set_waiting(&mut self, block: u32) {
        for waiting in self.waiting.for_block.remove(&block).unwrap_or_default() {
            let (slot, target) = match waiting {
                Waiting::Relocation(index) => {
                    let Relocation { at, target } = self.manifest().relocations[index];
                    let (base, fields) = (self.blocks[at.block as usize].base, self.fields.get(&at.block));
                    (self.slot(at, base, fields), target)
                }
                // The register may have been made again with another slot, which is the one that counts.
                Waiting::Register(index) => {
                    (self.recovered[index].map(|(slot, _)| slot), self.manifest().registers[index].target)
                }
            };
            let value = target.and_then(|target| self.address(target));
            let (Some(value), Some(slot)) = (value, slot) else { continue };
            // SAFETY: the slot is in memory that the restart has delivered, or that of a register of the file. Such memory
            // lives until the end of the restart.
            unsafe {
                if pointer_at(slot) == 0 {
                    set_pointer_at(slot, value);
                }
            }
        }
    }

    /// The offsets of pointers that are entirely inside the content of a register.
    pub(super) fn pointer_offsets(&self, saved: &Saved, target: Location) -> Range<u64> {
        let size_bytes = saved.count * u64::from(saved.element_bytes);
        let last = (size_bytes + 1).saturating_sub(self.file.machine().pointer_bytes.into());
        target.offset_bytes..target.offset_bytes + last
    }

    /// Sets the pointers in a part of a memory block to their values, as far as these are known.
    pub(super) fn relocate(&self, block: u32, offsets: Range<u64>) {
        for (slot, target) in self.pointers(block, offsets) {
            let value = target.and_then(|target| self.address(target)).unwrap_or(0);
            // SAFETY: the file was verified, so the pointer is inside a register of its memory block, which
            // is in place.
            unsafe { set_pointer_at(slot, value) };
        }
    }

    /// The addresses of the pointers in a part of a memory block, and their targets in the file.
    pub(super) fn pointers(
        &self,
        block: u32,
        offsets: Range<u64>,
    ) -> impl Iterator<Item = (usize, Option<Location>)> + '_ {
        let (base, fields) = (self.blocks[block as usize].base, self.fields.get(&block));
        let slots = self.manifest().relocations_in(block, offsets).iter();
        slots.filter_map(move |relocation| Some((self.slot(relocation.at, base, fields)?, relocation.target)))
    }

    /// The address of the pointer at a place of a memory block with this base.
    fn slot(&self, at: Location, base: Option<usize>, fields: Option<&FieldRange>) -> Option<usize> {
        let offset = match &self.conversion {
            None => at.offset_bytes as usize,
            Some(conversion) => conversion.pointer(at)?,
        };
        match fields {
            None => Some(base?.wrapping_add(offset)),
            Some(fields) => fields.address(offset),
        }
    }

    /// Sets the pointers of recovered registers: all of them, or those whose slot is in the range.
    pub(super) fn set_slots(&self, within: Option<MemoryRange>) {
        let (first, end) = within.map_or((0, usize::MAX), |range| (range.address, range.end()));
        for &(slot, index) in self.slots.range((first, 0)..(end, 0)) {
            // The register may have been made again with another slot.
            if self.recovered[index].is_none_or(|(now, _)| now != slot) {
                continue;
            }
            let saved = &self.manifest().registers[index];
            let value = saved.target.and_then(|target| self.address(target)).unwrap_or(0);
            // SAFETY: the slot of a recovered register is a pointer of the program.
            unsafe { set_pointer_at(slot, value) };
        }
    }
}
