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
use crate::product::here;
use crate::program::Program;
use crate::run::Run;
use crate::scenario::Subject;
use crate::state;

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
        let library = subject.scratch.join("failing_calls.so");
        let mut compiler = Command::new("cc");
        compiler
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&library)
            .arg(here("support/failing_calls.c"))
            .args(["-ldl", "-lpthread"]);
        build::succeed(&mut compiler)?;
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

    /// Some calls of the last run, in order. With `CPPC_FAILING_CALLS=all`, all of them.
    pub fn some_calls(&self, wanted: usize) -> Result<Vec<u64>> {
        let calls = self.counted()?;
        Ok(match tries_all() {
            true => (1..=calls).collect(),
            false => spread(1, calls, wanted),
        })
    }

    /// Removes state and files, so that they are as before the first start.
    pub fn forget(&self) -> Result<()> {
        state::forget(self.subject.state)?;
        self.plain().clear_files()
    }
}

pub fn tries_all() -> bool {
    std::env::var("CPPC_FAILING_CALLS").is_ok_and(|value| value == "all")
}
