//! Files that execute blocks open.
//!
//! Input: names and handles of the program.
//! Output: at a checkpoint, the length of each file and the position of the program in it; in a restart, the
//! same state again.
//! Postcondition: a file that was being written is moved aside while its block runs again, and then moved
//! back, so that the block cannot empty it. Only what the block has made in its place is removed.

pub mod error;
pub mod stdio;
mod path;
mod descriptor;
pub mod unit;
pub mod handle;
pub mod aside;
pub mod shared;
pub mod durable;
pub mod tracked;
pub mod announced;
pub mod openings;

pub use announced::{AnnouncedFile, RedirectedHandle};
pub use aside::{RunProcess, SetAsideFile};
pub use durable::UnsyncedFile;
pub use error::FileError;
pub use handle::{OpenHandle, PipeHandle, ProgramHandle};
pub use openings::Openings;
pub use path::Identity;
pub use tracked::{RemainingAction, TrackedFile};
pub use unit::{Unit, UnitAccess};
