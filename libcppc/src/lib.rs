//! The runtime for programs of one process.
//!
//! Input: the calls of `cppc.h` and of Fortran.
//! Output: the library `cppc`.
//! Postcondition: there is no communication with other processes.

use cppc_runtime_ffi::{export, Communicator, OwnAllocator, SingleProcess};

fn connect() -> Result<Box<dyn Communicator>, String> {
    Ok(Box::new(SingleProcess::new()))
}

/// Memory of the runtime is not recorded as memory of the program.
#[global_allocator]
static ALLOCATOR: OwnAllocator = OwnAllocator;

export!(connect);
cppc_fortran_bindings::export!(connect);
