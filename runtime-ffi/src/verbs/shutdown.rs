//! `CPPC_Shutdown`.
//!
//! Input: the end of the run.
//! Output: a status.
//! Postcondition: the service has ended.

use crate::boundary::pass;
use cppc_abi::statuses::Status;
use std::ffi::c_int;

pub fn shutdown() -> c_int {
    pass("CPPC_Shutdown", Status::WrongThread, |controller| controller.shutdown()) as c_int
}
