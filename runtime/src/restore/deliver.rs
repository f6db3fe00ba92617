//! Delivers the content of registers.
//!
//! Input: a verified state file, and registers as the program makes them again.
//! Output: their content in place, and their pointers set.
//! Postcondition: nothing was written outside the memory that the program declared. After `finish` every
//! pointer has its final value.

mod error;
mod symbols;
mod captures;
mod fields;
mod finish;
mod graph;
mod moved;
mod pointers;

use super::conversion::Conversion;
use super::same;
use super::stale::{EarlierMemories, Overwritten};
use crate::allocations;
use crate::manifest::padding::{data_of, is_data_in};
use crate::manifest::parts::{is_in, Part};
use crate::manifest::{BlockPlace, Kind, Location, Manifest, Register as Saved};
use crate::register::memory::{pointer_at, pointer_without_value_at, set_pointer_at, Range};
use crate::register::segments::Mapping;
use crate::register::{FieldRange, Layouts, Pairs};
use crate::verify::{StateFile, Verified};
use cppc_abi::storage::{Storage, PARTIAL};
use graph::SavedGraph;
use pointers::WaitingPointers;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use symbols::ProgramSymbols;

pub use error::DeliveryError;

/// A register as the program makes it.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub name: &'a str,
    pub section: i32,
    pub kind: Kind,
    pub address: usize,
    pub count: usize,
    pub type_code: i32,
    pub storage: Storage,
}

impl Request<'_> {
    /// Whether it is a pointer that the program registers without elements.
    fn is_bare(&self) -> bool {
        self.kind == Kind::Pointer && self.count == 0 && self.storage.is_constant()
    }
}

/// The result of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivered {
    /// The file has no register for it here.
    Skipped,
    /// Its index in the file, its address (of the memory or of the slot), and its number of elements.
    Done { index: usize, address: usize, count: usize },
}

/// The state of a memory block in the restart.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockState {
    pub(super) base: Option<usize>,
    /// Whether a variable with a fixed address is in it.
    pub(super) is_fixed: bool,
    /// For a heap block that was allocated: the activity at that time, and the checksum of its content if one
    /// was computed.
    taken: Option<(u64, Option<u32>)>,
}

/// The address and the bounds that the program last passed for a followed array.
#[derive(Debug, Clone, Copy)]
pub(super) struct PresentArray {
    pub(super) address: usize,
    pub(super) pairs: Pairs,
    /// The bounds in the state file.
    pub(super) wanted: Pairs,
}

/// No variable has an address below this. A smaller address belongs to a component reached through a null
/// pointer.
const NULL_BYTES: usize = 4096;

/// Memory up to this size is compared before it is written, because it may be a constant.
const CONSTANT_BYTES: usize = 1 << 16;

#[derive(Debug)]
pub struct Delivery {
    file: Verified<StateFile>,
    /// The conversion from the architecture of the file; none if the file needs no conversion.
    conversion: Option<Conversion>,
    /// The parts of memory blocks that have an address in the program.
    owned: Vec<Part>,
    pub(super) blocks: Vec<BlockState>,
    /// The fields of the memory blocks that are the content of fields. The base is the address of the first one.
    pub(super) fields: BTreeMap<u32, FieldRange>,
    /// For each register of the file, its present address, and the activity when it was delivered.
    pub(super) recovered: Vec<Option<(usize, u64)>>,
    /// The registers of the file, by name.
    by_name: HashMap<String, Vec<u32>>,
    /// The slots of pointers that have been recovered, with their registers, sorted by address.
    slots: BTreeSet<(usize, usize)>,
    /// For each followed register of the file, the array that the program has now.
    pub(super) followed: HashMap<usize, PresentArray>,
    /// The memory that the program had when `CPPC_Init` was called.
    mapped: Vec<Mapping>,
    /// The earlier memory of registers that were delivered at another address.
    earlier: EarlierMemories,
    overwritten: Overwritten,
    graph: SavedGraph,
    waiting: WaitingPointers,
    symbols: ProgramSymbols,
    /// Whether the program is the build that wrote the file.
    is_same_build: bool,
    /// Whether it is known to be another one.
    is_other_build: bool,
    /// How often a block or a call may have changed memory so far.
    pub(super) activity: u64,
}

impl Delivery {
    pub fn new(file: Verified<StateFile>) -> Delivery {
        let blocks = vec![BlockState::default(); file.manifest().blocks.len()];
        let recovered = vec![None; file.manifest().registers.len()];
        let conversion = Conversion::new(&file);
        let owned = file.manifest().memory(Saved::is_placed);
        let mut by_name: HashMap<String, Vec<u32>> = HashMap::new();
        for (index, saved) in (0..).zip(&file.manifest().registers) {
            by_name.entry(saved.name.clone()).or_default().push(index);
        }
        Delivery {
            file,
            conversion,
            owned,
            blocks,
            fields: BTreeMap::new(),
            recovered,
            by_name,
            slots: BTreeSet::new(),
            followed: HashMap::new(),
            mapped: Vec::new(),
            earlier: EarlierMemories::default(),
            overwritten: Overwritten::default(),
            graph: SavedGraph::default(),
            waiting: WaitingPointers::default(),
            symbols: ProgramSymbols::default(),
            is_same_build: false,
            is_other_build: false,
            activity: 0,
        }
    }

    /// Sets the memory that the program had when `CPPC_Init` was called, for `stale`.
    pub fn with_memory(self, mapped: Vec<Mapping>) -> Delivery {
        Delivery { mapped, ..self }
    }

    /// Sets whether the program is the build that wrote the file.
    pub fn with_build(self, is_same_build: bool, is_other_build: bool) -> Delivery {
        let mut delivery = Delivery { is_same_build, is_other_build, ..self };
        delivery.open_symbols();
        delivery
    }

    pub fn manifest(&self) -> &Manifest {
        self.file.manifest()
    }

    pub fn file(&self) -> &StateFile {
        &self.file
    }

    /// Records that an execute block or a call has run, which may have changed what was delivered.
    pub fn mark_changed(&mut self) {
        self.activity += 1;
    }

    pub fn recovered(&self) -> usize {
        self.recovered.iter().filter(|register| register.is_some()).count()
    }

    /// Whether a register of the file, among `candidates` or among all, has this name.
    pub fn has(&self, name: &str, candidates: Option<&[u32]>) -> bool {
        self.find(candidates, name, |_| true).is_some()
    }

    /// The first candidate that has not been made yet and whose name `read` accepts.
    pub fn next_of<T>(&self, candidates: &[u32], read: impl Fn(&str) -> Option<T>) -> Option<(String, T)> {
        let left = candidates
            .iter()
            .filter(|&&index| self.recovered.get(index as usize).is_some_and(Option::is_none));
        let mut saved = left.filter_map(|&index| self.manifest().registers.get(index as usize));
        saved.find_map(|saved| Some((saved.name.clone(), read(&saved.name)?)))
    }

    /// The first register of this name, among `candidates` or among all, that `fits` accepts.
    pub(super) fn find(
        &self,
        candidates: Option<&[u32]>,
        name: &str,
        fits: impl Fn(&Saved) -> bool,
    ) -> Option<usize> {
        let registers = &self.manifest().registers;
        let fits =
            |index: &usize| registers.get(*index).is_some_and(|saved| saved.name == name && fits(saved));
        let named = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        if let (Some(candidates), [only]) = (candidates, named) {
            // There may be very many candidates, and they are nearly always sorted.
            let is_candidate = candidates.binary_search(only).is_ok() || candidates.contains(only);
            return Some(*only as usize).filter(|index| is_candidate && fits(index));
        }
        if named.is_empty() {
            return None;
        }
        candidates.unwrap_or(named).iter().map(|index| *index as usize).find(fits)
    }

    /// The number of elements that the state file has for a register that ends with its frame.
    pub fn saved_count(&self, candidates: Option<&[u32]>, name: &str, section: i32) -> Option<u64> {
        let index = self.find(candidates, name, |saved| saved.section == section && saved.is_automatic())?;
        Some(self.manifest().registers[index].count)
    }

    /// Delivers the content of a register. `may_be_changed` is true if an execute block or a call runs after
    /// it.
    pub fn deliver(
        &mut self,
        layouts: &Layouts,
        request: Request,
        candidates: Option<&[u32]>,
        may_be_changed: bool,
    ) -> Result<Delivered, DeliveryError> {
        let is_it = |saved: &Saved| {
            saved.section == request.section && saved.is_automatic() == request.storage.is_automatic()
        };
        let Some(index) = self.find(candidates, request.name, is_it) else { return Ok(Delivered::Skipped) };
        let saved = self.manifest().registers[index].clone();
        self.find_symbols();
        self.check(layouts, &request, &saved)?;
        self.learn(layouts, index, request.type_code)?;
        let address = match (request.kind, request.storage.is_dynamic()) {
            (Kind::Memory, false) => self.deliver_in_place(&request, &saved, index, may_be_changed)?,
            (Kind::Memory, true) => self.deliver_dynamic(&request, &saved, may_be_changed)?,
            (Kind::Pointer, _) => self.deliver_pointer(&request, &saved, index, may_be_changed)?,
        };
        self.recovered[index] = Some((address, self.activity));
        self.set_outside(index, address);
        if request.kind == Kind::Pointer {
            self.slots.insert((address, index));
        }
        // A null pointer, or one to a constant, has no elements in the file. Later it may point to as many as the program says.
        let has_none = saved.target.is_none_or(|target| self.symbols.is_in(target));
        let is_empty = request.kind == Kind::Pointer && has_none;
        // A pointer without elements has those of its allocation only in the file.
        let count = if is_empty || request.is_bare() { request.count } else { saved.count as usize };
        Ok(Delivered::Done { index, address, count })
    }

    /// Records the type with which the program registers a register of the file.
    pub(super) fn learn(
        &mut self,
        layouts: &Layouts,
        index: usize,
        type_code: i32,
    ) -> Result<(), DeliveryError> {
        match &mut self.conversion {
            None => Ok(()),
            Some(conversion) => Ok(conversion.learn(self.file.manifest(), layouts, index, type_code)?),
        }
    }

    fn check(&self, layouts: &Layouts, request: &Request, saved: &Saved) -> Result<(), DeliveryError> {
        self.check_kind(layouts, request, saved)?;
        let is_in_place = request.kind == Kind::Memory && !request.storage.is_dynamic();
        let is_known = is_in_place || (request.kind == Kind::Pointer && request.storage.is_constant());
        if is_known && saved.count > request.count as u64 && !request.is_bare() {
            return Err(DeliveryError::TooSmall {
                name: request.name.to_owned(),
                saved: saved.count,
                found: request.count,
            });
        }
        // In the same build, the size may come from a variable that has changed since.
        if is_in_place && self.is_other_build && saved.count < request.count as u64 {
            return Err(DeliveryError::Grown {
                name: request.name.to_owned(),
                saved: saved.count,
                found: request.count,
            });
        }
        Ok(())
    }

    pub(super) fn check_kind(
        &self,
        layouts: &Layouts,
        request: &Request,
        saved: &Saved,
    ) -> Result<(), DeliveryError> {
        let name = || request.name.to_owned();
        let types = &self.manifest().types;
        // In a file of a different architecture, `learn` checks the types.
        if self.conversion.is_none() && !same::is_same(types, saved.type_code, layouts, request.type_code) {
            let difference = same::difference(types, saved.type_code, layouts, request.type_code);
            let (found, saved) = (layouts.shown(request.type_code), same::name(types, saved.type_code));
            return Err(DeliveryError::Type { name: name(), found, saved, difference });
        }
        self.check_storage(request, saved)
    }

    pub(super) fn check_storage(&self, request: &Request, saved: &Saved) -> Result<(), DeliveryError> {
        if saved.kind != request.kind || saved.storage != request.storage.flags() {
            return Err(DeliveryError::Storage { name: request.name.to_owned() });
        }
        Ok(())
    }

    fn deliver_in_place(
        &mut self,
        request: &Request,
        saved: &Saved,
        index: usize,
        may_be_changed: bool,
    ) -> Result<usize, DeliveryError> {
        let Some(target) = saved.target.filter(|_| saved.count > 0) else { return Ok(request.address) };
        if request.address < NULL_BYTES {
            return Err(DeliveryError::NullPath { name: request.name.to_owned() });
        }
        if self.block_place(target) == BlockPlace::Heap {
            // A part of the memory that a pointer points to, such as `p->n` after `*p`.
            self.allocate_block(target, request.name, may_be_changed)?;
            if self.address(target) != Some(request.address) {
                return Err(DeliveryError::Moved { name: request.name.to_owned() });
            }
        } else {
            self.anchor(request, target, request.address)?;
            self.put_content(index, target, request.address)?;
            self.wait_for_targets(saved, target);
        }
        Ok(request.address)
    }

    fn deliver_dynamic(
        &mut self,
        request: &Request,
        saved: &Saved,
        may_be_changed: bool,
    ) -> Result<usize, DeliveryError> {
        let Some(target) = saved.target else { return Ok(0) };
        self.allocate_block(target, request.name, may_be_changed)?;
        let address =
            self.address(target).ok_or_else(|| DeliveryError::TooEarly { name: request.name.to_owned() })?;
        self.record_move(request, saved, || request.address, address);
        Ok(address)
    }

    fn deliver_pointer(
        &mut self,
        request: &Request,
        saved: &Saved,
        index: usize,
        may_be_changed: bool,
    ) -> Result<usize, DeliveryError> {
        let Some(target) = saved.target else {
            // SAFETY: the slot is a pointer of the program.
            unsafe { set_pointer_at(request.address, 0) };
            return Ok(request.address);
        };
        if let Some(value) = self.symbols.address(target) {
            // SAFETY: as above.
            unsafe { set_pointer_at(request.address, value) };
            return Ok(request.address);
        }
        self.allocate_block(target, request.name, may_be_changed)?;
        let value = match self.address(target) {
            Some(value) => value,
            // SAFETY: as above.
            None if request.storage.is_parameter() => match unsafe { pointer_at(request.address) } {
                0 => return Err(DeliveryError::NullParameter { name: request.name.to_owned() }),
                value => value,
            },
            // The pointer is set when the address is known.
            None => {
                self.add_waiting_register(index, target);
                0
            }
        };
        if !request.storage.is_parameter() && self.block_place(target) == BlockPlace::Heap {
            self.record_move(request, saved, || pointer_without_value_at(request.address), value);
        }
        // SAFETY: as above.
        unsafe { set_pointer_at(request.address, value) };
        let is_in_program = self.block_place(target) == BlockPlace::Program;
        if is_in_program && !saved.is_placed() {
            // The content is delivered with the variables that own the memory.
            let bytes = saved.count * u64::from(saved.element_bytes);
            let part = (target.block, target.offset_bytes, target.offset_bytes + bytes);
            let is_owned = is_in(&self.owned, part) || self.owns_data(saved, target);
            return if is_owned {
                Ok(request.address)
            } else {
                Err(DeliveryError::Beyond { name: request.name.to_owned() })
            };
        }
        if value != 0 && is_in_program {
            self.anchor(request, target, value)?;
            self.put_content(index, target, value)?;
            self.wait_for_targets(saved, target);
        }
        Ok(request.address)
    }

    /// Whether registered variables contain everything that a pointer points to, except padding.
    fn owns_data(&self, saved: &Saved, target: Location) -> bool {
        let element_bytes = u64::from(saved.element_bytes);
        let data = data_of(&self.manifest().types, saved.type_code, element_bytes, self.file.machine());
        data.is_some_and(|data| {
            is_data_in(&self.owned, &data, (target.block, target.offset_bytes, saved.count, element_bytes))
        })
    }

    fn block_place(&self, target: Location) -> BlockPlace {
        self.manifest().blocks[target.block as usize].place
    }

    /// Allocates the memory block if it is a heap block and has no memory yet.
    fn allocate_block(
        &mut self,
        target: Location,
        name: &str,
        may_be_changed: bool,
    ) -> Result<(), DeliveryError> {
        let index = target.block as usize;
        if self.blocks[index].base.is_none() && self.block_place(target) == BlockPlace::Program {
            return self.allocate_graph_block(target.block);
        }
        if let (None, BlockPlace::Heap) = (self.blocks[index].base, self.block_place(target)) {
            let mut memory = self
                .file
                .take_block(index)
                .ok_or_else(|| DeliveryError::NoContent { name: name.to_owned() })?;
            if let Some(conversion) = &self.conversion {
                memory = conversion.block(self.file.manifest(), target.block, memory)?;
            }
            let checksum = (may_be_changed
                && self.manifest().relocations_in(target.block, 0..u64::MAX).is_empty())
            .then(|| crc32fast::hash(memory.as_slice()));
            let size_bytes = memory.len();
            let base = memory.into_raw() as usize;
            allocations::record(base, size_bytes);
            self.blocks[index] = BlockState {
                base: Some(base),
                taken: Some((self.activity, checksum)),
                ..BlockState::default()
            };
            self.relocate(target.block, 0..u64::MAX);
            self.add_waiting(target.block, 0..u64::MAX);
            self.set_waiting(target.block);
        }
        Ok(())
    }

    /// The offset on this machine of a location in a memory block of the file.
    pub(super) fn offset(&self, place: Location) -> Option<usize> {
        match &self.conversion {
            None => Some(place.offset_bytes as usize),
            Some(conversion) => conversion.offset(place),
        }
    }

    /// Sets the address of a placed block so that `target` is at `address`.
    fn anchor(&mut self, request: &Request, target: Location, address: usize) -> Result<(), DeliveryError> {
        let moved = |delivery: &Delivery| delivery.moved(request.name, target);
        let Some(offset) = self.offset(target) else { return Err(moved(self)) };
        let base = address.wrapping_sub(offset);
        let block = &mut self.blocks[target.block as usize];
        let is_new = block.base.is_none();
        if *block.base.get_or_insert(base) != base {
            return Err(moved(self));
        }
        block.is_fixed = true;
        if is_new {
            let slots: Vec<usize> = self.pointers(target.block, 0..u64::MAX).map(|(slot, _)| slot).collect();
            self.overwritten.record(&slots, &self.mapped);
            self.set_waiting(target.block);
        }
        Ok(())
    }

    /// Copies the content of a register in a placed block to `address`.
    pub(super) fn put_content(
        &self,
        index: usize,
        target: Location,
        address: usize,
    ) -> Result<(), DeliveryError> {
        let saved = &self.manifest().registers[index];
        let size_bytes = saved.count as usize * saved.element_bytes as usize;
        let start = target.offset_bytes as usize;
        let content = self
            .file
            .block(target.block as usize)
            .and_then(|block| block.get(start..start.checked_add(size_bytes)?));
        let content = content.ok_or_else(|| DeliveryError::NoContent { name: saved.name.clone() })?;
        let there =
            self.conversion.as_ref().map_or(size_bytes, |conversion| conversion.size_of(index, size_bytes));
        if let Some(fields) = self.fields.get(&target.block) {
            return self.put_fields(index, target.block, *fields, content);
        }
        let range = Range { address, size_bytes: there };
        if saved.storage & PARTIAL != 0 {
            return self.put_components(saved, address, content);
        }
        // SAFETY: the program has declared at least as much memory here (`check`), or the pointer is a
        // parameter, for which its caller guarantees it.
        match &self.conversion {
            // A dummy argument of Fortran may be a constant of the program.
            None if size_bytes <= CONSTANT_BYTES && !self.can_be_written(range) => unsafe {
                range.update(content)
            },
            None => unsafe { range.fill(content) },
            Some(conversion) if there <= CONSTANT_BYTES => {
                let mut converted = unsafe { range.bytes() }.to_vec();
                conversion.put(saved, index, content, &mut converted)?;
                unsafe { range.update(&converted) };
            }
            Some(conversion) => conversion.put(saved, index, content, unsafe { range.bytes_mut() })?,
        }
        self.relocate(target.block, self.pointer_offsets(saved, target));
        self.set_slots(Some(range));
        Ok(())
    }

    /// Whether the memory is known not to be a constant. Such memory is not compared, because it may be
    /// uninitialised.
    fn can_be_written(&self, range: Range) -> bool {
        let after = self.mapped.partition_point(|mapping| mapping.range.address <= range.address);
        after > 0 && range.end() <= self.mapped[after - 1].range.end()
    }

    pub(super) fn address(&self, target: Location) -> Option<usize> {
        if self.symbols.is_in(target) {
            return self.symbols.address(target);
        }
        match (self.fields.get(&target.block), self.blocks[target.block as usize].base) {
            (Some(fields), _) => fields.address(self.offset(target)?),
            (None, Some(base)) => Some(base.wrapping_add(self.offset(target)?)),
            (None, None) => self.graph_address(target),
        }
    }

    /// The size of a memory block on this machine, in bytes.
    pub(super) fn native_size(&self, block: u32) -> usize {
        match &self.conversion {
            None => self.manifest().blocks.get(block as usize).map_or(0, |block| block.size_bytes as usize),
            Some(conversion) => conversion.size_bytes(block),
        }
    }
}
