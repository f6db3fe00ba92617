//! The memory of several processes at once: the integers, addresses and handles in it.
//!
//! Input: reads and writes. Output: values.
//! Postcondition: memory whose content is not certain reads as `Unknown`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::value::{joined, Val, Vals};
use crate::sets::Memory;

#[derive(Debug, Clone)]
struct Cell {
    size: u64,
    value: Vals,
    /// The number of the write.
    stamp: u64,
}

/// The values in one memory, by their offsets.
#[derive(Debug, Clone, Default)]
struct Content {
    cells: BTreeMap<i64, Cell>,
    /// The largest number of a write.
    stamp: u64,
}

/// Copies of a store share the contents that have not changed.
#[derive(Debug, Clone, Default)]
pub struct Store {
    contents: Arc<BTreeMap<Memory, Arc<Content>>>,
    /// Memory whose other bytes are the same in all processes.
    same: Arc<BTreeSet<Memory>>,
    /// Memory whose content is not followed.
    bulk: Arc<FxHashSet<Memory>>,
    writes: u64,
    count: usize,
}

/// The largest value.
const LARGEST: i64 = 16;

impl Store {
    /// `same`: memory that has the same content in all processes before the program starts. `bulk`: memory whose content
    /// is never known.
    pub fn new(count: usize, mut same: BTreeSet<Memory>, bulk: FxHashSet<Memory>) -> Store {
        same.retain(|memory| !bulk.contains(memory));
        Store { contents: Arc::default(), same: Arc::new(same), bulk: Arc::new(bulk), writes: 0, count }
    }

    /// The number of memories and of the values in them.
    pub fn size(&self) -> usize {
        self.contents.values().map(|content| 1 + content.cells.len()).sum()
    }

    pub fn stamp(&self) -> u64 {
        self.writes
    }

    /// The value in the memory that each process addresses.
    pub fn read(&self, from: &Vals, size: Option<u64>) -> Vals {
        match from {
            Vals::One(place) => self.read_one(*place, size),
            Vals::Each(places) => {
                let each = places.iter().enumerate();
                Vals::of(
                    each.map(|(process, &place)| self.read_one(place, size).of_process(process)).collect(),
                )
            }
        }
    }

    fn read_one(&self, place: Val, size: Option<u64>) -> Vals {
        match place {
            Val::Pointer(memory, offset) => match self.cell(memory, offset) {
                Some(cell) if size.is_none_or(|size| size == cell.size) => cell.value.clone(),
                Some(cell) => self.parts(memory, offset, size.unwrap_or(cell.size)),
                None => self.other(memory, offset, size.unwrap_or(1)),
            },
            Val::Named(super::value::Constant::Arguments) => Vals::One(place),
            _ => Vals::different(self.count),
        }
    }

    fn cell(&self, memory: Memory, offset: i64) -> Option<&Cell> {
        self.contents.get(&memory)?.cells.get(&offset)
    }

    /// The value of bytes that are parts of cells, or more than one of them.
    fn parts(&self, memory: Memory, offset: i64, size: u64) -> Vals {
        let end = offset.saturating_add(i64::try_from(size).unwrap_or(i64::MAX));
        let mut known = offset;
        for at in self.overlapping(memory, offset, size) {
            let Some(cell) = self.cell(memory, at).filter(|cell| cell.value.is_same()) else {
                return Vals::different(self.count);
            };
            if at > known && !self.same.contains(&memory) {
                return Vals::different(self.count);
            }
            known = at + cell.size as i64;
        }
        match known >= end || self.same.contains(&memory) {
            true => Vals::SAME,
            false => Vals::different(self.count),
        }
    }

    /// Whether something was written into the memory.
    pub fn has_value(&self, memory: Memory) -> bool {
        self.same.contains(&memory) || self.contents.contains_key(&memory)
    }

    /// Whether all of the memory is the same in all processes. `size`: its size, if that is known.
    pub fn is_same(&self, memory: Memory, size: Option<u64>) -> bool {
        match size {
            Some(size) => self.parts(memory, 0, size).is_same(),
            None => self.same.contains(&memory) && self.parts(memory, 0, i64::MAX as u64).is_same(),
        }
    }

    /// The value of bytes that no cell begins with.
    fn other(&self, memory: Memory, offset: i64, size: u64) -> Vals {
        let overlaps = self.overlapping(memory, offset, size).next().is_some();
        match self.same.contains(&memory) && !overlaps {
            true => Vals::SAME,
            false => Vals::different(self.count),
        }
    }

    fn overlapping(&self, memory: Memory, offset: i64, size: u64) -> impl Iterator<Item = i64> + '_ {
        let end = offset.saturating_add(i64::try_from(size).unwrap_or(i64::MAX));
        let range = offset.saturating_sub(LARGEST)..end;
        let cells = self
            .contents
            .get(&memory)
            .into_iter()
            .flat_map(move |content| content.cells.range(range.clone()));
        let found = cells.map(|(&at, cell)| (at, at + cell.size as i64));
        found.filter(move |&(_, last)| last > offset).map(|(at, _)| at)
    }

    /// Writes the values of the processes in the mask.
    pub fn write(&mut self, to: &Vals, size: Option<u64>, value: &Vals, mask: &[bool]) {
        let size = size.unwrap_or(8).min(LARGEST as u64);
        let is_full = mask.iter().all(|&is_in| is_in);
        if let (Vals::One(Val::Pointer(memory, offset)), true) = (to, is_full) {
            return self.put(*memory, *offset, size, value.clone());
        }
        for process in (0..self.count).filter(|&process| mask[process]) {
            match to.of_process(process) {
                Val::Pointer(memory, offset) => {
                    let old = self.read_one(Val::Pointer(memory, offset), Some(size));
                    let mut all: Vec<Val> = (0..self.count).map(|one| old.of_process(one)).collect();
                    all[process] = value.of_process(process);
                    // What another process has there is not the same any longer.
                    self.put(memory, offset, size, Vals::of(all));
                }
                Val::Inside(memory) => self.forget(memory),
                _ => {}
            }
        }
    }

    fn put(&mut self, memory: Memory, offset: i64, size: u64, value: Vals) {
        if self.bulk.contains(&memory) {
            return;
        }
        let is_replaced = self.cell(memory, offset).is_some_and(|old| old.size == size);
        let overlapped: Vec<i64> = match is_replaced {
            true => Vec::new(),
            false => self.overlapping(memory, offset, size).collect(),
        };
        self.writes += 1;
        let stamp = self.writes;
        let content = Arc::make_mut(Arc::make_mut(&mut self.contents).entry(memory).or_default());
        let mut is_cut = false;
        for at in overlapped {
            let old = content.cells.remove(&at);
            let end = |at: i64, size: u64| at + size as i64;
            is_cut |= old.is_some_and(|old| at < offset || end(at, old.size) > end(offset, size));
        }
        content.cells.insert(offset, Cell { size, value, stamp });
        content.stamp = stamp;
        if is_cut {
            Arc::make_mut(&mut self.same).remove(&memory);
        }
    }

    /// The content of the memory is not known any longer.
    pub fn forget(&mut self, memory: Memory) {
        self.drop_cells(memory);
        if self.same.contains(&memory) {
            Arc::make_mut(&mut self.same).remove(&memory);
        }
        self.writes += 1;
    }

    fn drop_cells(&mut self, memory: Memory) {
        if self.contents.contains_key(&memory) {
            Arc::make_mut(&mut self.contents).remove(&memory);
        }
    }

    /// The offsets of the values in a part of the memory, with their sizes.
    pub fn cells_in(&self, memory: Memory, from: i64, end: i64) -> Vec<(i64, u64)> {
        let cells = self.contents.get(&memory).into_iter().flat_map(|content| content.cells.range(from..end));
        cells.map(|(&at, cell)| (at, cell.size)).collect()
    }

    /// Where paths meet that all processes take together (`same`), or each process by itself. `before`: the stamp
    /// before the paths separated.
    pub fn join(&mut self, other: &Store, before: u64, same: bool) {
        let keys: BTreeSet<Memory> = self.contents.keys().chain(other.contents.keys()).copied().collect();
        let mut contents = BTreeMap::new();
        for memory in keys {
            let (mine, its) = (self.contents.get(&memory), other.contents.get(&memory));
            let joined = match (mine, its) {
                (Some(mine), Some(its)) if Arc::ptr_eq(mine, its) && (same || mine.stamp <= before) => {
                    mine.clone()
                }
                _ => Arc::new(self.joined_content(other, memory, (before, same))),
            };
            contents.insert(memory, joined);
        }
        self.contents = Arc::new(contents);
        if self.same != other.same {
            self.same = Arc::new(self.same.intersection(&other.same).copied().collect());
        }
        self.writes = self.writes.max(other.writes);
    }

    /// Processes come here at different times. What they have written since `before`, where they had the content of
    /// `entry`, may differ between them.
    pub fn differ_since(&mut self, entry: &Store, before: u64) {
        let is_new = |content: &Content| content.stamp > before;
        let changed: Vec<Memory> =
            self.contents.iter().filter(|(_, content)| is_new(content)).map(|(&memory, _)| memory).collect();
        for memory in changed {
            let Some(content) = Arc::make_mut(&mut self.contents).get_mut(&memory) else { continue };
            let cells = Arc::make_mut(content).cells.values_mut();
            for cell in cells.filter(|cell| cell.stamp > before && cell.value == Vals::SAME) {
                cell.value = Vals::different(self.count);
            }
        }
        if self.same != entry.same {
            self.same = Arc::new(self.same.intersection(&entry.same).copied().collect());
        }
    }

    fn joined_content(&self, other: &Store, memory: Memory, (before, same): (u64, bool)) -> Content {
        let own = self.contents.get(&memory).map(|content| &content.cells);
        let others = other.contents.get(&memory).map(|content| &content.cells);
        let keys: BTreeSet<i64> =
            [own, others].into_iter().flatten().flat_map(BTreeMap::keys).copied().collect();
        let mut content = Content::default();
        for offset in keys {
            let (mine, its) = (self.cell(memory, offset), other.cell(memory, offset));
            let size = mine.or(its).map_or(1, |cell| cell.size);
            let stamp = mine.map_or(0, |cell| cell.stamp).max(its.map_or(0, |cell| cell.stamp));
            let value = match (mine, its) {
                (Some(mine), Some(its)) if mine.size == its.size => {
                    let is_old = mine.stamp == its.stamp && stamp <= before;
                    match same || is_old || is_known(&mine.value) && mine.value == its.value {
                        true => joined(&mine.value, &its.value, self.count, same || is_old),
                        false => different_paths(&mine.value, &its.value, self.count),
                    }
                }
                (Some(mine), None) if same => {
                    joined(&mine.value, &other.other(memory, offset, size), self.count, same)
                }
                (None, Some(its)) if same => {
                    joined(&its.value, &self.other(memory, offset, size), self.count, same)
                }
                _ => Vals::different(self.count),
            };
            content.stamp = content.stamp.max(stamp);
            content.cells.insert(offset, Cell { size, value, stamp });
        }
        content
    }

    /// Whether the content is the same as that of another store.
    pub fn equals(&self, other: &Store) -> bool {
        let is_equal = |mine: &Arc<Content>, its: &Arc<Content>| {
            Arc::ptr_eq(mine, its)
                || mine.cells.len() == its.cells.len()
                    && mine.cells.iter().zip(&its.cells).all(|((left, mine), (right, its))| {
                        left == right && mine.size == its.size && mine.value == its.value
                    })
        };
        self.same == other.same
            && self.contents.len() == other.contents.len()
            && self
                .contents
                .iter()
                .zip(&*other.contents)
                .all(|((left, mine), (right, its))| left == right && is_equal(mine, its))
    }
}

fn is_known(value: &Vals) -> bool {
    match value {
        Vals::One(value) => *value != Val::Unknown,
        Vals::Each(_) => false,
    }
}

/// Each process has taken one of two paths; it is not known which one.
fn different_paths(left: &Vals, right: &Vals, count: usize) -> Vals {
    let one = |process| match (left.of_process(process), right.of_process(process)) {
        (left, right) if left == right => left,
        _ => Val::Unknown,
    };
    Vals::of((0..count).map(one).collect())
}
