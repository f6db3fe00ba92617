//! `CPPC_Call`.
//!
//! In: the number of a call, and the procedure that will be entered. Out: 1 in a normal run, 0 in a
//! replay. Holds afterwards: captures belong to this call.

use crate::boundary::pass;
use crate::text::text;
use std::ffi::{c_char, c_int};

/// # Safety
/// `callee` is null or a text.
#[inline]
pub unsafe fn call(block: c_int, callee: *const c_char, here: usize) -> c_int {
    // SAFETY: the caller vouches for it.
    let callee = unsafe { text(callee) };
    pass("CPPC_Call", 1, |controller| controller.call(block, callee.as_deref(), here).map(c_int::from))
}
