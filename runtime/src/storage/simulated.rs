//! A disk in memory that can lose what was not synced.
//!
//! Input: the operations of `Storage`, and the instants at which a process or the machine stops or an
//! operation fails.
//! Output: what a new start finds.
//! Postcondition: only what was synced is reliable.
//!
//! # The fault model
//!
//! - *Content* that was not synced may be lost, kept, or torn: of each write, every sector of 512 bytes has
//!   either reached the disk or not, independent of the others and of later writes. The same applies to
//!   changes of the size.
//! - *Names* that were not synced may or may not exist: each creation, renaming or removal is done completely
//!   or not at all, independent of the others. A renaming from one directory to another is durable once both
//!   are synced.
//! - *A stop* comes before or after any operation. From then on every operation fails. After
//!   `restart_process` the next process finds everything that the stopped one did, *and none of it is more
//!   durable than it was*: the page cache outlives the process. `after_crash` returns the disk that is found
//!   after a loss of power.
//! - *A failure* of an operation leaves a write half done. After a sync that failed, what it was to make
//!   durable may be lost even if a later sync succeeds: the content of the file, and the changes of names in
//!   the directory.
//! - *A full disk* accepts what it has room for, and the rest of the write fails.

mod disk;
#[cfg(test)]
mod tests;

use super::{Entry, EntryKind, File, Storage};
use disk::{parent, Disk, Edit, Fault, Node};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The disk. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Simulated {
    disk: Arc<Mutex<Disk>>,
}

/// What reaches the disk of everything that was not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsynced {
    Lost,
    Kept,
    /// A random choice with this seed.
    Torn(u64),
}

impl Simulated {
    pub fn new() -> Simulated {
        let disk = Simulated::default();
        disk.lock().names.insert(PathBuf::from("/"), Node::Directory);
        disk.lock().durable_names.insert(PathBuf::from("/"), Node::Directory);
        disk
    }

    /// The number of operations so far.
    pub fn operations(&self) -> u64 {
        self.lock().operations
    }

    /// Stops the process before this operation; the first one is 0.
    pub fn stop_before(&self, operation: u64) {
        self.lock().stop_before = Some(operation);
    }

    /// Whether the process has stopped.
    pub fn has_stopped(&self) -> bool {
        let disk = self.lock();
        disk.stop_before.is_some_and(|at| disk.operations >= at)
    }

    /// Starts another process after only the process was stopped. It sees what the first one did, and what
    /// was not synced is still not durable.
    pub fn restart_process(&self) {
        let mut disk = self.lock();
        disk.stop_before = None;
        disk.faults.clear();
        // The new process cannot know about a failed sync, and relies on its own syncs.
        disk.trust_names();
    }

    /// Makes one operation, or all from then on, fail with this error number. Several may be set.
    pub fn fail_at(&self, operation: u64, error: i32, lasting: bool) {
        self.lock().faults.push(Fault { at: operation, lasting, error });
    }

    /// Makes operations succeed again.
    pub fn heal(&self) {
        self.lock().faults.clear();
    }

    /// Limits the disk to so many bytes. Writes that exceed it fail with this error number.
    pub fn limit(&self, capacity_bytes: Option<u64>, error: i32) {
        let mut disk = self.lock();
        (disk.capacity_bytes, disk.full) = (capacity_bytes, error);
    }

    /// The disk that is found after a loss of power.
    pub fn after_crash(&self, unsynced: Unsynced) -> Simulated {
        let found = self.lock().after_power_loss(unsynced);
        Simulated { disk: Arc::new(Mutex::new(found)) }
    }

    /// Changes one byte of a file, without an operation.
    pub fn corrupt(&self, path: &Path, offset: usize) -> bool {
        let mut disk = self.lock();
        let Some(Node::File(inode)) = disk.names.get(path).copied() else { return false };
        let inode = &mut disk.inodes[inode];
        match (inode.content.get_mut(offset), inode.durable.get_mut(offset)) {
            (Some(content), Some(durable)) => {
                *content ^= 0x10;
                *durable ^= 0x10;
                true
            }
            _ => false,
        }
    }

    /// Puts something that is neither a file nor a directory at the path.
    pub fn obstruct(&self, path: &Path) {
        let mut disk = self.lock();
        disk.names.insert(path.to_owned(), Node::Other);
        disk.durable_names.insert(path.to_owned(), Node::Other);
    }

    /// The bytes in all files that have a name. Tests use it to check that the disk does not fill up.
    pub fn used_bytes(&self) -> u64 {
        self.lock().used_bytes()
    }

    fn lock(&self) -> MutexGuard<'_, Disk> {
        // A panic elsewhere leaves the disk as it was, like a real one.
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an operation, which may be one that fails.
    fn operate(&self) -> io::Result<MutexGuard<'_, Disk>> {
        let mut disk = self.lock();
        disk.operate()?;
        Ok(disk)
    }

    fn open(&self, inode: usize) -> Box<dyn File> {
        Box::new(SimulatedFile { storage: self.clone(), inode })
    }
}

impl Storage for Simulated {
    fn share(&self) -> Arc<dyn Storage> {
        Arc::new(self.clone())
    }

    fn open_for_writing(&self, path: &Path) -> io::Result<Box<dyn File>> {
        let mut disk = self.operate()?;
        let inode = match disk.file(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => disk.create(path)?,
            other => other?,
        };
        Ok(self.open(inode))
    }

    fn open_for_reading(&self, path: &Path) -> io::Result<Box<dyn File>> {
        let inode = self.operate()?.file(path)?;
        Ok(self.open(inode))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        let inode = disk.file(from)?;
        disk.directory(&parent(to))?;
        disk.rename(from, to, Node::File(inode));
        Ok(())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        let inode = disk.file(from)?;
        if disk.names.contains_key(to) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        disk.directory(&parent(to))?;
        disk.put(to, Node::File(inode));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        match disk.names.get(path).copied() {
            None => Err(ErrorKind::NotFound.into()),
            Some(Node::Directory) => Err(ErrorKind::IsADirectory.into()),
            Some(node) => {
                disk.remove(path, node);
                Ok(())
            }
        }
    }

    fn create_dir(&self, path: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        if disk.names.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        disk.directory(&parent(path))?;
        disk.put(path, Node::Directory);
        Ok(())
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        disk.directory(path)?;
        if disk.names.keys().any(|name| name.parent() == Some(path)) {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        disk.remove(path, Node::Directory);
        Ok(())
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let mut disk = self.lock();
        let result = disk.operate();
        match &result {
            Ok(()) => {
                disk.directory(path)?;
                disk.sync_dir(path);
            }
            // The directory could not even be opened.
            Err(error) if error.raw_os_error() == Some(libc::EACCES) => {}
            Err(error) if error.raw_os_error().is_some() => disk.doubt(path),
            Err(_) => {}
        }
        result
    }

    fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        let disk = self.operate()?;
        disk.directory(path)?;
        let inside = disk.names.iter().filter(|(name, _)| name.parent() == Some(path));
        Ok(inside.map(|(name, node)| disk.describe(name, *node)).collect())
    }

    fn entry(&self, path: &Path) -> io::Result<Entry> {
        let disk = self.operate()?;
        let node = disk.names.get(path).copied().ok_or(io::Error::from(ErrorKind::NotFound))?;
        Ok(disk.describe(path, node))
    }
}

#[derive(Debug)]
struct SimulatedFile {
    storage: Simulated,
    inode: usize,
}

impl File for SimulatedFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let disk = self.storage.operate()?;
        let content = &disk.inodes[self.inode].content;
        let range = offset as usize..offset as usize + buffer.len();
        buffer.copy_from_slice(content.get(range).ok_or(io::Error::from(ErrorKind::UnexpectedEof))?);
        Ok(())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.storage.lock();
        let mut result = disk.operate();
        let offset = offset as usize;
        // A write that fails has written a part; but a stopped process writes nothing.
        let mut done = match &result {
            Ok(()) => bytes.len(),
            Err(error) if error.raw_os_error().is_some() => bytes.len() / 2,
            Err(_) => 0,
        };
        let room = disk.room_for(self.inode, offset, done);
        if result.is_ok() && room < done {
            (done, result) = (room, Err(io::Error::from_raw_os_error(disk.full)));
        }
        if done > 0 {
            disk.inodes[self.inode].edit(Edit::Write { offset, bytes: bytes[..done.min(room)].to_vec() });
        }
        result
    }

    fn sync(&self) -> io::Result<()> {
        let mut disk = self.storage.lock();
        let result = disk.operate();
        let inode = &mut disk.inodes[self.inode];
        match &result {
            Ok(()) => inode.sync(),
            Err(error) if error.raw_os_error().is_some() => inode.doubt(),
            Err(_) => {}
        }
        result
    }

    fn truncate(&self, size_bytes: u64) -> io::Result<()> {
        let mut disk = self.storage.operate()?;
        disk.inodes[self.inode].edit(Edit::Resize(size_bytes as usize));
        Ok(())
    }

    fn size_bytes(&self) -> io::Result<u64> {
        let disk = self.storage.operate()?;
        Ok(disk.inodes[self.inode].content.len() as u64)
    }
}
