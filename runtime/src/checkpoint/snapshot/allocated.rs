//! Registers that have as many elements as their allocation.
//!
//! Input: the registers, and the allocations of the program.
//! Output: the number of elements of each of these registers.
//! Postcondition: a pointer into the memory of another register, or to its end, has no elements of its own.

use super::symbols::Constants;
use super::{extent, Refusal, SnapshotInput};
use crate::allocations::{self, Fault, Found};
use crate::register::memory::{is_padded, Range};
use crate::register::segments::Segments;
use crate::register::Register;

/// Disjoint ranges, sorted. No two of them touch.
pub(super) struct Owned(Vec<std::ops::Range<usize>>);

impl Owned {
    pub fn new(ranges: impl Iterator<Item = Range>) -> Owned {
        let mut all: Vec<Range> = ranges.filter(|range| range.size_bytes > 0).collect();
        all.sort_unstable_by_key(|range| range.address);
        let mut merged: Vec<std::ops::Range<usize>> = Vec::new();
        for range in all {
            match merged.last_mut() {
                Some(last) if range.address <= last.end => last.end = last.end.max(range.end()),
                _ => merged.push(range.address..range.end()),
            }
        }
        Owned(merged)
    }

    /// Whether a pointer points into a range, or to the end of one where no other allocation begins.
    pub fn contain_target(&self, address: usize) -> bool {
        let begins =
            matches!(allocations::find(address), Found::Allocation { start, .. } if start == address);
        self.end_around(address).is_some_and(|end| address < end || !begins)
    }

    /// Whether a range contains the rest of the allocation in which the pointer is, or that ends there. `address` is not the start
    /// of an allocation.
    fn contain_rest(&self, address: usize) -> bool {
        let Some(end) = self.end_around(address) else { return false };
        let inside = allocations::find(address);
        let found = match inside {
            Found::Unknown if address == end => allocations::find(address - 1),
            found => found,
        };
        match found {
            Found::Allocation { start, size_bytes } => start != address && start + size_bytes <= end,
            Found::Unknown => true,
            Found::Freed => false,
        }
    }

    /// The end of the range that contains the address, or that ends there.
    fn end_around(&self, address: usize) -> Option<usize> {
        let after = self.0.partition_point(|range| range.start <= address);
        let end = self.0[after.checked_sub(1)?].end;
        (address <= end).then_some(end)
    }
}

/// Whether the first byte of the allocation at this address can be read, and what the allocator keeps before it. This is
/// also true if no allocation is known there.
fn is_allocation_readable(address: usize, segments: &Segments) -> bool {
    let before = allocations::header_bytes(address);
    let header = Range { address: address.saturating_sub(before), size_bytes: before + 1 };
    segments.is_readable(header) || !matches!(allocations::find(address), Found::Allocation { .. })
}

impl SnapshotInput<'_> {
    /// Sets the number of elements of registers that have that of their allocation.
    pub(super) fn count_allocations(
        &self,
        registers: &mut [Register],
        constants: &Constants,
    ) -> Result<(), Refusal> {
        let mut faults = Vec::new();
        for (index, register) in registers.iter_mut().enumerate() {
            if !register.storage.is_allocation() {
                continue;
            }
            let address = extent(register).address;
            let count = match address == 0 || constants.contain(address) {
                true => Ok(0),
                false => self.elements_of_allocation(register),
            };
            register.count = count.unwrap_or_else(|fault| {
                faults.push((index, fault));
                0
            });
        }
        if faults.is_empty() {
            return Ok(());
        }
        // A program may move its pointer, while another one points to the start of the memory.
        let owned = Owned::new(registers.iter().map(extent));
        let is_kept = |fault: &Fault, address: usize| {
            matches!(fault, Fault::Interior { .. } | Fault::Unknown) && owned.contain_rest(address)
        };
        let lost =
            faults.into_iter().find(|(index, fault)| !is_kept(fault, extent(&registers[*index]).address));
        lost.map_or(Ok(()), |(index, fault)| Err(self.refusal(&registers[index], fault)))
    }

    /// The number of elements of the allocation that begins where a pointer points to.
    pub(super) fn elements_of_allocation(&self, register: &Register) -> Result<usize, Fault> {
        let address = extent(register).address;
        // A library may have freed the memory.
        match is_allocation_readable(address, self.segments) {
            true => allocations::count(address, register.element_bytes, !is_padded()),
            false => Err(Fault::Freed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_owned_up_to_its_end() {
        let range = |address, size_bytes| Range { address, size_bytes };
        let owned = Owned::new(
            [range(100, 8), range(300, 0), range(108, 4), range(90, 4), range(200, 16), range(204, 4)]
                .into_iter(),
        );
        assert_eq!(owned.0, [90..94, 100..112, 200..216]);
        let found =
            [89, 90, 94, 95, 108, 112, 113, 216, 217, 300].map(|address| owned.end_around(address).is_some());
        assert_eq!(found, [false, true, true, false, true, true, false, true, false, false]);
    }
}
