//! The content of a simulated disk: files, names, and which of them are durable.
//!
//! Input: changes of files and names, and syncs.
//! Output: the disk as processes see it, and the disk after a loss of power.
//! Postcondition: the changes of names keep their order, whichever of them survive.

use super::{Entry, EntryKind, Unsynced};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
pub(super) struct Disk {
    pub inodes: Vec<Inode>,
    pub names: BTreeMap<PathBuf, Node>,
    pub durable_names: BTreeMap<PathBuf, Node>,
    /// Changes of names in order, from the first one that is not durable on.
    pub changes: Vec<Change>,
    pub operations: u64,
    pub stop_before: Option<u64>,
    pub faults: Vec<Fault>,
    /// The capacity in bytes.
    pub capacity_bytes: Option<u64>,
    /// The error of a write that exceeds the capacity.
    pub full: i32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    pub at: u64,
    /// Whether all later operations fail too.
    pub lasting: bool,
    pub error: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    Directory,
    File(usize),
    /// A pipe, a link, a device.
    Other,
}

/// A change of names: the removed name and the new name.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub removed: Option<(PathBuf, Node)>,
    pub put: Option<(PathBuf, Node)>,
    /// The directories that have not been synced since.
    unsynced: Vec<PathBuf>,
    /// A sync has failed: no later sync proves that the change is on the disk.
    doubtful: bool,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Inode {
    pub content: Vec<u8>,
    pub durable: Vec<u8>,
    unsynced: Vec<Edit>,
    /// A sync has failed: what was written before it may be lost, and no later error reports that.
    doubtful: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Edit {
    Write { offset: usize, bytes: Vec<u8> },
    Resize(usize),
}

const SECTOR: usize = 512;

impl Disk {
    pub fn operate(&mut self) -> io::Result<()> {
        if self.stop_before.is_some_and(|at| self.operations >= at) {
            return Err(io::Error::other("the machine has stopped"));
        }
        let operation = self.operations;
        self.operations += 1;
        let fault =
            self.faults.iter().find(|fault| operation == fault.at || (fault.lasting && operation > fault.at));
        fault.map_or(Ok(()), |fault| Err(io::Error::from_raw_os_error(fault.error)))
    }

    /// Creates an empty file under a free name.
    pub fn create(&mut self, path: &Path) -> io::Result<usize> {
        self.directory(&parent(path))?;
        self.inodes.push(Inode::default());
        let inode = self.inodes.len() - 1;
        self.put(path, Node::File(inode));
        Ok(inode)
    }

    pub fn put(&mut self, path: &Path, node: Node) {
        self.change(None, Some((path.to_owned(), node)));
    }

    pub fn remove(&mut self, path: &Path, node: Node) {
        self.change(Some((path.to_owned(), node)), None);
    }

    pub fn rename(&mut self, from: &Path, to: &Path, node: Node) {
        self.change(Some((from.to_owned(), node)), Some((to.to_owned(), node)));
    }

    fn change(&mut self, removed: Option<(PathBuf, Node)>, put: Option<(PathBuf, Node)>) {
        let mut unsynced: Vec<PathBuf> =
            [&removed, &put].into_iter().flatten().map(|(path, _)| parent(path)).collect();
        unsynced.dedup();
        let change = Change { removed, put, unsynced, doubtful: false };
        change.apply(&mut self.names);
        self.changes.push(change);
    }

    pub fn sync_dir(&mut self, path: &Path) {
        for change in &mut self.changes {
            change.unsynced.retain(|directory| directory != path);
        }
        let settled = self.changes.iter().take_while(|change| change.is_durable()).count();
        for change in self.changes.drain(..settled) {
            change.apply(&mut self.durable_names);
        }
    }

    /// Records that the sync of this directory has failed.
    pub fn doubt(&mut self, path: &Path) {
        let concerned = self
            .changes
            .iter_mut()
            .filter(|change| change.unsynced.iter().any(|directory| directory == path));
        concerned.for_each(|change| change.doubtful = true);
    }

    /// Makes the next sync of a directory count for all changes in it.
    pub fn trust_names(&mut self) {
        self.changes.iter_mut().for_each(|change| change.doubtful = false);
    }

    /// The disk after a loss of power.
    pub fn after_power_loss(&self, unsynced: Unsynced) -> Disk {
        let mut chance = Chance::new(unsynced);
        let mut inodes = Vec::new();
        for inode in &self.inodes {
            let content = inode.after_power_loss(&mut chance);
            inodes.push(Inode { durable: content.clone(), content, ..Inode::default() });
        }
        let mut names = self.durable_names.clone();
        for change in &self.changes {
            if change.is_durable() || chance.happens() {
                change.apply(&mut names);
            }
        }
        let reachable = |path: &Path| path.ancestors().all(|above| names.contains_key(above));
        let names: BTreeMap<_, _> = names
            .iter()
            .filter(|(path, _)| reachable(path))
            .map(|(path, node)| (path.clone(), *node))
            .collect();
        Disk {
            inodes,
            durable_names: names.clone(),
            names,
            capacity_bytes: self.capacity_bytes,
            full: self.full,
            ..Disk::default()
        }
    }

    pub fn file(&self, path: &Path) -> io::Result<usize> {
        match self.names.get(path) {
            Some(Node::File(inode)) => Ok(*inode),
            Some(Node::Directory) => Err(ErrorKind::IsADirectory.into()),
            Some(Node::Other) => Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file")),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    pub fn directory(&self, path: &Path) -> io::Result<()> {
        match self.names.get(path) {
            Some(Node::Directory) => Ok(()),
            Some(Node::File(_) | Node::Other) => Err(ErrorKind::NotADirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    pub fn describe(&self, path: &Path, node: Node) -> Entry {
        let (kind, size_bytes) = match node {
            Node::Directory => (EntryKind::Directory, 0),
            Node::File(inode) => (EntryKind::File, self.inodes[inode].content.len() as u64),
            Node::Other => (EntryKind::Other, 0),
        };
        let name = path.file_name().unwrap_or_default().to_owned();
        let links =
            self.names.values().filter(|other| **other == node && node != Node::Directory).count().max(1)
                as u64;
        Entry { name, kind, size_bytes, links, modified: None }
    }

    /// The bytes of all files that have a name.
    pub fn used_bytes(&self) -> u64 {
        let size = |node: &Node| match node {
            Node::File(inode) => self.inodes[*inode].content.len() as u64,
            Node::Directory | Node::Other => 0,
        };
        self.names.values().map(size).sum()
    }

    /// How many of these bytes a write stores before the disk is full.
    pub fn room_for(&self, inode: usize, offset: usize, length: usize) -> usize {
        let Some(capacity) = self.capacity_bytes else { return length };
        let size = self.inodes[inode].content.len();
        let free = capacity.saturating_sub(self.used_bytes()) as usize;
        length.min((size + free).saturating_sub(offset))
    }
}

pub(super) fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("/")).to_owned()
}

impl Change {
    fn is_durable(&self) -> bool {
        self.unsynced.is_empty() && !self.doubtful
    }

    /// A name is removed only if it still refers to the same file.
    fn apply(&self, names: &mut BTreeMap<PathBuf, Node>) {
        if let Some((path, node)) = &self.removed {
            if names.get(path) == Some(node) {
                names.remove(path);
            }
        }
        if let Some((path, node)) = &self.put {
            names.insert(path.clone(), *node);
        }
    }
}

impl Inode {
    pub fn edit(&mut self, edit: Edit) {
        edit.apply(&mut self.content);
        self.unsynced.push(edit);
    }

    pub fn sync(&mut self) {
        if !self.doubtful {
            self.durable = self.content.clone();
            self.unsynced.clear();
        }
    }

    /// Records that a sync has failed. What is durable already stays durable.
    pub fn doubt(&mut self) {
        self.doubtful |= !self.unsynced.is_empty();
    }

    fn after_power_loss(&self, chance: &mut Chance) -> Vec<u8> {
        let mut content = self.durable.clone();
        for edit in &self.unsynced {
            match edit {
                Edit::Resize(_) => {
                    if chance.happens() {
                        edit.apply(&mut content);
                    }
                }
                Edit::Write { offset, bytes } => {
                    for (number, sector) in bytes.chunks(SECTOR).enumerate() {
                        if chance.happens() {
                            let offset = offset + number * SECTOR;
                            Edit::Write { offset, bytes: sector.to_vec() }.apply(&mut content);
                        }
                    }
                }
            }
        }
        content
    }
}

impl Edit {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
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
}

/// Decides which changes reach the disk.
struct Chance {
    unsynced: Unsynced,
    state: u64,
}

impl Chance {
    fn new(unsynced: Unsynced) -> Chance {
        let state = match unsynced {
            Unsynced::Torn(seed) => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            Unsynced::Lost | Unsynced::Kept => 0,
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
