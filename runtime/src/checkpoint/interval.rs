//! When the next dump is due by time.
//!
//! Input: the setting `interval`, the cost of a dump, the time.
//! Output: the time until the next dump.
//! Postcondition: with the default, dumps take about `SHARE` of the time, but there is at least one per
//! `LONGEST`.
//!
//! With a mean time between failures `M` and a cost `c`, the interval is that of Young and Daly:
//! `sqrt(2 c M) - c`. It minimises the sum of the time for dumps and the time that failures lose.

use crate::settings::Interval;
use std::time::{Duration, Instant};

/// The time since the last dump, and the interval.
#[derive(Debug)]
pub struct IntervalClock {
    interval: Interval,
    mtbf: Option<Duration>,
    /// The average cost of the last dumps; none before the first.
    cost: Option<Duration>,
    last: Instant,
}

/// The part of the time that dumps may take by default.
pub const SHARE: f64 = 0.02;
/// The shortest interval by default, also before the cost is known.
pub const SHORTEST: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(3600);
/// The shortest interval of Young and Daly.
const SHORTEST_OPTIMUM: Duration = Duration::from_secs(1);

impl IntervalClock {
    pub fn start(interval: Interval, mtbf: Option<Duration>) -> IntervalClock {
        IntervalClock { interval, mtbf, cost: None, last: Instant::now() }
    }

    /// The time until the next dump; none if there are no dumps by time.
    pub fn until_due(&self, now: Instant) -> Option<Duration> {
        let past = now.saturating_duration_since(self.last);
        self.length().map(|length| length.saturating_sub(past))
    }

    /// A dump begins.
    pub fn reset(&mut self, now: Instant) {
        self.last = now;
    }

    /// The most expensive process had this cost in the last dump.
    pub fn set_cost(&mut self, cost: Duration) {
        if !cost.is_zero() {
            self.cost = Some(self.cost.map_or(cost, |before| (before + cost) / 2));
        }
    }

    fn length(&self) -> Option<Duration> {
        match (self.interval, self.mtbf, self.cost) {
            (Interval::None, _, _) => None,
            (Interval::Fixed(length), _, _) => Some(length),
            (Interval::Auto | Interval::Unset, None, None) => Some(SHORTEST),
            (Interval::Auto | Interval::Unset, None, Some(cost)) => {
                Some(cost.div_f64(SHARE).clamp(SHORTEST, LONGEST))
            }
            (Interval::Auto | Interval::Unset, Some(mtbf), None) => Some(SHORTEST.min(mtbf)),
            (Interval::Auto | Interval::Unset, Some(mtbf), Some(cost)) => Some(optimum(mtbf, cost)),
        }
    }
}

fn optimum(mtbf: Duration, cost: Duration) -> Duration {
    if cost * 2 >= mtbf {
        return mtbf.max(SHORTEST_OPTIMUM);
    }
    let (mtbf_seconds, cost_seconds) = (mtbf.as_secs_f64(), cost.as_secs_f64());
    let optimum = (2.0 * cost_seconds * mtbf_seconds).sqrt() - cost_seconds;
    Duration::try_from_secs_f64(optimum).unwrap_or(mtbf).max(SHORTEST_OPTIMUM)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(interval: Interval, mtbf_seconds: Option<u64>, cost_ms: Option<u64>) -> Option<u64> {
        let mut clock = IntervalClock::start(interval, mtbf_seconds.map(Duration::from_secs));
        cost_ms.into_iter().for_each(|cost| clock.set_cost(Duration::from_millis(cost)));
        clock.length().map(|length| length.as_secs())
    }

    #[test]
    fn the_default_takes_two_percent_of_the_time() {
        assert_eq!(length(Interval::Unset, None, None), Some(10));
        assert_eq!(length(Interval::Unset, None, Some(1)), Some(10));
        assert_eq!(length(Interval::Auto, None, Some(2000)), Some(100));
        assert_eq!(length(Interval::Auto, None, Some(500_000)), Some(3600));
    }

    #[test]
    fn with_the_time_between_failures_it_is_the_interval_of_young_and_daly() {
        // sqrt(2 * 60 s * 86400 s) - 60 s
        assert_eq!(length(Interval::Auto, Some(86_400), Some(60_000)), Some(3159));
        assert_eq!(length(Interval::Auto, Some(60), Some(60_000)), Some(60));
        assert_eq!(length(Interval::Auto, Some(5), None), Some(5));
    }

    #[test]
    fn a_fixed_interval_counts_from_the_last_dump() {
        let mut clock = IntervalClock::start(Interval::Fixed(Duration::from_secs(9)), None);
        let later = clock.last + Duration::from_secs(4);
        assert_eq!(clock.until_due(later), Some(Duration::from_secs(5)));
        assert_eq!(clock.until_due(later + Duration::from_secs(7)), Some(Duration::ZERO));
        clock.reset(later);
        assert_eq!(clock.until_due(later), Some(Duration::from_secs(9)));
        assert_eq!(IntervalClock::start(Interval::None, None).until_due(later), None);
    }
}
