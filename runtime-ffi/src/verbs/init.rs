//! `CPPC_Init`.
//!
//! Input: `argc` and `argv`.
//! Output: a status.
//! Postcondition: the settings of the runtime are removed from `argv`; the run is fresh or a restart.

use crate::arguments::Arguments;
use crate::boundary::pass;
use crate::process_end;
use cppc_abi::statuses::Status;
use cppc_runtime::controller::Connect;
use std::ffi::{c_char, c_int};

/// # Safety
/// The pointers are null or point to the arguments of `main`.
pub unsafe fn init(argc: *mut c_int, argv: *mut *mut *mut c_char, connect: Connect, here: usize) -> c_int {
    // SAFETY: the caller guarantees it.
    let arguments = unsafe { Arguments::new(argc, argv) };
    pass("CPPC_Init", Status::WrongThread, |controller| {
        let mut texts = arguments.texts();
        let status = controller.init(&mut texts, connect, here)?;
        if status == Status::Success {
            arguments.keep(&texts);
            process_end::prepare();
        }
        Ok(status)
    }) as c_int
}
