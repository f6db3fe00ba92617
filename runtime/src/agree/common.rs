//! The algorithm of the agreement, independent of files.
//!
//! Input: the lines from which each process could resume.
//! Output: one line of one run that every process has loaded, or none.
//! Postcondition: all processes have the same result. Every decision about the next step depends only on
//! results that all processes share, so all of them make the same calls.

use super::Communicator;

/// A line that a process proposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub number: u64,
    pub run: u64,
    /// The start of the run that wrote it.
    pub attempt: u64,
}

/// The lines from which a process could resume.
pub trait Candidates {
    /// The newest line with at most this number, or none. Fails if there is a file that must not be skipped.
    fn newest(&mut self, at_most: u64) -> Result<Option<Line>, Refused>;

    /// Reads the line that was proposed last. Returns whether its content is intact.
    fn load(&mut self) -> Result<bool, Refused>;
}

/// A process must not continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused;

/// Finds the newest line that every process has. Each round either ends the search or lowers the limit of the
/// number.
pub fn common_line(
    communicator: &dyn Communicator,
    candidates: &mut dyn Candidates,
) -> Result<Option<Line>, Refused> {
    let mut at_most = u64::MAX;
    loop {
        let newest = all_or_refused(communicator, candidates.newest(at_most))?;
        let number = newest.map_or(0, |line| line.number);
        let smallest = communicator.min_u64(number);
        let largest = communicator.max_u64(number);
        if smallest == 0 {
            return Ok(None);
        }
        if smallest < largest {
            at_most = smallest;
            continue;
        }
        let same_run = is_same(communicator, newest.map_or(0, |line| line.run));
        let same_attempt = is_same(communicator, newest.map_or(0, |line| line.attempt));
        // A line of mixed runs or attempts cannot be used, so no process reads it.
        if same_run && same_attempt && loads_everywhere(communicator, candidates)? {
            return Ok(newest);
        }
        at_most = smallest - 1;
    }
}

/// Whether all processes have the same value.
fn is_same(communicator: &dyn Communicator, value: u64) -> bool {
    communicator.min_u64(value) == communicator.max_u64(value)
}

fn loads_everywhere(
    communicator: &dyn Communicator,
    candidates: &mut dyn Candidates,
) -> Result<bool, Refused> {
    let loaded = all_or_refused(communicator, candidates.load())?;
    Ok(communicator.min_u64(loaded.into()) == 1)
}

/// If one process refuses, all do.
pub fn all_or_refused<T>(communicator: &dyn Communicator, here: Result<T, Refused>) -> Result<T, Refused> {
    if communicator.max_u64(here.is_err().into()) == 1 {
        Err(Refused)
    } else {
        here
    }
}

/// The numbers that any process has, largest first. `here` must be sorted in the same order.
pub fn largest_in_common(communicator: &dyn Communicator, here: &[u64]) -> Vec<u64> {
    let mut all = Vec::new();
    let mut below = u64::MAX;
    loop {
        let largest_here = here.iter().copied().filter(|&number| number < below).max();
        let largest = communicator.max_u64(largest_here.unwrap_or(0));
        if largest == 0 {
            return all;
        }
        all.push(largest);
        below = largest;
    }
}

/// Longer messages are truncated.
const MOST_TEXT_BYTES: u64 = 1 << 12;

/// The text of the process with the smallest rank that has one, and that rank.
pub fn first_text(communicator: &dyn Communicator, here: Option<&str>) -> (u32, String) {
    let own = u64::from(communicator.rank());
    let sender = communicator.min_u64(if here.is_some() { own } else { u64::MAX });
    let Ok(sender) = u32::try_from(sender) else { return (0, String::new()) };
    let text = here.unwrap_or_default().as_bytes();
    let length = communicator.broadcast_u64(sender, (text.len() as u64).min(MOST_TEXT_BYTES));
    let mut received = Vec::new();
    for at in (0..length as usize).step_by(8) {
        let mut eight = [0; 8];
        let left = text.get(at..).unwrap_or_default();
        let count = left.len().min(8);
        eight[..count].copy_from_slice(&left[..count]);
        received.extend(communicator.broadcast_u64(sender, u64::from_le_bytes(eight)).to_le_bytes());
    }
    received.truncate(length as usize);
    (sender, String::from_utf8_lossy(&received).into_owned())
}

#[cfg(test)]
mod tests {
    use super::super::ThreadedProcess;
    use super::*;

    /// Lines, and whether their content is intact.
    #[derive(Clone)]
    struct Fake {
        lines: Vec<(Line, bool)>,
        proposed: Option<usize>,
        refuses_below: u64,
    }

    impl Candidates for Fake {
        fn newest(&mut self, at_most: u64) -> Result<Option<Line>, Refused> {
            self.proposed = self.lines.iter().position(|(line, _)| line.number <= at_most);
            let line = self.proposed.map(|index| self.lines[index].0);
            if line.is_some_and(|line| line.number < self.refuses_below) {
                return Err(Refused);
            }
            Ok(line)
        }

        fn load(&mut self) -> Result<bool, Refused> {
            Ok(self.proposed.is_some_and(|index| self.lines[index].1))
        }
    }

    fn fake(lines: &[(u64, u64, bool)]) -> Fake {
        let lines =
            lines.iter().map(|&(number, run, whole)| (Line { number, run, attempt: 7 }, whole)).collect();
        Fake { lines, proposed: None, refuses_below: 0 }
    }

    fn talk(processes: Vec<Fake>) -> Vec<Result<Option<Line>, Refused>> {
        ThreadedProcess::run(processes.len() as u32, |communicator| {
            let mut mine = processes[communicator.rank() as usize].clone();
            common_line(communicator, &mut mine)
        })
    }

    #[test]
    fn the_newest_line_that_all_have() {
        let all = talk(vec![
            fake(&[(3, 1, true), (2, 1, true), (1, 1, true)]),
            fake(&[(2, 1, true), (1, 1, true)]),
            fake(&[(4, 1, true), (2, 1, true)]),
        ]);
        assert!(all.iter().all(|line| *line == Ok(Some(Line { number: 2, run: 1, attempt: 7 }))));
    }

    #[test]
    fn a_damaged_one_sends_all_to_the_line_before() {
        let all = talk(vec![fake(&[(3, 1, true), (2, 1, true)]), fake(&[(3, 1, false), (2, 1, true)])]);
        assert!(all.iter().all(|line| *line == Ok(Some(Line { number: 2, run: 1, attempt: 7 }))));
    }

    #[test]
    fn empty_hands_mean_a_fresh_start() {
        assert!(talk(vec![fake(&[(3, 1, true)]), fake(&[])]).iter().all(|line| *line == Ok(None)));
        assert!(talk(vec![fake(&[]), fake(&[])]).iter().all(|line| *line == Ok(None)));
        let gaps = vec![fake(&[(4, 1, true), (2, 1, true)]), fake(&[(3, 1, true), (1, 1, true)])];
        assert!(talk(gaps).iter().all(|line| *line == Ok(None)));
    }

    #[test]
    fn runs_are_not_mixed() {
        let all = talk(vec![fake(&[(3, 1, true), (2, 1, true)]), fake(&[(3, 9, true), (2, 1, true)])]);
        assert!(all.iter().all(|line| *line == Ok(Some(Line { number: 2, run: 1, attempt: 7 }))));
    }

    /// Two live starts of one run write lines of the same numbers.
    #[test]
    fn attempts_are_not_mixed() {
        let mut first = fake(&[(3, 1, true), (2, 1, true)]);
        first.lines[0].0.attempt = 8;
        let all = talk(vec![first, fake(&[(3, 1, true), (2, 1, true)])]);
        assert!(all.iter().all(|line| *line == Ok(Some(Line { number: 2, run: 1, attempt: 7 }))));
    }

    #[test]
    fn a_refusal_is_one_of_all() {
        let mut refusing = fake(&[(3, 1, true), (2, 1, true)]);
        refusing.refuses_below = 3;
        let all = talk(vec![refusing, fake(&[(2, 1, true)]), fake(&[(3, 1, true)])]);
        assert!(all.iter().all(|line| *line == Err(Refused)));
    }

    #[test]
    fn numbers_are_joined() {
        let here: [&[u64]; 3] = [&[9, 5], &[], &[7, 5, 2]];
        let all = ThreadedProcess::run(3, |communicator| {
            largest_in_common(communicator, here[communicator.rank() as usize])
        });
        assert!(all.iter().all(|joined| joined == &[9, 7, 5, 2]));
    }

    #[test]
    fn a_text_is_heard_by_all() {
        for text in ["", "short", "eight by", "longer than eight bytes: `ä`"] {
            let all = ThreadedProcess::run(4, |communicator| {
                first_text(communicator, (communicator.rank() >= 2).then_some(text))
            });
            assert!(all.iter().all(|received| *received == (2, text.to_owned())), "{all:?}");
        }
        assert_eq!(ThreadedProcess::run(2, |communicator| first_text(communicator, None))[0].1, "");
    }
}
