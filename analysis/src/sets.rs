//! The two sets that analyses compute with: numbers, and ranges of bytes.
//!
//! Postcondition: equal sets are equal as data, and iteration is in ascending order.

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

/// A set of bytes: sorted ranges that neither overlap nor touch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bytes {
    ranges: Vec<Range>,
}

impl Bytes {
    pub fn from_range(range: Range) -> Bytes {
        let mut bytes = Bytes::default();
        bytes.insert(range);
        bytes
    }

    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = Range> + '_ {
        self.ranges.iter().copied()
    }

    /// The ranges of one memory.
    pub fn of(&self, memory: Memory) -> &[Range] {
        let first = self.ranges.partition_point(|range| range.memory < memory);
        let count = self.ranges[first..].partition_point(|range| range.memory == memory);
        &self.ranges[first..first + count]
    }

    pub fn insert(&mut self, range: Range) {
        if range.start >= range.end {
            return;
        }
        let before = |other: &Range| (other.memory, other.end) < (range.memory, range.start);
        let first = self.ranges.partition_point(before);
        let near = |other: &Range| other.memory == range.memory && other.start <= range.end;
        let count = self.ranges[first..].partition_point(near);
        let mut merged = range;
        for old in &self.ranges[first..first + count] {
            merged.start = merged.start.min(old.start);
            merged.end = merged.end.max(old.end);
        }
        match count {
            0 => self.ranges.insert(first, merged),
            _ => {
                self.ranges[first] = merged;
                self.ranges.drain(first + 1..first + count);
            }
        }
    }

    /// Adds a range that is not before any other.
    fn append(&mut self, range: Range) {
        match self.ranges.last_mut() {
            Some(last) if last.memory == range.memory && range.start <= last.end => {
                last.end = last.end.max(range.end);
            }
            Some(_) | None => self.ranges.push(range),
        }
    }

    pub fn remove(&mut self, range: Range) {
        let before = |other: &Range| (other.memory, other.end) <= (range.memory, range.start);
        let first = self.ranges.partition_point(before);
        let hit = |other: &Range| other.memory == range.memory && other.start < range.end;
        let count = self.ranges[first..].partition_point(hit);
        if count == 0 {
            return;
        }
        let mut rest = Vec::new();
        for old in &self.ranges[first..first + count] {
            if old.start < range.start {
                rest.push(Range { end: range.start, ..*old });
            }
            if old.end > range.end {
                rest.push(Range { start: range.end, ..*old });
            }
        }
        self.ranges.splice(first..first + count, rest);
    }

    pub fn remove_memory(&mut self, memory: Memory) {
        self.remove(Range { memory, start: 0, end: END });
    }

    /// Adds all of `other`. Returns whether anything is new.
    pub fn add(&mut self, other: &Bytes) -> bool {
        let new: Vec<Range> = other.iter().filter(|range| !self.covers(*range)).collect();
        if new.len() <= FEW {
            new.iter().for_each(|range| self.insert(*range));
            return !new.is_empty();
        }
        let mut all = Bytes { ranges: Vec::with_capacity(self.ranges.len() + new.len()) };
        let mut mine = self.ranges.iter().copied().peekable();
        for range in new {
            while let Some(old) = mine.next_if(|old| *old < range) {
                all.append(old);
            }
            all.append(range);
        }
        mine.for_each(|old| all.append(old));
        *self = all;
        true
    }

    pub fn subtract(&mut self, other: &Bytes) {
        if other.ranges.len() <= FEW {
            other.iter().for_each(|range| self.remove(range));
            return;
        }
        let mut rest = Vec::with_capacity(self.ranges.len());
        let mut gone = other.ranges.iter().peekable();
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
        self.ranges = rest;
    }

    /// The bytes that are in both sets.
    pub fn intersect(&self, other: &Bytes) -> Bytes {
        let (few, many) = if self.ranges.len() <= other.ranges.len() { (self, other) } else { (other, self) };
        let mut both = Bytes::default();
        for range in few.iter() {
            for part in many.near(range).iter().take_while(|part| part.overlaps(&range)) {
                both.append(Range {
                    memory: range.memory,
                    start: range.start.max(part.start),
                    end: range.end.min(part.end),
                });
            }
        }
        both
    }

    /// The ranges that do not end before this one.
    fn near(&self, range: Range) -> &[Range] {
        let before = |other: &Range| (other.memory, other.end) <= (range.memory, range.start);
        &self.ranges[self.ranges.partition_point(before)..]
    }

    pub fn covers(&self, range: Range) -> bool {
        range.start >= range.end || self.near(range).first().is_some_and(|old| old.contains(&range))
    }

    pub fn overlaps(&self, range: Range) -> bool {
        self.near(range).first().is_some_and(|old| old.overlaps(&range))
    }
}

/// The number of ranges up to which a set is changed in place.
const FEW: usize = 4;

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
                    .ranges
                    .windows(2)
                    .all(|two| two[0].memory != two[1].memory || two[0].end < two[1].start));
            }
        }
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
