//! Writers that are shared objects: found, loaded and called.
//!
//! In: a name, a path, or the first bytes of a file. Out: a writer that can be called without
//! `unsafe`. Holds afterwards: what is not a writer of our version is refused by name; a writer that
//! was loaded stays; an error of a writer is text, and nothing else comes out of it unchecked.
//!
//! The interface itself stands in `cppc_abi::writer`.

mod notes;
mod plan;
mod types;
mod state;
mod table;
mod places;
mod load;

pub use load::{claimant, find, is_damaged, LoadError};
pub use places::DIRECTORIES_VARIABLE;
pub use state::{Facts, State};
pub use table::{Input, Plugin, PluginError};
