//! Programs that have only `checkpoint` directives: the translation adds the others. Each program is a program of the
//! other tests without its directives. It is killed and resumed.
//!
//! A result is exact, or it is reported that something is missing: by a diagnostic, or when the program runs. If a
//! resumed run is wrong and nothing was reported, that is a miss. `automatic.txt` lists the programs that are not exact,
//! with the reasons. A program that is better than its line fails too, so that the line is removed.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::product::here;
use cppc_tests::program::{programs, Language, Program};
use cppc_tests::run::Kill;
use cppc_tests::scenario::{Expect, Subject};
use libtest_mimic::Trial;

#[derive(Debug, PartialEq, Eq)]
enum Level {
    Exact,
    Reported,
    Missed,
}

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("automatic");
    let list =
        std::fs::read_to_string(here("automatic.txt")).context("the list of programs that are not exact")?;
    let mut cases = Vec::new();
    for program in programs()? {
        let line = list.lines().find(|line| line.split(':').next() == Some(program.name.as_str()));
        let expected: &[Level] = match line.and_then(|line| line.split(": ").nth(1)) {
            None => &[Level::Exact],
            Some("reported") => &[Level::Reported],
            Some("sometimes reported") => &[Level::Exact, Level::Reported],
            Some("missed") => &[Level::Missed],
            Some(word) => anyhow::bail!("`{word}` is no level"),
        };
        cases.push(case(&scratch, program.name.clone(), move |directory| {
            let (found, why) = level(&program, directory)?;
            ensure!(expected.contains(&found), "{found:?}, expected {expected:?}: {why}");
            Ok(())
        }));
    }
    Ok(cases)
}

/// How well the program works, and what was reported.
fn level(program: &Program, directory: &Path) -> Result<(Level, String)> {
    let form = Form::first(program);
    let plain = build::plain(program, form, directory)?;
    let program = bare(program, directory)?;
    let (executable, said) = match build::automatic(&program, "register", form, directory) {
        Ok(built) => built,
        Err(error) => {
            let text = format!("{error:#}");
            ensure!(text.contains("error[C"), "the translation does not compile:\n{text}");
            return Ok((Level::Reported, text));
        }
    };
    let memory = in_memory(directory)?;
    let state = memory.path().join("state");
    let subject = Subject::new(&program, &executable, directory, &state)?;
    let mut reports = said;
    reports.push_str(&subject.unbroken.said);
    let reference = cppc_tests::run::Run::new(&program, &plain, directory);
    reference.clear_files()?;
    let reference = reference.go()?.must_end_well("the plain program")?;
    if program.processes.is_none() {
        cppc_tests::scenario::same(&subject.unbroken.printed.concat(), &reference.stream)
            .context("unbroken")?;
    }
    let last = subject.checkpoints() as u64;
    let mut wrong = String::new();
    for number in [1, last / 2, last] {
        if number == 0 {
            continue;
        }
        // What an undefined pointer contains differs from run to run, and with it what is reported.
        let killed = subject.kill(subject.run(), Kill::AfterCheckpoint(number as usize))?;
        reports.push_str(&killed.said);
        if let Err(error) = subject.resume(subject.run(), Expect::Line(number)) {
            let _ = writeln!(wrong, "killed after checkpoint {number}: {error:#}");
        }
    }
    if last == 0 {
        wrong.push_str("no checkpoint was reached");
    }
    let is_reported = ["warning[C07", "warning[C0457]", "error[C", "nothing is written", "cppc: cannot"]
        .iter()
        .any(|report| reports.contains(report) || wrong.contains(report));
    let level = match (wrong.is_empty(), is_reported) {
        (true, _) => Level::Exact,
        (false, true) => Level::Reported,
        (false, false) => Level::Missed,
    };
    Ok((level, wrong + &reports))
}

/// The program without its directives, apart from `checkpoint`.
fn bare(program: &Program, directory: &Path) -> Result<Program> {
    let folder = directory.join("bare");
    std::fs::create_dir_all(&folder)?;
    let mut sources = Vec::new();
    for source in &program.sources {
        let text = std::fs::read(source)?;
        let name = folder.join(source.file_name().context("a source has a name")?);
        std::fs::write(&name, without_directives(&text, Language::of(source).unwrap_or(program.language)))?;
        sources.push(name);
    }
    Ok(Program { sources, ..program.clone() })
}

fn without_directives(text: &[u8], language: Language) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut is_continued = false;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let words = String::from_utf8_lossy(line).trim().to_ascii_lowercase();
        let is_directive = match language {
            Language::C => {
                let after =
                    words.strip_prefix('#').map(str::trim_start).and_then(|rest| rest.strip_prefix("pragma"));
                after.is_some_and(|rest| {
                    ["cppc", "cccp"].iter().any(|word| rest.trim_start().starts_with(word))
                })
            }
            Language::Fortran => ["!$cppc", "c$cppc", "*$cppc", "!$cccp", "c$cccp", "*$cccp"]
                .iter()
                .any(|sentinel| words.starts_with(sentinel)),
        };
        let is_dropped = (is_directive && !words.contains("checkpoint")) || is_continued;
        is_continued = is_dropped && language == Language::C && words.ends_with('\\');
        match is_dropped {
            // The numbers of lines stay the same.
            true => kept.push(b'\n'),
            false => kept.extend_from_slice(line),
        }
    }
    kept
}
