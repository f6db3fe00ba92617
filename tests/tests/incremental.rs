//! Programs with incremental state files: killed at every checkpoint and resumed repeatedly, also with base
//! files that are damaged or missing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::run::{Kill, Outcome, Run};
use cppc_tests::scenario::{Expect, Subject};
use cppc_tests::state;
use libtest_mimic::Trial;

type Trouble = fn(&Subject) -> Result<()>;

const STILL: [&str; 2] = ["alone/mostly_still.c", "alone/mostly_still.f90"];
const OF_STILL: [(&str, Trouble); 6] = [
    ("killed_at_checkpoints", killed_at_checkpoints),
    ("little_is_written", little_is_written),
    ("base_damaged", base_damaged),
    ("base_gone", base_gone),
    ("killed_again_and_again", killed_again_and_again),
    ("dumps_left_out", dumps_left_out),
];
const OF_OTHERS: [(&str, &str, Trouble); 4] = [
    ("c/heap_swap.c", "killed_at_checkpoints", killed_at_checkpoints),
    ("c/mpi_uneven.c", "killed_at_checkpoints", killed_at_checkpoints),
    ("fortran/allocatable_bounds.f90", "killed_at_checkpoints", killed_at_checkpoints),
    ("c/settings_every.c", "another_writer", another_writer),
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("incremental");
    let still = STILL.iter().flat_map(|file| OF_STILL.map(|(name, trouble)| (*file, name, trouble)));
    still
        .chain(OF_OTHERS)
        .map(|(file, name, trouble)| {
            let stem = file.rsplit('/').next().unwrap_or(file).replace('.', "_");
            case(&scratch, format!("{name}_{stem}"), move |directory| {
                let program = Program::read(&stem, &here("programs").join(file))?;
                let executable = build::translated(&program, Form::first(&program), directory)?;
                let memory = in_memory(directory)?;
                let state = memory.path().join("state");
                trouble(&Subject::new(&program, &executable, directory, &state)?)
            })
        })
        .collect()
}

fn every_third_full<'a>(subject: &Subject<'a>) -> Run<'a> {
    subject.run().set("CPPC_FULL_EVERY", "3").set("CPPC_ASYNC", "false")
}

fn killed_at_checkpoints(subject: &Subject) -> Result<()> {
    for number in 1..=subject.checkpoints().min(8) {
        subject.kill(every_third_full(subject), Kill::AfterCheckpoint(number))?;
        subject.resume(every_third_full(subject), Expect::Line(number as u64))?;
        // Reading a file does not depend on the settings for writing.
        subject.kill(every_third_full(subject).set("CPPC_COMPRESS", "lz4"), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(number as u64))?;
    }
    Ok(())
}

fn sizes(files: &[PathBuf]) -> Result<Vec<u64>> {
    files.iter().map(|path| Ok(std::fs::metadata(path)?.len())).collect()
}

fn little_is_written(subject: &Subject) -> Result<()> {
    subject.kill(every_third_full(subject).set("CPPC_KEEP", "9"), Kill::AfterCheckpoint(6))?;
    let sizes = sizes(&state::lines_of(subject.state, 0)?)?;
    ensure!(sizes.len() == 6, "{sizes:?}");
    for (line, size) in sizes.iter().enumerate() {
        let is_full = line % 3 == 0;
        // A full file stores four of the five arrays, because the zeros of the fifth are not stored.
        ensure!(if is_full { *size > 3_000_000 } else { *size < 300_000 }, "{sizes:?}");
    }
    subject.resume(every_third_full(subject), Expect::Line(6)).map(|_| ())
}

/// Lines 7 to 9. Line 7 is full, and it is the base file of the others.
fn three_lines(subject: &Subject) -> Result<Vec<PathBuf>> {
    subject.kill(every_third_full(subject).set("CPPC_KEEP", "9"), Kill::AfterCheckpoint(9))?;
    Ok(state::lines_of(subject.state, 0)?.split_off(6))
}

fn base_damaged(subject: &Subject) -> Result<()> {
    for part in [0.0, 0.3, 0.9] {
        let lines = three_lines(subject)?;
        state::flip_bit(&lines[0], part)?;
        let outcome = subject.resume(every_third_full(subject), Expect::Line(6))?;
        names(&outcome, &lines)?;
        ensure!(outcome.said.contains("needs `"), "{}", outcome.said);
    }
    Ok(())
}

fn base_gone(subject: &Subject) -> Result<()> {
    let lines = three_lines(subject)?;
    std::fs::remove_file(&lines[0])?;
    let outcome = subject.resume(every_third_full(subject), Expect::Line(6))?;
    names(&outcome, &lines)?;
    // If all base files are missing, no line can be resumed.
    let lines = three_lines(subject)?;
    let all = state::lines_of(subject.state, 0)?;
    for line in all.iter().filter(|line| *line != &lines[2]) {
        std::fs::remove_file(line)?;
    }
    let outcome = subject.resume(every_third_full(subject), Expect::Line(0))?;
    names(&outcome, &lines[2..])
}

/// Each run resumes from the files of the run before, which depend only on base files of that run.
fn killed_again_and_again(subject: &Subject) -> Result<()> {
    let run = || every_third_full(subject).set("CPPC_KEEP", "1");
    subject.kill(run(), Kill::AfterCheckpoint(3))?;
    // The first checkpoint of a resumed run is the one from which it resumes.
    for (more, line) in [(4, 3), (2, 6), (1, 7)] {
        let outcome = subject.kill_again(run(), Kill::AfterCheckpoint(more))?;
        ensure!(outcome.resumed_from() == Some(line), "{}", outcome.said);
    }
    let outcome = run().go()?.must_end_well("the last run")?;
    ensure!(outcome.resumed_from().is_some_and(|line| line >= 7), "{}", outcome.said);
    subject.compare(&outcome, Expect::Anywhere, 1)
}

/// While a dump is being written, the next ones are skipped. Which ones are written depends on the speed of
/// the disk.
fn dumps_left_out(subject: &Subject) -> Result<()> {
    // Compression is slow, so some dumps are skipped.
    let settings =
        [("CPPC_ASYNC", "true"), ("CPPC_BUSY", "skip"), ("CPPC_COMPRESS", "deflate:9"), ("CPPC_KEEP", "9")];
    let run = || settings.iter().fold(every_third_full(subject), |run, (name, value)| run.set(name, value));
    subject.kill(run(), Kill::AfterCheckpoint(5))?;
    for _ in 0..2 {
        subject.kill_again(run(), Kill::AfterCheckpoint(4))?;
    }
    let found = !state::lines_of(subject.state, 0)?.is_empty();
    subject.resume(run(), if found { Expect::Anywhere } else { Expect::Line(0) }).map(|_| ())
}

fn another_writer(subject: &Subject) -> Result<()> {
    let outcome = every_third_full(subject).set("CPPC_WRITER", "hdf5").go()?;
    ensure!(!outcome.ended_well(), "the run was not refused\n{}", outcome.said);
    let said = "`full-every` is 3, and the writer `hdf5` writes full state files only";
    ensure!(outcome.said.contains(said), "{}", outcome.said);
    Ok(())
}

fn names(outcome: &Outcome, files: &[PathBuf]) -> Result<()> {
    for file in files {
        let name = file.display().to_string();
        ensure!(outcome.said.contains(&name), "`{name}` is not named:\n{}", outcome.said);
    }
    Ok(())
}
