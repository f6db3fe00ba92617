//! Where a file is.
//!
//! In: a name as the program gives it. Out: the path of the file itself, and what is there. Holds afterwards: links
//! have been followed as the program's own opening would follow them; nothing was changed but by the one
//! operation that says so.

use super::error::FileError;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Which file it is, whatever it is called.
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
pub enum Found {
    Nothing,
    Regular(Metadata),
    /// Something that cannot be moved aside.
    Other(&'static str),
}

/// Links may lead to links; the system allows as many.
const MOST_LINKS: usize = 40;

/// The path of the file that the program would open under this name; it need not be there.
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

/// What is at the path itself, a link being something else than a file.
pub fn look(path: &Path) -> Result<Found, FileError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Found::Regular(metadata)),
        Ok(metadata) => Ok(Found::Other(kind(&metadata))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
        Err(error) => Err(FileError::failed("cannot look at", path)(error)),
    }
}

/// Whether this file is the one at the path.
pub fn leads_to(path: &Path, identity: Identity) -> bool {
    matches!(look(path), Ok(Found::Regular(metadata)) if Identity::of(&metadata) == identity)
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

/// Gives the file another name in its directory, unless that is taken.
pub fn move_to_free(from: &Path, to: &Path) -> io::Result<()> {
    match rename_exclusively(from, to) {
        // Not every system and file system can.
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
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL));
    let (from, to) = (text(from)?, text(to)?);
    // SAFETY: both texts end with a zero and live until the call is over.
    let done = unsafe {
        libc::syscall(libc::SYS_renameat2, libc::AT_FDCWD, from.as_ptr(), libc::AT_FDCWD, to.as_ptr(), libc::RENAME_NOREPLACE)
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(not(target_os = "linux"))]
fn rename_exclusively(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::from_raw_os_error(libc::ENOSYS))
}

/// Makes the names in the file's directory as durable as files are.
pub fn sync_names(path: &Path) -> Result<(), FileError> {
    let Some(parent) = path.parent() else { return Ok(()) };
    match fs::File::open(parent).and_then(|directory| directory.sync_all()) {
        // A directory that may not be read, and file systems that have nothing to sync in one.
        Err(error) if !matches!(error.raw_os_error(), Some(libc::EINVAL | libc::EACCES)) => {
            Err(FileError::failed("cannot sync the directory of", path)(error))
        }
        _ => Ok(()),
    }
}
