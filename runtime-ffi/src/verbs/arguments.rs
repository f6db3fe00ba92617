//! `CPPC_Arguments`.
//!
//! In: `argc` and `argv`. Out: nothing. Holds afterwards: what was meant for the runtime is gone from
//! `argv` and waits for `CPPC_Init`.

use crate::arguments::Arguments;
use crate::boundary::pass;
use std::ffi::{c_char, c_int};

/// # Safety
/// The pointers are null or lead to the arguments of `main`.
pub unsafe fn arguments(argc: *mut c_int, argv: *mut *mut *mut c_char) {
    // SAFETY: the caller vouches for it.
    let arguments = unsafe { Arguments::new(argc, argv) };
    pass("CPPC_Arguments", (), |controller| {
        let mut texts = arguments.texts();
        controller.set_aside(&mut texts);
        arguments.keep(&texts);
        Ok(())
    })
}
