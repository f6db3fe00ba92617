//! Finds the memory that is live at each checkpoint.
//!
//! Input: summaries. Output: for each checkpoint, the memory that is read later before it is certainly
//! written. This includes reads in the procedure, and reads in its callers after the return.
//! Postcondition: memory that is not in the result is not read before it is written.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{MemoryKind, Target};
use crate::problems::{Composed, Effect, Exposed};
use crate::program::{BlockId, Directive, EvaluationPlace, ProcedureId, Site};
use crate::sets::{Bytes, Range};
use crate::solver::solve;
use crate::summary::{Mark, Summaries};

#[derive(Debug, Default)]
pub struct Liveness {
    /// In the order of the program.
    pub checkpoints: Vec<(Site, Bytes)>,
    /// The memory that is live after each call that may reach a checkpoint.
    pub after_calls: FxHashMap<Site, Bytes>,
    /// The memory of the callers that is live after the return of a procedure.
    pub after_return: FxHashMap<ProcedureId, Bytes>,
}

/// The effects of the operations in procedures that lead to checkpoints and execute blocks, or that a restart enters for
/// their registers and that then evaluate sizes in heap memory.
pub type Instrumented = FxHashMap<ProcedureId, Rc<Vec<Vec<Effect>>>>;

pub fn instrumented(summaries: &Summaries) -> Instrumented {
    let all = (0..summaries.of.len() as u32).map(ProcedureId);
    let sized = leading_to_heap_sizes(summaries);
    all.filter(|&id| {
        summaries.may(id, Mark::Checkpoint) || summaries.may(id, Mark::Execute) || sized.contains(&id)
    })
    .map(|id| (id, summaries.effects_of(id).clone()))
    .collect()
}

/// The procedures with registers whose declarations read heap memory, and their callers.
fn leading_to_heap_sizes(summaries: &Summaries) -> FxHashSet<ProcedureId> {
    let mut found = FxHashSet::default();
    let all = (0..summaries.of.len() as u32).map(ProcedureId);
    let mut waiting: Vec<ProcedureId> = all
        .filter(|&id| summaries.may(id, Mark::Register) && !summaries.may(id, Mark::Checkpoint))
        .filter(|&id| has_heap_sizes(summaries, id))
        .collect();
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            let callers = summaries.places.calls.callers[id.0 as usize].iter();
            waiting.extend(callers.map(|site| site.procedure));
        }
    }
    found
}

fn has_heap_sizes(summaries: &Summaries, id: ProcedureId) -> bool {
    let procedure = summaries.procedure(id);
    let is_heap = |range: Range| {
        let concrete = summaries.places.concretize(&Bytes::from_range(range));
        let mut memories = concrete.iter().map(|range| range.memory);
        memories.any(|memory| matches!(summaries.places.points.kind(memory), MemoryKind::Heap(_)))
    };
    let at_entry = procedure.evaluations.iter().filter(|one| matches!(one.place, EvaluationPlace::Entry));
    at_entry.into_iter().any(|evaluation| {
        let read = procedure
            .operations(id)
            .filter(|(site, _)| evaluation.operations.contains(site.block, site.operation));
        read.into_iter().any(|(site, _)| summaries.effect_at(site).reads.iter().any(is_heap))
    })
}

/// The procedures that lead to checkpoints, callers first.
pub fn top_down(summaries: &Summaries, instrumented: &Instrumented) -> Vec<ProcedureId> {
    let components = summaries.places.calls.components.iter().rev().flatten().copied();
    components.filter(|id| instrumented.contains_key(id)).collect()
}

pub fn liveness(summaries: &Summaries, instrumented: &Instrumented) -> Liveness {
    let order = top_down(summaries, instrumented);
    let mut result = Liveness::default();
    loop {
        let mut changed = false;
        for &id in &order {
            changed |= procedure(summaries, instrumented, id, &mut result);
        }
        if !changed {
            break;
        }
        result.checkpoints.clear();
    }
    result.checkpoints.sort_by_key(|checkpoint| checkpoint.0);
    result.checkpoints.dedup_by_key(|checkpoint| checkpoint.0);
    result
}

/// Analyses one procedure. Returns whether an earlier procedure has to be analysed again.
fn procedure(
    summaries: &Summaries,
    instrumented: &Instrumented,
    id: ProcedureId,
    result: &mut Liveness,
) -> bool {
    let (procedure, effects) = (summaries.procedure(id), &instrumented[&id]);
    let blocks: Vec<_> = effects.iter().map(|effects| Composed::new(effects)).collect();
    let after = result.after_return.get(&id).cloned().unwrap_or_default();
    let solution = solve(procedure, &Exposed { procedure, blocks: &blocks, after: &after });
    let mut changed = false;
    for (at, block) in procedure.blocks.iter().enumerate() {
        let Some(mut live) = solution.entering[at].clone() else { continue };
        for (operation, content) in block.operations.iter().enumerate().rev() {
            let site = Site { procedure: id, block: BlockId(at as u32), operation: operation as u32 };
            if let Some(Directive::Checkpoint) = content.directive() {
                result.checkpoints.push((site, summaries.after_checkpoint(&live)));
            }
            if let Some(call) = content.call() {
                let mut live = live.clone();
                if let Some(result) = &call.result {
                    let places = summaries.places.resolve(result, &mut Vec::new());
                    if let Some(range) = summaries.places.certain(&places) {
                        live.remove(range);
                    }
                }
                let callees: Vec<_> = callees(summaries, instrumented, site).collect();
                if !callees.is_empty() {
                    let concrete = summaries.places.concretize(&live);
                    for callee in callees {
                        changed |= result.after_return.entry(callee).or_default().add(&concrete)
                            && summaries.places.calls.recursive(callee);
                    }
                    result.after_calls.insert(site, live);
                }
            }
            effects[at][operation].before(&mut live);
        }
    }
    changed
}

/// The procedures that lead to a checkpoint and that a call may run.
pub fn callees<'a>(
    summaries: &'a Summaries,
    instrumented: &'a Instrumented,
    site: Site,
) -> impl Iterator<Item = ProcedureId> + 'a {
    summaries.places.calls.targets(site).iter().filter_map(|target| match target {
        Target::Procedure(id) => instrumented.contains_key(id).then_some(*id),
        Target::Outside(_) | Target::Unknown => None,
    })
}
