//! Finds execute blocks that a restart may repeat a different number of times in each process.
//!
//! Input: the execute blocks of a procedure. Output: blocks that create a handle together with other processes, and whose runs
//! are distinguished only by values that may differ between the processes, and by values that come back.
//! Postcondition: a block is not in the result if all its runs have different captured values.

use crate::operators::Operator;
use crate::process_values::{memory, values_of_processes};
use crate::program::{Call, Callee, Directive, Expression, Item, OperationKind, ProcedureId, Site, Value};
use crate::replaced_runs::ReplacedRuns;
use crate::sets::{Bytes, Range};
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
        let first = varying.iter().find(|item| differs(item))?;
        let range = memory(first).iter().next()?;
        let captured: Vec<Bytes> = varying.iter().map(|item| memory(item)).collect();
        are_runs_unequal(summaries, &captured, &of_processes).then(|| UnequalRuns {
            begin,
            call,
            memory: range,
            text: first.text.clone(),
        })
    });
    found.collect()
}

/// Whether only values that may differ between the processes, and values that come back, distinguish the runs of a block.
/// `captured`: the memory of each captured value that may change.
pub fn are_runs_unequal(summaries: &Summaries, captured: &[Bytes], of_processes: &Bytes) -> bool {
    let differs = |memory: &Bytes| memory.iter().any(|range| of_processes.overlaps(range));
    // Another capture may have another value in each run.
    let may_distinguish = |memory: &Bytes| !differs(memory) && !has_few_values(summaries, memory);
    captured.iter().any(differs) && !captured.iter().any(may_distinguish)
}

/// Whether all values of the memory are constants, remainders or results of comparisons, so that they come back.
fn has_few_values(summaries: &Summaries, memory: &Bytes) -> bool {
    let places = &summaries.places;
    places.program.operations().all(|(site, operation)| {
        let effect = summaries.effect_at(site);
        let is_set = || places.concretize(&effect.writes).iter().any(|range| memory.overlaps(range));
        match &operation.kind {
            OperationKind::Write { value: Value::Affine(sum), .. } => sum.terms.is_empty() || !is_set(),
            OperationKind::Write { .. } => operation.computed.first().is_some_and(comes_back) || !is_set(),
            OperationKind::Call(_) | OperationKind::Opaque { .. } => !is_set(),
            OperationKind::Read(_)
            | OperationKind::Begin(_)
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Directive(_) => true,
        }
    })
}

fn comes_back(expression: &Expression) -> bool {
    match expression {
        Expression::Binary(operator, ..) => match operator {
            Operator::Compare(_) | Operator::And | Operator::Or | Operator::Remainder | Operator::Modulo => {
                true
            }
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Power
            | Operator::Minimum
            | Operator::Maximum
            | Operator::BitAnd
            | Operator::BitOr
            | Operator::BitXor
            | Operator::ShiftLeft
            | Operator::ShiftRight => false,
        },
        Expression::Not(_) => true,
        Expression::Negate(one) | Expression::NonNegative(one) => comes_back(one),
        Expression::Choice(all) => all[1..].iter().all(comes_back),
        Expression::Affine(sum) => sum.terms.is_empty(),
        Expression::Load(_)
        | Expression::Real(_)
        | Expression::RealFunction(..)
        | Expression::InputFile(_)
        | Expression::Text(_)
        | Expression::FirstElement(_)
        | Expression::Of(_)
        | Expression::Parts { .. }
        | Expression::Unknown => false,
    }
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
