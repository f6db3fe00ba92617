//! Errors about files of execute blocks.

use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum FileError {
    #[error("{doing} `{}`: {source}", path.display())]
    Failed { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("{doing} `{name}`: {source}")]
    Handle { doing: &'static str, name: String, source: io::Error },
    #[error("`{}` is missing; it had {wanted} bytes at the checkpoint: put it back, or set `restart` to `never` for a fresh start", path.display())]
    Missing { path: PathBuf, wanted: u64 },
    #[error("`{}` has {found} bytes, but {wanted} at the checkpoint: put back the file that belongs to the state; if the program was rewriting the file, lengthen it with `truncate -s {wanted}`; or set `restart` to `never` for a fresh start", path.display())]
    Shorter { path: PathBuf, found: u64, wanted: u64 },
    #[error("`{}` is {what}, but was a file at the checkpoint", path.display())]
    NoFile { path: PathBuf, what: &'static str },
    #[error("`{}` belongs to another process of this run: a file that is written must be opened by one process only (found `{}`)", path.display(), found.display())]
    Shared { path: PathBuf, found: PathBuf },
    #[error("`{}` is not the file that the execute block has opened; what it was at the checkpoint is in `{}`: move that back", path.display(), kept.display())]
    InTheWay { path: PathBuf, kept: PathBuf },
    #[error("what the program has written to `{}` may not be on the disk, because a sync has failed ({reason}): no state is written that depends on it; when the disk is in order, stop the program and start it again, and it resumes from the last recovery line", path.display())]
    Lost { path: PathBuf, reason: String },
    #[error("`{handle}` is not open on `{name}` after its execute block, as it was at the checkpoint")]
    NotOpen { handle: String, name: String },
    #[error(
        "`{handle}` is open for {found} after its execute block, but was for {wanted} at the checkpoint"
    )]
    Access { handle: String, found: &'static str, wanted: &'static str },
    #[error("`{handle}` does not refer to `{name}`, the name that `file` had before the execute block opened the file: use a name that is set before the block")]
    OtherFile { handle: String, name: String },
    #[error("the position of `{handle}` in `{name}` cannot be determined: {reason}")]
    NoPosition { handle: String, name: String, reason: &'static str },
    #[error("`{handle}` (`{name}`) is a pipe or a socket: data that was sent through it cannot be sent again in a restart; close it before the checkpoint, or, if a restart may open a new one, remove it from `file`")]
    Pipe { handle: String, name: String },
    #[error("`{handle}` is opened by an execute block that runs within another one: write `file` at the outer one")]
    Nested { handle: String },
    #[error("the name of the file of `{handle}` {reason}: `{name}`; a state file cannot keep such a name: rename the file, or open it outside of `file`")]
    Name { handle: String, name: String, reason: &'static str },
    #[error("`{handle}` cannot be set to byte {wanted} of `{name}`: it is at byte {found}")]
    WrongPosition { handle: String, name: String, found: u64, wanted: u64 },
}

impl FileError {
    /// For `map_err` of an operation on a path.
    pub fn failed(doing: &'static str, path: &std::path::Path) -> impl FnOnce(io::Error) -> FileError {
        let path = path.to_owned();
        move |source| FileError::Failed { doing, path, source }
    }
}
