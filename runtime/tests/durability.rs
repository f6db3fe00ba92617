//! What a start does with state that it cannot read, that is not durable yet, or that other processes lack.

mod fixture;

use cppc_runtime::agree::{agree, AgreeError, Agreement, Communicator, SingleProcess, ThreadedProcess};
use cppc_runtime::settings::Restart;
use cppc_runtime::storage::directory::LARGEST_LINE;
use cppc_runtime::storage::simulated::Unsynced;
use cppc_runtime::storage::{Directory, Simulated, Storage};
use cppc_runtime::write::{Dumper, Ending, Event, Options, Resumed};
use fixture::{assert_exact, blocks_of_start, expectation, manifest, options, ranges, recorder, APPLICATION};
use std::path::Path;
use std::sync::{Arc, Mutex};

fn directory(disk: &Simulated, rank: u32) -> Directory {
    Directory::new(Arc::new(disk.clone()), Path::new("/state"), APPLICATION, rank)
}

fn start(disk: &Simulated) -> Result<Agreement, AgreeError> {
    agree(&SingleProcess::new(), &directory(disk, 0), &expectation(0, 1), Restart::Auto, 43)
}

/// The line from which a start resumes, with checked content.
fn line_of(agreed: &Agreement) -> u64 {
    agreed.resume.as_ref().map_or(0, |state| {
        assert_exact(state, state.manifest().provenance.rank, state.manifest().provenance.processes);
        state.manifest().provenance.number
    })
}

/// Continues from the state. Returns the newest line that was reported as durable.
fn live(disk: &Simulated, options: &Options, dumps: u64, start: u64) -> u64 {
    let Ok(agreed) = agree(&SingleProcess::new(), &directory(disk, 0), &expectation(0, 1), Restart::Auto, 42)
    else {
        return 0;
    };
    let newest = Arc::new(Mutex::new(line_of(&agreed)));
    let resumed = agreed
        .resume
        .map(|state| Resumed { number: state.manifest().provenance.number, bases: state.bases() });
    let told = newest.clone();
    let listener = Arc::new(move |event: Event| {
        if let Event::Published { number, .. } = event {
            *told.lock().unwrap() = number;
        }
    });
    let mut dumper = Dumper::start(directory(disk, 0), options.clone(), agreed.run, resumed, listener);
    dump(&mut dumper, &SingleProcess::new(), agreed.run, agreed.next_number, dumps, start);
    let newest = *newest.lock().unwrap();
    // A start that was stopped has reported nothing new as durable.
    newest
}

fn dump(dumper: &mut Dumper, communicator: &dyn Communicator, run: u64, first: u64, dumps: u64, start: u64) {
    for number in first..first + dumps {
        let state = blocks_of_start(start, communicator.rank(), number);
        let mut described = manifest(run, number, communicator.rank(), communicator.processes(), &state);
        described.provenance.calls = start;
        // SAFETY: the blocks live until the end of this turn.
        unsafe { dumper.dump(communicator, described, &ranges(&state)) };
        // Programs communicate between checkpoints. Without that, one process could be done before another begins,
        // and it would never learn that a line is complete.
        communicator.barrier();
    }
    dumper.wait();
}

const READ_ERRORS: [i32; 16] = [
    libc::EIO,
    libc::EMFILE,
    libc::ENFILE,
    libc::ESTALE,
    libc::ETIMEDOUT,
    libc::ENOMEM,
    libc::EACCES,
    libc::EPERM,
    libc::EBUSY,
    libc::ENXIO,
    libc::ENODEV,
    libc::EREMOTEIO,
    libc::ECONNRESET,
    libc::ENOLCK,
    libc::EHOSTDOWN,
    libc::EAGAIN,
];

#[test]
fn a_read_that_fails_stops_the_start_and_destroys_nothing() {
    let (mut refused, mut tried) = (0, 0);
    for full_every in [1, 3] {
        let disk = Simulated::new();
        let options = Options { keep: 2, full_every, asynchronous: false, ..options() };
        assert_eq!(live(&disk, &options, 4, 0), 4);
        let lines = directory(&disk, 0).lines().unwrap();
        let first = disk.operations();
        assert_eq!(line_of(&start(&disk).unwrap()), 4);
        let operations = disk.operations() - first;
        assert!(operations > 15);
        for at in 0..operations {
            for error in READ_ERRORS {
                disk.fail_at(disk.operations() + at, error, false);
                tried += 1;
                match start(&disk) {
                    Ok(agreed) => assert_eq!(line_of(&agreed), 4, "operation {at} fails with {error}"),
                    Err(refusal) => {
                        refused += 1;
                        assert!(refusal.to_string().contains("os error"), "{refusal}");
                    }
                }
                disk.heal();
                assert_eq!(directory(&disk, 0).lines().unwrap(), lines, "operation {at} fails with {error}");
            }
        }
        assert_eq!(line_of(&start(&disk).unwrap()), 4);
    }
    println!("{tried} reads failed, {refused} starts were refused");
}

/// The line that the killed process renamed is resumed. Without a sync it would be lost in a power failure.
#[test]
fn killed_before_it_was_durable_then_resumed_then_power_loss() {
    let mut cases = 0;
    for full_every in [1, 3] {
        let options = Options { full_every, asynchronous: false, ..options() };
        let killed = |kill: u64| {
            let disk = Simulated::new();
            disk.stop_before(kill);
            let promised = live(&disk, &options, 3, 0);
            disk.restart_process();
            (disk, promised)
        };
        let (whole, _) = killed(u64::MAX);
        for kill in 0..whole.operations() {
            let (resumed, _) = killed(kill);
            let begin = resumed.operations();
            live(&resumed, &options, 2, 100);
            for stop in begin..resumed.operations() {
                for fate in [Unsynced::Lost, Unsynced::Torn(kill * 31 + stop)] {
                    let (disk, promised) = killed(kill);
                    disk.stop_before(stop);
                    let promised = promised.max(live(&disk, &options, 2, 100));
                    let found = line_of(&start(&disk.after_crash(fate)).unwrap());
                    cases += 1;
                    assert!(found >= promised, "full-every {full_every}, killed before {kill}, power lost before {stop}, {fate:?}: {found} of {promised}");
                }
            }
        }
    }
    println!("{cases} times killed, resumed, and without power");
}

/// A start is killed while it sets aside the lines of a finished run. The next start finds them set aside, and removes the
/// marker file of that run. Then the machine loses power.
#[test]
fn lines_of_a_finished_run_do_not_come_back() {
    let options = Options { asynchronous: false, ..options() };
    let whole_run = |disk: &Simulated, run: u64| {
        let agreed =
            agree(&SingleProcess::new(), &directory(disk, 0), &expectation(0, 1), Restart::Auto, run)
                .unwrap();
        assert_eq!(line_of(&agreed), 0, "a finished run is resumed");
        let mut dumper =
            Dumper::start(directory(disk, 0), options.clone(), agreed.run, None, Arc::new(|_| ()));
        dump(&mut dumper, &SingleProcess::new(), agreed.run, agreed.next_number, 3, 0);
        dumper.shutdown(&SingleProcess::new(), Ending::Keep);
    };
    let killed_in_the_second_start = |kill: u64| {
        let disk = Simulated::new();
        whole_run(&disk, 1);
        let begin = disk.operations();
        disk.stop_before(begin.saturating_add(kill));
        drop(start(&disk));
        let operations = disk.operations() - begin;
        disk.restart_process();
        (disk, operations)
    };
    let (_, operations) = killed_in_the_second_start(u64::MAX);
    for kill in 0..operations {
        let (disk, _) = killed_in_the_second_start(kill);
        whole_run(&disk, 2);
        for fate in [Unsynced::Lost, Unsynced::Kept].into_iter().chain((0..50).map(Unsynced::Torn)) {
            let agreed = start(&disk.after_crash(fate)).unwrap();
            assert_eq!(line_of(&agreed), 0, "killed before operation {kill}");
        }
    }
}

#[test]
fn a_name_with_a_huge_number_moves_no_line() {
    for name in
        ["line-18446744073709551614.cppc", "line-18446744073709551615.cppc", "line-1000000000000000.cppc"]
    {
        let disk = Simulated::new();
        live(&disk, &options(), 3, 0);
        drop(disk.open_for_writing(&directory(&disk, 0).path().join(name)).unwrap());
        assert_eq!(live(&disk, &options(), 3, 1), 6, "{name}");
        assert_eq!(line_of(&start(&disk).unwrap()), 6, "{name}");
    }
    // The largest number that a line can have.
    let disk = Simulated::new();
    live(&disk, &options(), 3, 0);
    drop(disk.open_for_writing(&directory(&disk, 0).line(LARGEST_LINE)).unwrap());
    let refusal = start(&disk).unwrap_err().to_string();
    assert!(refusal.contains("999999999999999") && refusal.contains("remove the entry"), "{refusal}");
    assert_eq!(directory(&disk, 0).lines().unwrap(), [LARGEST_LINE, 3, 2]);
}

#[test]
fn what_is_no_file_in_the_place_of_a_line_is_reported() {
    let disk = Simulated::new();
    live(&disk, &options(), 3, 0);
    disk.obstruct(&directory(&disk, 0).line(7));
    disk.create_dir(&directory(&disk, 0).line(8)).unwrap();
    let agreed = start(&disk).unwrap();
    assert_eq!((line_of(&agreed), agreed.next_number), (3, 9));
    let notes = agreed.notes.join("; ");
    assert!(
        notes.contains("line-000007.cppc` is not a regular file")
            && notes.contains("line-000008.cppc` is not a regular file"),
        "{notes}"
    );
    // There is nothing else: it may be a symbolic link to a line.
    for number in directory(&disk, 0).lines().unwrap() {
        disk.remove(&directory(&disk, 0).line(number)).unwrap();
    }
    let refusal = start(&disk).unwrap_err().to_string();
    assert!(refusal.contains("is not a regular file"), "{refusal}");
}

#[test]
fn an_empty_directory_is_reported() {
    let disk = Simulated::new();
    assert!(start(&disk).unwrap().notes.is_empty());
    live(&disk, &options(), 2, 0);
    for number in directory(&disk, 0).lines().unwrap() {
        disk.remove(&directory(&disk, 0).line(number)).unwrap();
    }
    let notes = start(&disk).unwrap().notes.join("; ");
    assert!(
        notes.contains(
            "there is no state file in `/state/heat/rank-0000`, so the run starts from the beginning"
        ),
        "{notes}"
    );
}

fn start_both(disks: [&Simulated; 2], restart: Restart) -> Vec<Result<Agreement, AgreeError>> {
    ThreadedProcess::run(2, |communicator| {
        let rank = communicator.rank();
        agree(communicator, &directory(disks[rank as usize], rank), &expectation(rank, 2), restart, 43)
    })
}

#[test]
fn lines_are_not_given_up_because_one_directory_is_missing_for_one_start() {
    let disks = [Simulated::new(), Simulated::new()];
    let with = Options { full_every: 30, ..options() };
    ThreadedProcess::run(2, |communicator| {
        let rank = communicator.rank();
        let mut dumper =
            Dumper::start(directory(&disks[rank as usize], rank), with.clone(), 42, None, recorder().0);
        dump(&mut dumper, communicator, 42, 1, 31, 0);
    });
    let lines = directory(&disks[0], 0).lines().unwrap();
    assert!(lines.len() >= 2, "{lines:?}");
    // Not mounted.
    for error in start_both([&disks[0], &Simulated::new()], Restart::Auto) {
        let refusal = error.unwrap_err().to_string();
        assert!(
            refusal.contains("recovery line 31 is intact on process 0, and process 1 has no recovery line"),
            "{refusal}"
        );
        assert!(refusal.contains("`/state/heat/rank-0001`") && refusal.contains("mounted"), "{refusal}");
    }
    assert_eq!(directory(&disks[0], 0).lines().unwrap(), lines);
    // Mounted again.
    assert!(start_both([&disks[0], &disks[1]], Restart::Auto)
        .iter()
        .all(|agreed| line_of(agreed.as_ref().unwrap()) == 31));
    // After the user has given it up, all of it still exists for inspection.
    start_both([&disks[0], &Simulated::new()], Restart::Never)
        .into_iter()
        .for_each(|agreed| assert!(agreed.unwrap().resume.is_none()));
    assert_eq!(directory(&disks[0], 0).lines_aside().unwrap(), lines);
}

#[test]
fn what_was_set_aside_makes_room_on_a_full_disk() {
    for error in [libc::ENOSPC, libc::EDQUOT] {
        let disk = Simulated::new();
        live(&disk, &Options { keep: 3, ..options() }, 4, 0);
        // The newest line is damaged: the one before is resumed.
        assert!(disk.corrupt(&directory(&disk, 0).line(4), 2500));
        let agreed = start(&disk).unwrap();
        assert_eq!((line_of(&agreed), directory(&disk, 0).lines_aside().unwrap()), (3, vec![4]));
        // There is no more room; removing the set-aside files is not enough.
        disk.limit(Some(disk.used_bytes() - 600), error);
        let (listener, told) = recorder();
        let resumed = Resumed { number: 3, bases: Vec::new() };
        let with = Options { keep: 2, asynchronous: false, ..options() };
        let mut dumper = Dumper::start(directory(&disk, 0), with, agreed.run, Some(resumed), listener);
        dump(&mut dumper, &SingleProcess::new(), agreed.run, agreed.next_number, 3, 1);
        let told = told.lock().unwrap();
        assert_eq!(told[..2], ["made room: 1 aside, lines []", "made room: 0 aside, lines [1]"], "{told:?}");
        assert_eq!(told.iter().filter(|event| event.starts_with("published")).count(), 3, "{told:?}");
        disk.limit(None, error);
        assert_eq!(line_of(&start(&disk).unwrap()), 7);
    }
}

#[test]
fn a_disk_that_is_full_for_a_while_takes_lines_again() {
    let disk = Simulated::new();
    disk.limit(Some(1000), libc::ENOSPC);
    let (listener, told) = recorder();
    let with = Options { asynchronous: false, ..options() };
    let mut dumper = Dumper::start(directory(&disk, 0), with, 42, None, listener);
    dump(&mut dumper, &SingleProcess::new(), 42, 1, 3, 0);
    disk.limit(None, libc::ENOSPC);
    dump(&mut dumper, &SingleProcess::new(), 42, 4, 1, 0);
    let told = told.lock().unwrap();
    assert!(
        told[..3].iter().all(|event| event.contains("No space left")) && told[3..] == ["published 4"],
        "{told:?}"
    );
}

#[test]
fn a_directory_that_could_not_be_synced_takes_its_newest_name_back() {
    let with = Options { asynchronous: false, ..options() };
    let disk = Simulated::new();
    live(&disk, &with, 3, 0);
    let last = disk.operations();
    let disk = Simulated::new();
    // The sync of the directory is the last operation of a dump.
    disk.fail_at(last - 1, libc::EIO, false);
    assert_eq!(live(&disk, &with, 3, 0), 2);
    assert_eq!(directory(&disk, 0).lines().unwrap().first(), Some(&2));
    for fate in [Unsynced::Lost, Unsynced::Kept, Unsynced::Torn(1)] {
        assert!(line_of(&start(&disk.after_crash(fate)).unwrap()) >= 2);
    }
}
