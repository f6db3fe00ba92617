//! The end of a run.
//!
//! Input: whether the state files are deleted or kept.
//! Output: a directory in which the next start finds nothing to resume.
//! Postcondition: every process has called this, or nothing has changed. If the machine stops at any instant,
//! the run can be resumed either on all processes or on none.
//!
//! # Why a crash during the deletion leaves no partial run
//!
//! First every process arrives; nothing changes until then. Then each process writes the marker file of a
//! finished run, durably. The next start treats one marker file on any process as proof that all have
//! arrived. Only when some process has written its marker file do the processes remove their state files,
//! durably. The marker files are removed only when all processes have done so.

use super::dumper::Dumper;
use super::error::{storage_error, DumpError};
use super::mirror::Mirror;
use super::publish::{remove, remove_aside};
use super::{Ending, Event};
use crate::agree::Communicator;
use crate::storage::Directory;
use std::io;
use std::path::Path;

impl Dumper {
    /// Ends the run. Blocks until every process has called it.
    pub fn shutdown(mut self, communicator: &dyn Communicator, ending: Ending) {
        self.wait();
        self.end_mirror();
        communicator.wait_mins();
        self.collect_answers(communicator);
        communicator.barrier();
        let marked = self.write_marker();
        if ending == Ending::Keep {
            return self.unlock();
        }
        // One marker file on any process proves that all have arrived. Without one, the next start has only
        // the state files to decide from.
        let proved = communicator.max_u64(marked.into()) == 1;
        let emptied = proved && self.remove_state();
        if communicator.min_u64(emptied.into()) == 1 {
            self.remove_markers();
        }
        self.unlock();
        if emptied {
            self.directory.and_mirror().for_each(Directory::remove_if_empty);
        }
    }

    /// Ends the run and leaves the directory as it is. Blocks until every process has called it.
    pub fn abandon(mut self, communicator: &dyn Communicator) {
        self.wait();
        self.end_mirror();
        communicator.wait_mins();
        communicator.barrier();
        self.unlock();
    }

    fn unlock(&self) {
        self.lock.iter().chain(self.mirror.as_ref().and_then(Mirror::lock)).for_each(|lock| lock.release());
    }

    /// Writes the marker file of a finished run. False if there is no directory, or if that fails.
    fn write_marker(&self) -> bool {
        let mut is_marked = false;
        for directory in self.directory.and_mirror() {
            let marked = match directory.exists().map_err(storage_error("look at", directory.path())) {
                Ok(false) => continue,
                Ok(true) => write_marker(directory, self.run),
                Err(error) => Err(error),
            };
            is_marked |= marked.map_err(|error| (self.listener)(Event::NotEnded { error })).is_ok();
        }
        is_marked
    }

    /// Removes all state files. False if one remains.
    fn remove_state(&self) -> bool {
        // Both are emptied, even if one of them fails.
        let emptied: Vec<bool> =
            self.directory.and_mirror().map(|directory| self.remove_state_in(directory)).collect();
        !emptied.contains(&false)
    }

    fn remove_state_in(&self, directory: &Directory) -> bool {
        let mut failed = Vec::new();
        let mut left = |error| failed.push(error);
        match directory.lines() {
            Ok(lines) => {
                lines.into_iter().for_each(|number| remove(directory, &directory.line(number), &mut left))
            }
            Err(error) => left(storage_error("list", directory.path())(error)),
        }
        remove_aside(directory, &mut left);
        remove(directory, &directory.openings(), &mut left);
        for path in directory.temporaries() {
            remove(directory, &path, &mut left);
        }
        match directory.sync() {
            // There was nothing to remove.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => left(storage_error("sync the directory", directory.path())(error)),
            Ok(()) => {}
        }
        let emptied = failed.is_empty();
        failed.into_iter().for_each(|error| self.report(error));
        emptied
    }

    fn remove_markers(&self) {
        for directory in self.directory.and_mirror() {
            let finished = directory.finished_runs().unwrap_or_default();
            let complete = directory.complete_runs().unwrap_or_default();
            let finished = finished.into_iter().map(|run| directory.finished(run));
            let complete = complete.into_iter().map(|run| directory.complete(run));
            for path in finished.chain(complete) {
                remove(directory, &path, &mut |error| self.report(error));
            }
        }
    }

    fn report(&self, error: DumpError) {
        (self.listener)(Event::NotRetired { error });
    }
}

/// Writes the marker file of a finished run, durably.
fn write_marker(directory: &Directory, run: u64) -> Result<(), DumpError> {
    let path = directory.finished(run);
    let write = |path: &Path| -> io::Result<()> {
        directory.check()?;
        directory.storage().open_for_writing(path)?.sync()?;
        directory.sync()
    };
    write(&path).map_err(storage_error("mark the run as finished with", &path))
}
