//! Whether to start a program again, and when.
//!
//! Input: how each attempt ended, and the newest recovery line after it.
//! Output: a pause before the next attempt, or why there is none.
//! Postcondition: a program that writes no newer recovery lines is started a bounded number of times.

use super::ending::Ending;
use super::restart_on::RestartOn;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// A recovery line that a run can resume from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    pub run: u64,
    pub number: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Restart(Duration),
    GiveUp(GiveUp),
}

/// Why a program is not started again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GiveUp {
    /// `--restart-on` does not select this end.
    NotSelected,
    /// The run was finished before.
    Finished,
    /// The program has ended in the same way this many times without a newer recovery line.
    Repeats(u32),
    /// This many restarts have led to no newer recovery line.
    NoProgress(u32),
}

const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// A program that ends by itself in the same way, at the same place, this many times will do so again.
const REPEATS: u32 = 3;

#[derive(Debug)]
pub struct Policy {
    restart_on: RestartOn,
    max_restarts: u32,
    first_pause: Duration,
    /// The highest line of each run.
    reached: BTreeMap<u64, u64>,
    /// The restarts since a newer line was found.
    fruitless: u32,
    /// The last end, and how often it came without a newer line.
    last: Option<(Ending, u32)>,
}

impl Policy {
    pub fn new(restart_on: RestartOn, max_restarts: u32, first_pause: Duration) -> Policy {
        Policy { restart_on, max_restarts, first_pause, reached: BTreeMap::new(), fruitless: 0, last: None }
    }

    /// Notes a recovery line. Returns whether it is newer than those before.
    pub fn reach(&mut self, line: Reached) -> bool {
        let is_newer = self.reached.get(&line.run).is_none_or(|&number| line.number > number);
        if is_newer {
            self.reached.insert(line.run, line.number);
            self.fruitless = 0;
            self.last = None;
        }
        is_newer
    }

    /// Whether a line of an unfinished run was ever found.
    pub fn has_reached(&self) -> bool {
        !self.reached.is_empty()
    }

    /// What to do after a failure. `is_finished`: the run has ended, although the program failed after that.
    pub fn decide(&mut self, ending: Ending, is_finished: bool) -> Decision {
        let repeats = match self.last {
            Some((last, count)) if last == ending => count + 1,
            _ => 1,
        };
        self.last = Some((ending, repeats));
        if !self.restart_on.includes(ending) {
            return Decision::GiveUp(GiveUp::NotSelected);
        }
        if is_finished {
            return Decision::GiveUp(GiveUp::Finished);
        }
        if repeats >= REPEATS && !ending.is_external() {
            return Decision::GiveUp(GiveUp::Repeats(repeats));
        }
        if self.fruitless >= self.max_restarts {
            return Decision::GiveUp(GiveUp::NoProgress(self.fruitless));
        }
        let pause = self.first_pause.saturating_mul(1 << self.fruitless.min(20)).min(LONGEST_PAUSE);
        self.fruitless += 1;
        Decision::Restart(pause)
    }
}

impl GiveUp {
    /// A word for programs.
    pub fn word(self) -> &'static str {
        match self {
            GiveUp::NotSelected => "not-selected",
            GiveUp::Finished => "finished",
            GiveUp::Repeats(_) => "repeats",
            GiveUp::NoProgress(_) => "no-progress",
        }
    }
}

impl fmt::Display for GiveUp {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GiveUp::NotSelected => write!(text, "`--restart-on` does not include this"),
            GiveUp::Finished => {
                write!(text, "its run was finished before, and a restart would repeat it from the beginning")
            }
            GiveUp::Repeats(count) => write!(
                text,
                "this has happened {count} times without a newer recovery line, so the cause is probably in \
                 the program, its input or its settings"
            ),
            GiveUp::NoProgress(0) => write!(text, "no restarts are allowed by `--max-restarts`"),
            GiveUp::NoProgress(count) => write!(
                text,
                "there is no newer recovery line after {count} restart{}; `--max-restarts` allows more",
                if *count == 1 { "" } else { "s" }
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn policy(max_restarts: u32) -> Policy {
        Policy::new(RestartOn::All, max_restarts, SECOND)
    }

    #[test]
    fn pauses_grow_until_there_is_progress() {
        let mut policy = policy(20);
        let mut pauses = Vec::new();
        for _ in 0..11 {
            match policy.decide(Ending::Signalled(9), false) {
                Decision::Restart(pause) => pauses.push(pause.as_secs()),
                Decision::GiveUp(reason) => panic!("{reason}"),
            }
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
        assert!(policy.reach(Reached { run: 1, number: 1 }));
        assert_eq!(policy.decide(Ending::Signalled(9), false), Decision::Restart(SECOND));
    }

    #[test]
    fn kills_from_outside_are_limited_by_the_number_of_restarts_only() {
        let mut policy = policy(4);
        for _ in 0..4 {
            assert!(matches!(policy.decide(Ending::Exited(137), false), Decision::Restart(_)));
        }
        assert_eq!(policy.decide(Ending::Exited(137), false), Decision::GiveUp(GiveUp::NoProgress(4)));
    }

    #[test]
    fn the_same_failure_at_the_same_line_is_given_up_early() {
        let mut policy = policy(100);
        let crash = Ending::Signalled(11);
        policy.reach(Reached { run: 1, number: 7 });
        assert!(matches!(policy.decide(crash, false), Decision::Restart(_)));
        // The same line again is no progress.
        assert!(!policy.reach(Reached { run: 1, number: 7 }));
        assert!(matches!(policy.decide(crash, false), Decision::Restart(_)));
        assert_eq!(policy.decide(crash, false), Decision::GiveUp(GiveUp::Repeats(3)));
    }

    #[test]
    fn the_same_failure_at_newer_lines_goes_on() {
        let mut policy = policy(1);
        for number in 1..100 {
            policy.reach(Reached { run: 1, number });
            assert_eq!(policy.decide(Ending::Signalled(11), false), Decision::Restart(SECOND));
        }
    }

    #[test]
    fn different_failures_are_not_the_same() {
        let mut policy = policy(100);
        for status in [1, 2, 1, 2, 1, 2] {
            assert!(matches!(policy.decide(Ending::Exited(status), false), Decision::Restart(_)));
        }
    }

    #[test]
    fn a_finished_run_is_not_repeated() {
        let mut policy = policy(5);
        policy.reach(Reached { run: 1, number: 7 });
        assert_eq!(policy.decide(Ending::Signalled(9), true), Decision::GiveUp(GiveUp::Finished));
    }
}
