//! Fields of consecutive structures as registers.
//!
//! Input: the registers with a layout of fields.
//! Output: registers whose memory is a copy of the fields, one after the other.
//! Postcondition: each field is in no memory of another register. A pointer to a field has a location in the copy. A
//! pointer to another field of these structures has none.

use super::{extent, Refusal, SnapshotInput};
use crate::allocations;
use crate::manifest::{Kind, Location};
use crate::register::fields::{overlapping_fields, overlapping_range, FieldPosition};
use crate::register::memory::Range;
use crate::register::overlap::MemoryBlocks;
use crate::register::segments::Segment;
use crate::register::{FieldRange, Register};
use std::collections::HashMap;

/// The fields of a checkpoint.
#[derive(Debug, Default)]
pub struct SavedFields {
    ranges: Vec<FieldRange>,
    /// For each range its register.
    registers: Vec<usize>,
    /// The copies. The ranges of the snapshot refer to them.
    content: Vec<Vec<u8>>,
    /// Structures that overlap, as indices of ranges. Sorted by address.
    arrays: Vec<ArrayOfFields>,
}

/// Structures with one or more registered fields.
#[derive(Debug)]
struct ArrayOfFields {
    start: usize,
    end: usize,
    ranges: Vec<usize>,
}

impl SnapshotInput<'_> {
    /// Copies the fields, and replaces the memory of their registers by the copies.
    pub(super) fn take_fields(&self, registers: &mut [Register]) -> Result<SavedFields, Refusal> {
        let (mut saved, mut known) = (SavedFields::default(), HashMap::new());
        for (index, register) in registers.iter_mut().enumerate() {
            let Some(layout) = register.fields else { continue };
            let name = || self.names.text(register.name).to_owned();
            if register.kind == Kind::Pointer {
                let slot = Range { address: register.address, size_bytes: size_of::<usize>() };
                if !self.segments.is_readable(slot) {
                    let Range { address, size_bytes } = slot;
                    return Err(Refusal::Unreadable { name: name(), address, size_bytes });
                }
            }
            let base = extent(register).address;
            let is_missing = base == 0 && register.count > 0;
            let range = layout.range(base, register.count, register.element_bytes).filter(|_| !is_missing);
            let range = range.ok_or_else(|| Refusal::NoStructures(name()))?;
            let hull @ Range { address, size_bytes } = range.hull();
            if !self.segments.is_readable(hull) {
                return Err(Refusal::Unreadable { name: name(), address, size_bytes });
            }
            if self.segments.of(address) == Segment::Heap {
                allocations::check(address, size_bytes).map_err(|fault| self.refusal(register, fault))?;
            }
            let key = (address, range.stride_bytes, range.field_bytes, range.structures);
            register.kind = Kind::Memory;
            register.address = match known.get(&key) {
                // The same fields under another name, such as that of a parameter.
                Some(copy) => *copy,
                None => {
                    // SAFETY: the program keeps the fields of a live register readable, and waits meanwhile.
                    let content = unsafe { range.gather() };
                    let copy = if content.is_empty() { 0 } else { content.as_ptr() as usize };
                    known.insert(key, copy);
                    saved.ranges.push(range);
                    saved.registers.push(index);
                    saved.content.push(content);
                    copy
                }
            };
        }
        saved.arrays = arrays(&saved.ranges);
        Ok(saved)
    }

    /// Checks that no field is in the memory of another register. Their order in a restart could not be known.
    /// `roots` is the memory of the roots of the graph.
    pub(super) fn check_fields(
        &self,
        registers: &[Register],
        ranges: &[Range],
        places: (&MemoryBlocks, &SavedFields),
        roots: &[(usize, Range)],
    ) -> Result<(), Refusal> {
        let (memory, fields) = places;
        let name = |index: usize| self.names.text(registers[index].name).to_owned();
        let shared =
            |index: usize, other: usize| Refusal::SharedField { name: name(index), other: name(other) };
        if let Some((one, other)) = overlapping_fields(&fields.ranges) {
            return Err(shared(fields.registers[one], fields.registers[other]));
        }
        if let Some((index, _)) = overlapping_range(&fields.ranges, &memory.blocks) {
            let field = fields.ranges[index];
            let other = ranges.iter().position(|range| field.overlaps(*range));
            return Err(shared(fields.registers[index], other.unwrap_or(fields.registers[index])));
        }
        let mut in_roots = roots.iter().filter_map(|(root, range)| {
            let index = fields.ranges.iter().position(|field| field.overlaps(*range))?;
            Some(shared(fields.registers[index], *root))
        });
        in_roots.next().map_or(Ok(()), Err)
    }
}

/// The structures of these ranges, with those that overlap together.
fn arrays(ranges: &[FieldRange]) -> Vec<ArrayOfFields> {
    let mut order: Vec<usize> = (0..ranges.len()).filter(|index| ranges[*index].size_bytes() > 0).collect();
    order.sort_unstable_by_key(|index| ranges[*index].start);
    let mut found: Vec<ArrayOfFields> = Vec::new();
    for index in order {
        let (start, end) = (ranges[index].start, ranges[index].end());
        match found.last_mut().filter(|last| start < last.end) {
            Some(last) => {
                last.end = last.end.max(end);
                last.ranges.push(index);
            }
            None => found.push(ArrayOfFields { start, end, ranges: vec![index] }),
        }
    }
    found
}

impl SavedFields {
    /// The location of an address. The outer option is none if the address is not in these structures, the inner one if
    /// it is in one of their other fields.
    pub(super) fn locate(&self, address: usize, memory: &MemoryBlocks) -> Option<Option<Location>> {
        let after = self.arrays.partition_point(|array| array.start <= address);
        let array = self.arrays[..after].last().filter(|array| address < array.end)?;
        let mut is_inside = false;
        for &index in &array.ranges {
            match self.ranges[index].position(address) {
                FieldPosition::At(offset) => {
                    let place = memory.locations[self.registers[index]]?;
                    let offset_bytes = place.offset_bytes + offset as u64;
                    return Some(Some(Location { block: place.block, offset_bytes }));
                }
                FieldPosition::OtherField => is_inside = true,
                FieldPosition::Outside => {}
            }
        }
        is_inside.then_some(None)
    }
}
