//! `check-portable`: resumes state files of every architecture on every other.
//!
//! Input: the workspace, and Debian's packages for other architectures.
//! Output: the runtime, built with Rust 1.85 for each architecture; programs that were stopped on one and
//! resumed on another.
//! Postcondition: each of them printed the same as an uninterrupted run. State that cannot be converted was
//! refused with a message that names it.

mod machines;
mod workers;
mod apt;
mod packages;
mod runtime;
mod programs;
mod shown;
mod portable_program;
mod transfers;

use std::path::Path;
use std::time::Instant;

use anyhow::{ensure, Context, Result};

use crate::workspace::Workspace;
use machines::MACHINES;
use programs::Programs;
use runtime::Runtime;

/// `golden` is the directory for the state files of one program, written by each architecture. `only`
/// contains the names of the programs to try; if it is empty, all are tried.
pub fn run(workspace: &Workspace, golden: Option<&Path>, only: &[String]) -> Result<()> {
    let start = Instant::now();
    let tell = |what: &str| println!("portable: {what} ({} s)", start.elapsed().as_secs());
    let directory = workspace.target().join("portable");
    let tools = packages::unpack(&directory).context("cannot get the tools for other architectures")?;
    tell("compilers, libraries and emulators are available");
    let runtime = Runtime::new(workspace, &directory, &tools)?;
    tell(&format!("the runtime is built with {} for {} machines", runtime.rust, MACHINES.len()));
    let programs = Programs::new(workspace, &directory, &tools, &runtime)?;
    let mut list = programs.list()?;
    if let Some(golden) = golden {
        return transfers::write_golden(&programs, &list, &directory, &workspace.root.join(golden));
    }
    list.retain(|program| only.is_empty() || only.contains(&program.name));
    ensure!(!list.is_empty(), "no program has one of these names");
    let portable_programs = transfers::portable_programs(&programs, &list, &directory)?;
    tell(&format!("{} programs print the same on each of their machines", portable_programs.len()));
    let count = transfers::run(&portable_programs)?;
    tell(&format!("{count} runs were resumed on another machine or refused as expected"));
    Ok(())
}
