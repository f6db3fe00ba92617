//! Ranges of bytes, and operations on short lists of them.
//!
//! Postcondition: the ranges of a list are in ascending order, and neither overlap nor touch.

use crate::program::ObjectId;

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

/// Adds a range to a list.
pub(super) fn insert(ranges: &mut Vec<Range>, range: Range) {
    let before = |other: &Range| (other.memory, other.end) < (range.memory, range.start);
    let near = |other: &Range| other.memory == range.memory && other.start <= range.end;
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

/// The bytes that are in at least one of two lists. The ranges of `other` may overlap.
pub(super) fn union(mine: &[Range], other: &[Range]) -> Vec<Range> {
    let mut all = Vec::with_capacity(mine.len() + other.len());
    let mut mine = mine.iter().copied().peekable();
    for &range in other {
        while let Some(old) = mine.next_if(|old| *old < range) {
            append(&mut all, old);
        }
        append(&mut all, range);
    }
    mine.for_each(|old| append(&mut all, old));
    all
}

/// The bytes of the first list that are not in the second one.
pub(super) fn difference(mine: &[Range], other: &[Range]) -> Vec<Range> {
    let mut rest = Vec::with_capacity(mine.len());
    let mut gone = other.iter().peekable();
    for &old in mine {
        let mut range = old;
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
    rest
}

/// The bytes that are in both lists.
pub(super) fn intersection(mine: &[Range], other: &[Range]) -> Vec<Range> {
    let (few, many) = if mine.len() <= other.len() { (mine, other) } else { (other, mine) };
    let mut both = Vec::new();
    for &range in few {
        for part in near(many, range).iter().take_while(|part| part.overlaps(&range)) {
            let (start, end) = (range.start.max(part.start), range.end.min(part.end));
            append(&mut both, Range { memory: range.memory, start, end });
        }
    }
    both
}

/// Whether all of `other` is in the first list.
pub(super) fn includes(mut mine: &[Range], other: &[Range]) -> bool {
    // If the other list is much shorter, a search for each of its ranges is faster than a pass through both lists.
    if other.len() * SEARCH < mine.len() {
        return other.iter().all(|range| covers(mine, *range));
    }
    other.iter().all(|range| {
        let ended = mine.iter().take_while(|old| (old.memory, old.end) <= (range.memory, range.start));
        mine = &mine[ended.count()..];
        mine.first().is_some_and(|old| old.contains(range))
    })
}

pub(super) fn covers(ranges: &[Range], range: Range) -> bool {
    near(ranges, range).first().is_some_and(|old| old.contains(&range))
}

/// The ranges that do not end before this one.
pub(super) fn near(ranges: &[Range], range: Range) -> &[Range] {
    let before = |other: &Range| (other.memory, other.end) <= (range.memory, range.start);
    &ranges[ranges.partition_point(before)..]
}

/// The ranges of one memory.
pub(super) fn of(ranges: &[Range], memory: Memory) -> &[Range] {
    let first = ranges.partition_point(|range| range.memory < memory);
    let count = ranges[first..].partition_point(|range| range.memory == memory);
    &ranges[first..first + count]
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

/// About how many steps of a pass through a list cost as much as one search in it.
const SEARCH: usize = 8;
