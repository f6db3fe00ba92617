//! The agreement on demand: all processes choose the checkpoint call at which they write state, without a
//! barrier.
//!
//! Input: what each process knows when a round begins: requests, the time until the interval is over, the
//! state of its newest dump.
//! Output: one decision per round, the same on all processes, and the number of calls until the next one.
//! Postcondition: every process applies a decision at the same checkpoint call. No MPI is used here, so
//! that thousands of processes can be simulated.
//!
//! # Rounds
//!
//! Every process makes the same checkpoint calls in the same order. So a number of calls is a point of the
//! program that all processes know. The calls are divided into rounds. At the first call of a round, a process
//! starts a non-blocking reduction with what it knows, and continues. At the last call of the round, it needs
//! the result, decides, and starts the next round. Only there it waits, if another process has not yet
//! reached the first call of the round. Between these two calls, a call compares one counter.
//!
//! Why all processes choose the same call: the decision depends only on the result of the reduction, and it
//! is applied at the last call of the round. No process passes this call without the result. The length of
//! the next round depends only on results too.
//!
//! Why there is no deadlock: a process waits only at a checkpoint call, for processes that are before it.
//! Checkpoint calls are at safe points: nothing that is received before a checkpoint call is sent after the
//! same call of another process. So the other processes reach the call, and start the reduction, without
//! anything from a process that waits. A process that makes no more calls (`shutdown`, `MPI_Finalize`) leaves: it
//! takes part in one more round and reports this. The result closes the agreement for all.
//!
//! Why a request is not lost for long: it is contributed to the next round that begins on its process, and
//! decided at the end of that round. So it waits for at most two rounds.
//!
//! # The length of a round
//!
//! A short round answers requests early, a long one costs less. The length doubles if a process spent more
//! than a part of its time in rounds, or more than some nanoseconds per call. It is halved if all processes
//! spent much less. A round that takes seconds is shortened at once, because calls may become slow. No round
//! has more than `LONGEST` calls.

use super::communicator::{Words, WORDS};
use std::time::Duration;

/// What a process is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Request {
    /// Write state, and end the run.
    End,
    /// Write state.
    Checkpoint,
}

/// The newest dump of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newest {
    /// It is being written.
    Unfinished,
    /// It has ended: the number of its line if the file is durable here, else 0.
    Ended(u64),
}

/// What a process contributes to a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contribution {
    pub request: Option<Request>,
    /// The time until the interval is over; none without an interval.
    pub until_due: Option<Duration>,
    /// The cost of a dump on this process.
    pub dump_cost: Duration,
    pub newest: Newest,
    /// The state of the mirror on this process (`write::mirror`).
    pub mirrored: u64,
    /// The time from the beginning of the last round to that of this one.
    pub elapsed: Duration,
    /// The part of that time that was spent in the agreement.
    pub spent: Duration,
}

/// What all processes know after a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    pub decision: Decision,
    /// The largest cost of a dump.
    pub dump_cost: Duration,
    /// The newest line that all processes have; none while a process is still writing.
    pub complete: Option<u64>,
    /// The smallest state of a mirror.
    pub mirrored: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Continue,
    /// The interval is over.
    Due,
    Requested(Request),
    /// A process makes no more calls, so no line can be complete.
    Closed,
}

/// The agreement, as seen from one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// The number of calls of a round.
    period: u64,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No round has begun on this process.
    Idle,
    InRound,
    Closed,
}

/// The largest number of calls of a round.
const LONGEST: u64 = 4096;
/// A round may cost this per call.
const CALL_BUDGET_NS: u64 = 40;
/// A round may cost one of so many parts of the time.
const PARTS: u64 = 500;
/// A round that takes longer does not become longer.
const LONG: Duration = Duration::from_secs(1);

/// The positions of the contributions. The result has the smallest value of each.
const IS_OPEN: usize = 0;
const REQUEST: usize = 1;
const UNTIL_DUE: usize = 2;
const DUMP_COST: usize = 3;
const VOTE: usize = 4;
const ELAPSED: usize = 5;
const IS_WRITTEN: usize = 6;
const NEWEST: usize = 7;
const MIRRORED: usize = 8;

/// The votes on the length of the next round; the smallest wins.
const LONGER: u64 = 0;
const SAME: u64 = 1;
const SHORTER: u64 = 2;

/// The contribution of a process that makes no more checkpoint calls, if nothing more is known.
pub const LEAVING: Words = {
    let mut words = [u64::MAX; WORDS];
    words[IS_OPEN] = 0;
    words[NEWEST] = 0;
    words[MIRRORED] = 0;
    words
};

/// Whether no further round begins after this result.
pub fn is_closed(result: &Words) -> bool {
    result[IS_OPEN] == 0
}

impl Default for Demand {
    fn default() -> Demand {
        Demand { period: 1, phase: Phase::Idle }
    }
}

impl Demand {
    /// Begins a round at a checkpoint call. Returns what to reduce, and after how many calls the result is
    /// needed. None if the agreement is closed.
    pub fn begin(&mut self, contribution: &Contribution) -> Option<(Words, u64)> {
        if self.phase == Phase::Closed {
            return None;
        }
        self.phase = Phase::InRound;
        Some((self.words(contribution), self.period))
    }

    /// The same on a process that makes no more calls. It needs the result at once.
    pub fn leave(&mut self, contribution: &Contribution) -> Option<Words> {
        let (mut words, _) = self.begin(contribution)?;
        words[IS_OPEN] = 0;
        words[VOTE] = SHORTER;
        Some(words)
    }

    /// The number of calls of the next round.
    pub fn period(&self) -> u64 {
        self.period
    }

    /// Whether a round has begun whose result is not known yet.
    pub fn is_in_round(&self) -> bool {
        self.phase == Phase::InRound
    }

    /// Ends the round with its result.
    pub fn end(&mut self, result: &Words) -> Outcome {
        self.phase = if is_closed(result) { Phase::Closed } else { Phase::Idle };
        self.period = next_period(self.period, result);
        let decision = match (is_closed(result), request(result[REQUEST]), result[UNTIL_DUE]) {
            (true, _, _) => Decision::Closed,
            (false, Some(request), _) => Decision::Requested(request),
            (false, None, 0) => Decision::Due,
            (false, None, _) => Decision::Continue,
        };
        Outcome {
            decision,
            dump_cost: largest(result[DUMP_COST]),
            complete: (result[IS_WRITTEN] == 1).then_some(result[NEWEST]),
            mirrored: result[MIRRORED],
        }
    }

    fn words(&self, contribution: &Contribution) -> Words {
        let (is_written, newest) = match contribution.newest {
            Newest::Unfinished => (0, 0),
            Newest::Ended(number) => (1, number),
        };
        let mut words = [u64::MAX; WORDS];
        words[IS_OPEN] = 1;
        words[REQUEST] = contribution.request.map_or(u64::MAX, |request| request as u64);
        words[UNTIL_DUE] = contribution.until_due.map_or(u64::MAX, nanoseconds);
        words[DUMP_COST] = !nanoseconds(contribution.dump_cost);
        words[VOTE] = self.vote(contribution);
        words[ELAPSED] = !nanoseconds(contribution.elapsed);
        words[IS_WRITTEN] = is_written;
        words[NEWEST] = newest;
        words[MIRRORED] = contribution.mirrored;
        words
    }

    fn vote(&self, contribution: &Contribution) -> u64 {
        let (spent, elapsed) = (nanoseconds(contribution.spent), nanoseconds(contribution.elapsed));
        let allowed = self.period * CALL_BUDGET_NS + elapsed / PARTS;
        if spent > allowed {
            LONGER
        } else if spent.saturating_mul(4) > allowed {
            SAME
        } else {
            SHORTER
        }
    }
}

fn next_period(period: u64, result: &Words) -> u64 {
    let elapsed = largest(result[ELAPSED]);
    if elapsed > LONG * 4 {
        let shorter = u128::from(period) * LONG.as_nanos() / elapsed.as_nanos();
        return u64::try_from(shorter).unwrap_or(1).max(1);
    }
    match result[VOTE] {
        LONGER if elapsed < LONG => (period * 2).min(LONGEST),
        LONGER | SAME => period,
        _ => (period / 2).max(1),
    }
}

fn request(word: u64) -> Option<Request> {
    [Request::End, Request::Checkpoint].into_iter().find(|request| *request as u64 == word)
}

fn nanoseconds(duration: Duration) -> u64 {
    // Less than the word of a process that does not know.
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX).min(u64::MAX - 1)
}

/// The largest of values that were contributed as their complement.
fn largest(word: u64) -> Duration {
    Duration::from_nanos(!word)
}
