//! One process's part in making recovery lines.
//!
//! In: a manifest and memory at each dump. Out: events. Holds afterwards: every process has made
//! the same collective calls in the same order, whether its own dump went well or not.
//!
//! # How a line is known to be complete
//!
//! At each dump every process says what became of its dump before: the number when it was
//! published durably, 0 when it was not. The smallest of these is the number exactly when every
//! process has that line. Nobody waits for the answer: it is fetched at a later dump. A process that
//! failed brings the answer down to 0, for that line and no other.

use super::buffer::{in_place, Buffer, Ranges};
use super::form::Form;
use super::publish::{make_room, publish, Cleaning, Published, Spare, Unpublished};
use super::retention::Retention;
use super::thread::Worker;
use super::{DumpError, Event, Listener, Options, Outcome, Resumed};
use crate::codec::Packing;
use crate::files::Unsynced;
use crate::format::binary::{piece_bytes, Content};
use crate::format::history::{History, Past};
use crate::format::mark::Marks;
use crate::lock::Lock;
use crate::machine::Machine;
use crate::manifest::Manifest;
use crate::negotiate::Communicator;
use crate::settings::Busy;
use crate::storage::{Directory, EntryKind};
use crate::verify;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Writes the state files of one process.
pub struct Dumper {
    pub(super) directory: Directory,
    /// None where nobody else can be at work.
    pub(super) lock: Option<Arc<Lock>>,
    options: Options,
    form: Form,
    pub(super) run: u64,
    pub(super) listener: Listener,
    pub(super) retention: Retention,
    /// The newest dump that is over, and whether its file is durable here.
    previous: Option<(u64, bool)>,
    /// The dump that the worker is at.
    in_flight: Option<u64>,
    /// The lines that all processes have been asked about, oldest first; 0 for none.
    asked: VecDeque<u64>,
    /// Whether what was set aside when the run began is still there, or may be.
    aside: Aside,
    /// Whether it was noted that the run has had a complete line.
    complete: Complete,
    worker: Option<Worker<Job, Done>>,
    buffer: Buffer,
    /// What the files of this run hold; none when each is to be a full one.
    history: Option<Arc<Mutex<History>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aside {
    /// No line of this run is known to be complete yet.
    Needed,
    Useless,
    Gone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Complete {
    No,
    Known,
    Noted,
}

/// What the worker gets.
struct Job {
    manifest: Manifest,
    buffer: Buffer,
    unsynced: Vec<Unsynced>,
    tidying: Tidying,
}

/// What a dump does about older files.
struct Tidying {
    cleaning: Cleaning,
    /// Only when there is no room without.
    spare: Spare,
}

/// What the worker gives back.
struct Done {
    buffer: Buffer,
    result: Written,
}

/// What the account needs to know of a publication; the listener has been told the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Written {
    /// The lines that the file needs, if it has its name.
    appeared: Option<Vec<u64>>,
    /// It will have it whatever happens.
    durable: bool,
    /// Lines that had to make room.
    given_up: Vec<u64>,
}

impl Written {
    fn nothing() -> Written {
        Written { appeared: None, durable: false, given_up: Vec::new() }
    }
}

impl Dumper {
    /// `run` is the run's identity; `resumed` the line it was resumed from, if it was: the agreement
    /// has found it complete.
    pub fn start(
        directory: Directory,
        options: Options,
        run: u64,
        resumed: Option<Resumed>,
        listener: Listener,
    ) -> Dumper {
        let form = Form::of(&options.writer);
        let is_incremental = options.full_every > 1 && form.is_incremental();
        let history = is_incremental.then(|| Arc::new(Mutex::new(History::new(options.full_every))));
        let complete = if resumed.is_some() { Complete::Known } else { Complete::No };
        let retention = Retention::new(options.keep, present(&directory, resumed.as_ref()), resumed.map(|line| line.number));
        Dumper {
            directory,
            lock: None,
            form,
            options,
            run,
            listener,
            retention,
            previous: None,
            in_flight: None,
            asked: VecDeque::new(),
            aside: Aside::Needed,
            complete,
            worker: None,
            buffer: Buffer::default(),
            history,
        }
    }

    /// Nothing is changed in the directory any more once this lock is lost.
    pub fn guarded_by(mut self, lock: Option<Arc<Lock>>) -> Dumper {
        self.lock = lock;
        self
    }

    /// In a child of `fork` that takes the place of its parent: the thread that writes is not there, and what it had in its
    /// hands is lost. The lock is that of the child.
    pub fn begin_again(&mut self, lock: Option<Arc<Lock>>) {
        // To wait for a thread that is not there would last for ever.
        std::mem::forget(self.worker.take());
        if let Some(number) = self.in_flight.take() {
            self.fail(number, DumpError::Thread);
        }
        self.directory = self.directory.unshared();
        self.lock = lock;
        self.buffer = Buffer::default();
        self.history = self.history.is_some().then(|| Arc::new(Mutex::new(History::new(self.options.full_every))));
    }

    /// Dumps one state file; `memory` has a range for each block of the manifest, of its size.
    /// Every process calls this for the same numbers, which grow.
    ///
    /// # Safety
    /// Each range is readable and nothing writes to it until the call returns.
    pub unsafe fn dump(&mut self, communicator: &dyn Communicator, manifest: Manifest, memory: Ranges) -> Outcome {
        // SAFETY: the caller vouches for the ranges.
        unsafe { self.dump_after(communicator, manifest, memory, Vec::new()) }
    }

    /// The same; the file is published when what is `unsynced` of the program's own files is on the disk.
    ///
    /// # Safety
    /// As for `dump`.
    pub unsafe fn dump_after(
        &mut self,
        communicator: &dyn Communicator,
        manifest: Manifest,
        memory: Ranges,
        unsynced: Vec<Unsynced>,
    ) -> Outcome {
        if !self.settle(communicator) {
            return Outcome::Skipped;
        }
        self.ask(communicator);
        let number = manifest.provenance.number;
        if let Err(error) = check(&manifest, memory) {
            return self.fail(number, error);
        }
        let tidying = self.tidying();
        if !self.options.asynchronous || !self.form.is_beside() || !self.start_worker() {
            // SAFETY: the caller vouches for the ranges until this call returns.
            let blocks = unsafe { in_place(memory) };
            let work = self.work();
            let result = work.publish_after(&unsynced, &manifest, &blocks, &[], &tidying);
            let outcome = if result.durable { Outcome::Written } else { Outcome::Failed };
            self.account(number, result);
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
        Outcome::Started
    }

    /// Takes part in a dump on a process that has nothing it could write: the line will not be
    /// complete.
    pub fn abstain(&mut self, communicator: &dyn Communicator, number: u64) -> Outcome {
        if !self.settle(communicator) {
            return Outcome::Skipped;
        }
        self.ask(communicator);
        self.previous = Some((number, false));
        Outcome::Failed
    }

    /// The number of the oldest line that is there.
    pub fn oldest(&self) -> u64 {
        self.directory.lines().ok().and_then(|lines| lines.last().copied()).unwrap_or(0)
    }

    /// Waits until no dump is under way.
    pub fn wait(&mut self) {
        if let Some(number) = self.in_flight.take() {
            match self.worker.as_mut().and_then(Worker::wait) {
                Some(done) => self.take_back(number, done),
                None => self.lose_worker(number),
            }
        }
    }

    /// Makes sure that the dump before is over; false when all processes skip this one instead.
    fn settle(&mut self, communicator: &dyn Communicator) -> bool {
        if self.options.busy == Busy::Skip {
            self.look();
            // One process that is busy makes all skip: a line that one lacks is of no use.
            if communicator.min_u64(u64::from(self.in_flight.is_none())) == 0 {
                return false;
            }
        }
        self.wait();
        true
    }

    /// Takes the worker's result if it is there.
    fn look(&mut self) {
        let Some(number) = self.in_flight else { return };
        match self.worker.as_mut().and_then(Worker::finished) {
            Some(done) => {
                self.in_flight = None;
                self.take_back(number, done);
            }
            None if self.worker.as_ref().is_none_or(|worker| !worker.is_busy()) => {
                self.in_flight = None;
                self.lose_worker(number);
            }
            None => {}
        }
    }

    fn take_back(&mut self, number: u64, done: Done) {
        self.buffer = done.buffer;
        self.account(number, done.result);
    }

    fn lose_worker(&mut self, number: u64) {
        self.worker = None;
        self.fail(number, DumpError::Thread);
    }

    /// Asks all processes about the newest dump that is over, and hears what they say about earlier
    /// ones.
    fn ask(&mut self, communicator: &dyn Communicator) {
        let (number, here) = self.previous.unwrap_or((0, false));
        communicator.start_min(if here { number } else { 0 });
        self.asked.push_back(number);
        self.hear(communicator);
    }

    pub(super) fn hear(&mut self, communicator: &dyn Communicator) {
        while let Some(smallest) = communicator.finished_min() {
            let Some(number) = self.asked.pop_front() else { return };
            if number == 0 {
                continue;
            }
            let complete = smallest == number;
            self.retention.answered(number, complete);
            if complete {
                (self.listener)(Event::Complete { number });
                if self.aside == Aside::Needed {
                    self.aside = Aside::Useless;
                }
                if self.complete == Complete::No {
                    self.complete = Complete::Known;
                }
            }
        }
    }

    fn tidying(&mut self) -> Tidying {
        let aside = self.aside == Aside::Useless;
        if aside {
            self.aside = Aside::Gone;
        }
        let notes_complete = self.complete == Complete::Known;
        if notes_complete {
            self.complete = Complete::Noted;
        }
        let cleaning = Cleaning { lines: self.retention.retire(), aside, notes_complete };
        let spare = Spare { aside: self.aside == Aside::Needed, lines: self.retention.spare() };
        Tidying { cleaning, spare }
    }

    /// Notes what became of a dump; the listener has been told.
    fn account(&mut self, number: u64, result: Written) {
        if let Some(bases) = result.appeared {
            self.retention.appeared(number, bases);
        }
        self.retention.removed(&result.given_up);
        self.previous = Some((number, result.durable));
    }

    fn fail(&mut self, number: u64, error: DumpError) -> Outcome {
        (self.listener)(Event::Failed { number, error });
        self.previous = Some((number, false));
        Outcome::Failed
    }

    /// Pieces of which it is of use to know that they have not changed.
    fn piece_bytes(&self) -> Option<NonZeroUsize> {
        self.history.as_ref()?;
        NonZeroUsize::new(piece_bytes(self.options.packing.compress, true) as usize)
    }

    fn work(&self) -> Work {
        Work {
            directory: self.directory.clone(),
            lock: self.lock.clone(),
            form: self.form.clone(),
            packing: self.options.packing,
            history: self.history.clone(),
            listener: self.listener.clone(),
        }
    }

    /// False when there is no thread to be had: then the program waits for its dumps.
    fn start_worker(&mut self) -> bool {
        if self.worker.is_none() {
            let work = self.work();
            self.worker = Worker::start(move |job: Job| {
                let Job { manifest, buffer, unsynced, tidying } = job;
                let result = work.publish_after(&unsynced, &manifest, &buffer.blocks(), buffer.marks(), &tidying);
                Done { buffer, result }
            })
            .ok();
        }
        self.worker.is_some()
    }
}

/// What would make a file that cannot be read back.
fn check(manifest: &Manifest, memory: Ranges) -> Result<(), DumpError> {
    let same = manifest.blocks.len() == memory.len()
        && manifest.blocks.iter().zip(memory).all(|(block, range)| block.size_bytes == range.1 as u64);
    if !same {
        return Err(DumpError::Ranges { blocks: manifest.blocks.len(), ranges: memory.len() });
    }
    manifest.check(&Machine::THIS).map_err(DumpError::Manifest)
}

/// What both ways of writing share.
struct Work {
    directory: Directory,
    lock: Option<Arc<Lock>>,
    form: Form,
    packing: Packing,
    history: Option<Arc<Mutex<History>>>,
    listener: Listener,
}

impl Work {
    /// Publishes what relies on other files, once they are on the disk.
    fn publish_after(&self, unsynced: &[Unsynced], manifest: &Manifest, blocks: &[&[u8]], marks: &Marks, tidying: &Tidying) -> Written {
        if let Err(error) = Unsynced::sync_all(unsynced) {
            (self.listener)(Event::Failed { number: manifest.provenance.number, error: error.into() });
            return Written::nothing();
        }
        self.publish(manifest, blocks, marks, tidying)
    }

    /// Publishes and tells the listener.
    fn publish(&self, manifest: &Manifest, blocks: &[&[u8]], marks: &Marks, tidying: &Tidying) -> Written {
        let began = Instant::now();
        let number = manifest.provenance.number;
        let content = Content { blocks, packing: self.packing };
        // A dump that panicked has not changed it.
        let mut history = self.history.as_ref().map(|history| history.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(history) = &mut history {
            self.forget(history, &tidying.cleaning);
        }
        let (result, given_up) = self.publish_with_room(manifest, &content, history.as_deref_mut(), marks, tidying);
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
                Written { appeared: Some(bases), durable: true, given_up }
            }
            Err(unpublished) => {
                (self.listener)(Event::Failed { number, error: unpublished.error });
                Written { appeared: unpublished.appeared, durable: false, given_up }
            }
        }
    }

    /// Publishes; when the disk is full, what no restart needs makes room. Also says which lines did.
    fn publish_with_room(
        &self,
        manifest: &Manifest,
        content: &Content,
        mut history: Option<&mut History>,
        marks: &Marks,
        tidying: &Tidying,
    ) -> (Result<Published, Unpublished>, Vec<u64>) {
        let mut given_up = Vec::new();
        let mut cleaning = &tidying.cleaning;
        let nothing = Cleaning::default();
        loop {
            let past = history.as_deref().map(|history| Past { history, marks });
            let left = |error| (self.listener)(Event::NotRetired { error });
            let result = publish(&self.directory, self.lock.as_deref(), &self.form, manifest, content, past, cleaning, left);
            if !result.as_ref().is_err_and(|failed| failed.appeared.is_none() && failed.error.is_no_room()) {
                return (result, given_up);
            }
            // What is aside goes first, then lines; when neither is left, the dump has failed.
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

    /// No file leans on one that will be retired, or that somebody has taken away.
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

/// The files that are there, with the lines that they need.
fn present(directory: &Directory, resumed: Option<&Resumed>) -> Vec<(u64, Vec<u64>)> {
    // A directory that cannot be read will not be written either; the first dump says why.
    let lines = directory.lines().unwrap_or_default();
    let needs = |number: u64| match resumed {
        Some(resumed) if resumed.number == number => resumed.bases.clone(),
        // What cannot be read needs nothing.
        _ => verify::bases(&**directory.storage(), &directory.line(number)).unwrap_or_default(),
    };
    lines.into_iter().map(|number| (number, needs(number))).collect()
}
