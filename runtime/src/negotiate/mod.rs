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
pub mod together;

pub use alone::Alone;
pub use common::first_text;
pub use communicator::Communicator;
pub use together::Together;

use crate::settings::Restart;
use crate::storage::Directory;
use crate::verify::{Expectation, StateFile, Verified, VerifyError};
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
    #[error("cannot read the state directory `{}`: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// The line is whole, and must not be gone on from.
    #[error("{0}")]
    Objection(String),
    /// What the first process that cannot go on has to say.
    #[error("{reason} (said by rank {rank})")]
    Elsewhere { rank: u32, reason: String },
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
    let finished = finished_runs(communicator, directory);
    let mut files = Files::new(directory, expectation);
    if restart == Restart::Auto {
        // `always` goes on with a run even from before its end.
        files.pass_over(finished.iter().copied());
    }
    let line = match find(communicator, &mut files, restart) {
        Ok(line) => line,
        Err(Refused) => return Err(refusal(communicator, files.refusal())),
    };
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
    let newest = aside::newest_number(directory);
    let next_number = communicator.max_u64(newest.max(line.map_or(0, |line| line.number))) + 1;
    let new_run = communicator.max_u64(fresh_run);

    aside::set_aside(directory, line.map_or(0, |line| line.number), &mut notes);
    // No process makes a new line before all have put away what could be mixed up with it.
    communicator.barrier();
    aside::unmark(directory, &mut notes);
    Ok(Agreement {
        run: line.map_or(new_run, |line| line.run),
        next_number,
        resume: files.take_loaded(),
        notes,
    })
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

/// The runs that are marked as finished in the directory of any process.
fn finished_runs(communicator: &dyn Communicator, directory: &Directory) -> Vec<u64> {
    let here = directory.finished_runs().unwrap_or_default();
    largest_in_common(communicator, &here)
}
