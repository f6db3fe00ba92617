//! Decides which checkpoints dump.
//!
//! Input: calls of the checkpoint function.
//! Output: whether a dump is due.
//! Postcondition: all processes that make the same calls dump at the same calls. A resumed run dumps at the
//! same calls as an unbroken one.

use crate::register::Symbol;

#[derive(Debug, Default)]
pub struct Schedule {
    every: u64,
    calls: u64,
    /// The number of calls until the next dump.
    left: u64,
    /// None if `first-touch` is off.
    touched: Option<Vec<(Symbol, i32)>>,
}

impl Schedule {
    /// `calls` is the number of calls so far. `touched` is none if `first-touch` is off.
    pub fn new(every: u64, calls: u64, touched: Option<Vec<(Symbol, i32)>>) -> Schedule {
        let left = calls.checked_rem(every).map_or(u64::MAX, |past| every - past);
        Schedule { every, calls, left, touched }
    }

    /// Counts a call. Returns whether it dumps.
    #[inline]
    pub fn is_due(&mut self, procedure: Symbol, id: i32) -> bool {
        self.calls += 1;
        self.left -= 1;
        if self.left > 0 && self.touched.is_none() {
            return false;
        }
        self.decide(procedure, id)
    }

    /// Counts a call that does not dump, whatever the checkpoint is. Returns false and counts nothing if that
    /// depends on the checkpoint.
    #[inline]
    pub fn skip(&mut self) -> bool {
        let is_idle = self.is_next_idle();
        if is_idle {
            self.calls += 1;
            self.left -= 1;
        }
        is_idle
    }

    /// Whether the next call does not dump, whatever the checkpoint is.
    #[inline]
    pub fn is_next_idle(&self) -> bool {
        self.left > 1 && self.touched.is_none()
    }

    /// Whether no call dumps.
    #[inline]
    pub fn is_off(&self) -> bool {
        self.every == 0 && self.touched.is_none()
    }

    fn decide(&mut self, procedure: Symbol, id: i32) -> bool {
        let is_turn = self.left == 0;
        if is_turn {
            self.left = if self.every == 0 { u64::MAX } else { self.every };
        }
        let is_first = self.touched.as_mut().is_some_and(|touched| {
            let is_new = !touched.contains(&(procedure, id));
            if is_new {
                touched.push((procedure, id));
            }
            is_new
        });
        is_turn || is_first
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
        ids.iter().map(|id| schedule.is_due(Symbol::EMPTY, *id)).collect()
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
            assert_eq!(schedule.is_due(Symbol::EMPTY, 1), !is_idle);
        }
        assert!(!Schedule::new(3, 0, Some(Vec::new())).is_next_idle());
    }

    #[test]
    fn the_first_touch_dumps_besides() {
        let schedule = Schedule::new(4, 0, Some(vec![(Symbol::EMPTY, 2)]));
        assert_eq!(dumps(schedule, &[1, 1, 2, 2, 1, 3]), [true, false, false, true, false, true]);
    }
}
