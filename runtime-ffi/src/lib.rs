//! The C interface of the runtime.
//!
//! Input: calls from C.
//! Output: calls of the controller.
//! Postcondition: no invalid argument, no panic and no second thread passes the boundary. A final library
//! names the communicator with [`export!`], which makes the symbols.

pub mod arguments;
pub mod boundary;
pub mod text;
pub mod process_end;
pub mod export;
pub mod verbs;

pub use cppc_runtime::agree::{Communicator, SingleProcess};
pub use cppc_runtime::allocations::OwnAllocator;
pub use cppc_runtime::controller::{own_command_line, Connect};
