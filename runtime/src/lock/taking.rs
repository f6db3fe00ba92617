//! Takes a lock, and replaces the locks of processes that no longer exist.
//!
//! Input: a directory, the identity of this process, the system.
//! Output: the lock, or its owner.
//! Postcondition: a lock whose owner may be alive was left alone or restored.

use super::owner::Owner;
use super::system::{ProcessStatus, System};
use crate::storage::{Directory, EntryKind, File};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;
use twox_hash::XxHash3_128;

/// The time that a killed process may take to end.
const ENDING: Duration = Duration::from_secs(3);
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// Larger files were not made by the runtime.
const MOST_BYTES: u64 = 1 << 16;

/// Why a start does not get the lock.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("{0}")]
    Held(Box<LockFile>),
    /// The lock cannot be made.
    #[error(transparent)]
    Storage(#[from] io::Error),
}

/// A lock file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockFile {
    text: String,
    /// `None` if the text does not have the right form.
    pub owner: Option<Owner>,
    is_stopped: bool,
}

/// The lock for which a start waits, and the longest time.
#[derive(Debug)]
pub struct LockWait<'a> {
    pub found: &'a LockFile,
    pub most: Duration,
}

impl fmt::Display for LockFile {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        let Some(owner) = &self.owner else { return text.write_str("an unreadable owner") };
        let stopped = if self.is_stopped { ", which is stopped" } else { "" };
        write!(text, "process {} on host `{}`{stopped}", owner.process, owner.host)
    }
}

/// Takes the lock. Waits for a process that is ending, and for a process on another system until its lease
/// has passed. `waits` is called once for the latter.
pub fn acquire(
    directory: &Directory,
    me: &Owner,
    system: &dyn System,
    waits: &mut dyn FnMut(LockWait),
) -> Result<(), LockError> {
    let mut watched: Option<WatchedLock> = None;
    loop {
        let Some(found) = try_once(directory, me, system)? else { return Ok(()) };
        let now = system.now();
        let is_new = watched.as_ref().is_none_or(|watched| !watched.is_of(&found));
        if is_new {
            let most =
                Duration::from_secs(found.owner.as_ref().map_or(me.lease, |owner| owner.lease.max(me.lease)));
            watched = Some(WatchedLock { found: found.clone(), since: now, most });
        }
        let Some(watch) = &watched else { continue };
        let waited = now.saturating_sub(watch.since);
        match found.owner.as_ref().map_or(ProcessStatus::Unknown, |owner| system.status(owner)) {
            ProcessStatus::Dead if waited < watch.most => {}
            ProcessStatus::Stopped => {
                return Err(LockError::Held(Box::new(LockFile { is_stopped: true, ..found })))
            }
            ProcessStatus::Alive if waited < ENDING => {}
            ProcessStatus::Ending if waited < watch.most => {}
            // If the lock has changed, the owner is alive: see the last arm.
            ProcessStatus::Unknown if found.text == watch.found.text => {
                if is_new {
                    waits(LockWait { found: &found, most: watch.most });
                } else if waited >= watch.most
                    && replace(directory, me, system, &directory.lock(), &found, true)?
                {
                    remove_remains(directory);
                    return Ok(());
                }
            }
            // The process that was about to replace the lock is silent too.
            ProcessStatus::Dead => {
                if replace(directory, me, system, &directory.lock(), &found, true)? {
                    remove_remains(directory);
                    return Ok(());
                }
            }
            ProcessStatus::Alive | ProcessStatus::Ending | ProcessStatus::Unknown => {
                return Err(LockError::Held(Box::new(found)))
            }
        }
        system.wait(BETWEEN_LOOKS);
    }
}

/// A lock, and since when it has not changed.
struct WatchedLock {
    found: LockFile,
    since: Duration,
    most: Duration,
}

impl WatchedLock {
    /// Whether the lock still has the same owner.
    fn is_of(&self, found: &LockFile) -> bool {
        match (&self.found.owner, &found.owner) {
            (Some(before), Some(now)) => before.is_same(now),
            _ => self.found.text == found.text,
        }
    }
}

/// Takes the lock if it is free or if its owner is dead. Otherwise returns the existing lock.
pub(super) fn try_once(
    directory: &Directory,
    me: &Owner,
    system: &dyn System,
) -> io::Result<Option<LockFile>> {
    let mut error = None;
    for _ in 0..100 {
        match create_lock(directory, me) {
            Ok(true) => {
                remove_remains(directory);
                return Ok(None);
            }
            Ok(false) => {}
            // The directory, or the file that was to become the lock, was removed.
            Err(gone) if gone.kind() == ErrorKind::NotFound => error = Some(gone),
            Err(other) => {
                // The lock cannot be made, but another process may have one.
                return match read(directory) {
                    Ok(Some(found)) if is_left(&found, system) => Err(other),
                    Ok(Some(found)) => Ok(Some(found)),
                    _ => Err(other),
                };
            }
        }
        match read(directory)? {
            None => {}
            Some(found) if is_left(&found, system) => {
                if replace(directory, me, system, &directory.lock(), &found, false)? {
                    remove_remains(directory);
                    return Ok(None);
                }
                // Another process is replacing it.
                return Ok(Some(found));
            }
            Some(found) => return Ok(Some(found)),
        }
    }
    Err(error.unwrap_or(ErrorKind::Interrupted.into()))
}

fn is_unknown(found: &LockFile, system: &dyn System) -> bool {
    found.owner.as_ref().is_none_or(|owner| system.status(owner) == ProcessStatus::Unknown)
}

fn is_left(found: &LockFile, system: &dyn System) -> bool {
    found.owner.as_ref().is_some_and(|owner| system.status(owner) == ProcessStatus::Dead)
}

/// Makes the lock. False if there is one.
fn create_lock(directory: &Directory, me: &Owner) -> io::Result<bool> {
    directory.make()?;
    create_at(directory, me, &directory.lock())
}

/// Makes a file of this name with this process as its owner. False if there is one.
fn create_at(directory: &Directory, me: &Owner, path: &Path) -> io::Result<bool> {
    let storage = directory.storage();
    let own = directory.lock_own(me.process);
    let text = me.to_text();
    let written = storage.open_for_writing(&own).and_then(|file| {
        file.truncate(text.len() as u64)?;
        file.write_at(0, text.as_bytes())
    });
    let linked = written.and_then(|()| storage.link(&own, path));
    let placed = match linked {
        Ok(()) => Ok(true),
        // The request may have been sent twice, or its answer may have been lost.
        Err(_) if storage.entry(&own).is_ok_and(|entry| entry.links == 2) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    };
    let _ = storage.remove(&own);
    placed
}

/// The existing lock.
pub(super) fn read(directory: &Directory) -> io::Result<Option<LockFile>> {
    read_at(directory, &directory.lock())
}

fn read_at(directory: &Directory, path: &Path) -> io::Result<Option<LockFile>> {
    let storage = directory.storage();
    directory.check()?;
    match storage.entry(path) {
        Ok(entry) if entry.kind == EntryKind::File => {}
        Ok(_) => return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    match storage.open_for_reading(path).and_then(|file| text_of(&*file)) {
        Ok(text) => {
            let owner = Owner::parse(&text);
            Ok(Some(LockFile { text, owner, is_stopped: false }))
        }
        // It was removed meanwhile. On NFS the open file may be removed too.
        Err(error) if error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(libc::ESTALE) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn text_of(file: &dyn File) -> io::Result<String> {
    let mut bytes = vec![0; file.size_bytes()?.min(MOST_BYTES) as usize];
    file.read_at(0, &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The owner of the lock that is open.
pub(super) fn owner_in(file: &dyn File) -> io::Result<Option<Owner>> {
    text_of(file).map(|text| Owner::parse(&text))
}

/// Replaces a lock whose owner was found to be dead. False if another process is replacing it or has done so.
///
/// A process that wants to replace the lock first makes a claim: a file whose name contains a hash of the
/// content to be replaced. Only one process can have it at a time. That process checks the lock again, and
/// then renames the claim to the lock, which ends the claim in the same step. A claim whose owner has died is
/// replaced in the same way.
///
/// If `is_overdue`, a lock with an unknown status is treated as one of a dead owner.
fn replace(
    directory: &Directory,
    me: &Owner,
    system: &dyn System,
    path: &Path,
    left: &LockFile,
    is_overdue: bool,
) -> io::Result<bool> {
    let storage = directory.storage();
    let claim = directory.lock_claim(XxHash3_128::oneshot(left.text.as_bytes()) as u64);
    if !create_at(directory, me, &claim)? {
        match read_at(directory, &claim)? {
            Some(found) if found.owner.as_ref().is_some_and(|owner| owner.is_same(me)) => {}
            Some(found) if is_left(&found, system) || (is_overdue && is_unknown(&found, system)) => {
                if !replace(directory, me, system, &claim, &found, is_overdue)? {
                    return Ok(false);
                }
            }
            _ => return Ok(false),
        }
    }
    if read_at(directory, path)?.as_ref() != Some(left) {
        let _ = storage.remove(&claim);
        return Ok(false);
    }
    match storage.rename(&claim, path) {
        // The request may have been sent twice.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let found = read_at(directory, path)?.and_then(|found| found.owner);
            Ok(found.is_some_and(|owner| owner.is_same(me)))
        }
        other => other.map(|()| true),
    }
}

/// Removes files of processes that were killed while they took the lock. A process that is about to take the
/// lock tries again.
fn remove_remains(directory: &Directory) {
    for path in directory.lock_remains() {
        let _ = directory.storage().remove(&path);
    }
}
