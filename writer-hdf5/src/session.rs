//! Exclusive use of the library.
//!
//! Input: nothing.
//! Output: a guard.
//! Postcondition: only one thread of the writer uses the library. The library prints no errors while the
//! guard exists, and prints them again as the program has set it afterwards.
//!
//! One of the few files with `unsafe`: the library is C.

use crate::fault::Fault;
use hdf5::h5::{H5dont_atexit, H5get_libversion, H5is_library_threadsafe, H5open};
use hdf5::h5e::{H5E_auto2_t, H5Eget_auto2, H5Eset_auto2, H5E_DEFAULT};
use hdf5::HDF5_VERSION;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

pub struct Session {
    _guard: MutexGuard<'static, ()>,
    /// The error printer that the program has set.
    printer: H5E_auto2_t,
    data: *mut c_void,
}

/// Keeps all threads of the writer out of the library.
pub fn lock_library() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    pub fn begin() -> Result<Session, Fault> {
        let guard = lock_library();
        let (mut major, mut minor, mut release) = (0, 0, 0);
        // SAFETY: the three numbers outlive the call.
        unsafe { H5get_libversion(&raw mut major, &raw mut minor, &raw mut release) };
        let wanted = HDF5_VERSION;
        if (major as u64, minor as u64) != (wanted.major as u64, wanted.minor as u64) {
            return Err(Fault::new(format!(
                "the program uses HDF5 {major}.{minor}.{release}, and this writer was built for {}.{}: build it for the program's version",
                wanted.major, wanted.minor
            )));
        }
        let (mut printer, mut data) = (None, std::ptr::null_mut());
        // SAFETY: the library may be opened any number of times; both variables outlive the calls.
        unsafe {
            if H5open() < 0 {
                return Err(Fault::new("the HDF5 library cannot be opened"));
            }
            H5Eget_auto2(H5E_DEFAULT, &raw mut printer, &raw mut data);
            H5Eset_auto2(H5E_DEFAULT, None, std::ptr::null_mut());
        }
        Ok(Session { _guard: guard, printer, data })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: these values came from the library.
        unsafe { H5Eset_auto2(H5E_DEFAULT, self.printer, self.data) };
    }
}

/// Whether several threads of a process may call the library.
pub fn is_threadsafe() -> bool {
    let mut answer = 0;
    // SAFETY: the variable outlives the call.
    let status = unsafe { H5is_library_threadsafe(&raw mut answer) };
    status >= 0 && answer != 0
}

/// Prevents the library from closing itself at the end of the process, when a dump may be in progress, unless
/// the program uses the library too and may depend on that.
pub fn keep_open_at_exit() {
    // SAFETY: both texts end with a zero byte; the handle of the program itself needs no closing.
    unsafe {
        let program = libc::dlopen(std::ptr::null(), libc::RTLD_NOW);
        if !program.is_null() && libc::dlsym(program, c"H5open".as_ptr()).is_null() {
            H5dont_atexit();
        }
    }
}
