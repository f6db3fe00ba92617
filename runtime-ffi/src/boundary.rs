//! The boundary that every exported function passes.
//!
//! Input: a call of the program.
//! Output: the result of the controller, or the value for a refused call.
//! Postcondition: only one thread used the controller, for one call at a time; no panic unwound into C.

use cppc_runtime::controller::{Controller, Stop};
use std::cell::UnsafeCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

struct Boundary {
    controller: UnsafeCell<Option<Controller>>,
    /// The thread that made the first call; 0 before it.
    owner: AtomicUsize,
    /// A call is in progress.
    is_busy: AtomicBool,
}

// SAFETY: `pass` gives the controller only to the thread in `owner`, and only while `is_busy` is false.
unsafe impl Sync for Boundary {}

static BOUNDARY: Boundary = Boundary {
    controller: UnsafeCell::new(None),
    owner: AtomicUsize::new(0),
    is_busy: AtomicBool::new(false),
};

/// Runs one call. `refused` is returned if the call cannot be made. Never inlined: the exported functions
/// must have small frames of their own, because the address of a local variable marks the position of the
/// program's stack.
#[inline(never)]
pub fn pass<T>(call: &'static str, refused: T, verb: impl FnOnce(&mut Controller) -> Result<T, Stop>) -> T {
    if !is_ours(call) {
        return refused;
    }
    let _errno = Errno::kept();
    BOUNDARY.is_busy.store(true, Ordering::Relaxed);
    // SAFETY: this thread is the owner, and no other call is in progress (see `is_ours`).
    let controller = unsafe { &mut *BOUNDARY.controller.get() };
    let result = catch_unwind(AssertUnwindSafe(|| verb(controller.get_or_insert_with(Controller::default))));
    let value = match result {
        Ok(Ok(value)) => value,
        Ok(Err(stop)) => controller.get_or_insert_with(Controller::default).stop(&stop),
        Err(_) => {
            report_panic(controller.get_or_insert_with(Controller::default), call);
            refused
        }
    };
    BOUNDARY.is_busy.store(false, Ordering::Relaxed);
    value
}

/// The program may read `errno` after a directive, so a call does not change it.
struct Errno(libc::c_int);

impl Errno {
    fn kept() -> Errno {
        // SAFETY: the address is that of a variable of this thread.
        Errno(unsafe { *errno() })
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { *errno() = self.0 };
    }
}

fn errno() -> *mut libc::c_int {
    // SAFETY: these functions have no requirements.
    #[cfg(target_os = "linux")]
    return unsafe { libc::__errno_location() };
    #[cfg(not(target_os = "linux"))]
    return unsafe { libc::__error() };
}

/// Like [`pass`], for a register. Its name is in the message if another thread makes the call: the memory may be a variable
/// of that thread.
pub fn pass_register<T>(
    call: &'static str,
    name: &str,
    refused: T,
    verb: impl FnOnce(&mut Controller) -> Result<T, Stop>,
) -> T {
    if let Caller::Other = caller() {
        cppc_runtime::standard_error::write_in_handler(&[
            "cppc: `",
            call,
            "` was called for `",
            name,
            "` from another thread than the calls before: it is ignored, so checkpoints do not save this memory\n",
        ]);
        return refused;
    }
    pass(call, refused, verb)
}

/// Runs a call that usually has nothing to do. If `quick` returns a value, that is the result; `quick` must
/// not be able to panic.
#[inline(always)]
pub fn pass_quickly<T>(
    call: &'static str,
    refused: T,
    quick: impl FnOnce(&mut Controller) -> Option<T>,
    verb: impl FnOnce(&mut Controller) -> Result<T, Stop>,
) -> T {
    if is_ours_at_once() {
        // SAFETY: this thread is the owner, and no other call is in progress; `quick` calls no function of
        // the program, so none begins.
        let controller = unsafe { &mut *BOUNDARY.controller.get() };
        if let Some(value) = controller.as_mut().and_then(quick) {
            return value;
        }
    }
    pass(call, refused, verb)
}

/// The thread that makes a call.
pub enum Caller {
    /// The thread that makes all calls.
    Owner,
    /// No call was made before.
    First,
    Other,
}

pub fn caller() -> Caller {
    match BOUNDARY.owner.load(Ordering::Relaxed) {
        0 => Caller::First,
        owner if owner == this_thread() => Caller::Owner,
        _ => Caller::Other,
    }
}

#[inline(always)]
fn is_ours_at_once() -> bool {
    BOUNDARY.owner.load(Ordering::Relaxed) == this_thread() && !BOUNDARY.is_busy.load(Ordering::Relaxed)
}

/// Whether this thread may use the controller now. Reports it if not.
fn is_ours(call: &'static str) -> bool {
    if BOUNDARY.owner.load(Ordering::Relaxed) != this_thread() && !claim(call) {
        return false;
    }
    // Only the owner gets here, so this is not a race with another thread but with the same one: a signal
    // handler, or a function that runs at `exit`.
    let is_busy = BOUNDARY.is_busy.load(Ordering::Relaxed);
    if is_busy {
        refuse(call, "from within another call (a signal handler?)");
    }
    !is_busy
}

#[cold]
fn report_panic(controller: &mut Controller, call: &'static str) {
    if let Some(stop) = controller.break_down(call) {
        controller.stop(&stop);
    }
}

/// The first call decides which thread makes all others.
#[cold]
fn claim(call: &'static str) -> bool {
    let claimed =
        BOUNDARY.owner.compare_exchange(0, this_thread(), Ordering::Relaxed, Ordering::Relaxed).is_ok();
    if !claimed {
        refuse(call, "from another thread than the calls before");
    }
    claimed
}

/// The call may be in a signal handler, of any thread.
#[cold]
fn refuse(call: &str, from: &str) {
    cppc_runtime::standard_error::write_in_handler(&[
        "cppc: `",
        call,
        "` was called ",
        from,
        ": it is ignored\n",
    ]);
}

#[inline]
fn this_thread() -> usize {
    // SAFETY: `pthread_self` has no requirements; it is never 0 where threads are pointers or numbers from 1.
    unsafe { libc::pthread_self() as usize }
}
