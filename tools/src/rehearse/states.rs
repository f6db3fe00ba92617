//! The recovery lines of two runs.
//!
//! Input: the state directories of two runs that were not killed, and of a restart.
//! Output: the newest line, and the first variable that differs.
//! Postcondition: nothing is changed.

use crate::diff::{self, Compared, DiffOptions, Difference, Tolerance};
use crate::display::plain;
use crate::list::{self, BaseLines};
use crate::scan;
use crate::select::Ranks;
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The numbers of the complete lines in a state directory, in order.
pub fn complete_lines(directory: &Path) -> BTreeSet<u64> {
    let applications = scan::applications(directory).unwrap_or_default();
    let mut found = BTreeSet::new();
    for application in &applications {
        let line = |number| list::line(application, number, &BTreeSet::new(), &BaseLines::new());
        found.extend(application.numbers().into_iter().filter(|&number| line(number).complete));
    }
    found
}

/// The state directories of the runs that are compared.
pub struct States<'a> {
    pub unbroken: &'a Path,
    /// Of a second run that was not killed. What differs there, such as a variable without a value, proves nothing.
    pub second: &'a Path,
    pub restarted: &'a Path,
}

/// A variable of one process.
type Key = (Option<u32>, Option<String>, String);

impl States<'_> {
    /// Compares the lines after `killed_after`. A run that has not ended well lacks lines.
    pub fn first_difference(
        &self,
        killed_after: u64,
        has_ended_well: bool,
        tolerance: Tolerance,
    ) -> Result<Option<String>> {
        let others = complete_lines(self.restarted);
        let before = differences(self.unbroken, self.restarted, killed_after, tolerance)?;
        for number in complete_lines(self.unbroken).into_iter().filter(|number| *number > killed_after) {
            if !others.contains(&number) {
                match has_ended_well {
                    true => return Ok(Some(format!("the restart has no recovery line {number}"))),
                    false => break,
                }
            }
            let mut found = differences(self.unbroken, self.restarted, number, tolerance)?;
            if found.iter().all(|pair| pair.equal) {
                continue;
            }
            let second = differences(self.unbroken, self.second, number, tolerance)?;
            forget_unstable(&mut found, &before);
            forget_unstable(&mut found, &second);
            if let Some(what) = found.iter().find_map(what) {
                return Ok(Some(format!("recovery line {number} differs: {what}")));
            }
        }
        Ok(None)
    }
}

fn differences(a: &Path, b: &Path, number: u64, tolerance: Tolerance) -> Result<Vec<Compared>> {
    let wanted = DiffOptions { app: None, ranks: Ranks::All, names: Vec::new(), tolerance };
    Ok(diff::diff(&at(a, number), &at(b, number), &wanted)?.pairs)
}

/// Removes the differences that are also in the comparison of runs without a restart.
fn forget_unstable(found: &mut [Compared], unstable: &[Compared]) {
    let key = |pair: &Compared, difference: &Difference| -> Key {
        (pair.rank, difference.procedure.clone(), difference.name.clone())
    };
    let keys: BTreeSet<Key> = unstable
        .iter()
        .flat_map(|pair| pair.differing.iter().map(move |difference| key(pair, difference)))
        .collect();
    for pair in found {
        let differing = std::mem::take(&mut pair.differing);
        pair.differing =
            differing.into_iter().filter(|difference| !keys.contains(&key(pair, difference))).collect();
        if unstable.iter().any(|other| other.rank == pair.rank && other.plan.is_some()) {
            pair.plan = None;
        }
    }
}

fn at(directory: &Path, number: u64) -> PathBuf {
    let mut path = directory.as_os_str().to_owned();
    path.push(format!("@{number}"));
    path.into()
}

/// What differs first in the files of one process.
fn what(pair: &Compared) -> Option<String> {
    let rank = pair.rank.map_or(String::new(), |rank| format!(" on rank {rank}"));
    if let Some(difference) = pair.differing.first() {
        let procedure = difference.procedure.as_deref().map_or(String::new(), |name| format!(" of `{name}`"));
        let first = match &difference.first {
            Some(first) => {
                let at = if first.at.is_empty() { String::new() } else { format!(" at {}", first.at) };
                format!("{at}: {} instead of {}", first.b, first.a)
            }
            None => format!(": {}", difference.notes.join(", ")),
        };
        return Some(plain(&format!("variable `{}`{procedure}{rank}{first}", difference.name)));
    }
    let only = pair.only_in_a.first().map(|name| (name, "is missing"));
    if let Some((name, state)) = only.or(pair.only_in_b.first().map(|name| (name, "is new"))) {
        return Some(plain(&format!("variable `{name}` {state}{rank}")));
    }
    if let Some(plan) = &pair.plan {
        let entry = |entry: &Option<String>| entry.clone().unwrap_or_else(|| "nothing".to_owned());
        let (a, b) = (entry(&plan.a), entry(&plan.b));
        return Some(plain(&format!("the restart plan{rank}: {b} instead of {a}")));
    }
    pair.problems.first().map(|problem| plain(&format!("{problem}{rank}")))
}
