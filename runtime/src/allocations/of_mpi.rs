//! Memory of `MPI_Alloc_mem`.
//!
//! Input: calls of the program, from the library for MPI.
//! Output: entries of the table without a header that the C library could read.
//! Postcondition: memory that a restart has allocated in place of such memory is freed by the C library.

use super::{functions, is_active, mappings, TABLE};
use std::ffi::c_void;

/// Records memory of `MPI_Alloc_mem`, if the program records its allocations.
pub fn record(address: usize, size_bytes: usize) {
    if is_active() {
        TABLE.record_mapping(address, size_bytes);
    }
}

/// Forgets memory that the program gives up. Returns whether it was freed here, because a restart had allocated it.
///
/// # Safety
/// The program does not use the memory any more.
pub unsafe fn forget(memory: *mut c_void) -> bool {
    let is_ours = mappings::is_allocated(memory);
    match is_ours {
        // SAFETY: it was allocated with `malloc`, and the caller guarantees that it is not used any more.
        true => unsafe { functions::__wrap_free(memory) },
        false => drop(TABLE.forget(memory as usize)),
    }
    is_ours
}
