//! Takes a lock, and takes away those of processes that are not there any more.
//!
//! In: a directory, who this process is, the system. Out: the lock, or who has it. Holds afterwards: a lock whose owner
//! may live was left alone, or put back.

use super::owner::Owner;
use super::system::{Fate, System};
use crate::storage::{Directory, EntryKind, File};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;
use twox_hash::XxHash3_128;

/// So long a process that was killed may take to end.
const ENDING: Duration = Duration::from_secs(3);
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// Larger ones were not made here.
const MOST_BYTES: u64 = 1 << 16;

/// Why a start does not get the lock.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("{0}")]
    Held(Box<Found>),
    /// It cannot be made.
    #[error(transparent)]
    Storage(#[from] io::Error),
}

/// A lock file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    text: String,
    /// None when it is not of our form.
    pub owner: Option<Owner>,
    is_stopped: bool,
}

/// For whom a start waits, and how long at most.
#[derive(Debug)]
pub struct Waiting<'a> {
    pub found: &'a Found,
    pub most: Duration,
}

impl fmt::Display for Found {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        let Some(owner) = &self.owner else { return text.write_str("an owner that cannot be read") };
        let stopped = if self.is_stopped { ", which is stopped" } else { "" };
        write!(text, "process {} on host `{}`{stopped}", owner.process, owner.host)
    }
}

/// Takes the lock; waits for a process that is ending, and for one elsewhere to be silent for its lease. `waits` hears of
/// the second, once.
pub fn acquire(directory: &Directory, me: &Owner, system: &dyn System, waits: &mut dyn FnMut(Waiting)) -> Result<(), LockError> {
    let mut watched: Option<Watched> = None;
    loop {
        let Some(found) = try_once(directory, me, system)? else { return Ok(()) };
        let now = system.now();
        let is_new = watched.as_ref().is_none_or(|watched| !watched.is_of(&found));
        if is_new {
            let most = Duration::from_secs(found.owner.as_ref().map_or(me.lease, |owner| owner.lease.max(me.lease)));
            watched = Some(Watched { found: found.clone(), since: now, most });
        }
        let Some(watch) = &watched else { continue };
        let waited = now.saturating_sub(watch.since);
        match found.owner.as_ref().map_or(Fate::Unknown, |owner| system.fate(owner)) {
            Fate::Dead if waited < watch.most => {}
            Fate::Stopped => return Err(LockError::Held(Box::new(Found { is_stopped: true, ..found }))),
            Fate::Alive if waited < ENDING => {}
            Fate::Ending if waited < watch.most => {}
            // It lives: it has written since.
            Fate::Unknown if found.text == watch.found.text => {
                if is_new {
                    waits(Waiting { found: &found, most: watch.most });
                } else if waited >= watch.most && replace(directory, me, system, &directory.lock(), &found, true)? {
                    clear(directory);
                    return Ok(());
                }
            }
            // The process that was about to replace the lock is silent, too.
            Fate::Dead => {
                if replace(directory, me, system, &directory.lock(), &found, true)? {
                    clear(directory);
                    return Ok(());
                }
            }
            Fate::Alive | Fate::Ending | Fate::Unknown => return Err(LockError::Held(Box::new(found))),
        }
        system.wait(BETWEEN_LOOKS);
    }
}

/// A lock, and since when it has not changed.
struct Watched {
    found: Found,
    since: Duration,
    most: Duration,
}

impl Watched {
    /// Whether the lock still has the same owner.
    fn is_of(&self, found: &Found) -> bool {
        match (&self.found.owner, &found.owner) {
            (Some(before), Some(now)) => before.is_same(now),
            _ => self.found.text == found.text,
        }
    }
}

/// Takes the lock if nobody has it, or a dead process. Otherwise the lock that is there.
pub(super) fn try_once(directory: &Directory, me: &Owner, system: &dyn System) -> io::Result<Option<Found>> {
    let mut error = None;
    for _ in 0..100 {
        match place(directory, me) {
            Ok(true) => {
                clear(directory);
                return Ok(None);
            }
            Ok(false) => {}
            // Somebody has removed the directory, or what was to become the lock.
            Err(gone) if gone.kind() == ErrorKind::NotFound => error = Some(gone),
            Err(other) => {
                // It cannot be made, but somebody else's may be there.
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
                    clear(directory);
                    return Ok(None);
                }
                // Somebody else is at it.
                return Ok(Some(found));
            }
            Some(found) => return Ok(Some(found)),
        }
    }
    Err(error.unwrap_or(ErrorKind::Interrupted.into()))
}

fn is_unknown(found: &Found, system: &dyn System) -> bool {
    found.owner.as_ref().is_none_or(|owner| system.fate(owner) == Fate::Unknown)
}

fn is_left(found: &Found, system: &dyn System) -> bool {
    found.owner.as_ref().is_some_and(|owner| system.fate(owner) == Fate::Dead)
}

/// Gives the lock its name; false when there is one.
fn place(directory: &Directory, me: &Owner) -> io::Result<bool> {
    directory.make()?;
    place_at(directory, me, &directory.lock())
}

/// Makes a file of this name that names us as its owner; false when there is one.
fn place_at(directory: &Directory, me: &Owner, path: &Path) -> io::Result<bool> {
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
        // The request may have been sent twice; or its answer was lost.
        Err(_) if storage.entry(&own).is_ok_and(|entry| entry.links == 2) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    };
    let _ = storage.remove(&own);
    placed
}

/// The lock that is there.
pub(super) fn read(directory: &Directory) -> io::Result<Option<Found>> {
    read_at(directory, &directory.lock())
}

fn read_at(directory: &Directory, path: &Path) -> io::Result<Option<Found>> {
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
            Ok(Some(Found { text, owner, is_stopped: false }))
        }
        // It went meanwhile; on NFS the open file may go, too.
        Err(error) if error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(libc::ESTALE) => Ok(None),
        Err(error) => Err(error),
    }
}

fn text_of(file: &dyn File) -> io::Result<String> {
    let mut bytes = vec![0; file.size_bytes()?.min(MOST_BYTES) as usize];
    file.read_at(0, &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whose lock an open file is.
pub(super) fn owner_in(file: &dyn File) -> io::Result<Option<Owner>> {
    text_of(file).map(|text| Owner::parse(&text))
}

/// Puts a lock of ours in the place of one that was found to be nobody's; false when somebody else is at it or was faster.
///
/// Who wants to has to make a claim first: a file whose name stands for the content of what it replaces. One process has it at
/// a time, and looks once more before it gives the claim the name of the lock, which ends the claim in the same step. A claim
/// whose owner has died is replaced in the same way.
///
/// What nothing is known of counts as nobody's when it `is_overdue`.
fn replace(directory: &Directory, me: &Owner, system: &dyn System, path: &Path, left: &Found, is_overdue: bool) -> io::Result<bool> {
    let storage = directory.storage();
    let claim = directory.lock_claim(XxHash3_128::oneshot(left.text.as_bytes()) as u64);
    if !place_at(directory, me, &claim)? {
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

/// Removes what processes have left that were killed while they locked. Who is about to lock tries again.
fn clear(directory: &Directory) {
    for path in directory.lock_remains() {
        let _ = directory.storage().remove(&path);
    }
}
