//! The layer that counts messages: the library `cppc_messages`, if the program is linked with it.
//!
//! Input: the communicators of the runtime.
//! Output: what is in transit at a checkpoint.
//! Postcondition: without the layer, nothing is called.

use cppc_runtime::agree::communicator::{InTransit, Report};
use libloading::os::unix::{Library, Symbol};
use mpi::ffi;
use std::ffi::{c_char, c_int, c_void, CStr};

/// The version of the interface of the layer.
const VERSION: c_int = 2;

type Reporter = unsafe extern "C" fn(*mut c_void, c_int, *const c_char);

/// The functions of the layer. They exist as long as the program.
pub struct Layer {
    own: Symbol<unsafe extern "C" fn(ffi::MPI_Comm)>,
    switch: Symbol<unsafe extern "C" fn(c_int, ffi::MPI_Comm)>,
    check: Symbol<unsafe extern "C" fn(Option<Reporter>, *mut c_void) -> c_int>,
}

impl Layer {
    /// None if the program is not linked with a layer, or if the layer is not for this runtime and MPI.
    pub fn find() -> Option<Layer> {
        let program = Library::this();
        // SAFETY: these are the types of the functions in the layer. Its version says so before the others are called.
        unsafe {
            let fit: Symbol<unsafe extern "C" fn(c_int, usize) -> c_int> =
                program.get(b"CPPC_Messages_fit\0").ok()?;
            if fit(VERSION, size_of::<ffi::MPI_Comm>()) == 0 {
                return None;
            }
            Some(Layer {
                own: program.get(b"CPPC_Messages_own\0").ok()?,
                switch: program.get(b"CPPC_Messages_switch\0").ok()?,
                check: program.get(b"CPPC_Messages_check\0").ok()?,
            })
        }
    }

    /// The messages of this communicator are not those of the program.
    pub fn leave_out(&self, communicator: ffi::MPI_Comm) {
        // SAFETY: the communicator is live.
        unsafe { (self.own)(communicator) }
    }

    /// Turns counting off, or lets this communicator compare the counts.
    pub fn switch(&self, is_on: bool, communicator: ffi::MPI_Comm) {
        // SAFETY: the communicator is live until MPI is finalized.
        unsafe { (self.switch)(is_on.into(), communicator) }
    }

    pub fn check(&self, report: Report) -> InTransit {
        let mut report = report;
        let context = (&raw mut report).cast();
        // SAFETY: the layer calls the function with this context, and only during this call.
        match unsafe { (self.check)(Some(pass_on), context) } {
            0 => InTransit::Nothing,
            _ => InTransit::Something,
        }
    }
}

/// Passes a line of the report to the runtime.
unsafe extern "C" fn pass_on(context: *mut c_void, is_note: c_int, text: *const c_char) {
    // SAFETY: the context is that of `check`, and the text ends with a zero.
    let (report, text) = unsafe { (&mut *context.cast::<Report>(), CStr::from_ptr(text)) };
    report(is_note != 0, &text.to_string_lossy());
}
