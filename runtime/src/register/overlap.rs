//! Which registers share memory.
//!
//! In: ranges of memory, and what each is. Out: the memory blocks that they make, and where each range lies in them.
//! Holds afterwards: blocks are sorted and disjoint; ranges that overlap are in one block; ranges that only
//! touch are in one when they were allocated as one.

use super::memory::Range;
use crate::manifest::Location;
use std::cmp::Reverse;

/// What memory is, as far as its neighbours are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// The memory of a variable, which has a place of its own.
    Variable,
    /// What a pointer leads to among the variables of the program.
    Borrowed,
    /// What a pointer leads to on the heap, or from a parameter.
    Free,
    /// The same, from an allocator that never lets two allocations touch: what touches is one allocation.
    Apart,
}

/// Blocks, and for each range its place; an empty range has none, unless a pointer leads there.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    pub blocks: Vec<Range>,
    pub places: Vec<Option<Location>>,
}

impl Blocks {
    pub fn new(ranges: &[(Range, Nature)]) -> Blocks {
        let is_there = |&index: &usize| {
            let (range, nature) = ranges[index];
            range.size_bytes > 0 || (range.address != 0 && nature != Nature::Variable)
        };
        let mut order: Vec<usize> = (0..ranges.len()).filter(is_there).collect();
        // An empty range comes after what begins where it is.
        order.sort_unstable_by_key(|&index| (ranges[index].0.address, Reverse(ranges[index].0.size_bytes)));
        let mut blocks: Vec<Range> = Vec::new();
        let mut is_apart = false;
        let mut places = vec![None; ranges.len()];
        for index in order {
            let (range, nature) = ranges[index];
            match blocks.last_mut() {
                Some(last) if joins(*last, is_apart, range, nature) => {
                    last.size_bytes = last.size_bytes.max(range.end() - last.address);
                    is_apart &= range.size_bytes == 0 || nature == Nature::Apart;
                }
                // Nothing leads to an empty variable of the program.
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

    /// Where an address lies: in a block, or right behind one that nothing follows.
    pub fn locate(&self, address: usize) -> Option<Location> {
        let block = self.blocks.partition_point(|block| block.address <= address).checked_sub(1)?;
        let found = self.blocks[block];
        (address <= found.end()).then(|| Location { block: block as u32, offset_bytes: (address - found.address) as u64 })
    }
}

/// Whether a range, which does not begin before the block, is a part of it or continues it.
fn joins(block: Range, is_apart: bool, range: Range, nature: Nature) -> bool {
    let touches = range.address == block.end();
    range.address < block.end() || (touches && (range.size_bytes == 0 || (is_apart && nature == Nature::Apart)))
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
