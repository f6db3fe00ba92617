//! `check-portable`: state files go from any machine to any other.
//!
//! In: the workspace, and Debian's packages for other machines. Out: the runtime, built with Rust 1.85 for
//! each machine; programs that were stopped on one and went on on another. Holds afterwards: each of them
//! printed what an unbroken run prints, and what cannot travel was refused by its name.

mod machines;
mod packages;
mod build;
mod journeys;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::workspace::Workspace;
use build::Built;
use machines::MACHINES;

/// Where the programs are, seen from the root.
const PROGRAMS: &str = "tests/portable";

/// `golden` is where to leave the state files of one program, written by each machine.
pub fn run(workspace: &Workspace, golden: Option<&Path>) -> Result<()> {
    let start = Instant::now();
    let tell = |what: &str| println!("portable: {what} ({} s)", start.elapsed().as_secs());
    let directory = workspace.target().join("portable");
    let tools = packages::unpack(&directory).context("the tools for other machines cannot be had")?;
    tell("compilers, libraries and emulators are there");
    let built = Built::new(workspace, &directory, &tools)?;
    tell(&format!("the runtime is built with {} for {} machines", built.rust, MACHINES.len()));
    if let Some(golden) = golden {
        return journeys::write_golden(&built, &workspace.root.join(golden));
    }
    let count = journeys::run(&built)?;
    tell(&format!("{count} runs went on on another machine, or were refused as they should be"));
    Ok(())
}
