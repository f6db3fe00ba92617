//! `CPPC_Return`.
//!
//! Input: the number of the call that has returned.
//! Output: 1 if saved values have to be restored.
//! Postcondition: the call is in the restart plan if it has changed anything that a restart needs.

use crate::boundary::pass;
use std::ffi::c_int;

#[inline]
pub fn return_from(block: c_int, here: usize) -> c_int {
    pass("CPPC_Return", 0, |controller| controller.return_from(block, here).map(c_int::from))
}
