//! Attempts of one run that are alive at the same time, for example after an expired lease: whatever they
//! write, a recovery line is of one attempt on all processes.

mod fixture;

use cppc_runtime::agree::{agree, agree_unless, AgreeError, Communicator, ThreadedProcess};
use cppc_runtime::settings::Restart;
use cppc_runtime::storage::{Directory, Simulated, Storage};
use cppc_runtime::verify::StateFile;
use cppc_runtime::write::{Dumper, Resumed};
use fixture::{assert_exact, blocks_of_start, expectation, manifest, options, ranges, recorder, APPLICATION};
use std::path::Path;
use std::sync::Arc;

const RUN: u64 = 42;

fn directory(disk: &Simulated, rank: u32, attempt: u64) -> Directory {
    Directory::new(Arc::new(disk.clone()), Path::new("/state"), APPLICATION, rank).of_attempt(attempt)
}

/// One process of an attempt, which writes a line on request.
struct Writer {
    dumper: Dumper,
    attempt: u64,
    rank: u32,
    processes: u32,
}

impl Writer {
    fn new(disk: &Simulated, attempt: u64, rank: u32, processes: u32, resumed: Option<Resumed>) -> Writer {
        let mut options = options();
        options.asynchronous = false;
        options.keep = 3;
        let dumper = Dumper::start(directory(disk, rank, attempt), options, RUN, resumed, recorder().0);
        Writer { dumper, attempt, rank, processes }
    }

    fn dump(&mut self, communicator: &ThreadedProcess, number: u64) {
        let state = blocks_of_start(self.attempt, self.rank, number);
        let mut described = manifest(RUN, number, self.rank, self.processes, &state);
        described.provenance.calls = self.attempt;
        described.provenance.attempt = self.attempt;
        // SAFETY: the blocks live until the end of this call.
        unsafe { self.dumper.dump(communicator, described, &ranges(&state)) };
    }
}

/// Writes lines of an attempt on the processes that `writes` selects; the others have not got so far.
fn write_some(disk: &Simulated, attempt: u64, processes: u32, writes: impl Fn(u32, u64) -> bool + Sync) {
    for rank in 0..processes {
        // Each process by itself: only what is on the disk matters.
        ThreadedProcess::run(1, |communicator| {
            for number in (1..=6).filter(|&number| writes(rank, number)) {
                let mut writer = Writer::new(disk, attempt, rank, processes, None);
                writer.dump(communicator, number);
            }
        });
    }
}

fn provenance(state: &StateFile) -> (u64, u64) {
    (state.manifest().provenance.number, state.manifest().provenance.attempt)
}

#[test]
fn files_of_two_live_attempts_never_make_one_line() {
    for seed in 0..400u64 {
        let disk = Simulated::new();
        let processes = 2 + (seed % 3) as u32;
        let chance = |salt: u64, rank: u32, number: u64| {
            let mixed =
                (seed ^ salt << 32 ^ u64::from(rank) << 8 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed >> 61) < 4
        };
        // The second attempt overwrites some files of the first, and adds to them.
        write_some(&disk, 5, processes, |rank, number| number <= 1 || chance(1, rank, number));
        write_some(&disk, 6, processes, |rank, number| number > 1 && chance(2, rank, number));
        let attempt_of = |rank: u32, number: u64| {
            let path = directory(&disk, rank, 0).line(number);
            cppc_runtime::verify::describe(&disk, &path).ok().map(|file| file.manifest().provenance.attempt)
        };
        let is_one = |number: &u64| {
            let first = attempt_of(0, *number);
            first.is_some() && (1..processes).all(|rank| attempt_of(rank, *number) == first)
        };
        let wanted = (1..=6).rev().find(is_one).map(|number| (number, attempt_of(0, number).unwrap()));
        assert!(wanted.is_some(), "the first line is whole");
        let found = ThreadedProcess::run(processes, |communicator| {
            let rank = communicator.rank();
            let directory = directory(&disk, rank, 7);
            let agreed =
                agree(communicator, &directory, &expectation(rank, processes), Restart::Auto, 43).unwrap();
            agreed.resume.map(|state| {
                let said = state.manifest().provenance.clone();
                let mut plain = manifest(
                    RUN,
                    said.number,
                    rank,
                    processes,
                    &blocks_of_start(said.calls, rank, said.number),
                );
                plain.provenance = said.clone();
                assert_eq!((said.calls, state.manifest()), (said.attempt, &plain), "seed {seed}");
                provenance(&state)
            })
        });
        assert!(found.iter().all(|line| *line == wanted), "seed {seed}: {found:?}, wanted {wanted:?}");
    }
}

#[test]
fn two_live_attempts_write_temporary_files_of_their_own() {
    let disk = Simulated::new();
    let [first, second] = [5, 6].map(|attempt| directory(&disk, 0, attempt));
    assert_ne!(first.temporary(), second.temporary());
    first.make().unwrap();
    for path in [first.temporary(), second.temporary(), directory(&disk, 0, 0).temporary()] {
        disk.open_for_writing(&path).unwrap();
    }
    assert_eq!(second.temporaries().len(), 3);
    ThreadedProcess::run(1, |communicator| {
        agree(communicator, &second, &expectation(0, 1), Restart::Auto, 43).unwrap().next_number
    });
    assert!(second.temporaries().is_empty(), "what interrupted dumps left is removed");
}

/// A resumed run keeps its run number and has a new attempt. It can be resumed again.
#[test]
fn each_start_of_a_run_is_an_attempt_of_its_own() {
    let disk = Simulated::new();
    for attempt in [5, 6, 7] {
        ThreadedProcess::run(3, |communicator| {
            let rank = communicator.rank();
            let agreed = agree(
                communicator,
                &directory(&disk, rank, attempt),
                &expectation(rank, 3),
                Restart::Auto,
                RUN,
            )
            .unwrap();
            assert_eq!(agreed.run, RUN);
            let before = agreed.resume.as_deref().map(provenance);
            assert_eq!(before.map(|(_, attempt)| attempt), (attempt > 5).then(|| attempt - 1));
            let resumed = before.map(|(number, _)| Resumed { number, bases: Vec::new() });
            let mut writer = Writer::new(&disk, attempt, rank, 3, resumed);
            (0..2).for_each(|dump| writer.dump(communicator, agreed.next_number + dump));
            writer.dumper.wait();
        });
    }
}

/// An objection of one process is reported to all, and nothing has changed.
#[test]
fn an_objection_of_one_process_stops_all_before_anything_is_moved() {
    let disk = Simulated::new();
    write_some(&disk, 5, 4, |rank, number| number <= 2 || (rank > 0 && number == 3));
    let before: Vec<_> = (0..4).map(|rank| directory(&disk, rank, 0).lines().unwrap()).collect();
    let said = ThreadedProcess::run(4, |communicator| {
        let rank = communicator.rank();
        let objection = |state: &StateFile| {
            assert_eq!(state.manifest().provenance.number, 2);
            (rank == 2).then(|| "it has other arguments".to_owned())
        };
        let directory = directory(&disk, rank, 6);
        agree_unless(communicator, &directory, &expectation(rank, 4), Restart::Auto, 43, objection)
            .unwrap_err()
    });
    for (rank, error) in said.iter().enumerate() {
        assert!(error.to_string().contains("it has other arguments"), "{error}");
        assert_eq!(matches!(error, AgreeError::Objection(_)), rank == 2);
    }
    let after: Vec<_> = (0..4).map(|rank| directory(&disk, rank, 0).lines().unwrap()).collect();
    assert_eq!(before, after);
    // If there is nothing to resume, no process is asked.
    ThreadedProcess::run(2, |communicator| {
        let empty =
            Directory::new(Arc::new(Simulated::new()), Path::new("/state"), APPLICATION, communicator.rank());
        let asked = |_: &StateFile| -> Option<String> { panic!("there is no state") };
        agree_unless(communicator, &empty, &expectation(communicator.rank(), 2), Restart::Auto, 43, asked)
            .unwrap()
    });
}

#[test]
fn the_fixture_is_exact() {
    let disk = Simulated::new();
    write_some(&disk, 77, 1, |_, number| number == 1);
    let path = directory(&disk, 0, 0).line(1);
    assert_exact(&cppc_runtime::verify::open(&disk, &path, &expectation(0, 1)).unwrap(), 0, 1);
}
