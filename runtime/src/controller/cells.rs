//! Cells: variables that are passed by value.
//!
//! Input: the values that a frame passes before a checkpoint or a call.
//! Output: in a restart, the values at the checkpoint.
//! Postcondition: a registered cell has the value that its variable had when it was saved last. During a
//! restart, the cells of a planned frame keep the values of the state file, whatever the program saves into
//! them.

use super::registers::{Registered, Registration};
use super::{Controller, Mode, Stop};
use crate::manifest::{Kind, MAX_CELLS};
use crate::register::memory::Range;
use cppc_abi::storage::Storage;
use cppc_abi::types::{by_code, Class};
use std::ffi::c_int;

/// A variable as a call passes it, and the number of its cell.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    pub cell_number: c_int,
    pub address: usize,
    pub count: usize,
    pub type_code: c_int,
    /// The address of a local of the call.
    pub here: usize,
}

/// The header of a loop: its variables, all of one integer type.
#[derive(Debug, Clone, Copy)]
pub struct Loop {
    pub cell_number: c_int,
    pub first: usize,
    pub last: usize,
    pub step: usize,
    pub type_code: c_int,
    /// The address of a local of the call.
    pub here: usize,
}

impl Controller {
    /// Saves a value into a cell that already has a value of the same shape. Returns false if the caller must
    /// use `save`.
    #[inline]
    pub fn save_at_once(&mut self, value: Value) -> bool {
        if self.mode == Mode::Restarting {
            return false;
        }
        let cells = self.frames.cells_at_once(value.here);
        let cell =
            cells.and_then(|cells| cells.fitting(value.cell_number as usize, value.type_code, value.count));
        let Some(cell) = cell else { return false };
        let range = Range { address: value.address, size_bytes: cell.len() };
        // SAFETY: the program passes a variable of this type to the call.
        let bytes = unsafe { range.bytes() };
        // Copies of constant size compile to plain moves instead of a call.
        match cell.len() {
            4 => cell[..4].copy_from_slice(&bytes[..4]),
            8 => cell[..8].copy_from_slice(&bytes[..8]),
            _ => cell.copy_from_slice(bytes),
        }
        true
    }

    /// Saves the value into the cell.
    pub fn save(&mut self, value: Value) {
        if self.mode == Mode::Restarting && !self.is_in_unrecorded_frame() {
            return;
        }
        match self.size_of(&value) {
            // SAFETY: the program passes a variable of this type to the call.
            Ok(size_bytes) => {
                self.keep(&value, unsafe { Range { address: value.address, size_bytes }.bytes() })
            }
            Err(reason) => self.reject_cell(value.cell_number, &reason),
        }
    }

    /// Stores bytes in a cell. A registered cell keeps its size, because its register has the same size.
    fn keep(&mut self, value: &Value, bytes: &[u8]) {
        let depth = self.frames.depth();
        let cell_number = value.cell_number as usize;
        let cells = self.frames.cells(&mut self.registers.table, value.here);
        let other = cells
            .get(cell_number)
            .filter(|cell| !cell.is(value.type_code, value.count))
            .map(|cell| cell.address());
        if other.is_some_and(|address| self.registers.table.is_bound(depth, address)) {
            return self
                .reject_cell(value.cell_number, "its variable is registered with another type or size");
        }
        if self
            .frames
            .cells(&mut self.registers.table, value.here)
            .put(cell_number, value.type_code, value.count, bytes)
            .is_none()
        {
            self.reject_cell(value.cell_number, "there is no memory for it");
        }
    }

    fn reject_cell(&mut self, cell_number: c_int, reason: &str) {
        let procedure = self.procedure().to_owned();
        self.write_no_state(format!("cell {cell_number} of `{procedure}` cannot be saved: {reason}"));
    }

    fn size_of(&self, value: &Value) -> Result<usize, String> {
        if u32::try_from(value.cell_number).map_or(true, |cell_number| cell_number >= MAX_CELLS) {
            return Err(format!("cells are numbered from 0 to {}", MAX_CELLS - 1));
        }
        let known = by_code(value.type_code).filter(|found| found.class != Class::Pointer);
        let known =
            known.ok_or_else(|| format!("a value of type {} cannot be in a cell", value.type_code))?;
        let size_bytes =
            value.count.checked_mul(known.size_bytes).filter(|size| u32::try_from(*size).is_ok());
        size_bytes.ok_or_else(|| format!("{} elements are too many", value.count))
    }

    /// Sets the variable to the value of its cell, if the cell has a value and it differs.
    pub fn take(&mut self, value: Value) -> Result<(), Stop> {
        if !self.has_final_values() {
            return Ok(());
        }
        let cells = self.frames.cells(&mut self.registers.table, value.here);
        let Some(cell) = cells.get(value.cell_number as usize) else { return Ok(()) };
        if !cell.is(value.type_code, value.count) {
            return Err(self.mismatched_cell(value.cell_number));
        }
        let range = Range { address: value.address, size_bytes: cell.bytes().len() };
        // SAFETY: the program passes a variable of this type to the call.
        unsafe { range.update(cell.bytes()) };
        Ok(())
    }

    /// Whether the call that has begun needs an array that is not allocated in this restart. A replayed call
    /// that returned in the lost run does not need it. The call in which the restart continues does.
    pub fn needs_array(&mut self, name: &str, was_allocated: bool) -> bool {
        if !self.has_final_values() {
            return true;
        }
        if was_allocated {
            self.complain(&format!(
                "`{name}` was allocated when the state was written, but is not in the restart: register it before the call that it is passed to"
            ));
        }
        false
    }

    /// Restores the value of a variable. Writes only if the value differs, because the variable may be a
    /// constant.
    pub fn put_back(&mut self, address: usize, value: usize, count: usize, type_code: c_int) {
        let Some(found) = by_code(type_code) else { return };
        let size_bytes = count.saturating_mul(found.size_bytes);
        let (range, value) = (Range { address, size_bytes }, Range { address: value, size_bytes });
        // SAFETY: the program passes two variables of this type to the call.
        unsafe { range.update(value.bytes()) };
    }

    /// Whether the cells of the innermost frame have the values with which the program continues. In a
    /// restart, this is so only after the frame has reached its last block.
    fn has_final_values(&mut self) -> bool {
        if self.mode != Mode::Restarting || self.is_in_unrecorded_frame() {
            return true;
        }
        let depth = self.frames.depth();
        self.resumption.as_mut().is_some_and(|resumption| {
            resumption.replay.truncate(depth);
            resumption.replay.is_at_last()
        })
    }

    fn mismatched_cell(&self, cell_number: c_int) -> Stop {
        Stop::restart(format!(
            "cell {cell_number} of `{}` has another type or size than in the state file: the program differs from the one that wrote it",
            self.procedure()
        ))
    }

    /// Enters the header of a loop that contains blocks.
    pub fn enter_loop(&mut self, header: Loop) -> Result<(), Stop> {
        let value = |offset, address| {
            let cell_number = header.cell_number.wrapping_add(offset);
            Value { cell_number, address, count: 1, type_code: header.type_code, here: header.here }
        };
        let (variable, last, step) = (value(0, header.first), value(1, header.last), value(2, header.step));
        if self.mode != Mode::Restarting || self.is_in_unrecorded_frame() {
            for bound in [last, step] {
                if !self.save_at_once(bound) {
                    self.save(bound);
                }
            }
            return Ok(());
        }
        let size_bytes = self
            .size_of(&variable)
            .map_err(|reason| Stop::restart(format!("cell {}: {reason}", header.cell_number)))?;
        // The header sets the loop variable, which may be in memory that was already delivered.
        if let Some(resumption) = &mut self.resumption {
            resumption.delivery.mark_changed();
        }
        if !self.has_final_values() {
            // A restart may continue from block to block inside the loop, until the last block.
            if self.runs_once(&[variable, last, step]) {
                return [variable, last, step].into_iter().try_for_each(|bound| self.put_bound(bound));
            }
            // The loop is entered once, whatever the step is, unless it is zero.
            let one = one(size_bytes);
            for address in [header.first, header.last] {
                // SAFETY: the program passes its bounds to the call.
                unsafe { Range { address, size_bytes }.update(&one) };
            }
            let step = Range { address: header.step, size_bytes };
            // SAFETY: as above.
            if unsafe { step.bytes() }.iter().all(|&byte| byte == 0) {
                // SAFETY: as above. A literal step is never zero, so this step is a variable.
                unsafe { step.update(&one) };
            }
            return Ok(());
        }
        [variable, last, step].into_iter().try_for_each(|bound| self.put_bound(bound))
    }

    /// Whether a loop with the bounds in these cells runs at least once.
    fn runs_once(&mut self, bounds: &[Value; 3]) -> bool {
        let integers = bounds.map(|bound| {
            let cells = self.frames.cells(&mut self.registers.table, bound.here);
            let cell = cells.get(bound.cell_number as usize);
            cell.filter(|cell| cell.is(bound.type_code, bound.count)).and_then(|cell| integer(cell.bytes()))
        });
        match integers {
            [Some(first), Some(last), Some(step)] => {
                (step > 0 && first <= last) || (step < 0 && first >= last)
            }
            _ => false,
        }
    }

    /// Sets a bound to the value of its cell, which must exist.
    fn put_bound(&mut self, bound: Value) -> Result<(), Stop> {
        let cells = self.frames.cells(&mut self.registers.table, bound.here);
        let Some(cell) =
            cells.get(bound.cell_number as usize).filter(|cell| cell.is(bound.type_code, bound.count))
        else {
            return Err(self.mismatched_cell(bound.cell_number));
        };
        let range = Range { address: bound.address, size_bytes: cell.bytes().len() };
        // SAFETY: the program passes its bounds to the call.
        unsafe { range.update(cell.bytes()) };
        Ok(())
    }

    /// Registers a cell that contains the value of the variable. In a restart, sets the variable to the saved
    /// value.
    pub fn register_cell(
        &mut self,
        value: Value,
        section: c_int,
        name: &str,
        storage: c_int,
    ) -> Result<Registered, Stop> {
        let untouched = Registered { address: value.address, is_delivered: false };
        if matches!(self.mode, Mode::Normal | Mode::Restarting) {
            let size_bytes = self.size_of(&value);
            let is_automatic =
                Storage::new(storage).is_some_and(|storage| storage.is_automatic() && !storage.is_dynamic());
            let refused = match size_bytes {
                Err(reason) => Some(reason),
                Ok(_) if !is_automatic => Some("a value is registered with `CPPC_AUTOMATIC`".to_owned()),
                Ok(_) => None,
            };
            if let Some(reason) = refused {
                return self.refuse(name, &reason).map(|()| untouched);
            }
            if self.mode == Mode::Restarting && !self.needs(name) && !self.frames.is_unrecorded() {
                return Ok(untouched);
            }
        }
        let address = match self.own_cell(&value, name) {
            Some(address) => address,
            None => return Ok(untouched),
        };
        let Value { count, type_code, here, .. } = value;
        let kind = Kind::Memory;
        let made =
            Registration { section, address, count, type_code, name, storage, kind, here, keeps_size: true };
        let registered = self.register(made)?;
        if registered.is_delivered {
            let cells = self.frames.cells(&mut self.registers.table, here);
            let cell =
                cells.get(value.cell_number as usize).filter(|cell| cell.address() == registered.address);
            let Some(cell) = cell else { return Err(self.mismatched_cell(value.cell_number)) };
            let range = Range { address: value.address, size_bytes: cell.bytes().len() };
            // SAFETY: the program passes a variable of this type to the call.
            unsafe { range.update(cell.bytes()) };
        }
        Ok(Registered { address: value.address, ..registered })
    }

    /// Returns the address of the cell after storing the variable's value in it, or in a restart the value of
    /// the state file. If another shape needs other memory, an earlier register of the cell ends.
    fn own_cell(&mut self, value: &Value, name: &str) -> Option<usize> {
        if !matches!(self.mode, Mode::Normal | Mode::Restarting) {
            return Some(value.address);
        }
        let size_bytes = self.size_of(value).ok()?;
        let cell_number = value.cell_number as usize;
        let depth = self.frames.depth();
        let cells = self.frames.cells(&mut self.registers.table, value.here);
        let other = cells
            .get(cell_number)
            .filter(|cell| !cell.is(value.type_code, value.count))
            .map(|cell| cell.address());
        if other.is_none() && self.mode == Mode::Restarting && !self.is_in_unrecorded_frame() {
            if let Some(cell) = self.frames.cells(&mut self.registers.table, value.here).get(cell_number) {
                return Some(cell.address());
            }
        }
        if let Some(address) = other {
            self.registers.table.end_bound(depth, address);
        }
        // SAFETY: the program passes a variable of this type to the call.
        let bytes = unsafe { Range { address: value.address, size_bytes }.bytes() };
        let cells = self.frames.cells(&mut self.registers.table, value.here);
        let address = cells.put(cell_number, value.type_code, value.count, bytes).map(|cell| cell.address());
        if address.is_none() {
            self.write_no_state(format!("`{name}` cannot be registered: there is no memory for it"));
        }
        address
    }

    /// Fills the cells of the open frame at `depth` with their values in the state file.
    pub(super) fn fill_cells(&mut self, depth: usize) {
        let Some(resumption) = &self.resumption else { return };
        let Some(cells) = self.frames.cells_of(depth) else { return };
        cells.clear();
        for saved in resumption.replay.cells(depth) {
            // If there is not enough memory, the cell is missing, and a later access reports it.
            cells.put(saved.number as usize, saved.type_code, saved.count as usize, &saved.bytes);
        }
    }
}

/// The integer 1 in this number of bytes.
fn one(size_bytes: usize) -> Vec<u8> {
    let mut bytes = vec![0; size_bytes];
    let least = if cfg!(target_endian = "big") { size_bytes.wrapping_sub(1) } else { 0 };
    if let Some(byte) = bytes.get_mut(least) {
        *byte = 1;
    }
    bytes
}

/// The value of a native integer, or none if it has no bytes or more than 16.
fn integer(bytes: &[u8]) -> Option<i128> {
    let ordered: Vec<u8> =
        if cfg!(target_endian = "big") { bytes.iter().rev().copied().collect() } else { bytes.to_vec() };
    let sign = ordered.last()? >> 7;
    let mut wide = [if sign == 1 { 0xff } else { 0 }; 16];
    wide.get_mut(..ordered.len())?.copy_from_slice(&ordered);
    Some(i128::from_le_bytes(wide))
}
