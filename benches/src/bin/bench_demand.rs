//! Measures checkpoints by time: calls that write nothing, the default settings, and a restart.
//!
//! Input: `benches/programs/calls_mpi.c`, and the examples `heat` and `sequential`.
//! Output: four rows: the nanoseconds by which a call of 4 processes is slower if an interval is set that is
//! not over; heat with the default settings against no checkpoints; heat with the check of messages against without;
//! the time from a start after a kill to the next output, against a first start.
//! Postcondition: the runs have ended, and their state is removed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{ensure, Context, Result};
use cppc_benches::pairs::{median, processor_seconds, ratio, row, LEAST_PAIRS};
use cppc_benches::product::{command, prefix, source, succeed, workspace};

const CALL_GOAL_NS: f64 = 100.0;
const DEFAULT_GOAL: f64 = 1.03;
const MESSAGES_GOAL: f64 = 1.05;
const RESTART_GOAL: f64 = 1.5;
const PROCESSES: &str = "4";

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    row("interval-call-ns", calls(scratch.path())?, CALL_GOAL_NS);
    row("default-heat", heat(scratch.path())?, DEFAULT_GOAL);
    row("message-check-heat", messages(scratch.path())?, MESSAGES_GOAL);
    row("restart-to-output", restart(scratch.path())?, RESTART_GOAL);
    Ok(())
}

fn launched(program: &str, scratch: &Path) -> Command {
    let mut launcher = Command::new("mpirun");
    launcher.args(["-n", PROCESSES, program]).current_dir(scratch);
    launcher.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    launcher.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("OMPI_MCA_mpi_yield_when_idle", "1");
    launcher
}

fn calls(scratch: &Path) -> Result<f64> {
    let library = prefix().join("lib");
    let mut compiler = Command::new("mpicc");
    compiler.arg("-O2").arg("-I").arg(prefix().join("include")).arg(source("calls_mpi.c"));
    compiler.args(["-o", "calls_mpi"]).arg("-L").arg(&library).arg("-lcppc_mpi").arg("-lcppc");
    succeed(compiler.arg(format!("-Wl,-rpath,{}", library.display())).current_dir(scratch))?;
    let nanoseconds = |name: &str, value: &str| -> Result<f64> {
        Ok(succeed(launched("./calls_mpi", scratch).env(name, value))?.trim().parse()?)
    };
    let mut differences = Vec::new();
    for _ in 0..LEAST_PAIRS {
        let (with, without) = (nanoseconds("CPPC_INTERVAL", "1h")?, nanoseconds("CPPC_EVERY", "0")?);
        differences.push(with - without);
    }
    Ok(median(differences))
}

fn heat(scratch: &Path) -> Result<f64> {
    let mut compiler = command("cppc-cc")?;
    compiler.env("CPPC_PREFIX", prefix()).env("CPPC_CC", "mpicc").args(["-O2", "-o", "heat"]);
    compiler.arg(workspace().join("examples/c/heat/heat.c")).arg("-lm").current_dir(scratch);
    succeed(&mut compiler)?;
    let seconds = |settings: Option<&str>| {
        let mut run = launched("./heat", scratch);
        run.args(["1000", "1000", "6000"]);
        processor_seconds(run.envs(settings.map(|every| ("CPPC_EVERY", every))))
    };
    ratio(LEAST_PAIRS, || seconds(None), || seconds(Some("0")))
}

/// The program exchanges its borders in each step, and has a checkpoint there. Nothing is written.
fn messages(scratch: &Path) -> Result<f64> {
    for (name, option) in [("unchecked", "--cppc-check=none"), ("checked", "--cppc-check=messages")] {
        let mut compiler = command("cppc-cc")?;
        compiler.env("CPPC_PREFIX", prefix()).env("CPPC_CC", "mpicc").args(["-O2", option, "-o", name]);
        compiler.arg(workspace().join("examples/c/heat/heat.c")).arg("-lm").current_dir(scratch);
        succeed(&mut compiler)?;
    }
    let seconds = |program: &str| {
        let mut run = launched(program, scratch);
        processor_seconds(run.args(["1000", "1000", "3000"]).env("CPPC_EVERY", "0"))
    };
    ratio(LEAST_PAIRS, || seconds("./checked"), || seconds("./unchecked"))
}

/// The program prints after each hundred steps, and writes state there.
fn restart(scratch: &Path) -> Result<f64> {
    let mut compiler = command("cppc-cc")?;
    compiler.env("CPPC_PREFIX", prefix()).env("CPPC_CC", "cc").args(["-O2", "-o", "nbody"]);
    compiler.arg(workspace().join("examples/c/sequential/nbody.c")).arg("-lm").current_dir(scratch);
    succeed(&mut compiler)?;
    let first_line = |dir: &str, every: &str| -> Result<f64> {
        let start = Instant::now();
        let mut program = Command::new(scratch.join("nbody"));
        program.args(["300", "100000"]).env("CPPC_DIR", dir).env("CPPC_EVERY", every);
        program
            .env("CPPC_ASYNC", "false")
            .env("CPPC_LOG", "quiet")
            .current_dir(scratch)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut program = program.spawn()?;
        let output = program.stdout.take().context("there is an output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let took = start.elapsed().as_secs_f64();
        program.kill()?;
        program.wait()?;
        ensure!(line.starts_with("step"), "`nbody` prints `{line}`");
        Ok(took)
    };
    first_line("state", "100")?;
    ensure!(scratch.join("state").exists(), "`nbody` has written state");
    ratio(LEAST_PAIRS, || first_line("state", "100"), || first_line("none", "0"))
}
