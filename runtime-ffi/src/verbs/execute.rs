//! `CPPC_Execute`.
//!
//! Input: the number of an execute block.
//! Output: 1 in a normal run, 0 in a replay.
//! Postcondition: captures belong to this block.

use crate::boundary::pass;
use std::ffi::c_int;

#[inline]
pub fn execute(block: c_int, here: usize) -> c_int {
    pass("CPPC_Execute", 1, |controller| controller.execute(block, here).map(c_int::from))
}
