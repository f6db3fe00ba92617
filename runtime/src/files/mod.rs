//! Files that execute blocks open.
//!
//! In: names and handles of the program. Out: at a checkpoint, how long each file is and where the program
//! stands in it; in a restart, the same again. Holds afterwards: a file that was being written is moved
//! aside while its block runs, and moved back, so that nothing the block does can empty it; nothing is
//! removed but what the block has made in its place.

pub mod error;
mod stdio;
mod descriptor;
pub mod unit;
pub mod handle;
mod place;
pub mod aside;
pub mod shared;
pub mod durable;
pub mod watched;
pub mod announced;
pub mod openings;

pub use aside::{Aside, Owner};
pub use error::FileError;
pub use handle::{Given, Live};
pub use place::Identity;
pub use unit::{Unit, UnitAccess};
pub use announced::{Announced, Led};
pub use durable::Unsynced;
pub use openings::Openings;
pub use watched::{Rest, Watched};
