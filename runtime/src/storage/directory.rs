//! The directory of one process: the only place that knows the names on disk.
//!
//! In: the setting `dir`, the application's name, a rank. Out: paths, and what stands there.
//! Holds afterwards: a name that is not exactly what we would have written is not ours and is left
//! alone.
//!
//! ```text
//! DIR/APPLICATION/rank-0000/line-000001.cppc     a published state file
//!                           dump.tmp             the one that is being written
//!                           aside/line-000002.cppc   newer than the line that was resumed
//!                           finished-RUN         the run with this identity came to its end
//! ```

use super::{EntryKind, Storage};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const TEMPORARY: &str = "dump.tmp";
const ASIDE: &str = "aside";
/// The default of the setting `dir`.
pub const DEFAULT_DIR: &str = "cppc-state";

/// The state files of one process.
#[derive(Debug, Clone)]
pub struct Directory {
    storage: Arc<dyn Storage>,
    /// The setting `dir`.
    root: PathBuf,
    /// `dir` and the application's name.
    application: PathBuf,
    own: PathBuf,
}

impl Directory {
    /// Names the directory; touches nothing.
    pub fn new(storage: Arc<dyn Storage>, dir: &Path, application: &str, rank: u32) -> Directory {
        let application = dir.join(application);
        let own = application.join(rank_name(rank));
        Directory { storage, root: dir.to_owned(), application, own }
    }

    pub fn storage(&self) -> &Arc<dyn Storage> {
        &self.storage
    }

    pub fn path(&self) -> &Path {
        &self.own
    }

    pub fn line(&self, number: u64) -> PathBuf {
        self.own.join(line_name(number))
    }

    pub fn temporary(&self) -> PathBuf {
        self.own.join(TEMPORARY)
    }

    pub fn aside(&self) -> PathBuf {
        self.own.join(ASIDE)
    }

    pub fn aside_line(&self, number: u64) -> PathBuf {
        self.own.join(ASIDE).join(line_name(number))
    }

    /// The mark that says that a run came to its end.
    pub fn finished(&self, run: u64) -> PathBuf {
        self.own.join(format!("finished-{run:016x}"))
    }

    /// Makes the directory and what leads to it, durably. Other processes may be at it too.
    pub fn make(&self) -> io::Result<()> {
        make_all(&*self.storage, &self.own)?;
        // It may be that somebody made them and was stopped before they were durable.
        self.storage.sync_dir(&self.application)?;
        self.storage.sync_dir(&self.root)
    }

    /// Makes the directory for what is set aside, durably.
    pub fn make_aside(&self) -> io::Result<()> {
        make_all(&*self.storage, &self.aside())
    }

    /// Makes the names in the directory durable.
    pub fn sync(&self) -> io::Result<()> {
        self.storage.sync_dir(&self.own)
    }

    /// The numbers of the published lines, newest first; none when there is no directory.
    pub fn lines(&self) -> io::Result<Vec<u64>> {
        lines_in(&*self.storage, &self.own)
    }

    /// The numbers of the lines that were set aside, newest first.
    pub fn lines_aside(&self) -> io::Result<Vec<u64>> {
        lines_in(&*self.storage, &self.aside())
    }

    /// The runs that are marked as finished, largest identity first.
    pub fn finished_runs(&self) -> io::Result<Vec<u64>> {
        let mut runs: Vec<u64> = names(&*self.storage, &self.own)?
            .iter()
            .filter_map(|(name, _)| parse_finished(name))
            .collect();
        runs.sort_unstable_by(|a, b| b.cmp(a));
        Ok(runs)
    }

    /// Removes the directory if it is empty, the application's when no other process has one in it
    /// any more, and the one above if it has the name that it gets when nobody names it.
    pub fn remove_if_empty(&self) {
        // Each of these fails when something is left inside; then it stays, as it should.
        let _ = self.storage.remove_dir(&self.aside());
        let _ = self.storage.remove_dir(&self.own);
        let _ = self.storage.remove_dir(&self.application);
        if self.root.file_name().is_some_and(|name| name == DEFAULT_DIR) {
            let _ = self.storage.remove_dir(&self.root);
        }
    }
}

pub fn rank_name(rank: u32) -> String {
    format!("rank-{rank:04}")
}

pub fn line_name(number: u64) -> String {
    format!("line-{number:06}.cppc")
}

/// The rank whose directory has this name.
pub fn parse_rank(name: &str) -> Option<u32> {
    let rank = name.strip_prefix("rank-")?.parse().ok()?;
    (rank_name(rank) == name).then_some(rank)
}

/// The number of the line that a file of this name belongs to.
pub fn parse_line(name: &str) -> Option<u64> {
    let number = name.strip_prefix("line-")?.strip_suffix(".cppc")?.parse().ok()?;
    (number > 0 && line_name(number) == name).then_some(number)
}

/// The run that a mark of this name says is finished.
pub fn parse_finished(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("finished-")?;
    let run = u64::from_str_radix(digits, 16).ok()?;
    (format!("{run:016x}") == digits).then_some(run)
}

fn lines_in(storage: &dyn Storage, path: &Path) -> io::Result<Vec<u64>> {
    let mut numbers: Vec<u64> = names(storage, path)?
        .iter()
        .filter(|(_, kind)| *kind == EntryKind::File)
        .filter_map(|(name, _)| parse_line(name))
        .collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    Ok(numbers)
}

/// The readable names in a directory; a directory that is not there has none.
fn names(storage: &dyn Storage, path: &Path) -> io::Result<Vec<(String, EntryKind)>> {
    let entries = match storage.list(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    Ok(entries
        .into_iter()
        .filter_map(|entry| Some((entry.name.into_string().ok()?, entry.kind)))
        .collect())
}

fn make_all(storage: &dyn Storage, path: &Path) -> io::Result<()> {
    match storage.create_dir(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let Some(parent) = path.parent() else { return Err(error) };
            make_all(storage, parent)?;
            match storage.create_dir(path) {
                // Another process was faster.
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        Err(error) => return Err(error),
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => storage.sync_dir(parent),
        _ => Ok(()),
    }
}
