//! Signals by which a user requests a checkpoint.
//!
//! Input: signals and their effects.
//! Output: the requests since the last query.
//! Postcondition: a handler of the program stays, also one that it installs later. A handler of a library, such as that
//! of MPICH for SIGUSR1, is called by the new handler.
//!
//! This file contains `unsafe`, because handlers are installed through the C library.

use libc::{c_int, c_void, sighandler_t, siginfo_t};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A request to write state, and one to end the run after it.
static CHECKPOINT: AtomicBool = AtomicBool::new(false);
static END: AtomicBool = AtomicBool::new(false);
/// A SIGTERM has arrived that was not answered yet.
static IS_TERMINATING: AtomicBool = AtomicBool::new(false);

/// The signal that libraries use too, and whose handlers return.
const CHAINED: c_int = libc::SIGUSR1;
/// The handler of a library that this signal had; 0 if it had the default action.
static BEFORE: AtomicUsize = AtomicUsize::new(0);
static BEFORE_FLAGS: AtomicUsize = AtomicUsize::new(0);

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

type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// Installs a handler that requests the end, or else a checkpoint. False if the program handles or ignores the
/// signal.
pub fn catch(signal: c_int, is_end: bool) -> bool {
    let Some(before) = action(signal) else { return false };
    let is_default = before.sa_sigaction == libc::SIG_DFL;
    // A library's handler of another signal, such as SIGTERM, may end the program at once.
    if !is_default && (signal != CHAINED || !is_of_library(before.sa_sigaction)) {
        return false;
    }
    if !is_default {
        BEFORE_FLAGS.store(before.sa_flags as usize, Ordering::Relaxed);
        BEFORE.store(before.sa_sigaction, Ordering::Release);
    }
    let handler: Handler = if is_end { on_end } else { on_checkpoint };
    let flags = if is_default { 0 } else { before.sa_flags };
    install(signal, handler as *const () as sighandler_t, flags | libc::SA_RESTART | libc::SA_SIGINFO)
}

/// Restores the earlier action of a signal that `catch` handles.
pub fn release(signal: c_int) {
    let Some(now) = action(signal) else { return };
    let is_own = |handler: Handler| now.sa_sigaction == handler as *const () as sighandler_t;
    if !is_own(on_end) && !is_own(on_checkpoint) {
        return;
    }
    let before = if signal == CHAINED { BEFORE.swap(0, Ordering::Acquire) } else { 0 };
    match before {
        0 => install(signal, libc::SIG_DFL, 0),
        before => install(signal, before, BEFORE_FLAGS.load(Ordering::Relaxed) as c_int),
    };
}

fn action(signal: c_int) -> Option<libc::sigaction> {
    // SAFETY: zeros are a valid `sigaction`, and the pointer is to a live local.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        (libc::sigaction(signal, std::ptr::null(), &mut action) == 0).then_some(action)
    }
}

fn install(signal: c_int, handler: sighandler_t, flags: c_int) -> bool {
    // SAFETY: zeros are a valid `sigaction`, and the pointer is to a live local. Our handlers use only atomic
    // variables, and calls that are allowed in a handler.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = flags;
        libc::sigaction(signal, &action, std::ptr::null_mut()) == 0
    }
}

/// Whether a handler is in a shared library. In a static program, every handler counts as one of the program.
#[cfg(target_os = "linux")]
fn is_of_library(handler: sighandler_t) -> bool {
    let base = |address: usize| {
        // SAFETY: zeros are a valid `Dl_info`, and the pointer is to a live local.
        unsafe {
            let mut found: libc::Dl_info = std::mem::zeroed();
            let is_found = libc::dladdr(address as *const c_void, &mut found) != 0;
            is_found.then_some(found.dli_fbase as usize)
        }
    };
    // SAFETY: the call has no requirements.
    let entry = unsafe { libc::getauxval(libc::AT_ENTRY) };
    let program = base(entry as usize);
    handler > libc::SIG_IGN && program.is_some() && base(handler).is_some_and(|found| Some(found) != program)
}

#[cfg(not(target_os = "linux"))]
fn is_of_library(_: sighandler_t) -> bool {
    false
}

extern "C" fn on_checkpoint(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    end_at_second(signal);
    request_checkpoint();
    call_before(signal, info, context);
}

extern "C" fn on_end(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    end_at_second(signal);
    request_end();
    call_before(signal, info, context);
}

/// Calls the handler of the library.
fn call_before(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let before = BEFORE.load(Ordering::Acquire);
    if signal != CHAINED || before == 0 {
        return;
    }
    if BEFORE_FLAGS.load(Ordering::Relaxed) as c_int & libc::SA_SIGINFO != 0 {
        // SAFETY: the library has installed this function with this flag.
        unsafe { std::mem::transmute::<usize, Handler>(before)(signal, info, context) };
    } else {
        // SAFETY: the library has installed this function without the flag.
        unsafe { std::mem::transmute::<usize, extern "C" fn(c_int)>(before)(signal) };
    }
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
        assert!(!is_of_library(libc::SIG_IGN));
        assert!(!is_of_library(on_end as *const () as sighandler_t), "this program");
        assert!(is_of_library(libc::strlen as *const () as sighandler_t), "the C library");
    }
}
