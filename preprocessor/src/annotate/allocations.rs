//! The calls that allocate and free memory.
//!
//! Input: a program with its analysis.
//! Output: the calls from which the program gets memory, and those that free it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cppc_analysis::check::Analysis;
use cppc_analysis::program::{Access, Argument, Callee, ProcedureId, Program, Site, Value};
use cppc_source::Span;

/// The calls from which the program gets the memory that the call `site` allocates: this call, or the calls of the
/// procedures that return the memory. Each call is visited once, also in a recursion.
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
        if !*passes.entry(site.procedure).or_insert_with(|| returns_it(site.procedure)) {
            received.push(site);
            continue;
        }
        let callers = &places.calls.callers[site.procedure.0 as usize];
        waiting.extend(callers.iter().copied().filter(|caller| seen.insert(*caller)));
    }
    received
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
