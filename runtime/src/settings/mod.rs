//! What the user has asked for.
//!
//! In: the command line, the environment, a file, and the table of what can be set. Out: one value
//! with a field for each setting. Holds afterwards: what was meant for the runtime is gone from the
//! command line; every value is in its range; nothing unknown was passed over in silence.

pub mod trust;
mod sources;
pub mod table;

pub use sources::SettingsError;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One field for each row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where state files live; absolute.
    pub dir: PathBuf,
    /// The application's name, a single path component.
    pub app: String,
    /// Calls of the checkpoint function per dump; 0 turns dumping off.
    pub every: u64,
    /// Also dump the first time each checkpoint is reached.
    pub first_touch: bool,
    pub restart: Restart,
    /// Complete recovery lines kept, at least 1.
    pub keep: u64,
    /// Remove the state files after a successful shutdown.
    pub delete: bool,
    /// Dumps from one full state file to the next; 1 turns incremental off.
    pub full_every: u64,
    pub writer: Writer,
    pub compress: Compression,
    /// Memory blocks with fewer elements than this are not compressed.
    pub compress_min: u64,
    /// Threads that compress; 0 for as many as there are processors.
    pub compress_threads: u64,
    /// Copy at the checkpoint and write in the background.
    pub asynchronous: bool,
    pub busy: Busy,
    pub identity: Identity,
    /// Let one start at a time work in the directories of a run.
    pub lock: bool,
    /// After so many seconds of silence, the lock of a process on another host is taken away.
    pub lock_lease: u64,
    pub log: Log,
}

/// Whether to resume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// When there is a complete recovery line of an unfinished run.
    Auto,
    /// It is an error when there is nothing to resume.
    Always,
    Never,
}

/// Who writes the state files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writer {
    Binary,
    /// A shared object: its name among those that are installed, or its path, which has a `/`.
    Plugin(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    #[default]
    None,
    /// With this level, 1 to 9.
    Deflate(u32),
    Lz4,
}

/// What to do when a dump is due and the one before is still being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Busy {
    Wait,
    /// All processes leave this dump out when one of them is busy.
    Skip,
}

/// What must be the same for a start to resume a run. What differs beside that is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// The arguments, and the executable's content where the architecture is the same.
    Strict,
    /// The arguments.
    Arguments,
    /// Neither.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Log {
    /// Failures and refusals only.
    Quiet,
    /// Restarts as well: the default.
    Restart,
    Info,
    Debug,
}

impl Settings {
    /// Gathers from the four sources, strongest first: `arguments` (the first is the program's
    /// name; what is meant for the runtime is removed), `environment`, the settings file
    /// (`cppc.toml` in `directory` unless another is named), defaults.
    pub fn gather(
        arguments: &mut Vec<OsString>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
        directory: &Path,
    ) -> Result<Settings, SettingsError> {
        sources::gather(arguments, environment, directory)
    }

    /// Takes out of `arguments` what `gather` would, unread: the program's name, then the settings.
    pub fn set_aside(arguments: &mut Vec<OsString>) -> Vec<OsString> {
        sources::set_aside(arguments)
    }
}
