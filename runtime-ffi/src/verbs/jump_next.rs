//! `CPPC_Jump_next`.
//!
//! Input: the end of a block.
//! Output: in a restart the block to jump to, else 0.
//! Postcondition: what the block captured or executed is in the restart plan.

use crate::boundary::pass_quickly;
use std::ffi::c_int;

#[inline]
pub fn jump_next() -> c_int {
    pass_quickly(
        "CPPC_Jump_next",
        0,
        |controller| controller.is_jump_idle().then_some(0),
        |controller| controller.jump_next(),
    )
}
