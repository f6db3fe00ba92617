//! Settings from the command line, the environment and a file, and their effect on a run that is killed and
//! resumed.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{ensure, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::run::{Kill, Run};
use cppc_tests::scenario::{Expect, Subject};
use cppc_tests::state;
use libtest_mimic::Trial;

type Check = fn(&Subject) -> Result<()>;

const CHECKS: [(&str, Check); 12] = [
    ("keep_one", |subject| keep(subject, 1)),
    ("keep_four", |subject| keep(subject, 4)),
    ("busy_skip", busy_skip),
    ("busy_wait", busy_wait),
    ("first_touch", first_touch),
    ("delete_false", delete_false),
    ("log_quiet", log_quiet),
    ("log_debug", log_debug),
    ("strongest_source_wins", strongest_source_wins),
    ("the_originals_names", the_originals_names),
    ("unknown_setting", unknown_setting),
    ("value_that_is_none", value_that_is_none),
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("settings");
    let checks = CHECKS.map(|(name, check)| ("c/settings_every.c", name, check));
    let others: [(&str, &str, Check); 8] = [
        ("alone/shrinking.c", "compress", compress),
        ("alone/shrinking.f90", "fortran_compress", compress),
        ("c/init_without_arguments.c", "arguments_without_init", arguments_without_init),
        // Its `main` takes no arguments.
        ("c/flow_switch.c", "main_without_arguments", unknown_setting),
        ("fortran/settings_every.f90", "fortran_strongest_source_wins", strongest_source_wins),
        ("fortran/settings_every.f90", "fortran_the_originals_names", the_originals_names),
        ("fortran/settings_every.f90", "fortran_unknown_setting", unknown_setting),
        ("fortran/settings_every.f90", "fortran_first_touch", first_touch),
    ];
    let all = checks.into_iter().chain(others);
    all.map(|(file, name, check)| {
        case(&scratch, name.to_owned(), move |directory| {
            // The working directory, for a file with settings, is that of the test.
            let mut program = Program::read(name, &here("programs").join(file))?;
            let executable = build::translated(&program, Form::first(&program), directory)?;
            program.directory = directory.to_owned();
            let memory = in_memory(directory)?;
            let state = memory.path().join("state");
            check(&Subject::new(&program, &executable, directory, &state)?)
        })
    })
    .collect()
}

fn keep(subject: &Subject, lines: usize) -> Result<()> {
    let run = || subject.run().set("CPPC_KEEP", &lines.to_string());
    subject.kill(run(), Kill::AfterCheckpoint(9))?;
    let found = state::lines_of(subject.state, 0)?;
    // There may be one more line, because the runtime finds out whether a line is complete when it writes
    // the next one.
    ensure!((lines..=lines + 1).contains(&found.len()), "{found:?}");
    subject.resume(run(), Expect::Line(9)).map(|_| ())
}

/// While a dump is being written, the next one is skipped. Which ones are written depends on the speed of
/// the disk.
fn busy_skip(subject: &Subject) -> Result<()> {
    let run = || subject.run().set("CPPC_ASYNC", "true").set("CPPC_BUSY", "skip");
    let outcome = run().go()?.must_end_well("skipping")?;
    subject.compare(&outcome, Expect::Line(0), 1)?;
    subject.kill(run(), Kill::AfterCheckpoint(55))?;
    let has_lines = !state::lines_of(subject.state, 0)?.is_empty();
    let expect = if has_lines { Expect::Anywhere } else { Expect::Line(0) };
    subject.resume(run(), expect).map(|_| ())
}

/// All dumps except the last are complete when a checkpoint returns.
fn busy_wait(subject: &Subject) -> Result<()> {
    let run = || subject.run().set("CPPC_ASYNC", "true").set("CPPC_BUSY", "wait");
    subject.kill(run(), Kill::AfterCheckpoint(30))?;
    let outcome = subject.resume(run(), Expect::UpTo(30))?;
    ensure!(outcome.resumed_from() >= Some(29), "{}", outcome.said);
    Ok(())
}

fn first_touch(subject: &Subject) -> Result<()> {
    let run = || subject.run().set("CPPC_EVERY", "1000").set("CPPC_FIRST_TOUCH", "true");
    subject.kill(run(), Kill::AfterCheckpoint(30))?;
    let outcome = subject.resume(run(), Expect::Line(1))?;
    ensure!(outcome.said.lines().count() == 1, "{}", outcome.said);
    Ok(())
}

/// The state of a finished run stays, and is not that of an unfinished one.
fn delete_false(subject: &Subject) -> Result<()> {
    state::forget(subject.state)?;
    for turn in ["first", "second"] {
        let outcome = subject.run().set("CPPC_DELETE", "false").go()?.must_end_well(turn)?;
        subject.compare(&outcome, Expect::Line(0), 1)?;
        let left = state::lines_of(subject.state, 0)?;
        ensure!(!left.is_empty(), "the {turn} run has left nothing");
    }
    Ok(())
}

fn log_quiet(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(12))?;
    let outcome = subject.run().set("CPPC_LOG", "quiet").go()?.must_end_well("quiet")?;
    ensure!(outcome.said.is_empty(), "says\n{}", outcome.said);
    let from = subject.unbroken.traces[0].printed_at(12);
    ensure!(outcome.printed[0] == subject.unbroken.printed[0][from..], "another output");
    Ok(())
}

fn log_debug(subject: &Subject) -> Result<()> {
    state::forget(subject.state)?;
    let outcome = subject.run().set("CPPC_LOG", "debug").go()?.must_end_well("debug")?;
    let lines = outcome.said.lines().filter(|line| line.starts_with("cppc: ")).count();
    ensure!(lines >= 60, "a dump is not spoken of:\n{}", outcome.said);
    Ok(())
}

/// `every` from a file is 2, from the environment 3, from the command line 4.
fn strongest_source_wins(subject: &Subject) -> Result<()> {
    const DONE: usize = 24;
    std::fs::write(subject.program.directory.join("cppc.toml"), "every = 2\n")?;
    let run = || subject.run().unset("CPPC_EVERY");
    subject.kill(run(), Kill::AfterCheckpoint(DONE))?;
    let outcome = run().go()?.must_end_well("file")?;
    subject.compare(&outcome, Expect::Line(12), 2)?;

    let run = || subject.run().set("CPPC_EVERY", "3");
    subject.kill(run(), Kill::AfterCheckpoint(DONE))?;
    let outcome = run().go()?.must_end_well("environment")?;
    subject.compare(&outcome, Expect::Line(8), 3)?;

    let program = with_arguments(subject, &["--cppc-every", "4"]);
    let run = || Run { program: &program, ..run() };
    subject.kill(run(), Kill::AfterCheckpoint(DONE))?;
    let outcome = run().go()?.must_end_well("command line")?;
    subject.compare(&outcome, Expect::Line(6), 4)
}

fn the_originals_names(subject: &Subject) -> Result<()> {
    let program =
        with_arguments(subject, &["-CPPC,CPPC/Controller/Frequency=5,CPPC/Controller/StoredRecoverySets=3"]);
    let run = || Run { program: &program, ..subject.run().unset("CPPC_EVERY") };
    subject.kill(run(), Kill::AfterCheckpoint(25))?;
    let found = state::lines_of(subject.state, 0)?;
    ensure!((3..=4).contains(&found.len()), "{found:?}");
    let outcome = run().go()?.must_end_well("resumed")?;
    subject.compare(&outcome, Expect::Line(5), 5)
}

/// The start stops with an error and a suggestion, whatever the source of the setting. The program does no
/// work.
fn unknown_setting(subject: &Subject) -> Result<()> {
    let program = with_arguments(subject, &["--cppc-evry=3"]);
    must_stop(&Run { program: &program, ..subject.run() }, &["`evry`", "command line", "`every`"])?;
    must_stop(&subject.run().set("CPPC_EVRY", "3"), &["`CPPC_EVRY`", "environment", "`CPPC_EVERY`"])?;
    std::fs::write(subject.program.directory.join("cppc.toml"), "evry = 3\n")?;
    must_stop(&subject.run(), &["cppc.toml", "`evry`", "`every`"])
}

fn value_that_is_none(subject: &Subject) -> Result<()> {
    must_stop(&subject.run().set("CPPC_EVERY", "often"), &["every", "often", "environment"])?;
    must_stop(&subject.run().set("CPPC_BUSY", "perhaps"), &["perhaps", "wait", "skip"])?;
    must_stop(&subject.run().set("CPPC_COMPRESS", "deflate:12"), &["lz4", "deflate"])?;
    must_stop(&subject.run().set("CPPC_COMPRESS_THREADS", "two"), &["two", "compress-threads", "a number"])?;
    // The setting is refused before the writer is searched for.
    for writer in ["hdf5", "/nowhere/toy.so"] {
        let run = subject.run().set("CPPC_COMPRESS", "lz4").set("CPPC_WRITER", writer);
        must_stop(&run, &["`lz4`", writer, "`deflate`", "`binary`"])?;
    }
    Ok(())
}

/// Each codec, on one thread and on several. Runs resume with any other codec.
fn compress(subject: &Subject) -> Result<()> {
    let size = |compress: &str, threads: &str, number: usize| -> Result<u64> {
        let run = || subject.run().set("CPPC_COMPRESS", compress).set("CPPC_COMPRESS_THREADS", threads);
        subject.kill(run(), Kill::AfterCheckpoint(number))?;
        let newest = state::newest_of(subject.state, 0)?;
        let bytes = std::fs::metadata(&newest)?.len();
        subject.resume(subject.run(), Expect::Line(number as u64))?;
        Ok(bytes)
    };
    let plain = size("none", "1", 2)?;
    for compress in ["deflate:1", "deflate:6", "lz4"] {
        let packed = size(compress, "1", 2)?;
        // The random bytes do not get smaller, and more than half of the rest does.
        ensure!(packed * 10 < plain * 7 && packed > 3_000_000, "{compress}: {packed} of {plain} bytes");
        let by_three = size(compress, "3", 2)?;
        ensure!(by_three == packed, "{compress}: {by_three} bytes by three threads, {packed} by one");
    }
    size("lz4", "0", 4)?;
    Ok(())
}

fn must_stop(run: &Run, words: &[&str]) -> Result<()> {
    let outcome = run.go()?;
    ensure!(!outcome.ended_well(), "not refused:\n{}", outcome.said);
    ensure!(outcome.printed.concat().is_empty(), "the program has begun");
    for word in words {
        ensure!(outcome.said.contains(word), "`{word}` is not said:\n{}", outcome.said);
    }
    Ok(())
}

/// Settings are removed from the command line even if `init` is in a procedure without access to it.
fn arguments_without_init(subject: &Subject) -> Result<()> {
    let words = ["one", "--cppc-every=2", "two", "--", "--cppc-every=3"];
    let program = with_arguments(subject, &words);
    let run = || Run { program: &program, ..subject.run() };
    let outcome = run().go()?.must_end_well("with words")?;
    let printed = String::from_utf8_lossy(&outcome.printed[0]).into_owned();
    ensure!(printed.starts_with("one two -- --cppc-every=3 field 0 "), "{printed}");
    subject.kill(run(), Kill::AfterCheckpoint(4))?;
    let outcome = run().go()?.must_end_well("resumed")?;
    ensure!(outcome.resumed_from() == Some(2), "{}", outcome.said);
    Ok(())
}

fn with_arguments(subject: &Subject, arguments: &[&str]) -> Program {
    let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
    Program { arguments, ..subject.program.clone() }
}
