//! The command line of `cppc`.
//!
//! In: arguments. Out: a report on standard output, messages on standard error. Holds afterwards:
//! the exit status is 0 when all is well, 1 when state is damaged or not there, 2 when the question
//! could not be answered.

use crate::{list, show, verify};
use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Looks at the state files of programs that use CPPC
#[derive(Debug, Parser)]
#[command(name = "cppc", version, after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(subcommand)]
    pub verb: Verb,
}

const AFTER_HELP: &str = "PATH is a state directory (the setting `dir`), an application's directory in it, \
a process's directory, or one state file.\n\n\
Exit status: 0 all is well, 1 state is damaged or incomplete, 2 the question could not be answered.";

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Lists applications and their recovery lines
    List {
        #[arg(default_value = "cppc-state")]
        path: PathBuf,
        /// Write JSON for programs
        #[arg(long)]
        json: bool,
    },
    /// Shows what a state file holds: registers, their first values, the restart plan
    Show {
        #[arg(default_value = "cppc-state")]
        path: PathBuf,
        /// The application, when the directory has several
        #[arg(long)]
        app: Option<String>,
        /// The recovery line; the newest one without this
        #[arg(long)]
        line: Option<u64>,
        /// The process
        #[arg(long, default_value_t = 0)]
        rank: u32,
        /// How many values of each register to show
        #[arg(long, default_value_t = 4)]
        values: usize,
        /// Write JSON for programs
        #[arg(long)]
        json: bool,
    },
    /// Reads every byte and holds it against its checksum
    Verify {
        #[arg(default_value = "cppc-state")]
        path: PathBuf,
        /// Write JSON for programs
        #[arg(long)]
        json: bool,
    },
}

/// The definition of the command line, for the manual page.
pub fn command() -> clap::Command {
    Arguments::command()
}

pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments.verb) {
        Ok((report, good)) => match write(&report) {
            Ok(()) if good => ExitCode::SUCCESS,
            Ok(()) => ExitCode::from(1),
            Err(error) => fail(&error.into()),
        },
        Err(error) => fail(&error),
    }
}

/// The report, and whether all is well.
pub fn run(verb: &Verb) -> Result<(String, bool)> {
    match verb {
        Verb::List { path, json } => {
            let report = list::list(path)?;
            Ok((if *json { to_json(&report)? } else { report.to_string() }, true))
        }
        Verb::Show { path, app, line, rank, values, json } => {
            let wanted = show::Wanted { app: app.clone(), line: *line, rank: *rank, values: *values };
            let report = show::show(path, &wanted)?;
            let good = report.damage.is_empty();
            Ok((if *json { to_json(&report)? } else { report.to_string() }, good))
        }
        Verb::Verify { path, json } => {
            let report = verify::verify(path)?;
            let good = report.good;
            Ok((if *json { to_json(&report)? } else { report.to_string() }, good))
        }
    }
}

fn to_json(report: &impl serde::Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(report)? + "\n")
}

/// A reader that has seen enough closes the pipe; that is not an error.
fn write(report: &str) -> std::io::Result<()> {
    match std::io::stdout().write_all(report.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    eprintln!("cppc: {error:#}");
    ExitCode::from(2)
}
