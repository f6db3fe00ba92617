//! Measures how the time of a run and of its restart depends on the number of registers.
//!
//! Output: one row for registers of the program, and one for those of a frame. Each has the ratio of the
//! times when the number of registers doubles: 2 is linear, 4 is quadratic.
//! Postcondition: the state files are removed.

#[path = "../../../runtime/tests/running/mod.rs"]
mod running;

use anyhow::{ensure, Result};
use cppc_abi::storage::{AUTOMATIC, STATIC};
use cppc_benches::pairs::{processor_seconds_of, ratio, row};
use cppc_runtime::controller::registers::Registration;
use running::{Program, TestDirectory, INTEGER_4};

const PAIRS: usize = 7;
const FEW: usize = 10_000;

fn main() -> Result<()> {
    for (name, storage) in [("registers-program", STATIC), ("registers-frame", AUTOMATIC)] {
        let run = |count: usize| processor_seconds_of(|| killed_and_resumed(count, storage));
        row(name, ratio(PAIRS, || run(2 * FEW), || run(FEW))?, 3.0);
    }
    Ok(())
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
