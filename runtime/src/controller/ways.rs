//! The pointers that an item is reached through.
//!
//! In: where such a pointer stands, right after the call that registered the item. Out: nothing now; a checkpoint
//! that finds it leading elsewhere writes nothing. Holds afterwards: the place is not looked at when its frame has ended.

use super::{Controller, Mode};
use crate::register::memory::pointer_at;
use cppc_abi::statuses::Status;
use cppc_abi::storage::Storage;

impl Controller {
    /// The register that was just made under this name was reached through the pointer in `slot`.
    pub fn add_way(&mut self, name: &str, slot: usize, storage: i32) -> Status {
        match self.mode {
            Mode::Dormant => return Status::NotInitialised,
            Mode::Finished => return Status::Finished,
            Mode::Normal | Mode::Restarting => {}
        }
        if slot == 0 {
            self.complain(&format!("`CPPC_Way` of `{name}` got the null pointer for a place"));
            return Status::NullArgument;
        }
        let Some(storage) = Storage::new(storage) else {
            self.complain(&format!("`CPPC_Way` of `{name}` got the storage {storage}, which is not known"));
            return Status::UnknownStorage;
        };
        let element = self.element_name(name);
        let symbol = self.names.symbol(element.as_deref().unwrap_or(name));
        let latest = self.latest.filter(|&id| self.table.get(id).is_some_and(|register| register.name == symbol));
        let Some(id) = latest else {
            // A restart makes only the registers of its plan.
            return if self.mode == Mode::Restarting { Status::Success } else { Status::NotRegistered };
        };
        // SAFETY: the program says that a pointer of its own stands here.
        let value = unsafe { pointer_at(slot) };
        self.table.add_way(id, slot, value, storage.is_automatic().then_some(self.frames.depth()));
        Status::Success
    }
}
