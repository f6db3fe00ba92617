//! Signals to this process.
//!
//! Input: nothing.
//! Output: the signals that arrive, one after the other.
//! Postcondition: signals that the caller ignores (`nohup`) stay ignored.

use anyhow::{Context, Result};
use signal_hook::consts::{SIGCHLD, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;
use std::sync::mpsc::Sender;

/// What a signal means for the supervisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A child has ended.
    Child,
    /// This process was stopped and continues.
    Continue,
    /// The user ends the run.
    Stop,
    /// Only the program knows.
    Other,
}

pub fn meaning(signal: i32) -> Meaning {
    match signal {
        SIGCHLD => Meaning::Child,
        SIGCONT => Meaning::Continue,
        SIGINT | SIGTERM | SIGHUP | SIGQUIT => Meaning::Stop,
        _ => Meaning::Other,
    }
}

/// Whether the terminal sends this signal to all processes in the foreground.
pub fn comes_from_keyboard(signal: i32) -> bool {
    matches!(signal, SIGINT | SIGQUIT)
}

/// Sends each signal that arrives, in the form that the receiver needs.
pub fn receive<T: Send + 'static>(sender: Sender<T>, form: fn(i32) -> T) -> Result<()> {
    let ignored = ignored();
    let wanted = [SIGCHLD, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2];
    let wanted = wanted.into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0 || *signal == SIGCHLD);
    let mut signals = Signals::new(wanted).context("signals cannot be received")?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if sender.send(form(signal)).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// The signals that were ignored at the start, as a mask.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
