//! How an attempt ended.
//!
//! Input: the status of the process that was started.
//! Output: a description, and the exit status for the caller of `cppc run`.
//! Postcondition: a signal has the exit status that a shell reports for it.

use cppc_abi::exit_statuses::ExitStatus;
use rustix::process::WaitStatus;
use signal_hook::consts::{SIGHUP, SIGKILL, SIGTERM};
use signal_hook::low_level::signal_name;
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Exited(u8),
    Signalled(i32),
    /// It made no progress, and was ended.
    Stalled,
    /// It was ended because of the time limit of the job.
    OutOfTime,
    /// The exit status is 0, but the run is not finished: a launcher may not report that the program failed.
    Unfinished,
}

/// A shell and most launchers report a signal as this number plus that of the signal.
const SIGNAL_BASE: i32 = 128;

impl Ending {
    pub fn of(status: WaitStatus) -> Ending {
        match (status.exit_status(), status.terminating_signal()) {
            (_, Some(signal)) => Ending::Signalled(signal),
            (status, None) => {
                Ending::Exited(status.and_then(|status| u8::try_from(status).ok()).unwrap_or(u8::MAX))
            }
        }
    }

    pub fn is_success(self) -> bool {
        self == Ending::Exited(0)
    }

    /// Whether the program has ended after a checkpoint because it was asked to.
    pub fn is_suspended(self) -> bool {
        self == Ending::Exited(ExitStatus::Suspended as u8)
    }

    pub fn status(self) -> u8 {
        match self {
            Ending::Exited(status) => status,
            Ending::Signalled(signal) => of_signal(signal),
            Ending::Stalled => of_signal(SIGKILL),
            Ending::OutOfTime => of_signal(SIGTERM),
            Ending::Unfinished => ExitStatus::Fault as u8,
        }
    }

    /// Whether such an end is usually caused from outside of the program. MPICH reports a signal as its number.
    pub fn is_external(self) -> bool {
        let kills = [SIGKILL, SIGTERM, SIGHUP];
        match self {
            Ending::Exited(status) => {
                kills.contains(&i32::from(status)) || kills.contains(&(i32::from(status) - SIGNAL_BASE))
            }
            Ending::Signalled(signal) => kills.contains(&signal),
            Ending::Stalled | Ending::OutOfTime => true,
            Ending::Unfinished => false,
        }
    }
}

/// The exit status of a program that a signal has ended.
pub fn of_signal(signal: i32) -> u8 {
    u8::try_from(SIGNAL_BASE + signal).unwrap_or(u8::MAX)
}

impl fmt::Display for Ending {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ending::Exited(status) => write!(text, "ended with exit status {status}"),
            Ending::Signalled(signal) => write!(text, "was ended by {}", name(*signal)),
            Ending::Stalled => write!(text, "made no progress and was ended"),
            Ending::OutOfTime => write!(text, "was ended because of the time limit"),
            Ending::Unfinished => write!(text, "ended with exit status 0, but its run is not finished"),
        }
    }
}

/// The name of a signal, or its number.
pub fn name(signal: i32) -> String {
    signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_owned)
}
