//! `check-portable`: state files go from any machine to any other.
//!
//! In: the workspace, and Debian's packages for other machines. Out: the runtime, built with Rust 1.85 for
//! each machine; programs that were stopped on one and went on on another. Holds afterwards: each of them
//! printed what an unbroken run prints, and what cannot travel was refused by its name.

mod machines;
mod workers;
mod apt;
mod packages;
mod runtime;
mod programs;
mod shown;
mod traveller;
mod journeys;

use std::path::Path;
use std::time::Instant;

use anyhow::{ensure, Context, Result};

use crate::workspace::Workspace;
use machines::MACHINES;
use programs::Programs;
use runtime::Runtime;

/// `golden` is where to leave the state files of one program, written by each machine; `only` are the names of the programs
/// to try, or nothing for all.
pub fn run(workspace: &Workspace, golden: Option<&Path>, only: &[String]) -> Result<()> {
    let start = Instant::now();
    let tell = |what: &str| println!("portable: {what} ({} s)", start.elapsed().as_secs());
    let directory = workspace.target().join("portable");
    let tools = packages::unpack(&directory).context("the tools for other machines cannot be had")?;
    tell("compilers, libraries and emulators are there");
    let runtime = Runtime::new(workspace, &directory, &tools)?;
    tell(&format!("the runtime is built with {} for {} machines", runtime.rust, MACHINES.len()));
    let programs = Programs::new(workspace, &directory, &tools, &runtime)?;
    let mut list = programs.list()?;
    if let Some(golden) = golden {
        return journeys::write_golden(&programs, &list, &directory, &workspace.root.join(golden));
    }
    list.retain(|program| only.is_empty() || only.contains(&program.name));
    ensure!(!list.is_empty(), "there are no programs of such names");
    let travellers = journeys::travellers(&programs, &list, &directory)?;
    tell(&format!("{} programs do the same on each of their machines", travellers.len()));
    let count = journeys::run(&travellers)?;
    tell(&format!("{count} runs went on on another machine, or were refused as they should be"));
    Ok(())
}
