//! The storage of state files, behind a trait that is small enough to simulate.
//!
//! Input: paths and bytes.
//! Output: the few operations for publishing, reading and retiring.
//! Postcondition: no module above this one accesses state files in any other way, so what the tests prove
//! with the simulated disk holds for a real one.

pub mod copy;
pub mod descriptor;
pub mod directory;
pub mod posix;
pub mod simulated;

use std::ffi::OsString;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

pub use directory::Directory;
pub use posix::Posix;
pub use simulated::Simulated;

/// A file system, or a simulation of one.
pub trait Storage: Debug + Send + Sync {
    /// The same file system, for code that reads from it later.
    fn share(&self) -> Arc<dyn Storage>;

    /// Opens a regular file for reading and writing, and creates it if it does not exist. Its content is
    /// kept. A symbolic link or anything else that is not a regular file is an error.
    fn open_for_writing(&self, path: &Path) -> io::Result<Box<dyn File>>;

    /// Opens a regular file for reading.
    fn open_for_reading(&self, path: &Path) -> io::Result<Box<dyn File>>;

    /// Renames a file atomically, replacing a file of that name. Durable once the directories on both sides
    /// are synced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives the file a second name atomically, and fails if that name exists. This is the only atomic way to
    /// create a name on every version of NFS.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file. Durable once its directory is synced.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes one directory. Durable once its parent is synced.
    fn create_dir(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty directory.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;

    /// Makes the current names in the directory durable.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;

    /// The entries of the directory, in no order; symbolic links are not followed.
    fn list(&self, path: &Path) -> io::Result<Vec<Entry>>;

    /// The file at the path; a symbolic link is not followed.
    fn entry(&self, path: &Path) -> io::Result<Entry>;

    /// The path by which other code can open the file; `None` if there is none.
    fn real_path(&self, _path: &Path) -> Option<PathBuf> {
        None
    }
}

/// An open file. Several threads may read or write different parts of it at once.
pub trait File: Debug + Send + Sync {
    /// Fills the buffer from `offset` on. Fewer bytes are an error of the kind `UnexpectedEof`.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Writes all bytes at `offset`. The file grows as needed.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Advises the system to begin writing these bytes to the device. It has no guaranteed effect.
    fn start_writeback(&self, _offset: u64, _length: u64) {}

    /// Makes the content and the size durable.
    fn sync(&self) -> io::Result<()>;

    /// Truncates the file to this size, or extends it with zeros.
    fn truncate(&self, size_bytes: u64) -> io::Result<()>;

    fn size_bytes(&self) -> io::Result<u64>;
}

/// One name in a directory.
#[derive(Debug, Clone)]
pub struct Entry {
    pub name: OsString,
    pub kind: EntryKind,
    pub size_bytes: u64,
    /// The number of names of this file. A file with two names is never overwritten.
    pub links: u64,
    pub modified: Option<SystemTime>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Directory,
    /// A symbolic link, a device, a pipe: never a file of the runtime.
    Other,
}
