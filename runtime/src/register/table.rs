//! The live registers.
//!
//! Input: registers as the calls make them, and ends of frames.
//! Output: the live registers, found by name, by address, or by frame.
//! Postcondition: there is one register per scope, name and address, and one per scope, name, section and
//! procedure (except those that different calls of a procedure made at different addresses). An entry of the
//! plan knows the number of its live registers.

use super::access_path::{AccessPaths, PathPointer};
use super::bounds::{Bounds, Pairs};
use super::fields::FieldLayout;
use super::frame_registers::{FrameRegisters, RegisterId};
use super::name::Symbol;
use super::shape;
use crate::manifest::Kind;
use cppc_abi::storage::Storage;
use std::collections::HashMap;

/// A run of a register block. The registers that it made refer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(u32);

/// The scope of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegisterScope {
    Program,
    /// The frame at this depth.
    Frame(u32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Register {
    pub name: Symbol,
    pub section: i32,
    pub scope: RegisterScope,
    /// The depth of the innermost frame when it was made, and the procedure of that frame. Static variables
    /// of two procedures may have the same name.
    pub made_at: u32,
    pub procedure: Symbol,
    /// The serial number of that frame.
    pub activation: u64,
    pub kind: Kind,
    /// The address of the memory itself, or of the slot that contains the pointer to it.
    pub address: usize,
    pub count: usize,
    pub type_code: i32,
    pub element_bytes: usize,
    /// Set if the elements are a field of consecutive structures. `count` is that of the gathered elements.
    pub fields: Option<FieldLayout>,
    pub storage: Storage,
    /// None if it was made outside all register blocks.
    pub entry: Option<EntryId>,
    /// Made under an execute block, which makes it again in a restart.
    pub is_unrecorded: bool,
    /// Set by the table. Later registers have larger numbers.
    pub serial: u64,
}

impl Register {
    pub fn size_bytes(&self) -> usize {
        self.count.saturating_mul(self.element_bytes)
    }

    /// Whether another call of the procedure made the other register, for another argument.
    fn is_of_another_call(&self, other: &Register) -> bool {
        let can_be = |register: &Register| {
            register.scope == RegisterScope::Program
                && !register.is_unrecorded
                && !register.storage.is_followed()
                && register.address != 0
        };
        can_be(self) && can_be(other) && self.address != other.address && self.activation != other.activation
    }

    /// Whether the register is a variable of the program, as opposed to heap memory that it points to.
    pub fn is_in_place(&self) -> bool {
        self.kind == Kind::Memory && !self.storage.is_dynamic()
    }
}

/// The variable that selects the member of a registered union.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selector {
    pub address: usize,
    pub type_code: i32,
}

#[derive(Debug, Default)]
pub struct Table {
    registers: Vec<Option<Register>>,
    /// For each slot, the bounds of a register that is followed, or was once.
    bounds: Vec<Option<Box<Bounds>>>,
    /// The extents of registers of more than one dimension.
    ///
    /// This is a map, because an empty entry of a vector would keep what the stack contained: `stale` would
    /// take that for a pointer of the program.
    shapes: HashMap<RegisterId, Box<[u64]>>,
    selectors: HashMap<RegisterId, Selector>,
    access_paths: AccessPaths,
    free: Vec<RegisterId>,
    /// Registers of the program, by symbol.
    program: Vec<Vec<RegisterId>>,
    /// Registers of each open frame, by depth.
    frames: Vec<FrameRegisters>,
    /// Registers of the program whose memory or slot is on the stack.
    on_stack: Vec<RegisterId>,
    /// The number of live registers per entry.
    entries: Vec<u32>,
    free_entries: Vec<EntryId>,
    serial: u64,
}

impl Table {
    /// Adds a register. An earlier register with the same key ends.
    pub fn add(&mut self, register: Register, is_on_stack: bool) -> RegisterId {
        self.add_keeping(register, is_on_stack, |_, _| false)
    }

    /// The same, but an earlier register that another activation of the procedure made at another address
    /// stays, if `is_still_valid` reports that its memory or slot is still valid.
    pub fn add_keeping(
        &mut self,
        mut register: Register,
        is_on_stack: bool,
        is_still_valid: impl Fn(&Table, &Register) -> bool,
    ) -> RegisterId {
        while let Some(earlier) = self.same(&register) {
            let is_other = self
                .get(earlier)
                .is_some_and(|other| other.is_of_another_call(&register) && is_still_valid(self, other));
            if is_other {
                break;
            }
            self.end(earlier);
        }
        self.serial += 1;
        register.serial = self.serial;
        let id = self.free.pop().unwrap_or_else(|| {
            self.registers.push(None);
            self.bounds.push(None);
            RegisterId(self.registers.len() as u32 - 1)
        });
        if let Some(entry) = register.entry {
            self.entries[entry.0 as usize] += 1;
        }
        if is_on_stack && register.scope == RegisterScope::Program {
            self.on_stack.push(id);
        }
        match register.scope {
            RegisterScope::Program => self.program_mut(register.name).push(id),
            RegisterScope::Frame(depth) => self.frame_mut(depth).push(id, register.name),
        }
        self.registers[id.0 as usize] = Some(register);
        self.shapes.remove(&id);
        self.selectors.remove(&id);
        id
    }

    /// The live register that this one would replace: the one at the same address, or else the latest with
    /// the same key.
    pub fn same(&self, register: &Register) -> Option<RegisterId> {
        let find = |fits: &dyn Fn(&Register) -> bool| {
            let is_it = |id: &RegisterId| {
                self.get(*id).is_some_and(|other| other.name == register.name && fits(other))
            };
            self.named(register.scope, register.name).iter().rev().copied().find(is_it)
        };
        find(&|other| other.address == register.address).or_else(|| {
            find(&|other| {
                let is_again = other.section == register.section && other.procedure == register.procedure;
                // A followed register is identified by its name, because its memory may have moved.
                is_again || (register.storage.is_followed() && other.storage.is_followed())
            })
        })
    }

    pub fn get(&self, id: RegisterId) -> Option<&Register> {
        self.registers.get(id.0 as usize)?.as_ref()
    }

    /// Adds a followed register that has no memory yet.
    pub fn add_followed(&mut self, register: Register, bounds_name: Symbol) -> RegisterId {
        let id = self.add(register, false);
        let bounds = self.bounds[id.0 as usize].get_or_insert_with(|| Box::new(Bounds::new(bounds_name)));
        **bounds = Bounds::new(bounds_name);
        id
    }

    /// The bounds of a live followed register.
    pub fn bounds(&self, id: RegisterId) -> Option<&Bounds> {
        self.get(id).filter(|register| register.storage.is_followed())?;
        self.bounds.get(id.0 as usize)?.as_deref()
    }

    pub fn bounds_mut(&mut self, id: RegisterId) -> Option<&mut Bounds> {
        self.get(id).filter(|register| register.storage.is_followed())?;
        self.bounds.get_mut(id.0 as usize)?.as_deref_mut()
    }

    /// Sets the shape of a register, until another register uses its slot.
    pub fn set_shape(&mut self, id: RegisterId, extents: Option<Box<[u64]>>) {
        match extents {
            Some(extents) => self.shapes.insert(id, extents),
            None => self.shapes.remove(&id),
        };
    }

    /// Sets the variable that selects the member of a union.
    pub fn set_selector(&mut self, id: RegisterId, selector: Selector) {
        self.selectors.insert(id, selector);
    }

    pub fn selector(&self, id: RegisterId) -> Option<Selector> {
        self.selectors.get(&id).copied()
    }

    /// Adds a pointer to the access path of a register.
    pub fn add_to_access_path(&mut self, id: RegisterId, slot: usize, value: usize, depth: Option<u32>) {
        if let Some(register) = self.registers.get(id.0 as usize).and_then(Option::as_ref) {
            self.access_paths.add(register.serial, PathPointer { slot, value, depth });
        }
    }

    /// Whether a pointer of the access path of the register has changed.
    ///
    /// # Safety
    /// The requirements of [`AccessPaths::is_changed`] hold.
    pub unsafe fn is_access_path_changed(&self, register: &Register) -> bool {
        // SAFETY: the caller guarantees it.
        unsafe { self.access_paths.is_changed(register.serial) }
    }

    /// The extents of a live register, the slowest first; none if it has at most one dimension, or its shape
    /// is unknown.
    pub fn shape(&self, id: RegisterId) -> Option<Box<[u64]>> {
        match self.bounds(id) {
            Some(bounds) => shape::of_pairs(&bounds.pairs),
            None => self.shapes.get(&id).cloned(),
        }
    }

    /// Sets the type of a register.
    pub fn set_type(&mut self, id: RegisterId, type_code: i32, element_bytes: usize) {
        if let Some(register) = self.registers[id.0 as usize].as_mut() {
            (register.type_code, register.element_bytes) = (type_code, element_bytes);
        }
    }

    /// Sets the new address and bounds of a followed register.
    pub fn follow(&mut self, id: RegisterId, address: usize, pairs: Pairs) {
        let Some(bounds) = self.bounds_mut(id) else { return };
        bounds.pairs = pairs;
        if let Some(register) = self.registers[id.0 as usize].as_mut() {
            register.count = pairs.elements().unwrap_or(0);
            register.address = if pairs.is_allocated() { address } else { 0 };
        }
    }

    /// All live registers.
    pub fn live(&self) -> impl Iterator<Item = (RegisterId, &Register)> {
        self.registers
            .iter()
            .enumerate()
            .filter_map(|(index, slot)| slot.as_ref().map(|register| (RegisterId(index as u32), register)))
    }

    /// The live registers of this name, in all scopes.
    pub fn live_of(&self, name: Symbol) -> impl Iterator<Item = (RegisterId, &Register)> {
        let of_frames = self.frames.iter().flat_map(move |frame| frame.named(name));
        let ids = of_frames.chain(self.named(RegisterScope::Program, name));
        let found = ids.filter_map(|id| Some((*id, self.get(*id)?)));
        found.filter(move |(_, register)| register.name == name)
    }

    /// Ends a register. Has no effect if it has already ended.
    pub fn end(&mut self, id: RegisterId) {
        let Some(register) = self.registers.get_mut(id.0 as usize).and_then(Option::take) else { return };
        self.access_paths.end(register.serial);
        if let Some(entry) = register.entry {
            self.entries[entry.0 as usize] -= 1;
        }
        match register.scope {
            RegisterScope::Program => self.program_mut(register.name).retain(|&other| other != id),
            RegisterScope::Frame(depth) => self.frame_mut(depth).remove(id, register.name),
        }
        if register.scope == RegisterScope::Program {
            self.on_stack.retain(|&other| other != id);
        }
        self.free.push(id);
    }

    /// The latest register at this address or slot, or else the latest whose pointer points there.
    pub fn at(
        &self,
        address: usize,
        name: Option<Symbol>,
        pointer: impl Fn(usize) -> usize,
    ) -> Option<RegisterId> {
        let meant: Vec<(RegisterId, &Register)> = match name {
            None => self.live().collect(),
            Some(name) => self.live_of(name).collect(),
        };
        let latest = |found: &&(RegisterId, &Register)| found.1.serial;
        let direct = meant.iter().filter(|(_, register)| register.address == address).max_by_key(latest);
        let pointed = || {
            meant.iter().filter(|(_, register)| {
                register.kind == Kind::Pointer && pointer(register.address) == address
            })
        };
        direct.or_else(|| pointed().max_by_key(latest)).map(|(id, _)| *id)
    }

    /// The latest register of this name in the scope.
    pub fn of(&self, owner: RegisterScope, name: Symbol) -> Option<RegisterId> {
        let is_named = |id: &RegisterId| self.get(*id).is_some_and(|register| register.name == name);
        self.named(owner, name).iter().rev().copied().find(is_named)
    }

    /// Whether a register of the frame at `depth` has this address.
    pub fn is_bound(&self, depth: u32, address: usize) -> bool {
        self.bound(depth, address).is_some()
    }

    /// Ends the registers of the frame that have this address.
    pub fn end_bound(&mut self, depth: u32, address: usize) {
        while let Some(id) = self.bound(depth, address) {
            self.end(id);
        }
    }

    fn bound(&self, depth: u32, address: usize) -> Option<RegisterId> {
        let is_there = |id: &RegisterId| self.get(*id).is_some_and(|register| register.address == address);
        self.frames.get(depth as usize).map_or(&[][..], FrameRegisters::all).iter().copied().find(is_there)
    }

    /// Ends the frame at `depth`, and with it the stack below `dying_below`.
    pub fn end_frame(&mut self, depth: u32, dying_below: usize) {
        while let Some(&id) = self.frames.get(depth as usize).and_then(|frame| frame.all().last()) {
            self.end(id);
        }
        self.access_paths.end_frame(depth);
        if self.on_stack.is_empty() {
            return;
        }
        let dead: Vec<RegisterId> = self
            .on_stack
            .iter()
            .copied()
            .filter(|&id| {
                self.get(id)
                    .is_some_and(|register| register.made_at >= depth && register.address < dying_below)
            })
            .collect();
        for id in dead {
            self.end(id);
        }
    }

    /// Adds a new run of a register block.
    pub fn open_entry(&mut self) -> EntryId {
        self.free_entries.pop().unwrap_or_else(|| {
            self.entries.push(0);
            EntryId(self.entries.len() as u32 - 1)
        })
    }

    /// Whether a register of this run is live.
    pub fn is_entry_live(&self, entry: EntryId) -> bool {
        self.entries[entry.0 as usize] > 0
    }

    /// The entry was removed from the plan. Some of its registers may still be live, because its frame was
    /// not in the plan. If so, its number is never used again, so that it is not mistaken for another entry.
    pub fn close_entry(&mut self, entry: EntryId) {
        if !self.is_entry_live(entry) {
            self.free_entries.push(entry);
        }
    }

    /// The registers of the scope that may have this name, in the order in which they were made.
    fn named(&self, owner: RegisterScope, name: Symbol) -> &[RegisterId] {
        match owner {
            RegisterScope::Program => self.program.get(name.index()).map_or(&[], Vec::as_slice),
            RegisterScope::Frame(depth) => {
                self.frames.get(depth as usize).map_or(&[], |frame| frame.named(name))
            }
        }
    }

    fn program_mut(&mut self, name: Symbol) -> &mut Vec<RegisterId> {
        if self.program.len() <= name.index() {
            self.program.resize_with(name.index() + 1, Vec::new);
        }
        &mut self.program[name.index()]
    }

    fn frame_mut(&mut self, depth: u32) -> &mut FrameRegisters {
        if self.frames.len() <= depth as usize {
            self.frames.resize_with(depth as usize + 1, FrameRegisters::default);
        }
        &mut self.frames[depth as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::name::Names;
    use super::*;
    use cppc_abi::storage::{AUTOMATIC, STATIC};

    fn register(name: Symbol, owner: RegisterScope, section: i32, address: usize) -> Register {
        let flags = if owner == RegisterScope::Program { STATIC } else { AUTOMATIC };
        Register {
            name,
            section,
            scope: owner,
            made_at: 1,
            procedure: Symbol::EMPTY,
            activation: 1,
            kind: Kind::Memory,
            address,
            count: 1,
            type_code: cppc_abi::types::INT,
            element_bytes: 4,
            fields: None,
            storage: Storage::new(flags).expect("a known storage"),
            entry: None,
            is_unrecorded: false,
            serial: 0,
        }
    }

    fn addresses(table: &Table) -> Vec<usize> {
        let mut found: Vec<usize> = table.live().map(|(_, register)| register.address).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_name_registered_again_replaces_the_earlier_one_in_its_scope() {
        let (mut names, mut table) = (Names::default(), Table::default());
        let x = names.symbol("x");
        table.add(register(x, RegisterScope::Program, 0, 100), false);
        table.add(register(x, RegisterScope::Program, 0, 200), false);
        table.add(register(x, RegisterScope::Frame(1), 0, 300), true);
        table.add(register(x, RegisterScope::Frame(2), 0, 400), true);
        assert_eq!(addresses(&table), [200, 300, 400]);
    }

    #[test]
    fn another_section_and_another_address_make_another_register() {
        let (mut names, mut table) = (Names::default(), Table::default());
        let x = names.symbol("x");
        table.add(register(x, RegisterScope::Program, 0, 100), false);
        table.add(register(x, RegisterScope::Program, 1, 200), false);
        assert_eq!(addresses(&table), [100, 200]);
        table.add(register(x, RegisterScope::Program, 2, 200), false);
        assert_eq!(addresses(&table), [100, 200]);
    }

    #[test]
    fn static_variables_of_two_procedures_may_have_one_name() {
        let (mut names, mut table) = (Names::default(), Table::default());
        let x = names.symbol("x");
        let of =
            |procedure, address| Register { procedure, ..register(x, RegisterScope::Program, 0, address) };
        let (f, g) = (names.symbol("f"), names.symbol("g"));
        table.add(of(f, 100), false);
        table.add(of(g, 200), false);
        table.add(of(f, 100), false);
        assert_eq!(addresses(&table), [100, 200]);
        table.add(of(g, 100), false);
        assert_eq!(addresses(&table), [100]);
    }

    #[test]
    fn another_call_registers_beside_what_still_stands() {
        let (mut names, mut table) = (Names::default(), Table::default());
        let x = names.symbol("m->x");
        let of =
            |activation, address| Register { activation, ..register(x, RegisterScope::Program, 0, address) };
        let is_still_valid = |_: &Table, other: &Register| other.address != 300;
        for (activation, address) in [(1, 100), (2, 200), (2, 300), (3, 400), (3, 100)] {
            table.add_keeping(of(activation, address), false, is_still_valid);
        }
        // 200 was replaced by the same call, and 300 is no longer valid. 100 was registered again, so that
        // 400 of the same call ended.
        assert_eq!(addresses(&table), [100]);
        table.add_keeping(of(4, 500), false, is_still_valid);
        assert_eq!(addresses(&table), [100, 500]);
    }

    #[test]
    fn the_end_of_a_frame_ends_its_registers_and_those_in_its_stack() {
        let (mut names, mut table) = (Names::default(), Table::default());
        let (x, y, z) = (names.symbol("x"), names.symbol("y"), names.symbol("z"));
        table.add(register(x, RegisterScope::Frame(1), 0, 300), true);
        table.add(register(y, RegisterScope::Program, 0, 310), true);
        table.add(register(z, RegisterScope::Program, 0, 900), true);
        table.end_frame(1, 500);
        assert_eq!(addresses(&table), [900]);
    }

    #[test]
    fn an_entry_is_live_as_long_as_one_of_its_registers() {
        let (mut names, mut table) = (Names::default(), Table::default());
        let entry = table.open_entry();
        let mut made = register(names.symbol("x"), RegisterScope::Program, 0, 100);
        made.entry = Some(entry);
        table.add(made, false);
        assert!(table.is_entry_live(entry));
        let id = table.at(100, None, |_| 0).expect("it is registered");
        table.end(id);
        assert!(!table.is_entry_live(entry));
        table.close_entry(entry);
        assert_eq!(table.open_entry(), entry);
    }
}
