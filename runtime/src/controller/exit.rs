//! The end of the process, with and without `CPPC_Shutdown`.
//!
//! Input: the exit status, as the C library passes it to functions that run at exit.
//! Output: if the program ended successfully without `CPPC_Shutdown`, a marker file next to the state files.
//! The lock is released.
//! Postcondition: nothing was sent to other processes, because MPI may have ended. In a child of `fork`,
//! nothing was done.

use super::messages::Messages;
use super::Controller;
use crate::lock::Lock;
use crate::storage::Directory;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

struct Exit {
    process: u32,
    directory: Directory,
    run: u64,
    lock: Option<Arc<Lock>>,
    mirror_lock: Option<Arc<Lock>>,
    messages: Arc<Messages>,
}

static EXIT: Mutex<Option<Exit>> = Mutex::new(None);

impl Controller {
    /// Records what to do when the process ends.
    pub(super) fn prepare_exit(&self) {
        *exit() = self.service.as_ref().map(|service| Exit {
            process: service.process,
            directory: service.directory.clone(),
            run: service.run,
            lock: service.guard.lock().cloned(),
            mirror_lock: service.mirror_lock().cloned(),
            messages: Arc::clone(&self.messages),
        });
    }

    /// The run has ended with `CPPC_Shutdown`, so nothing is left to do at exit.
    pub(super) fn forget_exit() {
        *exit() = None;
    }
}

fn exit() -> MutexGuard<'static, Option<Exit>> {
    EXIT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs when the process ends with this status, or none if the system does not provide it.
pub fn at_exit(status: Option<i32>) {
    // Another thread may hold the mutex. After `fork`, that thread may not exist in this process.
    let Ok(mut place) = EXIT.try_lock() else { return };
    let Some(exit) = place.take().filter(|exit| exit.process == std::process::id()) else { return };
    let is_ours = exit.lock.as_ref().is_none_or(|lock| lock.check().is_ok());
    if status == Some(0) && is_ours && exit.directory.lines().is_ok_and(|lines| !lines.is_empty()) {
        let marked = exit.mark();
        let note = match marked {
            Ok(()) => "the next start stops and asks what to do".to_owned(),
            Err(error) => format!("and that cannot be noted: {error}"),
        };
        exit.messages.restart(&format!(
            "the program ended with exit status 0 and without `CPPC_Shutdown`: its state files stay in `{}`; {note}. Add the directive \
             `shutdown` at the end of the program",
            exit.directory.path().display()
        ));
    }
    exit.lock.iter().chain(&exit.mirror_lock).for_each(|lock| lock.release());
}

impl Exit {
    fn mark(&self) -> io::Result<()> {
        self.directory.and_mirror().filter(|directory| directory.exists().unwrap_or(true)).try_for_each(
            |directory| {
                directory.check()?;
                directory.storage().open_for_writing(&directory.ended(self.run))?.sync()?;
                directory.sync()
            },
        )
    }
}
