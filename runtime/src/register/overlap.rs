//! The memory blocks that registers form together.
//!
//! Input: ranges of memory, the nature of each, and addresses to which pointers point.
//! Output: the memory blocks, and the location of each range in them.
//! Postcondition: memory blocks are sorted and disjoint. Ranges that overlap are in one memory block. Ranges
//! that only touch are in one memory block if they belong to one allocation. Variables that touch are in one
//! memory block if a registered pointer without elements points to where they touch. It is unknown whether
//! such a pointer points to the end of one or to the beginning of the other.

use super::memory::Range;
use crate::manifest::Location;
use std::cmp::Reverse;

/// The nature of a range. It determines whether the range joins ranges that it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeKind {
    /// The memory of a variable, at a fixed address.
    Variable,
    /// The same in allocated memory, where a range that touches another one belongs to the same allocation.
    HeapVariable,
    /// The memory that a pointer points to among the variables of the program.
    VariableTarget,
    /// The memory that a pointer points to on the heap, or from a parameter.
    Heap,
    /// The same, from an allocator that never lets two allocations touch: ranges that touch are one
    /// allocation.
    PaddedHeap,
}

/// Memory blocks, and the location of each range. An empty range has none, unless a pointer points there.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct MemoryBlocks {
    pub blocks: Vec<Range>,
    pub locations: Vec<Option<Location>>,
}

impl MemoryBlocks {
    pub fn new(ranges: &[(Range, RangeKind)]) -> MemoryBlocks {
        MemoryBlocks::joined_at(ranges, &[])
    }

    /// The same, but ranges that touch at one of these sorted addresses are in one memory block.
    pub fn joined_at(ranges: &[(Range, RangeKind)], joints: &[usize]) -> MemoryBlocks {
        let is_there = |&index: &usize| {
            let (range, nature) = ranges[index];
            range.size_bytes > 0 || (range.address != 0 && !nature.is_variable())
        };
        let mut order: Vec<usize> = (0..ranges.len()).filter(is_there).collect();
        // An empty range comes after a range that begins at the same address.
        order.sort_unstable_by_key(|&index| (ranges[index].0.address, Reverse(ranges[index].0.size_bytes)));
        let mut blocks: Vec<Range> = Vec::new();
        let mut is_padded = false;
        let mut places = vec![None; ranges.len()];
        for index in order {
            let (range, nature) = ranges[index];
            match blocks.last_mut() {
                Some(last) if joins(*last, is_padded, range, nature) || is_joint(*last, range, joints) => {
                    last.size_bytes = last.size_bytes.max(range.end() - last.address);
                    is_padded &= range.size_bytes == 0 || nature == RangeKind::PaddedHeap;
                }
                // No pointer points to an empty variable of the program.
                _ if range.size_bytes == 0 && nature == RangeKind::VariableTarget => continue,
                _ => {
                    blocks.push(range);
                    is_padded = nature == RangeKind::PaddedHeap;
                }
            }
            let block = blocks.len() - 1;
            let offset_bytes = (range.address - blocks[block].address) as u64;
            places[index] = Some(Location { block: block as u32, offset_bytes });
        }
        MemoryBlocks { blocks, locations: places }
    }

    /// The addresses where one variable ends and another begins in the next memory block, sorted.
    pub fn joints(&self, ranges: &[(Range, RangeKind)]) -> Vec<usize> {
        let variables =
            ranges.iter().filter(|(range, nature)| *nature == RangeKind::Variable && range.size_bytes > 0);
        let mut starts: Vec<usize> = variables.clone().map(|(range, _)| range.address).collect();
        starts.sort_unstable();
        let mut ends: Vec<usize> = variables.map(|(range, _)| range.end()).collect();
        ends.sort_unstable();
        let touching = self
            .blocks
            .windows(2)
            .filter(|pair| pair[0].end() == pair[1].address)
            .map(|pair| pair[1].address);
        touching
            .filter(|joint| starts.binary_search(joint).is_ok() && ends.binary_search(joint).is_ok())
            .collect()
    }

    /// The location of an address: in a memory block, or at its end if no other one begins there.
    pub fn locate(&self, address: usize) -> Option<Location> {
        let block = self.blocks.partition_point(|block| block.address <= address).checked_sub(1)?;
        let found = self.blocks[block];
        (address <= found.end())
            .then(|| Location { block: block as u32, offset_bytes: (address - found.address) as u64 })
    }

    /// The location of an address in a memory block, without the end of the block.
    pub fn locate_inside(&self, address: usize) -> Option<Location> {
        let found = self.locate(address)?;
        (found.offset_bytes < self.blocks[found.block as usize].size_bytes as u64).then_some(found)
    }
}

impl RangeKind {
    fn is_variable(self) -> bool {
        matches!(self, RangeKind::Variable | RangeKind::HeapVariable)
    }
}

fn is_joint(block: Range, range: Range, joints: &[usize]) -> bool {
    range.address == block.end() && joints.binary_search(&range.address).is_ok()
}

/// Whether a range, which does not begin before the memory block, is a part of it or continues it.
fn joins(block: Range, is_padded: bool, range: Range, nature: RangeKind) -> bool {
    let touches = range.address == block.end();
    range.address < block.end()
        || (touches
            && (range.size_bytes == 0
                || (is_padded && matches!(nature, RangeKind::PaddedHeap | RangeKind::HeapVariable))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(pairs: &[(usize, usize)]) -> Vec<Range> {
        pairs.iter().map(|&(address, size_bytes)| Range { address, size_bytes }).collect()
    }

    fn blocks(nature: RangeKind, pairs: &[(usize, usize)]) -> MemoryBlocks {
        MemoryBlocks::new(&ranges(pairs).into_iter().map(|range| (range, nature)).collect::<Vec<_>>())
    }

    fn at(block: u32, offset_bytes: u64) -> Option<Location> {
        Some(Location { block, offset_bytes })
    }

    #[test]
    fn overlapping_ranges_make_one_block_and_touching_ones_do_not() {
        for nature in [RangeKind::Variable, RangeKind::VariableTarget, RangeKind::Heap] {
            let found = blocks(nature, &[(108, 8), (100, 10), (118, 4), (116, 2)]);
            assert_eq!(found.blocks, ranges(&[(100, 16), (116, 2), (118, 4)]));
            assert_eq!(found.locations, [at(0, 8), at(0, 0), at(2, 0), at(1, 0)]);
        }
    }

    #[test]
    fn what_was_allocated_as_one_stays_one() {
        let found = blocks(RangeKind::PaddedHeap, &[(108, 8), (100, 8), (118, 4), (116, 2), (123, 1)]);
        assert_eq!(found.blocks, ranges(&[(100, 22), (123, 1)]));
        assert_eq!(found.locations, [at(0, 8), at(0, 0), at(0, 18), at(0, 16), at(1, 0)]);
        let padded = |address, size_bytes| (Range { address, size_bytes }, RangeKind::PaddedHeap);
        let variable = (Range { address: 108, size_bytes: 4 }, RangeKind::Variable);
        let found = MemoryBlocks::new(&[padded(100, 8), variable, padded(112, 8)]);
        assert_eq!(found.blocks, ranges(&[(100, 8), (108, 4), (112, 8)]));
    }

    #[test]
    fn an_empty_range_is_where_its_pointer_leads() {
        let pairs = [(100, 8), (108, 0), (104, 0), (200, 0), (300, 8), (300, 0), (200, 0), (0, 0)];
        let found = blocks(RangeKind::Heap, &pairs);
        assert_eq!(found.blocks, ranges(&[(100, 8), (200, 0), (300, 8)]));
        assert_eq!(
            found.locations,
            [at(0, 0), at(0, 8), at(0, 4), at(1, 0), at(2, 0), at(2, 0), at(1, 0), None]
        );
        let found = blocks(RangeKind::VariableTarget, &pairs);
        assert_eq!(found.blocks, ranges(&[(100, 8), (300, 8)]));
        assert_eq!(found.locations[3], None);
        assert_eq!(blocks(RangeKind::Variable, &pairs).locations[1..4], [None, None, None]);
    }

    #[test]
    fn what_lies_in_place_behind_an_allocation_is_a_part_of_it() {
        let of = |address, size_bytes, nature| (Range { address, size_bytes }, nature);
        let found = MemoryBlocks::new(&[
            of(100, 8, RangeKind::PaddedHeap),
            of(108, 64, RangeKind::HeapVariable),
            of(172, 8, RangeKind::HeapVariable),
        ]);
        assert_eq!(found.blocks, ranges(&[(100, 72), (172, 8)]));
        let found =
            MemoryBlocks::new(&[of(100, 8, RangeKind::HeapVariable), of(108, 64, RangeKind::HeapVariable)]);
        assert_eq!(found.blocks.len(), 2);
    }

    #[test]
    fn variables_that_touch_are_joined_where_a_pointer_leads() {
        let of = |address, size_bytes, nature| (Range { address, size_bytes }, nature);
        let variables = [
            of(100, 8, RangeKind::Variable),
            of(108, 8, RangeKind::Variable),
            of(116, 4, RangeKind::Variable),
            of(120, 4, RangeKind::VariableTarget),
        ];
        let separate = MemoryBlocks::new(&variables);
        assert_eq!(separate.joints(&variables), [108, 116]);
        let joined = MemoryBlocks::joined_at(&variables, &[108]);
        assert_eq!(joined.blocks, ranges(&[(100, 16), (116, 4), (120, 4)]));
        assert_eq!(joined.locate(108), at(0, 8));
        assert_eq!(joined.locations[1], at(0, 8));
    }

    #[test]
    fn a_range_inside_another_adds_nothing() {
        let found = blocks(RangeKind::Heap, &[(100, 100), (110, 5), (150, 50)]);
        assert_eq!(found.blocks, ranges(&[(100, 100)]));
        assert_eq!(found.locations[2], at(0, 50));
    }

    #[test]
    fn the_address_behind_a_block_belongs_to_it_unless_another_starts_there() {
        let found = blocks(RangeKind::Heap, &[(100, 8), (108, 8)]);
        assert_eq!(found.locate(108), at(1, 0));
        assert_eq!(found.locate(116), at(1, 8));
        assert_eq!((found.locate_inside(115), found.locate_inside(116)), (at(1, 7), None));
        assert_eq!(found.locate(117), None);
        assert_eq!(found.locate(99), None);
    }
}
