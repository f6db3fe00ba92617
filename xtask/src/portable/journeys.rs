//! Stops programs on one machine and lets them go on on another.
//!
//! In: programs for every machine. Out: how many runs went on. Holds afterwards: each ended as an unbroken run does, or
//! was refused in the words that it had to be refused in.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{bail, ensure, Context, Result};

use super::build::Built;
use super::machines::MACHINES;

/// Programs whose state cannot go everywhere.
const REFUSED: &[Refused] = &[
    Refused {
        program: "narrow",
        checkpoint: 2,
        is_for_narrow_long: true,
        words: &["`narrow.c:records`", "`places[1]` of element 2", "5000000000", "4 bytes"],
    },
    Refused { program: "raw", checkpoint: 1, is_for_narrow_long: false, words: RAW },
    Refused { program: "raw", checkpoint: 2, is_for_narrow_long: false, words: RAW },
];
const RAW: &[&str] = &["`raw.c:number`", "raw bytes do not travel"];

/// What of which program is refused, and what has to be said.
struct Refused {
    program: &'static str,
    checkpoint: usize,
    /// Only on the way from a machine with a wide `long` to one with a narrow one.
    is_for_narrow_long: bool,
    words: &'static [&'static str],
}

/// Of this one the golden files are.
const GOLDEN: &str = "golden";
/// More checkpoints than any of the programs has.
const MOST: usize = 20;
/// A run of several machines, one checkpoint on each.
const CHAIN: &[usize] = &[0, 1, 2, 3, 0];

/// A program, compiled for every machine.
struct Traveller<'a> {
    built: &'a Built<'a>,
    name: &'a str,
    binaries: Vec<PathBuf>,
    unbroken: String,
    count: &'a AtomicUsize,
}

pub fn run(built: &Built) -> Result<usize> {
    let programs = built.programs()?;
    let count = AtomicUsize::new(0);
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some(name) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            Traveller::new(built, name, &count)?.travel().with_context(|| format!("`{name}`"))?;
        }
        Ok(())
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a journey failed")))
    })?;
    Ok(count.into_inner())
}

/// The state files of the golden program, one from each machine.
pub fn write_golden(built: &Built, into: &Path) -> Result<()> {
    std::fs::create_dir_all(into)?;
    let count = AtomicUsize::new(0);
    let traveller = Traveller::new(built, GOLDEN, &count)?;
    for (from, machine) in MACHINES.iter().enumerate() {
        let state = traveller.stop(from, 1)?.context("the golden program has no checkpoint")?;
        let file = state.join(GOLDEN).join("rank-0000/line-000001.cppc");
        std::fs::copy(file, into.join(machine.name).with_extension("cppc"))?;
    }
    Ok(())
}

impl<'a> Traveller<'a> {
    fn new(built: &'a Built, name: &'a str, count: &'a AtomicUsize) -> Result<Traveller<'a>> {
        let mut binaries = Vec::new();
        for machine in MACHINES {
            binaries.push(built.compile(machine, name).with_context(|| format!("`{name}` for {}", machine.name))?);
        }
        let mut traveller = Traveller { built, name, binaries, unbroken: String::new(), count };
        for (at, machine) in MACHINES.iter().enumerate() {
            let state = traveller.fresh("unbroken")?;
            let done = traveller.start(at, &state, None)?;
            ensure!(done.status.success(), "an unbroken run of `{name}` failed on {}: {}", machine.name, said(&done));
            let printed = String::from_utf8_lossy(&done.stdout).into_owned();
            if at == 0 {
                traveller.unbroken = printed;
            } else {
                ensure!(printed == traveller.unbroken, "`{name}` prints something else on {} than on {}", machine.name, MACHINES[0].name);
            }
        }
        Ok(traveller)
    }

    fn travel(&self) -> Result<()> {
        for (from, machine) in MACHINES.iter().enumerate() {
            for checkpoint in 1..MOST {
                let Some(state) = self.stop(from, checkpoint)? else { break };
                for to in (0..MACHINES.len()).filter(|to| *to != from) {
                    let way = format!("from {} to {} after checkpoint {checkpoint}", machine.name, MACHINES[to].name);
                    self.go_on(&state, from, to, checkpoint).context(way)?;
                }
            }
        }
        if REFUSED.iter().any(|refused| refused.program == self.name) {
            return Ok(());
        }
        self.chain()
    }

    /// Runs until it ends itself after a checkpoint; none when it came to its end before.
    fn stop(&self, from: usize, checkpoint: usize) -> Result<Option<PathBuf>> {
        let state = self.fresh("stopped")?;
        let stopped = self.start(from, &state, Some(checkpoint))?;
        if stopped.status.success() {
            return Ok(None);
        }
        let file = state.join(self.name).join("rank-0000").join(format!("line-{checkpoint:06}.cppc"));
        ensure!(file.exists(), "nothing was written on {} at checkpoint {checkpoint}: {}", MACHINES[from].name, said(&stopped));
        Ok(Some(state))
    }

    fn go_on(&self, state: &Path, from: usize, to: usize, checkpoint: usize) -> Result<()> {
        let copy = self.fresh("resumed")?;
        copy_directory(state, &copy)?;
        let done = self.start(to, &copy, None)?;
        self.count.fetch_add(1, Ordering::Relaxed);
        let messages = said(&done);
        let narrows = MACHINES[from].long_bytes > MACHINES[to].long_bytes;
        let refused = REFUSED.iter().find(|refused| {
            refused.program == self.name && refused.checkpoint == checkpoint && (narrows || !refused.is_for_narrow_long)
        });
        if let Some(refused) = refused {
            ensure!(done.status.code() == Some(1), "it was not refused: {messages}");
            for word in refused.words {
                ensure!(messages.contains(word), "it was refused without the words {word:?}: {messages}");
            }
            return Ok(());
        }
        self.check(&done)
    }

    /// One checkpoint here, the next there.
    fn chain(&self) -> Result<()> {
        let state = self.fresh("chain")?;
        for (step, at) in CHAIN.iter().enumerate() {
            let done = self.start(*at, &state, Some(step + 1))?;
            if done.status.success() {
                return self.check(&done);
            }
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        let done = self.start(CHAIN[1], &state, None)?;
        self.check(&done).context("from machine to machine")
    }

    fn check(&self, done: &Output) -> Result<()> {
        let messages = said(done);
        ensure!(done.status.success(), "it ended with {}: {messages}", done.status);
        ensure!(messages.contains("resuming from recovery line"), "it began afresh: {messages}");
        let printed = String::from_utf8_lossy(&done.stdout);
        ensure!(printed == self.unbroken, "it printed\n{printed}\nwhere an unbroken run prints\n{}\n{messages}", self.unbroken);
        Ok(())
    }

    fn start(&self, at: usize, state: &Path, kill_at: Option<usize>) -> Result<Output> {
        let mut command: Command = self.built.command(&MACHINES[at], &self.binaries[at]);
        command.current_dir(&self.built.directory).stdin(Stdio::null());
        let settings = std::env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("CPPC_"));
        settings.for_each(|name| {
            command.env_remove(name);
        });
        command.env("CPPC_DIR", state).env("CPPC_APP", self.name).env("CPPC_ASYNC", "false").env_remove("KILL_AT");
        if let Some(checkpoint) = kill_at {
            command.env("KILL_AT", checkpoint.to_string());
        }
        command.output().with_context(|| format!("cannot run `{}` on {}", self.name, MACHINES[at].name))
    }

    fn fresh(&self, purpose: &str) -> Result<PathBuf> {
        let directory = self.built.directory.join("state").join(self.name).join(purpose);
        if directory.exists() {
            std::fs::remove_dir_all(&directory)?;
        }
        std::fs::create_dir_all(&directory)?;
        Ok(directory)
    }
}

fn said(done: &Output) -> String {
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
