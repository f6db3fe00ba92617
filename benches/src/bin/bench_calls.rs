//! Measures the cost of the calls when no state is written.
//!
//! Input: `benches/programs/calls.c`, `elements.f90` and `allocations.c`.
//! Output: a row in nanoseconds for a checkpoint and a jump, a second one for a call with its frame, a
//! capture and a register, and a third one for a checkpoint of a program with 100,000 registered elements.
//! A last row has the ratio of a program that records 10^6 small allocations to one that does not.
//! Postcondition: no state was written.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use cppc_benches::pairs::{median, processor_seconds, ratio, row, LEAST_PAIRS};
use cppc_benches::product::{command, prefix, source, succeed};

/// Nanoseconds.
const CHECKPOINT_GOAL: f64 = 20.0;
const FRAME_GOAL: f64 = 400.0;
const ELEMENTS: &str = "100000";
/// A ratio.
const ALLOCATIONS_GOAL: f64 = 1.3;

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
    elements(scratch.path())?;
    allocations(scratch.path())
}

fn allocations(directory: &Path) -> Result<()> {
    let built = |name: &str, options: &[&str]| -> Result<PathBuf> {
        let program = directory.join(name);
        let mut compile = command("cppc-cc")?;
        succeed(compile.args(options).arg("-O2").arg(source("allocations.c")).arg("-o").arg(&program))?;
        Ok(program)
    };
    let (with, without) = (built("with", &["--cppc-allocations"])?, built("without", &[])?);
    let run = |program: &Path| {
        processor_seconds(Command::new(program).env("CPPC_EVERY", "0").current_dir(directory))
    };
    row("allocations-with-table", ratio(LEAST_PAIRS, || run(&with), || run(&without))?, ALLOCATIONS_GOAL);
    Ok(())
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
