//! `CPPC_Way`.
//!
//! Input: a pointer of the access path to the last registered item.
//! Output: a status.
//! Postcondition: checkpoints check the pointer as long as its memory exists.

use crate::boundary::pass;
use crate::text::Text;
use cppc_abi::statuses::Status;
use std::ffi::{c_int, c_void};

pub fn way(name: Text, slot: *mut c_void, storage: c_int) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Way", Status::WrongThread as c_int, |controller| {
        Ok(controller.add_access_path(&name, slot as usize, storage) as c_int)
    })
}
