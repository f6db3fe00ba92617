//! Counts checkpoint calls.
//!
//! Input: calls of the checkpoint function.
//! Output: whether a dump is due by its number, and whether a round of the agreement on demand ends.
//! Postcondition: all processes that make the same calls dump at the same calls. A resumed run makes the dumps
//! by number at the same calls as an unbroken one.

use crate::register::Symbol;

/// What happens at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    pub dumps: bool,
    pub ends_round: bool,
}

#[derive(Debug, Default)]
pub struct Schedule {
    every: u64,
    calls: u64,
    /// The call of the next dump by number, or `NEVER`.
    next_dump: u64,
    /// The call at which the round ends, or `NEVER`.
    round_end: u64,
    /// The number of calls until the next of these.
    left: u64,
    /// None if `first-touch` is off.
    touched: Option<Vec<(Symbol, i32)>>,
}

const NEVER: u64 = u64::MAX;

impl Schedule {
    /// `calls` is the number of calls so far. `touched` is none if `first-touch` is off.
    pub fn new(every: u64, calls: u64, touched: Option<Vec<(Symbol, i32)>>) -> Schedule {
        let next_dump = calls.checked_rem(every).map_or(NEVER, |past| calls + (every - past));
        let mut schedule = Schedule { every, calls, next_dump, round_end: NEVER, left: 0, touched };
        schedule.count_down();
        schedule
    }

    /// Lets a round end at this call from now on.
    pub fn end_round_after(&mut self, calls: u64) {
        self.round_end = self.calls.saturating_add(calls);
        self.count_down();
    }

    /// Lets nothing be due from now on.
    pub fn stop(&mut self) {
        (self.every, self.next_dump, self.round_end, self.touched) = (0, NEVER, NEVER, None);
        self.count_down();
    }

    /// Counts a call.
    #[inline]
    pub fn count(&mut self, procedure: Symbol, id: i32) -> Due {
        self.calls += 1;
        self.left -= 1;
        if self.left > 0 && self.touched.is_none() {
            return Due { dumps: false, ends_round: false };
        }
        self.decide(procedure, id)
    }

    /// Counts a call at which nothing happens, whatever the checkpoint is. Returns false and counts nothing if
    /// that depends on the checkpoint.
    #[inline]
    pub fn skip(&mut self) -> bool {
        let is_idle = self.is_next_idle();
        if is_idle {
            self.calls += 1;
            self.left -= 1;
        }
        is_idle
    }

    /// Whether nothing happens at the next call, whatever the checkpoint is.
    #[inline]
    pub fn is_next_idle(&self) -> bool {
        self.left > 1 && self.touched.is_none()
    }

    /// Whether no call dumps, by its number or after a round.
    #[inline]
    pub fn is_off(&self) -> bool {
        self.next_dump == NEVER && self.round_end == NEVER && self.touched.is_none()
    }

    fn decide(&mut self, procedure: Symbol, id: i32) -> Due {
        let is_turn = self.calls == self.next_dump;
        if is_turn {
            self.next_dump = self.calls.saturating_add(self.every);
        }
        let ends_round = self.calls == self.round_end;
        if ends_round {
            self.round_end = NEVER;
        }
        self.count_down();
        let is_first = self.touched.as_mut().is_some_and(|touched| {
            let is_new = !touched.contains(&(procedure, id));
            if is_new {
                touched.push((procedure, id));
            }
            is_new
        });
        Due { dumps: is_turn || is_first, ends_round }
    }

    fn count_down(&mut self) {
        self.left = self.next_dump.min(self.round_end) - self.calls;
    }

    pub fn calls(&self) -> u64 {
        self.calls
    }

    pub fn touched(&self) -> &[(Symbol, i32)] {
        self.touched.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dumps(mut schedule: Schedule, ids: &[i32]) -> Vec<bool> {
        ids.iter().map(|id| schedule.count(Symbol::EMPTY, *id).dumps).collect()
    }

    #[test]
    fn every_third_call_dumps_also_after_a_restart() {
        assert_eq!(
            dumps(Schedule::new(3, 0, None), &[1; 7]),
            [false, false, true, false, false, true, false]
        );
        assert_eq!(dumps(Schedule::new(3, 4, None), &[1; 4]), [false, true, false, false]);
    }

    #[test]
    fn zero_turns_dumping_off() {
        assert_eq!(dumps(Schedule::new(0, 0, None), &[1, 2]), [false, false]);
        assert!(Schedule::new(0, 0, None).is_off() && !Schedule::new(0, 0, Some(Vec::new())).is_off());
        assert!(!Schedule::new(1, 0, None).is_off());
    }

    #[test]
    fn a_call_that_is_known_to_be_idle_does_not_dump() {
        let mut schedule = Schedule::new(3, 0, None);
        for _ in 0..7 {
            let is_idle = schedule.is_next_idle();
            assert_eq!(schedule.count(Symbol::EMPTY, 1).dumps, !is_idle);
        }
        assert!(!Schedule::new(3, 0, Some(Vec::new())).is_next_idle());
    }

    #[test]
    fn a_round_ends_besides() {
        let mut schedule = Schedule::new(3, 0, None);
        schedule.end_round_after(2);
        let ends: Vec<Due> = (0..4).map(|_| schedule.count(Symbol::EMPTY, 1)).collect();
        assert_eq!(ends.iter().map(|due| due.ends_round).collect::<Vec<_>>(), [false, true, false, false]);
        assert_eq!(ends.iter().map(|due| due.dumps).collect::<Vec<_>>(), [false, false, true, false]);
        schedule.end_round_after(1);
        assert!(!schedule.skip() && schedule.count(Symbol::EMPTY, 1).ends_round);
        schedule.stop();
        assert!((0..9).all(|_| schedule.skip()));
    }

    #[test]
    fn the_first_touch_dumps_besides() {
        let schedule = Schedule::new(4, 0, Some(vec![(Symbol::EMPTY, 2)]));
        assert_eq!(dumps(schedule, &[1, 1, 2, 2, 1, 3]), [true, false, false, true, false, true]);
    }
}
