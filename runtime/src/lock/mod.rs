//! One process at a time works in the directory of a process.
//!
//! In: the directory and who this process is. Out: a lock, or who has it. Holds afterwards: of processes on one system
//! exactly one has the lock for as long as it lives, stopped or not; a process elsewhere loses it only after it was
//! silent for the length of a lease, and notices that before it changes anything.
//!
//! # How it is taken
//!
//! A file with the owner's name in it is given the name of the lock by `link`. That is atomic on every version of NFS,
//! where `O_EXCL` is not; and, unlike with `mkdir`, nobody ever sees a lock without its owner. The answer to a request that
//! was sent twice may be that the name is there already, so that the number of the file's names decides.
//!
//! A lock whose owner is dead is replaced, by one process at a time (`taking.rs`).
//!
//! Of a process on another system nobody can say whether it lives. Its owner writes to the lock now and then (`beat`). Who
//! waits for the lock takes it away when it has not changed for the length of a lease, by his own clock.

mod owner;
mod system;
mod taking;
mod heart;

pub use heart::Heart;
pub use owner::Owner;
pub use system::{Fate, Linux, System};
pub use taking::{acquire, Found, LockError, Waiting};

use crate::storage::Directory;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The right to write, retire and delete in a directory.
pub struct Lock {
    directory: Directory,
    system: Arc<dyn System>,
    state: Mutex<State>,
}

struct State {
    me: Owner,
    hold: Hold,
    /// When the lock was last seen to be ours, on both clocks.
    seen: Seen,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    now: Duration,
    wall: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Hold {
    Held,
    /// The lock could not be made, for a reason that may pass.
    Wanted,
    Lost(Lost),
    Released,
}

/// Somebody else works in the directory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this run has lost its lock `{path}`: {why}; it stops, because its state files are no longer its own")]
pub struct Lost {
    path: String,
    why: String,
}

/// Why nothing may be written now.
#[derive(Debug, thiserror::Error)]
pub enum NotHeld {
    #[error(transparent)]
    Lost(#[from] Lost),
    #[error("the lock `{path}` cannot be made or read: {source}")]
    Unknown { path: String, source: io::Error },
}

impl fmt::Debug for Lock {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.debug_struct("Lock").field("directory", &self.directory.path()).finish_non_exhaustive()
    }
}

impl Lock {
    /// The lock that `acquire` has made, or that it could not make for a reason that may pass.
    pub fn new(directory: Directory, me: Owner, system: Arc<dyn System>, is_held: bool) -> Lock {
        let seen = Seen { now: system.now(), wall: system.wall() };
        let hold = if is_held { Hold::Held } else { Hold::Wanted };
        Lock { directory, system, state: Mutex::new(State { me, hold, seen }) }
    }

    /// Whether this process may change anything in the directory.
    pub fn check(&self) -> Result<(), NotHeld> {
        let mut state = self.lock();
        match &state.hold {
            Hold::Held => self.look(&mut state),
            Hold::Wanted => self.take(&mut state),
            Hold::Lost(lost) => Err(lost.clone().into()),
            // Nothing is written after the end.
            Hold::Released => Err(self.lost("it was released").into()),
        }
    }

    /// Says that this process is there; not more often than needed.
    pub fn beat(&self) {
        let mut state = self.lock();
        if state.hold == Hold::Held && self.look(&mut state).is_ok() {
            state.me.beat += 1;
            // What is wrong with it is found when it is looked at.
            let _ = self.write(&state.me);
        }
    }

    /// The run is known.
    pub fn name_run(&self, run: u64) {
        self.lock().me.run = run;
        self.beat();
    }

    /// How often there must be a beat.
    pub fn interval(&self) -> Duration {
        Duration::from_secs(self.lock().me.lease) / 6
    }

    /// Gives the lock back. A child of `fork` has no right to.
    pub fn release(&self) {
        let mut state = self.lock();
        if state.hold == Hold::Held && self.look(&mut state).is_ok() {
            let _ = self.directory.storage().remove(&self.directory.lock());
        }
        state.hold = Hold::Released;
    }

    fn look(&self, state: &mut State) -> Result<(), NotHeld> {
        match taking::read(&self.directory) {
            Ok(Some(found)) if found.owner.as_ref().is_some_and(|owner| owner.is_same(&state.me)) => {
                state.seen = Seen { now: self.system.now(), wall: self.system.wall() };
                Ok(())
            }
            Ok(Some(found)) => {
                let lost = self.lost(&format!("now it is that of {found}"));
                state.hold = Hold::Lost(lost.clone());
                Err(lost.into())
            }
            Ok(None) => self.miss(state),
            Err(source) => Err(NotHeld::Unknown { path: self.path(), source }),
        }
    }

    /// Nobody has the lock. While it could not be taken away, somebody has removed the directory.
    fn miss(&self, state: &mut State) -> Result<(), NotHeld> {
        let lease = Duration::from_secs(state.me.lease);
        let passed = |before: Duration, now: Duration| now.saturating_sub(before);
        let silent = passed(state.seen.now, self.system.now()).max(passed(state.seen.wall, self.system.wall()));
        if silent < lease {
            return self.take(state);
        }
        let why = format!("it is gone, and another start may have taken it while this one was silent for {} s", silent.as_secs());
        let lost = self.lost(&why);
        state.hold = Hold::Lost(lost.clone());
        Err(lost.into())
    }

    /// Takes the lock now, or not at all.
    fn take(&self, state: &mut State) -> Result<(), NotHeld> {
        match taking::try_once(&self.directory, &state.me, &*self.system) {
            Ok(None) => {
                state.hold = Hold::Held;
                state.seen = Seen { now: self.system.now(), wall: self.system.wall() };
                Ok(())
            }
            Ok(Some(found)) => {
                let lost = self.lost(&format!("it is that of {found}"));
                state.hold = Hold::Lost(lost.clone());
                Err(lost.into())
            }
            Err(source) => Err(NotHeld::Unknown { path: self.path(), source }),
        }
    }

    fn write(&self, me: &Owner) -> io::Result<()> {
        let file = self.directory.storage().open_for_writing(&self.directory.lock())?;
        // It may be another one by now: what is written to is looked at through the same handle.
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

    fn lock(&self) -> MutexGuard<'_, State> {
        // What panicked has changed nothing.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
