//! Writes state files while the program goes on.
//!
//! In: a manifest and the memory it describes. Out: a published state file, later. Holds
//! afterwards: the file appears under its name only when it is whole and on stable storage; a dump
//! that failed has left every earlier line as it was; a line is retired only when enough newer ones
//! are known to be complete on every process.

pub mod buffer;
mod dumper;
mod ending;
mod error;
mod form;
mod publish;
mod retention;
mod thread;

pub use dumper::Dumper;
pub use error::DumpError;
pub use form::Form;

use crate::codec::Packing;
use crate::settings::{Busy, Writer};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How dumps are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub writer: Writer,
    /// Complete recovery lines kept, at least 1.
    pub keep: u64,
    /// Dumps from one full state file to the next, at least 1. Only the binary writer writes others.
    pub full_every: u64,
    pub packing: Packing,
    pub asynchronous: bool,
    pub busy: Busy,
}

/// The line that a run was resumed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resumed {
    pub number: u64,
    /// Those without whose files this process cannot read it.
    pub bases: Vec<u64>,
}

/// What became of a dump or of an old file. `number` is the recovery line's, `bases` are the lines whose
/// files it needs.
#[derive(Debug)]
pub enum Event {
    Published { number: u64, path: PathBuf, size_bytes: u64, bases: Vec<u64>, took: Duration, recycled: bool },
    Failed { number: u64, error: DumpError },
    /// The line is known to be complete on every process.
    Complete { number: u64 },
    Retired { number: u64 },
    /// An old file could not be removed; it is in nobody's way.
    NotRetired { error: DumpError },
    /// There was no room for a dump, and these files were removed, which a restart does not need.
    MadeRoom { aside: usize, lines: Vec<u64> },
    /// The run came to its end, and that could not be noted: the next start may resume it.
    NotEnded { error: DumpError },
}

/// Told about events, also from the thread that writes.
pub type Listener = Arc<dyn Fn(Event) + Send + Sync>;

/// What a call of `Dumper::dump` did; the same on all processes except for `Failed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The copy is made; writing goes on in the background.
    Started,
    /// The file is published.
    Written,
    /// The dump before is still being written somewhere, and `busy` says `skip`.
    Skipped,
    /// Nothing was written here; the listener knows why.
    Failed,
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// State files go.
    Delete,
    /// State files stay, marked as those of a finished run.
    Keep,
}
