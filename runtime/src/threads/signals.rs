//! Starts threads that the program's signals do not reach, and writes without a signal when a file grows too large.
//!
//! In: a function that starts a thread or writes. Out: its result. Holds afterwards: the signals that the caller
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

/// Runs `write` so that a write beyond the limit of the size of a file (`RLIMIT_FSIZE`) fails with `EFBIG` and sends no
/// signal: by default `SIGXFSZ` ends the program, and a handler of the program is for the program's own files.
pub fn without_size_signal<T>(write: impl FnOnce() -> T) -> T {
    let mut one = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    let mut pending = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: each call fills the set that it is given when it succeeds, and none is read before.
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
        // SAFETY: both sets were filled above; the calls keep no address. The signal of a write is sent to the thread that
        // writes, so that it is this thread that takes it back.
        unsafe {
            if !was_pending {
                libc::sigtimedwait(one.as_ptr(), std::ptr::null_mut(), &raw const at_once);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
        }
    }
    result
}
