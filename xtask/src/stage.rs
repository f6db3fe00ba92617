//! `stage` and `test`: an installed product for the demo and the tests, and the tests themselves.
//!
//! Input: the workspace.
//! Output: `target/stage`, and `target/stage-mpich` if MPICH is installed next to another MPI.
//! Postcondition: the tests use the files that a user has after `make install`.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::Result;
use cppc_abi::mpi::Implementation;

use crate::install;
use crate::workspace::{run as run_command, Workspace};

/// Debian's name for MPICH's compiler if another MPI has the name `mpicc`.
const SECOND_COMPILER: &str = "mpicc.mpich";

pub fn run(workspace: &Workspace, every_mpi: bool) -> Result<()> {
    install::run(workspace, &workspace.stage(), "release")?;
    if !every_mpi {
        return Ok(());
    }
    let has_mpich =
        install::mpi(SECOND_COMPILER).is_some_and(|mpi| mpi.implementation == Implementation::Mpich);
    if std::env::var_os("MPICC").is_none() && has_mpich {
        install::libraries(workspace, &mpich_stage(workspace), SECOND_COMPILER)?;
    }
    Ok(())
}

fn mpich_stage(workspace: &Workspace) -> PathBuf {
    workspace.stage().with_file_name("stage-mpich")
}

/// Runs random programs with the staged product.
pub fn random(workspace: &Workspace, options: &[String]) -> Result<()> {
    let mut random = workspace.cargo(&["run", "--quiet", "--package", "cppc-tests", "--bin", "random", "--"]);
    run_command(random.args(options).env("CPPC_STAGE", workspace.stage()))
}

pub fn test(workspace: &Workspace) -> Result<()> {
    let has_nextest = workspace
        .cargo(&["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let runner: &[&str] = if has_nextest { &["nextest", "run"] } else { &["test", "--no-fail-fast"] };
    let mut tests = workspace.cargo(runner);
    // With these features, tests check whether the manual pages are up to date, and the links of the book.
    tests.args(["--workspace", "--features", "xtask/pages,xtask/book"]).env("CPPC_STAGE", workspace.stage());
    if mpich_stage(workspace).exists() {
        tests.env("CPPC_STAGE_MPICH", mpich_stage(workspace));
    }
    run_command(&mut tests)
}
