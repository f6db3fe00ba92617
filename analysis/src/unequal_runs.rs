//! Finds execute blocks that a restart may repeat a different number of times in each process.
//!
//! Input: the execute blocks of a procedure. Output: blocks that create a handle together with other processes, and whose runs
//! are distinguished only by values that may differ between the processes.
//! Postcondition: values are followed through assignments and calls, and not through conditions.

use crate::effects::ResultEffect;
use crate::points_to::Target;
use crate::program::{
    Access, Affine, Argument, Call, Callee, Content, Directive, Expression, Item, OperationKind, ProcedureId,
    Site, Value,
};
use crate::replaced_runs::ReplacedRuns;
use crate::sets::{Bytes, Range, END};
use crate::summary::{add, Summaries};

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

/// Their results differ between the processes.
const OF_PROCESS: [&str; 3] = ["mpi_comm_rank", "mpi_group_rank", "mpi_cart_coords"];

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
            if let (Some(call), false) = (block.operations.iter().find(creates), varying.is_empty()) {
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

fn memory(summaries: &Summaries, access: &Access) -> Bytes {
    let mut bytes = Bytes::default();
    add(&mut bytes, &summaries.places.resolve(access, &mut Vec::new()));
    summaries.places.concretize(&bytes)
}

/// Memory with values that may differ between the processes, because they depend on the number of the process.
pub fn values_of_processes(summaries: &Summaries) -> Bytes {
    let program = summaries.places.program;
    let mut found = Bytes::default();
    // The memory only grows, so that this ends.
    loop {
        let before = found.clone();
        for (site, operation) in program.operations() {
            match &operation.kind {
                OperationKind::Write { to, value } => {
                    let is_in = of_value(summaries, value, &found)
                        || operation.computed.iter().any(|one| of_expression(summaries, one, &found));
                    if is_in {
                        found.add(&memory(summaries, to));
                    }
                }
                OperationKind::Call(call) => of_call(summaries, site, call, &mut found),
                OperationKind::Read(_)
                | OperationKind::Begin(_)
                | OperationKind::Allocate { .. }
                | OperationKind::Free(_)
                | OperationKind::Directive(_)
                | OperationKind::Opaque { .. } => {}
            }
        }
        if found == before {
            return found;
        }
    }
}

fn of_call(summaries: &Summaries, site: Site, call: &Call, found: &mut Bytes) {
    let places = &summaries.places;
    let value = |argument: &Argument, found: &Bytes| match argument {
        Argument::Value(value) => of_value(summaries, value, found),
        Argument::Reference(access) => overlaps(summaries, access, found),
        Argument::Absent => false,
    };
    for target in places.calls.targets(site) {
        match target {
            Target::Procedure(id) => {
                let callee = summaries.procedure(*id);
                for (argument, parameter) in call.arguments.iter().zip(&callee.parameters) {
                    let variable = &places.program.variables[parameter.0 as usize];
                    let is_reference = matches!(variable.content, Content::Reference { .. });
                    if !is_reference && value(argument, found) {
                        found.insert(places.range_of(*parameter));
                    }
                }
                if let (Some(result), Some(own)) = (&call.result, callee.result) {
                    if found.overlaps(places.range_of(own)) {
                        found.add(&memory(summaries, result));
                    }
                }
            }
            Target::Outside(name) => {
                let plain = name.rsplit('%').next().unwrap_or(name).to_ascii_lowercase();
                let plain = plain.strip_prefix('p').unwrap_or(&plain);
                if OF_PROCESS.iter().any(|known| plain.starts_with(known)) {
                    let effect = &summaries.effects_of(site.procedure)[site.block.0 as usize];
                    found.add(&places.concretize(&effect[site.operation as usize].writes));
                }
                let is_number = summaries
                    .effects
                    .effects(name)
                    .is_some_and(|effects| effects.result == ResultEffect::Data);
                if let (Some(result), true) = (&call.result, is_number) {
                    if call.arguments.iter().any(|argument| value(argument, found)) {
                        found.add(&memory(summaries, result));
                    }
                }
            }
            Target::Unknown => {}
        }
    }
}

fn overlaps(summaries: &Summaries, access: &Access, found: &Bytes) -> bool {
    let memory = memory(summaries, access);
    let is_in = memory.iter().any(|range| found.overlaps(range));
    is_in
}

fn of_value(summaries: &Summaries, value: &Value, found: &Bytes) -> bool {
    match value {
        Value::Copy(access) => overlaps(summaries, access, found),
        Value::Affine(number) => of_terms(summaries, number, found),
        Value::Data | Value::Address(_) | Value::Procedure(_) | Value::Null | Value::Unknown => false,
    }
}

fn of_terms(summaries: &Summaries, number: &Affine, found: &Bytes) -> bool {
    let places = &summaries.places;
    number.terms.iter().any(|(variable, _)| {
        let view = &places.program.variables[variable.0 as usize];
        match view.content {
            // The number is in the memory to which it refers.
            Content::Reference { .. } => {
                let target = places.target_of(*variable);
                let all = |memory| Bytes::from_range(Range { memory, start: 0, end: END });
                let known = target.map(|memory| places.concretize(&all(memory)));
                known.is_some_and(|bytes| bytes.iter().any(|range| found.overlaps(range)))
            }
            _ => found.overlaps(places.range_of(*variable)),
        }
    })
}

fn of_expression(summaries: &Summaries, expression: &Expression, found: &Bytes) -> bool {
    let inner = |one: &Expression| of_expression(summaries, one, found);
    match expression {
        Expression::Affine(number) => of_terms(summaries, number, found),
        Expression::Load(access) => overlaps(summaries, access, found),
        Expression::Negate(one) | Expression::Not(one) | Expression::NonNegative(one) => inner(one),
        Expression::Binary(_, left, right) => inner(left) || inner(right),
        Expression::Choice(all) => all.iter().any(inner),
        Expression::RealFunction(_, all) | Expression::Of(all) => all.iter().any(inner),
        Expression::Parts { parts, .. } => parts.iter().any(|part| inner(&part.1)),
        Expression::Real(_)
        | Expression::InputFile(_)
        | Expression::FirstElement(_)
        | Expression::Text(_)
        | Expression::Unknown => false,
    }
}
