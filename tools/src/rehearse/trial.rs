//! One execution of the program.
//!
//! Input: a command, settings, and a time limit.
//! Output: how it ended, and what it printed.
//! Postcondition: all of its processes have ended.

use crate::run::ending::{name, Ending};
use crate::run::processes;
use crate::run::signals::{meaning, Meaning};
use anyhow::{bail, Context, Result};
use rustix::process::Pid;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// What a run has left.
#[derive(Debug)]
pub struct Outcome {
    pub ending: Ending,
    pub time: Duration,
    pub output: Vec<u8>,
    pub messages: String,
}

impl Outcome {
    /// The reason why the runtime has skipped a checkpoint.
    pub fn skipped(&self) -> Option<String> {
        self.messages.lines().find(|message| message.contains("nothing is written")).map(str::to_owned)
    }
}

/// Launchers get this time to end their processes.
const GRACE: Duration = Duration::from_secs(2);
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

pub struct Trial<'a> {
    pub command: &'a [OsString],
    pub variables: Vec<(&'static str, OsString)>,
    pub limit: Duration,
    /// A directory for the output.
    pub directory: &'a Path,
}

impl Trial<'_> {
    /// Runs the program. One that does not end within the limit counts as stalled.
    ///
    /// # Errors
    /// The program could not be started, or the user has sent a signal.
    pub fn run(&self, signals: &Receiver<i32>) -> Result<Outcome> {
        let [out, said] = ["output", "messages"].map(|name| self.directory.join(name));
        let (program, words) = self.command.split_first().context("there is no command")?;
        let mut command = Command::new(program);
        command.args(words).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&said)?);
        let start = Instant::now();
        let child =
            command.spawn().with_context(|| format!("cannot start `{}`", program.to_string_lossy()))?;
        let child =
            i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("a process has a number")?;
        let ending = self.wait(child, start, signals);
        let time = start.elapsed();
        processes::end_descendants(if ending.is_ok() { GRACE } else { Duration::ZERO }, |_| {});
        let messages = String::from_utf8_lossy(&fs::read(said)?).into_owned();
        Ok(Outcome { ending: ending?, time, output: fs::read(out)?, messages })
    }

    fn wait(&self, child: Pid, start: Instant, signals: &Receiver<i32>) -> Result<Ending> {
        loop {
            for (process, status) in processes::reap() {
                if process == child {
                    return Ok(Ending::of(status));
                }
            }
            if start.elapsed() > self.limit {
                return Ok(Ending::Stalled);
            }
            if let Ok(signal) = signals.recv_timeout(BETWEEN_LOOKS) {
                if meaning(signal) == Meaning::Stop {
                    bail!("stopped by {}", name(signal));
                }
            }
        }
    }
}
