//! A program that is stopped on one machine and resumed on another.
//!
//! Input: its binaries.
//! Output: runs, with their messages.
//! Postcondition: each run has a separate state directory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use anyhow::{bail, ensure, Context, Result};

use super::machines::MACHINES;
use super::programs::{Program, Programs};
use super::shown::variables;

/// The form in which state is written.
#[derive(Debug)]
pub struct Form {
    pub name: &'static str,
    pub settings: &'static [(&'static str, &'static str)],
}

pub struct PortableProgram<'a> {
    programs: &'a Programs<'a>,
    pub name: &'a str,
    /// Indices in the table of machines.
    pub machines: &'a [usize],
    /// One binary for each machine.
    binaries: Vec<PathBuf>,
    directory: PathBuf,
    unbroken: String,
    /// The variables in the first file of each checkpoint, from any machine.
    shown: Mutex<HashMap<usize, Vec<String>>>,
}

impl<'a> PortableProgram<'a> {
    /// Runs the program without interruption on all machines.
    pub fn new(
        programs: &'a Programs,
        program: &'a Program,
        binaries: Vec<PathBuf>,
        directory: &Path,
    ) -> Result<PortableProgram<'a>> {
        let (name, machines) = (program.name.as_str(), program.machines.as_slice());
        let directory = directory.join("runs").join(name);
        let mut portable_program = PortableProgram {
            programs,
            name,
            machines,
            binaries,
            directory,
            unbroken: String::new(),
            shown: Mutex::default(),
        };
        for (turn, at) in machines.iter().enumerate() {
            let state = portable_program.fresh("unbroken")?;
            let done = portable_program.start(*at, &state, &[], None)?;
            let machine = MACHINES[*at].name;
            ensure!(
                done.status.success(),
                "an uninterrupted run of `{name}` failed on {machine}: {}",
                error_output(&done)
            );
            let printed = String::from_utf8_lossy(&done.stdout).into_owned();
            if turn == 0 {
                portable_program.unbroken = printed;
            } else {
                let first = MACHINES[machines[0]].name;
                ensure!(
                    printed == portable_program.unbroken,
                    "`{name}` prints on {machine}\n{printed}\nand on {first}\n{}",
                    portable_program.unbroken
                );
            }
        }
        Ok(portable_program)
    }

    /// Runs the program until it ends itself after a checkpoint. `None` if it ended normally before.
    pub fn stop(&self, from: usize, form: &Form, checkpoint: usize) -> Result<Option<PathBuf>> {
        let machine = MACHINES[from].name;
        let state = self.fresh(&format!("{machine}-{}-stopped", form.name))?;
        let stopped = self.start(from, &state, form.settings, Some(checkpoint))?;
        if stopped.status.success() {
            return Ok(None);
        }
        let file = self.line(&state, checkpoint);
        ensure!(
            file.exists(),
            "nothing was written on {machine} at checkpoint {checkpoint}: {}",
            error_output(&stopped)
        );
        self.check_variables(&file, checkpoint)?;
        Ok(Some(state))
    }

    pub fn line(&self, state: &Path, checkpoint: usize) -> PathBuf {
        state.join(self.name).join("rank-0000").join(format!("line-{checkpoint:06}.cppc"))
    }

    /// Checks that a file contains the same variables as the other files of its checkpoint, by name and
    /// shape.
    pub fn check_variables(&self, file: &Path, checkpoint: usize) -> Result<()> {
        let found = variables(&self.programs.tool(), file)?;
        ensure!(!found.is_empty(), "`{}` shows nothing", file.display());
        let mut shown = self.shown.lock().ok().context("another worker failed")?;
        let wanted = shown.entry(checkpoint).or_insert_with(|| found.clone());
        let other = wanted.iter().zip(&found).find(|(wanted, found)| wanted != found);
        if let Some((wanted, found)) = other {
            bail!("`{}` shows\n{found}\nand another file of that checkpoint\n{wanted}", file.display());
        }
        ensure!(
            found.len() == wanted.len(),
            "`{}` shows {} variables, and another file of that checkpoint {}",
            file.display(),
            found.len(),
            wanted.len()
        );
        Ok(())
    }

    /// Resumes the program from a copy of the state.
    pub fn resume(&self, state: &Path, from: usize, to: usize, form: &Form) -> Result<Output> {
        let copy = self.fresh(&format!("{}-{}-resumed", MACHINES[from].name, form.name))?;
        copy_directory(state, &copy)?;
        self.start(to, &copy, form.settings, None)
    }

    /// Checks that the run was resumed and printed the same as an uninterrupted run.
    pub fn check(&self, done: &Output) -> Result<()> {
        let messages = error_output(done);
        ensure!(done.status.success(), "it ended with {}: {messages}", done.status);
        ensure!(messages.contains("resuming from recovery line"), "it did not resume: {messages}");
        let printed = String::from_utf8_lossy(&done.stdout);
        ensure!(
            printed == self.unbroken,
            "it printed\n{printed}\nwhere an uninterrupted run prints\n{}\n{messages}",
            self.unbroken
        );
        Ok(())
    }

    pub fn start(
        &self,
        at: usize,
        state: &Path,
        settings: &[(&str, &str)],
        kill_at: Option<usize>,
    ) -> Result<Output> {
        let machine = &MACHINES[at];
        let turn = self
            .machines
            .iter()
            .position(|known| *known == at)
            .context("a machine for which the program was not compiled")?;
        let mut command: Command = self.programs.command(machine, &self.binaries[turn]);
        command.current_dir(state).stdin(Stdio::null());
        let foreign = std::env::vars_os()
            .map(|(name, _)| name)
            .filter(|name| name.to_string_lossy().starts_with("CPPC_"));
        foreign.filter(|name| name != "CPPC_WRITERS").for_each(|name| {
            command.env_remove(name);
        });
        command
            .env("CPPC_DIR", state)
            .env("CPPC_APP", self.name)
            .env("CPPC_ASYNC", "false")
            .env("CPPC_EVERY", "1")
            .env_remove("KILL_AT");
        command.envs(settings.iter().copied());
        if let Some(checkpoint) = kill_at {
            command.env("KILL_AT", checkpoint.to_string());
        }
        command.output().with_context(|| format!("cannot run `{}` on {}", self.name, machine.name))
    }

    pub fn fresh(&self, purpose: &str) -> Result<PathBuf> {
        let directory = self.directory.join(purpose);
        if directory.exists() {
            std::fs::remove_dir_all(&directory)?;
        }
        std::fs::create_dir_all(&directory)?;
        Ok(directory)
    }
}

pub fn error_output(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

fn copy_directory(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_directory(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
