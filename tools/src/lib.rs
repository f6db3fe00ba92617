//! Looks at state files.
//!
//! In: a command line. Out: what stands in a state directory, for people or, with `--json`, for
//! programs. Holds afterwards: nothing on disk has changed, unless that was asked for.

pub mod words;
mod progress;
mod workpiece;
pub mod scan;
mod select;
mod value;
mod content;
mod shape;
mod statistics;
mod place;
mod plan;
pub mod list;
pub mod show;
pub mod diff;
pub mod picture;
pub mod convert;
pub mod prune;
pub mod verify;
pub mod command;
