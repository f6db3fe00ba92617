//! `CPPC_Enter`.
//!
//! Input: the name of a procedure and the number of its blocks.
//! Output: in a restart the block to jump to, else 0.
//! Postcondition: a frame is open.

use crate::boundary::pass;
use crate::text::Text;
use std::ffi::c_int;

#[inline]
pub fn enter(procedure: Text, blocks: c_int, here: usize) -> c_int {
    let procedure = procedure.unwrap_or_default();
    pass("CPPC_Enter", 0, |controller| controller.enter(&procedure, blocks, here))
}
