//! The resume matrix: each program is killed and resumed in every way.
//!
//! Input: a program, and the form in which to build it.
//! Output: nothing, or every failure.
//! Postcondition: the program is exact if it is killed at its checkpoints and between them, any number of
//! times.

use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anyhow::{anyhow, ensure, Result};
use tempfile::TempDir;

use crate::build;
use crate::form::Form;
use crate::program::Program;
use crate::run::{Kill, LauncherFailed, Outcome, Run};
use crate::scenario::{same, same_files, Expect, Subject};
use crate::state;

/// How many of each kind are tried: the first, the last, and others at equal distances between them.
struct Sample {
    checkpoints: usize,
    between: usize,
    stories: bool,
}

impl Sample {
    /// The form that users get by default is tried most. The others are tried only where they may differ.
    fn of(program: &Program, form: Form) -> Sample {
        let is_main = form == Form::first(program);
        if is_everything_tried() {
            return Sample { checkpoints: usize::MAX, between: 100, stories: is_main };
        }
        match (program.processes.is_some(), is_main) {
            (false, true) => Sample { checkpoints: 8, between: 6, stories: true },
            (false, false) => Sample { checkpoints: 5, between: 2, stories: false },
            (true, true) => Sample { checkpoints: 5, between: 3, stories: true },
            (true, false) => Sample { checkpoints: 2, between: 0, stories: false },
        }
    }
}

/// Whether `CPPC_KILLS=all` asks for all forms and all checkpoints.
pub fn is_everything_tried() -> bool {
    std::env::var("CPPC_KILLS").is_ok_and(|value| value == "all")
}

/// Builds the program and runs it through its part of the matrix.
pub fn try_all(program: &Program, form: Form, scratch: &Path) -> Result<()> {
    try_sample(program, form, &Sample::of(program, form), scratch)
}

/// The same with only a few kills, for a program of which other tests kill more runs.
pub fn try_some(program: &Program, form: Form, scratch: &Path) -> Result<()> {
    try_sample(program, form, &Sample { checkpoints: 2, between: 2, stories: false }, scratch)
}

fn try_sample(program: &Program, form: Form, sample: &Sample, scratch: &Path) -> Result<()> {
    let plain = build::plain(program, form, scratch)?;
    let translated = build::translated(program, form, scratch)?;
    let run = Run::new(program, &plain, scratch);
    run.clear_files()?;
    let reference = run.go()?.must_end_well("the plain program")?;
    let memory = in_memory(scratch)?;
    let state = memory.path().join("state");
    let subject = Subject::new(program, &translated, scratch, &state)?;
    let mut found = Findings::default();
    found.check("unbroken", unbroken(&subject, &reference));
    if subject.checkpoints() == 0 {
        found.check("unbroken", Err(anyhow::anyhow!("no checkpoint was reached")));
        return found.report();
    }
    for number in spread(1, subject.checkpoints() as u64, sample.checkpoints) {
        found.check(&format!("killed after checkpoint {number}"), at_checkpoint(&subject, number));
    }
    for (rank, event) in events(&subject, sample.between) {
        let what = format!("rank {rank} killed before call {event} of the runtime");
        found.check(&what, between(&subject, rank, event));
    }
    if sample.stories {
        for (what, story) in STORIES {
            found.check(what, story(&subject));
        }
    }
    found.report()
}

/// A directory for state in memory, if there is one with enough room. These tests do not simulate a loss of
/// power, so thousands of dumps need not wait for a disk.
pub fn in_memory(scratch: &Path) -> Result<TempDir> {
    const MEMORY: &CStr = c"/dev/shm";
    const PREFIX: &str = "cppc-tests-";
    // Enough for several tests at the same time, and for the files that an MPI stores there.
    const ROOM_BYTES: u64 = 512 << 20;
    let in_scratch = || TempDir::with_prefix_in(PREFIX, scratch);
    if free_bytes(MEMORY) < ROOM_BYTES {
        return Ok(in_scratch()?);
    }
    Ok(TempDir::with_prefix_in(PREFIX, OsStr::from_bytes(MEMORY.to_bytes())).or_else(|_| in_scratch())?)
}

/// The free bytes of the file system of a directory. 0 if the directory does not exist.
fn free_bytes(directory: &CStr) -> u64 {
    // SAFETY: zeros are a value of the structure, which outlives the call that fills it.
    unsafe {
        let mut found: libc::statvfs = std::mem::zeroed();
        match libc::statvfs(directory.as_ptr(), &raw mut found) {
            0 => found.f_bavail as u64 * found.f_frsize as u64,
            _ => 0,
        }
    }
}

/// The cases that are tried once for each program.
type Story = fn(&Subject) -> Result<()>;
const STORIES: [(&str, Story); 7] = [
    ("killed twice", killed_twice),
    ("killed while resuming", killed_while_resuming),
    ("killed while files are aside", killed_while_files_are_aside),
    ("killed before the first checkpoint", killed_before_the_first),
    ("killed while the dump is under way", killed_in_the_background),
    ("the state of one rank is gone", one_rank_gone),
    ("the newest state file of one rank is damaged", one_rank_damaged),
];

fn unbroken(subject: &Subject, reference: &Outcome) -> Result<()> {
    let printed = subject.unbroken.printed.concat();
    match subject.program.processes {
        None => same(&printed, &reference.stream)?,
        // The ranks of the plain program print to one stream, in any order.
        Some(_) => same(&sorted_lines(&printed), &sorted_lines(&reference.stream))?,
    }
    same_files(&subject.unbroken.files, &reference.files)?;
    ensure!(subject.unbroken.said.is_empty(), "says\n{}", subject.unbroken.said);
    Ok(())
}

fn sorted_lines(text: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    lines.sort_unstable();
    lines.join(&b'\n')
}

/// Kills after one checkpoint, and resumes.
pub fn at_checkpoint(subject: &Subject, number: u64) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(number as usize))?;
    subject.resume(subject.run(), Expect::Line(number)).map(|_| ())
}

fn between(subject: &Subject, rank: u32, event: u64) -> Result<()> {
    subject.kill(subject.run(), Kill::BeforeEvent(event, rank))?;
    let done = subject.unbroken.traces[rank as usize].checkpoints_before(event) as u64;
    let expect = match subject.program.processes {
        None => Expect::Line(done),
        Some(_) => Expect::UpTo(done),
    };
    subject.resume(subject.run(), expect).map(|_| ())
}

fn killed_twice(subject: &Subject) -> Result<()> {
    let last = subject.checkpoints();
    let (first, further) = (last.div_ceil(3), last / 3);
    subject.kill(subject.run(), Kill::AfterCheckpoint(first))?;
    // The checkpoint at which the restart ends is the first one that the resumed run passes.
    subject.kill_again(subject.run(), Kill::AfterCheckpoint(1 + further))?;
    subject.resume(subject.run(), Expect::Line((first + further) as u64)).map(|_| ())
}

fn killed_while_resuming(subject: &Subject) -> Result<()> {
    let number = subject.checkpoints().div_ceil(2);
    subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
    let after_init = subject.unbroken.traces[0].init + 1;
    for event in [after_init, after_init + 1, after_init + 2] {
        subject.kill_again(subject.run(), Kill::BeforeEvent(event, 0))?;
    }
    subject.resume(subject.run(), Expect::Line(number as u64)).map(|_| ())
}

/// Kills a resumed run before each of its first calls. Each time, the run is resumed from the state of the
/// previous run.
fn killed_while_files_are_aside(subject: &Subject) -> Result<()> {
    const CALLS: u64 = 12;
    if !subject.program.writes {
        return Ok(());
    }
    let number = subject.checkpoints().div_ceil(2);
    subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
    let init = subject.unbroken.traces[0].init;
    for (call, rank) in (1..=CALLS).zip(subject.program.ranks().cycle()) {
        subject.kill_again(subject.run(), Kill::BeforeEvent(init + call, rank))?;
    }
    // If the restart is short, the last kill may come after it, at a later checkpoint.
    let outcome = subject.resume(subject.run(), Expect::UpTo(subject.checkpoints() as u64))?;
    ensure!(outcome.resumed_from() >= Some(number as u64), "line {number} was lost\n{}", outcome.said);
    Ok(())
}

fn killed_before_the_first(subject: &Subject) -> Result<()> {
    let trace = &subject.unbroken.traces[0];
    for event in [1, trace.init, trace.init + 1, trace.checkpoints[0].event] {
        subject.kill(subject.run(), Kill::BeforeEvent(event, 0))?;
        subject.resume(subject.run(), Expect::Line(0))?;
    }
    Ok(())
}

/// With the default settings, the line of the last checkpoint may be complete or not.
fn killed_in_the_background(subject: &Subject) -> Result<()> {
    let run = || subject.run().set("CPPC_ASYNC", "true");
    for number in spread(1, subject.checkpoints() as u64, 3) {
        subject.kill(run(), Kill::AfterCheckpoint(number as usize))?;
        subject.resume(run(), Expect::UpTo(number))?;
    }
    Ok(())
}

/// The lines of the other ranks are kept, because the missing directory may be available again at the next
/// start.
fn one_rank_gone(subject: &Subject) -> Result<()> {
    let number = subject.checkpoints().div_ceil(2);
    subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
    let rank = subject.program.ranks().end - 1;
    let is_marked = state::had_a_complete_line(subject.state)?;
    state::lose(subject.state, rank)?;
    if subject.program.processes.is_some() && is_marked {
        let outcome = subject.run().go()?;
        ensure!(!outcome.ended_well(), "the lines of the other processes were given up:\n{}", outcome.said);
        ensure!(
            outcome.said.contains("has no recovery line of this run"),
            "it does not say whose files are gone:\n{}",
            outcome.said
        );
        return subject.resume(subject.run().set("CPPC_RESTART", "never"), Expect::Line(0)).map(|_| ());
    }
    let outcome = subject.resume(subject.run(), Expect::Line(0))?;
    if subject.program.processes.is_some() {
        ensure!(outcome.said.contains("cppc: "), "a fresh start was not said:\n{}", outcome.said);
    }
    Ok(())
}

fn one_rank_damaged(subject: &Subject) -> Result<()> {
    let number = subject.checkpoints();
    if number < 2 {
        return Ok(());
    }
    subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
    let rank = subject.program.ranks().end - 1;
    let newest = state::newest_of(subject.state, rank)?;
    state::flip_bit(&newest, 0.6)?;
    let outcome = subject.resume(subject.run(), Expect::Line(number as u64 - 1))?;
    let name = newest.file_name().unwrap_or_default().to_string_lossy().into_owned();
    ensure!(outcome.said.contains(&name), "`{name}` is not named:\n{}", outcome.said);
    Ok(())
}

/// Kills before calls of the runtime between `CPPC_Init` and the end, on different ranks.
fn events(subject: &Subject, count: usize) -> Vec<(u32, u64)> {
    let ranks = subject.program.ranks().end;
    let mut events = Vec::new();
    for (index, part) in spread(0, 1000, count).into_iter().enumerate() {
        let rank = index as u32 % ranks;
        let trace = &subject.unbroken.traces[rank as usize];
        let first = trace.init + 1;
        let last = trace.shutdown.unwrap_or(first);
        events.push((rank, first + (last - first) * part / 1000));
    }
    events
}

/// At most `count` numbers from `first` to `last`, including both.
pub fn spread(first: u64, last: u64, count: usize) -> Vec<u64> {
    let count = count as u64;
    if last < first || count == 0 {
        return Vec::new();
    }
    if last - first < count {
        return (first..=last).collect();
    }
    if count == 1 {
        return vec![last];
    }
    (0..count).map(|index| first + (last - first) * index / (count - 1)).collect()
}

/// Collects all failures, so that one does not hide the next.
#[derive(Default)]
struct Findings {
    texts: Vec<String>,
    /// How many of them are [`LauncherFailed`].
    of_launcher: usize,
}

impl Findings {
    fn check(&mut self, what: &str, result: Result<()>) {
        if let Err(error) = result {
            self.of_launcher += usize::from(error.is::<LauncherFailed>());
            self.texts.push(format!("{what}: {error:#}"));
        }
    }

    fn report(self) -> Result<()> {
        const SHOWN: usize = 5;
        if self.texts.is_empty() {
            return Ok(());
        }
        let shown = self.texts[..self.texts.len().min(SHOWN)].join("\n\n");
        let error = anyhow!("{} failed, the first of them:\n\n{shown}", self.texts.len());
        match self.of_launcher == self.texts.len() {
            true => Err(error.context(LauncherFailed)),
            false => Err(error),
        }
    }
}
