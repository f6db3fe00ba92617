//! Measures a program under `cppc run` against the same program without it.
//!
//! Input: `examples/c/sequential`.
//! Output: a row with the ratio of the processor times.
//! Postcondition: the runs have ended, and their state is removed.

use std::process::Command;

use anyhow::Result;
use cppc_benches::pairs::{processor_seconds, ratio, row};
use cppc_benches::product::{command, prefix, succeed, workspace};

const PAIRS: usize = 9;
const GOAL: f64 = 1.01;
/// 400 bodies, for some seconds.
const ARGUMENTS: [&str; 2] = ["400", "1500"];

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let mut compiler = command("cppc-cc")?;
    compiler.env("CPPC_PREFIX", prefix()).env("CPPC_CC", "cc").args(["-O2", "-o", "nbody"]);
    compiler.arg(workspace().join("examples/c/sequential/nbody.c")).arg("-lm").current_dir(scratch.path());
    succeed(&mut compiler)?;
    let seconds = |mut program: Command| {
        program.env("CPPC_EVERY", "500").current_dir(scratch.path());
        processor_seconds(program.args(ARGUMENTS))
    };
    let supervised = || {
        let mut supervisor = command("cppc")?;
        supervisor.args(["run", "--", "./nbody"]);
        seconds(supervisor)
    };
    let bare = || seconds(Command::new(scratch.path().join("nbody")));
    row("supervised-run", ratio(PAIRS, supervised, bare)?, GOAL);
    Ok(())
}
