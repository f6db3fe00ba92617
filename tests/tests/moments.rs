//! Kills from outside, at random moments: one process of a running program, all processes, or the launcher
//! is killed repeatedly. The run is resumed each time. The complete output equals that of a run that was
//! not killed. The moments come from a fixed seed.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{ensure, Context, Result};
use cppc_prng::{from_environment, Random};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::process::Victim;
use cppc_tests::product::Product;
use cppc_tests::program::{programs, Mpi, Program};
use cppc_tests::run::{Kill, Outcome, Run};
use cppc_tests::scenario::{Expect, Subject};
use cppc_tests::state;
use libtest_mimic::Trial;

/// Programs and sizes that run long enough to be killed.
const LONG: [(&str, &[&str]); 2] = [("example_heat", &["200", "160", "400"]), ("example_nested", &["40"])];
/// With MPICH too, if its libraries are staged. Its processes never sleep while they wait, so one program is enough.
const WITH_MPICH: &str = "example_nested";

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("moments");
    let mut cases = Vec::new();
    let found = programs()?;
    for (index, (name, arguments)) in LONG.into_iter().enumerate() {
        let Some(program) = found.iter().find(|program| program.name == name) else {
            anyhow::bail!("there is no `{name}`")
        };
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let program = Program { arguments, ..program.clone() };
        let mpich = Product::for_mpich().filter(|_| name == WITH_MPICH).map(|_| Mpi::Mpich);
        for mpi in [Some(Mpi::Default), mpich].into_iter().flatten() {
            let program = Program { mpi, ..program.clone() };
            let name = if mpi == Mpi::Mpich { format!("mpich/{name}") } else { name.to_owned() };
            cases.push(case(&scratch, name, move |directory| {
                let seed = from_environment("CPPC_STORM_SEED", 2006) + index as u64;
                dies_again_and_again(&program, Random::new(seed), directory)
                    .with_context(|| format!("CPPC_STORM_SEED={}", seed - index as u64))
            }));
        }
    }
    Ok(cases)
}

fn dies_again_and_again(program: &Program, mut random: Random, directory: &Path) -> Result<()> {
    let kills = from_environment("CPPC_STORM_KILLS", 6);
    let (mut finished, mut refused) = (0, 0);
    let executable = build::translated(program, Form::first(program), directory)?;
    let memory = in_memory(directory)?;
    let state = memory.path().join("state");
    let started = Instant::now();
    let subject = Subject::new(program, &executable, directory, &state)?;
    let length_ms = started.elapsed().as_millis() as u64;
    let run = || Run { settings: Vec::new(), ..subject.run() };
    for _ in 0..kills {
        // Some are killed while they start, most while they compute, some while they end.
        let after_ms = length_ms / 8 + random.number_below(length_ms * 7 / 8);
        let victim = victim(program, &mut random);
        let leaves_orphans = victim == Victim::Launcher && random.once_in(2);
        let run = Run { leaves_orphans, ..run() };
        let outcome = run.clone().kill(Kill::AfterMilliseconds(after_ms, victim)).go()?;
        if outcome.ended_well() {
            subject.compare(&outcome, expected(&outcome), 1)?;
            finished += 1;
        }
        if leaves_orphans {
            refused += u64::from(is_refused_beside_orphans(&subject, &run)?);
            run.await_orphans(outcome.status)?;
        }
    }
    let outcome = run().go()?.must_end_well("the resumed run")?;
    subject.compare(&outcome, expected(&outcome), 1)?;
    ensure!(state::all_files(&state)?.is_empty(), "files are left:\n{}", outcome.said);
    println!("{}: {kills} kills, {finished} runs ended before theirs, {refused} starts refused beside what a launcher left", program.name);
    Ok(())
}

fn victim(program: &Program, random: &mut Random) -> Victim {
    match random.below(if program.processes.is_some() { 5 } else { 4 }) {
        0 => Victim::All,
        4 => Victim::Launcher,
        _ => Victim::One(random.below(4)),
    }
}

/// If a launcher was killed, its processes may still be alive. A start at this time does not use the
/// directories to which they write.
fn is_refused_beside_orphans(subject: &Subject, run: &Run) -> Result<bool> {
    let outcome = run.go()?;
    if outcome.ended_well() {
        subject.compare(&outcome, expected(&outcome), 1)?;
        return Ok(false);
    }
    ensure!(
        outcome.said.contains("cppc: ") && outcome.said.contains("lock"),
        "{}\n{}",
        outcome.status,
        outcome.said
    );
    Ok(true)
}

/// If the runs before were killed too early to leave a line, the run is a fresh one.
fn expected(outcome: &Outcome) -> Expect {
    outcome.resumed_from().map_or(Expect::Line(0), |_| Expect::Anywhere)
}
