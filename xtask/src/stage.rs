//! `stage` and `test`: an installed product for the demo and the tests, and the tests themselves.
//!
//! Input: the workspace.
//! Output: `target/stage`, and `target/stage-mpich` if MPICH is installed next to another MPI.
//! Postcondition: the tests use the files that a user has after `make install`. With the profile `dev`, the programs
//! have the same sources and less optimisation. They contain no unsafe code.

use std::num::NonZero;
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::Result;
use cppc_abi::mpi::Implementation;

use crate::install::{self, Profiles};
use crate::workspace::{run as run_command, Workspace, EVERYTHING};

/// Debian's name for MPICH's compiler if another MPI has the name `mpicc`.
const SECOND_COMPILER: &str = "mpicc.mpich";

/// `programs`: the profile of the programs. The libraries are always built as a user gets them.
pub fn run(workspace: &Workspace, every_mpi: bool, programs: &str) -> Result<()> {
    let profiles = Profiles { programs, libraries: "release" };
    install::run(workspace, &workspace.stage(), profiles)?;
    if !every_mpi {
        return Ok(());
    }
    let has_mpich =
        install::mpi(SECOND_COMPILER).is_some_and(|mpi| mpi.implementation == Implementation::Mpich);
    if std::env::var_os("MPICC").is_none() && has_mpich {
        install::libraries(workspace, &mpich_stage(workspace), SECOND_COMPILER, profiles)?;
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
    if has_nextest {
        // Many tests wait: for the disk, for processes that were killed, or for time to pass. Tests with MPI count twice.
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get) * 2;
        tests.args(["--test-threads", &threads.to_string()]);
    }
    tests.args(EVERYTHING).env("CPPC_STAGE", workspace.stage());
    if mpich_stage(workspace).exists() {
        tests.env("CPPC_STAGE_MPICH", mpich_stage(workspace));
    }
    run_command(&mut tests)
}
