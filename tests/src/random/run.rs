//! One run of a generated program.
//!
//! Input: an executable, settings, and when to kill it.
//! Output: how it ended, what its ranks printed, and the content of its files.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{ensure, Context, Result};

use super::numbers::Random;
use super::process::{execute, Ended};
use super::sample::Sample;
use crate::program::Mpi;

/// A generated program runs for milliseconds, but the machine may be busy.
const RUN_LIMIT: Duration = Duration::from_secs(200);

/// The limit if a timer kills all processes at their start. Open MPI's launcher waits for ever if a process dies while it
/// connects.
const KILLED_LIMIT: Duration = Duration::from_secs(60);

/// When a run is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kill {
    Never,
    /// This rank, at its tick of this number.
    AtTick(u64, u32),
    /// All processes, this time after their start.
    AfterMicroseconds(u64),
}

/// Settings of the product, `CPPC_NAME` and the value.
pub type Settings = Vec<(&'static str, String)>;

/// Where a program runs. `scratch` gets output, `work` is its working directory, `state` has its state files.
pub struct Places<'a> {
    pub scratch: &'a Path,
    pub work: &'a Path,
    pub state: &'a Path,
}

/// The results of a run.
#[derive(Debug)]
pub struct Outcome {
    pub ended: Ended,
    /// How it should have been killed.
    kill: Kill,
    /// By rank.
    pub printed: Vec<Vec<u8>>,
    pub ticks: Vec<u64>,
    /// The program's own files, by name. Missing files are not in the map.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Outcome {
    /// The status of `mpirun` may be that of a process that lost its connection (SIGPIPE) when the killed one was
    /// gone. Then the message names the kill.
    pub fn was_killed(&self) -> bool {
        match self.ended.signal() {
            Some(libc::SIGKILL | libc::SIGALRM) => true,
            Some(libc::SIGPIPE) => ["exited on signal 9 ", "exited on signal 14 "]
                .iter()
                .any(|kill| self.ended.said.contains(kill)),
            // The launcher has not ended, but the timer has killed all processes.
            None => self.ended.status.is_none() && matches!(self.kill, Kill::AfterMicroseconds(_)),
            _ => false,
        }
    }

    pub fn has_resumed(&self) -> bool {
        self.ended.said.contains("resuming from recovery line")
    }
}

/// A line that describes the difference of two outcomes. `None` if they are equal.
pub fn difference(found: &Outcome, wanted: &Outcome) -> Option<String> {
    for (rank, (found, wanted)) in found.printed.iter().zip(&wanted.printed).enumerate() {
        if let Err(error) = crate::scenario::same(found, wanted) {
            return Some(format!("rank {rank}: {error}"));
        }
    }
    crate::scenario::same_files(&found.files, &wanted.files).err().map(|error| format!("{error:#}"))
}

/// Runs a program in its places.
pub fn run(
    sample: &Sample,
    executable: &Path,
    places: &Places,
    settings: &Settings,
    kill: Kill,
) -> Result<Outcome> {
    std::fs::create_dir_all(places.work)?;
    for rank in sample.ranks() {
        for name in ["out", "ticks"] {
            let _ = std::fs::remove_file(places.scratch.join(format!("{name}.{rank}")));
        }
    }
    let mut command = match sample.processes {
        Some(count) => {
            let mut launcher = Command::new("mpirun");
            launcher.args(["-n", &count.to_string()]).arg(executable);
            launcher
        }
        None => Command::new(executable),
    };
    crate::run::without_settings(&mut command);
    command
        .current_dir(places.work)
        .env("CPPC_DIR", places.state)
        .env("CPPC_EVERY", "1")
        .envs(settings.iter().cloned());
    // Memory that is still allocated at the end of a program is not a fault.
    command.env("ASAN_OPTIONS", "detect_leaks=0");
    command.env("NO_STOP_MESSAGE", "1").env("TICKS_OUT", places.scratch).env("TICKS_COUNT", places.scratch);
    // Allocatables of a main program in Fortran live to its end, and count as leaks.
    command.env("ASAN_OPTIONS", "detect_leaks=0");
    match kill {
        Kill::Never => {}
        Kill::AtTick(tick, rank) => drop(command.env("TICKS_KILL", format!("{tick}:{rank}"))),
        Kill::AfterMicroseconds(time) => drop(command.env("TICKS_KILL_AFTER_US", time.to_string())),
    }
    crate::run::several_processes_on_few_cores(&mut command, Mpi::Default)?;
    let limit = match kill {
        Kill::Never | Kill::AtTick(..) => RUN_LIMIT,
        Kill::AfterMicroseconds(_) => KILLED_LIMIT,
    };
    let ended = execute(&mut command, places.scratch, limit)?;
    let mut outcome = Outcome { ended, kill, printed: Vec::new(), ticks: Vec::new(), files: BTreeMap::new() };
    for rank in sample.ranks() {
        let read =
            |name: &str| std::fs::read(places.scratch.join(format!("{name}.{rank}"))).unwrap_or_default();
        outcome.printed.push(read("out"));
        outcome.ticks.push(String::from_utf8_lossy(&read("ticks")).trim().parse().unwrap_or(0));
        for name in &sample.writes {
            let name = name.replace("{rank}", &rank.to_string());
            if let Ok(content) = std::fs::read(places.work.join(&name)) {
                outcome.files.insert(name, content);
            }
        }
    }
    Ok(outcome)
}

/// Removes the files of earlier runs.
pub fn clear(places: &Places) -> Result<()> {
    for directory in [places.work, places.state] {
        if directory.exists() {
            let what = || format!("cannot remove `{}`", directory.display());
            std::fs::remove_dir_all(directory).with_context(what)?;
        }
    }
    Ok(())
}

/// Settings for one sequence of runs: how often, in which form and by which writer state is written.
pub fn random_settings(random: &mut Random) -> Settings {
    let mut settings: Settings = vec![("CPPC_ASYNC", random.chance(30).to_string())];
    let mut add = |random: &mut Random, percent, name, values: &[&str]| {
        if random.chance(percent) {
            settings.push((name, random.pick(values).to_owned()));
        }
    };
    add(random, 30, "CPPC_EVERY", &["2", "3", "5"]);
    add(random, 25, "CPPC_KEEP", &["1", "2", "4"]);
    if random.chance(15) {
        add(random, 100, "CPPC_WRITER", &["hdf5"]);
        add(random, 20, "CPPC_COMPRESS", &["deflate", "deflate:1"]);
    } else {
        // The other writer writes full files only.
        add(random, 25, "CPPC_FULL_EVERY", &["2", "3", "10"]);
        add(random, 20, "CPPC_COMPRESS", &["lz4", "deflate", "deflate:1"]);
    }
    settings
}

/// Runs the program to its end. It is an error if it does not reach its end.
pub fn must_end(sample: &Sample, executable: &Path, places: &Places) -> Result<Outcome> {
    clear(places)?;
    let outcome = run(sample, executable, places, &Vec::new(), Kill::Never)?;
    ensure!(outcome.ended.is_well(), "{}", outcome.ended.account());
    Ok(outcome)
}
