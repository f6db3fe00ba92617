//! Measures the cost of the calls when no state is written.
//!
//! Input: `benches/programs/calls.c` and `elements.f90`.
//! Output: a row in nanoseconds for a checkpoint and a jump, a second one for a call with its frame, a
//! capture and a register, and a third one for a checkpoint of a program with 100,000 registered elements.
//! Postcondition: no state was written.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use cppc_benches::pairs::{row, LEAST_PAIRS};
use cppc_benches::product::{command, prefix, source, succeed};

/// Nanoseconds.
const CHECKPOINT_GOAL: f64 = 20.0;
const FRAME_GOAL: f64 = 400.0;
const ELEMENTS: &str = "100000";

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join("calls");
    let library = prefix().join("lib");
    let mut compiler = Command::new("cc");
    compiler
        .arg("-O2")
        .arg("-I")
        .arg(prefix().join("include"))
        .arg(source("calls.c"))
        .arg("-o")
        .arg(&program);
    compiler.arg("-L").arg(&library).arg("-lcppc").arg(format!("-Wl,-rpath,{}", library.display()));
    succeed(&mut compiler)?;
    let (mut checkpoints, mut frames) = (Vec::new(), Vec::new());
    for _ in 0..LEAST_PAIRS {
        let mut run = Command::new(&program);
        let printed = succeed(run.env("CPPC_EVERY", "0").current_dir(scratch.path()))?;
        let (checkpoint, frame) = printed.trim().split_once(' ').context("two numbers")?;
        checkpoints.push(checkpoint.parse::<f64>()?);
        frames.push(frame.parse::<f64>()?);
    }
    row("checkpoint-call-ns", median(checkpoints), CHECKPOINT_GOAL);
    row("call-with-frame-ns", median(frames), FRAME_GOAL);
    elements(scratch.path())
}

fn elements(directory: &Path) -> Result<()> {
    let program = directory.join("elements");
    succeed(command("cppc-fc")?.arg("-O2").arg(source("elements.f90")).arg("-o").arg(&program))?;
    let mut checkpoints = Vec::new();
    for _ in 0..LEAST_PAIRS {
        let mut run = Command::new(&program);
        let printed = succeed(run.arg(ELEMENTS).env("CPPC_EVERY", "0").current_dir(directory))?;
        checkpoints.push(printed.trim().parse::<f64>()?);
    }
    row("checkpoint-of-elements-ns", median(checkpoints), CHECKPOINT_GOAL);
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
