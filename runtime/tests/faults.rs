//! Operations fail: the dump fails and is reported, everything before it stays, and the program continues.

mod fixture;

use cppc_runtime::agree::{agree, AgreeError, Communicator, SingleProcess, ThreadedProcess};
use cppc_runtime::format::layout::VERSION;
use cppc_runtime::settings::{Busy, Restart};
use cppc_runtime::storage::simulated::Unsynced;
use cppc_runtime::storage::{Directory, Posix, Simulated, Storage};
use cppc_runtime::write::{DumpOutcome, Dumper, Ending, Event, Listener, Options};
use fixture::{assert_exact, blocks, expectation, manifest, options, ranges, recorder, APPLICATION};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn directory(disk: &dyn StorageClone, rank: u32) -> Directory {
    Directory::new(disk.shared(), Path::new("/state"), APPLICATION, rank)
}

trait StorageClone {
    fn shared(&self) -> Arc<dyn Storage>;
}

impl StorageClone for Simulated {
    fn shared(&self) -> Arc<dyn Storage> {
        Arc::new(self.clone())
    }
}

fn dump(dumper: &mut Dumper, communicator: &dyn Communicator, run: u64, number: u64) -> DumpOutcome {
    let rank = communicator.rank();
    let state = blocks(rank, number);
    let described = manifest(run, number, rank, communicator.processes(), &state);
    // SAFETY: the blocks live until the call returns.
    unsafe { dumper.dump(communicator, described, &ranges(&state)) }
}

/// Dumps lines 1 to `last` on one process.
fn dump_alone(disk: &Simulated, options: Options, last: u64, listener: Listener) {
    let alone = SingleProcess::new();
    let mut dumper = Dumper::start(directory(disk, 0), options, 42, None, listener);
    for number in 1..=last {
        dump(&mut dumper, &alone, 42, number);
    }
    dumper.wait();
}

fn newest(disk: &Simulated) -> u64 {
    let agreed =
        agree(&SingleProcess::new(), &directory(disk, 0), &expectation(0, 1), Restart::Auto, 43).unwrap();
    agreed.resume.map_or(0, |state| {
        assert_exact(&state, 0, 1);
        state.manifest().provenance.number
    })
}

const LAST: u64 = 4;

#[test]
fn every_operation_may_fail_once_or_for_good() {
    fail_everywhere(&options());
}

#[test]
fn every_operation_may_fail_while_files_lean_on_others() {
    fail_everywhere(&Options { full_every: 3, ..options() });
}

fn fail_everywhere(options: &Options) {
    let disk = Simulated::new();
    dump_alone(&disk, options.clone(), LAST, recorder().0);
    let operations = disk.operations();
    for at in 0..operations {
        for error in [libc::ENOSPC, libc::EIO, libc::EACCES, libc::EROFS] {
            for lasting in [false, true] {
                let disk = Simulated::new();
                disk.fail_at(at, error, lasting);
                let published = Arc::new(Mutex::new(0));
                let told = published.clone();
                let listener: Listener = Arc::new(move |event| match event {
                    Event::Published { number, .. } => *told.lock().unwrap() = number,
                    Event::Failed { error, .. } | Event::NotRetired { error } | Event::NotEnded { error } => {
                        assert!(error.to_string().contains("`/state/heat"), "{error}");
                    }
                    Event::Complete { .. }
                    | Event::Retired { .. }
                    | Event::MadeRoom { .. }
                    | Event::Mirrored { .. }
                    | Event::NotMirrored { .. }
                    | Event::Waits { .. } => {}
                });
                dump_alone(&disk, options.clone(), LAST, listener);
                disk.heal();
                let published = *published.lock().unwrap();
                let context = format!("error {error} at {at}, lasting: {lasting}");
                assert!(lasting || published >= LAST - 1, "{context}: published {published}");
                for unsynced in [Unsynced::Kept, Unsynced::Lost, Unsynced::Torn(at)] {
                    let found = newest(&disk.after_crash(unsynced));
                    assert!(found >= published, "{context}: found {found} of {published}");
                }
            }
        }
    }
}

#[test]
fn a_full_disk_is_reported_and_leaves_no_temporary_file() {
    for asynchronous in [true, false] {
        let disk = Simulated::new();
        let alone = SingleProcess::new();
        let (listener, told) = recorder();
        let options = Options { asynchronous, ..options() };
        let mut dumper = Dumper::start(directory(&disk, 0), options, 42, None, listener);
        dump(&mut dumper, &alone, 42, 1);
        dumper.wait();
        // The first write of the second dump. Before it, the directories are checked, the file of an earlier
        // dump is removed, set-aside files are searched, the marker file of a complete line is written, and
        // the file is opened and checked.
        let opened = disk.operations() + 11;
        disk.fail_at(opened, libc::ENOSPC, false);
        dump(&mut dumper, &alone, 42, 2);
        dumper.wait();
        let told_so_far = told.lock().unwrap().join("; ");
        assert!(
            told_so_far.contains("failed 2: cannot write `/state/heat/rank-0000/dump.tmp`"),
            "{told_so_far}"
        );
        assert!(told_so_far.contains("free space"), "{told_so_far}");
        assert!(disk.entry(Path::new("/state/heat/rank-0000/dump.tmp")).is_err());
        assert_eq!(newest(&disk), 1);
        dump(&mut dumper, &alone, 42, 3);
        dumper.wait();
        assert_eq!(newest(&disk), 3);
    }
}

/// The disk of one process fails permanently while the others continue: their files do not accumulate, and
/// the last complete line stays.
#[test]
fn one_process_that_cannot_write_does_not_make_lines_look_complete() {
    let disks: Vec<Simulated> = (0..3).map(|_| Simulated::new()).collect();
    ThreadedProcess::run(3, |communicator| {
        let rank = communicator.rank();
        let disk = &disks[rank as usize];
        let mut dumper = Dumper::start(directory(disk, rank), options(), 42, None, recorder().0);
        for number in 1..=20 {
            communicator.barrier();
            if number == 4 && rank == 1 {
                disk.fail_at(disk.operations(), libc::EIO, true);
            }
            dump(&mut dumper, communicator, 42, number);
            dumper.wait();
        }
    });
    disks[1].heal();
    let found = ThreadedProcess::run(3, |communicator| {
        let rank = communicator.rank();
        let directory = directory(&disks[rank as usize], rank);
        assert!(directory.lines().unwrap().len() <= 4, "{:?}", directory.lines());
        let agreed = agree(communicator, &directory, &expectation(rank, 3), Restart::Auto, 43).unwrap();
        let state = agreed.resume.expect("line 3 was complete");
        assert_exact(&state, rank, 3);
        (state.manifest().provenance.number, agreed.next_number)
    });
    assert!(found.iter().all(|found| found.0 == 3 && found.1 >= 20), "{found:?}");
}

#[test]
fn recycled_files_are_told_and_older_lines_retired() {
    let disk = Simulated::new();
    let (listener, told) = recorder();
    dump_alone(&disk, options(), 4, listener);
    let told = told.lock().unwrap();
    assert_eq!(
        told[..],
        [
            "published 1",
            "complete 1",
            "published 2",
            "complete 2",
            "retired 1",
            "published 3 recycled",
            "complete 3",
            "retired 2",
            "published 4 recycled",
        ]
    );
    assert_eq!(directory(&disk, 0).lines().unwrap(), [4, 3]);
}

#[test]
fn skip_leaves_the_same_dumps_out_everywhere() {
    // Incremental files depend on files that were written.
    for full_every in [1, 3] {
        let disk = Simulated::new();
        let options = Options { busy: Busy::Skip, full_every, ..options() };
        let outcomes = ThreadedProcess::run(3, |communicator| skip(&disk, options.clone(), communicator));
        assert!(outcomes.iter().all(|each| *each == outcomes[0]));
        let (skipped, started) = (DumpOutcome::Skipped, DumpOutcome::Started);
        assert!(
            outcomes[0].contains(&skipped) && outcomes[0].iter().filter(|each| **each == started).count() > 3,
            "{outcomes:?}"
        );
        let newest = 1 + outcomes[0].iter().rposition(|each| *each == started).unwrap() as u64;
        let found = ThreadedProcess::run(3, |communicator| {
            let rank = communicator.rank();
            let agreed =
                agree(communicator, &directory(&disk, rank), &expectation(rank, 3), Restart::Auto, 43)
                    .unwrap();
            let state = agreed.resume.expect("dumps were written");
            assert_exact(&state, rank, 3);
            state.manifest().provenance.number
        });
        assert_eq!(found, [newest; 3]);
    }
}

/// Dumps until enough have been written. On the last process, writing lasts until a dump has been skipped.
fn skip(disk: &Simulated, options: Options, communicator: &dyn Communicator) -> Vec<DumpOutcome> {
    let rank = communicator.rank();
    let left_out = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&left_out);
    let listener: Listener = Arc::new(move |event| {
        if rank == 2 && matches!(event, Event::Published { .. }) {
            let began = Instant::now();
            while !seen.swap(false, Ordering::SeqCst) && began.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    });
    let mut dumper = Dumper::start(directory(disk, rank), options, 42, None, listener);
    let mut outcomes = Vec::new();
    while outcomes.iter().filter(|each| **each == DumpOutcome::Started).count() < 8 {
        let outcome = dump(&mut dumper, communicator, 42, outcomes.len() as u64 + 1);
        left_out.fetch_or(outcome == DumpOutcome::Skipped, Ordering::SeqCst);
        outcomes.push(outcome);
        std::thread::sleep(Duration::from_millis(1));
    }
    left_out.store(true, Ordering::SeqCst);
    dumper.wait();
    outcomes
}

#[test]
fn foreign_state_stops_all_processes_and_is_left_alone() {
    let disk = Simulated::new();
    ThreadedProcess::run(2, |communicator| {
        let rank = communicator.rank();
        let mut dumper = Dumper::start(directory(&disk, rank), options(), 42, None, recorder().0);
        dump(&mut dumper, communicator, 42, 1);
        dumper.wait();
    });
    let before = disk.used_bytes();
    let results = ThreadedProcess::run(4, |communicator| {
        let rank = communicator.rank();
        let directory = directory(&disk, rank);
        agree(communicator, &directory, &expectation(rank, 4), Restart::Auto, 43).unwrap_err()
    });
    assert!(results[0].to_string().contains("of 2 processes, and this run has 4"), "{}", results[0]);
    assert!(results[3].to_string().contains("of 2 processes, and this run has 4"), "{}", results[3]);
    assert_eq!(disk.used_bytes(), before);
    // `never` is the remedy.
    ThreadedProcess::run(4, |communicator| {
        let rank = communicator.rank();
        let directory = directory(&disk, rank);
        let agreed = agree(communicator, &directory, &expectation(rank, 4), Restart::Never, 43).unwrap();
        assert!(agreed.resume.is_none() && agreed.next_number == 2 && agreed.run == 43);
    });
    assert_eq!(directory(&disk, 0).lines_aside().unwrap(), [1]);
}

/// Changes a file to version 3 of the format, as far as this version can check.
fn make_newer(disk: &Simulated, path: &Path) {
    let file = disk.open_for_writing(path).unwrap();
    let mut header = [0; 64];
    file.read_at(0, &mut header).unwrap();
    header[8] = VERSION as u8 + 1;
    let crc = cppc_runtime::codec::crc32::crc32(&header[..60]);
    header[60..].copy_from_slice(&crc.to_le_bytes());
    file.write_at(0, &header).unwrap();
}

#[test]
fn a_newer_version_sends_the_run_to_an_older_line_but_not_to_the_beginning() {
    let disk = Simulated::new();
    dump_alone(&disk, Options { keep: 5, ..options() }, 3, recorder().0);
    let directory = directory(&disk, 0);
    let start = || agree(&SingleProcess::new(), &directory, &expectation(0, 1), Restart::Auto, 43);
    make_newer(&disk, &directory.line(3));
    let agreed = start().unwrap();
    assert_eq!(agreed.resume.unwrap().manifest().provenance.number, 2);
    assert!(
        agreed.notes[0].contains(&format!("has version {} of the format", VERSION + 1)),
        "{:?}",
        agreed.notes
    );
    for number in [2, 1] {
        make_newer(&disk, &directory.line(number));
    }
    assert!(start().unwrap_err().to_string().contains(&format!("has version {} of the format", VERSION + 1)));
    assert_eq!(directory.lines().unwrap(), [2, 1]);
}

#[test]
fn a_damaged_newest_file_is_passed_over_and_said() {
    let disk = Simulated::new();
    let two = Options { keep: 2, ..options() };
    ThreadedProcess::run(2, |communicator| {
        let rank = communicator.rank();
        let mut dumper = Dumper::start(directory(&disk, rank), two.clone(), 42, None, recorder().0);
        (1..=3).for_each(|number| {
            dump(&mut dumper, communicator, 42, number);
        });
        dumper.wait();
    });
    assert!(disk.corrupt(&directory(&disk, 1).line(3), 2500));
    let notes = ThreadedProcess::run(2, |communicator| {
        let rank = communicator.rank();
        let agreed =
            agree(communicator, &directory(&disk, rank), &expectation(rank, 2), Restart::Auto, 43).unwrap();
        let state = agreed.resume.unwrap();
        assert_exact(&state, rank, 2);
        assert_eq!((state.manifest().provenance.number, agreed.run), (2, 42));
        agreed.notes.join("; ")
    });
    assert!(notes[1].contains("rank-0001/line-000003.cppc` is damaged"), "{}", notes[1]);
    assert_eq!(directory(&disk, 0).lines_aside().unwrap(), [3]);
}

#[test]
fn what_only_some_can_read_is_resumed_by_none() {
    let disk = Simulated::new();
    ThreadedProcess::run(3, |communicator| {
        let rank = communicator.rank();
        let mut dumper = Dumper::start(directory(&disk, rank), options(), 42, None, recorder().0);
        dump(&mut dumper, communicator, 42, 1);
        dumper.wait();
    });
    assert!(disk.corrupt(&directory(&disk, 1).line(1), 2500));
    let notes = ThreadedProcess::run(3, |communicator| {
        let rank = communicator.rank();
        let agreed =
            agree(communicator, &directory(&disk, rank), &expectation(rank, 3), Restart::Auto, 43).unwrap();
        assert!(agreed.resume.is_none() && agreed.run == 43 && agreed.next_number == 2);
        agreed.notes.join("; ")
    });
    assert!(notes[0].contains("the run starts from the beginning"), "{}", notes[0]);
}

#[test]
fn nothing_to_resume_is_an_error_when_it_is_insisted_on() {
    let disk = Simulated::new();
    let result = agree(&SingleProcess::new(), &directory(&disk, 0), &expectation(0, 1), Restart::Always, 1);
    assert!(matches!(result, Err(AgreeError::NothingToResume { .. })));
}

fn real(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cppc-faults-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn a_real_disk_from_the_first_dump_to_the_end() {
    let root = real("life");
    let dir = root.join("cppc-state");
    let directory = Directory::new(Arc::new(Posix), &dir, APPLICATION, 0);
    let alone = SingleProcess::new();
    let mut dumper = Dumper::start(directory.clone(), options(), 42, None, recorder().0);
    (1..=5).for_each(|number| {
        assert_eq!(dump(&mut dumper, &alone, 42, number), DumpOutcome::Started);
    });
    dumper.wait();
    let agreed = agree(&alone, &directory, &expectation(0, 1), Restart::Auto, 43).unwrap();
    assert_exact(agreed.resume.as_ref().unwrap(), 0, 1);
    dumper.shutdown(&alone, Ending::Delete);
    assert!(!dir.exists());
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn links_and_second_names_are_not_written_through() {
    let root = real("links");
    let directory = Directory::new(Arc::new(Posix), &root, APPLICATION, 0);
    let precious = root.join("precious");
    std::fs::write(&precious, "precious").unwrap();
    directory.make().unwrap();
    std::os::unix::fs::symlink(&precious, directory.temporary()).unwrap();
    let alone = SingleProcess::new();
    let (listener, told) = recorder();
    let mut dumper = Dumper::start(directory.clone(), options(), 42, None, listener);
    dump(&mut dumper, &alone, 42, 1);
    dumper.wait();
    assert_eq!(told.lock().unwrap()[..], ["published 1"]);
    assert_eq!(std::fs::read(&precious).unwrap(), b"precious");

    // The symbolic link is gone; a hard link keeps its file.
    dump(&mut dumper, &alone, 42, 2);
    dumper.wait();
    let backup = root.join("backup");
    std::fs::hard_link(directory.line(2), &backup).unwrap();
    let kept = std::fs::read(&backup).unwrap();
    (3..=6).for_each(|number| {
        dump(&mut dumper, &alone, 42, number);
    });
    dumper.wait();
    assert!(!directory.line(2).exists());
    assert_eq!(std::fs::read(&backup).unwrap(), kept);
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn directories_that_are_links_are_not_followed() {
    for link in ["", "rank-0000", "rank-0000/aside"] {
        let root = real("linked");
        let elsewhere = root.join("elsewhere");
        let dir = root.join("dir");
        // State that appears to be of this program, in another directory.
        let other = Directory::new(Arc::new(Posix), &elsewhere, APPLICATION, 0);
        let mut dumper = Dumper::start(other.clone(), options(), 42, None, recorder().0);
        (1..=2).for_each(|number| {
            dump(&mut dumper, &SingleProcess::new(), 42, number);
        });
        dumper.wait();
        dumper.shutdown(&SingleProcess::new(), Ending::Keep);
        std::fs::write(other.temporary(), "of another run").unwrap();
        let names = || names_below(&elsewhere);
        let before = names();
        let directory = Directory::new(Arc::new(Posix), &dir, APPLICATION, 0);
        let from = dir.join(APPLICATION).join(link);
        std::fs::create_dir_all(from.parent().unwrap()).unwrap();
        let target = if link.is_empty() {
            elsewhere.join(APPLICATION)
        } else {
            elsewhere.join(APPLICATION).join("rank-0000")
        };
        std::os::unix::fs::symlink(target, from.to_str().unwrap().trim_end_matches('/')).unwrap();

        let agreed = agree(&SingleProcess::new(), &directory, &expectation(0, 1), Restart::Auto, 43);
        assert!(agreed.is_err() || agreed.unwrap().resume.is_none(), "{link}");
        let (listener, told) = recorder();
        let mut dumper = Dumper::start(directory.clone(), options(), 43, None, listener);
        (3..=8).for_each(|number| {
            dump(&mut dumper, &SingleProcess::new(), 43, number);
        });
        dumper.wait();
        dumper.shutdown(&SingleProcess::new(), Ending::Delete);
        assert_eq!(names(), before, "{link}");
        if link != "rank-0000/aside" {
            assert!(told.lock().unwrap()[0].contains("links are not followed"), "{told:?}");
        }
        std::fs::remove_dir_all(root).unwrap();
    }
}

fn names_below(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(names_below(&entry.path()));
        }
        found.push(entry.path());
    }
    found.sort();
    found
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let root = real("unwritable");
    let dir = root.join("file");
    std::fs::write(&dir, "in the way").unwrap();
    let directory = Directory::new(Arc::new(Posix), &dir, APPLICATION, 0);
    let (listener, told) = recorder();
    let mut dumper = Dumper::start(directory, options(), 42, None, listener);
    dump(&mut dumper, &SingleProcess::new(), 42, 1);
    dumper.wait();
    let told = told.lock().unwrap().join("; ");
    assert!(told.contains("cannot make the directory `") && told.contains("Not a directory"), "{told}");
    std::fs::remove_dir_all(root).unwrap();
}
