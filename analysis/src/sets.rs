//! The two sets that analyses compute with: numbers, and ranges of bytes.
//!
//! Postcondition: equal sets are equal as data, and iteration is in ascending order.

use std::rc::Rc;

use crate::program::ObjectId;

/// A set of numbers: sorted words of 64 bits, without empty words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumberSet {
    words: Vec<(u32, u64)>,
}

impl NumberSet {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn insert(&mut self, number: u32) -> bool {
        let bit = 1u64 << (number % 64);
        match self.words.binary_search_by_key(&(number / 64), |word| word.0) {
            Ok(at) => {
                let new = self.words[at].1 & bit == 0;
                self.words[at].1 |= bit;
                new
            }
            Err(at) => {
                self.words.insert(at, (number / 64, bit));
                true
            }
        }
    }

    pub fn remove(&mut self, number: u32) {
        if let Ok(at) = self.words.binary_search_by_key(&(number / 64), |word| word.0) {
            self.words[at].1 &= !(1u64 << (number % 64));
            if self.words[at].1 == 0 {
                self.words.remove(at);
            }
        }
    }

    pub fn contains(&self, number: u32) -> bool {
        match self.words.binary_search_by_key(&(number / 64), |word| word.0) {
            Ok(at) => self.words[at].1 >> (number % 64) & 1 == 1,
            Err(_) => false,
        }
    }

    /// Adds all of `other`. Returns the new elements.
    pub fn add(&mut self, other: &NumberSet) -> NumberSet {
        let mut new = NumberSet::default();
        let mut merged = Vec::with_capacity(self.words.len() + other.words.len());
        let mut mine = self.words.iter().copied().peekable();
        for &(at, bits) in &other.words {
            while let Some(word) = mine.next_if(|word| word.0 < at) {
                merged.push(word);
            }
            let old = mine.next_if(|word| word.0 == at).map_or(0, |word| word.1);
            merged.push((at, old | bits));
            if bits & !old != 0 {
                new.words.push((at, bits & !old));
            }
        }
        if new.is_empty() {
            return new;
        }
        merged.extend(mine);
        self.words = merged;
        new
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flat_map(|&(at, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.1.count_ones() as usize).sum()
    }

    /// The only number in the set.
    pub fn single(&self) -> Option<u32> {
        match self.words[..] {
            [(at, bits)] if bits.is_power_of_two() => Some(at * 64 + bits.trailing_zeros()),
            _ => None,
        }
    }
}

/// The number of a memory: first the objects of the program, in their order, then memory that the points-to
/// analysis adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Memory(pub u32);

impl From<ObjectId> for Memory {
    fn from(object: ObjectId) -> Memory {
        Memory(object.0)
    }
}

/// The end of memory whose size is not known.
pub const END: u64 = u64::MAX;

/// The bytes `start..end` of one memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    pub memory: Memory,
    pub start: u64,
    pub end: u64,
}

impl Range {
    pub fn overlaps(&self, other: &Range) -> bool {
        self.memory == other.memory && self.start < other.end && other.start < self.end
    }

    pub fn contains(&self, other: &Range) -> bool {
        self.memory == other.memory && self.start <= other.start && other.end <= self.end
    }
}

/// A set of bytes: sorted ranges that neither overlap nor touch. Copies share their ranges until one of them changes.
/// An operation whose result equals one of its sets returns a copy of that set, so that equal states of a procedure
/// are compared and merged in constant time.
#[derive(Debug, Clone, Default)]
pub struct Bytes {
    shared: Option<Rc<Vec<Range>>>,
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        self.is_same(other) || self.ranges() == other.ranges()
    }
}

impl Eq for Bytes {}

impl From<Vec<Range>> for Bytes {
    fn from(ranges: Vec<Range>) -> Bytes {
        Bytes { shared: (!ranges.is_empty()).then(|| Rc::new(ranges)) }
    }
}

impl Bytes {
    pub fn from_range(range: Range) -> Bytes {
        let mut bytes = Bytes::default();
        bytes.insert(range);
        bytes
    }

    fn ranges(&self) -> &[Range] {
        self.shared.as_deref().map_or(&[], Vec::as_slice)
    }

    fn edited(&mut self) -> &mut Vec<Range> {
        Rc::make_mut(self.shared.get_or_insert_with(Rc::default))
    }

    fn is_same(&self, other: &Bytes) -> bool {
        match (&self.shared, &other.shared) {
            (Some(mine), Some(its)) => Rc::ptr_eq(mine, its),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.ranges().is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = Range> + '_ {
        self.ranges().iter().copied()
    }

    /// The ranges of one memory.
    pub fn of(&self, memory: Memory) -> &[Range] {
        let ranges = self.ranges();
        let first = ranges.partition_point(|range| range.memory < memory);
        let count = ranges[first..].partition_point(|range| range.memory == memory);
        &ranges[first..first + count]
    }

    pub fn insert(&mut self, range: Range) {
        if self.covers(range) {
            return;
        }
        let before = |other: &Range| (other.memory, other.end) < (range.memory, range.start);
        let near = |other: &Range| other.memory == range.memory && other.start <= range.end;
        let ranges = self.edited();
        let first = ranges.partition_point(before);
        let count = ranges[first..].partition_point(near);
        let mut merged = range;
        for old in &ranges[first..first + count] {
            merged.start = merged.start.min(old.start);
            merged.end = merged.end.max(old.end);
        }
        match count {
            0 => ranges.insert(first, merged),
            _ => {
                ranges[first] = merged;
                ranges.drain(first + 1..first + count);
            }
        }
    }

    pub fn remove(&mut self, range: Range) {
        if range.start >= range.end || !self.overlaps(range) {
            return;
        }
        let before = |other: &Range| (other.memory, other.end) <= (range.memory, range.start);
        let hit = |other: &Range| other.memory == range.memory && other.start < range.end;
        let ranges = self.edited();
        let first = ranges.partition_point(before);
        let count = ranges[first..].partition_point(hit);
        let mut rest = Vec::new();
        for old in &ranges[first..first + count] {
            if old.start < range.start {
                rest.push(Range { end: range.start, ..*old });
            }
            if old.end > range.end {
                rest.push(Range { start: range.end, ..*old });
            }
        }
        ranges.splice(first..first + count, rest);
    }

    pub fn remove_memory(&mut self, memory: Memory) {
        self.remove(Range { memory, start: 0, end: END });
    }

    /// Adds all of `other`. Returns whether anything is new.
    pub fn add(&mut self, other: &Bytes) -> bool {
        if self.includes(other) {
            return false;
        }
        if other.includes(self) {
            *self = other.clone();
            return true;
        }
        if other.ranges().len() <= FEW {
            other.iter().for_each(|range| self.insert(range));
            return true;
        }
        let mut all = Vec::with_capacity(self.ranges().len() + other.ranges().len());
        let mut mine = self.iter().peekable();
        for range in other.iter() {
            while let Some(old) = mine.next_if(|old| *old < range) {
                append(&mut all, old);
            }
            append(&mut all, range);
        }
        mine.for_each(|old| append(&mut all, old));
        *self = all.into();
        true
    }

    pub fn subtract(&mut self, other: &Bytes) {
        if self.is_empty() || other.is_empty() {
            return;
        }
        if other.ranges().len() <= FEW {
            other.iter().for_each(|range| self.remove(range));
            return;
        }
        let mut rest = Vec::with_capacity(self.ranges().len());
        let mut gone = other.iter().peekable();
        for mut range in self.iter() {
            while gone.next_if(|one| (one.memory, one.end) <= (range.memory, range.start)).is_some() {}
            while let Some(one) = gone.peek().filter(|one| one.overlaps(&range)) {
                if range.start < one.start {
                    rest.push(Range { end: one.start, ..range });
                }
                range.start = one.end;
                if range.start >= range.end {
                    break;
                }
                gone.next();
            }
            if range.start < range.end {
                rest.push(range);
            }
        }
        if rest != self.ranges() {
            *self = rest.into();
        }
    }

    /// The bytes that are in both sets.
    pub fn intersect(&self, other: &Bytes) -> Bytes {
        if other.includes(self) {
            return self.clone();
        }
        if self.includes(other) {
            return other.clone();
        }
        let few_are_mine = self.ranges().len() <= other.ranges().len();
        let (few, many) = if few_are_mine { (self, other) } else { (other, self) };
        let mut both = Vec::new();
        for range in few.iter() {
            for part in many.near(range).iter().take_while(|part| part.overlaps(&range)) {
                let (start, end) = (range.start.max(part.start), range.end.min(part.end));
                append(&mut both, Range { memory: range.memory, start, end });
            }
        }
        both.into()
    }

    /// Whether all of `other` is in this set.
    fn includes(&self, other: &Bytes) -> bool {
        if self.is_same(other) {
            return true;
        }
        let (mut mine, its) = (self.ranges(), other.ranges());
        // If the other set is much smaller, a search for each of its ranges is faster than a pass through both sets.
        if its.len() * SEARCH < mine.len() {
            return other.iter().all(|range| self.covers(range));
        }
        its.iter().all(|range| {
            let ended = mine.iter().take_while(|old| (old.memory, old.end) <= (range.memory, range.start));
            mine = &mine[ended.count()..];
            mine.first().is_some_and(|old| old.contains(range))
        })
    }

    /// The ranges that do not end before this one.
    fn near(&self, range: Range) -> &[Range] {
        let before = |other: &Range| (other.memory, other.end) <= (range.memory, range.start);
        let ranges = self.ranges();
        &ranges[ranges.partition_point(before)..]
    }

    pub fn covers(&self, range: Range) -> bool {
        range.start >= range.end || self.near(range).first().is_some_and(|old| old.contains(&range))
    }

    pub fn overlaps(&self, range: Range) -> bool {
        self.near(range).first().is_some_and(|old| old.overlaps(&range))
    }
}

/// Adds a range that is not before any other.
fn append(ranges: &mut Vec<Range>, range: Range) {
    match ranges.last_mut() {
        Some(last) if last.memory == range.memory && range.start <= last.end => {
            last.end = last.end.max(range.end);
        }
        Some(_) | None => ranges.push(range),
    }
}

/// The number of ranges up to which a set is changed in place.
const FEW: usize = 4;

/// About how many steps of a pass through a set cost as much as one search in it.
const SEARCH: usize = 8;

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
                let (memory, start) = (next(2) as u32, next(60));
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
                assert!(sum
                    .ranges()
                    .windows(2)
                    .all(|two| two[0].memory != two[1].memory || two[0].end < two[1].start));
            }
        }
    }

    #[test]
    fn sets_with_the_same_bytes_share_them() {
        let all = bytes(&[(1, 0, 4), (2, 0, 4)]);
        let part = bytes(&[(1, 0, 4)]);
        let mut sum = part.clone();
        assert!(sum.add(&all) && sum.is_same(&all));
        assert!(!sum.add(&part) && sum.is_same(&all));
        sum.subtract(&bytes(&[(3, 0, 4)]));
        sum.remove(range(3, 0, 4));
        sum.insert(range(2, 1, 3));
        assert!(sum.is_same(&all) && all.intersect(&part).is_same(&part));
        sum.insert(range(3, 0, 4));
        assert_eq!(all, bytes(&[(1, 0, 4), (2, 0, 4)]), "the copy was changed");
    }

    #[test]
    fn adding_numbers_returns_the_new_ones() {
        let mut set = NumberSet::default();
        for number in [3, 64, 1000, 65] {
            assert!(set.insert(number));
        }
        assert!(!set.insert(64));
        let mut other = NumberSet::default();
        for number in [3, 66, 1000, 5000] {
            other.insert(number);
        }
        assert_eq!(set.add(&other).iter().collect::<Vec<_>>(), [66, 5000]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 65, 66, 1000, 5000]);
        assert_eq!((set.len(), set.single(), set.contains(65)), (6, None, true));
    }
}
