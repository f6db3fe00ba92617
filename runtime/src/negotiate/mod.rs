//! Finds the recovery line that all processes can resume from.
//!
//! In: the rank's directory, what the program expects of its files, and the other processes. Out:
//! the run's identity, the number of its next line, and the verified state to resume from, if any.
//! Holds afterwards: all processes have taken part in the same collectives and hold state of the
//! same run and the same line, or none of them does; what is newer than that line has been set
//! aside, durably, on every process.

pub mod alone;
mod aside;
mod candidates;
pub mod communicator;
mod common;
#[cfg(test)]
mod simulation;
pub mod together;

pub use alone::Alone;
pub use common::first_text;
pub use communicator::Communicator;
pub use together::Together;

use crate::settings::Restart;
use crate::storage::directory::{Directory, LARGEST_LINE};
use crate::verify::{Expectation, StateFile, Verified, VerifyError};
use aside::{set_aside, unmark_complete, unmark_finished, Earlier};
use candidates::Files;
use common::{common_line, largest_in_common, together, Line, Refused};
use std::io;
use std::path::PathBuf;

/// What all processes agree on at the start.
#[derive(Debug)]
pub struct Agreement {
    /// The run's identity: that of the resumed run, or a new one.
    pub run: u64,
    /// The number of the next recovery line; no file of this number was ever here.
    pub next_number: u64,
    /// The state to resume from; none on all processes when the run starts afresh.
    pub resume: Option<Verified<StateFile>>,
    /// What this process found on the way, for the user: files that were passed over and why,
    /// files that were set aside.
    pub notes: Vec<String>,
}

/// Why the run must not start. Every process gets one when one does.
#[derive(Debug, thiserror::Error)]
pub enum AgreeError {
    #[error("there is no recovery line to resume from, and `restart` is `always`: set it to `auto` or `never` to start afresh{}", remarks(.notes))]
    NothingToResume { notes: Vec<String> },
    #[error(transparent)]
    Refused(VerifyError),
    #[error("cannot read the state directory `{}`: {source}: start again when the cause is gone", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// The line is whole, and must not be gone on from.
    #[error("{0}")]
    Objection(String),
    #[error("cannot make recovery line {line} durable before the run goes on from it, in `{}`: {source}", .path.display())]
    NotDurable { line: u64, path: PathBuf, source: io::Error },
    #[error("cannot remove the mark of the finished run that is resumed, in `{}`: {source}", .path.display())]
    Marked { path: PathBuf, source: io::Error },
    #[error("the state directory has something with the number {number} of a recovery line, and there is no larger one: remove it if it is not a state file, or set `dir` to another directory")]
    NoNumberLeft { number: u64 },
    #[error("recovery line {line} is intact on process {holder}, and {}: bring the missing files back (is the directory mounted?), or set `restart` to `never` to give the line up and start from the beginning", without(.lacking, .place))]
    Incomplete { line: u64, holder: u32, lacking: Option<u32>, place: String },
    /// What the first process that cannot go on has to say.
    #[error("{reason} (said by rank {rank})")]
    Elsewhere { rank: u32, reason: String },
}

fn without(lacking: &Option<u32>, place: &str) -> String {
    match lacking {
        Some(rank) => format!("process {rank} has no recovery line of this run that can be read in `{place}`"),
        None => "no recovery line is there on all processes".to_owned(),
    }
}

fn remarks(notes: &[String]) -> String {
    notes.iter().map(|note| format!("; {note}")).collect()
}

/// Agrees with the other processes on where to start. Every process calls this, also one that has
/// no files. `fresh_run` is this process's proposal for the identity of a new run, not 0.
pub fn agree(
    communicator: &dyn Communicator,
    directory: &Directory,
    expectation: &Expectation,
    restart: Restart,
    fresh_run: u64,
) -> Result<Agreement, AgreeError> {
    agree_unless(communicator, directory, expectation, restart, fresh_run, |_| None)
}

/// The same, unless some process has an objection to going on from the line that was found. Nothing has been moved or
/// removed by then. `objection` is asked on every process that has such a line, and that is all of them or none.
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
    // The runs that are marked in the directory of any process.
    let finished = all_well(communicator, directory.finished_runs().map_err(unreadable))?;
    let finished = largest_in_common(communicator, &finished);
    let mut files = Files::new(directory, expectation);
    if restart == Restart::Auto {
        // `always` goes on with a run even from before its end.
        files.pass_over(finished.iter().copied());
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
        notes.extend(files.why_afresh());
    }
    let objected = files.loaded().and_then(|file| objection(file));
    if communicator.max_u64(objected.is_some().into()) == 1 {
        return Err(refusal(communicator, objected.map(AgreeError::Objection)));
    }
    let newest = all_well(communicator, directory.largest_number().map_err(unreadable))?;
    let newest = communicator.max_u64(newest.max(line.map_or(0, |line| line.number)));
    if newest >= LARGEST_LINE {
        return Err(AgreeError::NoNumberLeft { number: newest });
    }
    let new_run = communicator.max_u64(fresh_run);
    let resume = files.take_loaded();
    if let (Some(line), Some(state)) = (line, &resume) {
        all_well(communicator, secure(directory, line.number, state))?;
    }
    put_away(communicator, directory, line, &mut notes)?;
    Ok(Agreement { run: line.map_or(new_run, |line| line.run), next_number: newest + 1, resume, notes })
}

/// Makes durable what the run goes on from, on this process.
fn secure(directory: &Directory, line: u64, state: &StateFile) -> Result<(), AgreeError> {
    let mut files: Vec<PathBuf> = state.bases().iter().map(|&base| directory.line(base)).collect();
    files.push(state.path().to_owned());
    let path = directory.path();
    directory.secure(&files).map_err(|source| AgreeError::NotDurable { line, path: path.to_owned(), source })
}

/// Puts away what could be mixed up with what the run will write, and the marks that are true no longer.
fn put_away(communicator: &dyn Communicator, directory: &Directory, line: Option<Line>, notes: &mut Vec<String>) -> Result<(), AgreeError> {
    let agreed = line.map_or(0, |line| line.number);
    let shown = directory.path().display();
    let mut earlier = Earlier::Enough;
    if line.is_none() {
        if directory.complete_runs().is_ok_and(|runs| !runs.is_empty()) {
            earlier = Earlier::Kept;
        }
        // Stopped from here on, the next start does not insist on lines that this one has given up.
        if let Err(error) = unmark_complete(directory) {
            notes.push(format!("cannot remove the marks of complete runs in `{shown}`: {error}"));
        }
        communicator.barrier();
    }
    let done = set_aside(directory, agreed, earlier);
    if let Err(error) = &done {
        notes.push(format!("cannot set aside the state files in `{shown}` that are newer than recovery line {agreed}: {error}"));
    }
    // No process makes a new line, or removes a mark, before all have put away what could be mixed up with it.
    let all_done = communicator.min_u64(done.is_ok().into()) == 1;
    let Some(line) = line else {
        if let Err(error) = if all_done { unmark_finished(directory, None) } else { Ok(()) } {
            notes.push(format!("cannot remove the marks of finished runs in `{shown}`: {error}"));
        }
        return Ok(());
    };
    // While the mark is there, later lines are passed over as those of a finished run.
    let marked = |source| AgreeError::Marked { path: directory.path().to_owned(), source };
    all_well(communicator, unmark_finished(directory, Some(line.run)).map_err(marked))
}

/// Stops rather than start from the beginning over intact lines of a run that has had a complete one: most likely a
/// directory is not there that will be there again.
fn not_over_intact_lines(communicator: &dyn Communicator, directory: &Directory, files: &mut Files, finished: &[u64]) -> Result<(), AgreeError> {
    let unreadable = |source| AgreeError::Unreadable { path: directory.path().to_owned(), source };
    let marked = all_well(communicator, directory.complete_runs().map_err(unreadable))?;
    let mut marked = largest_in_common(communicator, &marked);
    marked.retain(|run| !finished.contains(run));
    if marked.is_empty() {
        return Ok(());
    }
    let here = match together(communicator, files.newest_intact(&marked)) {
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
    files: &mut Files,
    restart: Restart,
) -> Result<Option<Line>, Refused> {
    if restart == Restart::Never {
        return Ok(None);
    }
    let line = common_line(communicator, files)?;
    if line.is_none() {
        together(communicator, files.may_start_afresh())?;
    }
    Ok(line)
}

/// Every process learns the reason of the first one that has one: it may be the one that speaks.
fn refusal(communicator: &dyn Communicator, here: Option<AgreeError>) -> AgreeError {
    let text = here.as_ref().map(AgreeError::to_string);
    let (rank, reason) = first_text(communicator, text.as_deref());
    here.unwrap_or(AgreeError::Elsewhere { rank, reason })
}

/// The value of this process, when no process has an error; all have one when one does.
fn all_well<T>(communicator: &dyn Communicator, here: Result<T, AgreeError>) -> Result<T, AgreeError> {
    match communicator.max_u64(here.is_err().into()) {
        0 => here,
        _ => Err(refusal(communicator, here.err())),
    }
}
