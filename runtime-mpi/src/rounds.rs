//! The rounds of the agreement on demand, on a communicator of their own.
//!
//! Input: the words of each process.
//! Output: the smallest value of each word.
//! Postcondition: no reduction is pending when MPI is finalized, even if the program does not call
//! `CPPC_Shutdown`: a program that ends with a pending operation would be erroneous. `MPI_Finalize` deletes the
//! attributes of `MPI_COMM_SELF` before anything else. That calls `leave`, which takes part in the last round.

use super::{signed, unsigned};
use cppc_runtime::agree::communicator::{Words, WORDS};
use cppc_runtime::agree::demand::{is_closed, LEAVING};
use mpi::ffi;
use std::ffi::{c_int, c_void};
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The state of this process. It is static, because `MPI_Finalize` must find it.
static STATE: Mutex<Option<State>> = Mutex::new(None);

struct State {
    communicator: ffi::MPI_Comm,
    /// MPI keeps these addresses during a round. They are freed in `close`.
    values: NonNull<Values>,
    request: Option<ffi::MPI_Request>,
    is_closed: bool,
}

// SAFETY: MPI is called only by the thread that calls the runtime, and by the one that calls `MPI_Finalize`.
unsafe impl Send for State {}

struct Values {
    sent: [i64; WORDS],
    received: [i64; WORDS],
}

fn state() -> MutexGuard<'static, Option<State>> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prepares the rounds. Every process calls this. Returns the communicator of the rounds.
pub fn open() -> ffi::MPI_Comm {
    let values = NonNull::from(Box::leak(Box::new(Values { sent: [0; WORDS], received: [0; WORDS] })));
    // SAFETY: MPI is initialized. Errors are fatal, so each call has stored its result. The functions exist as
    // long as the program.
    let communicator = unsafe {
        let mut communicator = ffi::RSMPI_COMM_WORLD;
        ffi::MPI_Comm_dup(ffi::RSMPI_COMM_WORLD, &mut communicator);
        ffi::MPI_Comm_set_errhandler(communicator, ffi::RSMPI_ERRORS_ARE_FATAL);
        let mut key = 0;
        ffi::MPI_Comm_create_keyval(Some(not_copied), Some(leave), &mut key, std::ptr::null_mut());
        ffi::MPI_Comm_set_attr(ffi::RSMPI_COMM_SELF, key, std::ptr::null_mut());
        communicator
    };
    *state() = Some(State { communicator, values, request: None, is_closed: false });
    communicator
}

pub fn start(words: Words) {
    if let Some(state) = &mut *state() {
        state.start(words);
    }
}

pub fn finished() -> Option<Words> {
    state().as_mut()?.finished()
}

/// Ends the rounds. MPI is still active.
pub fn close() {
    let Some(mut state) = state().take() else { return };
    state.wait();
    // SAFETY: no operation is pending, and the value is dropped here.
    unsafe {
        ffi::MPI_Comm_free(&mut state.communicator);
        drop(Box::from_raw(state.values.as_ptr()));
    }
}

impl State {
    fn start(&mut self, words: Words) {
        let mut request = std::mem::MaybeUninit::uninit();
        // SAFETY: no operation is pending, so MPI does not use the values. They stay where they are until the
        // request is complete. Errors are fatal, so the request exists after the call.
        self.request = Some(unsafe {
            (*self.values.as_ptr()).sent = words.map(signed);
            ffi::MPI_Iallreduce(
                (&raw const (*self.values.as_ptr()).sent).cast(),
                (&raw mut (*self.values.as_ptr()).received).cast(),
                WORDS as c_int,
                ffi::RSMPI_INT64_T,
                ffi::RSMPI_MIN,
                self.communicator,
                request.as_mut_ptr(),
            );
            request.assume_init()
        });
    }

    fn finished(&mut self) -> Option<Words> {
        let mut request = self.request?;
        let mut flag = 0;
        // SAFETY: the request is live; MPI frees it when it is complete.
        unsafe { ffi::MPI_Test(&mut request, &mut flag, ffi::RSMPI_STATUS_IGNORE) };
        self.request = (flag == 0).then_some(request);
        (flag != 0).then(|| self.result())
    }

    fn wait(&mut self) -> Option<Words> {
        let mut request = self.request.take()?;
        // SAFETY: the request is live; MPI frees it.
        unsafe { ffi::MPI_Wait(&mut request, ffi::RSMPI_STATUS_IGNORE) };
        Some(self.result())
    }

    fn result(&mut self) -> Words {
        // SAFETY: the request is complete, so MPI no longer writes.
        let result = unsafe { (*self.values.as_ptr()).received.map(unsigned) };
        self.is_closed |= is_closed(&result);
        result
    }
}

/// Attributes of `MPI_COMM_SELF` are not copied to its duplicates.
unsafe extern "C" fn not_copied(
    _communicator: ffi::MPI_Comm,
    _key: c_int,
    _extra: *mut c_void,
    _value: *mut c_void,
    _copy: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: MPI passes the address of an integer.
    unsafe { *flag = 0 };
    ffi::MPI_SUCCESS as c_int
}

/// `MPI_Finalize` was called. If `CPPC_Shutdown` was not, other processes may wait for this one in a round.
unsafe extern "C" fn leave(
    _communicator: ffi::MPI_Comm,
    _key: c_int,
    _value: *mut c_void,
    _extra: *mut c_void,
) -> c_int {
    if let Some(state) = &mut *state() {
        state.wait();
        while !state.is_closed {
            state.start(LEAVING);
            state.wait();
        }
    }
    ffi::MPI_SUCCESS as c_int
}
