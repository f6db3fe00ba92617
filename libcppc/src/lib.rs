//! The runtime for programs of one process.
//!
//! In: the calls of `cppc.h` and of Fortran. Out: the library `cppc`. Holds afterwards: no other process is asked.

use cppc_runtime_ffi::{export, Alone, Communicator};

fn connect() -> Result<Box<dyn Communicator>, String> {
    Ok(Box::new(Alone::new()))
}

export!(connect);
cppc_fortran_bindings::export!(connect);
