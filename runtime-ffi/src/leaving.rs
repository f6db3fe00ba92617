//! Hears that the process ends.
//!
//! In: a service that has begun. Out: a call of the controller's when `main` returns or `exit` is called. Holds
//! afterwards: nothing unwound into C. After a signal, `_exit` or `abort` nobody calls; a restart is for those.
//!
//! One of the few files with `unsafe`: the C library calls back.

use cppc_runtime::controller::at_exit;
#[cfg(target_env = "gnu")]
use std::ffi::{c_int, c_void};
use std::panic::catch_unwind;
use std::sync::Once;

static PREPARED: Once = Once::new();

/// Asks the C library to call at the end of the process.
pub fn prepare() {
    PREPARED.call_once(|| {
        // SAFETY: the function is there until the process ends: libraries with it are not unloaded while threads of theirs run.
        unsafe { ask() };
    });
}

#[cfg(target_env = "gnu")]
unsafe fn ask() {
    extern "C" {
        fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
    }
    extern "C" fn leave(status: c_int, _argument: *mut c_void) {
        let _ = catch_unwind(|| at_exit(Some(status)));
    }
    // SAFETY: the function takes what `on_exit` gives. That there is no room for it changes nothing but that nobody calls.
    unsafe { on_exit(leave, std::ptr::null_mut()) };
}

#[cfg(not(target_env = "gnu"))]
unsafe fn ask() {
    extern "C" fn leave() {
        let _ = catch_unwind(|| at_exit(None));
    }
    // SAFETY: the function takes nothing.
    unsafe { libc::atexit(leave) };
}
