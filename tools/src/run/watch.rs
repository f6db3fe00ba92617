//! The state of the program, seen from outside.
//!
//! Input: the state directory that the program uses, and files that receive its output.
//! Output: the newest recovery line that a restart could use, and when something last changed.
//! Postcondition: nothing is changed. Looking takes a small part of the time, also in large directories.

use super::policy::Reached;
use crate::list::{self, BaseLines};
use crate::request;
use crate::scan::{self, Application};
use anyhow::{Context, Result};
use cppc_runtime::lock::Owner;
use cppc_runtime::settings::{Restart, Settings};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// A complete recovery line of an unfinished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub application: String,
    pub reached: Reached,
    pub size_bytes: u64,
    pub written: Option<SystemTime>,
    /// The program of its run has ended with exit status 0 and without `shutdown`.
    pub has_ended: bool,
}

/// What the settings of the program say.
#[derive(Debug, Clone)]
pub struct StateLocation {
    pub dir: PathBuf,
    /// Possible names of the application; the directories of others are ignored if one of these exists.
    names: BTreeSet<String>,
    pub restart: Restart,
}

/// A program that uses a directory: its host, its number there, and when it was started.
pub type Running = (String, u32, u64);

#[derive(Debug)]
pub struct Watch {
    location: StateLocation,
    activity: Activity,
    changed_at: Instant,
    looked_at: Instant,
    interval: Duration,
}

/// Everything that shows progress: the names, sizes and times of state files, and the sizes of output files.
type Activity = Vec<(u64, u64, Option<SystemTime>)>;

const SHORTEST_INTERVAL: Duration = Duration::from_secs(1);
/// A look may take one of so many parts of the time.
const PARTS: u32 = 200;

impl StateLocation {
    /// Finds the state directory like the program does: its settings may be anywhere on the command line.
    ///
    /// # Errors
    /// A setting is wrong. The program would report the same.
    pub fn find(command: &[OsString], dir: Option<&Path>) -> Result<StateLocation> {
        let directory = std::env::current_dir().context("the working directory cannot be found")?;
        // A `--` of the launcher does not end the search.
        let mut words: Vec<OsString> = command.iter().filter(|word| *word != "--").cloned().collect();
        let settings = Settings::gather(&mut words, std::env::vars_os(), &directory)
            .context("the settings of the program cannot be used")?;
        let mut names: BTreeSet<String> = words
            .iter()
            .filter_map(|word| Some(Path::new(word).file_name()?.to_string_lossy().into_owned()))
            .collect();
        names.insert(settings.app);
        let dir = dir.map_or(settings.dir, |dir| directory.join(dir));
        Ok(StateLocation { dir, names, restart: settings.restart })
    }

    /// The programs that have a lock, with the directory of rank 0 of each.
    pub fn running(&self) -> Vec<(PathBuf, Running)> {
        let owner = |application: Application| {
            let path = request::first_rank(&application);
            let owner = Owner::parse(&std::fs::read_to_string(path.join("lock")).ok()?)?;
            Some((path, (owner.host, owner.process, owner.started)))
        };
        self.applications().into_iter().filter_map(owner).collect()
    }

    /// Whether this may be the application of the command.
    pub fn is_named(&self, application: &str) -> bool {
        self.names.contains(application)
    }

    fn applications(&self) -> Vec<Application> {
        // There is no directory before the first checkpoint.
        let mut found = scan::applications(&self.dir).unwrap_or_default();
        if found.iter().any(|application| self.names.contains(&application.name)) {
            found.retain(|application| self.names.contains(&application.name));
        }
        found
    }
}

impl Watch {
    pub fn location(&self) -> &StateLocation {
        &self.location
    }

    pub fn new(location: StateLocation) -> Watch {
        let now = Instant::now();
        let mut watch = Watch {
            location,
            activity: Vec::new(),
            changed_at: now,
            looked_at: now,
            interval: SHORTEST_INTERVAL,
        };
        watch.look();
        watch
    }

    /// The time until the next look.
    pub fn due_in(&self) -> Duration {
        self.interval.saturating_sub(self.looked_at.elapsed())
    }

    /// Looks for changes of the state or of the output. Returns whether there were any.
    pub fn look(&mut self) -> bool {
        let start = Instant::now();
        let activity = self.activity();
        let has_changed = activity != self.activity;
        if has_changed {
            self.activity = activity;
            self.changed_at = start;
        }
        has_changed
    }

    /// Chooses the time of the next look by the cost of the last one.
    pub fn rest(&mut self, cost: Duration) {
        self.looked_at = Instant::now();
        self.interval = SHORTEST_INTERVAL.max(cost.saturating_mul(PARTS));
    }

    /// The time since the last change.
    pub fn idle(&self) -> Duration {
        self.changed_at.elapsed()
    }

    /// Starts the measurement of idle time again, for a new attempt or after a suspension.
    pub fn restart_clock(&mut self) {
        self.changed_at = Instant::now();
    }

    /// The newest line that a restart could use.
    pub fn newest(&self) -> Option<Line> {
        // While the program runs, the files may be replaced before they are read.
        const TRIES: usize = 3;
        let find = || {
            let lines =
                self.location.applications().into_iter().filter_map(|application| newest_of(&application));
            lines.max_by_key(|line| line.written)
        };
        std::iter::repeat_with(find).take(TRIES).find_map(|line| line)
    }

    /// Whether nothing is left that a restart could use, not even something unreadable.
    pub fn is_empty(&self) -> bool {
        let is_over = |application: &Application| {
            let mut ranks = application.ranks.iter();
            application.numbers().is_empty() || ranks.any(|rank| !rank.finished_runs.is_empty())
        };
        self.location.applications().iter().all(is_over)
    }

    fn activity(&self) -> Activity {
        let mut activity = Activity::new();
        for application in self.location.applications() {
            for rank in &application.ranks {
                activity.extend(rank.files.iter().map(|file| (file.number, file.size_bytes, file.modified)));
                activity.push((u64::from(rank.rank), 0, rank.being_written));
            }
        }
        activity.extend(output_size(std::io::stdout()).map(|size| (0, size, None)));
        activity.extend(output_size(std::io::stderr()).map(|size| (1, size, None)));
        activity
    }
}

/// The size of an output stream that is a file.
fn output_size(stream: impl AsFd) -> Option<u64> {
    let file = std::fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
    let found = file.metadata().ok()?;
    found.is_file().then_some(found.len())
}

fn newest_of(application: &Application) -> Option<Line> {
    let finished: BTreeSet<u64> =
        application.ranks.iter().flat_map(|rank| rank.finished_runs.iter().copied()).collect();
    let base_lines = BaseLines::new();
    application.numbers().into_iter().find_map(|number| {
        let line = list::line(application, number, &finished, &base_lines);
        if !line.complete || line.finished {
            return None;
        }
        let run = u64::from_str_radix(&line.run?, 16).ok()?;
        Some(Line {
            application: application.name.clone(),
            reached: Reached { run, number },
            size_bytes: line.size_bytes,
            written: line.modified,
            has_ended: application.ranks.iter().any(|rank| rank.ended_runs.contains(&run)),
        })
    })
}
