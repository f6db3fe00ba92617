//! What of a file's content is on the disk.
//!
//! In: at each checkpoint, what the file is. Out: what a thread has to sync before a state file relies on it. Holds
//! afterwards: a content counts as durable only when it was synced. It is synced through a description of our own, which
//! stays open as long as the program's: to close it would end the program's locks.

use super::error::FileError;
use super::place::{leads_to, sync_names, Identity};
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
#[derive(Debug)]
pub struct Unsynced {
    path: PathBuf,
    file: Arc<File>,
    /// The file's name may not be on the disk yet.
    is_new: bool,
    stamp: Stamp,
    synced: Arc<Mutex<Option<Stamp>>>,
}

impl Unsynced {
    /// Blocks until it is on the disk.
    pub fn sync(&self) -> Result<(), FileError> {
        self.file.sync_data().map_err(FileError::failed("cannot sync", &self.path))?;
        if self.is_new {
            sync_names(&self.path)?;
        }
        set(&self.synced, self.stamp);
        Ok(())
    }
}

fn set(synced: &Mutex<Option<Stamp>>, stamp: Stamp) {
    *synced.lock().unwrap_or_else(PoisonError::into_inner) = Some(stamp);
}

impl Durable {
    fn synced(&self) -> Option<Stamp> {
        *self.synced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn reached(&self, stamp: Stamp) {
        set(&self.synced, stamp);
    }

    /// What there is to sync of a file that is open; an error when the program's own descriptor has to do.
    pub fn owed(&mut self, path: &Path, identity: Identity, stamp: Stamp) -> io::Result<Option<Unsynced>> {
        let synced = self.synced();
        if synced == Some(stamp) {
            return Ok(None);
        }
        let file = match &self.own {
            Some(file) => Arc::clone(file),
            None => {
                let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
                let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
                if !leads_to(path, identity) || Identity::of(&file.metadata()?) != identity {
                    return Err(io::Error::from_raw_os_error(libc::ESTALE));
                }
                let file = Arc::new(file);
                self.own = Some(Arc::clone(&file));
                file
            }
        };
        let (path, is_new, synced) = (path.to_owned(), synced.is_none(), Arc::clone(&self.synced));
        Ok(Some(Unsynced { path, file, is_new, stamp, synced }))
    }

    /// The program has closed the file: what is not on the disk yet is brought there at once.
    pub fn close(&mut self, path: &Path, stamp: Stamp) {
        self.own = None;
        if self.synced() != Some(stamp) {
            // One that cannot be opened any more is as durable as its owner wanted it.
            let _ = File::open(path).and_then(|file| file.sync_data());
            self.reached(stamp);
        }
    }
}
