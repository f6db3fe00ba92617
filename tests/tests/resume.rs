//! Every program is killed and resumed, in the form that users get by default and in one of its other forms. The other
//! form changes from program to program. The output equals that of a run that was not killed.
//!
//! If MPICH is installed in addition to another MPI, the parallel programs also run with it, as
//! `mpich/NAME`.
//!
//! `CPPC_KILLS=all` tries every form and kills after every checkpoint. Otherwise, the tests kill only after some of them.
//!
//! One case: `CPPC_KILLS=all cargo test -p cppc-tests --test resume heap_swap/switch-O3`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix;
use cppc_tests::product::Product;
use cppc_tests::program::{programs, Mpi, Program};
use libtest_mimic::Trial;

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("resume");
    let mut cases = Vec::new();
    for program in programs()? {
        if program.processes.is_some() && Product::for_mpich().is_some() {
            let program = Program { mpi: Mpi::Mpich, ..program.clone() };
            cases.push(case(&scratch, format!("mpich/{}", program.name), move |directory| {
                matrix::try_some(&program, Form::first(&program), directory)
            }));
        }
        let forms = match matrix::is_everything_tried() {
            true => Form::all(&program),
            false => Form::first_and_another(&program),
        };
        for form in forms {
            let program = program.clone();
            let name = format!("{}/{form}", program.name);
            cases.push(case(&scratch, name, move |directory| matrix::try_all(&program, form, directory)));
        }
    }
    Ok(cases)
}
