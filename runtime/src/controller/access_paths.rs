//! The pointers of the access path of an item.
//!
//! Input: the address of such a pointer, right after the call that registered the item.
//! Output: nothing now. If a checkpoint finds that the pointer has changed, it is skipped.
//! Postcondition: the pointer is not read after its frame has ended.

use super::{Controller, Mode};
use crate::register::memory::pointer_at;
use cppc_abi::statuses::Status;
use cppc_abi::storage::Storage;

impl Controller {
    /// Adds the pointer in `slot` to the access path of the register that was just made under this name.
    pub fn add_access_path(&mut self, name: &str, slot: usize, storage: i32) -> Status {
        match self.mode {
            Mode::Dormant => return Status::NotInitialised,
            Mode::Finished => return Status::Finished,
            Mode::Normal | Mode::Restarting => {}
        }
        if slot == 0 {
            self.complain(&format!("`CPPC_Way` of `{name}` got a null pointer"));
            return Status::NullArgument;
        }
        let Some(storage) = Storage::new(storage) else {
            self.complain(&format!("`CPPC_Way` of `{name}` got the storage {storage}, which is not known"));
            return Status::UnknownStorage;
        };
        let element = self.element_name(name);
        let symbol = self.registers.names.symbol(element.as_deref().unwrap_or(name));
        let latest = self
            .directive
            .latest
            .filter(|&id| self.registers.table.get(id).is_some_and(|register| register.name == symbol));
        let Some(id) = latest else {
            // A restart makes only the registers of its plan.
            return if self.mode == Mode::Restarting { Status::Success } else { Status::NotRegistered };
        };
        // SAFETY: the program states that this is the address of a pointer variable.
        let value = unsafe { pointer_at(slot) };
        self.registers.table.add_to_access_path(
            id,
            slot,
            value,
            storage.is_automatic().then_some(self.frames.depth()),
        );
        Status::Success
    }
}
