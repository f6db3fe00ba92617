//! A command with a time limit.
//!
//! Input: a command and a limit.
//! Output: how it ended and what it printed.
//! Postcondition: all of its processes have ended.

use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// `None` if it was ended because of the time limit.
    pub status: Option<ExitStatus>,
    pub printed: Vec<u8>,
    /// The output on standard error.
    pub said: String,
}

impl Ended {
    pub fn is_well(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// The signal that ended it, whether it was started directly or by a launcher that reports it.
    pub fn signal(&self) -> Option<i32> {
        let status = self.status?;
        let reported = |code: i32| (129..=159).contains(&code).then(|| code - 128);
        status.signal().or_else(|| status.code().and_then(reported))
    }

    /// A short description, with messages.
    pub fn account(&self) -> String {
        let how = self.status.map_or("did not end".to_owned(), |status| status.to_string());
        // Warnings of the translation may come first. Compilers of Fortran name the line before they say `Error`.
        let error = |line: &str| line.starts_with("error") || line.starts_with("Error");
        let first = self.said.lines().position(error).unwrap_or(0).saturating_sub(5);
        let said: Vec<&str> = self.said.lines().skip(first).take(40).collect();
        format!("{how}\n{}", said.join("\n"))
    }
}

/// Runs a command. Its output is written to files in `scratch`.
pub fn execute(command: &mut Command, scratch: &Path, limit: Duration) -> Result<Ended> {
    let (printed, said) = (scratch.join("command.out"), scratch.join("command.err"));
    command.stdin(Stdio::null()).stdout(File::create(&printed)?).stderr(File::create(&said)?);
    // A separate group, so that all of its processes can be ended.
    command.process_group(0);
    let child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
    let status = wait(child, limit)?;
    let said = String::from_utf8_lossy(&std::fs::read(&said)?).into_owned();
    Ok(Ended { status, printed: std::fs::read(&printed)?, said })
}

fn wait(mut child: Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            let group = -(child.id() as libc::pid_t);
            for signal in [libc::SIGTERM, libc::SIGKILL] {
                // SAFETY: the group is that of a child which has not been waited for.
                unsafe { libc::kill(group, signal) };
                std::thread::sleep(Duration::from_millis(500));
            }
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}
