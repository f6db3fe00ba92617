//! Agrees on the recovery line from which all processes resume.
//!
//! Input: the directory of this process, what the program expects of its files, and the other processes.
//! Output: the number of the run, the number of its next line, and the verified state to resume from, if any.
//! Postcondition: all processes have taken part in the same collectives. Either all of them have state of the
//! same run and line, or none has. Files newer than that line have been set aside, durably, on every process.

pub mod communicator;
pub mod demand;
pub mod single;
mod aside;
mod common;
mod candidates;
mod repair;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod demand_simulation;
pub mod threaded;

pub use common::first_text;
pub use communicator::Communicator;
pub use single::SingleProcess;
pub use threaded::ThreadedProcess;

use crate::settings::Restart;
use crate::storage::directory::{Directory, LARGEST_LINE};
use crate::verify::{Expectation, StateFile, Verified, VerifyError};
use aside::{set_aside, unmark_complete, unmark_finished, Earlier};
use candidates::StateFiles;
use common::{all_or_refused, common_line, largest_in_common, Line, Refused};
use std::io;
use std::path::PathBuf;

/// The result of the agreement.
#[derive(Debug)]
pub struct Agreement {
    /// The number of the run: that of the resumed run, or a new one.
    pub run: u64,
    /// The number of the next recovery line. No file has ever had it.
    pub next_number: u64,
    /// The state to resume from; none on all processes in a fresh start.
    pub resume: Option<Verified<StateFile>>,
    /// Notes for the user: files that were skipped and why, and files that were set aside.
    pub notes: Vec<String>,
}

/// Why the run must not start. If one process has an error, every process gets one.
#[derive(Debug, thiserror::Error)]
pub enum AgreeError {
    #[error("there is no recovery line to resume from, and `restart` is `always`: set it to `auto` or `never` for a fresh start{}", remarks(.notes))]
    NothingToResume { notes: Vec<String> },
    #[error(transparent)]
    Refused(VerifyError),
    #[error("cannot read the state directory `{}`: {source}: start again when the cause is gone", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("cannot copy `{}` from the mirror to `{}`: {source}: start again when the cause is gone", .path.display(), .to.display())]
    NotCopied { path: PathBuf, to: PathBuf, source: io::Error },
    /// The line is intact, but must not be resumed.
    #[error("{0}")]
    Objection(String),
    #[error("cannot make recovery line {line} durable before the run resumes from it, in `{}`: {source}", .path.display())]
    NotDurable { line: u64, path: PathBuf, source: io::Error },
    #[error("cannot remove the marker file of the finished run that is resumed, in `{}`: {source}", .path.display())]
    Marked { path: PathBuf, source: io::Error },
    #[error("the state directory contains an entry with {number} as the number of its recovery line, which is the largest possible number: remove the entry if it is not a state file, or set `dir` to another directory")]
    NoNumberLeft { number: u64 },
    #[error("recovery line {line} is intact on process {holder}, and {}: bring the missing files back (is the directory mounted?), or set `restart` to `never` to abandon the line and start from the beginning", without(.lacking, .place))]
    Incomplete { line: u64, holder: u32, lacking: Option<u32>, place: String },
    /// The reason of the first process that cannot continue.
    #[error("{reason} (reported by rank {rank})")]
    Elsewhere { rank: u32, reason: String },
}

fn without(lacking: &Option<u32>, place: &str) -> String {
    match lacking {
        Some(rank) => {
            format!("process {rank} has no recovery line of this run that can be read in `{place}`")
        }
        None => "no recovery line exists on all processes".to_owned(),
    }
}

fn remarks(notes: &[String]) -> String {
    notes.iter().map(|note| format!("; {note}")).collect()
}

/// Agrees with the other processes on the line to resume from. Every process must call this, even without
/// files. `fresh_run` is this process's proposal for the number of a new run; it must not be 0.
pub fn agree(
    communicator: &dyn Communicator,
    directory: &Directory,
    expectation: &Expectation,
    restart: Restart,
    fresh_run: u64,
) -> Result<Agreement, AgreeError> {
    agree_unless(communicator, directory, expectation, restart, fresh_run, |_| None)
}

/// The same, unless a process has an objection to resuming from the line that was found. If so, nothing has
/// been moved or removed. `objection` is called on every process that has such a line. These are all
/// processes or none.
pub fn agree_unless(
    communicator: &dyn Communicator,
    directory: &Directory,
    expectation: &Expectation,
    restart: Restart,
    fresh_run: u64,
    objection: impl FnOnce(&StateFile) -> Option<String>,
) -> Result<Agreement, AgreeError> {
    let mut notes = Vec::new();
    let unreadable = |source| AgreeError::Unreadable { path: directory.path().to_owned(), source };
    // The runs that have a marker file in the directory of any process.
    let finished = on_all(communicator, runs_in_both(directory, Directory::finished_runs))?;
    let finished = largest_in_common(communicator, &finished);
    let mut files = StateFiles::new(directory, expectation);
    if restart == Restart::Auto {
        // With `always`, even a finished run is resumed.
        files.skip_runs(finished.iter().copied());
    }
    let line = match find(communicator, &mut files, restart) {
        Ok(line) => line,
        Err(Refused) => return Err(refusal(communicator, files.refusal())),
    };
    if line.is_none() && restart == Restart::Auto {
        not_over_intact_lines(communicator, directory, &mut files, &finished)?;
    }
    notes.extend(files.take_notes());
    if line.is_none() && restart == Restart::Always {
        return Err(AgreeError::NothingToResume { notes });
    }
    if line.is_none() && restart == Restart::Auto {
        notes.extend(files.fresh_start_note());
    }
    let objected = files.loaded().and_then(objection);
    if communicator.max_u64(objected.is_some().into()) == 1 {
        return Err(refusal(communicator, objected.map(AgreeError::Objection)));
    }
    let mut largest = directory.and_mirror().map(Directory::largest_number);
    let largest = largest.try_fold(0, |largest, number| io::Result::Ok(number?.max(largest)));
    let newest = on_all(communicator, largest.map_err(unreadable))?;
    let newest = communicator.max_u64(newest.max(line.map_or(0, |line| line.number)));
    if newest >= LARGEST_LINE {
        return Err(AgreeError::NoNumberLeft { number: newest });
    }
    let new_run = communicator.max_u64(fresh_run);
    let resume = files.take_loaded();
    if let (Some(line), Some(state)) = (line, &resume) {
        on_all(communicator, secure(directory, line.number, state))?;
    }
    set_aside_newer(communicator, directory, line, &mut notes)?;
    Ok(Agreement { run: line.map_or(new_run, |line| line.run), next_number: newest + 1, resume, notes })
}

/// The runs with a marker file in the directory or in its mirror, largest number first.
fn runs_in_both(
    directory: &Directory,
    list: fn(&Directory) -> io::Result<Vec<u64>>,
) -> Result<Vec<u64>, AgreeError> {
    let mut runs = Vec::new();
    for directory in directory.and_mirror() {
        let unreadable = |source| AgreeError::Unreadable { path: directory.path().to_owned(), source };
        runs.extend(list(directory).map_err(unreadable)?);
    }
    runs.sort_unstable_by(|a, b| b.cmp(a));
    runs.dedup();
    Ok(runs)
}

/// Makes the files durable from which the run resumes, on this process.
fn secure(directory: &Directory, line: u64, state: &StateFile) -> Result<(), AgreeError> {
    let mut files: Vec<PathBuf> = state.bases().iter().map(|&base| directory.line(base)).collect();
    files.push(state.path().to_owned());
    let path = directory.path();
    directory.secure(&files).map_err(|source| AgreeError::NotDurable { line, path: path.to_owned(), source })
}

/// Sets aside the files that could be confused with those that the run will write, and removes marker files
/// that are no longer true.
fn set_aside_newer(
    communicator: &dyn Communicator,
    directory: &Directory,
    line: Option<Line>,
    notes: &mut Vec<String>,
) -> Result<(), AgreeError> {
    let agreed = line.map_or(0, |line| line.number);
    let shown = directory.path().display();
    let mut earlier = Earlier::Enough;
    if line.is_none() {
        if runs_in_both(directory, Directory::complete_runs).is_ok_and(|runs| !runs.is_empty()) {
            earlier = Earlier::Kept;
        }
        // If this start is stopped from here on, the next start does not require the lines that this one has
        // abandoned.
        if let Err(error) = unmark_complete(directory) {
            notes.push(format!("cannot remove the marker files of complete runs in `{shown}`: {error}"));
        }
        communicator.barrier();
    }
    let done = set_aside(directory, agreed, earlier);
    if let Err(error) = &done {
        notes.push(format!("cannot set aside the state files in `{shown}` that are newer than recovery line {agreed}: {error}"));
    }
    // No process writes a new line or removes a marker file before all processes have set aside their newer
    // files.
    let all_done = communicator.min_u64(done.is_ok().into()) == 1;
    let Some(line) = line else {
        if let Err(error) = if all_done { unmark_finished(directory, None) } else { Ok(()) } {
            notes.push(format!("cannot remove the marker files of finished runs in `{shown}`: {error}"));
        }
        return Ok(());
    };
    // As long as the marker file exists, later lines are skipped as lines of a finished run.
    let marked = |source| AgreeError::Marked { path: directory.path().to_owned(), source };
    on_all(communicator, unmark_finished(directory, Some(line.run)).map_err(marked))
}

/// Stops instead of making a fresh start if there are intact lines of a run that has had a complete one.
/// Probably a directory is temporarily missing.
fn not_over_intact_lines(
    communicator: &dyn Communicator,
    directory: &Directory,
    files: &mut StateFiles,
    finished: &[u64],
) -> Result<(), AgreeError> {
    let marked = on_all(communicator, runs_in_both(directory, Directory::complete_runs))?;
    let mut marked = largest_in_common(communicator, &marked);
    marked.retain(|run| !finished.contains(run));
    if marked.is_empty() {
        return Ok(());
    }
    let here = match all_or_refused(communicator, files.newest_intact(&marked)) {
        Ok(here) => here,
        Err(Refused) => return Err(refusal(communicator, files.take_refusal())),
    };
    let line = communicator.max_u64(here.unwrap_or(0));
    if line == 0 {
        return Ok(());
    }
    let rank = u64::from(communicator.rank());
    let holder = communicator.min_u64(if here == Some(line) { rank } else { u64::MAX }) as u32;
    let place = directory.path().display().to_string();
    let (lacking, place) = first_text(communicator, here.is_none().then_some(&*place));
    let lacking = (!place.is_empty()).then_some(lacking);
    Err(AgreeError::Incomplete { line, holder, lacking, place })
}

fn find(
    communicator: &dyn Communicator,
    files: &mut StateFiles,
    restart: Restart,
) -> Result<Option<Line>, Refused> {
    if restart == Restart::Never {
        return Ok(None);
    }
    let line = common_line(communicator, files)?;
    if line.is_none() {
        all_or_refused(communicator, files.may_start_fresh())?;
    }
    Ok(line)
}

/// Every process gets the reason of the first one that has one, because it may be the process that reports
/// it.
fn refusal(communicator: &dyn Communicator, here: Option<AgreeError>) -> AgreeError {
    let text = here.as_ref().map(AgreeError::to_string);
    let (rank, reason) = first_text(communicator, text.as_deref());
    here.unwrap_or(AgreeError::Elsewhere { rank, reason })
}

/// The value of this process if no process has an error. Otherwise all processes get an error.
fn on_all<T>(communicator: &dyn Communicator, here: Result<T, AgreeError>) -> Result<T, AgreeError> {
    match communicator.max_u64(here.is_err().into()) {
        0 => here,
        _ => Err(refusal(communicator, here.err())),
    }
}
