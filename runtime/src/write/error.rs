//! Why a state file was not written, or an old one not removed.
//!
//! Input: what failed.
//! Output: a message that names the file, the cause and, if there is one, the remedy.

use crate::files::FileError;
use crate::lock::NotHeld;
use crate::manifest::ManifestError;
use crate::plugin::{LoadError, PluginError};
use crate::verify::VerifyError;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    #[error("cannot {action} `{}`: {source}{}", .path.display(), hint(.source))]
    Storage { action: &'static str, path: PathBuf, source: io::Error },
    #[error("cannot write `{}`: {source}{}", .path.display(), plugin_hint(.source))]
    Plugin { path: PathBuf, source: PluginError },
    #[error("the writer `{writer}` reported success, but `{}` does not begin with its signature", .path.display())]
    NotWritten { path: PathBuf, writer: String },
    #[error("the writer `{writer}` needs a real file system")]
    NoRealPath { writer: String },
    #[error(transparent)]
    NoWriter(#[from] LoadError),
    #[error("there is no memory for a copy of {bytes} bytes: free some, or set `async` to `false`")]
    NoMemory { bytes: u64 },
    #[error("the file could not be read back: {0}")]
    Manifest(#[source] ManifestError),
    #[error("{blocks} memory blocks were described and {ranges} ranges of memory were given, or their sizes differ")]
    Ranges { blocks: usize, ranges: usize },
    #[error(transparent)]
    OpenFile(#[from] FileError),
    #[error(transparent)]
    NotHeld(NotHeld),
    #[error("the copy {error}", error = shown(.0))]
    Copy(#[source] VerifyError),
    #[error("the thread that writes has ended")]
    Thread,
}

impl DumpError {
    /// Whether it failed because the disk is full.
    pub fn is_no_room(&self) -> bool {
        let is_full = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
        };
        match self {
            DumpError::Storage { source, .. } => is_full(source),
            DumpError::Plugin { source, .. } => {
                source.code.is_some_and(|code| is_full(&io::Error::from_raw_os_error(code)))
            }
            DumpError::NotWritten { .. }
            | DumpError::NoRealPath { .. }
            | DumpError::NoWriter(_)
            | DumpError::NoMemory { .. }
            | DumpError::Manifest(_)
            | DumpError::Ranges { .. }
            | DumpError::OpenFile(_)
            | DumpError::NotHeld(_)
            | DumpError::Copy(_)
            | DumpError::Thread => false,
        }
    }

    /// The same text for failures that are reported to the user only once: the action and the cause, without
    /// the path.
    pub fn cause(&self) -> String {
        match self {
            DumpError::Storage { action, source, .. } => format!("{action}: {source}"),
            other => other.to_string(),
        }
    }
}

fn shown(error: &VerifyError) -> String {
    format!("`{}` {}", error.path.display(), error.reason)
}

fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": free space, or set `dir` to another file system"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            ": set `dir` to a directory that can be written"
        }
        _ => "",
    }
}

fn plugin_hint(error: &PluginError) -> &'static str {
    error.code.map_or("", |code| hint(&io::Error::from_raw_os_error(code)))
}

/// Adds the action and the path to an error.
pub(super) fn storage_error<'a>(
    action: &'static str,
    path: &'a Path,
) -> impl FnOnce(io::Error) -> DumpError + 'a {
    move |source| DumpError::Storage { action, path: path.to_owned(), source }
}
