//! The end of a run.
//!
//! In: the wish to delete or to keep what was written. Out: a directory that tells the next start
//! that there is nothing to resume. Holds afterwards: every process got here, or nothing was done;
//! stopped at any instant, either the run can still be resumed on all processes, or on none.
//!
//! # Why a crash during the deletion leaves no half of a run behind
//!
//! First every process arrives; nothing has changed until then. Then each writes the mark of a
//! finished run, durably; the next start takes one mark anywhere as proof that all arrived. Only
//! when some process has written its mark do processes remove their state files, durably; and only when that has succeeded
//! everywhere are the marks removed.

use super::dumper::Dumper;
use super::error::{trying, DumpError};
use super::publish::{remove, remove_aside};
use super::{Ending, Event};
use crate::negotiate::Communicator;
use crate::storage::Directory;
use std::io;
use std::path::Path;

impl Dumper {
    /// Ends the run. Blocks until every process has come here.
    pub fn shutdown(mut self, communicator: &dyn Communicator, ending: Ending) {
        self.wait();
        communicator.wait_mins();
        self.hear(communicator);
        communicator.barrier();
        let marked = self.mark();
        if ending == Ending::Keep {
            return self.unlock();
        }
        // One mark anywhere proves that all arrived; without any, the files are all that the next start can go by.
        let proved = communicator.max_u64(marked.into()) == 1;
        let emptied = proved && self.remove_state();
        if communicator.min_u64(emptied.into()) == 1 {
            self.remove_marks();
        }
        self.unlock();
        if emptied {
            self.directory.remove_if_empty();
        }
    }

    /// Ends the run and leaves the directory as it is. Blocks until every process has come here.
    pub fn abandon(mut self, communicator: &dyn Communicator) {
        self.wait();
        communicator.wait_mins();
        communicator.barrier();
        self.unlock();
    }

    fn unlock(&self) {
        if let Some(lock) = &self.lock {
            lock.release();
        }
    }

    /// Marks the run as finished; false when there is nothing to mark, or no way to.
    fn mark(&self) -> bool {
        let path = self.directory.path();
        let marked = match self.directory.exists().map_err(trying("look at", path)) {
            Ok(false) => return false,
            Ok(true) => mark(&self.directory, self.run),
            Err(error) => Err(error),
        };
        marked.map_err(|error| (self.listener)(Event::NotEnded { error })).is_ok()
    }

    /// Removes all state files; false when one is still there.
    fn remove_state(&self) -> bool {
        let directory = &self.directory;
        let mut failed = Vec::new();
        let mut left = |error| failed.push(error);
        match directory.lines() {
            Ok(lines) => lines.into_iter().for_each(|number| remove(directory, &directory.line(number), &mut left)),
            Err(error) => left(trying("list", directory.path())(error)),
        }
        remove_aside(directory, &mut left);
        remove(directory, &directory.openings(), &mut left);
        for path in directory.temporaries() {
            remove(directory, &path, &mut left);
        }
        match directory.sync() {
            // There was nothing to remove.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => left(trying("sync the directory", directory.path())(error)),
            Ok(()) => {}
        }
        let emptied = failed.is_empty();
        failed.into_iter().for_each(|error| self.tell(error));
        emptied
    }

    fn remove_marks(&self) {
        let finished = self.directory.finished_runs().unwrap_or_default().into_iter().map(|run| self.directory.finished(run));
        let complete = self.directory.complete_runs().unwrap_or_default().into_iter().map(|run| self.directory.complete(run));
        for path in finished.chain(complete) {
            remove(&self.directory, &path, &mut |error| self.tell(error));
        }
    }

    fn tell(&self, error: DumpError) {
        (self.listener)(Event::NotRetired { error });
    }
}

/// Marks the run as finished, durably.
fn mark(directory: &Directory, run: u64) -> Result<(), DumpError> {
    let path = directory.finished(run);
    let write = |path: &Path| -> io::Result<()> {
        directory.check()?;
        directory.storage().open_for_writing(path)?.sync()?;
        directory.sync()
    };
    write(&path).map_err(trying("mark the run as finished with", &path))
}
