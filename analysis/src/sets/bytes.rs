//! A set of bytes.
//!
//! Postcondition: iteration is in ascending order.

use super::ranges::{self, Memory, Range, END};
use super::tree::{Iter, Tree};

/// A set of bytes: sorted ranges that neither overlap nor touch. Sets that come from one another share their parts, so that
/// the states of a procedure are compared and merged in time for their differences.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bytes {
    tree: Option<Tree>,
}

impl Eq for Bytes {}

impl From<Vec<Range>> for Bytes {
    fn from(ranges: Vec<Range>) -> Bytes {
        Bytes { tree: Tree::from_ranges(&ranges) }
    }
}

/// From ranges in any order, which may overlap.
impl FromIterator<Range> for Bytes {
    fn from_iter<I: IntoIterator<Item = Range>>(ranges: I) -> Bytes {
        let mut all: Vec<Range> = ranges.into_iter().filter(|range| range.start < range.end).collect();
        all.sort_unstable();
        Bytes::from(ranges::union(&[], &all))
    }
}

impl Bytes {
    pub fn from_range(range: Range) -> Bytes {
        let mut bytes = Bytes::default();
        bytes.insert(range);
        bytes
    }

    pub fn is_empty(&self) -> bool {
        self.tree.is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = Range> + '_ {
        Iter::new(self.tree.as_ref())
    }

    /// The ranges of this memory and of those with higher numbers.
    pub fn iter_from(&self, memory: Memory) -> impl Iterator<Item = Range> + '_ {
        Iter::from(self.tree.as_ref(), memory).skip_while(move |range| range.memory < memory)
    }

    /// The ranges of the memory, and of others.
    fn block(&self, memory: Memory) -> &[Range] {
        self.tree.as_ref().map_or(&[], |tree| tree.block(memory))
    }

    /// The ranges of one memory.
    pub fn of(&self, memory: Memory) -> &[Range] {
        ranges::of(self.block(memory), memory)
    }

    pub fn insert(&mut self, range: Range) {
        if self.covers(range) {
            return;
        }
        match &mut self.tree {
            Some(tree) => tree.insert(range),
            None => self.tree = Some(Tree::from_range(range)),
        }
    }

    pub fn remove(&mut self, range: Range) {
        if range.start < range.end && self.overlaps(range) {
            self.subtract(&Bytes { tree: Some(Tree::from_range(range)) });
        }
    }

    pub fn remove_memory(&mut self, memory: Memory) {
        self.remove(Range { memory, start: 0, end: END });
    }

    /// Adds all of `other`. Returns whether anything is new.
    pub fn add(&mut self, other: &Bytes) -> bool {
        match (&self.tree, &other.tree) {
            (_, None) => false,
            (None, Some(_)) => {
                self.tree.clone_from(&other.tree);
                true
            }
            (Some(mine), Some(its)) => {
                let all = mine.union(its);
                let is_new = !all.is_same(mine);
                self.tree = Some(all);
                is_new
            }
        }
    }

    pub fn subtract(&mut self, other: &Bytes) {
        if let (Some(mine), Some(its)) = (&self.tree, &other.tree) {
            self.tree = mine.difference(its);
        }
    }

    /// The bytes that are in both sets.
    pub fn intersect(&self, other: &Bytes) -> Bytes {
        match (&self.tree, &other.tree) {
            (Some(mine), Some(its)) => Bytes { tree: mine.intersection(its) },
            (None, _) | (_, None) => Bytes::default(),
        }
    }

    pub fn covers(&self, range: Range) -> bool {
        range.start >= range.end || ranges::covers(self.block(range.memory), range)
    }

    pub fn overlaps(&self, range: Range) -> bool {
        ranges::near(self.block(range.memory), range).first().is_some_and(|old| old.overlaps(&range))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(memory: u32, start: u64, end: u64) -> Range {
        Range { memory: Memory(memory), start, end }
    }

    fn bytes(ranges: &[(u32, u64, u64)]) -> Bytes {
        let mut bytes = Bytes::default();
        for &(memory, start, end) in ranges {
            bytes.insert(range(memory, start, end));
        }
        bytes
    }

    #[test]
    fn ranges_that_touch_become_one() {
        let all = bytes(&[(1, 0, 4), (1, 8, 12), (2, 4, 8), (1, 4, 8)]);
        assert_eq!(all.iter().collect::<Vec<_>>(), [range(1, 0, 12), range(2, 4, 8)]);
    }

    #[test]
    fn iteration_can_begin_at_any_memory() {
        let all = bytes(&[(3, 0, 4), (15, 0, 4), (16, 8, 12), (40, 4, 8), (1000, 0, 4), (5000, 0, 4)]);
        for first in 0..6000 {
            let expected: Vec<Range> = all.iter().filter(|range| range.memory >= Memory(first)).collect();
            assert_eq!(all.iter_from(Memory(first)).collect::<Vec<_>>(), expected, "{first}");
        }
    }

    #[test]
    fn removal_splits_a_range() {
        let mut all = bytes(&[(1, 0, 12), (2, 0, 4)]);
        all.remove(range(1, 4, 8));
        assert_eq!(all, bytes(&[(1, 0, 4), (1, 8, 12), (2, 0, 4)]));
        all.remove_memory(Memory(1));
        assert_eq!(all, bytes(&[(2, 0, 4)]));
    }

    #[test]
    fn intersection_keeps_what_is_in_both() {
        let both = bytes(&[(1, 0, 12), (3, 0, END)]).intersect(&bytes(&[(1, 8, 20), (2, 0, 4), (3, 5, 6)]));
        assert_eq!(both, bytes(&[(1, 8, 12), (3, 5, 6)]));
    }

    #[test]
    fn random_insertions_and_removals_agree_with_a_set_of_bytes() {
        let mut state = 7u64;
        let mut next = |limit: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % limit
        };
        let mut earlier: Option<(Bytes, std::collections::BTreeSet<(u32, u64)>)> = None;
        for _ in 0..400 {
            let mut all = Bytes::default();
            let mut model = std::collections::BTreeSet::new();
            for _ in 0..30 {
                let (memory, start) = (next(3) as u32 * 37 % 70, next(60));
                let end = start + next(6);
                if next(3) > 0 {
                    all.insert(range(memory, start, end));
                    model.extend((start..end).map(|byte| (memory, byte)));
                } else {
                    all.remove(range(memory, start, end));
                    model.retain(|&(m, byte)| m != memory || byte < start || byte >= end);
                }
            }
            let flat = |bytes: &Bytes| -> Vec<(u32, u64)> {
                bytes.iter().flat_map(|r| (r.start..r.end).map(move |byte| (r.memory.0, byte))).collect()
            };
            assert_eq!(flat(&all), model.iter().copied().collect::<Vec<_>>());
            for range in all.iter() {
                assert!(range.start < range.end && all.covers(range) && all.overlaps(range));
            }
            if let Some((other, others)) = earlier.replace((all.clone(), model.clone())) {
                let (mut sum, mut rest) = (all.clone(), all.clone());
                assert_eq!(sum.add(&other), !others.is_subset(&model));
                rest.subtract(&other);
                assert_eq!(flat(&sum), model.union(&others).copied().collect::<Vec<_>>());
                assert_eq!(flat(&rest), model.difference(&others).copied().collect::<Vec<_>>());
                let both = all.intersect(&other);
                assert_eq!(flat(&both), model.intersection(&others).copied().collect::<Vec<_>>());
                assert_eq!(sum, all.iter().chain(other.iter()).collect());
                let ranges: Vec<Range> = sum.iter().collect();
                let are_apart = |two: &[Range]| two[0].memory < two[1].memory || two[0].end < two[1].start;
                assert!(ranges.windows(2).all(are_apart));
                assert!(sum == Bytes::from(ranges) && !sum.clone().add(&all) && !sum.clone().add(&other));
            }
        }
    }

    #[test]
    fn sets_with_the_same_bytes_share_them() {
        let are_same = |one: &Bytes, other: &Bytes| match (&one.tree, &other.tree) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        for second in [2, 20, 2000] {
            let all = bytes(&[(1, 0, 4), (second, 0, 4)]);
            let part = bytes(&[(1, 0, 4)]);
            let mut sum = part.clone();
            assert!(sum.add(&all) && are_same(&sum, &all));
            assert!(!sum.add(&part) && are_same(&sum, &all));
            assert!(!sum.add(&bytes(&[(1, 0, 4), (second, 0, 4)])) && are_same(&sum, &all));
            sum.subtract(&bytes(&[(3, 0, 4)]));
            sum.remove(range(3, 0, 4));
            sum.insert(range(second, 1, 3));
            assert!(are_same(&sum, &all) && are_same(&all.intersect(&part), &part));
            sum.insert(range(3, 0, 4));
            assert_eq!(all, bytes(&[(1, 0, 4), (second, 0, 4)]), "the copy was changed");
        }
    }

    #[test]
    fn parts_of_two_sets_may_be_the_same() {
        let all = bytes(&[(1, 0, 4), (20, 0, 4), (40, 0, 4)]);
        let mut again = all.clone();
        again.remove_memory(Memory(40));
        again.insert(range(40, 0, 4));
        let mut sum = all.clone();
        assert!(sum == again && !sum.add(&again));
    }
}
