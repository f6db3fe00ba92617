//! The places whose effects are not known. There, the analyses assume the worst.
//!
//! Input: the calls of a program and the effects of procedures without source.
//! Output: these places, in the order of the program.
//! Postcondition: each procedure without source and without effects is listed once.

use std::collections::BTreeSet;

use crate::points_to::Target;
use crate::program::{OperationKind, Site};
use crate::summary::Summaries;

/// A place whose effects are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPlace {
    pub site: Site,
    pub what: UnknownEffects,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnknownEffects {
    /// A call of a procedure without source and without an entry in the catalogue, and the number of its arguments.
    Procedure { name: String, arguments: usize },
    /// A call through a pointer that may point to any procedure.
    Pointer,
    /// A construct that is not understood. The text names it.
    Construct(&'static str),
}

/// The places of a program, the first call of each procedure. Procedures that `main` cannot reach do not count: headers
/// define many.
pub fn unknown_places(summaries: &Summaries) -> Vec<UnknownPlace> {
    let program = summaries.places.program;
    let reached = reached(summaries);
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    for (id, procedure) in (0u32..).map(crate::program::ProcedureId).zip(&program.procedures) {
        if !reached[id.0 as usize] {
            continue;
        }
        for (site, operation) in procedure.operations(id) {
            match &operation.kind {
                OperationKind::Opaque { reason, .. } => {
                    places.push(UnknownPlace { site, what: UnknownEffects::Construct(reason) });
                }
                OperationKind::Call(call) => {
                    for target in summaries.places.calls.targets(site) {
                        let what = match target {
                            Target::Outside(name) if summaries.effects.effects(name).is_none() => {
                                let arguments = call.arguments.len();
                                UnknownEffects::Procedure { name: name.to_string(), arguments }
                            }
                            Target::Unknown => UnknownEffects::Pointer,
                            Target::Outside(_) | Target::Procedure(_) => continue,
                        };
                        let is_new = match &what {
                            UnknownEffects::Procedure { name, .. } => seen.insert(name.clone()),
                            UnknownEffects::Pointer | UnknownEffects::Construct(_) => true,
                        };
                        if is_new {
                            places.push(UnknownPlace { site, what });
                        }
                    }
                }
                OperationKind::Read(_)
                | OperationKind::Write { .. }
                | OperationKind::Begin(_)
                | OperationKind::Allocate { .. }
                | OperationKind::Free(_)
                | OperationKind::Directive(_) => {}
            }
        }
    }
    places
}

/// For each procedure, whether `main` may run it. Without `main`, each may run.
fn reached(summaries: &Summaries) -> Vec<bool> {
    let procedures = &summaries.places.program.procedures;
    let mut waiting: Vec<usize> = (0..procedures.len()).filter(|&number| procedures[number].main).collect();
    let mut reached = vec![waiting.is_empty(); procedures.len()];
    while let Some(number) = waiting.pop() {
        if !std::mem::replace(&mut reached[number], true) {
            waiting.extend(summaries.places.calls.runs[number].iter().map(|id| id.0 as usize));
        }
    }
    reached
}
