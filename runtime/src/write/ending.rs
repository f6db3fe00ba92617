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
//! with its mark written does a process remove its state files, durably; and only when that is done
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
        let emptied = marked && self.remove_state();
        communicator.barrier();
        if emptied {
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
        if self.directory.storage().entry(self.directory.path()).is_err() {
            return false;
        }
        let marked = mark(&self.directory, self.run);
        marked.map_err(|error| self.tell(error)).is_ok()
    }

    /// Removes all state files; false when one is still there.
    fn remove_state(&self) -> bool {
        let mut failed = Vec::new();
        let mut left = |error| failed.push(error);
        for number in self.directory.lines().unwrap_or_default() {
            remove(&self.directory, &self.directory.line(number), &mut left);
        }
        remove_aside(&self.directory, &mut left);
        remove(&self.directory, &self.directory.openings(), &mut left);
        for path in self.directory.temporaries() {
            remove(&self.directory, &path, &mut left);
        }
        if let Err(error) = self.directory.sync() {
            left(trying("sync the directory", self.directory.path())(error));
        }
        let emptied = failed.is_empty();
        failed.into_iter().for_each(|error| self.tell(error));
        emptied
    }

    fn remove_marks(&self) {
        for run in self.directory.finished_runs().unwrap_or_default() {
            remove(&self.directory, &self.directory.finished(run), &mut |error| self.tell(error));
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
