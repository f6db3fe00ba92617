//! The type tables of gfortran, which give a polymorphic variable its dynamic type.
//!
//! Input: the address of a table of each type.
//! Output: the type of any table.
//! Postcondition: two tables of one type have the same key. Each object file of a program may have its own table of a type.
//!
//! A table begins with a hash value of the name of the type, a C `int`, and the size of an element, a `size_t`. See
//! `gfc_find_derived_vtab` in `class.cc` of GCC.

use std::collections::{HashMap, HashSet};

use crate::register::memory::{pointer_at, Range};
use crate::register::segments::{Segment, Segments};

/// The start of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableKey {
    hash: i32,
    pub element_bytes: usize,
}

/// When so many registers are recorded, those that have ended are forgotten.
const MOST_DESCRIBED: usize = 1 << 12;

/// The bytes of a table that are read.
const KEY_BYTES: usize = 2 * size_of::<usize>();

impl TableKey {
    /// None if the address is not one in the data of a loaded object.
    pub fn at(address: usize, segments: &Segments) -> Option<TableKey> {
        let last = address.checked_add(KEY_BYTES - 1)?;
        let is_data = |address| segments.of(address) == Segment::Object;
        if address % align_of::<usize>() != 0 || !is_data(address) || !is_data(last) {
            return None;
        }
        // SAFETY: the data of a loaded object can be read.
        let bytes = unsafe { Range { address, size_bytes: KEY_BYTES }.bytes() };
        let (hash, size) = bytes.split_at(size_of::<usize>());
        let hash = i32::from_ne_bytes(hash.get(..size_of::<i32>())?.try_into().ok()?);
        Some(TableKey { hash, element_bytes: usize::from_ne_bytes(size.try_into().ok()?) })
    }
}

/// What a polymorphic dummy argument refers to.
#[derive(Debug, Clone, Copy)]
pub struct Passed {
    /// The address of its value.
    pub value: usize,
    /// The address of its type table.
    pub table: usize,
}

impl Passed {
    /// `address` is that of a polymorphic variable, which the program passes.
    pub fn at(address: usize) -> Passed {
        // SAFETY: the program has announced the variable.
        unsafe { Passed { value: pointer_at(address), table: pointer_at(address + size_of::<usize>()) } }
    }
}

#[derive(Debug, Clone)]
struct TypeTable {
    address: usize,
    key: TableKey,
    code: i32,
    name: String,
}

#[derive(Debug, Default)]
pub struct TypeTables {
    list: Vec<TypeTable>,
    /// The codes of the types that were described after `init`. A restart describes them before it delivers anything.
    initial: Vec<i32>,
    /// The codes of the types that each register has described, by its serial number.
    described: HashMap<u64, Vec<i32>>,
}

impl TypeTables {
    /// Adds the table of the type with this code. The name is that of the type.
    pub fn add(&mut self, address: usize, key: TableKey, code: i32, name: String) {
        match self.list.iter_mut().find(|known| known.name == name) {
            Some(known) => *known = TypeTable { address, key, code, name },
            None => self.list.push(TypeTable { address, key, code, name }),
        }
    }

    pub fn initial(&self) -> &[i32] {
        &self.initial
    }

    pub fn add_initial(&mut self, codes: &[i32]) {
        self.initial.extend(codes);
    }

    pub fn described_by(&self, register: u64) -> &[i32] {
        self.described.get(&register).map_or(&[], Vec::as_slice)
    }

    /// Records what a register has described. `is_live` says which registers still exist.
    pub fn add_described(&mut self, register: u64, codes: Vec<i32>, is_live: impl FnOnce() -> HashSet<u64>) {
        if self.described.len() >= MOST_DESCRIBED {
            let live = is_live();
            self.described.retain(|register, _| live.contains(register));
        }
        if !codes.is_empty() {
            self.described.insert(register, codes);
        }
    }

    pub fn codes(&self) -> Vec<i32> {
        self.list.iter().map(|known| known.code).collect()
    }

    /// The code and the name of the type with this table.
    pub fn find(&self, address: usize, segments: &Segments) -> Option<(i32, &str)> {
        let found = match self.list.iter().find(|known| known.address == address) {
            Some(known) => known,
            None => {
                let key = TableKey::at(address, segments)?;
                self.list.iter().find(|known| known.key == key)?
            }
        };
        Some((found.code, &found.name))
    }

    /// The address of a table of the type with this name.
    pub fn address(&self, name: &str) -> Option<usize> {
        self.list.iter().find(|known| known.name == name).map(|known| known.address)
    }
}
