//! Programs whose processes make different checkpoint calls. They end with their right results, and the cause is reported.
//! With both MPIs.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{ensure, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::product::{here, Product};
use cppc_tests::program::{Mpi, Program};
use cppc_tests::run::{Kill, Outcome, Run};
use cppc_tests::scenario::{Expect, Subject};
use libtest_mimic::Trial;

const CHECK: &str = "--cppc-check=messages";
const HAS_LEFT: &str = "a process makes no more checkpoint calls";
const NOTHING_WRITTEN: &str = "nothing is written at checkpoint different_calls.c:";

type Story = fn(&Subject) -> Result<()>;

/// The argument of the program, and what is checked.
const STORIES: [(&str, Story); 5] = [
    ("equal", equal),
    ("none", one_makes_no_calls),
    ("fewer", one_makes_fewer_calls),
    ("groups", processes_wait_for_one_another),
    ("places", first_touch_at_different_calls),
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("calls");
    let mut mpis = vec![(Mpi::Default, "default")];
    mpis.extend(Product::for_mpich().map(|_| (Mpi::Mpich, "mpich")));
    let mut cases = Vec::new();
    for (mpi, mpi_name) in mpis {
        for (kind, story) in STORIES {
            for is_checked in [false, true] {
                let name =
                    format!("{mpi_name}/{kind}{}", if is_checked { "/with_check_of_messages" } else { "" });
                cases.push(case(&scratch, name, move |directory| {
                    tell(mpi, kind, is_checked, story, directory)
                }));
            }
        }
    }
    cases
}

fn tell(mpi: Mpi, kind: &str, is_checked: bool, story: Story, directory: &Path) -> Result<()> {
    let mut program = Program::read("different_calls", &here("programs/alone/different_calls.c"))?;
    program.mpi = mpi;
    program.arguments = vec![kind.to_owned()];
    if is_checked {
        program.flags.extend(["-g".to_owned(), CHECK.to_owned()]);
    }
    let executable = build::translated(&program, Form::first(&program), directory)?;
    let state = directory.join("state");
    let (scratch, program) = (directory, &program);
    let executable = executable.as_path();
    // The results without any checkpoint.
    let unbroken = Run::new(program, executable, scratch).set("CPPC_EVERY", "0").set("CPPC_CHECK", "none");
    let unbroken = unbroken.go()?.must_end_well("without checkpoints")?;
    story(&Subject { program, executable, scratch, state: &state, unbroken })
}

fn patient<'a>(subject: &Subject<'a>) -> Run<'a> {
    subject.run().set("CPPC_PATIENCE", "1s")
}

/// The run has the right results, and each of these texts is reported.
fn ends_well(subject: &Subject, run: &Run, reported: &[&str]) -> Result<Outcome> {
    let outcome = run.go()?.must_end_well("the run")?;
    ensure!(outcome.printed == subject.unbroken.printed, "other results:\n{}", outcome.said);
    for text in reported {
        ensure!(outcome.said.contains(text), "`{text}` is not reported:\n{}", outcome.said);
    }
    Ok(outcome)
}

fn equal(subject: &Subject) -> Result<()> {
    for every in ["1", "4", "0"] {
        let outcome = ends_well(subject, &patient(subject).set("CPPC_EVERY", every), &[])?;
        ensure!(outcome.said.is_empty(), "{}", outcome.said);
    }
    subject.kill(patient(subject), Kill::AfterCheckpoint(5))?;
    subject.resume(patient(subject), Expect::Line(5)).map(|_| ())
}

/// As the master of a program that distributes work.
fn one_makes_no_calls(subject: &Subject) -> Result<()> {
    for every in ["1", "2", "1000000"] {
        ends_well(subject, &subject.run().set("CPPC_EVERY", every), &[HAS_LEFT])?;
    }
    ends_well(subject, &subject.run(), &[NOTHING_WRITTEN]).map(|_| ())
}

fn one_makes_fewer_calls(subject: &Subject) -> Result<()> {
    for every in ["1", "3", "10", "1000000"] {
        let reported: &[&str] = match every {
            "1" | "10" => &[HAS_LEFT, NOTHING_WRITTEN],
            _ => &[],
        };
        ends_well(subject, &subject.run().set("CPPC_EVERY", every), reported)?;
    }
    subject.kill(subject.run(), Kill::AfterCheckpoint(5))?;
    subject.resume(subject.run(), Expect::Line(5)).map(|_| ())
}

/// Some processes wait at a checkpoint, and the others in a collective operation.
fn processes_wait_for_one_another(subject: &Subject) -> Result<()> {
    let reported =
        ["has waited for 1 s at checkpoint different_calls.c:", "it continues, and no more state is written"];
    for every in ["1", "2"] {
        ends_well(subject, &patient(subject).set("CPPC_EVERY", every), &reported)?;
    }
    // Rounds may be so long that no process waits.
    ends_well(subject, &patient(subject).set("CPPC_EVERY", "1000000"), &[])?;
    subject.kill(patient(subject), Kill::AfterCheckpoint(2))?;
    subject.resume(patient(subject), Expect::Line(2)).map(|_| ())
}

/// With `first-touch`, state would be due at different calls.
fn first_touch_at_different_calls(subject: &Subject) -> Result<()> {
    let run = patient(subject).set("CPPC_EVERY", "1000000").set("CPPC_FIRST_TOUCH", "true");
    ends_well(subject, &run, &["the processes are at different checkpoint calls"]).map(|_| ())
}
