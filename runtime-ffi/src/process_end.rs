//! Detects the end of the process.
//!
//! Input: a service that has begun.
//! Output: a call of the controller when `main` returns or `exit` is called.
//! Postcondition: no panic unwound into C. After a signal, `_exit` or `abort` there is no such call; those
//! are cases for a restart.
//!
//! One of the few files with `unsafe`: the C library calls back.

use cppc_runtime::controller::at_exit;
#[cfg(target_env = "gnu")]
use std::ffi::{c_int, c_void};
use std::panic::catch_unwind;
use std::sync::Once;

static PREPARED: Once = Once::new();

/// Registers the callback for the end of the process.
pub fn prepare() {
    PREPARED.call_once(|| {
        // SAFETY: the function exists until the process ends: libraries with it are not unloaded while their
        // threads run.
        unsafe { register_callback() };
    });
}

#[cfg(target_env = "gnu")]
unsafe fn register_callback() {
    extern "C" {
        fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
    }
    extern "C" fn leave(status: c_int, _argument: *mut c_void) {
        let _ = catch_unwind(|| at_exit(Some(status)));
    }
    // SAFETY: the function has the arguments that `on_exit` passes. If there is no room for it, it is just
    // not called.
    unsafe { on_exit(leave, std::ptr::null_mut()) };
}

#[cfg(not(target_env = "gnu"))]
unsafe fn ask() {
    extern "C" fn leave() {
        let _ = catch_unwind(|| at_exit(None));
    }
    // SAFETY: the function takes no argument.
    unsafe { libc::atexit(leave) };
}
