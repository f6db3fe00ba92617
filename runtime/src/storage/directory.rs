//! The directory of one process: the only place that knows the names on disk.
//!
//! In: the setting `dir`, the application's name, a rank. Out: paths, and what stands there.
//! Holds afterwards: a name that is not exactly what we would have written is not ours and is left
//! alone; below `dir`, no symbolic link is taken for a directory.
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
//!                           messages             what was to be said while there was no standard error
//! ```

use super::{Entry, EntryKind, Storage};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Of an attempt without a number.
const TEMPORARY: &str = "dump.tmp";
pub const LOCK: &str = "lock";
pub const ASIDE: &str = "aside";
/// The default of the setting `dir`.
pub const DEFAULT_DIR: &str = "cppc-state";
/// No recovery line has a larger number, so that no name that somebody made up sends the numbers past their end.
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
    /// Directories in which a name may not be durable yet.
    unsynced: Arc<Mutex<Vec<PathBuf>>>,
}

impl Directory {
    /// Names the directory; touches nothing.
    pub fn new(storage: Arc<dyn Storage>, dir: &Path, application: &str, rank: u32) -> Directory {
        let application = dir.join(application);
        let own = application.join(rank_name(rank));
        // Somebody may have made what is there and been stopped before it was durable.
        let mut unsynced = vec![application.clone(), dir.to_owned()];
        unsynced.extend(dir.parent().filter(|above| !above.as_os_str().is_empty()).map(Path::to_owned));
        let unsynced = Arc::new(Mutex::new(unsynced));
        Directory { storage, root: dir.to_owned(), application, own, attempt: 0, unsynced }
    }

    /// The same directory, where this attempt writes a temporary file of its own.
    pub fn of_attempt(self, attempt: u64) -> Directory {
        Directory { attempt, ..self }
    }

    /// The same directory, without anything that a thread of this process shares: a child of `fork` has no other thread.
    pub fn unshared(&self) -> Directory {
        let unsynced = vec![self.application.clone(), self.root.clone()];
        Directory { unsynced: Arc::new(Mutex::new(unsynced)), ..self.clone() }
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

    /// A file of this process that becomes the lock.
    pub fn lock_own(&self, process: u32) -> PathBuf {
        self.own.join(format!("{LOCK}-{:016x}-{process}.tmp", self.attempt))
    }

    /// Who has this file may replace the lock whose content has this hash.
    pub fn lock_claim(&self, hash: u64) -> PathBuf {
        self.own.join(format!("{LOCK}-over-{hash:016x}"))
    }

    /// What processes have left that were killed while they locked.
    pub fn lock_remains(&self) -> Vec<PathBuf> {
        let names = self.names(&self.own).unwrap_or_default();
        let is_remains = |name: &str| name.starts_with("lock-") && (name.ends_with(".tmp") || name.starts_with("lock-over-"));
        names.iter().filter(|(name, _)| is_remains(name)).map(|(name, _)| self.own.join(name)).collect()
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

    /// What could not be said on standard error.
    pub fn messages(&self) -> PathBuf {
        self.own.join("messages")
    }

    /// The mark that says that the program ended with status 0 and without `CPPC_Shutdown`.
    pub fn ended(&self, run: u64) -> PathBuf {
        self.own.join(format!("ended-{run:016x}"))
    }

    /// The mark that says that a line of a run was once complete on every process.
    pub fn complete(&self, run: u64) -> PathBuf {
        self.own.join(format!("complete-{run:016x}"))
    }

    /// Which files were opened since the newest line.
    pub fn openings(&self) -> PathBuf {
        self.own.join("openings")
    }

    /// Makes the directory and what leads to it, durably. Other processes may be at it too.
    pub fn make(&self) -> io::Result<()> {
        self.make_durably(&self.own)
    }

    /// Makes the directory for what is set aside, durably.
    pub fn make_aside(&self) -> io::Result<()> {
        self.make_durably(&self.aside())
    }

    fn make_durably(&self, path: &Path) -> io::Result<()> {
        self.check_links(path)?;
        let mut made = Vec::new();
        let result = self.make_all(path, &mut made).and_then(|()| self.sync_made());
        if result.is_err() {
            // A directory whose sync has failed once cannot be trusted after another sync: it is made anew next time.
            // One in which somebody has put something by now stays.
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
            // Another process was faster, or it is a link to a directory.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.check_links(path)?,
            Err(error) => return Err(error),
            Ok(()) => list.push(path.to_owned()),
        }
        self.unsynced().extend(parent.map(Path::to_owned));
        Ok(())
    }

    /// Fails when what is done here would be done elsewhere.
    pub fn check(&self) -> io::Result<()> {
        self.check_links(&self.own)
    }

    /// Fails when one of our directories on this path is a symbolic link: what is done in it would be done
    /// elsewhere. The setting `dir` itself may be one.
    fn check_links(&self, path: &Path) -> io::Result<()> {
        let ours = path.ancestors().take_while(|above| above.starts_with(&self.application));
        for directory in ours {
            if self.kind(directory)? == Some(EntryKind::Other) {
                let message = format!("`{}` is no directory, and links are not followed there", directory.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        }
        Ok(())
    }

    /// What stands at the path; none where nothing does.
    fn kind(&self, path: &Path) -> io::Result<Option<EntryKind>> {
        match self.storage.entry(path) {
            // What stands above it is no directory: the operation that needs one says so.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            other => other.map(|entry| Some(entry.kind)),
        }
    }

    /// Whether the directory is there.
    pub fn exists(&self) -> io::Result<bool> {
        Ok(self.kind(&self.own)?.is_some())
    }

    /// Whether an earlier start has left anything here. A lock, and messages that nobody could be told, say nothing of state.
    pub fn is_used(&self) -> io::Result<bool> {
        let names = self.names(&self.own)?;
        let is_trace = |name: &str| !name.starts_with("lock") && self.own.join(name) != self.messages();
        Ok(self.exists()? && (names.is_empty() || names.iter().any(|(name, _)| is_trace(name))))
    }

    /// Makes durable what a new start depends on: these files, and the names that lead to them. Who wrote them may have
    /// been stopped before that.
    pub fn secure(&self, files: &[PathBuf]) -> io::Result<()> {
        for path in files {
            nothing_to_sync(self.storage.open_for_reading(path)?.sync())?;
        }
        nothing_to_sync(self.sync())?;
        nothing_to_sync(self.sync_made())
    }

    /// The readable names in one of our directories; one that is not there has none.
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
        let mut lines: Vec<_> = names.iter().filter_map(|(name, kind)| Some((parse_line(name)?, *kind))).collect();
        lines.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        Ok(lines)
    }

    fn marked(&self, parse: fn(&str) -> Option<u64>) -> io::Result<Vec<u64>> {
        let names = self.names(&self.own)?;
        let mut runs: Vec<u64> = names.iter().filter_map(|(name, _)| parse(name)).collect();
        runs.sort_unstable_by(|a, b| b.cmp(a));
        Ok(runs)
    }

    /// Syncs what is not known to be durable; what could not be synced is tried again next time.
    fn sync_made(&self) -> io::Result<()> {
        let unsynced = std::mem::take(&mut *self.unsynced());
        let mut first_error = None;
        for path in unsynced {
            let Err(error) = self.storage.sync_dir(&path) else { continue };
            // A directory above ours that we may enter but not open is no reason to write nothing.
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

    /// The numbers of the published lines, newest first; none when there is no directory.
    pub fn lines(&self) -> io::Result<Vec<u64>> {
        Ok(files_of(self.lines_in(&self.own)?))
    }

    /// All that has the name of a line, newest first, and what it is.
    pub fn line_names(&self) -> io::Result<Vec<(u64, EntryKind)>> {
        self.lines_in(&self.own)
    }

    /// The numbers of the lines that were set aside, newest first.
    pub fn lines_aside(&self) -> io::Result<Vec<u64>> {
        Ok(files_of(self.lines_in(&self.aside())?))
    }

    /// The largest number that anything has here or aside.
    pub fn largest_number(&self) -> io::Result<u64> {
        let names = [self.lines_in(&self.own)?, self.lines_in(&self.aside())?];
        Ok(names.iter().flatten().map(|(number, _)| *number).max().unwrap_or(0))
    }

    /// The runs that are marked as finished, largest identity first.
    pub fn finished_runs(&self) -> io::Result<Vec<u64>> {
        self.marked(parse_finished)
    }

    /// The runs whose program ended without `CPPC_Shutdown`, largest identity first.
    pub fn ended_runs(&self) -> io::Result<Vec<u64>> {
        self.marked(parse_ended)
    }

    /// The runs that have come as far as a complete line, largest identity first.
    pub fn complete_runs(&self) -> io::Result<Vec<u64>> {
        self.marked(parse_complete)
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

fn files_of(lines: Vec<(u64, EntryKind)>) -> Vec<u64> {
    lines.into_iter().filter(|(_, kind)| *kind == EntryKind::File).map(|(number, _)| number).collect()
}

/// A file that knows no sync has nothing that could be lost.
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

/// The number of the line that a file of this name belongs to.
pub fn parse_line(name: &str) -> Option<u64> {
    let number = name.strip_prefix("line-")?.strip_suffix(".cppc")?.parse().ok()?;
    ((1..=LARGEST_LINE).contains(&number) && line_name(number) == name).then_some(number)
}

/// Whether a file of this name is one that an attempt writes before it publishes it.
pub fn is_temporary(name: &str) -> bool {
    let attempt = name.strip_prefix("dump-").and_then(|rest| rest.strip_suffix(".tmp"));
    name == TEMPORARY || attempt.is_some_and(|digits| run_of(digits).is_some())
}

/// The run that a mark of this name says is finished.
pub fn parse_finished(name: &str) -> Option<u64> {
    run_of(name.strip_prefix("finished-")?)
}

/// The run whose program ended without `CPPC_Shutdown`, as a mark of this name says.
pub fn parse_ended(name: &str) -> Option<u64> {
    run_of(name.strip_prefix("ended-")?)
}

/// The run that a mark of this name says has had a complete line.
pub fn parse_complete(name: &str) -> Option<u64> {
    run_of(name.strip_prefix("complete-")?)
}

fn run_of(digits: &str) -> Option<u64> {
    let run = u64::from_str_radix(digits, 16).ok()?;
    (format!("{run:016x}") == digits).then_some(run)
}
