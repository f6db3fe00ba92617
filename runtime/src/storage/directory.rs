//! The directory of one process. No other module depends on the names in it.
//!
//! Input: the setting `dir`, the name of the application, a rank.
//! Output: paths, and the files that exist.
//! Postcondition: a name that does not have exactly the form of this module is left alone. Below `dir`, no
//! symbolic link is treated as a directory.
//!
//! ```text
//! DIR/APPLICATION/rank-0000/line-000001.cppc     a published state file
//!                           dump-ATTEMPT.tmp     the one that this attempt is writing (`dump.tmp` in older versions)
//!                           aside/line-000002.cppc   newer than the line that was resumed
//!                           finished-RUN         the run with this identity came to its end
//!                           ended-RUN            its program ended with status 0 and without `CPPC_Shutdown`
//!                           lock                 the process that works here (`lock.rs`)
//!                           complete-RUN         a recovery line of this run was once on all processes
//!                           openings             files that the program has opened since the newest line
//!                           messages             messages while there was no standard error
//! ```

use super::{Entry, EntryKind, Storage};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The temporary file of an attempt without a number.
const TEMPORARY: &str = "dump.tmp";
pub const LOCK: &str = "lock";
pub const ASIDE: &str = "aside";
/// The default of the setting `dir`.
pub const DEFAULT_DIR: &str = "cppc-state";
/// The largest number of a recovery line. It prevents a forged name from causing an overflow.
pub const LARGEST_LINE: u64 = 999_999_999_999_999;

/// The state files of one process.
#[derive(Debug, Clone)]
pub struct Directory {
    storage: Arc<dyn Storage>,
    /// The setting `dir`.
    root: PathBuf,
    /// `dir` and the application's name.
    application: PathBuf,
    own: PathBuf,
    attempt: u64,
    /// The directory of this process in the setting `mirror`.
    mirror: Option<Box<Directory>>,
    /// Directories in which a name may not be durable yet.
    unsynced: Arc<Mutex<Vec<PathBuf>>>,
}

impl Directory {
    /// Names the directory. Nothing is read or changed.
    pub fn new(storage: Arc<dyn Storage>, dir: &Path, application: &str, rank: u32) -> Directory {
        let application = dir.join(application);
        let own = application.join(rank_name(rank));
        // Another start may have made these directories and been stopped before they were durable.
        let mut unsynced = vec![application.clone(), dir.to_owned()];
        unsynced.extend(dir.parent().filter(|above| !above.as_os_str().is_empty()).map(Path::to_owned));
        let unsynced = Arc::new(Mutex::new(unsynced));
        Directory { storage, root: dir.to_owned(), application, own, attempt: 0, mirror: None, unsynced }
    }

    /// The same directory with a temporary file of this attempt.
    pub fn of_attempt(self, attempt: u64) -> Directory {
        let mirror = self.mirror.map(|mirror| Box::new(mirror.of_attempt(attempt)));
        Directory { attempt, mirror, ..self }
    }

    /// The same directory with a mirror.
    pub fn with_mirror(self, mirror: Option<Directory>) -> Directory {
        Directory { mirror: mirror.map(Box::new), ..self }
    }

    /// The directory with copies of the lines of this one.
    pub fn mirror(&self) -> Option<&Directory> {
        self.mirror.as_deref()
    }

    /// This directory and its mirror.
    pub fn and_mirror(&self) -> impl Iterator<Item = &Directory> {
        std::iter::once(self).chain(self.mirror())
    }

    /// The same directory, without data that threads of this process share. A child of `fork` has no other
    /// thread.
    pub fn unshared(&self) -> Directory {
        let unsynced = vec![self.application.clone(), self.root.clone()];
        let mirror = self.mirror().map(|mirror| Box::new(mirror.unshared()));
        Directory { unsynced: Arc::new(Mutex::new(unsynced)), mirror, ..self.clone() }
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
        match self.attempt {
            0 => self.own.join(TEMPORARY),
            attempt => self.own.join(format!("dump-{attempt:016x}.tmp")),
        }
    }

    /// The temporary files of all attempts.
    pub fn temporaries(&self) -> Vec<PathBuf> {
        let names = self.names(&self.own).unwrap_or_default();
        names.iter().filter(|(name, _)| is_temporary(name)).map(|(name, _)| self.own.join(name)).collect()
    }

    pub fn lock(&self) -> PathBuf {
        self.own.join(LOCK)
    }

    /// The file of this process that is linked to the name of the lock.
    pub fn lock_own(&self, process: u32) -> PathBuf {
        self.own.join(format!("{LOCK}-{:016x}-{process}.tmp", self.attempt))
    }

    /// The claim: its owner may replace the lock whose content has this hash.
    pub fn lock_claim(&self, hash: u64) -> PathBuf {
        self.own.join(format!("{LOCK}-over-{hash:016x}"))
    }

    /// Files of processes that were killed while they took the lock.
    pub fn lock_remains(&self) -> Vec<PathBuf> {
        let names = self.names(&self.own).unwrap_or_default();
        let is_remains = |name: &str| {
            name.starts_with("lock-") && (name.ends_with(".tmp") || name.starts_with("lock-over-"))
        };
        names.iter().filter(|(name, _)| is_remains(name)).map(|(name, _)| self.own.join(name)).collect()
    }

    pub fn aside(&self) -> PathBuf {
        self.own.join(ASIDE)
    }

    pub fn aside_line(&self, number: u64) -> PathBuf {
        self.own.join(ASIDE).join(line_name(number))
    }

    /// The marker file of a run that has ended.
    pub fn finished(&self, run: u64) -> PathBuf {
        self.own.join(format!("finished-{run:016x}"))
    }

    /// Messages that could not be written to standard error.
    pub fn messages(&self) -> PathBuf {
        self.own.join("messages")
    }

    /// The marker file of a run whose program ended with status 0 and without `CPPC_Shutdown`.
    pub fn ended(&self, run: u64) -> PathBuf {
        self.own.join(format!("ended-{run:016x}"))
    }

    /// The marker file of a run of which a line was once complete.
    pub fn complete(&self, run: u64) -> PathBuf {
        self.own.join(format!("complete-{run:016x}"))
    }

    /// The list of files that were opened since the newest line.
    pub fn openings(&self) -> PathBuf {
        self.own.join("openings")
    }

    /// Makes the directory and its parents, durably. Other processes may do the same at the same time.
    pub fn make(&self) -> io::Result<()> {
        self.make_durably(&self.own)
    }

    /// Makes the directory for set-aside files, durably.
    pub fn make_aside(&self) -> io::Result<()> {
        self.make_durably(&self.aside())
    }

    fn make_durably(&self, path: &Path) -> io::Result<()> {
        self.check_links(path)?;
        let mut made = Vec::new();
        let result = self.make_all(path, &mut made).and_then(|()| self.sync_made());
        if result.is_err() {
            // If the sync of a directory has failed, a later sync proves nothing, so the directory is made
            // anew next time. A directory that is no longer empty stays.
            made.iter().rev().for_each(|path| drop(self.storage.remove_dir(path)));
        }
        result
    }

    fn make_all(&self, path: &Path, list: &mut Vec<PathBuf>) -> io::Result<()> {
        if self.kind(path)? == Some(EntryKind::Directory) {
            return Ok(());
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let made = match self.storage.create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match parent {
                Some(parent) => {
                    self.make_all(parent, list)?;
                    self.storage.create_dir(path)
                }
                None => Err(error),
            },
            other => other,
        };
        match made {
            // Another process was faster, or it is a symbolic link to a directory.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.check_links(path)?,
            Err(error) => return Err(error),
            Ok(()) => list.push(path.to_owned()),
        }
        self.unsynced().extend(parent.map(Path::to_owned));
        Ok(())
    }

    /// Fails if the directory of the process, or one above it below `dir`, is a symbolic link or another kind
    /// of file.
    pub fn check(&self) -> io::Result<()> {
        self.check_links(&self.own)
    }

    /// Fails if a directory below `dir` on this path is a symbolic link, because changes would then be made
    /// elsewhere. The setting `dir` itself may be a symbolic link.
    fn check_links(&self, path: &Path) -> io::Result<()> {
        let ours = path.ancestors().take_while(|above| above.starts_with(&self.application));
        for directory in ours {
            if self.kind(directory)? == Some(EntryKind::Other) {
                let message = format!(
                    "`{}` is not a directory; symbolic links are not followed there",
                    directory.display()
                );
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        }
        Ok(())
    }

    /// The kind of file at the path; `None` if there is none.
    fn kind(&self, path: &Path) -> io::Result<Option<EntryKind>> {
        match self.storage.entry(path) {
            // If a parent is not a directory, the operation that needs it reports that.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(None)
            }
            other => other.map(|entry| Some(entry.kind)),
        }
    }

    /// Whether the directory exists.
    pub fn exists(&self) -> io::Result<bool> {
        Ok(self.kind(&self.own)?.is_some())
    }

    /// Whether an earlier start has left anything here. A lock and deferred messages do not count: they do
    /// not show that there was state.
    pub fn is_used(&self) -> io::Result<bool> {
        let names = self.names(&self.own)?;
        let is_trace = |name: &str| !name.starts_with("lock") && self.own.join(name) != self.messages();
        Ok(self.exists()? && (names.is_empty() || names.iter().any(|(name, _)| is_trace(name))))
    }

    /// Makes durable what a new start depends on: these files and their names. The process that wrote them
    /// may have been stopped before that.
    pub fn secure(&self, files: &[PathBuf]) -> io::Result<()> {
        for path in files {
            nothing_to_sync(self.storage.open_for_reading(path)?.sync())?;
        }
        nothing_to_sync(self.sync())?;
        nothing_to_sync(self.sync_made())
    }

    /// The names in one of the directories that are valid UTF-8; none if the directory does not exist.
    fn names(&self, path: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        self.check_links(path)?;
        let entries = match self.storage.list(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let name = |entry: Entry| Some((entry.name.into_string().ok()?, entry.kind));
        Ok(entries.into_iter().filter_map(name).collect())
    }

    fn lines_in(&self, path: &Path) -> io::Result<Vec<(u64, EntryKind)>> {
        let names = self.names(path)?;
        let mut lines: Vec<_> =
            names.iter().filter_map(|(name, kind)| Some((parse_line(name)?, *kind))).collect();
        lines.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        Ok(lines)
    }

    fn marker_runs(&self, parse: fn(&str) -> Option<u64>) -> io::Result<Vec<u64>> {
        let names = self.names(&self.own)?;
        let mut runs: Vec<u64> = names.iter().filter_map(|(name, _)| parse(name)).collect();
        runs.sort_unstable_by(|a, b| b.cmp(a));
        Ok(runs)
    }

    /// Syncs the directories that may not be durable. Those that fail are tried again next time.
    fn sync_made(&self) -> io::Result<()> {
        let unsynced = std::mem::take(&mut *self.unsynced());
        let mut first_error = None;
        for path in unsynced {
            let Err(error) = self.storage.sync_dir(&path) else { continue };
            // A directory above `dir` may be searchable but not readable. That is no reason to write no
            // state.
            let above = self.root.starts_with(&path) && self.root != path;
            if !above || error.kind() != io::ErrorKind::PermissionDenied {
                first_error.get_or_insert(error);
            }
            self.unsynced().push(path);
        }
        first_error.map_or(Ok(()), Err)
    }

    fn unsynced(&self) -> std::sync::MutexGuard<'_, Vec<PathBuf>> {
        self.unsynced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the names in the directory durable.
    pub fn sync(&self) -> io::Result<()> {
        self.storage.sync_dir(&self.own)
    }

    /// Makes the names in the directory, and in that for set-aside files, durable, if they exist.
    pub fn sync_aside(&self) -> io::Result<()> {
        for path in [&self.aside(), &self.own] {
            if self.kind(path)? == Some(EntryKind::Directory) {
                self.storage.sync_dir(path)?;
            }
        }
        Ok(())
    }

    /// The numbers of the published lines, newest first; none if there is no directory.
    pub fn lines(&self) -> io::Result<Vec<u64>> {
        Ok(files_of(self.lines_in(&self.own)?))
    }

    /// Everything that has the name of a line, newest first, and its kind.
    pub fn line_names(&self) -> io::Result<Vec<(u64, EntryKind)>> {
        self.lines_in(&self.own)
    }

    /// The numbers of the set-aside lines, newest first.
    pub fn lines_aside(&self) -> io::Result<Vec<u64>> {
        Ok(files_of(self.lines_in(&self.aside())?))
    }

    /// The largest number of a line in the directory or set aside.
    pub fn largest_number(&self) -> io::Result<u64> {
        let names = [self.lines_in(&self.own)?, self.lines_in(&self.aside())?];
        Ok(names.iter().flatten().map(|(number, _)| *number).max().unwrap_or(0))
    }

    /// The runs with a marker file of a finished run, largest number first.
    pub fn finished_runs(&self) -> io::Result<Vec<u64>> {
        self.marker_runs(parse_finished)
    }

    /// The runs whose program ended without `CPPC_Shutdown`, largest number first.
    pub fn ended_runs(&self) -> io::Result<Vec<u64>> {
        self.marker_runs(parse_ended)
    }

    /// The runs that had a complete line, largest number first.
    pub fn complete_runs(&self) -> io::Result<Vec<u64>> {
        self.marker_runs(parse_complete)
    }

    /// Removes the directory if it is empty, then that of the application if no process has one in it any
    /// more, and then `dir` if it has the default name.
    pub fn remove_if_empty(&self) {
        // Each of these fails if the directory is not empty; then it stays.
        let _ = self.storage.remove_dir(&self.aside());
        let _ = self.storage.remove_dir(&self.own);
        let _ = self.storage.remove_dir(&self.application);
        if self.root.file_name().is_some_and(|name| name == DEFAULT_DIR) {
            let _ = self.storage.remove_dir(&self.root);
        }
    }
}

fn files_of(lines: Vec<(u64, EntryKind)>) -> Vec<u64> {
    lines.into_iter().filter(|(_, kind)| *kind == EntryKind::File).map(|(number, _)| number).collect()
}

/// Accepts the error of a file that does not support sync: nothing of it can be lost.
fn nothing_to_sync(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
        other => other,
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

/// The number of the line whose file has this name.
pub fn parse_line(name: &str) -> Option<u64> {
    let number = name.strip_prefix("line-")?.strip_suffix(".cppc")?.parse().ok()?;
    ((1..=LARGEST_LINE).contains(&number) && line_name(number) == name).then_some(number)
}

/// Whether a file of this name is a temporary file of an attempt.
pub fn is_temporary(name: &str) -> bool {
    let attempt = name.strip_prefix("dump-").and_then(|rest| rest.strip_suffix(".tmp"));
    name == TEMPORARY || attempt.is_some_and(|digits| run_of(digits).is_some())
}

/// The finished run that a marker file of this name stands for.
pub fn parse_finished(name: &str) -> Option<u64> {
    run_of(name.strip_prefix("finished-")?)
}

/// The run without `CPPC_Shutdown` that a marker file of this name stands for.
pub fn parse_ended(name: &str) -> Option<u64> {
    run_of(name.strip_prefix("ended-")?)
}

/// The run with a complete line that a marker file of this name stands for.
pub fn parse_complete(name: &str) -> Option<u64> {
    run_of(name.strip_prefix("complete-")?)
}

fn run_of(digits: &str) -> Option<u64> {
    let run = u64::from_str_radix(digits, 16).ok()?;
    (format!("{run:016x}") == digits).then_some(run)
}
