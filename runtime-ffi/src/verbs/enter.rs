//! `CPPC_Enter`.
//!
//! In: the name of a procedure and the number of its blocks. Out: the block to go to in a restart, else
//! 0. Holds afterwards: a frame is open.

use crate::boundary::pass;
use crate::text::text;
use std::ffi::{c_char, c_int};

/// # Safety
/// `procedure` is null or a text.
#[inline]
pub unsafe fn enter(procedure: *const c_char, blocks: c_int, here: usize) -> c_int {
    // SAFETY: the caller vouches for it.
    let procedure = unsafe { text(procedure) }.unwrap_or_default();
    pass("CPPC_Enter", 0, |controller| controller.enter(&procedure, blocks, here))
}
