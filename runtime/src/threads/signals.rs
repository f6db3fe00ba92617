//! Starts threads that the program's signals do not reach.
//!
//! In: a function that starts a thread. Out: its result. Holds afterwards: the signals that the caller
//! takes are those that it took before; the thread takes none, nor do those that it starts.
//!
//! One of the few files with `unsafe`: signals can only be held back through the C library.

use std::mem::MaybeUninit;

/// Runs `start` with all signals held back, so that a thread it starts never gets one.
pub fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    let mut all = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigfillset` fills `all`, and `pthread_sigmask` fills `before` when it succeeds.
    let held = unsafe {
        libc::sigfillset(all.as_mut_ptr()) == 0
            && libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) == 0
    };
    let result = start();
    if held {
        // SAFETY: `before` was filled by the call that held the signals back.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    }
    result
}
