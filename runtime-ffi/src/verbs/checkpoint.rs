//! `CPPC_Do_checkpoint` and `CPPC_Restarting`.
//!
//! Input: the number of the checkpoint, and its position in the source if that is known.
//! Output: 1 if a restart has ended here; 1 during a restart.
//! Postcondition: a dump has begun if one is due.

use crate::boundary::{pass, pass_quickly};
use crate::text::Text;
use crate::verbs::followers::{call_followers, has_followers};
use std::ffi::c_int;

#[inline]
pub fn checkpoint(id: c_int, here: usize) -> c_int {
    checkpoint_at(id, || None, here)
}

/// The text of the position is read only if the checkpoint has something to do.
#[inline]
pub fn checkpoint_at<'a>(id: c_int, place: impl FnOnce() -> Text<'a>, here: usize) -> c_int {
    if has_followers() && may_save() {
        call_followers();
    }
    pass_quickly(
        "CPPC_Do_checkpoint",
        0,
        |controller| controller.is_checkpoint_idle().then_some(0),
        |controller| controller.checkpoint_at(id, place().as_deref(), here).map(c_int::from),
    )
}

/// The next checkpoint saves state only with these numbers of processes. `address`: of the text, which is read once.
#[inline]
pub fn ranks<'a>(address: usize, text: impl FnOnce() -> Text<'a>) {
    pass_quickly(
        "CPPC_Ranks",
        (),
        |controller| controller.has_read_ranks(address).then_some(()),
        |controller| {
            controller.read_ranks(address, text().as_deref().unwrap_or_default());
            Ok(())
        },
    );
}

fn may_save() -> bool {
    pass_quickly(
        "CPPC_Do_checkpoint",
        false,
        |controller| controller.will_checkpoint_be_idle().then_some(false),
        |_| Ok(true),
    )
}

pub fn restarting() -> c_int {
    pass("CPPC_Restarting", 0, |controller| Ok(c_int::from(controller.is_restarting())))
}
