//! `CPPC_Unregister` and `CPPC_Unregister_name`.
//!
//! Input: the address of a register, its slot, or the address in its slot.
//! Output: a status.
//! Postcondition: the register is no longer saved.

use crate::boundary::pass;
use crate::text::Text;
use cppc_abi::statuses::Status;
use std::ffi::{c_int, c_void};

pub fn unregister(address: *mut c_void) -> c_int {
    pass("CPPC_Unregister", Status::WrongThread, |controller| Ok(controller.unregister(None, address as usize))) as c_int
}

pub fn unregister_name(name: Text, address: *mut c_void) -> c_int {
    pass("CPPC_Unregister_name", Status::WrongThread, |controller| {
        Ok(controller.unregister(name.as_deref(), address as usize))
    }) as c_int
}
