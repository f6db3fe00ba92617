//! Inspects state files, and supervises runs.
//!
//! Input: a command line.
//! Output: the content of a state directory, for people or, with `--json`, for programs.
//! Postcondition: nothing on disk has changed, unless that was requested.

pub mod display;
pub mod table;
mod progress;
mod pending_file;
pub mod scan;
mod select;
mod value;
mod content;
mod shape;
mod statistics;
mod location_names;
mod plan;
pub mod list;
pub mod show;
pub mod diff;
pub mod picture;
pub mod report;
pub mod convert;
pub mod prune;
pub mod verify;
pub mod request;
pub mod run;
pub mod rehearse;
pub mod exit_status;
pub mod command;
