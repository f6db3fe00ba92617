//! Registers before `CPPC_Init`. They have no effect, so a restart would not restore their memory.
//!
//! Input: the registers of the program before `CPPC_Init`, and those after it.
//! Output: the name of a variable that is still not registered.
//! Postcondition: no state is written while there is such a variable.

use super::registers::Registration;
use super::Controller;
use crate::register::Symbol;
use cppc_abi::storage::Storage;

/// A register without effect.
#[derive(Debug)]
pub(super) struct EarlyRegister {
    name: Symbol,
    procedure: Symbol,
    /// The address that the register call got; 0 for a followed array, which has none.
    address: usize,
    /// The frame that the variable belongs to; none if the variable may outlive it.
    activation: Option<u64>,
}

impl Controller {
    /// Reports a register before `CPPC_Init`, and remembers it.
    pub(super) fn note_early_register(&mut self, made: &Registration, storage: Option<Storage>) {
        self.complain(&format!("`{}` is registered before `CPPC_Init`: it will not be saved", made.name));
        self.end_early_register(Some(made.name), made.address);
        let frame = self.frames.top();
        let ends_with_frame = storage.is_some_and(|storage| storage.is_automatic() && !storage.is_lasting());
        let activation = (ends_with_frame && self.frames.depth() > 0).then_some(frame.activation);
        let (procedure, address) = (frame.procedure, made.address);
        let name = self.registers.names.symbol(made.name);
        self.registers.early.push(EarlyRegister { name, procedure, address, activation });
    }

    /// The variable is registered again, in the same procedure or at the same address, or it is unregistered. A call that
    /// unregisters may not pass the name.
    pub(super) fn end_early_register(&mut self, name: Option<&str>, address: usize) {
        if self.registers.early.is_empty() {
            return;
        }
        let name = name.map(|name| self.registers.names.symbol(name));
        let procedure = self.frames.top().procedure;
        let is_at = |early: &EarlyRegister| address != 0 && early.address == address;
        let is_same = |early: &EarlyRegister| match name {
            Some(name) => early.name == name && (early.procedure == procedure || is_at(early)),
            None => is_at(early),
        };
        self.registers.early.retain(|early| !is_same(early));
    }

    /// Why the state would not contain a variable that was registered before `CPPC_Init`. Frames must have been pruned.
    pub(super) fn early_register(&self) -> Option<String> {
        let is_open = |activation: u64| self.frames.open().iter().any(|frame| frame.activation == activation);
        let remains = |early: &&EarlyRegister| early.activation.is_none_or(is_open);
        let early = self.registers.early.iter().find(remains)?;
        Some(format!(
            "`{}` was registered before `CPPC_Init`, which has no effect: register it after `CPPC_Init`",
            self.registers.names.text(early.name)
        ))
    }
}
