//! Finds execute blocks that a restart may repeat a different number of times in each process.
//!
//! Input: the execute blocks of a procedure. Output: blocks that create a handle together with other processes, and whose runs
//! are distinguished only by values that may differ between the processes.
//! Postcondition: a block is not in the result if all its runs have different captured values.

use crate::process_values::{memory, values_of_processes};
use crate::program::{Call, Callee, Directive, Item, ProcedureId, Site};
use crate::replaced_runs::ReplacedRuns;
use crate::sets::Range;
use crate::summary::Summaries;

/// A block whose number of runs may differ.
#[derive(Debug, Clone)]
pub struct UnequalRuns {
    pub begin: Site,
    /// The call that creates the handle.
    pub call: Site,
    pub memory: Range,
    pub text: String,
}

/// Handles that several processes create together.
const COLLECTIVE: [&str; 2] = ["communicator", "window"];

pub fn unequal_runs(summaries: &Summaries, runs: &ReplacedRuns, ids: &[ProcedureId]) -> Vec<UnequalRuns> {
    let mut candidates = Vec::new();
    for &id in ids {
        for block in runs.blocks_of(id) {
            let begin = block.operations[0];
            let operation = summaries.places.program.operation(begin);
            let Some(Directive::BeginExecute { captures, .. }) = operation.directive() else { continue };
            let varying: Vec<&Item> =
                captures.iter().filter(|item| runs.values.may_change(begin, &item.memory)).collect();
            let creates = |site: &&Site| creates_together(summaries, **site);
            let is_equal =
                varying.is_empty() || runs.values.differ(begin, captures.iter().map(|item| &item.memory));
            if let (Some(call), false) = (block.operations.iter().find(creates), is_equal) {
                candidates.push((begin, *call, varying));
            }
        }
    }
    if candidates.is_empty() {
        return Vec::new();
    }
    let of_processes = values_of_processes(summaries);
    let found = candidates.into_iter().filter_map(|(begin, call, varying)| {
        let memory = |item: &Item| memory(summaries, &item.memory);
        let differs = |item: &&Item| memory(item).iter().any(|range| of_processes.overlaps(range));
        let first = varying.first()?;
        let range = memory(first).iter().next()?;
        let all = varying.iter().all(differs);
        all.then(|| UnequalRuns { begin, call, memory: range, text: first.text.clone() })
    });
    found.collect()
}

/// Whether several processes create such a handle together.
pub fn is_collective(kind: &str) -> bool {
    COLLECTIVE.contains(&kind)
}

fn creates_together(summaries: &Summaries, site: Site) -> bool {
    let call = summaries.places.program.operation(site).call();
    let Some(Call { callee: Callee::Named(name), .. }) = call else { return false };
    let effects = summaries.effects.effects(name);
    effects.is_some_and(|effects| {
        let mut kinds = effects.parameters.iter().filter_map(|effect| effect.creates.as_deref());
        kinds.any(is_collective)
    })
}
