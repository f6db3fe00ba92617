//! A program in the BSP model, with a library that is compiled separately: it is killed after its checkpoints and resumed,
//! and the check of messages finds nothing.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{ensure, Result};
use cppc_tests::build::{self, succeed};
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::{in_memory, spread};
use cppc_tests::product::{here, Product};
use cppc_tests::program::{Mpi, Program};
use cppc_tests::run::{Kill, Run};
use cppc_tests::scenario::{Expect, Subject};
use libtest_mimic::Trial;

const KILLS: usize = 3;

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bsp");
    let mut mpis = vec![(Mpi::Default, "default")];
    mpis.extend(Product::for_mpich().map(|_| (Mpi::Mpich, "mpich")));
    mpis.into_iter()
        .map(|(mpi, name)| case(&scratch, name.to_owned(), move |directory| resumes(mpi, directory)))
        .collect()
}

fn resumes(mpi: Mpi, directory: &Path) -> Result<()> {
    let mut program = Program::read("bsp_diffusion", &here("programs/alone/bsp_diffusion.c"))?;
    program.mpi = mpi;
    let (library, headers) = (directory.join("bsp.o"), here("support/bsp"));
    let mut compile = Command::new(program.c_compiler());
    succeed(compile.args(["-O2", "-w", "-c"]).arg(headers.join("bsp.c")).arg("-o").arg(&library))?;
    program.flags = vec![format!("-I{}", headers.display()), library.display().to_string()];
    program.flags.push("--cppc-check=live,messages".to_owned());
    let executable = build::translated(&program, Form::first(&program), directory)?;
    let memory = in_memory(directory)?;
    let state = memory.path().join("state");
    let subject = Subject::new(&program, &executable, directory, &state)?;
    ensure!(!subject.unbroken.said.contains("checkpoint"), "{}", subject.unbroken.said);
    let count = subject.checkpoints() as u64;
    ensure!(count == 15, "there are {count} checkpoints");
    for number in spread(1, count, KILLS) {
        let run: Run = subject.run();
        subject.kill(run, Kill::AfterCheckpoint(number as usize))?;
        subject.resume(subject.run(), Expect::Line(number))?;
    }
    Ok(())
}
