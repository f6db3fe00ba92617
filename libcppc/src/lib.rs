//! The runtime for programs of one process.
//!
//! In: the calls of `cppc.h`. Out: the library `cppc`. Holds afterwards: no other process is asked.

use cppc_runtime_ffi::{export, Alone, Communicator};

fn connect() -> Result<Box<dyn Communicator>, String> {
    Ok(Box::new(Alone::new()))
}

export!(connect);
