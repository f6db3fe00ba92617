//! Programs without any directive, built with `CPPC_AUTO=all`. The first comment of each program says how many checkpoints a
//! process passes (`passes: 10`), or the code of the report that it gets none (`passes: C0808`). Each program is killed and resumed.
//! `excludes: 3`: with so many processes, no state is saved, and the run says so.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::product::here;
use cppc_tests::program::{in_folder, Program};
use cppc_tests::run::{Kill, Run};
use cppc_tests::scenario::{same, Expect, Subject};
use cppc_tests::state::lines_of;
use libtest_mimic::Trial;

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("placement");
    let programs = in_folder(&here("placement"))?.into_iter();
    Ok(programs
        .map(|program| {
            let name = program.name.clone();
            case(&scratch, name, move |directory| check(&program, directory))
        })
        .collect())
}

fn check(program: &Program, directory: &Path) -> Result<()> {
    let form = Form::first(program);
    let expected = comment(program, "passes: ")?.context("the first comment says what is passed")?;
    let Ok(count) = expected.parse::<usize>() else {
        let said = build::unchanged(program, "all", form, directory)?;
        ensure!(said.contains(&expected), "`{expected}` is not reported:\n{said}");
        return Ok(());
    };
    let plain = build::plain(program, form, directory)?;
    let (executable, said) = build::automatic(program, "all", form, directory)?;
    let memory = in_memory(directory)?;
    let state = memory.path().join("state");
    let subject = Subject::new(program, &executable, directory, &state)?;
    let reference = Run::new(program, &plain, directory).go()?.must_end_well("the plain program")?;
    if program.processes.is_none() {
        same(&subject.unbroken.printed.concat(), &reference.stream).context("the run that was not killed")?;
    }
    let last = subject.checkpoints();
    let warned = program.warns.as_ref().map_or_else(|| said.clone(), |code| said.replace(code, ""));
    ensure!(!warned.contains("warning[C08") && !warned.contains("warning[C07"), "{said}");
    ensure!(program.warns.as_ref().is_none_or(|code| said.contains(code)), "{said}");
    ensure!(last == count, "{last} checkpoints instead of {count}");
    for number in [1, last / 2, last] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject
            .resume(subject.run(), Expect::Line(number as u64))
            .with_context(|| format!("killed after checkpoint {number}"))?;
    }
    if let Some(excluded) = comment(program, "excludes: ")? {
        let mut run = subject.run();
        run.processes = Some(excluded.parse()?);
        run.state = memory.path().join("other");
        let outcome = run.go()?;
        ensure!(outcome.status.success(), "{}", outcome.said);
        ensure!(outcome.said.matches("the directive excludes runs").count() == 1, "{}", outcome.said);
        ensure!(lines_of(&run.state, 0)?.is_empty(), "a recovery line was written");
    }
    Ok(())
}

/// What the first comment says after a word.
fn comment(program: &Program, word: &str) -> Result<Option<String>> {
    let source = program.sources.first().context("a source")?;
    let text = std::fs::read_to_string(source)?;
    let line = text.lines().find_map(|line| line.split_once(word));
    Ok(line.map(|(_, value)| value.trim_end_matches(['*', '/', ' ']).to_owned()))
}
