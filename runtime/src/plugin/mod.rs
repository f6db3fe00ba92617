//! Writers that are shared objects: found, loaded and called.
//!
//! Input: a name, a path, or the first bytes of a file.
//! Output: a writer that can be called without `unsafe`.
//! Postcondition: a shared object that is not a writer of this version is refused, and the message names it.
//! A loaded writer stays loaded. An error of a writer is text, and every other result is checked.
//!
//! The interface itself is in `cppc_abi::writer`.

mod notes;
mod plan;
mod types;
mod state;
mod table;
mod directories;
mod load;

pub use directories::DIRECTORIES_VARIABLE;
pub use load::{find, find_by_signature, is_damaged, LoadError};
pub use state::{State, StateData};
pub use table::{Input, Plugin, PluginError};
