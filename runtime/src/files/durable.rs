//! What of a file's content is on the disk.
//!
//! In: at each checkpoint, what the file is. Out: what a thread has to sync before a state file relies on it. Holds
//! afterwards: a content counts as durable only when it was synced. It is synced through a description of our own, which
//! stays open as long as the program's: to close it would end the program's locks.
//!
//! A sync that has failed is never trusted again. Linux reports a failed write-back once and takes the pages for clean, so
//! the next sync succeeds although the content is lost. From then on no state is written that needs the file.

use super::error::FileError;
use super::place::{leads_to, sync_names, Identity};
use crate::storage::descriptor::{are_scarce, Own};
use std::collections::HashSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What changes with a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp(u64, i64, i64);

impl Stamp {
    pub fn of(metadata: &Metadata) -> Stamp {
        Stamp(metadata.len(), metadata.mtime(), metadata.mtime_nsec())
    }

    /// Whether the next change gives another stamp. Some file systems count their times in steps of two seconds.
    fn is_settled(self) -> bool {
        const STEP: Duration = Duration::from_secs(2);
        let changed = UNIX_EPOCH + Duration::from_secs(u64::try_from(self.1).unwrap_or(0));
        SystemTime::now().duration_since(changed).is_ok_and(|age| age > STEP)
    }
}

/// What is known of one file.
#[derive(Debug, Default)]
pub struct Durable {
    known: Arc<Mutex<Known>>,
    own: Option<Arc<Own>>,
}

#[derive(Debug, Default)]
struct Known {
    synced: Option<Stamp>,
    /// The content cannot have changed without another stamp.
    is_settled: bool,
    /// Why a sync has failed.
    lost: Option<String>,
}

/// Content that has to be on the disk before a state file is published that relies on it.
#[derive(Debug, Clone)]
pub struct Unsynced {
    path: PathBuf,
    identity: Identity,
    /// None when it has to be opened for the sync: files that the program has closed may be many.
    file: Option<Arc<Own>>,
    is_closed: bool,
    /// The file's name may not be on the disk yet.
    is_new: bool,
    stamp: Stamp,
    is_settled: bool,
    known: Arc<Mutex<Known>>,
}

impl Unsynced {
    /// Blocks until all of it is on the disk, each directory once for all new names in it.
    pub fn sync_all(all: &[Unsynced]) -> Result<(), FileError> {
        all.iter().try_for_each(Unsynced::sync)?;
        let mut done = HashSet::new();
        for new in all.iter().filter(|unsynced| unsynced.is_new) {
            if done.insert(new.path.parent()) {
                sync_names(&new.path).inspect_err(|error| lose(&new.known, error))?;
            }
        }
        for unsynced in all {
            let mut known = lock(&unsynced.known);
            (known.synced, known.is_settled) = (Some(unsynced.stamp), unsynced.is_settled);
        }
        Ok(())
    }

    fn sync(&self) -> Result<(), FileError> {
        let is_there = leads_to(&self.path, self.identity);
        if self.is_closed && !is_there {
            // The program has removed or replaced it since.
            return Ok(());
        }
        if let Some(lost) = lost(&self.known, &self.path) {
            return Err(lost);
        }
        let failed = FileError::failed("cannot sync", &self.path);
        let synced = match &self.file {
            Some(file) => file.sync_data(),
            None => match open(&self.path, self.identity) {
                Ok(file) => file.sync_data(),
                // It may not be opened any more, by whatever way: all of its file system is synced.
                Err(error) if error.raw_os_error() == Some(libc::EACCES) => sync_file_system(&self.path),
                // That it cannot be opened now says nothing of its content.
                Err(error) => return Err(failed(error)),
            },
        };
        synced.map_err(failed).inspect_err(|error| lose(&self.known, error))
    }

    /// Whether the program had it open.
    pub fn is_open(&self) -> bool {
        !self.is_closed
    }

    /// Whether it has to be done by a later dump, should this one not come to it.
    pub fn is_owed(&self) -> bool {
        self.is_closed && lock(&self.known).synced != Some(self.stamp)
    }
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A sync has failed. What only means that no descriptor was to be had is no failure of the disk.
fn lose(known: &Mutex<Known>, error: &FileError) {
    const NO_DESCRIPTOR: [i32; 5] = [libc::EBADF, libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::ENOENT];
    let (FileError::Failed { source, .. } | FileError::Handle { source, .. }) = error else { return };
    if !source.raw_os_error().is_some_and(|code| NO_DESCRIPTOR.contains(&code)) {
        lock(known).lost.get_or_insert_with(|| source.to_string());
    }
}

fn lost(known: &Mutex<Known>, path: &Path) -> Option<FileError> {
    let reason = lock(known).lost.clone()?;
    Some(FileError::Lost { path: path.to_owned(), reason })
}

/// Opens the file if it still has its name.
fn open(path: &Path, identity: Identity) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    if Identity::of(&file.metadata()?) == identity { Ok(file) } else { Err(io::Error::from_raw_os_error(libc::ESTALE)) }
}

#[cfg(target_os = "linux")]
fn sync_file_system(path: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let directory = File::open(path.parent().unwrap_or(path))?;
    // SAFETY: the directory is open during the call, which takes nothing else.
    if unsafe { libc::syncfs(directory.as_raw_fd()) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(_: &Path) -> io::Result<()> {
    Err(io::Error::from_raw_os_error(libc::EACCES))
}

impl Durable {
    pub fn reached(&self, stamp: Stamp) {
        let mut known = lock(&self.known);
        (known.synced, known.is_settled) = (Some(stamp), stamp.is_settled());
    }

    /// A sync through the program's own descriptor has failed.
    pub fn lose(&self, error: &FileError) {
        lose(&self.known, error);
    }

    /// Why the content is not known to be on the disk, and never will be.
    pub fn check(&self, path: &Path) -> Result<(), FileError> {
        lost(&self.known, path).map_or(Ok(()), Err)
    }

    fn is_synced(&self, stamp: Stamp) -> bool {
        let known = lock(&self.known);
        known.synced == Some(stamp) && known.is_settled
    }

    /// What there is to sync of a file that is open; an error when the program's own descriptor has to do.
    pub fn owed(&mut self, path: &Path, identity: Identity, stamp: Stamp) -> io::Result<Option<Unsynced>> {
        if self.is_synced(stamp) {
            return Ok(None);
        }
        // The program may have closed our descriptor with all others.
        let own = self.own.take().filter(|own| own.is_open());
        let file = match own {
            Some(file) => file,
            None => open_own(path, identity)?,
        };
        self.own = Some(Arc::clone(&file));
        Ok(Some(self.unsynced(path, identity, stamp, Some(file), false)))
    }

    /// What there is to sync of a file that the program has closed.
    pub fn closed(&mut self, path: &Path, identity: Identity, stamp: Stamp) -> Option<Unsynced> {
        let own = self.own.take().filter(|own| own.is_open());
        (!self.is_synced(stamp)).then(|| self.unsynced(path, identity, stamp, own, true))
    }

    fn unsynced(&self, path: &Path, identity: Identity, stamp: Stamp, file: Option<Arc<Own>>, is_closed: bool) -> Unsynced {
        let (known, is_new) = (Arc::clone(&self.known), lock(&self.known).synced.is_none());
        Unsynced { path: path.to_owned(), identity, file, is_closed, is_new, stamp, is_settled: stamp.is_settled(), known }
    }
}

/// A description of our own, unless the program needs the descriptors.
fn open_own(path: &Path, identity: Identity) -> io::Result<Arc<Own>> {
    // Asked before the file is opened: to close it would end the program's locks.
    if are_scarce() {
        return Err(io::Error::from_raw_os_error(libc::EMFILE));
    }
    Ok(Arc::new(Own::new(open(path, identity)?)?))
}
