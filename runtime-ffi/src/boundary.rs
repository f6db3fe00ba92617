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
    if BOUNDARY.owner.load(Ordering::Relaxed) != this_thread() && !claim(call) {
        return refused;
    }
    // Only the owner comes here, so this is not a race with another thread, but with ourselves: a
    // signal handler, or a function that runs at `exit`.
    if BOUNDARY.is_busy.load(Ordering::Relaxed) {
        complain(&format!("`{call}` was called from within another call (a signal handler?): it is ignored"));
        return refused;
    }
    BOUNDARY.is_busy.store(true, Ordering::Relaxed);
    // SAFETY: this thread is the owner, and no other call is under way (see above).
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
    use std::io::Write;
    let _ = std::io::stderr().write_all(format!("cppc: {message}\n").as_bytes());
}

#[inline]
fn this_thread() -> usize {
    // SAFETY: `pthread_self` has no requirements; it is never 0 where threads are pointers or numbers
    // from 1.
    unsafe { libc::pthread_self() as usize }
}
