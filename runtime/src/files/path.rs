//! The path of a file.
//!
//! Input: a name that the program uses.
//! Output: the path of the file itself, and what is there.
//! Postcondition: symbolic links are followed as the program's own `open` would follow them. Only
//! `move_to_free` changes anything.

use super::error::FileError;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The identity of a file, whatever its name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    pub device: u64,
    pub inode: u64,
}

impl Identity {
    pub fn of(metadata: &Metadata) -> Identity {
        Identity { device: metadata.dev(), inode: metadata.ino() }
    }
}

/// What is at a path.
#[derive(Debug)]
pub enum PathContent {
    Nothing,
    Regular(Metadata),
    /// Something that cannot be moved aside.
    Other(&'static str),
}

/// The largest number of symbolic links to follow, as in the system.
const MOST_LINKS: usize = 40;

/// The path of the file that the program would open under this name. The file need not exist.
pub fn resolve(name: &Path) -> Result<PathBuf, FileError> {
    let failed = || FileError::failed("cannot find", name);
    let mut path = std::path::absolute(name).map_err(failed())?;
    for _ in 0..MOST_LINKS {
        let (Some(parent), Some(leaf)) = (path.parent(), path.file_name()) else {
            return Err(failed()(io::Error::from_raw_os_error(libc::EISDIR)));
        };
        let parent = parent.canonicalize().map_err(failed())?;
        let whole = parent.join(leaf);
        match fs::read_link(&whole) {
            Ok(target) => path = parent.join(target),
            Err(_) => return Ok(whole),
        }
    }
    Err(failed()(io::Error::from_raw_os_error(libc::ELOOP)))
}

/// What is at the path itself. A symbolic link is not a regular file.
pub fn inspect(path: &Path) -> Result<PathContent, FileError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(PathContent::Regular(metadata)),
        Ok(metadata) => Ok(PathContent::Other(kind(&metadata))),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(PathContent::Nothing)
        }
        Err(error) => Err(FileError::failed("cannot look at", path)(error)),
    }
}

/// Whether the file is one of `/proc` or `/sys`. It is on no disk, and a restart cannot restore it.
pub fn is_of_kernel(path: &Path) -> bool {
    const SYSFS: i64 = 0x6265_6572;
    const PROCFS: i64 = 0x9fa0;
    // Other files are not asked, because this is a system call.
    let is_likely = path.starts_with("/proc") || path.starts_with("/sys");
    is_likely && file_system(path).is_some_and(|kind| kind == PROCFS || kind == SYSFS)
}

#[cfg(target_os = "linux")]
#[allow(clippy::unnecessary_cast, reason = "the type differs between machines")]
fn file_system(path: &Path) -> Option<i64> {
    Some(rustix::fs::statfs(path).ok()?.f_type as i64)
}

#[cfg(not(target_os = "linux"))]
fn file_system(_: &Path) -> Option<i64> {
    None
}

/// Whether this file is the one at the path. A failure to look is no answer: a file that is taken for another
/// one, or for a closed one, is not restored.
pub fn is_file_at(path: &Path, identity: Identity) -> Result<bool, FileError> {
    Ok(matches!(inspect(path)?, PathContent::Regular(metadata) if Identity::of(&metadata) == identity))
}

fn kind(metadata: &Metadata) -> &'static str {
    let kind = metadata.file_type();
    if kind.is_dir() {
        "a directory"
    } else if kind.is_symlink() {
        "a symbolic link"
    } else if kind.is_fifo() {
        "a pipe"
    } else {
        "a device"
    }
}

/// Renames a file within its directory, unless the name is in use.
pub fn move_to_free(from: &Path, to: &Path) -> io::Result<()> {
    match rename_exclusively(from, to) {
        // Some systems and file systems do not support it.
        Err(error) if matches!(error.raw_os_error(), Some(libc::EINVAL | libc::ENOSYS | libc::ENOTSUP)) => {
            match fs::symlink_metadata(to) {
                Ok(_) => Err(io::Error::from_raw_os_error(libc::EEXIST)),
                Err(_) => fs::rename(from, to),
            }
        }
        other => other,
    }
}

#[cfg(target_os = "linux")]
fn rename_exclusively(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{renameat_with, RenameFlags, CWD};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

#[cfg(not(target_os = "linux"))]
fn rename_exclusively(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::from_raw_os_error(libc::ENOSYS))
}

/// Makes the names in the file's directory durable.
pub fn sync_names(path: &Path) -> Result<(), FileError> {
    let Some(parent) = path.parent() else { return Ok(()) };
    match fs::File::open(parent).and_then(|directory| directory.sync_all()) {
        // A directory that must not be read, and file systems that have nothing to sync in a directory.
        Err(error) if !matches!(error.raw_os_error(), Some(libc::EINVAL | libc::EACCES)) => {
            Err(FileError::failed("cannot sync the directory of", path)(error))
        }
        _ => Ok(()),
    }
}
