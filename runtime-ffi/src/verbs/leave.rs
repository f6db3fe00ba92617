//! `CPPC_Leave`.
//!
//! Input: the end of a procedure.
//! Output: nothing.
//! Postcondition: registers of its frame have ended.

use crate::boundary::pass;

#[inline]
pub fn leave(here: usize) {
    pass("CPPC_Leave", (), |controller| controller.leave(here));
}
