//! The loops in which a program spends its time.
//!
//! Input: the costs, and whether a checkpoint can be placed in a loop.
//! Output: what was decided for each loop.
//! Postcondition: a loop that is chosen is in no other loop that is chosen, on the path on which it was found.

use std::collections::BTreeMap;

use super::{Costs, Iterations, LoopNumber};
use crate::program::{BlockId, ProcedureId};

/// The least share of the work of a program for which a loop gets a checkpoint. It corresponds to h(l) = 1.
pub const LEAST_SHARE: f64 = 0.1;

/// A loop with fewer iterations gives way to a loop in it that does nearly all its work.
pub const FEW_ITERATIONS: f64 = 4.0;
const NEARLY_ALL: f64 = 0.8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Chosen,
    /// It has enough work, but no checkpoint can be placed.
    NotPossible,
    RunsOnce,
    /// In a program with messages, another loop that does similar work has messages.
    NoMessages,
    /// The runtime is not started, or it is ended.
    NotStarted,
    /// A loop in it has a checkpoint.
    FewIterations,
}

/// One visit of the program: each loop with the share that it has on the path from the main program.
struct Visit<'a, 'p> {
    costs: &'a Costs<'p>,
    total: f64,
    is_possible: &'a mut dyn FnMut(LoopNumber) -> bool,
    decisions: BTreeMap<LoopNumber, Decision>,
    active: Vec<ProcedureId>,
}

impl Costs<'_> {
    /// Decides for each loop with a sufficient share of the work. `is_possible` is called for those that are suitable, once.
    pub fn select(&self, is_possible: &mut dyn FnMut(LoopNumber) -> bool) -> BTreeMap<LoopNumber, Decision> {
        let mut visit = Visit {
            costs: self,
            total: self.total(),
            is_possible,
            decisions: BTreeMap::new(),
            active: Vec::new(),
        };
        if let Some(main) = self.main() {
            visit.procedure(main, 1.0, LEAST_SHARE);
        }
        visit.decisions
    }
}

/// A loop with messages does similar work if its share is at least this part.
const SIMILAR: f64 = 0.1;

impl Costs<'_> {
    /// The loops without messages that give way to one with messages: set-up and verification.
    pub fn without_messages(&self, decisions: &BTreeMap<LoopNumber, Decision>) -> Vec<LoopNumber> {
        let selected = |number: &LoopNumber| {
            matches!(decisions.get(number), Some(Decision::Chosen | Decision::NotPossible))
        };
        let loops: Vec<_> = self.loops().into_iter().filter(|found| selected(&found.loop_number)).collect();
        let (with, without): (Vec<_>, Vec<_>) =
            loops.into_iter().partition(|found| self.has_messages(found.loop_number));
        let most = with.iter().map(|found| found.share).fold(0.0, f64::max);
        let gives_way = without.iter().filter(|found| most >= SIMILAR * found.share);
        gives_way.map(|found| found.loop_number).collect()
    }
}

impl Visit<'_, '_> {
    /// Returns whether a loop was chosen. `times`: how often the procedure runs on this path.
    fn procedure(&mut self, id: ProcedureId, times: f64, least: f64) -> bool {
        if times * self.costs.of_calls[id.0 as usize] / self.total < least || self.active.contains(&id) {
            return false;
        }
        self.active.push(id);
        let found = self.part(id, None, times, least);
        self.active.pop();
        found
    }

    /// The loops and the calls that are directly in a loop, or in no loop.
    fn part(&mut self, id: ProcedureId, around: Option<usize>, times: f64, least: f64) -> bool {
        let costs = self.costs;
        let flow = &costs.flows[id.0 as usize];
        let mut found = false;
        for number in 0..flow.shape.loops.len() {
            let share = times * flow.work_of_loop(number) / self.total;
            if flow.shape.loops[number].parent == around && share >= least {
                found |= self.one_loop(id, number, times, least, share);
            }
        }
        for block in (0..flow.work.len() as u32).map(BlockId) {
            let is_here = flow.shape.innermost[block.0 as usize] == around && flow.shape.is_reached(block);
            if is_here && flow.is_started(block) {
                let times = times * flow.frequency[block.0 as usize];
                for callee in costs.call_sites(id, block).flat_map(|site| costs.callees(site)) {
                    found |= self.procedure(callee, times, least);
                }
            }
        }
        found
    }

    fn one_loop(&mut self, id: ProcedureId, natural: usize, times: f64, least: f64, share: f64) -> bool {
        let flow = &self.costs.flows[id.0 as usize];
        let Some(number) = flow.statements.iter().position(|&found| found == Some(natural)) else {
            // A loop of jumps has no body.
            return self.part(id, Some(natural), times, least);
        };
        let number = LoopNumber { procedure: id, number };
        if !flow.is_started(flow.shape.loops[natural].head) {
            self.decisions.insert(number, Decision::NotStarted);
            return false;
        }
        match flow.iterations[natural] {
            Iterations::Known(iterations) if iterations <= 1.0 => {
                self.decisions.insert(number, Decision::RunsOnce);
                return self.part(id, Some(natural), times, least);
            }
            Iterations::Known(iterations) if iterations < FEW_ITERATIONS => {
                if self.part(id, Some(natural), times, least.max(NEARLY_ALL * share)) {
                    self.decisions.insert(number, Decision::FewIterations);
                    return true;
                }
            }
            Iterations::Known(_) | Iterations::Assumed(_) => {}
        }
        let decision = match self.decisions.get(&number) {
            Some(decision) => *decision,
            None if (self.is_possible)(number) => Decision::Chosen,
            None => Decision::NotPossible,
        };
        self.decisions.insert(number, decision);
        decision == Decision::Chosen
    }
}
