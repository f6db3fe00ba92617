//! Copies of records: pointers in some bytes are copied to other memory, at the same distances.
//!
//! Input: the pointers to the bytes, and to the other memory.
//! Postcondition: the copies meet in the nodes of the record, one for each distance. So their number grows with the sum of
//! the memories on both sides, and not with its product.

use rustc_hash::FxHashMap;

use super::ANY_OFFSET;
use crate::sets::{Memory, NumberSet};

/// The `size` bytes at the targets of a pointer.
pub(super) struct Record {
    pub size: u64,
    /// The places that it is copied from, and those that it is copied to, by their nodes.
    pub sources: NumberSet,
    pub destinations: NumberSet,
    pub destination_places: Vec<(Memory, u64)>,
    /// The node of the pointers at a distance from the start.
    pub nodes: FxHashMap<u64, u32>,
    /// The distances, in the order of the nodes.
    pub distances: Vec<u64>,
}

impl Record {
    pub fn new(size: u64) -> Record {
        Record {
            size,
            sources: NumberSet::default(),
            destinations: NumberSet::default(),
            destination_places: Vec::new(),
            nodes: FxHashMap::default(),
            distances: Vec::new(),
        }
    }
}

/// Pointers at `start..end` of a memory are part of a record. `ANY_OFFSET`: all pointers, at any distance.
#[derive(Clone, Copy)]
pub(super) struct Relation {
    pub start: u64,
    pub end: u64,
    pub record: u32,
}

impl Relation {
    /// The distance in the record of the pointer at this offset.
    pub fn distance(&self, offset: u64) -> Option<u64> {
        if offset == ANY_OFFSET || self.start == ANY_OFFSET {
            return Some(ANY_OFFSET);
        }
        (offset >= self.start && offset < self.end).then(|| offset - self.start)
    }
}

/// The sum of an offset and a distance, if both are known.
pub(super) fn shifted(offset: u64, distance: u64) -> u64 {
    match offset == ANY_OFFSET || distance == ANY_OFFSET {
        true => ANY_OFFSET,
        false => offset.saturating_add(distance),
    }
}
