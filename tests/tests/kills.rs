//! Processes and launchers that are killed before a chosen system call: in dumps, while resuming, while the run ends, and
//! again in the restart.
//!
//! A line that was reported as complete is found again. Output and files at the end equal those of a run
//! that was not killed. With `CPPC_FAILING_CALLS=all` a kill comes before every call, otherwise before some
//! of them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use cppc_tests::cases::{case, run};
use cppc_tests::matrix::in_memory;
use cppc_tests::product::{here, Product};
use cppc_tests::program::{Mpi, Program};
use cppc_tests::run::Outcome;
use cppc_tests::scenario::{same_files, Expect, Subject};
use cppc_tests::shim::{built, Dies, Shimmed};
use cppc_tests::state;
use libtest_mimic::Trial;

type Settings = &'static [(&'static str, &'static str)];

const PROGRAMS: [(&str, &str, Settings); 8] = [
    ("binary", "c/settings_every.c", &[("CPPC_EVERY", "15")]),
    (
        "incremental",
        "c/settings_every.c",
        &[("CPPC_EVERY", "9"), ("CPPC_FULL_EVERY", "3"), ("CPPC_COMPRESS", "lz4")],
    ),
    ("hdf5", "c/settings_every.c", &[("CPPC_EVERY", "20"), ("CPPC_WRITER", "hdf5")]),
    ("in_the_background", "c/settings_every.c", &[("CPPC_EVERY", "15"), ("CPPC_ASYNC", "true")]),
    ("files", "c/open_stream.c", &[("CPPC_EVERY", "4")]),
    ("units", "fortran/open_formatted.f90", &[("CPPC_EVERY", "4")]),
    ("mpi", "c/mpi_open.c", &[("CPPC_EVERY", "4")]),
    (MPICH, "c/mpi_open.c", &[("CPPC_EVERY", "4")]),
];

/// As `mpi`, if the libraries for MPICH are staged.
const MPICH: &str = "mpich";

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kills");
    let stories: [(&str, Dies); 2] =
        [("before_every_call", Dies::Caller), ("launcher_before_every_call", Dies::Launcher)];
    let mut cases = Vec::new();
    let has_mpich = Product::for_mpich().is_some();
    for (name, file, settings) in PROGRAMS.into_iter().filter(|program| program.0 != MPICH || has_mpich) {
        let mpi = if name == MPICH { Mpi::Mpich } else { Mpi::Default };
        for (story, dies) in stories {
            if dies == Dies::Launcher && !["mpi", MPICH].contains(&name) {
                continue;
            }
            cases.push(case(&scratch, format!("{story}/{name}"), move |directory| {
                let program = Program { mpi, ..Program::read(name, &here("programs").join(file))? };
                let executable = built(&program, directory)?;
                let memory = in_memory(directory)?;
                let state = memory.path().join("state");
                let shimmed = &Subject::new(&program, &executable, directory, &state)?;
                before_every_call(&Shimmed::new(shimmed, settings)?, dies)
            }));
        }
    }
    cases
}

/// Each kill is in a run that starts from the beginning, at any call of its dumps or of its end. The
/// restart is killed too, at another call. The start after it runs to the end.
fn before_every_call(shimmed: &Shimmed, dies: Dies) -> Result<()> {
    let rank = shimmed.subject.program.processes.map_or(0, |count| count - 1);
    shimmed.forget()?;
    shimmed.counting(rank).go()?.must_end_well("the counted run")?;
    let wanted = if shimmed.subject.program.processes.is_some() { 5 } else { 40 };
    let calls = shimmed.counted()?;
    let (mut kills, mut fresh) = (0, 0);
    for call in shimmed.some_calls(wanted)? {
        let context = || format!("killed before call {call} of {calls} ({dies:?})");
        shimmed.forget()?;
        kills += u64::from(is_killed(shimmed, rank, call, dies).with_context(context)?);
        // A restart has fewer calls. A different one is chosen each time.
        kills += u64::from(is_killed(shimmed, rank, 1 + call * 7 % (calls / 2), dies).with_context(context)?);
        let has_lines = prepare(shimmed)?;
        let outcome = shimmed.plain().go()?.must_end_well("the last start").with_context(context)?;
        fresh += u64::from(outcome.resumed_from().is_none());
        compare(shimmed.subject, &outcome, has_lines).with_context(context)?;
    }
    println!("{kills} kills, {fresh} runs from the beginning");
    Ok(())
}

/// False if the run ended before the call, or was not ended by it.
fn is_killed(shimmed: &Shimmed, rank: u32, call: u64, dies: Dies) -> Result<bool> {
    let has_lines = prepare(shimmed)?;
    let outcome = shimmed.killing(rank, call, dies).go()?;
    if outcome.ended_well() {
        compare(shimmed.subject, &outcome, has_lines)?;
        return Ok(false);
    }
    // A launcher reports its own signal, that of a rank, or that a rank has disappeared.
    let is_plain = shimmed.subject.program.processes.is_none();
    ensure!(!is_plain || outcome.was_killed(), "{}\n{}", outcome.status, outcome.said);
    ensure!(!outcome.said.contains("panicked"), "{}", outcome.said);
    Ok(true)
}

/// If the program starts from the beginning, the files of the run before are removed. Returns whether there
/// is a line to resume: all processes have it, and its run has not ended.
fn prepare(shimmed: &Shimmed) -> Result<bool> {
    let mut common: Option<BTreeSet<OsString>> = None;
    for rank in 0..shimmed.subject.program.processes.unwrap_or(1) {
        let lines = state::lines_of(shimmed.subject.state, rank)?;
        let lines: BTreeSet<_> =
            lines.iter().filter_map(|path| path.file_name().map(OsStr::to_owned)).collect();
        common = Some(common.map_or(lines.clone(), |common| common.intersection(&lines).cloned().collect()));
    }
    let has_ended = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"finished-"))
    };
    let has_ended = state::all_files(shimmed.subject.state)?.iter().any(has_ended);
    let has_lines = common.is_some_and(|common| !common.is_empty()) && !has_ended;
    if !has_lines {
        shimmed.plain().clear_files()?;
    }
    Ok(has_lines)
}

fn compare(subject: &Subject, outcome: &Outcome, has_lines: bool) -> Result<()> {
    let is_resumed = outcome.resumed_from().is_some();
    ensure!(is_resumed == has_lines, "there are lines to resume: {has_lines}\n{}", outcome.said);
    subject.compare(outcome, if is_resumed { Expect::Anywhere } else { Expect::Line(0) }, 1)?;
    same_files(&outcome.files, &subject.unbroken.files).with_context(|| outcome.said.clone())?;
    let left = state::all_files(subject.state)?;
    ensure!(left.is_empty(), "a run that ended well has left {left:?}\n{}", outcome.said);
    Ok(())
}
