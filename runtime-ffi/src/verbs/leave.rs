//! `CPPC_Leave`.
//!
//! In: the end of a procedure. Out: nothing. Holds afterwards: what was bound to the frame has ended.

use crate::boundary::pass;

#[inline]
pub fn leave(here: usize) {
    pass("CPPC_Leave", (), |controller| controller.leave(here));
}
