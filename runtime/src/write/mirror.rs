//! Copies complete recovery lines to the mirror, in the background.
//!
//! Input: the results of rounds: the newest line that all processes have, and the smallest state of a mirror.
//! Output: the same lines in the mirror.
//! Postcondition: a file of the mirror gets its name only when it is durable and has passed verification, after
//! the files that it needs. The program never waits for a copy, except at the end of a run on request. The
//! newest line that all mirrors have is not removed.
//!
//! # How the processes agree on the lines to copy
//!
//! All processes copy the same lines, one at a time. Each process contributes one number to each round, its
//! state: `2 N + 1` if it has copied line N, `2 N` if that has failed, less if it is still copying. So the smallest
//! state shows on all processes at the same call whether line N is in all mirrors. Then the newest complete line
//! is the next one. Lines between them are not copied: a mirror may be slower than `dir`.
//!
//! A line may be retired in `dir` while it is copied. Its file is open then, and it is not overwritten
//! (`Shared::in_use`), so the copy can end.

use super::error::{storage_error, DumpError};
use super::publish::{make_room, remove, remove_aside, Spare};
use super::retention::Retention;
use super::thread::{Events, Worker};
use super::{Event, Listener};
use crate::lock::Lock;
use crate::storage::copy::copy;
use crate::storage::{Directory, EntryKind, File};
use crate::verify;
use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The mirror of the directory of one process.
pub struct Mirror {
    source: Directory,
    directory: Directory,
    lock: Option<Arc<Lock>>,
    listener: Listener,
    run: u64,
    retention: Retention,
    /// The line that all processes copy, or have copied last; 0 for none.
    target: u64,
    /// Whether it is known on all processes how the copy of the target has ended.
    is_settled: bool,
    /// Whether a line is known to be in all mirrors, so that set-aside files are useless.
    has_complete: bool,
    state: u64,
    worker: Option<Worker<Job, JobResult>>,
    shared: Arc<Shared>,
}

/// What the thread that copies and the one that writes use together.
#[derive(Debug, Default)]
pub struct Shared {
    /// The lines whose files are open.
    in_use: Mutex<BTreeSet<u64>>,
    is_ending: AtomicBool,
}

impl Shared {
    /// The lines whose files are being copied. They must not be overwritten.
    pub fn in_use(&self) -> BTreeSet<u64> {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_running(&self) -> bool {
        !self.is_ending.load(Ordering::Relaxed)
    }
}

struct Job {
    line: u64,
    /// Lines that are no longer needed in the mirror, oldest first.
    retired: Vec<u64>,
    /// Used only if the mirror is full.
    spare: Spare,
    removes_aside: bool,
}

/// Whether the line is in the mirror, the files that have appeared with the lines that they need, and the lines that
/// were removed to make room.
struct JobResult {
    is_copied: bool,
    appeared: Vec<(u64, Vec<u64>)>,
    given_up: Vec<u64>,
}

impl Mirror {
    /// `resumed` is the line that all processes have. It is copied first.
    pub fn start(
        source: Directory,
        directory: Directory,
        lock: Option<Arc<Lock>>,
        keep: u64,
        run: u64,
        resumed: Option<u64>,
        listener: Listener,
    ) -> Mirror {
        let lines = directory.lines().unwrap_or_default();
        let needs =
            |line: u64| verify::bases(&**directory.storage(), &directory.line(line)).unwrap_or_default();
        let present: Vec<_> = lines.into_iter().map(|line| (line, needs(line))).collect();
        let mut mirror = Mirror {
            source,
            directory,
            lock,
            listener,
            run,
            retention: Retention::new(keep, present, None),
            target: 0,
            is_settled: true,
            has_complete: false,
            state: 0,
            worker: None,
            shared: Arc::default(),
        };
        if let Some(line) = resumed {
            mirror.begin(line);
        }
        mirror
    }

    pub fn lock(&self) -> Option<&Arc<Lock>> {
        self.lock.as_ref()
    }

    pub fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    /// What this process contributes to the next round.
    pub fn state(&mut self) -> u64 {
        if let Some(result) = self.worker.as_mut().and_then(Worker::finished) {
            self.record(result);
        } else if self.is_lost() {
            self.state = 2 * self.target;
        }
        self.state
    }

    /// The results of a round: the smallest state, and the newest line that all processes have; 0 for none.
    pub fn agreed(&mut self, smallest: u64, complete: u64) {
        if !self.is_settled && smallest >= 2 * self.target {
            self.is_settled = true;
            let is_complete = smallest > 2 * self.target;
            self.retention.answered(self.target, is_complete);
            self.has_complete |= is_complete;
        }
        if self.is_settled && complete > self.target {
            self.begin(complete);
        }
    }

    /// Copies this line, which is complete, and waits for it. Returns whether it is in the mirror.
    pub fn copy_now(&mut self, line: u64) -> bool {
        self.wait();
        if self.target != line {
            self.begin(line);
            self.wait();
        }
        self.state == 2 * line + 1
    }

    /// Stops copying.
    pub fn end(&mut self) {
        self.shared.is_ending.store(true, Ordering::Relaxed);
        self.worker = None;
    }

    /// Prepares the mirror in a child of `fork`, where the thread that copies does not exist.
    pub fn restart_in_child(&mut self, source: &Directory, lock: Option<Arc<Lock>>) {
        std::mem::forget(self.worker.take());
        self.shared = Arc::default();
        self.source = source.clone();
        self.directory = self.directory.unshared();
        self.lock = lock;
        if !self.is_settled {
            self.state = self.state.max(2 * self.target);
        }
    }

    fn is_lost(&self) -> bool {
        !self.is_settled && self.state < 2 * self.target && !self.worker.as_ref().is_some_and(Worker::is_busy)
    }

    fn wait(&mut self) {
        match self.worker.as_mut().and_then(Worker::wait) {
            Some(result) => self.record(result),
            None if self.is_lost() => self.state = 2 * self.target,
            None => {}
        }
    }

    fn record(&mut self, result: JobResult) {
        for (line, bases) in result.appeared {
            self.retention.appeared(line, bases);
        }
        self.retention.removed(&result.given_up);
        self.state = 2 * self.target + u64::from(result.is_copied);
    }

    fn begin(&mut self, line: u64) {
        (self.target, self.is_settled) = (line, false);
        let spare = Spare { aside: true, lines: self.retention.spare() };
        let job = Job { line, retired: self.retention.retire(), spare, removes_aside: self.has_complete };
        if !self.start_worker() || !self.worker.as_mut().is_some_and(|worker| worker.give(job)) {
            (self.listener)(Event::NotMirrored { number: line, error: DumpError::Thread });
            self.state = 2 * line;
        }
    }

    fn start_worker(&mut self) -> bool {
        if self.worker.is_some() {
            return true;
        }
        let (source, directory) = (self.source.clone(), self.directory.clone());
        let (lock, shared, run) = (self.lock.clone(), self.shared(), self.run);
        let listener = self.listener.clone();
        let work = move |events: Events<Event, JobResult>| {
            let mut copier =
                Copier { source, directory, lock, shared, run, known: BTreeSet::new(), opened: Vec::new() };
            move |job: Job| copier.work(&job, &|event| events.send(event))
        };
        self.worker = Worker::start(work, move |event| listener(event)).ok();
        self.worker.is_some()
    }
}

/// The work of the thread.
struct Copier {
    source: Directory,
    directory: Directory,
    lock: Option<Arc<Lock>>,
    shared: Arc<Shared>,
    run: u64,
    /// The lines that this thread has copied or verified.
    known: BTreeSet<u64>,
    /// The files to copy, oldest first.
    opened: Vec<(u64, Box<dyn File>)>,
}

impl Copier {
    fn work(&mut self, job: &Job, tell: &dyn Fn(Event)) -> JobResult {
        let mut result = JobResult { is_copied: false, appeared: Vec::new(), given_up: Vec::new() };
        let mut copied = self.copy_line(job, &mut result);
        while copied.as_ref().is_err_and(DumpError::is_no_room) {
            let (aside, lines) = make_room(&self.directory, &job.spare);
            if aside == 0 && lines.is_empty() {
                break;
            }
            result.given_up.extend(&lines);
            copied = self.copy_line(job, &mut result);
        }
        self.opened.clear();
        self.shared.in_use.lock().unwrap_or_else(PoisonError::into_inner).clear();
        result.is_copied = copied.is_ok();
        match copied {
            Ok(()) => tell(Event::Mirrored { number: job.line }),
            // A line that is missing was retired before it was copied, because newer ones are complete.
            Err(error) if self.shared.is_running() && is_file(&self.source, job.line) => {
                tell(Event::NotMirrored { number: job.line, error });
            }
            Err(_) => {}
        }
        result
    }

    fn copy_line(&mut self, job: &Job, result: &mut JobResult) -> Result<(), DumpError> {
        self.check()?;
        let directory = self.directory.clone();
        directory.make().map_err(storage_error("make the directory", directory.path()))?;
        // What cannot be removed is tried again when the next run begins.
        let mut left = |_| ();
        for &line in job.retired.iter().rev() {
            self.known.remove(&line);
            remove(&directory, &directory.line(line), &mut left);
        }
        if job.removes_aside {
            remove_aside(&directory, &mut left);
        }
        if self.opened.is_empty() {
            self.open(job.line)?;
        }
        for (line, from) in &self.opened {
            let (directory, source) = (&self.directory, &self.source);
            if !is_file(directory, *line) || !self.known.contains(line) {
                if !is_same_and_intact(source, directory, *line) {
                    self.copy_file(*line, &**from)?;
                }
                self.known.insert(*line);
            }
            let bases = verify::bases(&**directory.storage(), &directory.line(*line)).unwrap_or_default();
            result.appeared.push((*line, bases));
        }
        let mark = directory.complete(self.run);
        directory.storage().open_for_writing(&mark).map_err(storage_error("make", &mark))?;
        directory.sync().map_err(storage_error("sync the directory", directory.path()))
    }

    /// Opens the file of the line and those that it needs.
    fn open(&mut self, line: u64) -> Result<(), DumpError> {
        let path = self.source.line(line);
        let storage = self.source.storage();
        let bases = verify::bases(&**storage, &path);
        let bases = bases.map_err(|reason| DumpError::Copy(verify::VerifyError { path, reason }))?;
        let lines = || bases.iter().copied().chain([line]);
        self.shared.in_use.lock().unwrap_or_else(PoisonError::into_inner).extend(lines());
        for line in lines() {
            let path = self.source.line(line);
            let file = storage.open_for_reading(&path).map_err(storage_error("read", &path))?;
            self.opened.push((line, file));
        }
        Ok(())
    }

    fn copy_file(&self, line: u64, from: &dyn File) -> Result<(), DumpError> {
        let directory = &self.directory;
        let (storage, temporary) = (directory.storage(), directory.temporary());
        // A sync that has failed is not repeated for the same file.
        match storage.remove(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(storage_error("remove", &temporary)(error))
            }
            _ => {}
        }
        let done = self.copy_to(&temporary, from).and_then(|()| {
            self.check()?;
            let path = directory.line(line);
            storage.rename(&temporary, &path).map_err(storage_error("rename the state file to", &path))
        });
        if let Err(error) = done {
            let _ = storage.remove(&temporary);
            return Err(error);
        }
        directory.sync().map_err(storage_error("sync the directory", directory.path()))
    }

    /// Writes and verifies the temporary file. The files that it needs are in the mirror already.
    fn copy_to(&self, temporary: &std::path::Path, from: &dyn File) -> Result<(), DumpError> {
        let storage = self.directory.storage();
        let to = storage.open_for_writing(temporary).map_err(storage_error("open", temporary))?;
        copy(from, &*to, || self.shared.is_running()).map_err(storage_error("write", temporary))?;
        let description = verify::describe(&**storage, temporary).map_err(DumpError::Copy)?;
        match verify::check_content(&description).into_iter().next() {
            Some(error) => Err(DumpError::Copy(error)),
            None => Ok(()),
        }
    }

    fn check(&self) -> Result<(), DumpError> {
        self.lock.as_ref().map_or(Ok(()), |lock| lock.check().map_err(DumpError::NotHeld))
    }
}

fn is_file(directory: &Directory, line: u64) -> bool {
    let entry = directory.storage().entry(&directory.line(line));
    entry.is_ok_and(|entry| entry.kind == EntryKind::File)
}

/// Whether the mirror has an intact copy, from an earlier attempt.
fn is_same_and_intact(source: &Directory, mirror: &Directory, line: u64) -> bool {
    let manifest = verify::manifest_of(&**source.storage(), &source.line(line));
    let found = verify::describe(&**mirror.storage(), &mirror.line(line));
    let (Ok(manifest), Ok(found)) = (manifest, found) else { return false };
    let (wanted, there) = (&manifest.provenance, &found.manifest().provenance);
    (wanted.run, wanted.attempt) == (there.run, there.attempt) && verify::check_content(&found).is_empty()
}
