//! The C interface of the runtime.
//!
//! In: calls from C. Out: calls of the controller. Holds afterwards: nothing that a C program can hand
//! over, no panic and no second thread gets past the boundary. A final library names the communicator
//! with [`export!`], which makes the symbols.

pub mod arguments;
pub mod boundary;
pub mod text;
pub mod leaving;
pub mod export;
pub mod verbs;

pub use cppc_runtime::controller::{own_command_line, Connect};
pub use cppc_runtime::negotiate::{Alone, Communicator};
