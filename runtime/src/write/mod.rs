//! Writes state files while the program goes on.
//!
//! In: a manifest and the memory it describes. Out: a published state file, later. Holds
//! afterwards: the file appears under its name only when it is whole and on stable storage; a dump
//! that failed has left every earlier line as it was; a line is retired only when enough newer ones
//! are known to be complete on every process.

use crate::manifest::Manifest;
use crate::negotiate::Communicator;
use crate::settings::{Busy, Compression};
use crate::storage::Directory;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How dumps are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Complete recovery lines kept, at least 1.
    pub keep: u64,
    pub compress: Compression,
    /// Memory blocks of fewer bytes than this are not compressed.
    pub compress_min_bytes: u64,
    pub asynchronous: bool,
    pub busy: Busy,
}

/// Why a state file was not written.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    #[error("cannot {action} `{}`: {source}", .path.display())]
    Storage { action: &'static str, path: PathBuf, source: io::Error },
    #[error("no memory for a copy of {bytes} bytes: free some, or set `async` to `false`")]
    NoMemory { bytes: u64 },
}

/// What became of a dump or of an old file. `number` is the recovery line's.
#[derive(Debug)]
pub enum Event {
    Published { number: u64, path: PathBuf, size_bytes: u64, took: Duration, recycled: bool },
    Failed { number: u64, error: DumpError },
    /// The line is known to be complete on every process.
    Complete { number: u64 },
    Retired { number: u64 },
    /// An old file could not be removed; it is in nobody's way.
    NotRetired { error: DumpError },
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

/// Writes the state files of one process.
pub struct Dumper {
    _directory: Directory,
    _options: Options,
    _listener: Listener,
}

impl Dumper {
    /// `resumed` is the line the run was resumed from, known to be complete. `run` marks the
    /// directory at the end.
    pub fn start(directory: Directory, options: Options, run: u64, resumed: Option<u64>, listener: Listener) -> Dumper {
        let _ = (run, resumed);
        Dumper { _directory: directory, _options: options, _listener: listener }
    }

    /// Dumps one state file; `memory` has a range for each block of the manifest, of its size.
    /// Every process calls this for the same numbers, which grow.
    ///
    /// # Safety
    /// Each range is readable and nothing writes to it until the call returns.
    pub unsafe fn dump(
        &mut self,
        communicator: &dyn Communicator,
        manifest: Manifest,
        memory: &[(*const u8, usize)],
    ) -> Outcome {
        let _ = (communicator, manifest, memory);
        Outcome::Failed
    }

    /// Takes part in a dump on a process that has nothing it could write: the line will not be
    /// complete.
    pub fn abstain(&mut self, communicator: &dyn Communicator, number: u64) {
        let _ = (communicator, number);
    }

    /// Waits until no dump is under way.
    pub fn wait(&mut self) {}

    /// Ends the run, after every process has come here. Blocks.
    pub fn shutdown(self, communicator: &dyn Communicator, ending: Ending) {
        let _ = (communicator, ending);
    }
}
