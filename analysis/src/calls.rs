//! The graph of calls.
//!
//! Input: a program and its points-to sets. Output: what every call may run, the strongly connected
//! components bottom-up, and which procedures may be active more than once at a time.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::components::components;
use crate::effects::Effects;
use crate::points_to::{PointsTo, Target};
use crate::program::{Call, ProcedureId, Program, Site};

#[derive(Debug)]
pub struct Calls {
    targets: FxHashMap<Site, Vec<Target>>,
    /// The procedures that each procedure may run directly.
    pub runs: Vec<Vec<ProcedureId>>,
    /// The calls that may run a procedure.
    pub callers: Vec<Vec<Site>>,
    /// Callees before callers.
    pub components: Vec<Vec<ProcedureId>>,
    recursive: Vec<bool>,
    /// For each procedure, the component that it is in.
    component: Vec<u32>,
}

impl Calls {
    pub fn new(program: &Program, points: &PointsTo, effects: &dyn Effects) -> Calls {
        let count = program.procedures.len();
        let escaped: Vec<ProcedureId> = (0..count as u32)
            .map(ProcedureId)
            .filter(|id| {
                let procedure = &program.procedures[id.0 as usize];
                procedure.address_taken || (!program.whole && !procedure.local)
            })
            .collect();
        let mut calls = Calls {
            targets: FxHashMap::default(),
            runs: vec![Vec::new(); count],
            callers: vec![Vec::new(); count],
            components: Vec::new(),
            recursive: vec![false; count],
            component: vec![0; count],
        };
        for (site, _, call) in program.calls() {
            let targets = points.callees(site, &call.callee);
            calls.add(site, call, points, &targets, &escaped, effects);
            calls.targets.insert(site, targets);
        }
        for runs in &mut calls.runs {
            runs.sort_unstable();
            runs.dedup();
        }
        for sites in &mut calls.callers {
            sites.sort_unstable();
            sites.dedup();
        }
        calls.find_components();
        calls
    }

    fn add(
        &mut self,
        site: Site,
        call: &Call,
        points: &PointsTo,
        targets: &[Target],
        escaped: &[ProcedureId],
        effects: &dyn Effects,
    ) {
        for target in targets {
            let called: Cow<[ProcedureId]> = match target {
                Target::Procedure(id) => Cow::Owned(vec![*id]),
                Target::Outside(name) => match effects.effects(name) {
                    Some(effects) if !effects.calls_back => Cow::Borrowed(&[]),
                    Some(effects) => match points.callbacks(effects, call) {
                        Some(procedures) => Cow::Owned(procedures),
                        None => Cow::Borrowed(escaped),
                    },
                    None => Cow::Borrowed(escaped),
                },
                Target::Unknown => Cow::Borrowed(escaped),
            };
            for id in called.iter() {
                self.runs[site.procedure.0 as usize].push(*id);
                self.callers[id.0 as usize].push(site);
            }
        }
    }

    pub fn targets(&self, site: Site) -> &[Target] {
        self.targets.get(&site).map_or(&[], |targets| targets)
    }

    /// Whether more than one activation may exist at a time.
    pub fn recursive(&self, procedure: ProcedureId) -> bool {
        self.recursive[procedure.0 as usize]
    }

    /// Whether no activation of `other` exists in a caller directly before or after a call of `callee`.
    pub fn ends_with(&self, other: ProcedureId, callee: ProcedureId, caller: ProcedureId) -> bool {
        self.is_same_recursion(other, callee) && !self.is_same_recursion(caller, callee)
    }

    /// Whether each of the procedures may run the other one, or they are the same.
    pub fn is_same_recursion(&self, one: ProcedureId, other: ProcedureId) -> bool {
        self.component[one.0 as usize] == self.component[other.0 as usize]
    }

    fn find_components(&mut self) {
        let runs = &self.runs;
        let found = components(runs.len(), |node, edge| runs[node].get(edge).map(|id| id.0 as usize));
        for (number, members) in found.into_iter().enumerate() {
            for &member in &members {
                let member = member as usize;
                self.component[member] = number as u32;
                self.recursive[member] =
                    members.len() > 1 || self.runs[member].contains(&ProcedureId(member as u32));
            }
            self.components.push(members.into_iter().map(ProcedureId).collect());
        }
    }
}
