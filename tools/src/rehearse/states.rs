//! The recovery lines of two runs.
//!
//! Input: the state directories of the unbroken run and of a restart.
//! Output: the newest line, and the first variable that differs.
//! Postcondition: nothing is changed.

use crate::diff::{self, Compared, DiffOptions, Tolerance};
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

/// Compares the lines from `first` on. A run that has not ended well lacks lines.
pub fn first_difference(
    unbroken: &Path,
    other: &Path,
    first: u64,
    has_ended_well: bool,
    tolerance: Tolerance,
) -> Result<Option<String>> {
    let others = complete_lines(other);
    let wanted = DiffOptions { app: None, ranks: Ranks::All, names: Vec::new(), tolerance };
    for number in complete_lines(unbroken).into_iter().filter(|number| *number >= first) {
        if !others.contains(&number) {
            if !has_ended_well {
                break;
            }
            return Ok(Some(format!("the restart has no recovery line {number}")));
        }
        let report = diff::diff(&at(unbroken, number), &at(other, number), &wanted)?;
        if let Some(pair) = report.pairs.iter().find(|pair| !pair.equal) {
            let when = if number == first {
                format!("recovery line {number}, before the kill,")
            } else {
                format!("recovery line {number}")
            };
            return Ok(Some(format!("{when} differs: {}", what(pair))));
        }
    }
    Ok(None)
}

fn at(directory: &Path, number: u64) -> PathBuf {
    let mut path = directory.as_os_str().to_owned();
    path.push(format!("@{number}"));
    path.into()
}

/// What differs first in the files of one process.
fn what(pair: &Compared) -> String {
    let rank = pair.rank.map_or(String::new(), |rank| format!(" on rank {rank}"));
    if let Some(difference) = pair.differing.first() {
        let procedure = difference.procedure.as_deref().map_or(String::new(), |name| format!(" of `{name}`"));
        let first = difference.first.as_ref().map_or(String::new(), |first| {
            let at = if first.at.is_empty() { String::new() } else { format!(" at {}", first.at) };
            format!("{at}: {} instead of {}", first.b, first.a)
        });
        return plain(&format!("variable `{}`{procedure}{rank}{first}", difference.name));
    }
    let only = pair.only_in_a.first().map(|name| (name, "is missing"));
    if let Some((name, state)) = only.or(pair.only_in_b.first().map(|name| (name, "is new"))) {
        return plain(&format!("variable `{name}` {state}{rank}"));
    }
    if let Some(plan) = &pair.plan {
        let entry = |entry: &Option<String>| entry.clone().unwrap_or_else(|| "nothing".to_owned());
        return plain(&format!("the restart plan{rank}: {} instead of {}", entry(&plan.b), entry(&plan.a)));
    }
    plain(&format!("{}{rank}", pair.problems.first().map_or("the files", String::as_str)))
}
