//! Pointers to functions, to constants, and to the texts of the start, in registers that are not in the graph.
//!
//! Input: the registers and their memory.
//! Output: one more register with a text: a line for each such pointer. Pointers to constants have no elements, because a
//! restart has the constants.
//! Postcondition: the location of such a target is the start of its line.

use super::SnapshotInput;
use crate::graph::objects::{AddressKind, Objects};
use crate::graph::start_texts::StartTexts;
use crate::graph::symbols::{line, Pointee};
use crate::graph::OTHER_SYMBOLS;
use crate::manifest::{Kind, Location, Register as Saved};
use crate::register::memory::{pointer_at, Range};
use crate::register::overlap::MemoryBlocks;
use crate::register::{Register, RegisterScope};
use cppc_abi::storage::{Storage, DEEP, STATIC};
use cppc_abi::types::{by_code, Class, CHAR};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

/// The symbols of a checkpoint.
#[derive(Debug, Default)]
pub struct SavedSymbols {
    text: String,
    /// For each target, and what the pointer points to, the start of its line.
    lines: HashMap<(usize, Pointee), u64>,
    /// All targets.
    pub(super) addresses: BTreeSet<usize>,
    /// The index of the register with the text.
    register: Option<usize>,
}

/// What a restart finds by itself.
pub(super) struct Constants<'a> {
    pub objects: &'a OnceCell<Objects>,
    /// Sorted by address. There may be very many pointers.
    ranges: Vec<std::ops::Range<usize>>,
}

impl<'a> Constants<'a> {
    pub fn new(objects: &'a OnceCell<Objects>) -> Constants<'a> {
        Constants { objects, ranges: objects.get_or_init(Objects::now).constants() }
    }

    /// Whether the address is in a library.
    pub fn is_of_library(&self, address: usize) -> bool {
        let objects = self.objects.get_or_init(Objects::now);
        objects.kind(address) != AddressKind::Nowhere && objects.offset(address).is_none()
    }

    /// Whether the address is that of a function, of a constant or of a text of the start.
    pub fn contain(&self, address: usize) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= address);
        let is_constant = after > 0 && address < self.ranges[after - 1].end;
        is_constant || StartTexts::get().contain(address)
    }
}

impl SnapshotInput<'_> {
    /// Finds the targets, and adds the register with the text about them.
    pub(super) fn take_symbols(
        &self,
        registers: &mut Vec<Register>,
        ranges: &mut Vec<Range>,
        constants: &Constants,
    ) -> SavedSymbols {
        let mut saved = SavedSymbols::default();
        let (mut slots, mut inner) = (Vec::new(), BTreeSet::new());
        for (index, (register, range)) in registers.iter().zip(&*ranges).enumerate() {
            if register.storage.is_deep() {
                continue;
            }
            let is_text = by_code(register.type_code).is_some_and(|found| found.class == Class::Character);
            if register.kind == Kind::Pointer && constants.contain(range.address) {
                let pointee = if is_text { Pointee::Text } else { Pointee::Elements(register.element_bytes) };
                saved.addresses.insert(range.address);
                slots.push((index, pointee));
                continue;
            }
            for inside in self.pointers(register.type_code, register.element_bytes, register.count) {
                if range.address == 0 {
                    continue;
                }
                // SAFETY: `inside` is an offset in a register, which was found to be readable.
                let value = unsafe { pointer_at(range.address + inside) };
                if constants.contain(value) {
                    saved.addresses.insert(value);
                    inner.insert(value);
                }
            }
        }
        let mut pointers = Vec::new();
        for (index, pointee) in slots {
            if saved.add(ranges[index].address, pointee, constants) {
                pointers.push((index, pointee));
            }
        }
        for address in inner {
            saved.add(address, Pointee::Unknown, constants);
        }
        if saved.lines.is_empty() {
            return saved;
        }
        let text = Range { address: saved.text.as_ptr() as usize, size_bytes: saved.text.len() };
        for (index, pointee) in pointers {
            let line = saved.lines.get(&(ranges[index].address, pointee)).copied().unwrap_or(0);
            ranges[index] = Range { address: text.address + line as usize, size_bytes: 0 };
            registers[index].count = 0;
        }
        saved.register = Some(registers.len());
        ranges.push(text);
        registers.push(Register {
            section: 0,
            scope: RegisterScope::Program,
            kind: Kind::Memory,
            address: text.address,
            count: text.size_bytes,
            type_code: CHAR,
            element_bytes: 1,
            fields: None,
            storage: Storage::new(STATIC | DEEP).unwrap_or(registers[0].storage),
            entry: None,
            is_unrecorded: true,
            ..registers[0]
        });
        saved
    }
}

impl SavedSymbols {
    /// Adds the line for an address. Returns whether a restart finds it.
    fn add(&mut self, address: usize, pointee: Pointee, constants: &Constants) -> bool {
        if self.lines.contains_key(&(address, pointee)) {
            return true;
        }
        let objects = constants.objects.get_or_init(Objects::now);
        let Some(line) = line(objects, address, pointee, &self.addresses) else { return false };
        self.lines.insert((address, pointee), self.text.len() as u64);
        self.text.push_str(&line);
        true
    }

    /// The location of the target of a pointer in the memory of a register.
    pub(super) fn locate(&self, address: usize, memory: &MemoryBlocks) -> Option<Location> {
        let line = *self.lines.get(&(address, Pointee::Unknown))?;
        let place = memory.locations[self.register?]?;
        Some(Location { block: place.block, offset_bytes: place.offset_bytes + line })
    }

    /// Sets the name of the register that was added.
    pub(super) fn name(&self, saved: &mut [Saved]) {
        if let Some(register) = self.register {
            saved[register].name = OTHER_SYMBOLS.to_owned();
        }
    }

    /// Whether the register is the one that was added.
    pub fn has_register(&self, register: usize) -> bool {
        self.register == Some(register)
    }
}
