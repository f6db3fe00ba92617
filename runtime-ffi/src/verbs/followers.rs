//! Procedures of the program that report the memory of variables.
//!
//! Input: such procedures, each once for each run of its register directive.
//! Output: calls of them before a checkpoint that may save state.
//! Postcondition: each procedure is called once. It calls the runtime itself, so no other call is in progress.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

static FOLLOWERS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Whether there are any. It is read at each checkpoint.
static HAS_FOLLOWERS: AtomicBool = AtomicBool::new(false);

pub fn follower(procedure: *const c_void) {
    if procedure.is_null() {
        return;
    }
    let mut followers = FOLLOWERS.lock().unwrap_or_else(PoisonError::into_inner);
    if !followers.contains(&(procedure as usize)) {
        followers.push(procedure as usize);
    }
    HAS_FOLLOWERS.store(true, Ordering::Relaxed);
}

#[inline(always)]
pub(super) fn has_followers() -> bool {
    HAS_FOLLOWERS.load(Ordering::Relaxed)
}

pub(super) fn call_followers() {
    let followers = FOLLOWERS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for procedure in followers {
        // SAFETY: `follower` received a procedure without arguments, which the translation has generated.
        unsafe { std::mem::transmute::<usize, unsafe extern "C" fn()>(procedure)() };
    }
}
