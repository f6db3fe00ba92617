//! The variables that select the members of plain unions.
//!
//! Input: the address and the type of an integer, right after the call that registered the union.
//! Output: at each checkpoint, the state file describes only the member that the integer selects then.
//! Postcondition: the integer exists as long as the register.

use super::{Controller, Mode};
use crate::manifest::condition::Integer;
use crate::register::Selector;
use cppc_abi::statuses::Status;

impl Controller {
    /// Sets the integer for the register that was just made under this name.
    pub fn set_selector(&mut self, name: &str, address: usize, type_code: i32) -> Status {
        match self.mode {
            Mode::Dormant => return Status::NotInitialised,
            Mode::Finished => return Status::Finished,
            Mode::Normal | Mode::Restarting => {}
        }
        if address == 0 || Integer::variable(type_code).is_none() {
            self.complain(&format!("`CPPC_Select` for `{name}` got null, or a type that is not an integer"));
            return Status::BadDescription;
        }
        let symbol = self.registers.names.symbol(name);
        let latest = self.directive.latest.and_then(|id| Some((id, self.registers.table.get(id)?)));
        match latest.filter(|(_, register)| register.name == symbol).map(|(id, _)| id) {
            Some(id) => {
                self.registers.table.set_selector(id, Selector { address, type_code });
                Status::Success
            }
            // A restart makes only the registers of its plan.
            None if self.mode == Mode::Restarting => Status::Success,
            None => Status::NotRegistered,
        }
    }
}
