//! Real programs on disks that fail, are slow, or are full: every system call of dumps and of a restart
//! fails once.
//!
//! Every loss is reported, and a resumed run is exact. A start that cannot read its state stops and reports
//! the reason, and the next start resumes. With `CPPC_FAILING_CALLS=all`, every call fails with every error
//! number, one after the other. `CPPC_FAILING_CALLS=3/20` is the third of 20 parts of that: each call fails with
//! one or two of the error numbers.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{bail, ensure, Context, Result};
use cppc_tests::cases::{case, run};
use cppc_tests::matrix::{in_memory, spread};
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::run::{Kill, Outcome, Run};
use cppc_tests::scenario::{same_files, Expect, Subject};
use cppc_tests::shim::{built, Shimmed};
use cppc_tests::state;
use libtest_mimic::Trial;

type Fault = fn(&Shimmed) -> Result<()>;
type Settings = &'static [(&'static str, &'static str)];

/// The name of a case is that of its fault, then that of the program.
const FAULTS: [(&str, Fault, &[&str]); 5] = [
    (
        "every_call_of_dumps_fails_once",
        every_call_of_dumps_fails_once,
        &["", "/hdf5", "/files", "/units", "/mpi"],
    ),
    (
        "every_call_of_a_resume_fails_once",
        every_call_of_a_resume_fails_once,
        &["", "/hdf5", "/files", "/units", "/mpi"],
    ),
    ("a_slow_disk", a_slow_disk, &[""]),
    ("a_clock_that_jumps", a_clock_that_jumps, &[""]),
    ("a_full_disk_that_is_emptied_again", a_full_disk_that_is_emptied_again, &["/large"]),
];

const PROGRAMS: [(&str, &str, Settings); 6] = [
    ("", "c/settings_every.c", &[]),
    ("/large", "c/heap_large.c", &[]),
    ("/hdf5", "c/settings_every.c", &[("CPPC_WRITER", "hdf5")]),
    ("/files", "c/open_stream.c", &[]),
    ("/units", "fortran/open_formatted.f90", &[]),
    ("/mpi", "c/mpi_open.c", &[]),
];

const ERRORS: [i32; 25] = [
    libc::EIO,
    libc::ENOSPC,
    libc::EDQUOT,
    libc::EMFILE,
    libc::ENFILE,
    libc::ESTALE,
    libc::ETIMEDOUT,
    libc::ENOMEM,
    libc::EACCES,
    libc::EPERM,
    libc::EROFS,
    libc::EFBIG,
    libc::EBUSY,
    libc::ENODEV,
    libc::ENXIO,
    libc::ELOOP,
    libc::ENOLCK,
    libc::ECONNRESET,
    libc::EREMOTEIO,
    libc::EOVERFLOW,
    libc::EAGAIN,
    libc::EHOSTDOWN,
    libc::EINTR,
    libc::ENOTCONN,
    libc::EINVAL,
];

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("disks");
    let mut cases = Vec::new();
    for (fault_name, fault, programs) in FAULTS {
        for (name, file, settings) in PROGRAMS.into_iter().filter(|(name, ..)| programs.contains(name)) {
            cases.push(case(&scratch, format!("{fault_name}{name}"), move |directory| {
                let program = Program::read(file, &here("programs").join(file))?;
                let executable = built(&program, directory)?;
                // The faults are simulated, so no real disk has to sync.
                let memory = in_memory(directory)?;
                let state = memory.path().join("state");
                fault(&Shimmed::new(&Subject::new(&program, &executable, directory, &state)?, settings)?)
            }));
        }
    }
    Ok(cases)
}

/// Calls and errors to try together, on one process after the other.
fn faults(shimmed: &Shimmed) -> Result<Vec<(u64, i32)>> {
    // A start with MPI takes a second, so fewer are tried.
    let wanted = if shimmed.subject.program.processes.is_some() { 8 } else { 80 };
    shimmed.some_errors(wanted, &ERRORS)
}

const DUMPS: u64 = 4;

/// The process whose calls fail: not the first one, which often does more than others.
fn rank(shimmed: &Shimmed) -> u32 {
    shimmed.subject.program.processes.map_or(0, |count| count - 1)
}

fn every_call_of_dumps_fails_once(shimmed: &Shimmed) -> Result<()> {
    let subject = shimmed.subject;
    let rank = rank(shimmed);
    let kill = Kill::AfterCheckpoint(DUMPS as usize);
    subject.kill(shimmed.counting(rank), kill)?;
    let faults = faults(shimmed)?;
    let (mut lost, mut refused) = (0, 0);
    for &(call, error) in &faults {
        let context = || format!("call {call} of dumps fails with error {error}");
        shimmed.forget()?;
        let outcome = shimmed.failing(rank, call, error).kill(kill).go()?;
        if !outcome.was_killed() {
            must_say_why(&outcome).with_context(context)?;
            refused += 1;
            continue;
        }
        // The writer reports it, or the check of the lock before it.
        let is_lost = ["was not written", "nothing is written at checkpoint"]
            .iter()
            .any(|said| outcome.said.contains(said));
        if state::lines_of(subject.state, rank)?.is_empty() {
            shimmed.plain().clear_files()?;
        }
        let resumed = shimmed.plain().go()?.must_end_well("resumed").with_context(context)?;
        let line = resumed.resumed_from().unwrap_or(0);
        // Once a file of the program could not be synced, no state that needs it is written any more.
        let least = if subject.program.writes { 0 } else { DUMPS - 1 };
        ensure!(
            line == DUMPS || (is_lost && line >= least),
            "{}: resumed from line {line}\n{}{}",
            context(),
            outcome.said,
            resumed.said
        );
        compare(subject, &resumed, Expect::UpTo(DUMPS)).with_context(context)?;
        lost += u64::from(is_lost);
    }
    println!(
        "dumps: {} failing calls, {lost} lines lost and reported, {refused} starts refused",
        faults.len()
    );
    Ok(())
}

fn every_call_of_a_resume_fails_once(shimmed: &Shimmed) -> Result<()> {
    let subject = shimmed.subject;
    let rank = rank(shimmed);
    shimmed.forget()?;
    subject.kill_again(shimmed.plain(), Kill::AfterCheckpoint(DUMPS as usize))?;
    let kept = Kept::keep(subject)?;
    shimmed.counting(rank).set("CPPC_EVERY", "25").go()?.must_end_well("the resumed run")?;
    let faults = faults(shimmed)?;
    let (mut refused, mut again) = (0, 0);
    for &(call, error) in &faults {
        let context = || format!("call {call} of a resume fails with error {error}");
        kept.put_back(subject)?;
        let outcome = shimmed.failing(rank, call, error).set("CPPC_EVERY", "25").go()?;
        if !outcome.ended_well() {
            must_say_why(&outcome).with_context(context)?;
            refused += 1;
            let mut next = shimmed.plain().go()?.must_end_well("the next start").with_context(context)?;
            // A file of unknown content that the refused start has left is kept under another name.
            next.files.retain(|name, _| !name.contains(".cppc-"));
            compare(subject, &next, Expect::Line(DUMPS))
                .with_context(|| format!("{}\nafter\n{}", context(), outcome.said))?;
            continue;
        }
        compare(subject, &outcome, Expect::Line(DUMPS)).with_context(context)?;
        if !state::lines_of(subject.state, rank)?.is_empty() {
            let next = shimmed.plain().go()?.must_end_well("after the end").with_context(context)?;
            let is_said =
                ["may resume it", "the next start resumes it"].iter().any(|said| outcome.said.contains(said));
            ensure!(
                next.resumed_from().is_none() || is_said,
                "{}: the finished run is resumed\n{}{}",
                context(),
                outcome.said,
                next.said
            );
            again += 1;
        }
    }
    println!(
        "a resume: {} failing calls, {refused} starts refused, {again} times files were left",
        faults.len()
    );
    Ok(())
}

/// Checks that the output and the files equal those of the run without faults.
fn compare(subject: &Subject, outcome: &Outcome, expect: Expect) -> Result<()> {
    subject.compare(outcome, expect, 1)?;
    same_files(&outcome.files, &subject.unbroken.files).with_context(|| outcome.said.clone())
}

/// Checks that a start that stopped has reported a reason. Status 2 is for settings, because reading their
/// file may fail too.
fn must_say_why(outcome: &Outcome) -> Result<()> {
    let is_refused = matches!(outcome.status.code(), Some(1 | 2));
    ensure!(is_refused, "{}\n{}", outcome.status, outcome.said);
    ensure!(
        outcome.said.contains("cppc: ") && outcome.said.contains("os error"),
        "no reason is given:\n{}",
        outcome.said
    );
    Ok(())
}

/// Copies of the state and of the program's files.
struct Kept(PathBuf);

impl Kept {
    fn keep(subject: &Subject) -> Result<Kept> {
        let kept = subject.scratch.join("kept");
        copy_all(subject.state, &kept.join("state"))?;
        if subject.program.writes {
            copy_all(&subject.run().directory(), &kept.join("files"))?;
        }
        Ok(Kept(kept))
    }

    fn put_back(&self, subject: &Subject) -> Result<()> {
        state::forget(subject.state)?;
        copy_all(&self.0.join("state"), subject.state)?;
        if subject.program.writes {
            subject.run().clear_files()?;
            copy_all(&self.0.join("files"), &subject.run().directory())?;
        }
        Ok(())
    }
}

fn a_slow_disk(shimmed: &Shimmed) -> Result<()> {
    let subject = shimmed.subject;
    let run = || {
        shimmed.counting(0).set("FAILING_DELAY_US", "2000").set("CPPC_ASYNC", "true").set("CPPC_EVERY", "3")
    };
    for busy in ["wait", "skip"] {
        for number in spread(6, 40, 3) {
            state::forget(subject.state)?;
            run()
                .set("CPPC_BUSY", busy)
                .kill(Kill::AfterCheckpoint(number as usize))
                .go()?
                .must_be_killed("on a slow disk")?;
            let resumed = run().set("CPPC_BUSY", busy).go()?.must_end_well("resumed on a slow disk")?;
            let expect = if busy == "wait" { Expect::UpTo(number / 3) } else { Expect::Anywhere };
            let expect = if resumed.resumed_from().is_none() { Expect::Line(0) } else { expect };
            subject.compare(&resumed, expect, 3)?;
        }
    }
    Ok(())
}

fn a_clock_that_jumps(shimmed: &Shimmed) -> Result<()> {
    let subject = shimmed.subject;
    for number in [1, 7, 30] {
        state::forget(subject.state)?;
        let run = || shimmed.counting(0).set("FAILING_CLOCK", "1");
        run().kill(Kill::AfterCheckpoint(number)).go()?.must_be_killed("while the clock jumps")?;
        let resumed = run().go()?.must_end_well("resumed while the clock jumps")?;
        subject.compare(&resumed, Expect::Line(number as u64), 1)?;
    }
    Ok(())
}

/// A file system of its own, which ends with this value.
struct Small(PathBuf);

impl Small {
    fn mount(directory: PathBuf, size_bytes: u64) -> Result<Option<Small>> {
        std::fs::create_dir_all(&directory)?;
        let size = format!("size={size_bytes}");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&directory).output();
        Ok(mounted.is_ok_and(|output| output.status.success()).then_some(Small(directory)))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// There is room for two state files of the program, but not for three. Removing set-aside files makes
/// room. If something else fills the disk, lines are written again after it is removed.
fn a_full_disk_that_is_emptied_again(shimmed: &Shimmed) -> Result<()> {
    let subject = shimmed.subject;
    subject.kill(subject.run(), Kill::AfterCheckpoint(1))?;
    let file_bytes = std::fs::metadata(state::newest_of(subject.state, 0)?)?.len();
    state::forget(subject.state)?;
    let Some(small) = Small::mount(subject.scratch.join("small"), file_bytes * 5 / 2)? else {
        println!("not tried: no file system can be mounted here");
        return Ok(());
    };
    let on_small = || Run { state: small.0.join("state"), ..subject.run() }.set("CPPC_KEEP", "1");
    on_small().kill(Kill::AfterCheckpoint(2)).go()?.must_be_killed("on a small disk")?;
    // The newest line is damaged, so it is set aside, and there is no room for a third file.
    state::flip_bit(&state::newest_of(&small.0, 0)?, 0.5)?;
    let resumed =
        on_small().kill(Kill::AfterCheckpoint(3)).go()?.must_be_killed("resumed on a small disk")?;
    ensure!(resumed.resumed_from() == Some(1), "{}", resumed.said);
    ensure!(resumed.said.contains("had been set aside"), "what made room is not said:\n{}", resumed.said);
    ensure!(!resumed.said.contains("was not written"), "{}", resumed.said);
    let resumed =
        on_small().kill(Kill::AfterCheckpoint(1)).go()?.must_be_killed("resumed from what was written")?;
    ensure!(resumed.resumed_from().is_some_and(|line| line > 2), "{}", resumed.said);
    // Another program fills the disk.
    let ballast = small.0.join("ballast");
    if std::fs::write(&ballast, vec![1u8; (file_bytes * 5 / 2) as usize]).is_ok() {
        bail!("the disk is not full");
    }
    let full = on_small().go()?.must_end_well("on a full disk")?;
    let reports = full.said.matches("was not written").count();
    ensure!(reports <= 1, "a disk that stays full is reported {reports} times:\n{}", full.said);
    subject.compare(&full, Expect::Anywhere, 1)
}

fn copy_all(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_all(&entry.path(), &target)?,
            false => drop(std::fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}
