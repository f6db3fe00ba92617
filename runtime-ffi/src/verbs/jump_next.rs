//! `CPPC_Jump_next`.
//!
//! In: the end of a block. Out: the block to go to in a restart, else 0. Holds afterwards: what the
//! block captured or executed is in the plan.

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
