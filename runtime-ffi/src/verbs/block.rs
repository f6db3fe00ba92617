//! `CPPC_Block`.
//!
//! Input: the number of a register block.
//! Output: a status.
//! Postcondition: registers made from now on belong to this run of the block.

use crate::boundary::pass;
use cppc_abi::statuses::Status;
use std::ffi::c_int;

#[inline]
pub fn block(block: c_int, here: usize) -> c_int {
    pass("CPPC_Block", Status::WrongThread, |controller| controller.block(block, here)) as c_int
}
