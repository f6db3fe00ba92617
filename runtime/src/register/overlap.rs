//! The memory blocks that registers form together.
//!
//! Input: ranges of memory, the nature of each, and addresses to which pointers point.
//! Output: the memory blocks, and the location of each range in them.
//! Postcondition: memory blocks are sorted and disjoint. Ranges that overlap are in one memory block. Ranges
//! that only touch are in one memory block if they belong to one allocation. Variables that touch are in one
//! memory block if a registered pointer without elements points to where they touch, because it is unknown whether it
//! points to the end of one or to the beginning of the other.

use super::memory::Range;
use crate::manifest::Location;
use std::cmp::Reverse;

/// The nature of a range. It determines whether the range joins ranges that it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// The memory of a variable, at a fixed address.
    Variable,
    /// The same in allocated memory, where a range that touches another one belongs to the same allocation.
    Tail,
    /// The memory that a pointer points to among the variables of the program.
    Borrowed,
    /// The memory that a pointer points to on the heap, or from a parameter.
    Free,
    /// The same, from an allocator that never lets two allocations touch: ranges that touch are one
    /// allocation.
    Apart,
}

/// Memory blocks, and the location of each range. An empty range has none, unless a pointer points there.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    pub blocks: Vec<Range>,
    pub places: Vec<Option<Location>>,
}

impl Blocks {
    pub fn new(ranges: &[(Range, Nature)]) -> Blocks {
        Blocks::joined_at(ranges, &[])
    }

    /// The same, but ranges that touch at one of these sorted addresses are in one memory block.
    pub fn joined_at(ranges: &[(Range, Nature)], joints: &[usize]) -> Blocks {
        let is_there = |&index: &usize| {
            let (range, nature) = ranges[index];
            range.size_bytes > 0 || (range.address != 0 && !nature.is_variable())
        };
        let mut order: Vec<usize> = (0..ranges.len()).filter(is_there).collect();
        // An empty range comes after a range that begins at the same address.
        order.sort_unstable_by_key(|&index| (ranges[index].0.address, Reverse(ranges[index].0.size_bytes)));
        let mut blocks: Vec<Range> = Vec::new();
        let mut is_apart = false;
        let mut places = vec![None; ranges.len()];
        for index in order {
            let (range, nature) = ranges[index];
            match blocks.last_mut() {
                Some(last) if joins(*last, is_apart, range, nature) || is_joint(*last, range, joints) => {
                    last.size_bytes = last.size_bytes.max(range.end() - last.address);
                    is_apart &= range.size_bytes == 0 || nature == Nature::Apart;
                }
                // No pointer points to an empty variable of the program.
                _ if range.size_bytes == 0 && nature == Nature::Borrowed => continue,
                _ => {
                    blocks.push(range);
                    is_apart = nature == Nature::Apart;
                }
            }
            let block = blocks.len() - 1;
            let offset_bytes = (range.address - blocks[block].address) as u64;
            places[index] = Some(Location { block: block as u32, offset_bytes });
        }
        Blocks { blocks, places }
    }

    /// The addresses where one variable ends and another begins in the next memory block, sorted.
    pub fn joints(&self, ranges: &[(Range, Nature)]) -> Vec<usize> {
        let variables = ranges.iter().filter(|(range, nature)| *nature == Nature::Variable && range.size_bytes > 0);
        let mut starts: Vec<usize> = variables.clone().map(|(range, _)| range.address).collect();
        starts.sort_unstable();
        let mut ends: Vec<usize> = variables.map(|(range, _)| range.end()).collect();
        ends.sort_unstable();
        let touching = self.blocks.windows(2).filter(|pair| pair[0].end() == pair[1].address).map(|pair| pair[1].address);
        touching.filter(|joint| starts.binary_search(joint).is_ok() && ends.binary_search(joint).is_ok()).collect()
    }

    /// The location of an address: in a memory block, or at its end if no other one begins there.
    pub fn locate(&self, address: usize) -> Option<Location> {
        let block = self.blocks.partition_point(|block| block.address <= address).checked_sub(1)?;
        let found = self.blocks[block];
        (address <= found.end()).then(|| Location { block: block as u32, offset_bytes: (address - found.address) as u64 })
    }
}

impl Nature {
    fn is_variable(self) -> bool {
        matches!(self, Nature::Variable | Nature::Tail)
    }
}

fn is_joint(block: Range, range: Range, joints: &[usize]) -> bool {
    range.address == block.end() && joints.binary_search(&range.address).is_ok()
}

/// Whether a range, which does not begin before the memory block, is a part of it or continues it.
fn joins(block: Range, is_apart: bool, range: Range, nature: Nature) -> bool {
    let touches = range.address == block.end();
    range.address < block.end() || (touches && (range.size_bytes == 0 || (is_apart && matches!(nature, Nature::Apart | Nature::Tail))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(pairs: &[(usize, usize)]) -> Vec<Range> {
        pairs.iter().map(|&(address, size_bytes)| Range { address, size_bytes }).collect()
    }

    fn blocks(nature: Nature, pairs: &[(usize, usize)]) -> Blocks {
        Blocks::new(&ranges(pairs).into_iter().map(|range| (range, nature)).collect::<Vec<_>>())
    }

    fn at(block: u32, offset_bytes: u64) -> Option<Location> {
        Some(Location { block, offset_bytes })
    }

    #[test]
    fn overlapping_ranges_make_one_block_and_touching_ones_do_not() {
        for nature in [Nature::Variable, Nature::Borrowed, Nature::Free] {
            let found = blocks(nature, &[(108, 8), (100, 10), (118, 4), (116, 2)]);
            assert_eq!(found.blocks, ranges(&[(100, 16), (116, 2), (118, 4)]));
            assert_eq!(found.places, [at(0, 8), at(0, 0), at(2, 0), at(1, 0)]);
        }
    }

    #[test]
    fn what_was_allocated_as_one_stays_one() {
        let found = blocks(Nature::Apart, &[(108, 8), (100, 8), (118, 4), (116, 2), (123, 1)]);
        assert_eq!(found.blocks, ranges(&[(100, 22), (123, 1)]));
        assert_eq!(found.places, [at(0, 8), at(0, 0), at(0, 18), at(0, 16), at(1, 0)]);
        let apart = |address, size_bytes| (Range { address, size_bytes }, Nature::Apart);
        let variable = (Range { address: 108, size_bytes: 4 }, Nature::Variable);
        let found = Blocks::new(&[apart(100, 8), variable, apart(112, 8)]);
        assert_eq!(found.blocks, ranges(&[(100, 8), (108, 4), (112, 8)]));
    }

    #[test]
    fn an_empty_range_is_where_its_pointer_leads() {
        let pairs = [(100, 8), (108, 0), (104, 0), (200, 0), (300, 8), (300, 0), (200, 0), (0, 0)];
        let found = blocks(Nature::Free, &pairs);
        assert_eq!(found.blocks, ranges(&[(100, 8), (200, 0), (300, 8)]));
        assert_eq!(found.places, [at(0, 0), at(0, 8), at(0, 4), at(1, 0), at(2, 0), at(2, 0), at(1, 0), None]);
        let found = blocks(Nature::Borrowed, &pairs);
        assert_eq!(found.blocks, ranges(&[(100, 8), (300, 8)]));
        assert_eq!(found.places[3], None);
        assert_eq!(blocks(Nature::Variable, &pairs).places[1..4], [None, None, None]);
    }

    #[test]
    fn what_lies_in_place_behind_an_allocation_is_a_part_of_it() {
        let of = |address, size_bytes, nature| (Range { address, size_bytes }, nature);
        let found = Blocks::new(&[of(100, 8, Nature::Apart), of(108, 64, Nature::Tail), of(172, 8, Nature::Tail)]);
        assert_eq!(found.blocks, ranges(&[(100, 72), (172, 8)]));
        let found = Blocks::new(&[of(100, 8, Nature::Tail), of(108, 64, Nature::Tail)]);
        assert_eq!(found.blocks.len(), 2);
    }

    #[test]
    fn variables_that_touch_are_joined_where_a_pointer_leads() {
        let of = |address, size_bytes, nature| (Range { address, size_bytes }, nature);
        let variables = [of(100, 8, Nature::Variable), of(108, 8, Nature::Variable), of(116, 4, Nature::Variable), of(120, 4, Nature::Borrowed)];
        let apart = Blocks::new(&variables);
        assert_eq!(apart.joints(&variables), [108, 116]);
        let joined = Blocks::joined_at(&variables, &[108]);
        assert_eq!(joined.blocks, ranges(&[(100, 16), (116, 4), (120, 4)]));
        assert_eq!(joined.locate(108), at(0, 8));
        assert_eq!(joined.places[1], at(0, 8));
    }

    #[test]
    fn a_range_inside_another_adds_nothing() {
        let found = blocks(Nature::Free, &[(100, 100), (110, 5), (150, 50)]);
        assert_eq!(found.blocks, ranges(&[(100, 100)]));
        assert_eq!(found.places[2], at(0, 50));
    }

    #[test]
    fn the_address_behind_a_block_belongs_to_it_unless_another_starts_there() {
        let found = blocks(Nature::Free, &[(100, 8), (108, 8)]);
        assert_eq!(found.locate(108), at(1, 0));
        assert_eq!(found.locate(116), at(1, 8));
        assert_eq!(found.locate(117), None);
        assert_eq!(found.locate(99), None);
    }
}
