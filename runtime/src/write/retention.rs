//! Decides which lines are kept, from their numbers only.
//!
//! Input: the lines that were published on this process, the earlier files that each needs, and whether each
//! line is complete on all processes.
//! Output: the numbers of the files that are no longer needed.
//! Postcondition: they include none of the newest `keep` complete lines, nothing newer that may still become
//! complete, and no file that one of those needs, directly or not. So every file that is kept can be read.

use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineStatus {
    /// It is not known yet whether every process has it.
    Unknown,
    /// Every process has it.
    Complete,
    /// Some process does not have it and never will.
    Broken,
}

#[derive(Debug)]
pub struct Retention {
    keep: usize,
    lines: BTreeMap<u64, LineStatus>,
    /// Lines that have a file on this process, and the earlier lines that each needs.
    files: BTreeMap<u64, Vec<u64>>,
}

impl Retention {
    /// `present` are the files in the directory, with the lines that they need. `complete` is the line from
    /// which the run was resumed.
    pub fn new(
        keep: u64,
        present: impl IntoIterator<Item = (u64, Vec<u64>)>,
        complete: Option<u64>,
    ) -> Retention {
        Retention {
            keep: usize::try_from(keep.max(1)).unwrap_or(usize::MAX),
            lines: complete.map(|number| (number, LineStatus::Complete)).into_iter().collect(),
            files: present.into_iter().collect(),
        }
    }

    /// Records that a file has its name and needs those of the lines `bases`.
    pub fn appeared(&mut self, number: u64, bases: Vec<u64>) {
        self.files.insert(number, bases);
        self.lines.entry(number).or_insert(LineStatus::Unknown);
    }

    /// Records whether a line is complete on all processes.
    pub fn answered(&mut self, number: u64, complete: bool) {
        self.lines.insert(number, if complete { LineStatus::Complete } else { LineStatus::Broken });
    }

    /// Takes the files that are no longer needed out of the list. Returns their numbers, oldest first.
    pub fn retire(&mut self) -> Vec<u64> {
        let complete: Vec<u64> = self
            .lines
            .iter()
            .rev()
            .filter(|(_, known)| **known == LineStatus::Complete)
            .map(|(number, _)| *number)
            .take(self.keep)
            .collect();
        // An older line is no longer needed only if there are `keep` complete ones.
        let oldest_kept = complete.get(self.keep - 1).copied().unwrap_or(0);
        let is_useless =
            |number: u64| number < oldest_kept || self.lines.get(&number) == Some(&LineStatus::Broken);
        // A file needs older ones only, so newer files are visited first.
        let mut needed = BTreeSet::new();
        for (number, bases) in self.files.iter().rev() {
            if !is_useless(*number) || needed.contains(number) {
                needed.extend(bases.iter().copied());
            }
        }
        let useless: Vec<u64> = self
            .files
            .keys()
            .copied()
            .filter(|number| is_useless(*number) && !needed.contains(number))
            .collect();
        for number in &useless {
            self.files.remove(number);
        }
        self.lines = self.lines.split_off(&oldest_kept);
        useless
    }

    /// The files that are kept only because too few complete lines are known yet. They are older than the
    /// newest `keep` lines of this process and than the newest complete one, and none of these needs them.
    pub fn spare(&self) -> Vec<u64> {
        let newest_complete = self
            .lines
            .iter()
            .rev()
            .find(|(_, known)| **known == LineStatus::Complete)
            .map_or(0, |(number, _)| *number);
        let kept =
            self.files.keys().rev().filter(|number| **number <= newest_complete).take(self.keep).last();
        let Some(&oldest_kept) = kept.filter(|_| self.files.contains_key(&newest_complete)) else {
            return Vec::new();
        };
        let mut needed = BTreeSet::new();
        for (number, bases) in self.files.iter().rev() {
            if *number >= oldest_kept || needed.contains(number) {
                needed.extend(bases.iter().copied());
            }
        }
        self.files
            .range(..oldest_kept)
            .map(|(number, _)| *number)
            .filter(|number| !needed.contains(number))
            .collect()
    }

    /// Records that these files are removed.
    pub fn removed(&mut self, numbers: &[u64]) {
        for number in numbers {
            self.files.remove(number);
        }
    }

    #[cfg(test)]
    fn files(&self) -> impl Iterator<Item = u64> + '_ {
        self.files.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_complete_lines_stay() {
        let mut retention = Retention::new(2, [], None);
        for number in 1..=4 {
            retention.appeared(number, Vec::new());
        }
        retention.answered(1, true);
        assert!(retention.retire().is_empty());
        retention.answered(2, true);
        assert!(retention.retire().is_empty());
        retention.answered(3, true);
        assert_eq!(retention.retire(), [1]);
        assert_eq!(retention.files().collect::<Vec<_>>(), [2, 3, 4]);
    }

    #[test]
    fn a_line_that_cannot_become_complete_goes_at_once_and_counts_for_nothing() {
        let mut retention = Retention::new(1, [], None);
        for number in 1..=5 {
            retention.appeared(number, Vec::new());
        }
        retention.answered(1, true);
        retention.answered(2, false);
        retention.answered(3, false);
        assert_eq!(retention.retire(), [2, 3]);
        assert_eq!(retention.files().collect::<Vec<_>>(), [1, 4, 5]);
        retention.answered(4, true);
        assert_eq!(retention.retire(), [1]);
    }

    #[test]
    fn the_line_that_was_resumed_counts_as_complete() {
        let mut retention = Retention::new(1, [7, 5, 6].map(|number| (number, Vec::new())), Some(7));
        assert_eq!(retention.retire(), [5, 6]);
        assert_eq!(retention.files().collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn the_account_does_not_grow() {
        let mut retention = Retention::new(2, [], None);
        for number in 1..=1000 {
            retention.appeared(number, Vec::new());
            retention.answered(number, number % 3 != 0);
            retention.retire();
        }
        assert!(retention.lines.len() < 10 && retention.files.len() < 10);
    }

    #[test]
    fn what_a_kept_line_needs_stays_as_long_as_that_line() {
        let mut retention = Retention::new(1, [], None);
        let needs: [&[u64]; 6] = [&[], &[1], &[2], &[1, 3], &[], &[5]];
        for (number, bases) in (1..).zip(needs) {
            retention.appeared(number, bases.to_vec());
        }
        (1..=4).for_each(|number| retention.answered(number, true));
        // 4 needs 1 and 3, and 3 needs 2.
        assert!(retention.retire().is_empty());
        retention.answered(5, false);
        // 6 may become complete, and needs 5.
        assert!(retention.retire().is_empty());
        retention.answered(6, true);
        assert_eq!(retention.retire(), [1, 2, 3, 4]);
        assert_eq!(retention.files().collect::<Vec<_>>(), [5, 6]);
    }

    #[test]
    fn what_the_resumed_line_needs_stays() {
        let present = [(3, vec![]), (4, vec![]), (5, vec![3]), (6, vec![4])];
        let mut retention = Retention::new(1, present, Some(5));
        // 6 was left by another run, and may be removed with the lines before it.
        assert_eq!(retention.retire(), [] as [u64; 0]);
        retention.answered(6, false);
        assert_eq!(retention.retire(), [4, 6]);
        retention.appeared(7, Vec::new());
        retention.answered(7, true);
        assert_eq!(retention.retire(), [3, 5]);
    }

    #[test]
    fn what_is_beyond_the_lines_to_be_kept_is_spare_and_their_bases_are_not() {
        let present = [(1, vec![]), (2, vec![1]), (3, vec![]), (4, vec![]), (5, vec![4]), (6, vec![])];
        let mut retention = Retention::new(2, present.clone(), Some(5));
        assert!(retention.retire().is_empty());
        // 5 and what it needs, and 4 as the second line.
        assert_eq!(retention.spare(), [1, 2, 3]);
        retention.removed(&[1, 2, 3]);
        assert_eq!((retention.spare(), retention.files().collect::<Vec<_>>()), (vec![], vec![4, 5, 6]));
        // If no line is known to be complete, or if that line is missing, no file is spare.
        assert!(Retention::new(2, present, None).spare().is_empty());
        assert!(Retention::new(1, [(1, vec![]), (2, vec![])], Some(3)).spare().is_empty());
    }

    /// One process, and the results that it receives late.
    struct Process {
        retention: Retention,
        /// For each of its dumps, the number of the previous dump and whether its file existed.
        said: Vec<(u64, bool)>,
        heard: usize,
        dumps: u64,
    }

    /// Processes advance at different speeds, some dumps fail, and results arrive late. No process retires
    /// the newest line that all have.
    fn run_apart(processes: usize, dumps: u64, keep: u64, seed: u64) {
        let mut state = seed;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let new =
            || Process { retention: Retention::new(keep, [], None), said: Vec::new(), heard: 0, dumps: 0 };
        let mut all: Vec<Process> = (0..processes).map(|_| new()).collect();
        let mut has = vec![0; dumps as usize + 1];
        let mut left = dumps * processes as u64;
        while left > 0 {
            let at = next(processes as u64) as usize;
            let (number, before) = (all[at].dumps + 1, all[at].dumps);
            if number > dumps {
                continue;
            }
            left -= 1;
            let is_there = all[at].retention.files().any(|file| file == before);
            all[at].said.push((before, is_there));
            // A result exists when all processes have reported. It may be collected later.
            while all[at].heard < all[at].said.len()
                && all.iter().all(|other| other.said.len() > all[at].heard)
                && next(4) > 0
            {
                let asked = all[at].heard;
                let complete = all.iter().all(|other| other.said[asked].1);
                all[at].heard += 1;
                if asked > 0 {
                    all[at].retention.answered(asked as u64, complete);
                }
            }
            all[at].retention.retire();
            all[at].dumps = number;
            if next(20 * processes as u64) > 0 {
                all[at].retention.appeared(number, Vec::new());
                has[number as usize] += 1;
            }
            let newest = (1..=dumps).rev().find(|line| has[*line as usize] == processes);
            let looked_at = if processes > 100 { at..at + 1 } else { 0..processes };
            if let Some(newest) = newest {
                let keeps = |process: &Process| process.retention.files().any(|file| file == newest);
                assert!(
                    all[looked_at].iter().all(keeps),
                    "{processes} processes, seed {seed}: line {newest} is gone somewhere"
                );
            }
        }
    }

    #[test]
    fn the_newest_line_of_2_to_10000_processes_is_retired_by_none() {
        for (processes, times) in [(2, 300), (3, 200), (10, 50), (100, 3)] {
            (0..times).for_each(|seed| run_apart(processes, 20, 1 + seed % 3, seed));
        }
        run_apart(1000, 6, 1, 1);
        run_apart(10_000, 3, 1, 2);
    }
}
