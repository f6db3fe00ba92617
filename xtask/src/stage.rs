//! `stage` and `test`: an installed product for the demo and the tests, and the tests themselves.
//!
//! In: the workspace. Out: `target/stage`, and `target/stage-mpich` where MPICH is installed beside
//! another MPI. Holds afterwards: what the tests run is what a user would have after `make install`.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::Result;

use crate::install;
use crate::workspace::{run as run_command, Workspace};

/// Debian's name for the compiler of MPICH when another MPI has the plain name.
const SECOND_COMPILER: &str = "mpicc.mpich";

pub fn run(workspace: &Workspace, every_mpi: bool) -> Result<()> {
    install::run(workspace, &workspace.stage(), "release")?;
    if !every_mpi {
        return Ok(());
    }
    let has_mpich = install::mpi_flavour(SECOND_COMPILER) == Some("MPICH");
    if std::env::var_os("MPICC").is_none() && has_mpich {
        install::libraries(workspace, &mpich_stage(workspace), SECOND_COMPILER)?;
    }
    Ok(())
}

fn mpich_stage(workspace: &Workspace) -> PathBuf {
    workspace.stage().with_file_name("stage-mpich")
}

/// Random programs against the product that is staged.
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
    // With the feature, whether the manual pages are up to date is a test like the others.
    tests.args(["--workspace", "--features", "xtask/pages"]).env("CPPC_STAGE", workspace.stage());
    if mpich_stage(workspace).exists() {
        tests.env("CPPC_STAGE_MPICH", mpich_stage(workspace));
    }
    run_command(&mut tests)
}
