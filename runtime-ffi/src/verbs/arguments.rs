//! `CPPC_Arguments`.
//!
//! Input: `argc` and `argv`.
//! Output: nothing.
//! Postcondition: the settings of the runtime are removed from `argv` and kept for `CPPC_Init`.

use crate::arguments::Arguments;
use crate::boundary::pass;
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
