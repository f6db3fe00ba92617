//! Which register stores which part of a memory block.
//!
//! Input: the sizes of the memory blocks, and the location of each register.
//! Output: adjacent parts without overlap, each with its owner.
//! Postcondition: every byte of every memory block is in exactly one part.

/// A range of bytes in a memory block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub block: usize,
    pub offset: u64,
    pub size: u64,
}

impl Range {
    fn end(&self) -> u64 {
        self.offset + self.size
    }
}

/// The owner of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartOwner {
    /// The part is all of this register.
    Whole(usize),
    /// The part is the end of this register; other registers store its beginning.
    Rest(usize),
    /// The part belongs to no register.
    NoRegister,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnedRange {
    pub range: Range,
    pub owner: PartOwner,
}

/// Divides the memory blocks among the registers. `registers` has those with bytes in a block.
pub fn divide(blocks: &[u64], registers: &[(usize, Range)]) -> Vec<OwnedRange> {
    let mut sorted = registers.to_vec();
    // Of registers with the same beginning, the longest comes first and stores everything.
    sorted.sort_by_key(|(index, range)| (range.block, range.offset, u64::MAX - range.size, *index));
    let mut parts = Vec::new();
    let mut rest = sorted.into_iter().peekable();
    for (block, &size) in blocks.iter().enumerate() {
        let mut done = 0;
        let mut add = |done: &mut u64, to: u64, owner: PartOwner| {
            if to > *done {
                parts.push(OwnedRange { range: Range { block, offset: *done, size: to - *done }, owner });
                *done = to;
            }
        };
        while let Some((index, range)) = rest.next_if(|(_, range)| range.block <= block) {
            if range.block < block || range.end() > size {
                continue;
            }
            add(&mut done, range.offset, PartOwner::NoRegister);
            let owner = if range.offset == done { PartOwner::Whole(index) } else { PartOwner::Rest(index) };
            add(&mut done, range.end(), owner);
        }
        add(&mut done, size, PartOwner::NoRegister);
    }
    parts
}

/// The parts that overlap a range, in order.
pub fn covering(parts: &[OwnedRange], range: Range) -> &[OwnedRange] {
    let begin =
        parts.partition_point(|part| (part.range.block, part.range.end()) <= (range.block, range.offset));
    let end =
        parts.partition_point(|part| (part.range.block, part.range.offset) < (range.block, range.end()));
    &parts[begin..end.max(begin)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(block: usize, offset: u64, size: u64) -> Range {
        Range { block, offset, size }
    }

    fn divided(blocks: &[u64], registers: &[Range]) -> Vec<(u64, u64, PartOwner)> {
        let numbered: Vec<(usize, Range)> = registers.iter().copied().enumerate().collect();
        let parts = divide(blocks, &numbered);
        parts.iter().map(|part| (part.range.offset, part.range.size, part.owner)).collect()
    }

    #[test]
    fn a_register_alone_stores_its_block() {
        let found = divided(&[8, 0, 4], &[range(0, 0, 8), range(2, 0, 4)]);
        assert_eq!(found, [(0, 8, PartOwner::Whole(0)), (0, 4, PartOwner::Whole(1))]);
    }

    #[test]
    fn what_lies_inside_stores_nothing() {
        let found = divided(&[80], &[range(0, 0, 8), range(0, 0, 80), range(0, 16, 8), range(0, 0, 80)]);
        assert_eq!(found, [(0, 80, PartOwner::Whole(1))]);
    }

    #[test]
    fn what_begins_inside_stores_its_rest() {
        let found = divided(&[100], &[range(0, 0, 60), range(0, 40, 50)]);
        assert_eq!(
            found,
            [(0, 60, PartOwner::Whole(0)), (60, 30, PartOwner::Rest(1)), (90, 10, PartOwner::NoRegister)]
        );
    }

    #[test]
    fn what_no_register_has_is_stored_too() {
        let found = divided(&[20, 4], &[range(0, 8, 4)]);
        assert_eq!(
            found,
            [
                (0, 8, PartOwner::NoRegister),
                (8, 4, PartOwner::Whole(0)),
                (12, 8, PartOwner::NoRegister),
                (0, 4, PartOwner::NoRegister)
            ]
        );
    }

    #[test]
    fn the_parts_of_a_range_are_found() {
        let parts = divide(&[10, 100], &[(0, range(0, 0, 10)), (1, range(1, 0, 60)), (2, range(1, 40, 60))]);
        let owners = |range| covering(&parts, range).iter().map(|part| part.owner).collect::<Vec<_>>();
        assert_eq!(owners(range(1, 40, 60)), [PartOwner::Whole(1), PartOwner::Rest(2)]);
        assert_eq!(owners(range(1, 0, 60)), [PartOwner::Whole(1)]);
        assert_eq!(owners(range(1, 60, 1)), [PartOwner::Rest(2)]);
        assert_eq!(owners(range(0, 3, 2)), [PartOwner::Whole(0)]);
    }
}
