//! Whether the MPI of the running program is the one for which this library was built.
//!
//! Input: the text of `MPI_Get_library_version`.
//! Output: an error that names both.
//! Postcondition: no handle of MPI has been used. An implementation that is not known is no error.

use cppc_abi::mpi::Implementation;
use mpi::ffi;
use std::ffi::{c_char, c_int, CStr};

/// What MPICH declares as the length of the text. That of other implementations is shorter.
const LONGEST_TEXT: usize = 8192;

pub fn compare() -> Result<(), String> {
    let text = running();
    let Some(running) = Implementation::of_library_version(&text) else { return Ok(()) };
    let built = of_this_library();
    if running == built {
        return Ok(());
    }
    let version = text.split([',', '\n']).next().unwrap_or_default().split_whitespace().collect::<Vec<_>>();
    Err(format!(
        "`libcppc_mpi` was built for {}, but this program runs with {} (`{}`): link the program with a CPPC that was installed with the MPI compiler of the program, `make install MPICC=COMPILER PREFIX=DIR`, or use {} for it",
        built.name(),
        running.name(),
        version.join(" "),
        built.name()
    ))
}

/// Handles are pointers in Open MPI, and integers in MPICH.
fn of_this_library() -> Implementation {
    match size_of::<ffi::MPI_Comm>() == size_of::<c_int>() {
        true => Implementation::Mpich,
        false => Implementation::OpenMpi,
    }
}

fn running() -> String {
    let mut text = vec![0 as c_char; LONGEST_TEXT + 1];
    let mut length = 0;
    // SAFETY: the text of every implementation is shorter, and ends with a zero. The call has no handles.
    unsafe {
        ffi::MPI_Get_library_version(text.as_mut_ptr(), &mut length);
        CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
    }
}
