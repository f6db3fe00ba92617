//! Runs below `support/failing_calls.c`: one of the product's system calls fails, or a process dies before
//! it.
//!
//! Input: a program that is built with the shared libraries, so that the calls of the product can be
//! distinguished from those of the program.
//! Output: runs, and the number of calls of a run.
//! Postcondition: only calls on the state directory and on the program's files count.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use crate::build;
use crate::form::Form;
use crate::matrix::spread;
use crate::program::Program;
use crate::run::Run;
use crate::scenario::Subject;
use crate::state;
use crate::support;

/// A program whose calls are counted.
pub struct Shimmed<'a> {
    pub subject: &'a Subject<'a>,
    /// The settings of every run, with and without the shim.
    settings: &'a [(&'static str, &'static str)],
    library: String,
    directories: String,
    count: PathBuf,
}

/// The process that is killed before the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dies {
    /// The process that makes it.
    Caller,
    /// The launcher of an MPI program.
    Launcher,
}

/// The program with the shared libraries of the product.
pub fn built(program: &Program, directory: &Path) -> Result<PathBuf> {
    let form = Form::first(program);
    let sources = build::translate(program, form, directory)?.files;
    build::as_it_stands(program, &sources, form, directory)
}

impl<'a> Shimmed<'a> {
    pub fn new(
        subject: &'a Subject<'a>,
        settings: &'a [(&'static str, &'static str)],
    ) -> Result<Shimmed<'a>> {
        let options = ["-shared", "-fPIC", "-O1", "-pthread"];
        let library = support::compiled(Command::new("cc"), &options, "failing_calls.c")?;
        let files = subject.run().directory();
        let directories = match subject.program.writes {
            true => format!("{}:{}", subject.state.display(), files.display()),
            false => subject.state.display().to_string(),
        };
        Ok(Shimmed {
            subject,
            settings,
            library: library.display().to_string(),
            directories,
            count: subject.scratch.join("count"),
        })
    }

    /// Without the shim.
    pub fn plain(&self) -> Run<'a> {
        self.settings.iter().fold(self.subject.run(), |run, (name, value)| run.set(name, value))
    }

    /// A run in which calls are only counted.
    pub fn counting(&self, rank: u32) -> Run<'a> {
        let run = self.plain().set("LD_PRELOAD", &self.library).set("FAILING_DIRS", &self.directories);
        let run = run
            .set("FAILING_CALLERS", "libcppc:libhdf5")
            .set("FAILING_COUNT", &self.count.display().to_string());
        match self.subject.program.processes {
            Some(_) => run.set("FAILING_RANK", &rank.to_string()),
            None => run,
        }
    }

    /// A run in which the call number `call` fails with this error.
    pub fn failing(&self, rank: u32, call: u64, error: i32) -> Run<'a> {
        self.counting(rank).set("FAILING_AT", &call.to_string()).set("FAILING_ERRNO", &error.to_string())
    }

    /// A run in which a process is killed before this call.
    pub fn killing(&self, rank: u32, call: u64, dies: Dies) -> Run<'a> {
        let whom = match dies {
            Dies::Caller => "self",
            Dies::Launcher => "parent",
        };
        self.counting(rank).set("FAILING_AT", &call.to_string()).set("FAILING_KILL", whom)
    }

    /// The calls of the last run.
    pub fn counted(&self) -> Result<u64> {
        let text = std::fs::read_to_string(&self.count).context("the shim has counted nothing")?;
        let calls = text.trim().parse()?;
        ensure!(calls > 20, "only {calls} calls are counted");
        Ok(calls)
    }

    /// Some calls of the last run, in order, or those of the extent.
    pub fn some_calls(&self, wanted: usize) -> Result<Vec<u64>> {
        let calls = self.counted()?;
        Ok(match Extent::get()? {
            Extent::Some => spread(1, calls, wanted),
            Extent::Part { number, of } => (1..=calls).filter(|call| call % of == number % of).collect(),
        })
    }

    /// Calls of the last run, each with an error, or those of the extent.
    pub fn some_errors(&self, wanted: usize, errors: &[i32]) -> Result<Vec<(u64, i32)>> {
        let calls = self.counted()?;
        let count = errors.len() as u64;
        let error = |index: u64| errors[(index % count) as usize];
        Ok(match Extent::get()? {
            Extent::Some => {
                spread(1, calls, wanted).into_iter().map(|call| (call, error(call * 5))).collect()
            }
            // Each part has all calls, if there are not more parts than errors, with different errors.
            Extent::Part { number, of } => (1..=calls)
                .flat_map(|call| (0..count).map(move |index| (call, index)))
                .filter(|(call, index)| (call + index) % of == number % of)
                .map(|(call, index)| (call, error(index)))
                .collect(),
        })
    }

    /// Removes state and files, so that they are as before the first start.
    pub fn forget(&self) -> Result<()> {
        state::forget(self.subject.state)?;
        self.plain().clear_files()
    }
}

/// How many calls are tried.
enum Extent {
    Some,
    /// Part `number`, from 1 on, of so many parts, which are all calls together.
    Part {
        number: u64,
        of: u64,
    },
}

impl Extent {
    /// That of `CPPC_FAILING_CALLS`: `all`, or `3/20` for the third of 20 parts.
    fn get() -> Result<Extent> {
        let Ok(text) = std::env::var("CPPC_FAILING_CALLS") else { return Ok(Extent::Some) };
        let part = match text.as_str() {
            "all" => Some((1, 1)),
            other => {
                other.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)))
            }
        };
        let (number, of) = part.filter(|(number, of)| (1..=*of).contains(number)).with_context(|| {
            format!("CPPC_FAILING_CALLS={text}: expected `all`, or a part such as `3/20`")
        })?;
        Ok(Extent::Part { number, of })
    }
}
