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
//! # Meetings
//!
//! Before state is written, all processes meet: a reduction at the call itself, for which every process waits. So no
//! process writes a line that another one cannot write, because it makes no more calls. And the line contains nothing
//! that was sent after it. A call at which state is due by its number ends the round that is pending.
//!
//! A second reduction confirms the meeting. A process that has waited too long for the first one cannot take back its
//! contribution, but it does not confirm. The others confirm at once.
//!
//! # Programs whose processes make different calls
//!
//! Rounds and meetings are started in one order on all processes. Each contribution contains its kind and the number of
//! its call. If they differ, the agreement is closed for all, because a line would have states of different calls.
//! A process that waits too long leaves too (see `controller/rounds`). Nobody has a line that it has not met for, so
//! no line that is complete lacks a process.
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
    /// The newest line that this process knows to be complete; 0 for none.
    pub complete: u64,
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
    /// The newest line that all processes know to be complete; 0 for none. It may be older.
    pub known: u64,
    /// The smallest state of a mirror.
    pub mirrored: u64,
}

impl Outcome {
    /// The newest line that is known to be complete; 0 for none. While dumps follow one another, a newer one may always be
    /// unfinished.
    pub fn newest_complete(&self) -> u64 {
        self.complete.unwrap_or(0).max(self.known)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Continue,
    /// The interval is over.
    Due,
    Requested(Request),
    Closed(Closed),
}

/// Why no more lines can be complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// A process makes no more calls.
    Left,
    /// The processes are at different calls.
    Apart,
}

/// What all processes know after a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// All processes are at this call. `any_new_files`: a process writes other files than at the last meeting.
    Held {
        any_new_files: bool,
    },
    Closed(Closed),
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
    /// Nothing is pending on this process.
    Idle,
    InRound,
    InMeeting,
    InConfirmation,
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
/// In meetings.
const HAS_SAME_FILES: usize = 1;
/// What must be equal, and the complement of each.
const KIND: usize = 9;
const KIND_COMPLEMENT: usize = 10;
const CALL: usize = 11;
const CALL_COMPLEMENT: usize = 12;
/// In rounds.
const KNOWN: usize = 13;

/// The kinds of contributions. A process that leaves contributes to all of them.
const ROUND: u64 = 0;
const MEETING: u64 = 1;
const CONFIRMATION: u64 = 2;

/// The votes on the length of the next round; the smallest wins.
const LONGER: u64 = 0;
const SAME: u64 = 1;
const SHORTER: u64 = 2;

/// The contribution of a process that makes no more checkpoint calls, if nothing more is known.
pub const LEAVING: Words = {
    let mut words = [u64::MAX; WORDS];
    words[IS_OPEN] = 0;
    words[NEWEST] = 0;
    words[KNOWN] = 0;
    words[MIRRORED] = 0;
    words
};

/// Whether nothing further begins after this result.
pub fn is_closed(result: &Words) -> bool {
    closed(result).is_some()
}

fn closed(result: &Words) -> Option<Closed> {
    let is_equal = |word: usize, complement: usize| result[word] == !result[complement];
    if result[IS_OPEN] == 0 {
        Some(Closed::Left)
    } else if is_equal(KIND, KIND_COMPLEMENT) && is_equal(CALL, CALL_COMPLEMENT) {
        None
    } else {
        Some(Closed::Apart)
    }
}

impl Default for Demand {
    fn default() -> Demand {
        Demand { period: 1, phase: Phase::Idle }
    }
}

impl Demand {
    /// Begins a round at this checkpoint call. Returns what to reduce, and after how many calls the result is
    /// needed. None if the agreement is closed, or if something is pending.
    pub fn begin(&mut self, contribution: &Contribution, call: u64) -> Option<(Words, u64)> {
        self.start(Phase::InRound)?;
        Some((at_call(self.words(contribution), ROUND, call), self.period))
    }

    /// The same on a process that makes no more calls. It needs the result at once.
    pub fn leave(&mut self, contribution: &Contribution) -> Option<Words> {
        self.start(Phase::InRound)?;
        let mut words = self.words(contribution);
        words[IS_OPEN] = 0;
        words[VOTE] = SHORTER;
        Some(words)
    }

    /// Begins a meeting at this call. Returns what to reduce. None if the agreement is closed, or if something is
    /// pending.
    pub fn meet(&mut self, has_new_files: bool, call: u64) -> Option<Words> {
        self.start(Phase::InMeeting)?;
        let mut words = [u64::MAX; WORDS];
        words[IS_OPEN] = 1;
        words[HAS_SAME_FILES] = (!has_new_files).into();
        Some(at_call(words, MEETING, call))
    }

    /// The same for the confirmation of the meeting that was held.
    pub fn confirm(&mut self, has_new_files: bool, call: u64) -> Option<Words> {
        let words = self.meet(has_new_files, call)?;
        self.phase = Phase::InConfirmation;
        Some(at_call(words, CONFIRMATION, call))
    }

    fn start(&mut self, phase: Phase) -> Option<()> {
        if self.phase != Phase::Idle {
            return None;
        }
        self.phase = phase;
        Some(())
    }

    /// The number of calls of the next round.
    pub fn period(&self) -> u64 {
        self.period
    }

    /// Whether a round has begun whose result is not known yet.
    pub fn is_in_round(&self) -> bool {
        self.phase == Phase::InRound
    }

    /// Whether a meeting has begun whose result is not known yet.
    pub fn is_in_meeting(&self) -> bool {
        self.phase == Phase::InMeeting
    }

    /// Whether the confirmation of a meeting has begun whose result is not known yet.
    pub fn is_in_confirmation(&self) -> bool {
        self.phase == Phase::InConfirmation
    }

    /// Ends the meeting or its confirmation with the result.
    pub fn end_meeting(&mut self, result: &Words) -> Meeting {
        match closed(result) {
            Some(closed) => {
                self.phase = Phase::Closed;
                Meeting::Closed(closed)
            }
            None => {
                self.phase = Phase::Idle;
                Meeting::Held { any_new_files: result[HAS_SAME_FILES] == 0 }
            }
        }
    }

    /// Ends the round with its result.
    pub fn end(&mut self, result: &Words) -> Outcome {
        let closed = closed(result);
        self.phase = if closed.is_some() { Phase::Closed } else { Phase::Idle };
        if let (Some(closed), MEETING | CONFIRMATION) = (closed, !result[KIND_COMPLEMENT]) {
            // A process was in a meeting. It has not contributed what a round needs.
            let decision = Decision::Closed(closed);
            return Outcome { decision, dump_cost: Duration::ZERO, complete: None, known: 0, mirrored: 0 };
        }
        self.period = next_period(self.period, result);
        let decision = match (closed, request(result[REQUEST]), result[UNTIL_DUE]) {
            (Some(closed), _, _) => Decision::Closed(closed),
            (None, Some(request), _) => Decision::Requested(request),
            (None, None, 0) => Decision::Due,
            (None, None, _) => Decision::Continue,
        };
        Outcome {
            decision,
            dump_cost: largest(result[DUMP_COST]),
            complete: (result[IS_WRITTEN] == 1).then_some(result[NEWEST]),
            known: result[KNOWN],
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
        words[KNOWN] = contribution.complete;
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

/// Adds what must be equal on all processes.
fn at_call(mut words: Words, kind: u64, call: u64) -> Words {
    (words[KIND], words[KIND_COMPLEMENT]) = (kind, !kind);
    (words[CALL], words[CALL_COMPLEMENT]) = (call, !call);
    words
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{Communicator, ThreadedProcess};

    const KNOWS: Contribution = Contribution {
        request: None,
        until_due: None,
        dump_cost: Duration::ZERO,
        newest: Newest::Ended(7),
        complete: 6,
        mirrored: 0,
        elapsed: Duration::ZERO,
        spent: Duration::ZERO,
    };

    fn reduce(all: &ThreadedProcess, words: Option<Words>) -> Words {
        all.start_round(words.unwrap());
        loop {
            if let Some(result) = all.finished_round() {
                return result;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_meeting_is_held_if_all_are_at_the_same_call() {
        let held = ThreadedProcess::run(3, |all| {
            let mut demand = Demand::default();
            let words = demand.meet(all.rank() == 1, 4);
            let first = demand.end_meeting(&reduce(all, words));
            let words = demand.meet(false, 5);
            (first, demand.end_meeting(&reduce(all, words)))
        });
        let held_with = |any_new_files| Meeting::Held { any_new_files };
        assert_eq!(held, [(held_with(true), held_with(false)); 3]);
    }

    #[test]
    fn a_meeting_with_a_process_that_leaves_is_closed() {
        let closed = ThreadedProcess::run(3, |all| {
            let mut demand = Demand::default();
            match all.rank() {
                0 => {
                    let words = demand.leave(&KNOWS);
                    demand.end(&reduce(all, words)).decision
                }
                1 => {
                    let result = reduce(all, Some(LEAVING));
                    assert!(is_closed(&result));
                    Decision::Closed(Closed::Left)
                }
                _ => {
                    let words = demand.meet(false, 4);
                    let Meeting::Closed(why) = demand.end_meeting(&reduce(all, words)) else {
                        panic!("held")
                    };
                    assert_eq!((demand.meet(false, 5), demand.leave(&KNOWS)), (None, None));
                    Decision::Closed(why)
                }
            }
        });
        assert_eq!(closed, [Decision::Closed(Closed::Left); 3]);
    }

    #[test]
    fn processes_at_different_calls_write_nothing() {
        let meetings = ThreadedProcess::run(3, |all| {
            let mut demand = Demand::default();
            let words = demand.meet(false, 4 + u64::from(all.rank() == 2));
            demand.end_meeting(&reduce(all, words))
        });
        assert_eq!(meetings, [Meeting::Closed(Closed::Apart); 3]);
    }

    #[test]
    fn a_round_that_meets_a_meeting_is_closed_and_completes_no_line() {
        for others_leave in [false, true] {
            let decisions = ThreadedProcess::run(3, |all| {
                let mut demand = Demand::default();
                let words = match all.rank() {
                    0 => demand.begin(&KNOWS, 4).map(|(words, _)| words),
                    1 => demand.meet(false, 4),
                    _ if others_leave => demand.leave(&KNOWS),
                    _ => demand.meet(false, 4),
                };
                let result = reduce(all, words);
                if all.rank() == 1 {
                    let Meeting::Closed(why) = demand.end_meeting(&result) else { panic!("held") };
                    return (Decision::Closed(why), None);
                }
                let outcome = demand.end(&result);
                (outcome.decision, outcome.complete)
            });
            let why = if others_leave { Closed::Left } else { Closed::Apart };
            assert_eq!(decisions, [(Decision::Closed(why), None); 3]);
        }
    }

    #[test]
    fn nothing_begins_while_something_is_pending() {
        let mut demand = Demand::default();
        assert!(demand.begin(&KNOWS, 1).is_some());
        assert!(demand.meet(false, 2).is_none() && demand.begin(&KNOWS, 2).is_none());
        assert!(demand.leave(&KNOWS).is_none());
    }
}
