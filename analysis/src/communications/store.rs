//! The memory of several processes at once: the integers, addresses and handles in it.
//!
//! Input: reads and writes. Output: values.
//! Postcondition: memory whose content is not certain reads as `Unknown`.

use std::collections::{BTreeMap, BTreeSet};

use super::value::{joined, Val, Vals};
use crate::sets::Memory;

#[derive(Debug, Clone)]
struct Cell {
    size: u64,
    value: Vals,
    /// The number of the write.
    stamp: u64,
}

#[derive(Debug, Clone, Default)]
pub struct Store {
    cells: BTreeMap<(Memory, i64), Cell>,
    /// Memory whose other bytes are the same in all processes.
    same: BTreeSet<Memory>,
    writes: u64,
    count: usize,
}

/// The largest value.
const LARGEST: i64 = 16;

impl Store {
    /// `same`: memory that has the same content in all processes before the program starts.
    pub fn new(count: usize, same: BTreeSet<Memory>) -> Store {
        Store { cells: BTreeMap::new(), same, writes: 0, count }
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
            Val::Pointer(memory, offset) => match self.cells.get(&(memory, offset)) {
                Some(cell) if size.is_none_or(|size| size == cell.size) => cell.value.clone(),
                Some(cell) if cell.value.is_same() => Vals::SAME,
                Some(_) => Vals::different(self.count),
                None => self.other(memory, offset, size.unwrap_or(1)),
            },
            Val::Named(super::value::Constant::Arguments) => Vals::One(place),
            _ => Vals::different(self.count),
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
        let range = (memory, offset.saturating_sub(LARGEST))..(memory, end);
        let found = self.cells.range(range).map(|(&(_, at), cell)| (at, at + cell.size as i64));
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
        let overlapped: Vec<i64> = self.overlapping(memory, offset, size).collect();
        for at in overlapped {
            let old = self.cells.remove(&(memory, at));
            let end = |at: i64, size: u64| at + size as i64;
            if old.is_some_and(|old| at < offset || end(at, old.size) > end(offset, size)) {
                self.same.remove(&memory);
            }
        }
        self.writes += 1;
        self.cells.insert((memory, offset), Cell { size, value, stamp: self.writes });
    }

    /// The content of the memory is not known any longer.
    pub fn forget(&mut self, memory: Memory) {
        self.drop_cells(memory);
        self.same.remove(&memory);
        self.writes += 1;
    }

    /// The memory has new content, which is the same in all processes and is not known.
    pub fn forget_same(&mut self, memory: Memory) {
        self.drop_cells(memory);
        self.same.insert(memory);
        self.writes += 1;
    }

    fn drop_cells(&mut self, memory: Memory) {
        let keys: Vec<i64> =
            self.cells.range((memory, i64::MIN)..=(memory, i64::MAX)).map(|(key, _)| key.1).collect();
        for key in keys {
            self.cells.remove(&(memory, key));
        }
    }

    /// The offsets of the values in a part of the memory, with their sizes.
    pub fn cells_in(&self, memory: Memory, from: i64, end: i64) -> Vec<(i64, u64)> {
        self.cells.range((memory, from)..(memory, end)).map(|(key, cell)| (key.1, cell.size)).collect()
    }

    /// Where paths meet that all processes take together (`same`), or each process by itself. `before`: the stamp
    /// before the paths separated.
    pub fn join(&mut self, other: &Store, before: u64, same: bool) {
        let keys: BTreeSet<(Memory, i64)> = self.cells.keys().chain(other.cells.keys()).copied().collect();
        let mut cells = BTreeMap::new();
        for key in keys {
            let (mine, its) = (self.cells.get(&key), other.cells.get(&key));
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
                (Some(mine), None) => joined(&mine.value, &other.other(key.0, key.1, size), self.count, same),
                (None, Some(its)) => joined(&its.value, &self.other(key.0, key.1, size), self.count, same),
                (Some(_), Some(_)) | (None, None) => Vals::different(self.count),
            };
            let value = match (mine, its) {
                (Some(_), Some(_)) => value,
                _ if same => value,
                _ => Vals::different(self.count),
            };
            cells.insert(key, Cell { size, value, stamp });
        }
        self.cells = cells;
        self.same = self.same.intersection(&other.same).copied().collect();
        self.writes = self.writes.max(other.writes);
    }

    /// Whether the content is the same as that of another store.
    pub fn equals(&self, other: &Store) -> bool {
        self.same == other.same
            && self.cells.len() == other.cells.len()
            && self.cells.iter().zip(&other.cells).all(|((left, mine), (right, its))| {
                left == right && mine.size == its.size && mine.value == its.value
            })
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
