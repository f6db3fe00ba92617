//! Ensures that only one process works in the directory of a process.
//!
//! Input: the directory, and the identity of this process.
//! Output: the lock, or its owner.
//! Postcondition: of the processes on one system, exactly one has the lock as long as it lives, even while it
//! is stopped. A process on another system loses it only after it has been silent for a lease, and notices
//! that before it changes anything.
//!
//! # How the lock is taken
//!
//! A file that names its owner is given the name of the lock by `link`. That is atomic on every version of
//! NFS, where `O_EXCL` is not. Unlike with `mkdir`, no process ever sees a lock without its owner. If a
//! request is sent twice, its answer may be that the name already exists, so the number of names of the file
//! decides.
//!
//! A lock whose owner is dead is replaced, by one process at a time (`taking.rs`).
//!
//! Whether a process on another system lives cannot be determined. So the owner writes a heartbeat to the
//! lock periodically (`write_heartbeat`). A process that waits for the lock takes it when it has not changed
//! for a lease, measured by its own clock.

mod owner;
mod system;
mod taking;
mod heartbeat;

pub use heartbeat::Heartbeat;
pub use owner::Owner;
pub use system::{Linux, ProcessStatus, System};
pub use taking::{acquire, LockError, LockFile, LockWait};

use crate::storage::Directory;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The permission to write, retire and delete in a directory.
pub struct Lock {
    directory: Directory,
    system: Arc<dyn System>,
    state: Mutex<LockState>,
}

struct LockState {
    me: Owner,
    hold: Possession,
    /// When this process last saw that it owns the lock, on both clocks.
    seen: LastSeen,
}

#[derive(Debug, Clone, Copy)]
struct LastSeen {
    now: Duration,
    wall: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Possession {
    Held,
    /// The lock could not be made, for a reason that may be temporary.
    Wanted,
    Lost(Lost),
    Released,
}

/// Another process works in the directory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "this run has lost its lock `{path}`: {why}; it stops, because its state files are no longer its own"
)]
pub struct Lost {
    path: String,
    why: String,
}

/// Why nothing may be written now.
#[derive(Debug, thiserror::Error)]
pub enum NotHeld {
    #[error(transparent)]
    Lost(#[from] Lost),
    #[error("the lock `{path}` cannot be created or read: {source}")]
    Unknown { path: String, source: io::Error },
}

impl fmt::Debug for Lock {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.debug_struct("Lock").field("directory", &self.directory.path()).finish_non_exhaustive()
    }
}

impl Lock {
    /// The lock that `acquire` has made, or that it could not make for a reason that may be temporary.
    pub fn new(directory: Directory, me: Owner, system: Arc<dyn System>, is_held: bool) -> Lock {
        let seen = LastSeen { now: system.now(), wall: system.wall_clock() };
        let hold = if is_held { Possession::Held } else { Possession::Wanted };
        Lock { directory, system, state: Mutex::new(LockState { me, hold, seen }) }
    }

    /// Checks that this process may change the directory.
    pub fn check(&self) -> Result<(), NotHeld> {
        let mut state = self.lock();
        match &state.hold {
            Possession::Held => self.check_owner(&mut state),
            Possession::Wanted => self.take(&mut state),
            Possession::Lost(lost) => Err(lost.clone().into()),
            // Nothing is written after the end.
            Possession::Released => Err(self.lost("it was released").into()),
        }
    }

    /// The reason if it is known that this process has lost the lock. Does not look at the disk.
    pub fn found_lost(&self) -> Option<Lost> {
        match &self.state.try_lock().ok()?.hold {
            Possession::Lost(lost) => Some(lost.clone()),
            Possession::Held | Possession::Wanted | Possession::Released => None,
        }
    }

    /// Writes a heartbeat if this process still owns the lock.
    pub fn write_heartbeat(&self) {
        let mut state = self.lock();
        if state.hold == Possession::Held && self.check_owner(&mut state).is_ok() {
            state.me.heartbeats += 1;
            // An error is found by the next check.
            let _ = self.write(&state.me);
        }
    }

    /// Records the run in the lock.
    pub fn name_run(&self, run: u64) {
        self.lock().me.run = run;
        self.write_heartbeat();
    }

    /// The interval between heartbeats.
    pub fn interval(&self) -> Duration {
        Duration::from_secs(self.lock().me.lease) / 6
    }

    /// Releases the lock. A child of `fork` is not its owner and does not remove it.
    pub fn release(&self) {
        let mut state = self.lock();
        if state.hold == Possession::Held && self.check_owner(&mut state).is_ok() {
            let _ = self.directory.storage().remove(&self.directory.lock());
        }
        state.hold = Possession::Released;
    }

    fn check_owner(&self, state: &mut LockState) -> Result<(), NotHeld> {
        match taking::read(&self.directory) {
            Ok(Some(found)) if found.owner.as_ref().is_some_and(|owner| owner.is_same(&state.me)) => {
                state.seen = LastSeen { now: self.system.now(), wall: self.system.wall_clock() };
                Ok(())
            }
            Ok(Some(found)) => {
                let lost = self.lost(&format!("now it is that of {found}"));
                state.hold = Possession::Lost(lost.clone());
                Err(lost.into())
            }
            Ok(None) => self.handle_missing(state),
            Err(source) => Err(NotHeld::Unknown { path: self.path(), source }),
        }
    }

    /// The lock is missing. As long as the lease has not passed, no other start can have taken it, so the
    /// directory was removed, and the lock is made again.
    fn handle_missing(&self, state: &mut LockState) -> Result<(), NotHeld> {
        let lease = Duration::from_secs(state.me.lease);
        let passed = |before: Duration, now: Duration| now.saturating_sub(before);
        let silent =
            passed(state.seen.now, self.system.now()).max(passed(state.seen.wall, self.system.wall_clock()));
        if silent < lease {
            return self.take(state);
        }
        let why = format!(
            "it is gone, and another start may have taken it while this one was silent for {} s",
            silent.as_secs()
        );
        let lost = self.lost(&why);
        state.hold = Possession::Lost(lost.clone());
        Err(lost.into())
    }

    /// Takes the lock without waiting.
    fn take(&self, state: &mut LockState) -> Result<(), NotHeld> {
        match taking::try_once(&self.directory, &state.me, &*self.system) {
            Ok(None) => {
                state.hold = Possession::Held;
                state.seen = LastSeen { now: self.system.now(), wall: self.system.wall_clock() };
                Ok(())
            }
            Ok(Some(found)) => {
                let lost = self.lost(&format!("it is that of {found}"));
                state.hold = Possession::Lost(lost.clone());
                Err(lost.into())
            }
            Err(source) => Err(NotHeld::Unknown { path: self.path(), source }),
        }
    }

    fn write(&self, me: &Owner) -> io::Result<()> {
        let file = self.directory.storage().open_for_writing(&self.directory.lock())?;
        // The lock may have been replaced, so the owner is checked through the handle that is written to.
        match taking::owner_in(&*file)? {
            Some(owner) if owner.is_same(me) => file.write_at(0, me.to_text().as_bytes()),
            _ => Ok(()),
        }
    }

    fn lost(&self, why: &str) -> Lost {
        Lost { path: self.path(), why: why.to_owned() }
    }

    fn path(&self) -> String {
        self.directory.lock().display().to_string()
    }

    fn lock(&self) -> MutexGuard<'_, LockState> {
        // A panic has not changed the state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
