//! The calls that allocate and free memory.
//!
//! Input: a program with its analysis.
//! Output: the calls from which the program gets memory, and those that free it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cppc_analysis::check::Analysis;
use cppc_analysis::handles::copied;
use cppc_analysis::program::{
    Access, Argument, Call, Callee, Lifetime, OperationKind, ProcedureId, Program, Site, Step, Value,
};
use cppc_source::Span;

/// The calls from which the program gets the memory that the call `site` allocates: this call, or the calls of the
/// procedures that return the memory, unless they also keep it. Each call is visited once, also in a recursion.
pub(super) fn receiving(analysis: &Analysis, site: Site) -> Vec<Site> {
    let places = &analysis.summaries.places;
    let Some(memory) = places.points.heap(site) else { return vec![site] };
    let returns_it = |id: ProcedureId| {
        let result = places.program.procedures[id.0 as usize].result;
        result.is_some_and(|result| {
            let result = &places.program.variables[result.0 as usize];
            places.points.may_point_to(result.object.into(), result.offset, memory)
        })
    };
    let mut passes: BTreeMap<ProcedureId, bool> = BTreeMap::new();
    let (mut received, mut seen) = (Vec::new(), BTreeSet::from([site]));
    let mut waiting = VecDeque::from([site]);
    while let Some(site) = waiting.pop_front() {
        let is_returned = *passes.entry(site.procedure).or_insert_with(|| returns_it(site.procedure));
        if !is_returned || is_kept(places.program, site) {
            received.push(site);
            continue;
        }
        let callers = &places.calls.callers[site.procedure.0 as usize];
        waiting.extend(callers.iter().copied().filter(|caller| seen.insert(*caller)));
    }
    received
}

/// Whether a pointer that exists after the procedure has returned gets the result of a call.
fn is_kept(program: &Program, site: Site) -> bool {
    let pointer = program.operation(site).call().and_then(|call| receiver(program, site, call));
    pointer.is_some_and(|pointer| {
        let object = program.variables[pointer.root.0 as usize].object;
        let is_static = program.objects[object.0 as usize].lifetime == Lifetime::Static;
        is_static || pointer.path.contains(&Step::Dereference)
    })
}

/// What gets the result of a call, also through a temporary.
pub(super) fn receiver(program: &Program, site: Site, call: &Call) -> Option<Access> {
    let result = call.result.as_ref()?;
    if program.variables[result.root.0 as usize].declared.is_some() {
        return Some(result.clone());
    }
    let block = &program.procedures[site.procedure.0 as usize].blocks[site.block.0 as usize];
    block.operations[site.operation as usize + 1..].iter().find_map(|operation| match &operation.kind {
        OperationKind::Write { to, value } => {
            let from = copied(value, program)?;
            (from.root == result.root).then(|| to.clone())
        }
        _ => None,
    })
}

/// The calls that free memory, with the pointers to it.
pub(super) fn freeing(analysis: &Analysis, program: &Program) -> Vec<(Site, Span, Access)> {
    let mut found = Vec::new();
    for (site, at, call) in program.calls() {
        let Callee::Named(name) = &call.callee else { continue };
        let Some(effects) = analysis.summaries.effects.effects(name) else { continue };
        for (effect, argument) in effects.parameters.iter().zip(&call.arguments) {
            if let (true, Argument::Value(Value::Copy(freed))) = (effect.frees, argument) {
                found.push((site, at, freed.clone()));
            }
        }
    }
    found
}
