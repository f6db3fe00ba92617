//! Programs without any directive, built with `CPPC_AUTO=all`. The first comment of each program says how many checkpoints a
//! process passes (`passes: 10`), or the code of the report that it gets none (`passes: C0808`). Each program is killed and resumed.

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
    let expected = expected(program)?;
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
    ensure!(!said.contains("warning[C08") && !said.contains("warning[C07"), "{said}");
    ensure!(last == count, "{last} checkpoints instead of {count}");
    for number in [1, last / 2, last] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject
            .resume(subject.run(), Expect::Line(number as u64))
            .with_context(|| format!("killed after checkpoint {number}"))?;
    }
    Ok(())
}

/// How many checkpoints each process passes, or the code of a report.
fn expected(program: &Program) -> Result<String> {
    let source = program.sources.first().context("a source")?;
    let text = std::fs::read_to_string(source)?;
    let line =
        text.lines().find_map(|line| line.split_once("passes: ")).context("the first comment says it")?;
    Ok(line.1.trim_end_matches(['*', '/', ' ']).to_owned())
}
