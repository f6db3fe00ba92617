//! What translation costs: in the translated program's time, and in the precompiler's own.
//!
//! In: the sources in `benches/programs`. Out: a row for each kernel and one for the precompiler.
//! Holds afterwards: both builds of a kernel printed the same result.

use std::path::Path;
use std::process::Command;

use anyhow::{ensure, Result};
use cppc_benches::pairs::{processor_seconds, ratio, row};
use cppc_benches::product::{command, source, succeed};

const KERNELS: [&str; 3] = ["stencil", "cg", "sort"];
const KERNEL_GOAL: f64 = 1.02;
const KERNEL_PAIRS: usize = 9;
const PRECOMPILER_GOAL: f64 = 1.0;
const PRECOMPILER_PAIRS: usize = 25;

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    for kernel in KERNELS {
        let ratio = translated_to_original(kernel, scratch.path())?;
        row(&format!("translated-{kernel}"), ratio, KERNEL_GOAL);
    }
    row("precompiler", precompiler_to_compiler(scratch.path())?, PRECOMPILER_GOAL);
    Ok(())
}

/// Dumping is off: what is left is what stands in the way of the compiler and of the loop.
fn translated_to_original(kernel: &str, scratch: &Path) -> Result<f64> {
    let source = source(&format!("{kernel}.c"));
    let original = scratch.join(format!("{kernel}-original"));
    let translated = scratch.join(format!("{kernel}-translated"));
    succeed(Command::new("cc").args(["-O3", "-w"]).arg(&source).arg("-o").arg(&original))?;
    let mut wrapper = command("cppc-cc")?;
    succeed(wrapper.args(["-O3", "-w"]).arg(&source).arg("-o").arg(&translated))?;
    let run = |executable: &Path| {
        let mut command = Command::new(executable);
        // Where the product is must not become a setting of the program.
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

/// On a file that includes `mpi.h`, against the compiler's own reading of it.
fn precompiler_to_compiler(scratch: &Path) -> Result<f64> {
    let source = source("includes_mpi.c");
    let mut ask = Command::new("mpicc");
    let flags = match succeed(ask.arg("--showme:compile")) {
        Ok(flags) => flags,
        // MPICH's word for it, which gives the whole command.
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
