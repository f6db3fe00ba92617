//! The Fortran interface of the runtime.
//!
//! In: calls from Fortran: arguments by reference, texts with their lengths behind the arguments. Out:
//! calls of the same verbs that C calls. Holds afterwards: what is said of the C interface; no address of a
//! variable is kept but where a register is made in place. A final library makes the symbols with
//! [`export!`].

pub mod arguments;
pub mod argument;
pub mod threads;
pub mod export;

pub use cppc_abi::fortran_types;
pub use cppc_runtime_ffi as ffi;
