//! Objects of the library that are released automatically.
//!
//! Input: the number that a call of the library returned.
//! Output: an object, or the error of the library.
//! Postcondition: each object is released once.
//!
//! One of the few files with `unsafe`: the library is C.

use crate::fault::Fault;
use hdf5::h5::herr_t;
use hdf5::h5e::H5E_direction_t::H5E_WALK_UPWARD;
use hdf5::h5e::{H5E_error2_t, H5Eclear2, H5Ewalk2, H5E_DEFAULT};
use hdf5::h5i::{hid_t, H5Idec_ref};
use std::ffi::{c_uint, c_void, CStr};

/// An object of the library.
#[derive(Debug)]
pub struct Handle {
    id: hid_t,
}

impl Handle {
    pub fn id(&self) -> hid_t {
        self.id
    }

    /// Releases the object, and reports an error.
    pub fn close(self, tried: &str) -> Result<(), Fault> {
        let id = self.id;
        std::mem::forget(self);
        // SAFETY: this is the last use of the object.
        check(unsafe { H5Idec_ref(id) }, tried)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: this is the last use of the object. An error cannot be reported here.
        unsafe { H5Idec_ref(self.id) };
    }
}

/// Converts the result of a call that creates or opens an object.
pub fn own(id: hid_t, tried: &str) -> Result<Handle, Fault> {
    if id < 0 {
        Err(Fault::library(tried, &messages()))
    } else {
        Ok(Handle { id })
    }
}

/// Converts the status of any other call.
pub fn check(status: herr_t, tried: &str) -> Result<(), Fault> {
    if status < 0 {
        Err(Fault::library(tried, &messages()))
    } else {
        Ok(())
    }
}

/// The messages of the library about its last error, innermost first.
fn messages() -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // SAFETY: the callback gets the address of `lines`, which outlives the call.
    unsafe {
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, Some(collect_message), (&raw mut lines).cast());
        H5Eclear2(H5E_DEFAULT);
    }
    lines
}

unsafe extern "C" fn collect_message(
    _number: c_uint,
    error: *const H5E_error2_t,
    into: *mut c_void,
) -> herr_t {
    // SAFETY: `said` passes the address of its own lines, and the library passes a valid description.
    let (lines, error) = unsafe { (&mut *into.cast::<Vec<String>>(), &*error) };
    if !error.desc.is_null() {
        // SAFETY: the text ends with a zero byte.
        lines.push(unsafe { CStr::from_ptr(error.desc) }.to_string_lossy().into_owned());
    }
    0
}
