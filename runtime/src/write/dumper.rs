//! The part of one process in making recovery lines.
//!
//! Input: a manifest and memory at each dump.
//! Output: events.
//! Postcondition: every process has made the same collective calls in the same order, whether its own dump
//! succeeded or not.
//!
//! # How the processes know that a line is complete
//!
//! At each dump every process reports the result of its previous dump: the number of the line if it was
//! published durably, else 0. The smallest report is the number exactly when every process has that line. No
//! process waits for the result: it is fetched at a later dump. A process that failed makes the result 0, for
//! that line and no other.

use super::buffer::{in_place, Buffer, Ranges};
use super::mirror::{Mirror, Shared};
use super::publish::{make_room, publish, Cleaning, Published, Spare, Unpublished};
use super::retention::Retention;
use super::state_writer::StateWriter;
use super::thread::{Events, Worker};
use super::{DumpError, DumpOutcome, Event, Listener, Options, Resumed};
use crate::agree::demand::Newest;
use crate::agree::Communicator;
use crate::codec::CompressionOptions;
use crate::files::UnsyncedFile;
use crate::format::binary::{piece_bytes, DumpContent};
use crate::format::digest::Digests;
use crate::format::history::{History, Past};
use crate::lock::Lock;
use crate::machine::Machine;
use crate::manifest::Manifest;
use crate::settings::Busy;
use crate::storage::{Directory, EntryKind};
use crate::verify;
use rustix::time::{clock_gettime, ClockId};
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Writes the state files of one process.
pub struct Dumper {
    pub(super) directory: Directory,
    /// `None` if no other process can work in the directory.
    pub(super) lock: Option<Arc<Lock>>,
    pub(super) mirror: Option<Mirror>,
    pub(super) options: Options,
    writer: StateWriter,
    pub(super) run: u64,
    pub(super) listener: Listener,
    pub(super) retention: Retention,
    /// The newest dump that has ended, and whether its file is durable on this process.
    previous: Option<(u64, bool)>,
    /// The dump that the worker is writing.
    in_flight: Option<u64>,
    /// The lines about which all processes were asked, oldest first; 0 for none.
    asked: VecDeque<u64>,
    /// The newest line that this process knows to be complete; 0 for none.
    newest_complete: u64,
    /// Whether files that were set aside when the run began may still be there.
    aside: SetAside,
    /// Whether the run has had a complete line, and whether that was recorded.
    complete: CompleteMarker,
    worker: Option<Worker<Job, JobResult>>,
    /// Whether it was reported that the program waits for its dumps.
    waits: bool,
    written: Duration,
    buffer: Buffer,
    /// The history of the files of this run; `None` if each file is to be a full one.
    history: Option<Arc<Mutex<History>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SetAside {
    /// No line of this run is known to be complete yet.
    Needed,
    Useless,
    Gone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CompleteMarker {
    No,
    Known,
    Noted,
}

/// What the worker receives.
struct Job {
    manifest: Manifest,
    buffer: Buffer,
    unsynced: Vec<UnsyncedFile>,
    tidying: Tidying,
}

/// What a dump does with older files.
struct Tidying {
    cleaning: Cleaning,
    /// Used only if the disk is full.
    spare: Spare,
}

/// What the worker returns.
struct JobResult {
    buffer: Buffer,
    result: DumpResult,
    processor_time: Duration,
}

/// What the dumper needs to know about a publication. The listener has received the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DumpResult {
    /// If the file has its name: the lines that it needs.
    appeared: Option<Vec<u64>>,
    /// The file keeps its name after a crash.
    durable: bool,
    /// Lines that were removed to make room.
    given_up: Vec<u64>,
}

impl DumpResult {
    fn nothing() -> DumpResult {
        DumpResult { appeared: None, durable: false, given_up: Vec::new() }
    }
}

impl Dumper {
    /// `run` is the random number of the run. `resumed` is the line from which it was resumed, if any; the
    /// agreement has found that line complete.
    pub fn start(
        directory: Directory,
        options: Options,
        run: u64,
        resumed: Option<Resumed>,
        listener: Listener,
    ) -> Dumper {
        let form = StateWriter::of(&options.writer);
        let is_incremental = options.full_every > 1 && form.is_incremental();
        let history = is_incremental.then(|| Arc::new(Mutex::new(History::new(options.full_every))));
        let complete = if resumed.is_some() { CompleteMarker::Known } else { CompleteMarker::No };
        let retention = Retention::new(
            options.keep,
            present(&directory, resumed.as_ref()),
            resumed.map(|line| line.number),
        );
        Dumper {
            directory,
            lock: None,
            mirror: None,
            writer: form,
            options,
            run,
            listener,
            retention,
            previous: None,
            in_flight: None,
            asked: VecDeque::new(),
            newest_complete: 0,
            aside: SetAside::Needed,
            complete,
            worker: None,
            waits: false,
            written: Duration::ZERO,
            buffer: Buffer::default(),
            history,
        }
    }

    /// Makes the dumper change nothing in the directory when this lock is lost.
    pub fn guarded_by(mut self, lock: Option<Arc<Lock>>) -> Dumper {
        self.lock = lock;
        self
    }

    /// Prepares the dumper in a child of `fork` that takes the place of its parent. The thread that writes
    /// does not exist there, and the dump that it was writing is lost. The lock is that of the child.
    pub fn restart_in_child(&mut self, lock: Option<Arc<Lock>>, mirror_lock: Option<Arc<Lock>>) {
        // Waiting for a thread that does not exist would never end.
        std::mem::forget(self.worker.take());
        if let Some(number) = self.in_flight.take() {
            self.fail(number, DumpError::Thread);
        }
        self.directory = self.directory.unshared();
        self.lock = lock;
        if let Some(mirror) = &mut self.mirror {
            mirror.restart_in_child(&self.directory, mirror_lock);
        }
        self.buffer = Buffer::default();
        self.history =
            self.history.is_some().then(|| Arc::new(Mutex::new(History::new(self.options.full_every))));
    }

    /// Dumps one state file. `memory` has a range for each memory block of the manifest, of its size. Every
    /// process calls this for the same numbers, which increase.
    ///
    /// # Safety
    /// Each range is readable and nothing writes to it until the call returns.
    pub unsafe fn dump(
        &mut self,
        communicator: &dyn Communicator,
        manifest: Manifest,
        memory: Ranges,
    ) -> DumpOutcome {
        // SAFETY: the caller vouches for the ranges.
        unsafe { self.dump_after(communicator, manifest, memory, Vec::new()) }
    }

    /// The same, but the file is published only after the files in `unsynced` are on the disk.
    ///
    /// # Safety
    /// As for `dump`.
    pub unsafe fn dump_after(
        &mut self,
        communicator: &dyn Communicator,
        manifest: Manifest,
        memory: Ranges,
        unsynced: Vec<UnsyncedFile>,
    ) -> DumpOutcome {
        if !self.wait_or_skip(communicator) {
            return DumpOutcome::Skipped;
        }
        self.ask(communicator);
        let number = manifest.provenance.number;
        if let Err(error) = check(&manifest, memory) {
            return self.fail(number, error);
        }
        let tidying = self.tidying();
        if !self.options.asynchronous || !self.writer.is_asynchronous() || !self.start_worker() {
            // SAFETY: the caller vouches for the ranges until this call returns.
            let blocks = unsafe { in_place(memory) };
            let work = self.task();
            let result = work.publish_after(&unsynced, &manifest, &blocks, &[], &tidying);
            let outcome = if result.durable { DumpOutcome::Written } else { DumpOutcome::Failed };
            self.record(number, result);
            return outcome;
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        // SAFETY: the caller vouches for the ranges.
        if let Err(error) = unsafe { buffer.copy(memory, self.piece_bytes()) } {
            return self.fail(number, error);
        }
        let job = Job { manifest, buffer, unsynced, tidying };
        if !self.worker.as_mut().is_some_and(|worker| worker.give(job)) {
            return self.fail(number, DumpError::Thread);
        }
        self.in_flight = Some(number);
        DumpOutcome::Started
    }

    /// Takes part in a dump on a process that cannot write. The line will not be complete.
    pub fn abstain(&mut self, communicator: &dyn Communicator, number: u64) -> DumpOutcome {
        if !self.wait_or_skip(communicator) {
            return DumpOutcome::Skipped;
        }
        self.ask(communicator);
        self.previous = Some((number, false));
        DumpOutcome::Failed
    }

    /// The number of the oldest line in the directory; 0 if there is none.
    pub fn oldest(&self) -> u64 {
        self.directory.lines().ok().and_then(|lines| lines.last().copied()).unwrap_or(0)
    }

    /// The newest dump.
    pub fn newest(&mut self) -> Newest {
        self.poll_worker();
        match (self.in_flight, self.previous) {
            (Some(_), _) => Newest::Unfinished,
            (None, Some((number, true))) => Newest::Ended(number),
            (None, Some((_, false)) | None) => Newest::Ended(0),
        }
    }

    /// The newest line that this process knows to be complete; 0 for none.
    pub fn newest_complete(&self) -> u64 {
        self.newest_complete
    }

    /// The processor time of the thread that has written the newest file.
    pub fn written(&self) -> Duration {
        self.written
    }

    /// Waits until no dump is in progress.
    pub fn wait(&mut self) {
        if let Some(number) = self.in_flight.take() {
            match self.worker.as_mut().and_then(Worker::wait) {
                Some(done) => self.finish_job(number, done),
                None => self.lose_worker(number),
            }
        }
    }

    /// Waits for the previous dump. False if all processes skip this dump instead.
    fn wait_or_skip(&mut self, communicator: &dyn Communicator) -> bool {
        if self.options.busy == Busy::Skip {
            self.poll_worker();
            // If one process is busy, all skip: a line that one of them lacks is useless.
            if communicator.min_u64(u64::from(self.in_flight.is_none())) == 0 {
                return false;
            }
        }
        self.wait();
        true
    }

    /// Takes the worker's result if it is available.
    fn poll_worker(&mut self) {
        let Some(number) = self.in_flight else { return };
        match self.worker.as_mut().and_then(Worker::finished) {
            Some(done) => {
                self.in_flight = None;
                self.finish_job(number, done);
            }
            None if self.worker.as_ref().is_none_or(|worker| !worker.is_busy()) => {
                self.in_flight = None;
                self.lose_worker(number);
            }
            None => {}
        }
    }

    fn finish_job(&mut self, number: u64, done: JobResult) {
        self.buffer = done.buffer;
        self.written = done.processor_time;
        self.record(number, done.result);
    }

    fn lose_worker(&mut self, number: u64) {
        self.worker = None;
        self.fail(number, DumpError::Thread);
    }

    /// Asks all processes whether they have the newest dump that has ended, and collects the answers about
    /// earlier ones.
    fn ask(&mut self, communicator: &dyn Communicator) {
        let (number, here) = self.previous.unwrap_or((0, false));
        communicator.start_min(if here { number } else { 0 });
        self.asked.push_back(number);
        self.collect_answers(communicator);
    }

    pub(super) fn collect_answers(&mut self, communicator: &dyn Communicator) {
        while let Some(smallest) = communicator.finished_min() {
            let Some(number) = self.asked.pop_front() else { return };
            if number == 0 {
                continue;
            }
            let complete = smallest == number;
            self.retention.answered(number, complete);
            if complete {
                self.newest_complete = self.newest_complete.max(number);
                (self.listener)(Event::Complete { number });
                if self.aside == SetAside::Needed {
                    self.aside = SetAside::Useless;
                }
                if self.complete == CompleteMarker::No {
                    self.complete = CompleteMarker::Known;
                }
            }
        }
    }

    fn tidying(&mut self) -> Tidying {
        let aside = self.aside == SetAside::Useless;
        if aside {
            self.aside = SetAside::Gone;
        }
        let notes_complete = self.complete == CompleteMarker::Known;
        if notes_complete {
            self.complete = CompleteMarker::Noted;
        }
        let cleaning =
            Cleaning { lines: self.retention.retire(), aside, notes_complete, ..Cleaning::default() };
        let spare = Spare { aside: self.aside == SetAside::Needed, lines: self.retention.spare() };
        Tidying { cleaning, spare }
    }

    /// Records the result of a dump. The listener has been informed already.
    fn record(&mut self, number: u64, result: DumpResult) {
        if let Some(bases) = result.appeared {
            self.retention.appeared(number, bases);
        }
        self.retention.removed(&result.given_up);
        self.previous = Some((number, result.durable));
    }

    fn fail(&mut self, number: u64, error: DumpError) -> DumpOutcome {
        (self.listener)(Event::Failed { number, error });
        self.previous = Some((number, false));
        DumpOutcome::Failed
    }

    /// The piece size for which unchanged pieces are tracked; `None` if there is no history.
    fn piece_bytes(&self) -> Option<NonZeroUsize> {
        self.history.as_ref()?;
        NonZeroUsize::new(piece_bytes(self.options.compression.compress, true) as usize)
    }

    fn task(&self) -> DumpTask {
        DumpTask {
            directory: self.directory.clone(),
            lock: self.lock.clone(),
            form: self.writer.clone(),
            compression: self.options.compression,
            history: self.history.clone(),
            listener: self.listener.clone(),
            mirror: self.mirror.as_ref().map(Mirror::shared),
        }
    }

    /// False if no thread can be started: then the program waits for its dumps.
    fn start_worker(&mut self) -> bool {
        if self.worker.is_some() {
            return true;
        }
        let task = self.task();
        let listener = self.listener.clone();
        let work = move |events: Events<Event, JobResult>| {
            let work = DumpTask { listener: Arc::new(move |event| events.send(event)), ..task };
            move |job: Job| {
                let Job { manifest, buffer, unsynced, tidying } = job;
                let before = processor_time();
                let result =
                    work.publish_after(&unsynced, &manifest, &buffer.blocks(), buffer.digests(), &tidying);
                JobResult { buffer, result, processor_time: processor_time().saturating_sub(before) }
            }
        };
        match Worker::start(work, move |event| listener(event)) {
            Ok(worker) => self.worker = Some(worker),
            Err(reason) => {
                if !std::mem::replace(&mut self.waits, true) {
                    (self.listener)(Event::Waits { reason });
                }
            }
        }
        self.worker.is_some()
    }
}

/// The processor time of this thread.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Refuses a dump that would make a file that cannot be read back.
fn check(manifest: &Manifest, memory: Ranges) -> Result<(), DumpError> {
    let same = manifest.blocks.len() == memory.len()
        && manifest.blocks.iter().zip(memory).all(|(block, range)| block.size_bytes == range.1 as u64);
    if !same {
        return Err(DumpError::Ranges { blocks: manifest.blocks.len(), ranges: memory.len() });
    }
    manifest.check(&Machine::THIS).map_err(DumpError::Manifest)
}

/// What synchronous and asynchronous dumps share.
struct DumpTask {
    directory: Directory,
    lock: Option<Arc<Lock>>,
    form: StateWriter,
    compression: CompressionOptions,
    history: Option<Arc<Mutex<History>>>,
    listener: Listener,
    /// What is known of the thread that copies to the mirror.
    mirror: Option<Arc<Shared>>,
}

impl DumpTask {
    /// Publishes a state file that depends on files of the program, after those are on the disk.
    fn publish_after(
        &self,
        unsynced: &[UnsyncedFile],
        manifest: &Manifest,
        blocks: &[&[u8]],
        digests: &Digests,
        tidying: &Tidying,
    ) -> DumpResult {
        if let Err(error) = UnsyncedFile::sync_all(unsynced) {
            (self.listener)(Event::Failed { number: manifest.provenance.number, error: error.into() });
            return DumpResult::nothing();
        }
        self.publish(manifest, blocks, digests, tidying)
    }

    /// Publishes, and informs the listener.
    fn publish(
        &self,
        manifest: &Manifest,
        blocks: &[&[u8]],
        digests: &Digests,
        tidying: &Tidying,
    ) -> DumpResult {
        let began = Instant::now();
        let number = manifest.provenance.number;
        let content = DumpContent { blocks, compression: self.compression };
        // A dump that panicked has not changed the history.
        let mut history =
            self.history.as_ref().map(|history| history.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(history) = &mut history {
            self.forget(history, &tidying.cleaning);
        }
        let (result, given_up) =
            self.publish_with_room(manifest, &content, history.as_deref_mut(), digests, tidying);
        for &number in tidying.cleaning.lines.iter().chain(&given_up) {
            (self.listener)(Event::Retired { number });
        }
        match result {
            Ok(published) => {
                let bases = published.account.as_ref().map_or(Vec::new(), |account| account.bases().to_vec());
                if let (Some(history), Some(account)) = (&mut history, published.account) {
                    history.accept(account);
                }
                (self.listener)(Event::Published {
                    number,
                    path: self.directory.line(number),
                    size_bytes: published.size_bytes,
                    bases: bases.clone(),
                    took: began.elapsed(),
                    recycled: published.recycled,
                });
                DumpResult { appeared: Some(bases), durable: true, given_up }
            }
            Err(unpublished) => {
                (self.listener)(Event::Failed { number, error: unpublished.error });
                DumpResult { appeared: unpublished.appeared, durable: false, given_up }
            }
        }
    }

    /// Publishes. If the disk is full, removes files that no restart needs, and returns the removed lines.
    fn publish_with_room(
        &self,
        manifest: &Manifest,
        content: &DumpContent,
        mut history: Option<&mut History>,
        digests: &Digests,
        tidying: &Tidying,
    ) -> (Result<Published, Unpublished>, Vec<u64>) {
        let mut given_up = Vec::new();
        let in_use = self.mirror.as_ref().map(|mirror| mirror.in_use()).unwrap_or_default();
        let first = Cleaning { in_use, ..tidying.cleaning.clone() };
        let mut cleaning = &first;
        let nothing = Cleaning::default();
        loop {
            let past = history.as_deref().map(|history| Past { history, digests });
            let left = |error| (self.listener)(Event::NotRetired { error });
            let result = publish(
                &self.directory,
                self.lock.as_deref(),
                &self.form,
                manifest,
                content,
                past,
                cleaning,
                left,
            );
            if !result.as_ref().is_err_and(|failed| failed.appeared.is_none() && failed.error.is_no_room()) {
                return (result, given_up);
            }
            // Set-aside files are removed first, then lines. If there are neither, the dump fails.
            let (aside, lines) = make_room(&self.directory, &tidying.spare);
            if aside == 0 && lines.is_empty() {
                return (result, given_up);
            }
            if let Some(history) = history.as_deref_mut() {
                history.forget(&lines);
            }
            given_up.extend(&lines);
            (self.listener)(Event::MadeRoom { aside, lines });
            cleaning = &nothing;
        }
    }

    /// Forgets the files that will be retired and those that are missing, so that no new file depends on
    /// them.
    fn forget(&self, history: &mut History, cleaning: &Cleaning) {
        let is_there = |line: u64| {
            let entry = self.directory.storage().entry(&self.directory.line(line));
            entry.is_ok_and(|entry| entry.kind == EntryKind::File)
        };
        let gone: Vec<u64> =
            history.lines().filter(|line| cleaning.lines.contains(line) || !is_there(*line)).collect();
        history.forget(&gone);
    }
}

/// The state files in the directory, with the lines that they need.
fn present(directory: &Directory, resumed: Option<&Resumed>) -> Vec<(u64, Vec<u64>)> {
    // If the directory cannot be read, it cannot be written either, and the first dump reports that.
    let lines = directory.lines().unwrap_or_default();
    let needs = |number: u64| match resumed {
        Some(resumed) if resumed.number == number => resumed.bases.clone(),
        // A file that cannot be read needs no other.
        _ => verify::bases(&**directory.storage(), &directory.line(number)).unwrap_or_default(),
    };
    lines.into_iter().map(|number| (number, needs(number))).collect()
}
