//! The settings of the user.
//!
//! Input: the command line, the environment, a file, and the table of settings.
//! Output: one value with a field for each setting.
//! Postcondition: the settings are removed from the command line, and every value is in its range. An unknown
//! setting is an error.

pub mod trust;
pub mod duration;
pub mod table;
mod sources;

pub use sources::SettingsError;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One field for each row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The directory of the state files; absolute.
    pub dir: PathBuf,
    /// A second directory for the same files; absolute.
    pub mirror: Option<PathBuf>,
    /// The directory is one of those that the tasks of a job array have.
    pub is_task_of_array: bool,
    /// The application's name, a single path component.
    pub app: String,
    /// The number of calls of the checkpoint function per dump; 0 turns dumps by number off.
    pub every: u64,
    pub interval: Interval,
    /// The mean time between two failures; none if it is unknown.
    pub mtbf: Option<Duration>,
    pub on_sigusr1: OnSignal,
    pub on_sigterm: OnSignal,
    /// Whether to dump also when a checkpoint is reached for the first time.
    pub first_touch: bool,
    pub restart: Restart,
    /// The number of complete recovery lines that are kept, at least 1.
    pub keep: u64,
    /// Whether to remove the state files after a successful shutdown.
    pub delete: bool,
    /// The number of dumps from one full state file to the next; 1 turns incremental files off.
    pub full_every: u64,
    pub writer: Writer,
    pub compress: Compression,
    /// Memory blocks with fewer elements than this are not compressed.
    pub compress_min: u64,
    /// The number of threads that compress; 0 for as many as there are processors.
    pub compress_threads: u64,
    /// Whether to copy the memory at the checkpoint and write it in the background.
    pub asynchronous: bool,
    pub busy: Busy,
    /// How long a process waits for others at a checkpoint; none for as long as it takes.
    pub patience: Option<Duration>,
    pub identity: Identity,
    /// Files whose content belongs to the identity of a run.
    pub inputs: Vec<String>,
    /// Whether only one start at a time may work in the directories of a run.
    pub lock: bool,
    /// After this many seconds without a heartbeat, the lock of a process on another host is taken.
    pub lock_lease: u64,
    pub check: Check,
    /// After this recovery line, the processes kill themselves; 0 for never.
    pub kill_after: u64,
    pub log: Log,
}

/// The time between two dumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    /// Neither `every` nor `interval` was set: as `Auto`, and this is announced.
    Unset,
    /// It follows from the measured cost of a dump.
    Auto,
    Fixed(Duration),
    /// No dumps by time.
    None,
}

/// The effect of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnSignal {
    /// The runtime does not handle it.
    Default,
    /// Dump at one of the next calls.
    Checkpoint,
    /// The same, and end the run there.
    End,
}

/// Whether to resume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// Resume if there is a complete recovery line of an unfinished run.
    Auto,
    /// Resume, or stop if there is nothing to resume.
    Always,
    Never,
}

/// The writer of the state files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writer {
    Binary,
    /// A shared object: the name of an installed one, or a path, which contains a `/`.
    Plugin(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    #[default]
    None,
    /// With this level, from 1 to 9.
    Deflate(u32),
    Lz4,
}

/// What to do if a dump is due and the previous one is still being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Busy {
    Wait,
    /// All processes skip this dump if one of them is busy.
    Skip,
}

/// What is checked at checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// Messages, if the program is linked with the layer that counts them.
    Unset,
    None,
    /// Whether messages are in transit.
    Messages,
}

/// What must be the same for a start to resume a run. Other differences are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// The arguments, the input files, and the executable's content if the architecture is the same.
    Strict,
    /// The arguments and the input files.
    Arguments,
    /// Nothing.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Log {
    /// Failures and refusals only.
    Quiet,
    /// Restarts as well. This is the default.
    Restart,
    Info,
    Debug,
}

impl Settings {
    /// Whether no dump is ever due.
    pub fn never_dumps(&self) -> bool {
        self.every == 0 && !self.first_touch && self.interval == Interval::None
    }

    /// Gathers the settings from four sources, with decreasing priority: `arguments` (the first is the
    /// program's name; settings are removed), `environment`, the settings file (`cppc.toml` in `directory`
    /// unless another file is named), defaults.
    pub fn gather(
        arguments: &mut Vec<OsString>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
        directory: &Path,
    ) -> Result<Settings, SettingsError> {
        sources::gather(arguments, environment, directory)
    }

    /// Removes from `arguments` what `gather` would remove, without interpreting it. Returns the program's
    /// name and the settings.
    pub fn set_aside(arguments: &mut Vec<OsString>) -> Vec<OsString> {
        sources::set_aside(arguments)
    }
}
