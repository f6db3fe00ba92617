//! The setting `mirror`: programs are killed, and lose `dir` or parts of it. They resume from what is left in both
//! directories, and the result equals that of a run that was not killed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::product::{here, Product};
use cppc_tests::program::Program;
use cppc_tests::run::{Kill, Outcome, Run};
use cppc_tests::scenario::{Expect, Subject};
use cppc_tests::state;
use libtest_mimic::Trial;

type Loss = fn(&Mirrored) -> Result<()>;

const LOSSES: [(&str, Loss); 12] = [
    ("dir_is_lost", dir_is_lost),
    ("the_files_of_one_process_are_lost", one_process),
    ("a_file_is_damaged", damaged_file),
    ("a_file_is_damaged_in_both", damaged_in_both),
    ("the_newest_line_is_only_in_dir", newest_only_in_dir),
    ("the_newest_line_is_only_in_the_mirror", newest_only_in_mirror),
    ("base_files_are_lost", base_files),
    ("the_mirror_cannot_be_made_again", removed_mirror),
    ("another_number_of_lines", more_lines),
    ("killed_at_any_time", killed_at_any_time),
    ("a_newer_line_is_always_being_written", always_being_written),
    ("a_finished_run_leaves_nothing", finished),
];

/// Sequential programs and one of four processes, in C and in Fortran.
const PROGRAMS: [&str; 3] = ["alone/mirrored.c", "alone/mirrored_mpi.c", "alone/mirrored_mpi.f90"];

const ALONE: [(&str, &str, Loss); 3] = [
    ("alone/mirrored.c", "a_full_mirror", full_mirror),
    ("alone/mirrored.c", "a_mirror_that_cannot_be_used", unusable_mirror),
    ("alone/mirrored.c", "the_tools_read_a_mirror", tools),
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mirror");
    let all = PROGRAMS.iter().flat_map(|file| LOSSES.map(|(name, loss)| (*file, name, loss))).chain(ALONE);
    all.map(|(file, name, loss)| {
        let stem = file.rsplit('/').next().unwrap_or(file).replace('.', "_");
        case(&scratch, format!("{name}/{stem}"), move |directory| {
            let program = Program::read(&stem, &here("programs").join(file))?;
            let executable = build::translated(&program, Form::first(&program), directory)?;
            let memory = in_memory(directory)?;
            let state = memory.path().join("state");
            let subject = Subject::new(&program, &executable, directory, &state)?;
            loss(&Mirrored { mirror: memory.path().join("mirror"), subject: &subject })
        })
    })
    .collect()
}

struct Mirrored<'a> {
    subject: &'a Subject<'a>,
    mirror: PathBuf,
}

impl<'a> Mirrored<'a> {
    /// Incremental files, so that most lines need earlier ones.
    fn run(&self) -> Run<'a> {
        self.subject.run().set("CPPC_MIRROR", &self.mirror.to_string_lossy()).set("CPPC_FULL_EVERY", "3")
    }

    fn dir(&self) -> &Path {
        self.subject.state
    }

    fn ranks(&self) -> std::ops::Range<u32> {
        0..self.subject.program.processes.unwrap_or(1)
    }

    /// Kills a fresh run at one of its last checkpoints.
    fn kill(&self, run: Run) -> Result<Outcome> {
        state::forget(&self.mirror)?;
        let last = self.subject.checkpoints();
        self.subject.kill(run, Kill::AfterCheckpoint(last.min(15)))
    }

    /// The lines of a process in a directory, oldest first.
    fn lines(directory: &Path, rank: u32) -> Result<Vec<u64>> {
        let number = |path: PathBuf| {
            let name = path.file_stem().and_then(|name| name.to_str()).map(str::to_owned);
            name.and_then(|name| name.strip_prefix("line-")?.parse().ok()).context("not a line")
        };
        state::lines_of(directory, rank)?.into_iter().map(number).collect()
    }

    /// The newest line that all processes have in `has`.
    fn newest(&self, has: impl Fn(u32) -> Result<Vec<u64>>) -> Result<u64> {
        let all: Vec<Vec<u64>> = self.ranks().map(has).collect::<Result<_>>()?;
        let first = all.first().context("no process")?;
        Ok(first
            .iter()
            .copied()
            .filter(|line| all.iter().all(|lines| lines.contains(line)))
            .max()
            .unwrap_or(0))
    }

    fn newest_in_mirror(&self) -> Result<u64> {
        let newest = self.newest(|rank| Self::lines(&self.mirror, rank))?;
        ensure!(newest > 0, "no line is in all mirrors");
        Ok(newest)
    }

    fn resume(&self, line: u64) -> Result<Outcome> {
        let outcome = self.subject.resume(self.run(), Expect::Line(line))?;
        let left = state::all_files(&self.mirror)?;
        ensure!(left.is_empty(), "a run that ended well has left {left:?}");
        Ok(outcome)
    }
}

fn dir_is_lost(of: &Mirrored) -> Result<()> {
    of.kill(of.run())?;
    let newest = of.newest_in_mirror()?;
    state::forget(of.dir())?;
    let outcome = of.resume(newest)?;
    ensure!(outcome.said.contains("is missing; it was replaced by its copy"), "{}", outcome.said);
    Ok(())
}

fn one_process(of: &Mirrored) -> Result<()> {
    for rank in of.ranks() {
        of.kill(of.run())?;
        let left = |other| match other == rank {
            true => Mirrored::lines(&of.mirror, other),
            false => Ok([Mirrored::lines(&of.mirror, other)?, Mirrored::lines(of.dir(), other)?].concat()),
        };
        let newest = of.newest(left)?;
        ensure!(newest > 0, "rank {rank}: no line is left");
        let own = state::newest_of(of.dir(), rank)?;
        std::fs::remove_dir_all(own.parent().context("no directory")?)?;
        of.resume(newest)?;
    }
    Ok(())
}

fn damaged_file(of: &Mirrored) -> Result<()> {
    for part in [0.001, 0.5, 0.999] {
        of.kill(of.run())?;
        let newest = of.newest_in_mirror()?;
        let rank = of.ranks().end - 1;
        for line in state::lines_of(of.dir(), rank)? {
            state::flip_bit(&line, part)?;
        }
        let outcome = of.resume(newest)?;
        ensure!(outcome.said.contains("it was replaced by its copy"), "{}", outcome.said);
    }
    Ok(())
}

fn damaged_in_both(of: &Mirrored) -> Result<()> {
    of.kill(of.run())?;
    for directory in [of.dir(), &of.mirror] {
        for line in state::lines_of(directory, 0)? {
            state::cut(&line, 0.9)?;
        }
    }
    let run = of.run().set("CPPC_RESTART", "never");
    let outcome = of.run().go()?;
    // Nothing wrong is restored: other processes may have intact lines, and the run stops, or starts afresh.
    ensure!(outcome.resumed_from().is_none(), "{}", outcome.said);
    let is_reported = ["it is ignored", "that can be read in"].iter().any(|text| outcome.said.contains(text));
    ensure!(is_reported, "{}", outcome.said);
    run.clear_files()?;
    of.subject.compare(&run.go()?.must_end_well("afresh")?, Expect::Line(0), 1)
}

fn newest_only_in_dir(of: &Mirrored) -> Result<()> {
    of.kill(of.run())?;
    let newest = of.newest(|rank| Mirrored::lines(of.dir(), rank))?;
    for rank in of.ranks() {
        let lines = state::lines_of(&of.mirror, rank)?;
        lines.last().map_or(Ok(()), std::fs::remove_file)?;
    }
    of.resume(newest).map(|_| ())
}

fn newest_only_in_mirror(of: &Mirrored) -> Result<()> {
    of.kill(of.run())?;
    let newest = of.newest_in_mirror()?;
    for rank in of.ranks() {
        let lines = state::lines_of(of.dir(), rank)?;
        let is_new = |path: &&PathBuf| path.file_name() >= Some(format!("line-{newest:06}.cppc").as_ref());
        lines.iter().filter(is_new).try_for_each(std::fs::remove_file)?;
    }
    of.resume(newest).map(|_| ())
}

/// Each process loses every file but its newest one.
fn base_files(of: &Mirrored) -> Result<()> {
    of.kill(of.run())?;
    let newest = of.newest_in_mirror()?;
    for rank in of.ranks() {
        let lines = state::lines_of(of.dir(), rank)?;
        lines.iter().rev().skip(1).try_for_each(std::fs::remove_file)?;
    }
    let outcome = of.subject.resume(of.run(), Expect::UpTo(u64::MAX >> 1))?;
    let line = outcome.resumed_from().unwrap_or(0);
    ensure!(line >= newest, "line {line}, and the mirror had {newest}\n{}", outcome.said);
    Ok(())
}

/// The mirror is removed between two starts, and another file takes its place.
fn removed_mirror(of: &Mirrored) -> Result<()> {
    of.kill(of.run())?;
    let newest = of.newest(|rank| Mirrored::lines(of.dir(), rank))?;
    state::forget(&of.mirror)?;
    let resumed = of.run();
    std::fs::write(&of.mirror, "")?;
    let outcome = resumed.go()?;
    ensure!(!outcome.ended_well() && outcome.said.contains("mirror"), "{}", outcome.said);
    std::fs::remove_file(&of.mirror)?;
    of.resume(newest).map(|_| ())
}

fn more_lines(of: &Mirrored) -> Result<()> {
    of.kill(of.run().set("CPPC_KEEP", "5"))?;
    let newest = of.newest_in_mirror()?;
    of.subject.kill_again(of.run().set("CPPC_KEEP", "1"), Kill::AfterCheckpoint(4))?;
    state::forget(of.dir())?;
    let outcome = of.run().go()?.must_end_well("resumed")?;
    ensure!(outcome.resumed_from().is_some_and(|line| line >= newest), "{}", outcome.said);
    of.subject.compare(&outcome, Expect::Anywhere, 1)
}

/// Also while a line is being copied. Then `dir` is lost.
fn killed_at_any_time(of: &Mirrored) -> Result<()> {
    let events = 25..30;
    for event in events {
        state::forget(&of.mirror)?;
        let outcome = of.subject.kill(of.run(), Kill::BeforeEvent(event, 0))?;
        let newest = of.newest(|rank| Mirrored::lines(&of.mirror, rank))?;
        state::forget(of.dir())?;
        let resumed = of.run().go()?;
        let line = resumed.resumed_from().unwrap_or(0);
        ensure!(line == newest, "event {event}: line {line} of {newest}\n{}{}", outcome.said, resumed.said);
        if newest > 0 {
            of.subject.compare(&resumed.must_end_well("resumed")?, Expect::Line(newest), 1)?;
        }
    }
    Ok(())
}

/// At each call at which a line could be chosen, the next one is not finished.
fn always_being_written(of: &Mirrored) -> Result<()> {
    of.kill(of.run().set("CPPC_ASYNC", "true").set("CPPC_EVERY", "1").set("CPPC_KEEP", "8"))?;
    of.newest_in_mirror().map(drop)
}

fn finished(of: &Mirrored) -> Result<()> {
    state::forget(&of.mirror)?;
    state::forget(of.dir())?;
    let run = of.run();
    run.clear_files()?;
    run.go()?.must_end_well("not killed")?;
    let left = state::all_files(&of.mirror)?;
    ensure!(left.is_empty(), "left {left:?}");
    // A run that keeps its lines is finished also after the loss of `dir`.
    run.clone().set("CPPC_DELETE", "false").go()?.must_end_well("kept")?;
    state::forget(of.dir())?;
    run.clear_files()?;
    let again = run.go()?.must_end_well("again")?;
    ensure!(again.resumed_from().is_none(), "{}", again.said);
    Ok(())
}

/// A mirror that has room for less than one line.
fn full_mirror(of: &Mirrored) -> Result<()> {
    std::fs::create_dir_all(&of.mirror)?;
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&of.mirror);
    if !mount.output().is_ok_and(|output| output.status.success()) {
        eprintln!("not tested: this user may not mount a file system");
        return Ok(());
    }
    let last = 15;
    let killed = of.subject.kill(of.run(), Kill::AfterCheckpoint(last)).and_then(|outcome| {
        let files = state::all_files(&of.mirror)?;
        let lines = state::lines_of(&of.mirror, 0)?;
        ensure!(lines.is_empty(), "{files:?}");
        Ok(outcome.said)
    });
    Command::new("umount").arg(&of.mirror).status()?;
    let said = killed?;
    ensure!(said.matches("was not copied to the mirror").count() == 1 && said.contains(".tmp"), "{said}");
    of.subject.resume(of.run(), Expect::Line(last as u64)).map(|_| ())
}

fn unusable_mirror(of: &Mirrored) -> Result<()> {
    std::fs::write(&of.mirror, "")?;
    let outcome = of.run().go()?;
    ensure!(!outcome.ended_well(), "{}", outcome.said);
    ensure!(outcome.said.contains("mirror"), "{}", outcome.said);
    let same = of.run().set("CPPC_MIRROR", &of.dir().to_string_lossy()).go()?;
    ensure!(same.said.contains("are the same directory"), "{}", same.said);
    Ok(())
}

fn tools(of: &Mirrored) -> Result<()> {
    of.kill(of.run())?;
    let newest = of.newest_in_mirror()?;
    for verb in ["list", "verify", "show"] {
        let target = match verb {
            "show" => state::newest_of(&of.mirror, 0)?,
            _ => of.mirror.clone(),
        };
        let output = Product::get()?.command("cppc").arg(verb).arg(target).output()?;
        let printed = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "{verb}: {printed}{}", String::from_utf8_lossy(&output.stderr));
        ensure!(verb == "show" || printed.contains(&newest.to_string()), "{verb}: {printed}");
    }
    Ok(())
}
