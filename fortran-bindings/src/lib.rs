//! The Fortran interface of the runtime.
//!
//! Input: calls from Fortran: arguments by reference, with the lengths of texts after all arguments.
//! Output: calls of the verbs that C calls too.
//! Postcondition: that of the C interface; no address of a variable is kept except for a register that is
//! made in place. A final library makes the symbols with [`export!`].

pub mod arguments;
pub mod argument;
pub mod threads;
pub mod export;

pub use cppc_abi::fortran_types;
pub use cppc_runtime_ffi as ffi;
