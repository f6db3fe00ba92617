//! Translated programs under valgrind's memcheck, while they write state and while they resume, with both
//! formats of state files. They read no memory that was not set or not allocated.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::run::{Kill, Outcome, Run};
use cppc_tests::scenario::{Expect, Subject};
use libtest_mimic::Trial;

/// Programs that set all bytes that they register, also the padding of structures, because a state file contains it. So
/// whatever memcheck reports is a mistake of the runtime.
const PROGRAMS: [&str; 4] =
    ["c/settings_every.c", "c/heap_linked_pool.c", "c/register_structures.c", "fortran/register_derived.f90"];
const WRITERS: [&str; 2] = ["binary", "hdf5"];
const MEMCHECK: [&str; 4] = ["valgrind", "-q", "--error-exitcode=99", "--track-origins=yes"];

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory");
    let version = Command::new("valgrind")
        .arg("--version")
        .output()
        .context("valgrind is missing: `make setup` installs it")?;
    ensure!(version.status.success(), "valgrind does not run");
    let mut cases = Vec::new();
    for file in PROGRAMS {
        for writer in WRITERS {
            cases.push(case(&scratch, format!("{file}/{writer}"), move |directory| {
                let program = Program::read(file, &here("programs").join(file))?;
                let executable = build::translated(&program, Form::first(&program), directory)?;
                let memory = in_memory(directory)?;
                dumps_and_resumes(
                    &Subject::new(&program, &executable, directory, &memory.path().join("state"))?,
                    writer,
                    &memcheck(),
                )
            }));
        }
    }
    Ok(cases)
}

fn memcheck() -> Vec<String> {
    let suppressions = format!("--suppressions={}", here("support/memcheck.supp").display());
    MEMCHECK.iter().map(|&word| word.to_owned()).chain([suppressions]).collect()
}

/// With and without `async`. Full files, and with the writer `binary` also incremental ones.
fn dumps_and_resumes(subject: &Subject, writer: &str, memcheck: &[String]) -> Result<()> {
    let last = subject.checkpoints().min(4);
    let changes_only = if writer == "binary" { "2" } else { "1" };
    for (is_async, full_every) in [("false", "1"), ("true", changes_only)] {
        let run = || {
            let run = subject
                .run()
                .set("CPPC_WRITER", writer)
                .set("CPPC_ASYNC", is_async)
                .set("CPPC_FULL_EVERY", full_every);
            Run { under: memcheck.to_vec(), ..run }
        };
        let killed = subject.kill(run(), Kill::AfterCheckpoint(last))?;
        is_clean(&killed)?;
        let expect = if is_async == "true" { Expect::UpTo(last as u64) } else { Expect::Line(last as u64) };
        // Memcheck is slow, so only a few dumps are made.
        is_clean(&subject.resume(run().set("CPPC_EVERY", "20"), expect)?)?;
    }
    Ok(())
}

/// Each line of memcheck begins with the number of the process. No other line begins like this.
fn is_clean(outcome: &Outcome) -> Result<()> {
    ensure!(!outcome.said.lines().any(|line| line.starts_with("==")), "{}", outcome.said);
    Ok(())
}
