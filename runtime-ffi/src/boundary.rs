//! The boundary that every export passes.
//!
//! In: a call of the program. Out: what the controller says, or the value for a call that was refused.
//! Holds afterwards: the controller was used by one thread and by one call at a time; nothing unwound
//! into C.

use cppc_runtime::controller::{Controller, Stop};
use std::cell::UnsafeCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

struct Boundary {
    controller: UnsafeCell<Option<Controller>>,
    /// The thread that made the first call; 0 before it.
    owner: AtomicUsize,
    /// A call is under way.
    is_busy: AtomicBool,
}

// SAFETY: `pass` gives the controller only to the thread in `owner`, and only while `is_busy` is false.
unsafe impl Sync for Boundary {}

static BOUNDARY: Boundary =
    Boundary { controller: UnsafeCell::new(None), owner: AtomicUsize::new(0), is_busy: AtomicBool::new(false) };

/// Runs one call. `refused` is what the program gets when the call cannot be made. Never inlined: the
/// exports must have small frames of their own, because the addresses of their locals stand for where
/// the program's stack is.
#[inline(never)]
pub fn pass<T>(call: &'static str, refused: T, verb: impl FnOnce(&mut Controller) -> Result<T, Stop>) -> T {
    if !is_ours(call) {
        return refused;
    }
    BOUNDARY.is_busy.store(true, Ordering::Relaxed);
    // SAFETY: this thread is the owner, and no other call is under way (see `is_ours`).
    let controller = unsafe { &mut *BOUNDARY.controller.get() };
    let result = catch_unwind(AssertUnwindSafe(|| verb(controller.get_or_insert_with(Controller::default))));
    let value = match result {
        Ok(Ok(value)) => value,
        Ok(Err(stop)) => controller.get_or_insert_with(Controller::default).stop(&stop),
        Err(_) => {
            broken(controller.get_or_insert_with(Controller::default), call);
            refused
        }
    };
    BOUNDARY.is_busy.store(false, Ordering::Relaxed);
    value
}

/// Runs a call that most of the time has nothing to do: `quick` says so by a value, in which case it
/// must not be able to panic.
#[inline(always)]
pub fn pass_quickly<T>(
    call: &'static str,
    refused: T,
    quick: impl FnOnce(&mut Controller) -> Option<T>,
    verb: impl FnOnce(&mut Controller) -> Result<T, Stop>,
) -> T {
    if is_ours_at_once() {
        // SAFETY: this thread is the owner, and no other call is under way; `quick` calls nothing of
        // the program's, so that none begins.
        let controller = unsafe { &mut *BOUNDARY.controller.get() };
        if let Some(value) = controller.as_mut().and_then(quick) {
            return value;
        }
    }
    pass(call, refused, verb)
}

#[inline(always)]
fn is_ours_at_once() -> bool {
    BOUNDARY.owner.load(Ordering::Relaxed) == this_thread() && !BOUNDARY.is_busy.load(Ordering::Relaxed)
}

/// Whether this thread may use the controller now; says so when not.
fn is_ours(call: &'static str) -> bool {
    if BOUNDARY.owner.load(Ordering::Relaxed) != this_thread() && !claim(call) {
        return false;
    }
    // Only the owner comes here, so this is not a race with another thread, but with ourselves: a
    // signal handler, or a function that runs at `exit`.
    let is_busy = BOUNDARY.is_busy.load(Ordering::Relaxed);
    if is_busy {
        complain(&format!("`{call}` was called from within another call (a signal handler?): it is ignored"));
    }
    !is_busy
}

#[cold]
fn broken(controller: &mut Controller, call: &'static str) {
    if let Some(stop) = controller.break_down(call) {
        controller.stop(&stop);
    }
}

/// The first call decides which thread makes the others.
#[cold]
fn claim(call: &'static str) -> bool {
    let claimed = BOUNDARY.owner.compare_exchange(0, this_thread(), Ordering::Relaxed, Ordering::Relaxed).is_ok();
    if !claimed {
        complain(&format!("`{call}` was called from another thread than the calls before: it is ignored"));
    }
    claimed
}

fn complain(message: &str) {
    cppc_runtime::standard_error::write(&format!("cppc: {message}\n"));
}

#[inline]
fn this_thread() -> usize {
    // SAFETY: `pthread_self` has no requirements; it is never 0 where threads are pointers or numbers
    // from 1.
    unsafe { libc::pthread_self() as usize }
}
