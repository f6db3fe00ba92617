//! `CPPC_Return`.
//!
//! In: the number of the call that has returned. Out: 1 when saved values have to be taken back. Holds
//! afterwards: the call is in the plan when it has left something behind.

use crate::boundary::pass;
use std::ffi::c_int;

#[inline]
pub fn return_from(block: c_int, here: usize) -> c_int {
    pass("CPPC_Return", 0, |controller| controller.return_from(block, here).map(c_int::from))
}
