//! `CPPC_Restarting`.
//!
//! In: nothing. Out: 1 while a restart is under way. Holds afterwards: nothing has changed.

use crate::boundary::pass;
use std::ffi::c_int;

pub fn restarting() -> c_int {
    pass("CPPC_Restarting", 0, |controller| Ok(c_int::from(controller.is_restarting())))
}
