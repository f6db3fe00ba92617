//! Where state files live, behind a trait small enough to simulate.
//!
//! In: paths and bytes. Out: the few operations that publishing, reading and retiring need. Holds
//! afterwards: nothing above this module touches the file system in any other way, so what the
//! simulated disk survives is what a real one survives.

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

/// A file system, or what stands in for one.
pub trait Storage: Debug + Send + Sync {
    /// The same file system, for somebody who goes on reading from it later.
    fn share(&self) -> Arc<dyn Storage>;

    /// Opens a regular file for reading and writing; makes it when there is none. Its content is
    /// kept. A symbolic link in its place is an error, and so is anything else but a file.
    fn open_for_writing(&self, path: &Path) -> io::Result<Box<dyn File>>;

    /// Opens a regular file for reading.
    fn open_for_reading(&self, path: &Path) -> io::Result<Box<dyn File>>;

    /// Gives the file another name, in one step; what had that name is gone. Durable once the
    /// directories on both sides are synced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives the file a second name, in one step, which fails when something has that name: the only way to make a file
    /// appear under a name that is atomic on every version of NFS.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file. Durable once its directory is synced.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes one directory. Durable once its parent is synced.
    fn create_dir(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty directory.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in the directory durable as they are now.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;

    /// What stands in the directory, in no order; links are not followed.
    fn list(&self, path: &Path) -> io::Result<Vec<Entry>>;

    /// What stands at the path; a link is not followed.
    fn entry(&self, path: &Path) -> io::Result<Entry>;

    /// The path by which others than this trait can open the file; none where there is no such.
    fn real_path(&self, _path: &Path) -> Option<PathBuf> {
        None
    }
}

/// An open file. Several threads may read or write different parts of it at once.
pub trait File: Debug + Send + Sync {
    /// Fills the buffer from `offset` on; fewer bytes than that are an error of the kind
    /// `UnexpectedEof`.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Writes all bytes at `offset`; the file grows as needed.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Tells the system that these bytes may go to the device now; promises nothing.
    fn hasten(&self, _offset: u64, _length: u64) {}

    /// Makes the content and the size durable.
    fn sync(&self) -> io::Result<()>;

    /// Cuts the file, or fills it up with zeros, to this size.
    fn truncate(&self, size_bytes: u64) -> io::Result<()>;

    fn size_bytes(&self) -> io::Result<u64>;
}

/// One name in a directory.
#[derive(Debug, Clone)]
pub struct Entry {
    pub name: OsString,
    pub kind: EntryKind,
    pub size_bytes: u64,
    /// The names this file has; content with two names is never overwritten.
    pub links: u64,
    pub modified: Option<SystemTime>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Directory,
    /// A symbolic link, a device, a pipe: nothing of ours.
    Other,
}
