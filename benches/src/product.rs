//! The installed product that is measured.
//!
//! Input: `CPPC_STAGE`, or `target/stage` in the workspace.
//! Output: a prefix.
//! Postcondition: the requested programs exist.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

/// The root of the source tree.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace")
}

/// The prefix of the installation.
pub fn prefix() -> PathBuf {
    std::env::var_os("CPPC_STAGE").map_or_else(|| workspace().join("target/stage"), PathBuf::from)
}

/// A command of the product.
pub fn command(program: &str) -> Result<Command> {
    let path = prefix().join("bin").join(program);
    ensure!(path.exists(), "`{}` is missing: run `cargo xtask stage`", path.display());
    Ok(Command::new(path))
}

/// A source of this crate.
pub fn source(name: &str) -> PathBuf {
    workspace().join("benches/programs").join(name)
}

/// Runs a tool that must succeed. Returns its standard output.
pub fn succeed(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
