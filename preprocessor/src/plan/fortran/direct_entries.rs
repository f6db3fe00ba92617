//! Leaves out the jump of a hop to the statement that follows it.
//!
//! Input: the changes of a procedure, the targets of its hops, and where the bodies of its constructs begin.
//! Output: the same changes without these jumps and without the labels that only they need.
//! Postcondition: a hop without a clause had one target, and only labels and comments were between the two.

use std::collections::BTreeMap;

use super::{Change, Clause, Hop, HopId, Mark, Position};

/// `bodies`: for each hop, the byte at which the first statement of its body begins.
pub(super) fn leave_out_jumps(changes: &mut [Change], hops: &[Hop], bodies: &BTreeMap<HopId, u32>) {
    for change in changes.iter_mut() {
        within(&mut change.clauses, hops);
    }
    for index in 0..changes.len() {
        let Some(last @ &Clause::Hop(hop)) = changes[index].clauses.last() else { continue };
        let Some(mark) = only_target(hops, last) else { continue };
        let Some(next) = first_of_body(changes, index, bodies.get(&hop).copied()) else { continue };
        if let Some(at) = leading_mark(&changes[next].clauses, mark) {
            changes[next].clauses.remove(at);
            changes[index].clauses.pop();
        }
    }
}

/// The same for a hop and its target in one change.
fn within(clauses: &mut Vec<Clause>, hops: &[Hop]) {
    let mut index = 0;
    while index < clauses.len() {
        if let Clause::Choose { then, otherwise, .. } = &mut clauses[index] {
            within(then, hops);
            within(otherwise, hops);
        }
        let target = only_target(hops, &clauses[index]);
        match target.and_then(|mark| leading_mark(&clauses[index + 1..], mark)) {
            Some(at) => {
                clauses.remove(index + 1 + at);
                clauses.remove(index);
            }
            None => index += 1,
        }
    }
}

/// The target of a hop that has only one, if no other hop has it too.
fn only_target(hops: &[Hop], clause: &Clause) -> Option<Mark> {
    let Clause::Hop(id) = clause else { return None };
    let targets = &hops[id.0].targets;
    let mark = *targets.first()?;
    let others = hops.iter().enumerate().filter(|(index, _)| *index != id.0);
    let is_shared = others.flat_map(|(_, hop)| &hop.targets).any(|other| *other == mark);
    (!is_shared && targets.iter().all(|target| *target == mark)).then_some(mark)
}

/// Where a mark is, if only comments and labels are before it.
fn leading_mark(clauses: &[Clause], mark: Mark) -> Option<usize> {
    let at = clauses.iter().position(|clause| !matches!(clause, Clause::Note(_) | Clause::Label(_)))?;
    matches!(clauses[at], Clause::Mark(found) if found == mark).then_some(at)
}

/// The change of the statement that a body begins with, if nothing is inserted between it and the header.
fn first_of_body(changes: &[Change], header: usize, start: Option<u32>) -> Option<usize> {
    let (start, header) = (start?, &changes[header]);
    let is_between = |change: &Change| change.at.start >= header.at.end && change.at.start <= start;
    let mut between = changes.iter().enumerate().filter(|(_, change)| is_between(change));
    let (index, first) = between.next()?;
    let is_alone = between.next().is_none() && first.at.start == start;
    (is_alone && first.position == Position::Instead).then_some(index)
}
