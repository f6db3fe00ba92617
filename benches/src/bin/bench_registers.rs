//! Measures how the time of a run and of its restart depends on the number of registers.
//!
//! Output: one row for registers of the program, and one for those of a frame. Each has the ratio of the
//! times when the number of registers doubles: 2 is linear, 4 is quadratic. A third row compares the restart
//! of many rows with that of one array of the same size.
//! Postcondition: the state files are removed.

#[path = "../../../runtime/tests/running/mod.rs"]
mod running;

use anyhow::{ensure, Result};
use cppc_abi::storage::{AUTOMATIC, STATIC};
use cppc_benches::pairs::{processor_seconds, processor_seconds_of, ratio, row};
use cppc_benches::product::{command, source, succeed};
use cppc_runtime::controller::registers::Registration;
use running::{Program, TestDirectory, INTEGER_4};
use std::path::{Path, PathBuf};
use std::process::Command;

const PAIRS: usize = 7;
const FEW: usize = 10_000;

fn main() -> Result<()> {
    for (name, storage) in [("registers-program", STATIC), ("registers-frame", AUTOMATIC)] {
        let run = |count: usize| processor_seconds_of(|| killed_and_resumed(count, storage));
        row(name, ratio(PAIRS, || run(2 * FEW), || run(FEW))?, 3.0);
    }
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join("rows");
    succeed(command("cppc-cc")?.arg("-O2").arg(source("rows.c")).arg("-o").arg(&program))?;
    let rows = Rows::written(&program, ROWS, ROW_VALUES)?;
    let array = Rows::written(&program, 1, ROWS * ROW_VALUES)?;
    let resumed = |rows: &Rows| processor_seconds(&mut rows.run());
    row("restart-of-rows", ratio(PAIRS, || resumed(&rows), || resumed(&array))?, 3.0);
    Ok(())
}

const ROWS: usize = 100_000;
const ROW_VALUES: usize = 250;

/// A program that registers rows, or one array of the same size.
struct Rows {
    program: PathBuf,
    directory: PathBuf,
    arguments: [String; 2],
}

impl Rows {
    /// Runs it up to the checkpoint that a restart resumes from.
    fn written(program: &Path, rows: usize, values: usize) -> Result<Rows> {
        let directory = program.with_file_name(format!("rows-{rows}"));
        std::fs::create_dir(&directory)?;
        let rows =
            Rows { program: program.to_owned(), directory, arguments: [rows, values].map(|n| n.to_string()) };
        succeed(&mut rows.run())?;
        Ok(rows)
    }

    fn run(&self) -> Command {
        let mut run = Command::new(&self.program);
        run.args(&self.arguments).current_dir(&self.directory).env("CPPC_ASYNC", "false");
        run.env("CPPC_LOG", "quiet").env("CPPC_EVERY", "1");
        run
    }
}

/// Corresponds to `register(lattice[k].link)` in a loop: each element in a separate run of the block, written
/// and resumed.
fn killed_and_resumed(count: usize, storage: i32) -> Result<()> {
    let place = TestDirectory::new(&format!("registers-{count}"));
    let names: Vec<String> = (0..count).map(|index| format!("lattice[{index}].link")).collect();
    // Not adjacent, so that each is a separate memory block.
    let mut lattice = vec![[7; 4]; count];
    for is_restart in [false, true] {
        let (mut program, mut next) = place.start(3);
        for (name, element) in names.iter().zip(&mut lattice) {
            ensure!(!is_restart || next == 2, "the plan leads to block {next}");
            program.block(2);
            register(&mut program, name, storage, &mut element[1]);
            next = program.jump_next();
        }
        ensure!(program.checkpoint(3) == is_restart, "the restart ends at the checkpoint");
        lattice.iter_mut().for_each(|element| element[1] = 0);
    }
    Ok(())
}

fn register(program: &mut Program, name: &str, storage: i32, element: &mut i32) {
    let address = &raw mut *element as usize;
    let made = Registration { address, count: 1, ..program.registration(name, INTEGER_4, storage) };
    let _ = program.controller.register(made);
}
