//! `CPPC_Do_checkpoint`.
//!
//! In: the number of the checkpoint, and its place in the source where that is known. Out: 1 when a restart
//! has ended right here. Holds afterwards: when it was time, a dump is under way.

use crate::boundary::pass_quickly;
use crate::text::Text;
use std::ffi::c_int;

#[inline]
pub fn checkpoint(id: c_int, here: usize) -> c_int {
    checkpoint_at(id, || None, here)
}

/// The text of the place is read only when the checkpoint has something to do.
#[inline]
pub fn checkpoint_at<'a>(id: c_int, place: impl FnOnce() -> Text<'a>, here: usize) -> c_int {
    pass_quickly(
        "CPPC_Do_checkpoint",
        0,
        |controller| controller.is_checkpoint_idle().then_some(0),
        |controller| controller.checkpoint_at(id, place().as_deref(), here).map(c_int::from),
    )
}
