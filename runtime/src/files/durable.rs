//! What of a file's content is on the disk.
//!
//! In: at each checkpoint, what the file is. Out: what a thread has to sync before a state file relies on it. Holds
//! afterwards: a content counts as durable only when it was synced. It is synced through a description of our own, which
//! stays open as long as the program's: to close it would end the program's locks.

use super::error::FileError;
use super::place::{leads_to, sync_names, Identity};
use std::collections::HashSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What changes with a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp(u64, i64, i64);

impl Stamp {
    pub fn of(metadata: &Metadata) -> Stamp {
        Stamp(metadata.len(), metadata.mtime(), metadata.mtime_nsec())
    }
}

/// What is known of one file.
#[derive(Debug, Default)]
pub struct Durable {
    synced: Arc<Mutex<Option<Stamp>>>,
    own: Option<Arc<File>>,
}

/// Content that has to be on the disk before a state file is published that relies on it.
#[derive(Debug, Clone)]
pub struct Unsynced {
    path: PathBuf,
    /// None of a file that the program has closed: there may be many.
    file: Option<Arc<File>>,
    /// The file's name may not be on the disk yet.
    is_new: bool,
    stamp: Stamp,
    synced: Arc<Mutex<Option<Stamp>>>,
}

impl Unsynced {
    /// Blocks until all of it is on the disk, each directory once for all new names in it.
    pub fn sync_all(all: &[Unsynced]) -> Result<(), FileError> {
        all.iter().try_for_each(Unsynced::sync)?;
        let mut done = HashSet::new();
        for new in all.iter().filter(|unsynced| unsynced.is_new) {
            if done.insert(new.path.parent()) {
                sync_names(&new.path)?;
            }
        }
        all.iter().for_each(|unsynced| set(&unsynced.synced, unsynced.stamp));
        Ok(())
    }

    fn sync(&self) -> Result<(), FileError> {
        match &self.file {
            Some(file) => file.sync_data().map_err(FileError::failed("cannot sync", &self.path))?,
            // One that cannot be opened any more is as durable as its owner wanted it.
            None => drop(open(&self.path).and_then(|file| file.sync_data())),
        }
        Ok(())
    }

    /// Whether the program had it open.
    pub fn is_open(&self) -> bool {
        self.file.is_some()
    }

    /// Whether it has to be done by a later dump, should this one not come to it.
    pub fn is_owed(&self) -> bool {
        self.file.is_none() && get(&self.synced) != Some(self.stamp)
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

fn get(synced: &Mutex<Option<Stamp>>) -> Option<Stamp> {
    *synced.lock().unwrap_or_else(PoisonError::into_inner)
}

fn set(synced: &Mutex<Option<Stamp>>, stamp: Stamp) {
    *synced.lock().unwrap_or_else(PoisonError::into_inner) = Some(stamp);
}

impl Durable {
    pub fn reached(&self, stamp: Stamp) {
        set(&self.synced, stamp);
    }

    /// What there is to sync of a file that is open; an error when the program's own descriptor has to do.
    pub fn owed(&mut self, path: &Path, identity: Identity, stamp: Stamp) -> io::Result<Option<Unsynced>> {
        let synced = get(&self.synced);
        if synced == Some(stamp) {
            return Ok(None);
        }
        let file = match &self.own {
            Some(file) => Arc::clone(file),
            None => {
                let file = open(path)?;
                if !leads_to(path, identity) || Identity::of(&file.metadata()?) != identity {
                    return Err(io::Error::from_raw_os_error(libc::ESTALE));
                }
                let file = Arc::new(file);
                self.own = Some(Arc::clone(&file));
                file
            }
        };
        let (path, is_new, synced) = (path.to_owned(), synced.is_none(), Arc::clone(&self.synced));
        Ok(Some(Unsynced { path, file: Some(file), is_new, stamp, synced }))
    }

    /// What there is to sync of a file that the program has closed.
    pub fn closed(&mut self, path: &Path, stamp: Stamp) -> Option<Unsynced> {
        self.own = None;
        let synced = get(&self.synced);
        let (path, is_new) = (path.to_owned(), synced.is_none());
        let unsynced = Unsynced { path, file: None, is_new, stamp, synced: Arc::clone(&self.synced) };
        (synced != Some(stamp)).then_some(unsynced)
    }
}
