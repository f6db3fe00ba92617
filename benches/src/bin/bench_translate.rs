//! Measures the cost of translation: the run time of the translated program, and the time of the precompiler.
//!
//! Input: the sources in `benches/programs`.
//! Output: a row for each kernel and one for the precompiler.
//! Postcondition: both builds of a kernel printed the same result.

use std::path::Path;
use std::process::Command;

use anyhow::{ensure, Result};
use cppc_benches::long_program;
use cppc_benches::pairs::{processor_seconds, ratio, row};
use cppc_benches::product::{command, source, succeed};

/// The name of the row, its source, the compiler and its wrapper.
const KERNELS: [(&str, &str, &str, &str); 5] = [
    ("stencil", "stencil.c", "cc", "cppc-cc"),
    ("cg", "cg.c", "cc", "cppc-cc"),
    ("sort", "sort.c", "cc", "cppc-cc"),
    ("fortran-stencil", "stencil.f", "gfortran", "cppc-fc"),
    ("fortran-cg", "cg.f90", "gfortran", "cppc-fc"),
];
const KERNEL_GOAL: f64 = 1.02;
const KERNEL_PAIRS: usize = 9;
const PRECOMPILER_GOAL: f64 = 1.0;
const PRECOMPILER_PAIRS: usize = 25;

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    for (kernel, file, compiler, wrapper) in KERNELS {
        let ratio = translated_to_original(kernel, file, [compiler, wrapper], scratch.path())?;
        row(&format!("translated-{kernel}"), ratio, KERNEL_GOAL);
    }
    row("precompiler", precompiler_to_compiler(scratch.path())?, PRECOMPILER_GOAL);
    row("precompiler-fortran", precompiler_to_gfortran(scratch.path())?, PRECOMPILER_GOAL);
    Ok(())
}

/// Dumps are disabled, so the remaining difference is the effect of the generated code on the compiler's
/// optimisations and on the loop.
fn translated_to_original(
    kernel: &str,
    file: &str,
    [compiler, wrapper]: [&str; 2],
    scratch: &Path,
) -> Result<f64> {
    let source = source(file);
    let original = scratch.join(format!("{kernel}-original"));
    let translated = scratch.join(format!("{kernel}-translated"));
    let mut plain = Command::new(compiler);
    succeed(plain.args(["-O3", "-w"]).arg(&source).arg("-o").arg(&original).current_dir(scratch))?;
    let mut wrapper = command(wrapper)?;
    succeed(wrapper.args(["-O3", "-w"]).arg(&source).arg("-o").arg(&translated).current_dir(scratch))?;
    let run = |executable: &Path| {
        let mut command = Command::new(executable);
        // The path of the product must not become a setting of the program.
        command.env_remove("CPPC_STAGE").env_remove("CPPC_STAGE_MPICH");
        command.env("CPPC_EVERY", "0").current_dir(scratch);
        command
    };
    let (found, wanted) = (succeed(&mut run(&translated))?, succeed(&mut run(&original))?);
    ensure!(found == wanted, "{kernel}: the translation prints {found}and not {wanted}");
    ratio(
        KERNEL_PAIRS,
        || processor_seconds(&mut run(&translated)),
        || processor_seconds(&mut run(&original)),
    )
}

/// For a file that includes `mpi.h`, relative to the compiler's own parsing of it.
fn precompiler_to_compiler(scratch: &Path) -> Result<f64> {
    let source = source("includes_mpi.c");
    let mut ask = Command::new("mpicc");
    let flags = match succeed(ask.arg("--showme:compile")) {
        Ok(flags) => flags,
        // The corresponding option of MPICH, which prints the whole command.
        Err(_) => succeed(Command::new("mpicc").args(["-compile_info"]))?,
    };
    let flags: Vec<&str> = flags.split_whitespace().filter(|word| word.starts_with("-I")).collect();
    let out = scratch.join("out.c");
    ratio(
        PRECOMPILER_PAIRS,
        || {
            let mut precompiler = command("cppc-pp")?;
            processor_seconds(precompiler.arg(&source).arg("-o").arg(&out).args(&flags))
        },
        || {
            let mut compiler = Command::new("gcc");
            processor_seconds(compiler.args(["-fsyntax-only", "-w"]).arg(&source).args(&flags))
        },
    )
}

/// For a program of 20,000 lines in fixed form, relative to the compiler's own parsing of it.
fn precompiler_to_gfortran(scratch: &Path) -> Result<f64> {
    let (source, out) = (scratch.join("long.f"), scratch.join("long-out.f"));
    std::fs::write(&source, long_program::text(20_000))?;
    ratio(
        PRECOMPILER_PAIRS,
        || {
            let mut precompiler = command("cppc-pp")?;
            processor_seconds(precompiler.arg(&source).arg("-o").arg(&out))
        },
        || {
            let mut compiler = Command::new("gfortran");
            processor_seconds(compiler.args(["-fsyntax-only", "-w"]).arg(&source))
        },
    )
}
