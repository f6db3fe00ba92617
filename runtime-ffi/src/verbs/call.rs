//! `CPPC_Call`.
//!
//! Input: the number of a call, and the procedure that will be called.
//! Output: 1 in a normal run, 0 in a replay.
//! Postcondition: captures belong to this call.

use crate::boundary::pass;
use crate::text::Text;
use std::ffi::c_int;

#[inline]
pub fn call(block: c_int, callee: Text, here: usize) -> c_int {
    pass("CPPC_Call", 1, |controller| controller.call(block, callee.as_deref(), here).map(c_int::from))
}
