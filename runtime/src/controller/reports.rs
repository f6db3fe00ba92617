//! Reports about dumps for the user.
//!
//! Input: events, some of them from the writing thread.
//! Output: messages.
//! Postcondition: a failure that lasts is reported once, and its end is reported too.

use super::messages::Messages;
use crate::lock::NotHeld;
use crate::settings::Log;
use crate::write::{DumpError, Event, Listener};
use std::sync::{Arc, Mutex, PoisonError};

/// Returns a listener that reports events to the user.
pub fn reporter(messages: Arc<Messages>) -> Listener {
    let lasting = Mutex::new((None, None));
    Arc::new(move |event| {
        let mut lasting = lasting.lock().unwrap_or_else(PoisonError::into_inner);
        let (failing, not_mirrored) = &mut *lasting;
        report(&messages, &event, failing, not_mirrored);
    })
}

/// `failing` is the cause of the latest failure, as long as nothing was written since. `not_mirrored` is the same for
/// copies.
fn report(
    messages: &Messages,
    event: &Event,
    failing: &mut Option<String>,
    not_mirrored: &mut Option<String>,
) {
    match event {
        Event::Published { number, path, size_bytes, bases, took, recycled } => {
            if failing.take().is_some() {
                messages.failure(&format!("state files are written again, from recovery line {number} on"));
            }
            messages.debug(&format!(
                "wrote `{}` for recovery line {number}: {size_bytes} bytes in {} ms{}{}",
                path.display(),
                took.as_millis(),
                if *recycled { ", over a retired file" } else { "" },
                upon(bases)
            ));
        }
        Event::Failed { number, error: DumpError::NotHeld(NotHeld::Lost(lost)) } => {
            messages.failure(&format!("recovery line {number} was not written: {lost}"));
        }
        Event::Failed { number, error } => {
            let cause = error.cause();
            let message = format!("recovery line {number} was not written: {error}");
            if failing.as_ref() == Some(&cause) {
                messages.debug(&message);
            } else {
                messages.failure(&format!(
                    "{message}; the run continues with the recovery lines that there are, and this is not reported again while it lasts"
                ));
            }
            *failing = Some(cause);
        }
        Event::Complete { number } => messages.info(&format!("recovery line {number} is complete")),
        Event::Retired { number } => messages.debug(&format!("recovery line {number} is retired")),
        Event::NotRetired { error } => {
            if messages.log >= Log::Info {
                messages.failure(&format!("an old state file could not be removed: {error}"));
            }
        }
        Event::MadeRoom { aside, lines } => messages.failure(&format!("there is no room for a state file: {}", removed(*aside, lines))),
        Event::Waits { reason } => messages.failure(&format!(
            "the program waits while state files are written, because the system provides no thread with its own descriptor table: {reason}"
        )),
        Event::Mirrored { number } => {
            if not_mirrored.take().is_some() {
                messages.failure(&format!("recovery lines are copied to the mirror again, from line {number} on"));
            }
            messages.debug(&format!("recovery line {number} is in the mirror"));
        }
        Event::NotMirrored { number, error } => {
            let cause = error.cause();
            let message = format!("warning: recovery line {number} was not copied to the mirror: {error}");
            if not_mirrored.as_ref() == Some(&cause) {
                messages.debug(&message);
            } else {
                messages.failure(&format!("{message}; the run continues without this copy, and this is not reported again while it lasts"));
            }
            *not_mirrored = Some(cause);
        }
        Event::NotEnded { error } => messages.failure(&format!(
            "the run has ended, but the next start may resume it: {error}: remove the state files, or set `restart` to `never` for the next run"
        )),
    }
}

fn removed(aside: usize, lines: &[u64]) -> String {
    let (count, which) = match aside {
        0 => (lines.len(), "older than those to be kept"),
        aside => (aside, "that had been set aside"),
    };
    format!("removed {count} {} {which}", if count == 1 { "file" } else { "files" })
}

/// The base files of a state file, as text.
fn upon(bases: &[u64]) -> String {
    match bases {
        [] => String::new(),
        [line] => format!(", with the rest in the file of line {line}"),
        [first, .., last] => format!(", with the rest in {} files of lines {first} to {last}", bases.len()),
    }
}
