//! The runtime for programs that use MPI.
//!
//! Input: the calls of `cppc.h` and of Fortran.
//! Output: the library `cppc_mpi`.
//! Postcondition: the processes of `MPI_COMM_WORLD` dump and resume together.

use cppc_runtime_ffi::{export, OwnAllocator};
use cppc_runtime_mpi::connect;

/// Memory of the runtime is not recorded as memory of the program.
#[global_allocator]
static ALLOCATOR: OwnAllocator = OwnAllocator;

export!(connect);
cppc_fortran_bindings::export!(connect);
