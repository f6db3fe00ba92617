//! The progress of long work.
//!
//! Input: the number of bytes done, and the total.
//! Output: a bar on standard error.
//! Postcondition: nothing is shown unless standard error is a terminal and the work takes a second, and nothing of
//! it remains.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::time::{Duration, Instant};

const TEMPLATE: &str =
    "{msg:26!} [{bar:40}] {binary_bytes}/{binary_total_bytes}  {binary_bytes_per_sec}  {eta}";

#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// When the bar becomes visible; `None` if it is, or if it never does.
    visible_from: Cell<Option<Instant>>,
}

const DELAY: Duration = Duration::from_secs(1);

impl Progress {
    /// Hidden if standard error is not a terminal: the library checks that.
    pub fn new(total_bytes: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(total_bytes), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style.progress_chars("=> "));
        }
        Progress { bar, visible_from: Cell::new(Some(Instant::now() + DELAY)) }
    }

    pub fn none() -> Progress {
        Progress { bar: ProgressBar::hidden(), visible_from: Cell::new(None) }
    }

    /// Shows the current work. Of a path only the end is shown, which is the part that changes.
    pub fn at(&self, what: &str) {
        let end = what.rmatch_indices('/').nth(1).map_or(what, |(slash, _)| &what[slash + 1..]);
        self.bar.set_message(crate::display::plain(end));
    }

    pub fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
        if self.visible_from.get().is_some_and(|time| Instant::now() >= time) {
            self.visible_from.set(None);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_under_a_second_shows_no_bar() {
        let progress = Progress::new(100);
        progress.advance(10);
        assert!(progress.visible_from.get().is_some() && progress.bar.is_hidden());
        progress.visible_from.set(Some(Instant::now()));
        progress.advance(10);
        assert!(progress.visible_from.get().is_none());
    }
}
