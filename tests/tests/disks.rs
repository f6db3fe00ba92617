//! Disks that fail, are slow or full, below real programs: every system call of dumps and of a resume fails once.
//!
//! What is lost is reported; what is resumed is exact; a start that cannot read what is there stops and says why, and the
//! next one resumes. With `CPPC_FAILING_CALLS=all` every call fails with every error number, one after the other.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{bail, ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::spread;
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::run::{Kill, Outcome, Run};
use cppc_tests::scenario::{Expect, Subject};
use cppc_tests::state;
use libtest_mimic::Trial;

type Fault = fn(&Subject, &Path) -> Result<()>;

const CASES: [(&str, &str, Fault); 5] = [
    ("every_call_of_dumps_fails_once", "settings_every.c", every_call_of_dumps_fails_once),
    ("every_call_of_a_resume_fails_once", "settings_every.c", every_call_of_a_resume_fails_once),
    ("a_slow_disk", "settings_every.c", a_slow_disk),
    ("a_clock_that_jumps", "settings_every.c", a_clock_that_jumps),
    ("a_full_disk_that_is_emptied_again", "heap_large.c", a_full_disk_that_is_emptied_again),
];

const ERRORS: [i32; 22] = [
    libc::EIO, libc::ENOSPC, libc::EDQUOT, libc::EMFILE, libc::ENFILE, libc::ESTALE, libc::ETIMEDOUT, libc::ENOMEM, libc::EACCES, libc::EPERM,
    libc::EROFS, libc::EFBIG, libc::EBUSY, libc::ENODEV, libc::ENXIO, libc::ELOOP, libc::ENOLCK, libc::ECONNRESET, libc::EREMOTEIO, libc::EOVERFLOW,
    libc::EAGAIN, libc::EHOSTDOWN,
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("disks");
    CASES
        .into_iter()
        .map(|(name, file, fault)| {
            case(&scratch, name.to_owned(), move |directory| {
                let program = Program::read(name, &here("programs/c").join(file))?;
                let executable = build::translated(&program, Form::first(&program), directory)?;
                let state = directory.join("state");
                let shim = shim(directory)?;
                fault(&Subject::new(&program, &executable, directory, &state)?, &shim)
            })
        })
        .collect()
}

fn shim(directory: &Path) -> Result<PathBuf> {
    let shim = directory.join("failing_calls.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&shim).arg(here("support/failing_calls.c")).args(["-ldl", "-lpthread"]);
    build::succeed(&mut compiler)?;
    Ok(shim)
}

/// A run whose calls are counted, and one of them fails.
struct Shimmed<'a> {
    subject: &'a Subject<'a>,
    shim: String,
    directory: String,
    count: PathBuf,
}

impl<'a> Shimmed<'a> {
    fn new(subject: &'a Subject<'a>, shim: &Path) -> Shimmed<'a> {
        let directory = subject.state.display().to_string();
        Shimmed { subject, shim: shim.display().to_string(), directory, count: subject.scratch.join("count") }
    }

    fn run(&self, at: u64, error: i32) -> Run<'a> {
        let run = self.subject.run().set("LD_PRELOAD", &self.shim).set("FAILING_DIR", &self.directory);
        run.set("FAILING_COUNT", &self.count.display().to_string()).set("FAILING_AT", &at.to_string()).set("FAILING_ERRNO", &error.to_string())
    }

    fn counted(&self) -> Result<u64> {
        let text = std::fs::read_to_string(&self.count).context("the shim has counted nothing")?;
        Ok(text.trim().parse()?)
    }

    /// Calls and errors to try together.
    fn faults(&self) -> Result<Vec<(u64, i32)>> {
        let calls = self.counted()?;
        ensure!(calls > 20, "only {calls} calls are counted");
        if std::env::var("CPPC_FAILING_CALLS").is_ok_and(|value| value == "all") {
            return Ok((1..=calls).flat_map(|call| ERRORS.map(|error| (call, error))).collect());
        }
        Ok((1..=calls).map(|call| (call, ERRORS[(call as usize * 5) % ERRORS.len()])).collect())
    }
}

const DUMPS: u64 = 4;

fn every_call_of_dumps_fails_once(subject: &Subject, shim: &Path) -> Result<()> {
    let shimmed = Shimmed::new(subject, shim);
    let kill = Kill::AfterCheckpoint(DUMPS as usize);
    subject.kill(shimmed.run(0, 0), kill)?;
    let faults = shimmed.faults()?;
    let (mut lost, mut refused) = (0, 0);
    for &(call, error) in &faults {
        let context = || format!("call {call} of dumps fails with error {error}");
        state::forget(subject.state)?;
        let outcome = shimmed.run(call, error).kill(kill).go()?;
        if !outcome.was_killed() {
            must_say_why(&outcome).with_context(context)?;
            refused += 1;
            continue;
        }
        // By the writer, or before it because the lock could not be looked at.
        let is_lost = ["was not written", "nothing is written at checkpoint"].iter().any(|said| outcome.said.contains(said));
        let resumed = subject.run().go()?.must_end_well("resumed").with_context(context)?;
        let line = resumed.resumed_from().unwrap_or(0);
        ensure!(line == DUMPS || (is_lost && line + 1 == DUMPS), "{}: resumed from line {line}\n{}{}", context(), outcome.said, resumed.said);
        subject.compare(&resumed, Expect::UpTo(DUMPS), 1).with_context(context)?;
        lost += u64::from(is_lost);
    }
    println!("dumps: {} failing calls, {lost} lines lost and reported, {refused} starts refused", faults.len());
    Ok(())
}

fn every_call_of_a_resume_fails_once(subject: &Subject, shim: &Path) -> Result<()> {
    let shimmed = Shimmed::new(subject, shim);
    subject.kill(subject.run(), Kill::AfterCheckpoint(DUMPS as usize))?;
    let kept = subject.scratch.join("kept");
    copy_all(subject.state, &kept)?;
    let run = |call, error| shimmed.run(call, error).set("CPPC_EVERY", "25");
    run(0, 0).go()?.must_end_well("the resumed run")?;
    let faults = shimmed.faults()?;
    let (mut refused, mut again) = (0, 0);
    for &(call, error) in &faults {
        let context = || format!("call {call} of a resume fails with error {error}");
        state::forget(subject.state)?;
        copy_all(&kept, subject.state)?;
        let outcome = run(call, error).go()?;
        if !outcome.ended_well() {
            must_say_why(&outcome).with_context(context)?;
            refused += 1;
            let next = subject.run().go()?.must_end_well("the next start").with_context(context)?;
            subject.compare(&next, Expect::Line(DUMPS), 1).with_context(context)?;
            continue;
        }
        subject.compare(&outcome, Expect::Line(DUMPS), 1).with_context(context)?;
        if !state::lines_of(subject.state, 0)?.is_empty() {
            let next = subject.run().go()?.must_end_well("after the end").with_context(context)?;
            let is_said = ["may resume it", "the next start resumes it"].iter().any(|said| outcome.said.contains(said));
            ensure!(next.resumed_from().is_none() || is_said, "{}: the finished run is resumed\n{}{}", context(), outcome.said, next.said);
            again += 1;
        }
    }
    println!("a resume: {} failing calls, {refused} starts refused, {again} times files were left", faults.len());
    Ok(())
}

/// A start that does not go on has given a reason.
fn must_say_why(outcome: &Outcome) -> Result<()> {
    ensure!(outcome.status.code() == Some(1), "{}\n{}", outcome.status, outcome.said);
    ensure!(outcome.said.contains("cppc: ") && outcome.said.contains("os error"), "no reason is given:\n{}", outcome.said);
    Ok(())
}

fn a_slow_disk(subject: &Subject, shim: &Path) -> Result<()> {
    let shimmed = Shimmed::new(subject, shim);
    let run = || shimmed.run(0, 0).set("FAILING_DELAY_US", "2000").set("CPPC_ASYNC", "true").set("CPPC_EVERY", "3");
    for busy in ["wait", "skip"] {
        for number in spread(6, 40, 3) {
            state::forget(subject.state)?;
            run().set("CPPC_BUSY", busy).kill(Kill::AfterCheckpoint(number as usize)).go()?.must_be_killed("on a slow disk")?;
            let resumed = run().set("CPPC_BUSY", busy).go()?.must_end_well("resumed on a slow disk")?;
            let expect = if busy == "wait" { Expect::UpTo(number / 3) } else { Expect::Anywhere };
            let expect = if resumed.resumed_from().is_none() { Expect::Line(0) } else { expect };
            subject.compare(&resumed, expect, 3)?;
        }
    }
    Ok(())
}

fn a_clock_that_jumps(subject: &Subject, shim: &Path) -> Result<()> {
    let shimmed = Shimmed::new(subject, shim);
    for number in [1, 7, 30] {
        state::forget(subject.state)?;
        let run = || shimmed.run(0, 0).set("FAILING_CLOCK", "1");
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
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&directory).output();
        Ok(mounted.is_ok_and(|output| output.status.success()).then_some(Small(directory)))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// Room for two state files of the program and not for three: what is set aside makes room, and when something else fills
/// the disk, lines are written again once it has gone.
fn a_full_disk_that_is_emptied_again(subject: &Subject, _shim: &Path) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(1))?;
    let file_bytes = std::fs::metadata(state::newest_of(subject.state, 0)?)?.len();
    state::forget(subject.state)?;
    let Some(small) = Small::mount(subject.scratch.join("small"), file_bytes * 5 / 2)? else {
        println!("not tried: no file system can be mounted here");
        return Ok(());
    };
    let on_small = || Run { state: small.0.join("state"), ..subject.run() }.set("CPPC_KEEP", "1");
    on_small().kill(Kill::AfterCheckpoint(2)).go()?.must_be_killed("on a small disk")?;
    // The newest line is damaged, so that it is set aside, and there is no room for a third file beside it.
    state::flip_bit(&state::newest_of(&small.0, 0)?, 0.5)?;
    let resumed = on_small().kill(Kill::AfterCheckpoint(3)).go()?.must_be_killed("resumed on a small disk")?;
    ensure!(resumed.resumed_from() == Some(1), "{}", resumed.said);
    ensure!(resumed.said.contains("had been set aside"), "what made room is not said:\n{}", resumed.said);
    ensure!(!resumed.said.contains("was not written"), "{}", resumed.said);
    let resumed = on_small().kill(Kill::AfterCheckpoint(1)).go()?.must_be_killed("resumed from what was written")?;
    ensure!(resumed.resumed_from().is_some_and(|line| line > 2), "{}", resumed.said);
    // Somebody else fills the disk.
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
