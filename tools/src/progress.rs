//! The progress of long work.
//!
//! Input: the number of bytes done, and the total.
//! Output: a bar on standard error.
//! Postcondition: nothing is shown unless standard error is a terminal, and nothing of it remains.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

const TEMPLATE: &str =
    "{msg:26!} [{bar:40}] {binary_bytes}/{binary_total_bytes}  {binary_bytes_per_sec}  {eta}";

#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Hidden if standard error is not a terminal: the library checks that.
    pub fn new(total_bytes: u64) -> Progress {
        let bar = ProgressBar::new(total_bytes);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar }
    }

    pub fn none() -> Progress {
        Progress { bar: ProgressBar::hidden() }
    }

    /// Shows the current work. Of a path only the end is shown, which is the part that changes.
    pub fn at(&self, what: &str) {
        let end = what.rmatch_indices('/').nth(1).map_or(what, |(slash, _)| &what[slash + 1..]);
        self.bar.set_message(crate::display::plain(end));
    }

    pub fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
