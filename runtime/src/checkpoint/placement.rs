//! Where each memory block will be in a restart.
//!
//! Input: the live registers in their order, their memory blocks, the segments of the process.
//! Output: the memory blocks of the manifest, or the register that prevents a restart.
//! Postcondition: a pointer points to each heap block. Every other memory block has an address in the program
//! that a restart finds.

use crate::allocations;
use crate::machine::Machine;
use crate::manifest::padding::{data_of, is_data_in};
use crate::manifest::parts::{is_in, parts, Part};
use crate::manifest::{BlockPlace, Kind, Location, MemoryBlock};
use crate::register::memory::{is_padded, Range};
use crate::register::overlap::{MemoryBlocks, RangeKind};
use crate::register::segments::{Segment, Segments};
use crate::register::{Layouts, Register};
use std::collections::HashSet;

/// What the registers show about one memory block.
#[derive(Debug, Clone, Default)]
struct BlockUse {
    /// The variables in it: first byte, and end.
    variables: Option<(u64, u64)>,
    /// The same for the largest part that a pointer pointed to before the first of these variables was
    /// registered.
    pointed_to: Option<(u64, u64)>,
    /// Whether a variable does not begin in that part or at its end, or covers all of it.
    is_outside: bool,
    /// Whether a followed array is in it, whose memory the program allocates itself.
    is_followed: bool,
    has_address: bool,
}

/// The memory blocks, or the index of a register that points to memory that a restart could not find.
pub fn place_blocks(
    registers: &[Register],
    memory: &MemoryBlocks,
    layouts: &Layouts,
    segments: &Segments,
) -> Result<Vec<MemoryBlock>, usize> {
    let mut found = vec![BlockUse::default(); memory.blocks.len()];
    for (register, place) in registers.iter().zip(&memory.locations) {
        let Some(place) = place else { continue };
        found[place.block as usize].note(register, *place);
    }
    let mut blocks = Vec::with_capacity(found.len());
    for (index, (block, range)) in found.iter().zip(&memory.blocks).enumerate() {
        let is_heap = segments.of(range.address) == Segment::Heap && block.can_be_allocated();
        if !is_heap && !block.has_address {
            let points_there =
                |place: &Option<Location>| place.is_some_and(|place| place.block as usize == index);
            return Err(memory.locations.iter().position(points_there).unwrap_or_default());
        }
        let place = if is_heap { BlockPlace::Heap } else { BlockPlace::Program };
        blocks.push(MemoryBlock { size_bytes: range.size_bytes as u64, place });
    }
    beyond(registers, memory, layouts, &blocks).map_or(Ok(blocks), Err)
}

/// The index of the first pointer that points to variables of the program, but to more bytes than the
/// registered variables contain (padding excepted). A restart restores only the registered variables.
fn beyond(
    registers: &[Register],
    memory: &MemoryBlocks,
    layouts: &Layouts,
    blocks: &[MemoryBlock],
) -> Option<usize> {
    let extents =
        registers.iter().zip(&memory.locations).enumerate().filter_map(|(index, (register, place))| {
            let Location { block, offset_bytes } = (*place)?;
            let is_target = !register.is_in_place() && !register.storage.is_parameter();
            let is_meant = blocks[block as usize].place == BlockPlace::Program && register.size_bytes() > 0;
            is_meant.then(|| {
                (index, is_target, (block, offset_bytes, offset_bytes + register.size_bytes() as u64))
            })
        });
    let (targets, own): (Vec<_>, Vec<_>) = extents.partition(|(_, is_target, _)| *is_target);
    let own = parts(own.into_iter().map(|(_, _, extent)| extent).collect());
    let is_owned = |index: usize, extent: Part| {
        let register = &registers[index];
        let element_bytes = register.element_bytes as u64;
        let data = || data_of(layouts.structures(), register.type_code, element_bytes, &Machine::THIS);
        let elements = (extent.0, extent.1, register.count as u64, element_bytes);
        is_in(&own, extent) || data().is_some_and(|data| is_data_in(&own, &data, elements))
    };
    targets.into_iter().find(|(index, _, extent)| !is_owned(*index, *extent)).map(|(index, ..)| index)
}

/// The memory blocks to which only pointers without elements point. No register saves what is there.
pub fn unowned_blocks(registers: &[Register], memory: &MemoryBlocks) -> HashSet<u32> {
    let places = registers.iter().zip(&memory.locations);
    let all = places.filter_map(|(register, place)| Some((register, (*place)?.block)));
    let is_pointer = |register: &Register| register.kind == Kind::Pointer && register.storage.is_constant();
    let is_empty = |block: u32| memory.blocks[block as usize].size_bytes == 0;
    let (pointers, owners): (Vec<_>, Vec<_>) = all.partition(|(register, _)| is_pointer(register));
    let mut unowned: HashSet<u32> =
        pointers.into_iter().map(|(_, block)| block).filter(|block| is_empty(*block)).collect();
    for (_, block) in owners {
        unowned.remove(&block);
    }
    unowned
}

/// The nature of a register's memory.
pub fn nature(register: &Register, range: Range, segments: &Segments) -> RangeKind {
    match register.kind {
        Kind::Memory
            if !register.storage.is_followed()
                && segments.of(range.address) == Segment::Heap
                && is_padded()
                && !allocations::is_mapped(range.address) =>
        {
            RangeKind::HeapVariable
        }
        Kind::Memory => RangeKind::Variable,
        Kind::Pointer if segments.of(range.address) == Segment::Heap => {
            // Two mappings may touch.
            if is_padded() && !allocations::is_mapped(range.address) {
                RangeKind::PaddedHeap
            } else {
                RangeKind::Heap
            }
        }
        Kind::Pointer if register.storage.is_parameter() => RangeKind::Heap,
        Kind::Pointer => RangeKind::VariableTarget,
    }
}

impl BlockUse {
    fn note(&mut self, register: &Register, place: Location) {
        let extent = (place.offset_bytes, place.offset_bytes + register.size_bytes() as u64);
        if register.is_in_place() {
            let (first, end) = self.variables.unwrap_or(extent);
            self.variables = Some((first.min(extent.0), end.max(extent.1)));
            let takes_all = |target: (u64, u64)| extent.0 <= target.0 && target.1 <= extent.1;
            self.is_outside |= self
                .pointed_to
                .is_none_or(|target| extent.0 < target.0 || extent.0 > target.1 || takes_all(target));
            self.is_followed |= register.storage.is_followed();
            self.has_address = true;
        } else if register.storage.is_parameter() {
            self.has_address = true;
        } else if self.variables.is_none() {
            let size_bytes = |extent: (u64, u64)| extent.1 - extent.0;
            self.pointed_to =
                self.pointed_to.filter(|known| size_bytes(*known) >= size_bytes(extent)).or(Some(extent));
        }
    }

    /// Whether a restart can allocate the memory block. A variable in it (`p->n`) must be a part of the
    /// memory that a pointer (`*p`) pointed to before, or extend it (`p->tail[n]`, a flexible array).
    /// Otherwise the program itself determines the address of that memory, and of the pointer.
    fn can_be_allocated(&self) -> bool {
        let Some((first, end)) = self.variables else { return true };
        let is_part = |target: (u64, u64)| target.0 <= first && end <= target.1 && target != (first, end);
        let extends = |target: (u64, u64)| !self.is_outside && target.1 < end;
        !self.is_followed && self.pointed_to.is_some_and(|target| is_part(target) || extends(target))
    }
}
