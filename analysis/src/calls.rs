//! The graph of calls.
//!
//! Input: a program and its points-to sets. Output: what every call may run, the strongly connected
//! components bottom-up, and which procedures may be active more than once at a time.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

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
            let targets = points.callees(program, site, &call.callee);
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

    /// Tarjan's algorithm, with an explicit stack.
    fn find_components(&mut self) {
        const NONE: u32 = u32::MAX;
        let count = self.runs.len();
        let (mut index, mut low) = (vec![NONE; count], vec![0u32; count]);
        let mut on_stack = vec![false; count];
        let (mut stack, mut next) = (Vec::new(), 0);
        for root in 0..count {
            if index[root] != NONE {
                continue;
            }
            let mut work = vec![(root, 0)];
            while let Some((node, edge)) = work.last().copied() {
                if edge == 0 {
                    (index[node], low[node]) = (next, next);
                    next += 1;
                    stack.push(node);
                    on_stack[node] = true;
                }
                if let Some(to) = self.runs[node].get(edge).map(|id| id.0 as usize) {
                    if let Some(top) = work.last_mut() {
                        top.1 += 1;
                    }
                    if index[to] == NONE {
                        work.push((to, 0));
                    } else if on_stack[to] {
                        low[node] = low[node].min(index[to]);
                        self.recursive[node] |= to == node;
                    }
                    continue;
                }
                work.pop();
                if let Some(&(parent, _)) = work.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == index[node] {
                    self.close(node, &mut stack, &mut on_stack);
                }
            }
        }
    }

    fn close(&mut self, node: usize, stack: &mut Vec<usize>, on_stack: &mut [bool]) {
        let mut component = Vec::new();
        while let Some(member) = stack.pop() {
            on_stack[member] = false;
            component.push(ProcedureId(member as u32));
            if member == node {
                break;
            }
        }
        if component.len() > 1 {
            for member in &component {
                self.recursive[member.0 as usize] = true;
            }
        }
        for member in &component {
            self.component[member.0 as usize] = self.components.len() as u32;
        }
        component.sort_unstable();
        self.components.push(component);
    }
}
