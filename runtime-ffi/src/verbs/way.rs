//! `CPPC_Way`.
//!
//! In: a pointer that what was just registered was reached through. Out: a status. Holds afterwards: checkpoints look
//! at the pointer as long as its place lasts.

use crate::boundary::pass;
use crate::text::Text;
use cppc_abi::statuses::Status;
use std::ffi::{c_int, c_void};

pub fn way(name: Text, slot: *mut c_void, storage: c_int) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Way", Status::WrongThread as c_int, |controller| Ok(controller.add_way(&name, slot as usize, storage) as c_int))
}
