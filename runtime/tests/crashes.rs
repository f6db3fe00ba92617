//! The machine stops before and after every operation of every kind of work on the disk. Whatever part of the
//! unsynced data survives, the newest complete line is found, exact, and equal on all processes.
//!
//! `CPPC_TORN` is the number of random losses of unsynced data that are tried at each operation.

mod fixture;

use cppc_prng::from_environment;
use cppc_runtime::agree::{agree, Communicator, ThreadedProcess};
use cppc_runtime::manifest::Manifest;
use cppc_runtime::settings::Restart;
use cppc_runtime::storage::simulated::Unsynced;
use cppc_runtime::storage::{Directory, Simulated};
use cppc_runtime::write::{Dumper, Ending, Event, Options, Resumed};
use fixture::{assert_exact, blocks_of_start, expectation, manifest, options, ranges, APPLICATION};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

const RANKS: u32 = 3;

/// The work of one process from its start to its end.
#[derive(Debug, Clone)]
struct Life {
    restart: Restart,
    dumps: u64,
    /// One process does not take part in this dump, counted from 0.
    abstains: Option<(u32, u64)>,
    ending: Option<Ending>,
    options: Options,
    /// Distinguishes what is written from earlier content; the file has it as `calls`.
    start: u64,
    /// This process is always the last.
    slow: Option<u32>,
}

impl Life {
    fn of(dumps: u64) -> Life {
        Life {
            restart: Restart::Auto,
            dumps,
            abstains: None,
            ending: None,
            options: options(),
            start: 1,
            slow: None,
        }
    }

    fn incremental(dumps: u64, full_every: u64) -> Life {
        let mut life = Life::of(dumps);
        life.options.full_every = full_every;
        life
    }

    fn dawdle(&self, rank: u32) {
        if self.slow == Some(rank) {
            std::thread::sleep(std::time::Duration::from_micros(300));
        }
    }
}

/// What is certain when the machine stops.
#[derive(Debug, Default)]
struct Truth {
    /// The lines that were reported as published, for each rank.
    published: Vec<BTreeSet<u64>>,
    /// The number of processes that have reached the end of the run.
    ended: u32,
}

impl Truth {
    fn newest_complete(&self) -> u64 {
        let on_all = |number: &&u64| self.published.iter().all(|rank| rank.contains(number));
        self.published.first().and_then(|rank| rank.iter().rev().find(on_all)).copied().unwrap_or(0)
    }
}

fn directory(disk: &Simulated, rank: u32) -> Directory {
    Directory::new(Arc::new(disk.clone()), Path::new("/scratch/state"), APPLICATION, rank)
}

/// Runs all processes on the disk and returns what they know for certain. `before` has the lines that were
/// complete earlier.
fn live(disk: &Simulated, life: &Life, before: u64) -> Truth {
    let seed = BTreeSet::from([before]);
    let truth = Mutex::new(Truth { published: vec![seed; RANKS as usize], ended: 0 });
    let truth = Arc::new(truth);
    ThreadedProcess::run(RANKS, |communicator| one_process(communicator, disk, life, &truth));
    Arc::into_inner(truth).unwrap().into_inner().unwrap()
}

fn one_process(communicator: &ThreadedProcess, disk: &Simulated, life: &Life, truth: &Arc<Mutex<Truth>>) {
    let rank = communicator.rank();
    let directory = directory(disk, rank);
    life.dawdle(rank);
    let agreed = agree(communicator, &directory, &expectation(rank, RANKS), life.restart, 42);
    let agreed = match agreed {
        Ok(agreed) => agreed,
        Err(_) if disk.has_stopped() => return,
        Err(error) => panic!("rank {rank}: {error}"),
    };
    if let Some(state) = &agreed.resume {
        assert_exact(state, rank, RANKS);
    }
    let resumed = agreed
        .resume
        .map(|state| Resumed { number: state.manifest().provenance.number, bases: state.bases() });
    let told = truth.clone();
    let listener = Arc::new(move |event: Event| {
        if let Event::Published { number, .. } = event {
            told.lock().unwrap().published[rank as usize].insert(number);
        }
    });
    let mut dumper = Dumper::start(directory, life.options.clone(), agreed.run, resumed, listener);
    for dump in 0..life.dumps {
        let number = agreed.next_number + dump;
        if life.abstains == Some((rank, dump)) {
            dumper.abstain(communicator, number);
            continue;
        }
        life.dawdle(rank);
        let state = blocks_of_start(life.start, rank, number);
        let mut described: Manifest = manifest(agreed.run, number, rank, RANKS, &state);
        described.provenance.calls = life.start;
        // SAFETY: the blocks live until the end of this turn.
        unsafe { dumper.dump(communicator, described, &ranges(&state)) };
    }
    match life.ending {
        Some(ending) => {
            life.dawdle(rank);
            if !disk.has_stopped() {
                truth.lock().unwrap().ended += 1;
            }
            dumper.shutdown(communicator, ending);
        }
        None => dumper.wait(),
    }
}

/// Starts again on the disk after the crash: the required state is found, and the run can continue.
fn check_survivor(disk: &Simulated, truth: &Truth, context: &str) {
    let lines = ThreadedProcess::run(RANKS, |communicator| {
        let rank = communicator.rank();
        let agreed =
            agree(communicator, &directory(disk, rank), &expectation(rank, RANKS), Restart::Auto, 43)
                .unwrap_or_else(|error| panic!("{context}: {error}"));
        if let Some(state) = &agreed.resume {
            assert_exact(state, rank, RANKS);
        }
        let said = agreed.resume.as_ref().map(|state| &state.manifest().provenance);
        let (number, start) = said.map_or((0, 0), |said| (said.number, said.calls));
        assert!(agreed.next_number > number);
        (number, start, agreed.next_number, agreed.run)
    });
    assert!(lines.iter().all(|line| *line == lines[0]), "{context}: {lines:?}");
    let finished = truth.ended == RANKS;
    let wanted = truth.newest_complete();
    assert!(
        lines[0].0 >= wanted || (finished && lines[0].0 == 0),
        "{context}: found line {}, and {wanted} was complete",
        lines[0].0
    );
    // The next run reaches a new complete line.
    let mut next = Life::of(2);
    next.start = 100;
    let after = live(disk, &next, 0);
    assert!(after.newest_complete() > 0, "{context}");
}

/// Stops the machine before every operation of the life, on a disk that `prepare` makes.
fn stop_everywhere(name: &str, prepare: impl Fn() -> (Simulated, u64), life: &Life) {
    let (disk, before) = prepare();
    let first = disk.operations();
    live(&disk, life, before);
    let last = disk.operations();
    assert!(last > first + 20, "{name}: the scenario does something");
    // With threads the number of operations varies, so a few more are tried.
    for at in first..last + 3 {
        let (disk, before) = prepare();
        disk.stop_before(disk.operations() + (at - first));
        let truth = live(&disk, life, before);
        let torn = (0..from_environment("CPPC_TORN", 1)).map(|number| Unsynced::Torn(at + 1000 * number));
        for unsynced in [Unsynced::Lost, Unsynced::Kept].into_iter().chain(torn) {
            let context = format!("{name}, stopped before operation {at}, unsynced {unsynced:?}");
            check_survivor(&disk.after_crash(unsynced), &truth, &context);
        }
    }
}

fn empty() -> (Simulated, u64) {
    let disk = Simulated::new();
    use cppc_runtime::storage::Storage;
    disk.create_dir(Path::new("/scratch")).unwrap();
    disk.sync_dir(Path::new("/")).unwrap();
    (disk, 0)
}

/// After a killed run: lines, one of which only some processes have.
fn used() -> (Simulated, u64) {
    used_by(Life::of(4))
}

/// The same, and the line that is resumed depends on others.
fn used_incrementally() -> (Simulated, u64) {
    used_by(Life::incremental(4, 4))
}

fn used_by(mut life: Life) -> (Simulated, u64) {
    let (disk, _) = empty();
    life.abstains = Some((1, 3));
    life.start = 0;
    let truth = live(&disk, &life, 0);
    (disk.after_crash(Unsynced::Kept), truth.newest_complete())
}

#[test]
fn publish_recycle_and_retire() {
    stop_everywhere("five dumps", empty, &Life::of(5));
}

#[test]
fn publish_recycle_and_retire_without_the_thread() {
    let mut life = Life::of(5);
    life.options.asynchronous = false;
    stop_everywhere("five dumps, synchronous", empty, &life);
}

#[test]
fn two_lines_kept() {
    let mut life = Life::of(6);
    life.options.keep = 2;
    stop_everywhere("six dumps, two lines kept", empty, &life);
}

#[test]
fn lines_that_lean_on_others() {
    for (dumps, full_every, keep) in [(5, 3, 1), (6, 4, 2), (5, 100, 1)] {
        let mut life = Life::incremental(dumps, full_every);
        life.options.keep = keep;
        stop_everywhere(&format!("{dumps} dumps, every {full_every}th full, {keep} kept"), empty, &life);
    }
}

#[test]
fn lines_that_lean_on_others_without_the_thread() {
    let mut life = Life::incremental(5, 3);
    life.options.asynchronous = false;
    stop_everywhere("five dumps, every third full, synchronous", empty, &life);
}

#[test]
fn a_process_that_fails_in_between_and_lines_that_lean_on_others() {
    // The third line would depend on the second, which is removed because one process does not have it.
    for (dumps, without) in [(4, 1), (6, 2)] {
        let mut life = Life::incremental(dumps, 4);
        life.abstains = Some((1, without));
        stop_everywhere("every fourth full, one process without one", empty, &life);
    }
}

#[test]
fn a_resumed_line_that_leans_on_others_lives_until_there_is_another() {
    stop_everywhere("resume upon others and three dumps", used_incrementally, &Life::of(3));
    stop_everywhere("resume upon others and go on so", used_incrementally, &Life::incremental(4, 3));
    let mut life = Life::incremental(3, 3);
    life.ending = Some(Ending::Delete);
    stop_everywhere("resume upon others, then the end", used_incrementally, &life);
}

#[test]
fn a_process_that_fails_in_between() {
    let mut life = Life::of(5);
    life.abstains = Some((1, 2));
    stop_everywhere("five dumps, one process without the third", empty, &life);
}

#[test]
fn resume_set_aside_and_go_on() {
    stop_everywhere("resume and four dumps", used, &Life::of(4));
}

#[test]
fn delete_at_the_end() {
    let mut life = Life::of(3);
    life.ending = Some(Ending::Delete);
    stop_everywhere("three dumps, then the end", empty, &life);
    stop_everywhere("resume, three dumps, then the end", used, &life);
}

#[test]
fn keep_at_the_end() {
    let mut life = Life::of(3);
    life.ending = Some(Ending::Keep);
    stop_everywhere("three dumps, then the end, kept", empty, &life);
}

#[test]
fn a_process_that_is_late() {
    for slow in [0, RANKS - 1] {
        for ending in [Ending::Delete, Ending::Keep] {
            let mut life = Life::of(2);
            life.slow = Some(slow);
            life.ending = Some(ending);
            stop_everywhere("one process late", used, &life);
        }
    }
}

#[test]
fn a_fresh_start_over_old_state_keeps_it_until_there_is_new() {
    let mut life = Life::of(3);
    life.restart = Restart::Never;
    // The user has given up the old lines.
    let given_up = || (used().0, 0);
    stop_everywhere("started afresh, three dumps", given_up, &life);
}

#[test]
fn a_run_that_ended_leaves_nothing_or_its_mark() {
    for (ending, left) in [(Ending::Delete, 0), (Ending::Keep, 1)] {
        let (disk, _) = empty();
        let mut life = Life::of(3);
        life.ending = Some(ending);
        live(&disk, &life, 0);
        assert_eq!(disk.used_bytes().min(1), left);
        let again = ThreadedProcess::run(RANKS, |communicator| {
            let rank = communicator.rank();
            let directory = directory(&disk, rank);
            let wanted = expectation(rank, RANKS);
            agree(communicator, &directory, &wanted, Restart::Auto, 44).unwrap().resume.is_none()
        });
        assert!(again.iter().all(|fresh| *fresh));
    }
}

#[test]
fn always_goes_on_with_a_run_from_before_its_end() {
    let (disk, _) = empty();
    let mut life = Life::of(3);
    life.ending = Some(Ending::Keep);
    live(&disk, &life, 0);
    life.restart = Restart::Always;
    life.ending = None;
    assert_eq!(live(&disk, &life, 3).newest_complete(), 6);
    life.restart = Restart::Auto;
    assert_eq!(live(&disk, &life, 6).newest_complete(), 9);
}

#[test]
fn the_disk_does_not_fill_up() {
    fill_up(Life::of);
}

#[test]
fn the_disk_does_not_fill_up_with_lines_that_lean_on_others() {
    fill_up(|dumps| Life::incremental(dumps, 3));
}

fn fill_up(life_of: impl Fn(u64) -> Life) {
    let (disk, _) = empty();
    let life = life_of(3);
    live(&disk, &life, 0);
    let after_one = disk.used_bytes();
    for _ in 0..30 {
        live(&disk, &life, 0);
        assert!(disk.used_bytes() <= after_one * 2, "{} bytes", disk.used_bytes());
    }
    // The same holds if a run never reaches a complete line.
    let mut hopeless = life_of(2);
    hopeless.abstains = Some((0, 0));
    for _ in 0..40 {
        live(&disk, &hopeless, 0);
    }
    assert!(disk.used_bytes() <= after_one * 12, "{} bytes, first {after_one}", disk.used_bytes());
}
