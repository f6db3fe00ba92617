//! The runtime for programs that use MPI.
//!
//! In: the calls of `cppc.h` and of Fortran. Out: the library `cppc_mpi`. Holds afterwards: the processes of
//! `MPI_COMM_WORLD` dump and resume together.

use cppc_runtime_ffi::export;
use cppc_runtime_mpi::connect;

export!(connect);
cppc_fortran_bindings::export!(connect);
