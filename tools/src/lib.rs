//! Looks at state files.
//!
//! In: a command line. Out: what stands in a state directory, for people or, with `--json`, for
//! programs. Holds afterwards: nothing on disk has changed.

pub mod scan;
mod words;
mod values;
mod plan;
pub mod list;
pub mod show;
pub mod verify;
pub mod command;
