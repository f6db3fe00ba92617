//! What is known about each checkpoint.
//!
//! Input: the states of the processes at checkpoints, and the calls that are not followed.
//! Output: an outcome for each checkpoint that a process may pass.
//! Postcondition: a checkpoint is safe only if all processes pass it together, and nothing is in transit each time.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{Machine, State, NOT_KNOWN_WHICH};
use super::traffic::{Doubt, Transit};
use super::{Evidence, Outcome};
use crate::points_to::Target;
use crate::program::{ProcedureId, Site};

const ACCESSED_BEFORE: &str =
    "a process may still access the memory of others: no synchronisation is before the checkpoint";

impl Machine<'_, '_> {
    /// The outcome of each checkpoint that was reached, and of those that could not be followed.
    pub fn finish(&mut self) -> BTreeMap<Site, Outcome> {
        for site in std::mem::take(&mut self.partly) {
            if matches!(self.outcomes.get(&site), None | Some(Outcome::Safe)) {
                self.doubt_checkpoint(site, site, NOT_KNOWN_WHICH);
            }
        }
        let mut seen = std::mem::take(&mut self.not_followed);
        let mut work: Vec<ProcedureId> = seen.keys().copied().collect();
        while let Some(id) = work.pop() {
            let doubt = seen[&id].clone();
            for (site, operation) in self.input.program.procedures[id.0 as usize].operations(id) {
                if operation.is_checkpoint() {
                    self.note(site, Outcome::Unknown(BTreeSet::from([doubt.clone()])));
                }
                for target in self.input.callees(site) {
                    let Target::Procedure(callee) = target else { continue };
                    if !seen.contains_key(callee) {
                        seen.insert(*callee, doubt.clone());
                        work.push(*callee);
                    }
                }
            }
        }
        std::mem::take(&mut self.outcomes)
    }

    /// A call that is not followed: checkpoints below it have no verdict.
    pub fn skip(&mut self, site: Site, reason: &str, state: &mut State) {
        state.traffic.doubt(site, reason);
        let program = self.input.program;
        let taken = (0..).map(ProcedureId).zip(&program.procedures);
        let taken = taken.filter(|(_, procedure)| procedure.address_taken).map(|(id, _)| id);
        let mut procedures: Vec<ProcedureId> = Vec::new();
        for target in self.input.callees(site) {
            match target {
                Target::Procedure(id) => procedures.push(*id),
                Target::Unknown | Target::Outside(_) => procedures.extend(taken.clone()),
            }
        }
        for id in procedures {
            self.not_followed.entry(id).or_insert_with(|| Doubt { site, reason: reason.to_owned() });
        }
    }

    /// All processes are at the same place again: they must have passed the same checkpoints.
    pub(super) fn converge(&mut self, site: Site, state: &mut State) {
        if state.traffic.passed.is_empty() {
            return;
        }
        let passed = std::mem::take(&mut state.traffic.passed);
        let of = |process: usize| passed.get(&process).map_or(&[][..], |sites| sites);
        let lists: Vec<&[Site]> = (0..self.count).map(of).collect();
        let first = passed.values().flatten().next().copied().unwrap_or(site);
        let Some(other) = lists.iter().position(|list| list.len() != lists[0].len()) else {
            let sites: BTreeSet<Site> = passed.values().flatten().copied().collect();
            for site in sites {
                state.traffic.doubt(site, "processes pass this checkpoint in different branches");
                self.note(site, Outcome::Unknown(state.traffic.doubts.clone()));
            }
            return;
        };
        let passes = |process: usize| (process, lists[process].len());
        let (more, fewer) = match lists[0].len() > lists[other].len() {
            true => (passes(0), passes(other)),
            false => (passes(other), passes(0)),
        };
        let evidence = Evidence::NotAll { more, fewer, branch: site };
        let outcome = match state.traffic.doubts.is_empty() {
            true => Outcome::Unsafe(evidence),
            false => Outcome::Unknown(state.traffic.doubts.clone()),
        };
        self.note(first, outcome);
        state.traffic.doubt(first, "not all processes pass this checkpoint");
    }

    /// A reason why the checkpoint is not safe.
    pub fn doubt_checkpoint(&mut self, checkpoint: Site, site: Site, reason: &str) {
        let doubt = Doubt { site, reason: reason.to_owned() };
        self.note(checkpoint, Outcome::Unknown(BTreeSet::from([doubt])));
    }

    pub(super) fn checkpoint(&mut self, site: Site, mut state: State) -> State {
        if let Some(access) = state.traffic.pass(site) {
            self.doubt_checkpoint(site, access, ACCESSED_BEFORE);
        }
        if !state.is_full() {
            self.partly.insert(site);
            let active: Vec<usize> = state.active().collect();
            for process in active {
                let list = state.traffic.passed.entry(process).or_default();
                list.push(site);
                if list.len() > 64 {
                    state.traffic.doubt(site, "processes pass this checkpoint in different branches");
                    return state;
                }
            }
            return state;
        }
        let outcome = match state.traffic.transit() {
            Transit::Quiet => Outcome::Safe,
            Transit::Unknown => {
                let mut doubts = state.traffic.doubts.clone();
                if let Some(message) = state.traffic.receive_from_any() {
                    let reason =
                        "a receive from any source, and no synchronisation of all processes after it";
                    doubts.insert(Doubt { site: message.site, reason: reason.to_owned() });
                }
                Outcome::Unknown(doubts)
            }
            Transit::Sent(channel, message) => Outcome::Unsafe(Evidence::Sent(channel, message)),
            Transit::Awaited(channel, message) => Outcome::Unsafe(Evidence::Awaited(channel, message)),
            Transit::Request(process, opened) => Outcome::Unsafe(Evidence::Request(process, opened)),
            Transit::Epoch(process, opened) => Outcome::Unsafe(Evidence::Epoch(process, opened)),
            Transit::Collective(process, begun) => Outcome::Unsafe(Evidence::Collective(process, begun)),
        };
        self.note(site, outcome);
        state
    }

    fn note(&mut self, site: Site, outcome: Outcome) {
        let known = self.outcomes.remove(&site);
        let worse = match (known, outcome) {
            (None, outcome) => outcome,
            (Some(Outcome::Unsafe(evidence)), _) | (_, Outcome::Unsafe(evidence)) => {
                Outcome::Unsafe(evidence)
            }
            (Some(Outcome::Unknown(mut doubts)), Outcome::Unknown(more)) => {
                doubts.extend(more);
                Outcome::Unknown(doubts)
            }
            (Some(Outcome::Unknown(doubts)), Outcome::Safe | Outcome::SafeWithout(_))
            | (Some(Outcome::Safe | Outcome::SafeWithout(_)), Outcome::Unknown(doubts)) => {
                Outcome::Unknown(doubts)
            }
            (Some(Outcome::Safe | Outcome::SafeWithout(_)), Outcome::Safe | Outcome::SafeWithout(_)) => {
                Outcome::Safe
            }
        };
        self.outcomes.insert(site, worse);
    }
}
