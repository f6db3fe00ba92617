//! Starts threads that do not receive the program's signals, and writes files without the signal `SIGXFSZ`.
//!
//! Input: a function that starts a thread or writes.
//! Output: its result.
//! Postcondition: the signal mask of the calling thread is unchanged. The new thread receives no signals, nor
//! do the threads that it starts.
//!
//! This file contains `unsafe`, because signals can only be blocked through the C library.

use std::mem::MaybeUninit;

/// Runs `start` with all signals blocked, so that a thread that it starts never receives one.
pub fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    // Miri does not know these calls.
    if cfg!(miri) {
        return start();
    }
    let mut all = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigfillset` fills `all`, and `pthread_sigmask` fills `before` if it succeeds.
    let held = unsafe {
        libc::sigfillset(all.as_mut_ptr()) == 0
            && libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) == 0
    };
    let result = start();
    if held {
        // SAFETY: `before` was filled by the call that blocked the signals.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    }
    result
}

/// Runs `write` so that a write beyond the file size limit (`RLIMIT_FSIZE`) fails with `EFBIG` and sends no
/// signal. By default `SIGXFSZ` ends the program, and a handler of the program is meant for the program's own
/// files.
pub fn without_size_signal<T>(write: impl FnOnce() -> T) -> T {
    let mut one = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    let mut pending = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: each call fills the set that it is given if it succeeds, and none is read before.
    let (held, was_pending) = unsafe {
        let held = libc::sigemptyset(one.as_mut_ptr()) == 0
            && libc::sigaddset(one.as_mut_ptr(), libc::SIGXFSZ) == 0
            && libc::pthread_sigmask(libc::SIG_BLOCK, one.as_ptr(), before.as_mut_ptr()) == 0;
        let known = held && libc::sigpending(pending.as_mut_ptr()) == 0;
        (held, !known || libc::sigismember(pending.as_ptr(), libc::SIGXFSZ) == 1)
    };
    let result = write();
    if held {
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: both sets were filled above, and the calls keep no address. The system sends this signal to
        // the thread that writes, so this thread removes it.
        unsafe {
            if !was_pending {
                libc::sigtimedwait(one.as_ptr(), std::ptr::null_mut(), &raw const at_once);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
        }
    }
    result
}
