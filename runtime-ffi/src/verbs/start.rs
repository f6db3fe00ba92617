//! The start and the end of the service: `CPPC_Arguments`, `CPPC_Identify`, `CPPC_Init`, `CPPC_Shutdown`.
//!
//! Input: `argc` and `argv`, and the fingerprint of the program's instrumented procedures.
//! Output: a status.
//! Postcondition: the settings of the runtime are removed from `argv`; the run is fresh or a restart. State files with
//! another fingerprint are refused.

use crate::arguments::Arguments;
use crate::boundary::pass;
use crate::process_end;
use crate::text::Text;
use cppc_abi::statuses::Status;
use cppc_runtime::controller::Connect;
use std::ffi::{c_char, c_int};

/// # Safety
/// The pointers are null or point to the arguments of `main`.
pub unsafe fn arguments(argc: *mut c_int, argv: *mut *mut *mut c_char) {
    // SAFETY: the caller guarantees it.
    let arguments = unsafe { Arguments::new(argc, argv) };
    pass("CPPC_Arguments", (), |controller| {
        let mut texts = arguments.texts();
        controller.set_aside(&mut texts);
        arguments.keep(&texts);
        Ok(())
    })
}

pub fn identify(fingerprint: Text) {
    let fingerprint = fingerprint.unwrap_or_default();
    pass("CPPC_Identify", (), |controller| {
        controller.identify(&fingerprint);
        Ok(())
    });
}

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

pub fn shutdown() -> c_int {
    pass("CPPC_Shutdown", Status::WrongThread, |controller| controller.shutdown()) as c_int
}
