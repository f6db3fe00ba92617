//! The events of a run, as JSON.
//!
//! Input: what happens.
//! Output: one object on each line of a file.
//! Postcondition: each event is in the file before the next one happens. docs/operation.md describes the format.

use super::watch::Line;
use anyhow::{Context, Result};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'a> {
    Start {
        attempt: u32,
        process: i32,
        command: &'a [String],
        line: Option<LineOfLog>,
    },
    Checkpoint {
        attempt: u32,
        line: LineOfLog,
    },
    /// The attempt failed.
    Failure {
        attempt: u32,
        status: u8,
        signal: Option<&'a str>,
        stalled: bool,
        line: Option<LineOfLog>,
    },
    /// Processes of a failed attempt were ended.
    LeftOver {
        attempt: u32,
        processes: usize,
    },
    Restart {
        attempt: u32,
        pause_seconds: f64,
    },
    /// The hosts that the next attempt does not use.
    Exclude {
        attempt: u32,
        hosts: Vec<&'a str>,
    },
    /// A signal that was passed on.
    Signal {
        attempt: u32,
        signal: &'a str,
        stop: bool,
    },
    /// The end of the job is near.
    TimeLimit {
        attempt: u32,
        left_seconds: f64,
    },
    /// Slurm queues the job again.
    Requeue {
        attempt: u32,
        job: &'a str,
        line: LineOfLog,
    },
    GiveUp {
        attempt: u32,
        reason: &'a str,
        message: String,
    },
    End {
        attempts: u32,
        status: u8,
    },
}

/// A recovery line in the log.
#[derive(Debug, Serialize)]
pub struct LineOfLog {
    application: String,
    run: String,
    number: u64,
    size_bytes: u64,
    /// Seconds since 1970.
    written: Option<u64>,
}

impl From<&Line> for LineOfLog {
    fn from(line: &Line) -> LineOfLog {
        LineOfLog {
            application: line.application.clone(),
            run: format!("{:016x}", line.reached.run),
            number: line.reached.number,
            size_bytes: line.size_bytes,
            written: crate::display::epoch(line.written),
        }
    }
}

#[derive(Serialize)]
struct Record<'a> {
    /// Seconds since 1970.
    time: f64,
    #[serde(flatten)]
    event: &'a Event<'a>,
}

/// The file, if one was asked for.
#[derive(Debug)]
pub struct Log {
    file: Option<(PathBuf, File)>,
}

impl Log {
    pub fn open(path: Option<&Path>) -> Result<Log> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.with_context(|| format!("cannot open the log `{}`", path.display()))?;
            anyhow::Ok((path.to_owned(), file))
        };
        Ok(Log { file: path.map(open).transpose()? })
    }

    /// A log that cannot be written is reported once, and does not stop the run.
    pub fn write(&mut self, event: &Event) {
        let Some((path, file)) = &mut self.file else { return };
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let record = Record { time: since.as_secs_f64(), event };
        let written = serde_json::to_string(&record)
            .map_err(std::io::Error::from)
            .and_then(|text| file.write_all((text + "\n").as_bytes()));
        if let Err(error) = written {
            anstream::eprintln!(
                "cppc run: cannot write the log `{}`: {error}; no more events are written",
                path.display()
            );
            self.file = None;
        }
    }
}
