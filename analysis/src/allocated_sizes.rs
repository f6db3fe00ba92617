//! The sizes of allocations and registers in variables of callers.
//!
//! Input: an operation that allocates memory, or the size of a register. Output: the size in variables of the procedure that
//! determines it.
//! Postcondition: a parameter is followed only if the procedure has one caller.

use crate::effects::{Extent, ResultEffect};
use crate::points_to::Target;
use crate::program::{Affine, Argument, Call, OperationKind, ProcedureId, Site, Value, VariableId};
use crate::summary::Summaries;

/// The most calls through which a size is followed.
const MOST_CALLS: usize = 8;

/// The number of bytes that the operation allocates, in variables of a caller if the size is passed.
pub fn allocated_bytes(summaries: &Summaries, site: Site) -> Option<Affine> {
    let program = summaries.places.program;
    let mut bytes = match &program.operation(site).kind {
        OperationKind::Allocate { bytes, .. } => bytes.clone()?,
        OperationKind::Call(call) => result_bytes(summaries, site, call)?,
        OperationKind::Read(_)
        | OperationKind::Write { .. }
        | OperationKind::Begin(_)
        | OperationKind::Free(_)
        | OperationKind::Directive(_)
        | OperationKind::Opaque { .. } => return None,
    };
    let mut procedure = site.procedure;
    for _ in 0..MOST_CALLS {
        let Some((caller, passed)) = in_caller(summaries, procedure, &bytes)? else { break };
        (procedure, bytes) = (caller, passed);
    }
    Some(bytes)
}

/// The number of bytes of a register, in variables of a caller. None if no parameter is passed on, or if a parameter changes.
pub fn passed_bytes(summaries: &Summaries, site: Site, bytes: &Affine) -> Option<Affine> {
    let (mut procedure, mut bytes, mut is_passed) = (site.procedure, bytes.clone(), false);
    for _ in 0..MOST_CALLS {
        let Some((caller, passed)) = in_caller(summaries, procedure, &bytes)? else { break };
        (procedure, bytes, is_passed) = (caller, passed, true);
    }
    is_passed.then_some(bytes)
}

/// The size in variables of the only caller. `Some(None)`: it uses no parameter. None if it uses one that the procedure changes.
fn in_caller(
    summaries: &Summaries,
    procedure: ProcedureId,
    bytes: &Affine,
) -> Option<Option<(ProcedureId, Affine)>> {
    let parameters = &summaries.procedure(procedure).parameters;
    if !parameters.iter().any(|parameter| bytes.uses(*parameter)) {
        return Some(None);
    }
    let effects = summaries.effects_of(procedure);
    let is_set = |parameter: &VariableId| {
        let own = summaries.places.range_of(*parameter);
        bytes.uses(*parameter) && effects.iter().flatten().any(|effect| effect.writes.overlaps(own))
    };
    if parameters.iter().any(is_set) {
        return None;
    }
    let [caller] = summaries.places.calls.callers[procedure.0 as usize][..] else { return None };
    let call = summaries.places.program.operation(caller).call()?;
    let mut passed = bytes.clone();
    for (number, parameter) in parameters.iter().enumerate() {
        if passed.uses(*parameter) {
            passed = passed.substitute(*parameter, value(call, number)?)?;
        }
    }
    Some(Some((caller.procedure, passed)))
}

fn result_bytes(summaries: &Summaries, site: Site, call: &Call) -> Option<Affine> {
    let [Target::Outside(name)] = summaries.places.calls.targets(site) else { return None };
    let ResultEffect::Allocates { bytes, .. } = &summaries.effects.effects(name)?.result else { return None };
    match bytes {
        Extent::Bytes(bytes) => i64::try_from(*bytes).ok().map(Affine::constant),
        Extent::Product { arguments, factor } => {
            let mut product = Affine::constant(i64::try_from(*factor).ok()?);
            for &argument in arguments {
                product = product.multiply(value(call, argument)?)?;
            }
            Some(product)
        }
        Extent::Nothing | Extent::Any | Extent::All | Extent::Datatypes { .. } => None,
    }
}

fn value(call: &Call, number: usize) -> Option<&Affine> {
    match call.arguments.get(number) {
        Some(Argument::Value(Value::Affine(value))) => Some(value),
        Some(_) | None => None,
    }
}
