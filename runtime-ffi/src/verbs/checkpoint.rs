//! `CPPC_Do_checkpoint`.
//!
//! In: the number of the checkpoint. Out: 1 when a restart has ended right here. Holds afterwards: when
//! it was time, a dump is under way.

use crate::boundary::pass_quickly;
use std::ffi::c_int;

#[inline]
pub fn checkpoint(id: c_int, here: usize) -> c_int {
    pass_quickly(
        "CPPC_Do_checkpoint",
        0,
        |controller| controller.is_checkpoint_idle().then_some(0),
        |controller| controller.checkpoint(id, here).map(c_int::from),
    )
}
