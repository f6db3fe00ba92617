//! Registers, captures and types.
//!
//! Input: what the program registers.
//! Output: the address of the memory, in a restart with the saved content.
//! Postcondition: after a register that failed, no state is written.

use super::elements::count_placeholders;
use super::validity::is_still_valid;
use super::{Controller, Mode, Stop};
use crate::graph::types::GraphTypeError;
use crate::manifest::{Kind, StructType};
use crate::register::memory::{pointer_at, Range};
use crate::register::segments::Segments;
use crate::register::{Register, RegisterId, RegisterScope, Symbol};
use crate::restore::{Delivered, DeliveryError, Request};
use cppc_abi::elsewhere::Elsewhere;
use cppc_abi::statuses::Status;
use cppc_abi::storage::Storage;
use std::ffi::c_int;

/// Captured memory of this size or more is checked before it is copied, because a count that was never set is
/// usually large.
const MUCH_BYTES: usize = 1 << 20;

/// The arguments of a register call, with checked names.
#[derive(Debug, Clone, Copy)]
pub struct Registration<'a> {
    pub section: c_int,
    /// The address of the memory, or of the slot.
    pub address: usize,
    pub count: usize,
    pub type_code: c_int,
    pub name: &'a str,
    pub storage: c_int,
    pub kind: Kind,
    /// The address of a local of the call.
    pub here: usize,
    /// Whether a restart needs the same number of elements: the size of a variable of Fortran is computed when its procedure
    /// is entered.
    pub keeps_size: bool,
}

/// The result of a register call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registered {
    /// The address of the memory.
    pub address: usize,
    /// Whether saved content was copied there.
    pub is_delivered: bool,
}

impl Controller {
    /// Registers memory, or the memory that a pointer points to.
    pub fn register(&mut self, made: Registration) -> Result<Registered, Stop> {
        let announced = self.announced_fields(made.name, made.count);
        let (fields, count) = announced.map_or((None, made.count), |(layout, count)| (Some(layout), count));
        let element = self.element_name(made.name);
        let keeps_size = made.keeps_size && fields.is_none();
        let made = Registration { name: element.as_deref().unwrap_or(made.name), count, keeps_size, ..made };
        self.directive.latest = None;
        let untouched = Registered { address: memory_of(made.kind, made.address), is_delivered: false };
        let is_deferred = Storage::new(made.storage).is_some_and(Storage::is_deferred);
        let is_waiting = is_deferred && self.mode != Mode::Restarting && self.deliver_waiting(&made)?;
        match self.mode {
            // Its procedure registers it again.
            Mode::Dormant if is_deferred => return Ok(untouched),
            Mode::Normal | Mode::Restarting => {}
            Mode::Dormant => {
                self.note_early_register(&made, Storage::new(made.storage));
                return Ok(untouched);
            }
            Mode::Finished => return Ok(untouched),
        }
        self.end_early_register(Some(made.name), made.address);
        let mut register = match self.checked(&made) {
            Ok(register) => register,
            Err(reason) => {
                return self.refuse(made.name, &reason).map(|()| untouched);
            }
        };
        register.fields = fields;
        let (mut is_delivered, mut shape) = (is_waiting, None);
        // Blocks that run in a restart find the variable as it is when the program starts. It is delivered at the end.
        if self.mode == Mode::Restarting && !is_deferred {
            if made.keeps_size && register.storage.is_automatic() {
                self.expect_size(&made)?;
            }
            let delivered = match fields {
                Some(layout) => self.deliver_fields(&made, register.storage, layout)?,
                None => self.deliver(&made, register.storage)?,
            };
            match delivered {
                Delivered::Skipped if !self.frames.is_unrecorded() => return Ok(untouched),
                Delivered::Skipped => {}
                Delivered::Done { index, address, count } => {
                    (register.address, register.count) = (address, count);
                    is_delivered = true;
                    shape = self.shape_in_file(index);
                }
            }
        }
        if made.kind == Kind::Pointer {
            let earlier = self.register_of_same_item(made.name, made.address);
            let is_same = |register: &Register| register.address == made.address;
            if let Some(id) = earlier.filter(|id| self.registers.table.get(*id).is_some_and(is_same)) {
                self.registers.table.end(id);
            }
        }
        let lies_there = register.address >= made.here && register.address < self.stack_base;
        let is_on_stack = lies_there && !register.storage.is_lasting();
        let base = self.stack_base;
        let id = self
            .registers
            .table
            .add_keeping(register, is_on_stack, |table, other| is_still_valid(table, other, made.here, base));
        self.registers.table.set_shape(id, shape);
        self.directive.latest = Some(id);
        self.directive.latest_keeps_size = made.keeps_size && register.storage.is_automatic();
        self.visit(id);
        Ok(Registered { address: memory_of(made.kind, register.address), is_delivered })
    }

    /// Reports that a register cannot be made. In a restart, stops the run.
    pub fn refuse(&mut self, name: &str, reason: &str) -> Result<(), Stop> {
        if self.mode == Mode::Restarting {
            return Err(Stop::restart(format!("`{name}` cannot be registered: {reason}")));
        }
        self.give_up(name, reason);
        Ok(())
    }

    /// Reports that a register cannot be made. No state is written from now on.
    pub fn give_up(&mut self, name: &str, reason: &str) {
        if matches!(self.mode, Mode::Normal | Mode::Restarting) {
            let name = self.element_name(name).unwrap_or_else(|| name.to_owned());
            self.write_no_state(format!("`{name}` cannot be registered: {reason}"));
        }
    }

    /// Reports what the state cannot contain. A restart without it would be wrong, so no state is written from now on.
    pub(super) fn write_no_state(&mut self, reason: String) {
        self.complain(&reason);
        self.registers.incomplete.get_or_insert(reason);
    }

    pub(super) fn checked(&mut self, made: &Registration) -> Result<Register, String> {
        if made.name.is_empty() {
            return Err("it has no name".to_owned());
        }
        let storage = Storage::new(made.storage).ok_or_else(|| {
            format!(
                "the storage {} is not known: use `CPPC_STATIC`, `CPPC_DYNAMIC` or `CPPC_AUTOMATIC`",
                made.storage
            )
        })?;
        let element_bytes =
            self.registers.layouts.element_bytes(made.type_code).map_err(|error| error.to_string())?;
        let size_bytes = made.count.checked_mul(element_bytes).filter(|size| *size <= isize::MAX as usize);
        if self.mode == Mode::Normal && size_bytes.is_none() {
            return Err(format!(
                "{} elements of {element_bytes} bytes are more than there can be",
                made.count
            ));
        }
        if made.kind == Kind::Pointer && made.address == 0 {
            return Err("the slot of its pointer is null".to_owned());
        }
        if storage.is_deferred() && made.kind == Kind::Pointer {
            return Err("`CPPC_DEFERRED` is for variables, not for what pointers point to".to_owned());
        }
        if storage.is_deep() {
            let (layouts, code) = (&mut self.registers.layouts, made.type_code);
            let added = match made.kind {
                Kind::Pointer => self.registers.graph_types.add_slot(layouts, code),
                Kind::Memory => self.registers.graph_types.add(layouts, code),
            };
            added.map_err(|error| error.to_string())?;
        }
        let depth = self.frames.depth();
        let name = self.registers.names.symbol(made.name);
        if let Some(root) = self.root_of_walk() {
            let (kind, address, count, type_code) = (made.kind, made.address, made.count, made.type_code);
            return Ok(Register { name, kind, address, count, type_code, element_bytes, storage, ..*root });
        }
        let register = Register {
            name,
            section: made.section,
            scope: if storage.is_automatic() { RegisterScope::Frame(depth) } else { RegisterScope::Program },
            made_at: depth,
            procedure: self.frames.top().procedure,
            activation: self.frames.top().activation,
            kind: made.kind,
            address: made.address,
            count: made.count,
            type_code: made.type_code,
            element_bytes,
            fields: None,
            storage,
            entry: self.frames.register_block(),
            is_unrecorded: self.frames.is_unrecorded(),
            serial: 0,
        };
        Ok(if storage.is_deferred() { self.without_frame(register) } else { register })
    }

    fn deliver(&mut self, made: &Registration, storage: Storage) -> Result<Delivered, Stop> {
        if storage.is_automatic() && self.is_in_unrecorded_frame() {
            // It ends before the execute block does, so no state file contains it.
            return Ok(Delivered::Skipped);
        }
        let Some(resumption) = &mut self.resumption else { return Ok(Delivered::Skipped) };
        let replay = &resumption.replay;
        let anything = replay.is_unnumbered() || self.frames.is_unrecorded();
        let candidates = if anything { None } else { Some(replay.registers().unwrap_or_default()) };
        let request = Request {
            name: made.name,
            section: made.section,
            kind: made.kind,
            address: made.address,
            count: made.count,
            type_code: made.type_code,
            storage,
        };
        if storage.is_deep() {
            let types = &self.registers.graph_types;
            let (found, count) = match made.kind {
                Kind::Pointer => (types.slot_index(made.type_code), 1),
                Kind::Memory => (types.index(made.type_code), made.count),
            };
            let root = found.map(|index| types.get(index).clone());
            let root = root.ok_or_else(|| Stop::restart(format!("`{}` has an unknown type", made.name)))?;
            let request = Request { kind: Kind::Memory, count, type_code: root.saved_code, ..request };
            let known = (&self.registers.layouts, types);
            return resumption
                .delivery
                .deliver_root(known, request, &root, candidates)
                .map_err(Stop::restart);
        }
        let may_be_changed = anything || replay.may_be_changed();
        resumption
            .delivery
            .deliver(&self.registers.layouts, request, candidates, may_be_changed)
            .map_err(Stop::restart)
    }

    /// Stops a restart if a register has another number of elements than in the state file.
    fn expect_size(&self, made: &Registration) -> Result<(), Stop> {
        let Some(resumption) = self.resumption.as_ref().filter(|_| !self.is_in_unrecorded_frame()) else {
            return Ok(());
        };
        let replay = &resumption.replay;
        let anything = replay.is_unnumbered() || self.frames.is_unrecorded();
        let candidates = if anything { None } else { Some(replay.registers().unwrap_or_default()) };
        match resumption.delivery.saved_count(candidates, made.name, made.section) {
            Some(saved) if saved != made.count as u64 => {
                let (name, found) = (made.name.to_owned(), made.count);
                Err(Stop::restart(DeliveryError::OtherSize { name, saved, found }))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Whether registering this name now has an effect.
    pub fn needs(&self, name: &str) -> bool {
        let Some(resumption) = &self.resumption else { return true };
        let replay = &resumption.replay;
        let anything = replay.is_unnumbered() || self.frames.is_unrecorded();
        let candidates = if anything { None } else { Some(replay.registers().unwrap_or_default()) };
        resumption.delivery.has(name, candidates)
    }

    /// Ends the register at the address. If several registers share it, the name selects one.
    pub fn unregister(&mut self, name: Option<&str>, address: usize) -> Status {
        self.end_early_register(name, address);
        match self.mode {
            Mode::Dormant => return Status::NotInitialised,
            Mode::Finished => return Status::Finished,
            Mode::Normal | Mode::Restarting => {}
        }
        let element = name.and_then(|name| self.element_name(name));
        let name = element.as_deref().or(name);
        let symbol = name.map(|name| self.registers.names.symbol(name));
        let mut found = self.register_at(symbol, address);
        if let (None, Some(name), true) = (found, name, address != 0) {
            found = self.register_of_same_item(name, address);
        }
        // The memory may already be freed, and its pointer null.
        match found.or_else(|| self.freed_register(symbol?)) {
            Some(id) => {
                self.registers.table.end(id);
                self.prune_trees();
                Status::Success
            }
            None if self.mode == Mode::Restarting => Status::Success,
            None => Status::NotRegistered,
        }
    }

    /// `*p` is the same item as `p[1]`, whose name is `p`.
    fn register_of_same_item(&self, name: &str, address: usize) -> Option<RegisterId> {
        let same = name.strip_prefix('*').map_or_else(|| format!("*{name}"), str::to_owned);
        self.register_at(Some(self.registers.names.known(&same)?), address)
    }

    fn register_at(&self, name: Option<Symbol>, address: usize) -> Option<RegisterId> {
        match name {
            // Fortran does not pass the address.
            Some(_) if address == 0 => None,
            // SAFETY: the slot of a live register is readable.
            _ => self.registers.table.at(address, name, |slot| unsafe { pointer_at(slot) }),
        }
    }

    /// The variable that the innermost procedure has registered under this name is out of its scope. Allocated memory
    /// that it points to stays registered: other pointers may lead to it.
    pub fn out_of_scope(&mut self, name: &str, here: usize) {
        // A restart makes no more registers than there were.
        if self.mode != Mode::Normal {
            return;
        }
        self.frames.checkpoint(&mut self.registers.table, here);
        let scope = RegisterScope::Frame(self.frames.depth());
        if count_placeholders(name) > 0 {
            return self.end_elements(scope, name);
        }
        let symbol = self.registers.names.symbol(name);
        let Some(id) = self.registers.table.of(scope, symbol) else { return };
        let is_on_stack = |register: &Register| {
            // SAFETY: the slot of a live register is readable.
            let target = unsafe { pointer_at(register.address) };
            (here..self.stack_base).contains(&target)
        };
        let register = self.registers.table.get(id);
        if register.is_some_and(|register| register.kind == Kind::Memory || is_on_stack(register)) {
            self.registers.table.end(id);
            self.prune_trees();
        }
    }

    /// The register of a name whose memory was freed. If several calls have made such registers: the latest
    /// whose pointer is null.
    fn freed_register(&self, name: Symbol) -> Option<RegisterId> {
        let live = || self.registers.table.live_of(name);
        if live().filter(|(_, register)| register.scope == RegisterScope::Program).nth(1).is_none() {
            return self.visible_register(name);
        }
        let of_name = live().filter(|(_, register)| register.kind == Kind::Pointer);
        // SAFETY: the slot of a live register is readable.
        let null = of_name.filter(|(_, register)| unsafe { pointer_at(register.address) } == 0);
        null.max_by_key(|(_, register)| register.serial).map(|(id, _)| id)
    }

    /// Records a value for an execute block or a call. In a replay, restores the recorded value, until the
    /// end of the block if `is_kept` is true.
    pub fn capture(
        &mut self,
        address: usize,
        count: usize,
        type_code: c_int,
        name: &str,
        is_kept: bool,
    ) -> Result<(), Stop> {
        self.capture_as(address, count, type_code, name, is_kept, Elsewhere::Refused)
    }

    /// The same of an argument with pointers.
    pub fn capture_pointers(
        &mut self,
        address: usize,
        count: usize,
        type_code: c_int,
        name: &str,
        elsewhere: c_int,
    ) -> Result<(), Stop> {
        let Some(elsewhere) = Elsewhere::new(elsewhere) else {
            self.write_no_state(format!("`{name}` cannot be captured: the argument `elsewhere` of `CPPC_Capture_pointers` is {elsewhere}, expected `CPPC_AGAIN`, `CPPC_NEEDED` or `CPPC_NOT_NEEDED`"));
            return Ok(());
        };
        self.capture_as(address, count, type_code, name, true, elsewhere)
    }

    /// Whether the argument with this name, which is captured next, has to be evaluated. A replay may have its value from the
    /// state file, and its evaluation may follow pointers that are not restored yet.
    pub fn evaluates(&mut self, name: &str) -> Result<bool, Stop> {
        if self.mode != Mode::Restarting || self.is_in_unrecorded_frame() {
            return Ok(true);
        }
        let Some(resumption) = &mut self.resumption else { return Ok(true) };
        let Some((capture, is_in_program)) = resumption.replay.next_capture(name) else { return Ok(true) };
        let is_known = resumption.delivery.knows_captured(&capture, is_in_program).map_err(Stop::restart)?;
        Ok(!is_known)
    }

    fn capture_as(
        &mut self,
        address: usize,
        count: usize,
        type_code: c_int,
        name: &str,
        is_kept: bool,
        elsewhere: Elsewhere,
    ) -> Result<(), Stop> {
        if !matches!(self.mode, Mode::Normal | Mode::Restarting) {
            return Ok(());
        }
        let element_bytes = match self.registers.layouts.element_bytes(type_code) {
            Ok(element_bytes) => element_bytes,
            Err(error) => {
                self.write_no_state(format!("`{name}` cannot be captured: {error}"));
                return Ok(());
            }
        };
        let range = Range { address, size_bytes: count.saturating_mul(element_bytes) };
        if range.size_bytes > MUCH_BYTES && !Segments::with_readable(0, 0).is_readable(range) {
            self.write_no_state(format!(
                "`{name}` cannot be captured: not all of its {} bytes can be read",
                range.size_bytes
            ));
            return Ok(());
        }
        if self.mode == Mode::Restarting && !self.is_in_unrecorded_frame() {
            self.put_captured(range, count, type_code, name, is_kept, elsewhere)?;
        }
        let of_file = self.capture_name(name, range);
        let symbol = self.registers.names.symbol(of_file.as_deref().unwrap_or(name));
        let Some(captures) = self.frames.captures() else {
            self.complain(&format!(
                "`CPPC_Capture` of `{name}` comes neither after `CPPC_Execute` nor after `CPPC_Call`"
            ));
            return Ok(());
        };
        // SAFETY: the program declares this memory with the call, and it is copied at once.
        let bytes = unsafe { range.bytes() };
        captures.push(symbol, type_code, element_bytes as u32, count as u64, bytes);
        captures.set_elsewhere(elsewhere);
        Ok(())
    }

    fn put_captured(
        &mut self,
        range: Range,
        count: usize,
        type_code: c_int,
        name: &str,
        is_kept: bool,
        elsewhere: Elsewhere,
    ) -> Result<(), Stop> {
        let procedure = self.registers.names.text(self.frames.top().procedure);
        let Some(resumption) = &mut self.resumption else { return Ok(()) };
        let capture = resumption.replay.capture(procedure, name).map_err(Stop::restart)?;
        let in_program = resumption.replay.captured_in_program();
        if capture.count != count as u64 {
            return Err(Stop::restart(format!(
                "`{name}` was captured with another size when the state file was written"
            )));
        }
        let here = match elsewhere {
            Elsewhere::Refused | Elsewhere::Needed | Elsewhere::NotNeeded => None,
            // SAFETY: the program declares this memory with the call; it is copied at once.
            Elsewhere::Again => Some(unsafe { range.bytes() }.to_vec()),
        };
        let bytes = resumption
            .delivery
            .captured(&self.registers.layouts, &capture, type_code, here.as_deref(), in_program.as_deref())
            .map_err(Stop::restart)?;
        let present = self.present_number(&capture.name, range.size_bytes)?;
        let bytes = present.unwrap_or(bytes);
        let Some(resumption) = &mut self.resumption else { return Ok(()) };
        // SAFETY: the program declares this memory with the call. If the content is kept, the memory lives
        // until the end of the block, where the change is undone.
        unsafe {
            if is_kept {
                resumption.undo.keep(self.frames.depth(), range);
            } else {
                // The content stays there, and may be in memory that was already delivered.
                resumption.delivery.mark_changed();
            }
            range.update(&bytes);
        }
        Ok(())
    }

    /// Declares what the pointers in a field of a structure point to.
    pub fn declare_pointee(&mut self, type_code: c_int, field: &str, target: c_int) -> Status {
        let (types, layouts) = (&mut self.registers.graph_types, &self.registers.layouts);
        crate::allocations::begin_graphs();
        let outcome = types.declare(layouts, type_code, field, target);
        self.declared(outcome)
    }

    /// Declares that the user has stated what the pointers in a field of a structure point to.
    pub fn declare_stated(&mut self, type_code: c_int, field: &str) -> Status {
        let (types, layouts) = (&mut self.registers.graph_types, &mut self.registers.layouts);
        let outcome = types.declare_stated(layouts, type_code, field);
        self.declared(outcome)
    }

    fn declared(&mut self, outcome: Result<(), GraphTypeError>) -> Status {
        match outcome {
            Ok(()) => Status::Success,
            Err(error) => {
                self.write_no_state(error.to_string());
                Status::BadDescription
            }
        }
    }

    /// Describes a structure. Returns its type code, or why it was refused.
    pub fn define_type(&mut self, structure: StructType) -> Result<i32, Status> {
        let name = structure.name.clone();
        self.registers.layouts.define(structure).map_err(|error| {
            self.complain(&format!("the structure `{name}` cannot be described: {error}"));
            Status::BadDescription
        })
    }
}

/// The return value of the register call.
fn memory_of(kind: Kind, address: usize) -> usize {
    match kind {
        Kind::Pointer if address != 0 => {
            // SAFETY: the program states that the address is that of a pointer variable.
            unsafe { pointer_at(address) }
        }
        Kind::Pointer | Kind::Memory => address,
    }
}
