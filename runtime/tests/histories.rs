//! Random histories of several lives on simulated disks: processes are killed, machines lose power,
//! operations fail, files are damaged, disks are full, one after the other and at once.
//!
//! What was reported as durable on all processes is found again, or something newer. What is found is exact
//! and of one start on all processes. A start that fails has met a fault, and has destroyed nothing.
//!
//! `CPPC_HISTORIES` sets how many are tried, `CPPC_HISTORY_SEED` the first one. A failure prints its seed.

mod fixture;

use cppc_prng::{from_environment, Random};
use cppc_runtime::agree::communicator::Words;
use cppc_runtime::agree::threaded::Stopped;
use cppc_runtime::agree::{agree, Communicator, ThreadedProcess};
use cppc_runtime::settings::Restart;
use cppc_runtime::storage::simulated::Unsynced;
use cppc_runtime::storage::{Directory, Simulated, Storage};
use cppc_runtime::write::{Dumper, Ending, Event, Options, Resumed};
use fixture::{assert_exact, blocks_of_start, expectation, manifest, options, ranges, APPLICATION};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Without `EACCES`: a directory above `dir` that can be searched but not opened is assumed to be durable
/// (docs/fault-model.md).
const ERRORS: [i32; 9] = [
    libc::EIO,
    libc::ENOSPC,
    libc::EDQUOT,
    libc::EMFILE,
    libc::ENFILE,
    libc::ESTALE,
    libc::ETIMEDOUT,
    libc::ENOMEM,
    libc::EROFS,
];

/// The events of all histories.
#[derive(Debug, Default)]
struct Counts {
    lives: AtomicU64,
    stops: AtomicU64,
    power_losses: AtomicU64,
    faults: AtomicU64,
    damages: AtomicU64,
    refusals: AtomicU64,
    resumed: AtomicU64,
}

fn add(count: &AtomicU64, more: u64) {
    count.fetch_add(more, Ordering::Relaxed);
}

/// Results of reductions arrive late, always by the same delay.
struct Late<'a> {
    all: &'a ThreadedProcess,
    waiting: Cell<u64>,
    delay: Cell<u64>,
}

impl Communicator for Late<'_> {
    fn rank(&self) -> u32 {
        self.all.rank()
    }
    fn processes(&self) -> u32 {
        self.all.processes()
    }
    fn min_u64(&self, value: u64) -> u64 {
        self.all.min_u64(value)
    }
    fn max_u64(&self, value: u64) -> u64 {
        self.all.max_u64(value)
    }
    fn broadcast_u64(&self, root: u32, value: u64) -> u64 {
        self.all.broadcast_u64(root, value)
    }
    fn barrier(&self) {
        self.all.barrier();
    }
    fn start_min(&self, value: u64) {
        self.waiting.set(self.waiting.get() + 1);
        self.all.start_min(value);
    }
    fn finished_min(&self) -> Option<u64> {
        if self.waiting.get() <= self.delay.get() {
            return None;
        }
        self.all.wait_mins();
        self.waiting.set(self.waiting.get() - 1);
        self.all.finished_min()
    }
    fn wait_mins(&self) {
        self.delay.set(0);
        self.all.wait_mins();
    }
    fn start_round(&self, words: Words) {
        self.all.start_round(words);
    }
    fn finished_round(&self) -> Option<Words> {
        self.all.finished_round()
    }
    fn end(&self, code: i32) -> ! {
        self.all.end(code)
    }
    fn stop(&self, code: i32) -> ! {
        self.all.stop(code)
    }
}

/// One life: from a start to its end, on all processes.
#[derive(Debug, Clone)]
struct Life {
    start: u64,
    dumps: u64,
    delay: u64,
    ending: Option<Ending>,
    options: Options,
    abstains: Option<(u32, u64)>,
}

/// What is known after it.
#[derive(Debug, Default)]
struct Outcome {
    /// The line that was resumed and the start that wrote it, if any; `None` if the agreement failed.
    agreed: Option<Option<(u64, u64)>>,
    errors: Vec<String>,
    published: Vec<BTreeSet<u64>>,
    /// The number of processes that have reached the end of the run.
    ended: u32,
    /// Other events, for a trace.
    told: Vec<String>,
}

fn directory(disk: &Simulated, rank: u32) -> Directory {
    Directory::new(Arc::new(disk.clone()), Path::new("/scratch/state"), APPLICATION, rank)
}

fn one_process(all: &ThreadedProcess, disk: &Simulated, life: &Life, outcome: &Arc<Mutex<Outcome>>) {
    let communicator = &Late { all, waiting: Cell::new(0), delay: Cell::new(life.delay) };
    let (rank, processes) = (communicator.rank(), communicator.processes());
    let agreed = agree(
        communicator,
        &directory(disk, rank),
        &expectation(rank, processes),
        Restart::Auto,
        life.start + 1,
    );
    let agreed = match agreed {
        Ok(agreed) => agreed,
        Err(error) => {
            outcome.lock().unwrap().errors.push(format!("rank {rank}: {error}"));
            return;
        }
    };
    let found = agreed.resume.as_ref().map(|state| {
        assert_exact(state, rank, processes);
        (state.manifest().provenance.number, state.manifest().provenance.calls)
    });
    {
        let mut outcome = outcome.lock().unwrap();
        let other = outcome.agreed.get_or_insert(found);
        assert_eq!(*other, found, "rank {rank} resumes something else");
    }
    let resumed = agreed
        .resume
        .map(|state| Resumed { number: state.manifest().provenance.number, bases: state.bases() });
    let told = outcome.clone();
    let listener = Arc::new(move |event: Event| match event {
        Event::Published { number, .. } => drop(told.lock().unwrap().published[rank as usize].insert(number)),
        Event::Failed { .. }
        | Event::Complete { .. }
        | Event::Retired { .. }
        | Event::NotRetired { .. }
        | Event::MadeRoom { .. }
        | Event::Mirrored { .. }
        | Event::NotMirrored { .. }
        | Event::Waits { .. }
        | Event::NotEnded { .. } => {
            told.lock().unwrap().told.push(format!("rank {rank}: {event:?}"));
        }
    });
    let mut dumper =
        Dumper::start(directory(disk, rank), life.options.clone(), agreed.run, resumed, listener);
    for dump in 0..life.dumps {
        if disk.has_stopped() {
            communicator.stop(9);
        }
        let number = agreed.next_number + dump;
        if life.abstains == Some((rank, dump)) {
            dumper.abstain(communicator, number);
            continue;
        }
        let state = blocks_of_start(life.start, rank, number);
        let mut described = manifest(agreed.run, number, rank, processes, &state);
        described.provenance.calls = life.start;
        // SAFETY: the blocks live until the end of this turn.
        unsafe { dumper.dump(communicator, described, &ranges(&state)) };
    }
    dumper.wait();
    if disk.has_stopped() {
        communicator.stop(9);
    }
    if let Some(ending) = life.ending {
        outcome.lock().unwrap().ended += 1;
        dumper.shutdown(communicator, ending);
    }
}

fn live(disks: &[Simulated], life: &Life) -> Outcome {
    let ranks = disks.len() as u32;
    let outcome = Outcome { published: vec![BTreeSet::new(); disks.len()], ..Outcome::default() };
    let outcome = Arc::new(Mutex::new(outcome));
    let results =
        ThreadedProcess::try_run(ranks, |all| one_process(all, &disks[all.rank() as usize], life, &outcome));
    for panic in results.into_iter().filter_map(Result::err) {
        if !panic.is::<Stopped>() {
            resume_unwind(panic);
        }
    }
    let mut outcome = outcome.lock().unwrap();
    std::mem::take(&mut *outcome)
}

impl Outcome {
    /// The newest line that every process has reported as durable.
    fn promised(&self) -> u64 {
        let on_all = |number: &&u64| self.published.iter().all(|rank| rank.contains(number));
        self.published[0].iter().rev().find(on_all).copied().unwrap_or(0)
    }
}

/// What a start may find.
#[derive(Debug, Clone, Copy)]
struct Promise {
    /// At least this line.
    line: u64,
    /// Also nothing: the run may have ended.
    or_nothing: bool,
    /// Files were damaged: the start may also be refused.
    is_damaged: bool,
}

impl Promise {
    const NOTHING: Promise = Promise { line: 0, or_nothing: true, is_damaged: false };
}

fn history(seed: u64, counts: &Counts) {
    let mut random = Random::new(seed);
    let ranks = random.pick(&[1, 1, 1, 2, 2, 3]);
    let mut disks: Vec<Simulated> = (0..ranks).map(|_| fresh_disk()).collect();
    let mut promise = Promise::NOTHING;
    let keep = 1 + random.number_below(3);
    let full_every = random.pick(&[1, 1, 2, 3, 30]);
    for start in 1..=2 + random.number_below(5) {
        let life = Life {
            start,
            dumps: random.number_below(9),
            delay: random.number_below(3),
            ending: random.once_in(8).then(|| random.pick(&[Ending::Delete, Ending::Keep])),
            options: Options { keep, full_every, asynchronous: random.once_in(3), ..options() },
            abstains: random.once_in(6).then(|| (random.number_below(ranks) as u32, random.number_below(8))),
        };
        let troubled = trouble(&mut random, &disks, &life, counts);
        let outcome = live(&disks, &life);
        if std::env::var_os("CPPC_HISTORY_TRACE").is_some() {
            eprintln!("{life:?}\n{outcome:?}");
            show("after it", &disks);
        }
        promise = check(promise, &outcome, troubled, counts);
        add(&counts.lives, 1);
        promise.is_damaged |= aftermath(&mut random, &mut disks, counts);
        if std::env::var_os("CPPC_HISTORY_TRACE").is_some() {
            show("before the next one", &disks);
        }
    }
    // Without faults everything works again.
    let life = Life {
        start: 100,
        dumps: 3,
        delay: 0,
        ending: None,
        options: Options { keep, full_every, ..options() },
        abstains: None,
    };
    let outcome = live(&disks, &life);
    check(promise, &outcome, false, counts);
    if !promise.is_damaged {
        assert!(outcome.promised() > 0, "no dump succeeds although all is well");
    }
}

/// The names on the disks, for a trace.
fn show(when: &str, disks: &[Simulated]) {
    for (rank, disk) in disks.iter().enumerate() {
        let directory = directory(disk, rank as u32);
        eprintln!(
            "{when}, rank {rank}: lines {:?}, aside {:?}, finished {:x?}, complete {:x?}",
            directory.lines(),
            directory.lines_aside(),
            directory.finished_runs(),
            directory.complete_runs(),
        );
    }
}

fn fresh_disk() -> Simulated {
    let disk = Simulated::new();
    disk.create_dir(Path::new("/scratch")).unwrap();
    disk.sync_dir(Path::new("/")).unwrap();
    disk
}

/// Chooses when processes stop and which operations fail. Returns whether any outcome is allowed.
fn trouble(random: &mut Random, disks: &[Simulated], life: &Life, counts: &Counts) -> bool {
    // About the number of operations of a process.
    let length = 40 + life.dumps * 14;
    let mut troubled = false;
    for disk in disks {
        let now = disk.operations();
        if random.once_in(2) {
            disk.stop_before(now + random.number_below(length));
            add(&counts.stops, 1);
            troubled = true;
        }
        while random.once_in(3) {
            // Most of the reads are at the start.
            let reach = random.pick(&[20, length, length, length]);
            // Permanent failures are tested in `faults.rs`.
            disk.fail_at(now + random.number_below(reach), random.pick(&ERRORS), false);
            add(&counts.faults, 1);
            troubled = true;
        }
        let room = random.once_in(10).then(|| 4000 + random.number_below(30_000));
        disk.limit(room, random.pick(&[libc::ENOSPC, libc::EDQUOT]));
        troubled |= room.is_some();
    }
    troubled
}

/// Changes the disks after all processes have ended. Returns whether files were damaged.
fn aftermath(random: &mut Random, disks: &mut [Simulated], counts: &Counts) -> bool {
    let mut is_damaged = false;
    let everywhere = random.once_in(4);
    for (rank, disk) in disks.iter_mut().enumerate() {
        disk.limit(None, libc::ENOSPC);
        disk.restart_process();
        if everywhere || random.once_in(3) {
            let fate = match random.number_below(4) {
                0 => Unsynced::Lost,
                1 => Unsynced::Kept,
                _ => Unsynced::Torn(random.next()),
            };
            *disk = disk.after_crash(fate);
            add(&counts.power_losses, 1);
        }
        if random.once_in(30) {
            let directory = directory(disk, rank as u32);
            let newest = directory.lines().unwrap_or_default().first().copied().unwrap_or(0);
            is_damaged |= disk.corrupt(&directory.line(newest), random.below(6000));
            add(&counts.damages, is_damaged.into());
        }
    }
    is_damaged
}

/// Compares what was found with what was required, and updates what is required from now on.
fn check(promise: Promise, outcome: &Outcome, troubled: bool, counts: &Counts) -> Promise {
    let Some(agreed) = outcome.agreed else {
        assert!(troubled || promise.is_damaged, "refused without a fault: {:?}", outcome.errors);
        add(&counts.refusals, 1);
        return promise;
    };
    let found = agreed.map_or(0, |(line, _)| line);
    add(&counts.resumed, (found > 0).into());
    let is_kept = found >= promise.line || (found == 0 && promise.or_nothing) || promise.is_damaged;
    assert!(is_kept, "found line {found}, and {promise:?}");
    let ended = outcome.ended as usize == outcome.published.len();
    Promise {
        line: outcome.promised().max(found),
        or_nothing: ended || (found == 0 && outcome.promised() == 0),
        is_damaged: promise.is_damaged,
    }
}

fn campaign(name: &str, first: u64, histories: u64) {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !panic.payload().is::<Stopped>() {
            default(panic);
        }
    }));
    let counts = Counts::default();
    // With different seeds, each test tries different histories.
    let first = std::env::var("CPPC_HISTORY_SEED")
        .map_or(first, |_| first - 1 + from_environment("CPPC_HISTORY_SEED", 0));
    let histories = from_environment("CPPC_HISTORIES", histories);
    for seed in first..first + histories {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| history(seed, &counts))) {
            eprintln!("the history with the seed {seed} failed: CPPC_HISTORY_SEED={seed} CPPC_HISTORIES=1 cargo test -p cppc-runtime --test histories from_1_on");
            resume_unwind(panic);
        }
    }
    println!("{name}: {histories} histories from seed {first}: {counts:?}");
}

#[test]
fn histories_of_seeds_from_1_on() {
    campaign("histories_of_seeds_from_1_on", 1, 1500);
}

#[test]
fn histories_of_seeds_from_1000001_on() {
    campaign("histories_of_seeds_from_1000001_on", 1_000_001, 1500);
}

#[test]
fn histories_of_seeds_from_2000001_on() {
    campaign("histories_of_seeds_from_2000001_on", 2_000_001, 1500);
}

#[test]
fn histories_of_seeds_from_3000001_on() {
    campaign("histories_of_seeds_from_3000001_on", 3_000_001, 1500);
}
