//! `CPPC_Restarting`.
//!
//! Input: nothing.
//! Output: 1 during a restart.
//! Postcondition: nothing has changed.

use crate::boundary::pass;
use std::ffi::c_int;

pub fn restarting() -> c_int {
    pass("CPPC_Restarting", 0, |controller| Ok(c_int::from(controller.is_restarting())))
}
