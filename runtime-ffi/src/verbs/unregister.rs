//! `CPPC_Unregister`, `CPPC_Unregister_name` and `CPPC_Out_of_scope`.
//!
//! Input: the address of a register, its slot, or the address in its slot.
//! Output: a status.
//! Postcondition: the register is no longer saved.

use crate::boundary::pass;
use crate::text::Text;
use cppc_abi::statuses::Status;
use std::ffi::{c_int, c_void};

pub fn unregister(address: *mut c_void) -> c_int {
    pass("CPPC_Unregister", Status::WrongThread, |controller| {
        Ok(controller.unregister(None, address as usize))
    }) as c_int
}

pub fn unregister_name(name: Text, address: *mut c_void) -> c_int {
    pass("CPPC_Unregister_name", Status::WrongThread, |controller| {
        Ok(controller.unregister(name.as_deref(), address as usize))
    }) as c_int
}

pub fn out_of_scope(name: Text, here: usize) {
    let name = name.unwrap_or_default();
    pass("CPPC_Out_of_scope", (), |controller| {
        controller.out_of_scope(&name, here);
        Ok(())
    });
}
