//! One line about the run on a terminal.
//!
//! Input: the newest recovery line, and the number of restarts.
//! Output: a line on standard error that is written again each second.
//! Postcondition: nothing is shown unless standard error is a terminal and standard output is not, because the
//! output of the program would be written into the line.

use super::watch::Line;
use crate::display::size;
use cppc_runtime::settings::duration::shown;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::{Duration, SystemTime};

#[derive(Debug)]
pub struct StatusLine {
    bar: ProgressBar,
    /// The last lines that were seen, with their times.
    seen: VecDeque<(u64, SystemTime)>,
}

const AVERAGED: usize = 8;

impl StatusLine {
    pub fn new() -> StatusLine {
        let bar = match std::io::stderr().is_terminal() && !std::io::stdout().is_terminal() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("cppc run: {wide_msg}") {
            bar.set_style(style);
        }
        StatusLine { bar, seen: VecDeque::new() }
    }

    pub fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    pub fn update(&mut self, newest: Option<&Line>, restarts: u32) {
        if !self.is_shown() {
            return;
        }
        if let Some((number, time)) = newest.and_then(|line| Some((line.reached.number, line.written?))) {
            if self.seen.back().is_none_or(|(last, _)| *last != number) {
                self.seen.push_back((number, time));
            }
            if self.seen.len() > AVERAGED {
                self.seen.pop_front();
            }
        }
        let seen = self.seen.make_contiguous();
        self.bar.set_message(text(newest, seen, restarts, SystemTime::now()));
        self.bar.tick();
    }

    /// Removes the line before a message.
    pub fn clear(&self) {
        self.bar.set_message("");
        self.bar.finish_and_clear();
        self.bar.reset();
    }
}

fn text(newest: Option<&Line>, seen: &[(u64, SystemTime)], restarts: u32, now: SystemTime) -> String {
    let restarts = format!("{restarts} restart{}", if restarts == 1 { "" } else { "s" });
    let Some(line) = newest else { return format!("no checkpoint yet, {restarts}") };
    let age = line.written.and_then(|time| now.duration_since(time).ok()).unwrap_or_default();
    let rate = rate(seen).map_or(String::new(), |between| format!(", one every {}", shown(between)));
    format!(
        "recovery line {}, {} ago, {}{rate}, {restarts}",
        line.reached.number,
        shown(Duration::from_secs(age.as_secs())),
        size(line.size_bytes)
    )
}

/// The average time between two checkpoints. After a restart, numbers may be used again.
fn rate(seen: &[(u64, SystemTime)]) -> Option<Duration> {
    let ((first, start), (last, end)) = (seen.first()?, seen.last()?);
    let steps = u32::try_from(last.checked_sub(*first)?).ok().filter(|&steps| steps > 0)?;
    Some(end.duration_since(*start).ok()? / steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::policy::Reached;

    #[test]
    fn the_line_has_age_size_rate_and_restarts() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let before = |seconds| now - Duration::from_secs(seconds);
        let line = Line {
            application: "heat".to_owned(),
            reached: Reached { run: 1, number: 12 },
            size_bytes: 3 << 20,
            written: Some(before(30)),
            has_ended: false,
        };
        let seen = [(8, before(150)), (10, before(90)), (12, before(30))];
        assert_eq!(
            text(Some(&line), &seen, 2, now),
            "recovery line 12, 30 s ago, 3.0 MiB, one every 30 s, 2 restarts"
        );
        assert_eq!(text(None, &[], 1, now), "no checkpoint yet, 1 restart");
    }
}
