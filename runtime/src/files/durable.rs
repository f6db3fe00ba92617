//! Whether the content of a file is on the disk.
//!
//! Input: at each checkpoint, the state of the file.
//! Output: what a thread has to sync before a state file depends on it.
//! Postcondition: content counts as durable only after a sync. The sync uses an open file description of the
//! runtime, which is opened at the first checkpoint and stays open as long as the program's. It is in the
//! descriptor table of the runtime: opening it takes no number of the program, and closing it does not release
//! the program's locks. If the system provides no such table, the descriptor of the program is used.
//!
//! A sync that has failed is never trusted again. Linux reports a failed write-back once and then treats the
//! pages as clean, so the next sync succeeds although the content is lost. From then on no state file that
//! needs the file is written.

use super::error::FileError;
use super::path::{is_file_at, sync_names, Identity};
use crate::storage::descriptor::OwnDescriptor;
use crate::threads::own_table::call;
use std::collections::HashSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Length and time of modification, which change with the content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentStamp(u64, i64, i64);

impl ContentStamp {
    pub fn of(metadata: &Metadata) -> ContentStamp {
        ContentStamp(metadata.len(), metadata.mtime(), metadata.mtime_nsec())
    }

    pub fn length_bytes(self) -> u64 {
        self.0
    }

    /// Whether the next change gives another stamp. Some file systems store times in steps of two seconds.
    pub fn is_settled(self) -> bool {
        const STEP: Duration = Duration::from_secs(2);
        let changed = UNIX_EPOCH + Duration::from_secs(u64::try_from(self.1).unwrap_or(0));
        SystemTime::now().duration_since(changed).is_ok_and(|age| age > STEP)
    }
}

/// The durability of one file.
#[derive(Debug, Default)]
pub struct Durability {
    known: Arc<Mutex<SyncState>>,
    own: Option<Arc<OwnDescriptor>>,
}

#[derive(Debug, Default)]
struct SyncState {
    synced: Option<ContentStamp>,
    /// The content cannot have changed without a different stamp.
    is_settled: bool,
    /// The error of a failed sync.
    lost: Option<String>,
}

/// Content that has to be on the disk before a state file that depends on it is published.
#[derive(Debug, Clone)]
pub struct UnsyncedFile {
    path: PathBuf,
    identity: Identity,
    /// `None` if it has to be opened for the sync: the program may have closed many files.
    file: Option<Arc<OwnDescriptor>>,
    is_closed: bool,
    /// The file's name may not be on the disk yet.
    is_new: bool,
    stamp: ContentStamp,
    is_settled: bool,
    known: Arc<Mutex<SyncState>>,
}

impl UnsyncedFile {
    /// Blocks until all of it is on the disk. Syncs each directory once for all new names in it.
    pub fn sync_all(all: &[UnsyncedFile]) -> Result<(), FileError> {
        all.iter().try_for_each(UnsyncedFile::sync)?;
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
        let is_there = is_file_at(&self.path, self.identity)?;
        if self.is_closed && !is_there {
            // The program has removed or replaced it since.
            return Ok(());
        }
        if let Some(lost) = lost(&self.known, &self.path) {
            return Err(lost);
        }
        let failed = FileError::failed("cannot sync", &self.path);
        let synced = match &self.file {
            Some(file) => file.sync(),
            None => match open(&self.path, self.identity) {
                Ok(file) => file.sync_data(),
                // Its permissions no longer allow opening it, so its whole file system is synced.
                Err(error) if error.raw_os_error() == Some(libc::EACCES) => sync_file_system(&self.path),
                // This error does not show that content was lost.
                Err(error) => return Err(failed(error)),
            },
        };
        synced.map_err(failed).inspect_err(|error| lose(&self.known, error))
    }

    /// Whether the program had it open.
    pub fn is_open(&self) -> bool {
        !self.is_closed
    }

    /// Whether a later dump has to sync it if this one does not.
    pub fn is_owed(&self) -> bool {
        self.is_closed && lock(&self.known).synced != Some(self.stamp)
    }
}

fn lock(known: &Mutex<SyncState>) -> MutexGuard<'_, SyncState> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records a failed sync. An error that only means that no descriptor was available is not a failure of the
/// disk.
fn lose(known: &Mutex<SyncState>, error: &FileError) {
    const NO_DESCRIPTOR: [i32; 5] = [libc::EBADF, libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::ENOENT];
    let (FileError::Failed { source, .. } | FileError::Handle { source, .. }) = error else { return };
    if !source.raw_os_error().is_some_and(|code| NO_DESCRIPTOR.contains(&code)) {
        lock(known).lost.get_or_insert_with(|| source.to_string());
    }
}

fn lost(known: &Mutex<SyncState>, path: &Path) -> Option<FileError> {
    let reason = lock(known).lost.clone()?;
    Some(FileError::Lost { path: path.to_owned(), reason })
}

/// Opens the file if it still has its name.
fn open(path: &Path, identity: Identity) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    if Identity::of(&file.metadata()?) == identity {
        Ok(file)
    } else {
        Err(io::Error::from_raw_os_error(libc::ESTALE))
    }
}

#[cfg(target_os = "linux")]
fn sync_file_system(path: &Path) -> io::Result<()> {
    let directory = File::open(path.parent().unwrap_or(path))?;
    Ok(rustix::fs::syncfs(directory)?)
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(_: &Path) -> io::Result<()> {
    Err(io::Error::from_raw_os_error(libc::EACCES))
}

impl Durability {
    pub fn reached(&self, stamp: ContentStamp) {
        let mut known = lock(&self.known);
        (known.synced, known.is_settled) = (Some(stamp), stamp.is_settled());
    }

    /// Records that a sync through the program's own descriptor has failed.
    pub fn lose(&self, error: &FileError) {
        lose(&self.known, error);
    }

    /// Fails if the content is not known to be on the disk and never will be.
    pub fn check(&self, path: &Path) -> Result<(), FileError> {
        lost(&self.known, path).map_or(Ok(()), Err)
    }

    fn is_synced(&self, stamp: ContentStamp) -> bool {
        let known = lock(&self.known);
        known.synced == Some(stamp) && known.is_settled
    }

    /// What has to be synced of a file that is open. An error means that the program's own descriptor has to
    /// be used.
    pub fn unsynced_open(
        &mut self,
        path: &Path,
        identity: Identity,
        stamp: ContentStamp,
    ) -> io::Result<Option<UnsyncedFile>> {
        if self.is_synced(stamp) {
            return Ok(None);
        }
        // The program may have closed the descriptor of the runtime together with all others.
        let own = self.own.take().filter(|own| own.is_open());
        let file = match own {
            Some(file) => file,
            None => open_own(path, identity)?,
        };
        self.own = Some(Arc::clone(&file));
        Ok(Some(self.unsynced(path, identity, stamp, Some(file), false)))
    }

    /// What has to be synced of a file that the program has closed.
    pub fn unsynced_closed(
        &mut self,
        path: &Path,
        identity: Identity,
        stamp: ContentStamp,
    ) -> Option<UnsyncedFile> {
        let own = self.own.take().filter(|own| own.is_open());
        (!self.is_synced(stamp)).then(|| self.unsynced(path, identity, stamp, own, true))
    }

    fn unsynced(
        &self,
        path: &Path,
        identity: Identity,
        stamp: ContentStamp,
        file: Option<Arc<OwnDescriptor>>,
        is_closed: bool,
    ) -> UnsyncedFile {
        let (known, is_new) = (Arc::clone(&self.known), lock(&self.known).synced.is_none());
        UnsyncedFile {
            path: path.to_owned(),
            identity,
            file,
            is_closed,
            is_new,
            stamp,
            is_settled: stamp.is_settled(),
            known,
        }
    }
}

/// Opens a description of the runtime. In the table of the program, opening and closing it would release the
/// program's locks on the file.
fn open_own(path: &Path, identity: Identity) -> io::Result<Arc<OwnDescriptor>> {
    let path = path.to_owned();
    call(move || Ok(Arc::new(OwnDescriptor::new(open(&path, identity)?)?)))?
}
