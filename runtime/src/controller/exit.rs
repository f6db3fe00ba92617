//! The end of the process, with and without `CPPC_Shutdown`.
//!
//! In: the exit status, as the C library hands it to functions that run at exit. Out: a mark beside the state files when the
//! program ended well and forgot `CPPC_Shutdown`; the lock is given back. Holds afterwards: nothing was sent to other
//! processes, since MPI may have ended; a child of `fork` has done nothing.

use super::speech::Speech;
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
    speech: Arc<Speech>,
}

static EXIT: Mutex<Option<Exit>> = Mutex::new(None);

impl Controller {
    /// What there is to do when the process ends from here on.
    pub(super) fn prepare_exit(&self) {
        *exit() = self.service.as_ref().map(|service| Exit {
            process: service.process,
            directory: service.directory.clone(),
            run: service.run,
            lock: service.guard.lock().cloned(),
            speech: Arc::clone(&self.speech),
        });
    }

    /// The run is over: nothing is left to do at exit.
    pub(super) fn forget_exit() {
        *exit() = None;
    }
}

fn exit() -> MutexGuard<'static, Option<Exit>> {
    EXIT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The process ends with this status; none where the system does not tell.
pub fn at_exit(status: Option<i32>) {
    // Another thread may be at it, or not exist in this process.
    let Ok(mut place) = EXIT.try_lock() else { return };
    let Some(exit) = place.take().filter(|exit| exit.process == std::process::id()) else { return };
    let is_ours = exit.lock.as_ref().is_none_or(|lock| lock.check().is_ok());
    if status == Some(0) && is_ours && exit.directory.lines().is_ok_and(|lines| !lines.is_empty()) {
        let marked = exit.mark();
        let note = match marked {
            Ok(()) => "the next start stops and asks what to do".to_owned(),
            Err(error) => format!("and that cannot be noted: {error}"),
        };
        exit.speech.restart(&format!(
            "the program ended with exit status 0 and without `CPPC_Shutdown`: its state files stay in `{}`; {note}. Add the directive \
             `shutdown` at the end of the program",
            exit.directory.path().display()
        ));
    }
    if let Some(lock) = &exit.lock {
        lock.release();
    }
}

impl Exit {
    fn mark(&self) -> io::Result<()> {
        self.directory.check()?;
        self.directory.storage().open_for_writing(&self.directory.ended(self.run))?.sync()?;
        self.directory.sync()
    }
}
