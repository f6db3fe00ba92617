//! Which lines are kept: a pure account of numbers.
//!
//! In: what was published here and which earlier files it needs, and what all processes together say
//! about a line. Out: the numbers whose files are of no more use. Holds afterwards: the newest `keep`
//! lines that are known to be complete on every process are never among them, nor is anything newer
//! that may still become complete, nor a file that one of those needs, directly or not: so every file
//! that stays can be read.

use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nobody can say yet whether every process has it.
    Open,
    /// Every process has it.
    Complete,
    /// Some process does not have it and never will.
    Broken,
}

#[derive(Debug)]
pub struct Retention {
    keep: usize,
    lines: BTreeMap<u64, Known>,
    /// Lines that have a file here, and those that it needs, all of them earlier ones.
    files: BTreeMap<u64, Vec<u64>>,
}

impl Retention {
    /// `present` are the files that are there, with what they need; `complete` is the line the run was
    /// resumed from.
    pub fn new(
        keep: u64,
        present: impl IntoIterator<Item = (u64, Vec<u64>)>,
        complete: Option<u64>,
    ) -> Retention {
        Retention {
            keep: usize::try_from(keep.max(1)).unwrap_or(usize::MAX),
            lines: complete.map(|number| (number, Known::Complete)).into_iter().collect(),
            files: present.into_iter().collect(),
        }
    }

    /// A file has appeared under its name, which needs those of the lines `bases`.
    pub fn appeared(&mut self, number: u64, bases: Vec<u64>) {
        self.files.insert(number, bases);
        self.lines.entry(number).or_insert(Known::Open);
    }

    /// All processes have been asked about a line.
    pub fn answered(&mut self, number: u64, complete: bool) {
        self.lines.insert(number, if complete { Known::Complete } else { Known::Broken });
    }

    /// Takes the numbers of the files that are of no more use off the account, oldest first.
    pub fn retire(&mut self) -> Vec<u64> {
        let complete: Vec<u64> = self
            .lines
            .iter()
            .rev()
            .filter(|(_, known)| **known == Known::Complete)
            .map(|(number, _)| *number)
            .take(self.keep)
            .collect();
        // Only when there are `keep` of them is anything older of no use.
        let oldest_kept = complete.get(self.keep - 1).copied().unwrap_or(0);
        let is_useless =
            |number: u64| number < oldest_kept || self.lines.get(&number) == Some(&Known::Broken);
        // A file needs older ones only: those that lean on others come first.
        let mut needed = BTreeSet::new();
        for (number, bases) in self.files.iter().rev() {
            if !is_useless(*number) || needed.contains(number) {
                needed.extend(bases.iter().copied());
            }
        }
        let useless: Vec<u64> =
            self.files.keys().copied().filter(|number| is_useless(*number) && !needed.contains(number)).collect();
        for number in &useless {
            self.files.remove(number);
        }
        self.lines = self.lines.split_off(&oldest_kept);
        useless
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
        // 6 was left by somebody else, and may go with the lines before it.
        assert_eq!(retention.retire(), [] as [u64; 0]);
        retention.answered(6, false);
        assert_eq!(retention.retire(), [4, 6]);
        retention.appeared(7, Vec::new());
        retention.answered(7, true);
        assert_eq!(retention.retire(), [3, 5]);
    }
}
