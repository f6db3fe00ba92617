//! Writes state files while the program continues.
//!
//! Input: a manifest and the memory that it describes.
//! Output: a published state file, later.
//! Postcondition: the file gets its name only when it is complete and durable. A dump that failed has not
//! changed any earlier line. A line is retired only when enough newer ones are known to be complete.

mod error;
pub mod buffer;
mod state_writer;
mod publish;
mod retention;
mod thread;
mod mirror;
mod dumper;
mod mirrored;
mod ending;

pub use dumper::Dumper;
pub use error::DumpError;
pub use state_writer::StateWriter;

use crate::codec::CompressionOptions;
use crate::settings::{Busy, Writer};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How dumps are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub writer: Writer,
    /// Number of complete recovery lines that are kept, at least 1.
    pub keep: u64,
    /// Dumps from one full state file to the next, at least 1. Only the binary writer writes incremental
    /// files.
    pub full_every: u64,
    pub compression: CompressionOptions,
    pub asynchronous: bool,
    pub busy: Busy,
}

/// The line from which a run was resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resumed {
    pub number: u64,
    /// The base lines without which this process cannot read it.
    pub bases: Vec<u64>,
}

/// The result of a dump or of the removal of an old file. `number` is that of the recovery line; `bases` are
/// the lines whose files it needs.
#[derive(Debug)]
pub enum Event {
    Published {
        number: u64,
        path: PathBuf,
        size_bytes: u64,
        bases: Vec<u64>,
        took: Duration,
        recycled: bool,
    },
    Failed {
        number: u64,
        error: DumpError,
    },
    /// The line is known to be complete on every process.
    Complete {
        number: u64,
    },
    Retired {
        number: u64,
    },
    /// An old file could not be removed. It does no harm.
    NotRetired {
        error: DumpError,
    },
    /// The disk was full, and these files, which a restart does not need, were removed.
    MadeRoom {
        aside: usize,
        lines: Vec<u64>,
    },
    /// Dumps were to be written while the program continues, but it waits for them.
    Waits {
        reason: io::Error,
    },
    /// A line was not copied to the mirror on this process.
    NotMirrored {
        number: u64,
        error: DumpError,
    },
    /// A line was copied to the mirror on this process.
    Mirrored {
        number: u64,
    },
    /// The run has ended, and that could not be recorded: the next start may resume it.
    NotEnded {
        error: DumpError,
    },
}

/// Receives events, also from the thread that writes.
pub type Listener = Arc<dyn Fn(Event) + Send + Sync>;

/// What a call of `Dumper::dump` did. The value is the same on all processes except for `Failed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DumpOutcome {
    /// The copy is made, and a thread writes it.
    Started,
    /// The file is published.
    Written,
    /// Some process is still writing the previous dump, and the setting `busy` is `skip`.
    Skipped,
    /// Nothing was written on this process. The listener has received the reason.
    Failed,
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// State files are removed.
    Delete,
    /// State files are kept, with the marker file of a finished run.
    Keep,
}
