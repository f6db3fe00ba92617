//! A disk in memory that forgets what was not synced.
//!
//! In: the operations of `Storage`, and the instant at which the machine stops or an operation
//! fails. Out: what a new start finds. Holds afterwards: only what was synced can be relied on.
//!
//! # The fault model
//!
//! - *Content* that was not synced may be lost, kept, or torn: of each write, every sector of 512
//!   bytes has either reached the disk or not, whatever happened to the others and to later writes.
//!   The same goes for cuts.
//! - *Names* that were not synced may or may not be there: each creation, renaming or removal is
//!   done as a whole or not at all, independent of the others. A renaming from one directory to
//!   another is durable once both are synced.
//! - *A stop* comes before or after any operation. From then on every operation fails, as for a
//!   process that is being killed together with its machine; `after_crash` gives the disk that the
//!   next start finds.
//! - *A failure* of an operation leaves a write half done. After a sync that failed, what it was to
//!   make durable may be lost even when a later sync succeeds.
//! - A process that is killed while the machine goes on loses nothing that the system has: that is
//!   the disk with everything kept.

use super::{Entry, EntryKind, File, Storage};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The disk; copies share it.
#[derive(Debug, Clone, Default)]
pub struct Simulated {
    disk: Arc<Mutex<Disk>>,
}

/// What reaches the disk of all that was not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsynced {
    Lost,
    Kept,
    /// A choice that this number stands for.
    Torn(u64),
}

#[derive(Debug, Default)]
struct Disk {
    inodes: Vec<Inode>,
    names: BTreeMap<PathBuf, Node>,
    durable_names: BTreeMap<PathBuf, Node>,
    unsynced_names: Vec<Change>,
    operations: u64,
    stop_before: Option<u64>,
    fault: Option<Fault>,
}

#[derive(Debug, Clone, Copy)]
struct Fault {
    at: u64,
    /// Whether all operations from then on fail, too.
    lasting: bool,
    error: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Directory,
    File(usize),
}

/// A change of names, and the directories that have not been synced since.
#[derive(Debug, Clone)]
struct Change {
    kind: ChangeKind,
    unsynced: Vec<PathBuf>,
}

#[derive(Debug, Clone)]
enum ChangeKind {
    Put(PathBuf, Node),
    Remove(PathBuf),
    Rename(PathBuf, PathBuf),
}

#[derive(Debug, Default, Clone)]
struct Inode {
    content: Vec<u8>,
    durable: Vec<u8>,
    unsynced: Vec<Edit>,
    /// A sync has failed: what was written before it may be lost, and nobody will say so again.
    doubtful: bool,
}

#[derive(Debug, Clone)]
enum Edit {
    Write { offset: usize, bytes: Vec<u8> },
    Resize(usize),
}

const SECTOR: usize = 512;

impl Simulated {
    pub fn new() -> Simulated {
        let disk = Simulated::default();
        disk.lock().names.insert(PathBuf::from("/"), Node::Directory);
        disk.lock().durable_names.insert(PathBuf::from("/"), Node::Directory);
        disk
    }

    /// How many operations there have been.
    pub fn operations(&self) -> u64 {
        self.lock().operations
    }

    /// Lets the machine stop before this operation; the first one is 0.
    pub fn stop_before(&self, operation: u64) {
        self.lock().stop_before = Some(operation);
    }

    /// Whether the machine has stopped.
    pub fn has_stopped(&self) -> bool {
        let disk = self.lock();
        disk.stop_before.is_some_and(|at| disk.operations >= at)
    }

    /// Lets one operation, or all from then on, fail with this error number.
    pub fn fail_at(&self, operation: u64, error: i32, lasting: bool) {
        self.lock().fault = Some(Fault { at: operation, lasting, error });
    }

    /// Lets operations succeed again.
    pub fn heal(&self) {
        self.lock().fault = None;
    }

    /// The disk that the next start finds.
    pub fn after_crash(&self, unsynced: Unsynced) -> Simulated {
        let disk = self.lock();
        let mut chance = Chance::new(unsynced);
        let mut inodes = Vec::new();
        for inode in &disk.inodes {
            let content = inode.after_crash(&mut chance);
            inodes.push(Inode { durable: content.clone(), content, ..Inode::default() });
        }
        let mut names = disk.durable_names.clone();
        for change in &disk.unsynced_names {
            if chance.happens() {
                apply(&mut names, &change.kind);
            }
        }
        let reachable = |path: &Path| path.ancestors().all(|above| names.contains_key(above));
        let names: BTreeMap<_, _> =
            names.iter().filter(|(path, _)| reachable(path)).map(|(path, node)| (path.clone(), *node)).collect();
        let found = Disk { inodes, durable_names: names.clone(), names, ..Disk::default() };
        Simulated { disk: Arc::new(Mutex::new(found)) }
    }

    /// Changes one byte of a file behind everybody's back.
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

    /// The bytes in all files that have a name, to see that the disk does not fill up.
    pub fn used_bytes(&self) -> u64 {
        let disk = self.lock();
        let size = |node: &Node| match node {
            Node::File(inode) => disk.inodes[*inode].content.len() as u64,
            Node::Directory => 0,
        };
        disk.names.values().map(size).sum()
    }

    fn lock(&self) -> MutexGuard<'_, Disk> {
        // A panic elsewhere leaves the disk as it was, as with a real one.
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an operation, which may be one that fails.
    fn operate(&self) -> io::Result<MutexGuard<'_, Disk>> {
        let mut disk = self.lock();
        disk.operate()?;
        Ok(disk)
    }
}

impl Disk {
    fn operate(&mut self) -> io::Result<()> {
        if self.stop_before.is_some_and(|at| self.operations >= at) {
            return Err(io::Error::other("the machine has stopped"));
        }
        let operation = self.operations;
        self.operations += 1;
        match self.fault {
            Some(fault) if operation == fault.at || (fault.lasting && operation > fault.at) => {
                Err(io::Error::from_raw_os_error(fault.error))
            }
            _ => Ok(()),
        }
    }

    fn change(&mut self, kind: ChangeKind) {
        let directories = match &kind {
            ChangeKind::Put(path, _) | ChangeKind::Remove(path) => vec![parent(path)],
            ChangeKind::Rename(from, to) if parent(from) == parent(to) => vec![parent(to)],
            ChangeKind::Rename(from, to) => vec![parent(from), parent(to)],
        };
        apply(&mut self.names, &kind);
        self.unsynced_names.push(Change { kind, unsynced: directories });
    }

    fn file(&self, path: &Path) -> io::Result<usize> {
        match self.names.get(path) {
            Some(Node::File(inode)) => Ok(*inode),
            Some(Node::Directory) => Err(ErrorKind::IsADirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn directory(&self, path: &Path) -> io::Result<()> {
        match self.names.get(path) {
            Some(Node::Directory) => Ok(()),
            Some(Node::File(_)) => Err(ErrorKind::NotADirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn describe(&self, path: &Path, node: Node) -> Entry {
        let (kind, size_bytes) = match node {
            Node::Directory => (EntryKind::Directory, 0),
            Node::File(inode) => (EntryKind::File, self.inodes[inode].content.len() as u64),
        };
        let name = path.file_name().unwrap_or_default().to_owned();
        let links = self.names.values().filter(|other| **other == node && node != Node::Directory).count().max(1) as u64;
        Entry { name, kind, size_bytes, links, modified: None }
    }
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("/")).to_owned()
}

fn apply(names: &mut BTreeMap<PathBuf, Node>, change: &ChangeKind) {
    match change {
        ChangeKind::Put(path, node) => {
            names.insert(path.clone(), *node);
        }
        ChangeKind::Remove(path) => {
            names.remove(path);
        }
        ChangeKind::Rename(from, to) => {
            // When what it renames never got there, neither does the renaming.
            if let Some(node) = names.remove(from) {
                names.insert(to.clone(), node);
            }
        }
    }
}

impl Inode {
    fn edit(&mut self, edit: Edit) {
        apply_edit(&mut self.content, &edit);
        self.unsynced.push(edit);
    }

    fn after_crash(&self, chance: &mut Chance) -> Vec<u8> {
        let mut content = self.durable.clone();
        for edit in &self.unsynced {
            match edit {
                Edit::Resize(_) => {
                    if chance.happens() {
                        apply_edit(&mut content, edit);
                    }
                }
                Edit::Write { offset, bytes } => {
                    for (number, sector) in bytes.chunks(SECTOR).enumerate() {
                        if chance.happens() {
                            let offset = offset + number * SECTOR;
                            apply_edit(&mut content, &Edit::Write { offset, bytes: sector.to_vec() });
                        }
                    }
                }
            }
        }
        content
    }
}

fn apply_edit(content: &mut Vec<u8>, edit: &Edit) {
    match edit {
        Edit::Resize(size) => content.resize(*size, 0),
        Edit::Write { offset, bytes } => {
            let end = offset + bytes.len();
            if content.len() < end {
                content.resize(end, 0);
            }
            content[*offset..end].copy_from_slice(bytes);
        }
    }
}

/// Decides what reaches the disk.
struct Chance {
    unsynced: Unsynced,
    state: u64,
}

impl Chance {
    fn new(unsynced: Unsynced) -> Chance {
        let state = match unsynced {
            Unsynced::Torn(seed) => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            _ => 0,
        };
        Chance { unsynced, state }
    }

    fn happens(&mut self) -> bool {
        match self.unsynced {
            Unsynced::Lost => false,
            Unsynced::Kept => true,
            Unsynced::Torn(_) => {
                self.state ^= self.state << 13;
                self.state ^= self.state >> 7;
                self.state ^= self.state << 17;
                self.state & (1 << 20) != 0
            }
        }
    }
}

impl Storage for Simulated {
    fn share(&self) -> Arc<dyn Storage> {
        Arc::new(self.clone())
    }

    fn open_for_writing(&self, path: &Path) -> io::Result<Box<dyn File>> {
        let mut disk = self.operate()?;
        let inode = match disk.file(path) {
            Ok(inode) => inode,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                disk.directory(&parent(path))?;
                disk.inodes.push(Inode::default());
                let inode = disk.inodes.len() - 1;
                disk.change(ChangeKind::Put(path.to_owned(), Node::File(inode)));
                inode
            }
            Err(error) => return Err(error),
        };
        Ok(Box::new(SimulatedFile { storage: self.clone(), inode }))
    }

    fn open_for_reading(&self, path: &Path) -> io::Result<Box<dyn File>> {
        let inode = self.operate()?.file(path)?;
        Ok(Box::new(SimulatedFile { storage: self.clone(), inode }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        disk.file(from)?;
        disk.directory(&parent(to))?;
        disk.change(ChangeKind::Rename(from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        let inode = disk.file(from)?;
        if disk.names.contains_key(to) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        disk.directory(&parent(to))?;
        disk.change(ChangeKind::Put(to.to_owned(), Node::File(inode)));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        disk.file(path)?;
        disk.change(ChangeKind::Remove(path.to_owned()));
        Ok(())
    }

    fn create_dir(&self, path: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        if disk.names.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        disk.directory(&parent(path))?;
        disk.change(ChangeKind::Put(path.to_owned(), Node::Directory));
        Ok(())
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let mut disk = self.operate()?;
        disk.directory(path)?;
        if disk.names.keys().any(|name| name.parent() == Some(path)) {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        disk.change(ChangeKind::Remove(path.to_owned()));
        Ok(())
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let mut guard = self.operate()?;
        let disk = &mut *guard;
        disk.directory(path)?;
        for change in &mut disk.unsynced_names {
            change.unsynced.retain(|directory| directory != path);
            if change.unsynced.is_empty() {
                apply(&mut disk.durable_names, &change.kind);
            }
        }
        disk.unsynced_names.retain(|change| !change.unsynced.is_empty());
        Ok(())
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
        let result = disk.operate();
        // A write that fails has got some way; but a machine that has stopped does nothing.
        let done = match &result {
            Ok(()) => bytes.len(),
            Err(error) if error.raw_os_error().is_some() => bytes.len() / 2,
            Err(_) => 0,
        };
        let edit = Edit::Write { offset: offset as usize, bytes: bytes[..done].to_vec() };
        disk.inodes[self.inode].edit(edit);
        result
    }

    fn sync(&self) -> io::Result<()> {
        let mut disk = self.storage.lock();
        let result = disk.operate();
        let inode = &mut disk.inodes[self.inode];
        match &result {
            Ok(()) if !inode.doubtful => {
                inode.durable = inode.content.clone();
                inode.unsynced.clear();
            }
            Ok(()) => {}
            Err(_) => inode.doubtful = true,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        Path::new("/").join(name)
    }

    #[test]
    fn what_was_synced_is_there_and_the_rest_may_be() {
        let disk = Simulated::new();
        let file = disk.open_for_writing(&path("a")).unwrap();
        file.write_at(0, b"old").unwrap();
        file.sync().unwrap();
        disk.sync_dir(Path::new("/")).unwrap();
        file.write_at(0, b"new").unwrap();
        disk.rename(&path("a"), &path("b")).unwrap();

        let lost = disk.after_crash(Unsynced::Lost);
        assert_eq!(content(&lost, "a").as_deref(), Some(&b"old"[..]));
        assert_eq!(content(&lost, "b"), None);
        let kept = disk.after_crash(Unsynced::Kept);
        assert_eq!(content(&kept, "b").as_deref(), Some(&b"new"[..]));
        assert_eq!(content(&kept, "a"), None);
    }

    #[test]
    fn a_stop_lets_nothing_happen_any_more() {
        let disk = Simulated::new();
        let file = disk.open_for_writing(&path("a")).unwrap();
        disk.stop_before(2);
        file.write_at(0, b"x").unwrap();
        assert!(file.sync().is_err() && disk.has_stopped());
        assert!(disk.list(Path::new("/")).is_err());
        assert_eq!(content(&disk.after_crash(Unsynced::Lost), "a"), None);
    }

    #[test]
    fn a_failed_sync_is_not_mended_by_another() {
        let disk = Simulated::new();
        let file = disk.open_for_writing(&path("a")).unwrap();
        disk.sync_dir(Path::new("/")).unwrap();
        file.write_at(0, b"x").unwrap();
        disk.fail_at(disk.operations(), libc::EIO, false);
        assert_eq!(file.sync().unwrap_err().raw_os_error(), Some(libc::EIO));
        file.sync().unwrap();
        assert_eq!(content(&disk.after_crash(Unsynced::Lost), "a").as_deref(), Some(&b""[..]));
    }

    #[test]
    fn a_name_needs_both_its_directories() {
        let disk = Simulated::new();
        disk.create_dir(&path("d")).unwrap();
        disk.open_for_writing(&path("a")).unwrap();
        disk.sync_dir(Path::new("/")).unwrap();
        disk.rename(&path("a"), &path("d/a")).unwrap();
        disk.sync_dir(&path("d")).unwrap();
        assert!(content(&disk.after_crash(Unsynced::Lost), "a").is_some());
        disk.sync_dir(Path::new("/")).unwrap();
        assert!(content(&disk.after_crash(Unsynced::Lost), "d/a").is_some());
    }

    fn content(disk: &Simulated, name: &str) -> Option<Vec<u8>> {
        let file = disk.open_for_reading(&path(name)).ok()?;
        let mut content = vec![0; file.size_bytes().ok()? as usize];
        file.read_at(0, &mut content).ok()?;
        Some(content)
    }
}
