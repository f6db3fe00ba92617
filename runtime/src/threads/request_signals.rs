//! Signals by which a user requests a checkpoint.
//!
//! Input: signals and their effects.
//! Output: the requests since the last query.
//! Postcondition: only a signal with the default action gets a handler. A handler of the program stays, also one that
//! it installs later.
//!
//! This file contains `unsafe`, because handlers are installed through the C library.

use libc::{c_int, sighandler_t};
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to write state, and one to end the run after it.
static CHECKPOINT: AtomicBool = AtomicBool::new(false);
static END: AtomicBool = AtomicBool::new(false);
/// A SIGTERM has arrived that was not answered yet.
static IS_TERMINATING: AtomicBool = AtomicBool::new(false);

pub fn request_checkpoint() {
    CHECKPOINT.store(true, Ordering::Relaxed);
}

pub fn request_end() {
    END.store(true, Ordering::Relaxed);
}

/// Whether there were requests since the last call: for a checkpoint, and for the end.
pub fn take_requests() -> (bool, bool) {
    (CHECKPOINT.swap(false, Ordering::Relaxed), END.swap(false, Ordering::Relaxed))
}

/// The request of a SIGTERM could not be met: the next one is a request again.
pub fn forget_termination() {
    IS_TERMINATING.store(false, Ordering::Relaxed);
}

/// Installs a handler that requests the end, or else a checkpoint. False if the signal is handled already.
pub fn catch(signal: c_int, is_end: bool) -> bool {
    let handler: extern "C" fn(c_int) = if is_end { on_end } else { on_checkpoint };
    replace(signal, libc::SIG_DFL, handler as *const () as sighandler_t)
}

/// Restores the default action of a signal that `catch` handles.
pub fn release(signal: c_int) {
    for handler in [on_end as extern "C" fn(c_int), on_checkpoint] {
        replace(signal, handler as *const () as sighandler_t, libc::SIG_DFL);
    }
}

fn replace(signal: c_int, expected: sighandler_t, handler: sighandler_t) -> bool {
    // SAFETY: zeros are a valid `sigaction`, and the pointers are to live locals. The handlers use only atomic
    // variables, and calls that are allowed in a handler.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &mut action) != 0 || action.sa_sigaction != expected {
            return false;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(signal, &action, std::ptr::null_mut()) == 0
    }
}

extern "C" fn on_checkpoint(signal: c_int) {
    end_at_second(signal);
    request_checkpoint();
}

extern "C" fn on_end(signal: c_int) {
    end_at_second(signal);
    request_end();
}

/// A user who sends SIGTERM twice does not want to wait for a checkpoint.
fn end_at_second(signal: c_int) {
    if signal == libc::SIGTERM && IS_TERMINATING.swap(true, Ordering::Relaxed) {
        // SAFETY: both calls are allowed in a handler. The signal is delivered when the handler returns.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_with_the_default_action_becomes_a_request() {
        assert!(catch(libc::SIGUSR2, false));
        assert!(!catch(libc::SIGUSR2, true), "it is handled already");
        // SAFETY: the signal has a handler.
        unsafe { libc::raise(libc::SIGUSR2) };
        assert_eq!(take_requests(), (true, false));
        assert_eq!(take_requests(), (false, false));
        release(libc::SIGUSR2);
        assert!(catch(libc::SIGUSR2, true), "the default action was restored");
        release(libc::SIGUSR2);
    }
}
