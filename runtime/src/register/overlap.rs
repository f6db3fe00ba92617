//! Which registers share memory.
//!
//! In: ranges of memory. Out: the memory blocks that they make, and where each range lies in them.
//! Holds afterwards: blocks are sorted and disjoint; ranges that overlap are in one block, ranges
//! that only touch are not.

use super::memory::Range;
use crate::manifest::Location;

/// Blocks, and for each range its place; an empty range has none.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    pub blocks: Vec<Range>,
    pub places: Vec<Option<Location>>,
}

impl Blocks {
    pub fn new(ranges: &[Range]) -> Blocks {
        let mut order: Vec<usize> = (0..ranges.len()).filter(|&index| ranges[index].size_bytes > 0).collect();
        order.sort_unstable_by_key(|&index| ranges[index].address);
        let mut blocks: Vec<Range> = Vec::new();
        let mut places = vec![None; ranges.len()];
        for index in order {
            let range = ranges[index];
            match blocks.last_mut() {
                Some(last) if range.address < last.end() => {
                    last.size_bytes = last.size_bytes.max(range.end() - last.address);
                }
                _ => blocks.push(range),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(pairs: &[(usize, usize)]) -> Vec<Range> {
        pairs.iter().map(|&(address, size_bytes)| Range { address, size_bytes }).collect()
    }

    #[test]
    fn overlapping_ranges_make_one_block_and_touching_ones_do_not() {
        let found = Blocks::new(&ranges(&[(108, 8), (100, 10), (118, 4), (116, 2), (300, 0)]));
        assert_eq!(found.blocks, ranges(&[(100, 16), (116, 2), (118, 4)]));
        assert_eq!(found.places[0], Some(Location { block: 0, offset_bytes: 8 }));
        assert_eq!(found.places[1], Some(Location { block: 0, offset_bytes: 0 }));
        assert_eq!(found.places[2], Some(Location { block: 2, offset_bytes: 0 }));
        assert_eq!(found.places[4], None);
    }

    #[test]
    fn a_range_inside_another_adds_nothing() {
        let found = Blocks::new(&ranges(&[(100, 100), (110, 5), (150, 50)]));
        assert_eq!(found.blocks, ranges(&[(100, 100)]));
        assert_eq!(found.places[2], Some(Location { block: 0, offset_bytes: 50 }));
    }

    #[test]
    fn the_address_behind_a_block_belongs_to_it_unless_another_starts_there() {
        let found = Blocks::new(&ranges(&[(100, 8), (108, 8)]));
        assert_eq!(found.locate(108), Some(Location { block: 1, offset_bytes: 0 }));
        assert_eq!(found.locate(116), Some(Location { block: 1, offset_bytes: 8 }));
        assert_eq!(found.locate(117), None);
        assert_eq!(found.locate(99), None);
    }
}
