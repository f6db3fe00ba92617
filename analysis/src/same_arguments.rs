//! Whether all calls of a procedure pass the same pointer.
//!
//! Input: a procedure and the number of a parameter. Output: whether the parameter has one value in the program.
//! Postcondition: if so, all calls pass the same name without an index, and no statement that may run again sets it.

use crate::access_ranges::AccessRanges;
use crate::instances::cycles;
use crate::points_to::MemoryKind;
use crate::program::{Access, Argument, ProcedureId, Site, Step, Value};
use crate::sets::Bytes;
use crate::solver::Graph;
use crate::summary::Summaries;

/// How many procedures pass on the pointer.
const DEPTH_LIMIT: u32 = 6;

pub fn is_same_in_all_calls(summaries: &Summaries, id: ProcedureId, parameter: u32) -> bool {
    if let Some(known) = summaries.same_arguments.borrow().get(&(id, parameter)) {
        return *known;
    }
    let found = is_same(summaries, id, parameter, 0);
    summaries.same_arguments.borrow_mut().insert((id, parameter), found);
    found
}

fn is_same(summaries: &Summaries, id: ProcedureId, parameter: u32, depth: u32) -> bool {
    let (places, callers) = (&summaries.places, &summaries.places.calls.callers[id.0 as usize]);
    if depth >= DEPTH_LIMIT || places.calls.recursive(id) {
        return false;
    }
    let mut known: Option<&Access> = None;
    callers.iter().all(|&caller| {
        let call = places.program.operation(caller).call();
        let Some((access, is_value)) = call.and_then(|call| passed(call.arguments.get(parameter as usize)?))
        else {
            return false;
        };
        let first = *known.get_or_insert(access);
        (first.root, &first.path) == (access.root, &access.path)
            && match passed_on(summaries, caller, access) {
                Some(number) => {
                    !is_set_in_loop(summaries, caller, &pointers(places, access, is_value))
                        && is_same(summaries, caller.procedure, number, depth + 1)
                }
                None => !is_set_again(summaries, &pointers(places, access, is_value)),
            }
    })
}

/// The access of an argument without an index, and whether the argument is the pointer in this memory.
fn passed(argument: &Argument) -> Option<(&Access, bool)> {
    let (access, is_value) = match argument {
        Argument::Value(Value::Copy(access)) => (access, true),
        Argument::Value(Value::Address(access)) | Argument::Reference(access) => (access, false),
        Argument::Value(_) | Argument::Absent => return None,
    };
    let has_index = access.path.iter().any(|step| matches!(step, Step::Elements(_)));
    (!has_index).then_some((access, is_value))
}

/// The memory that determines the pointer.
fn pointers(places: &AccessRanges, access: &Access, is_value: bool) -> Bytes {
    let mut pointers = Vec::new();
    let own = places.resolve(access, &mut pointers);
    pointers.extend(own.into_iter().filter(|_| is_value));
    places.concretize(&pointers.iter().map(|place| place.range).collect())
}

fn is_set_in_loop(summaries: &Summaries, caller: Site, pointers: &Bytes) -> bool {
    let procedure = summaries.procedure(caller.procedure);
    let cycles = cycles(&Graph::new(procedure));
    let Some(cycle) = cycles[caller.block.0 as usize] else { return false };
    let effects = summaries.effects_of(caller.procedure);
    let inside = (0..procedure.blocks.len()).filter(|block| cycles[*block] == Some(cycle));
    inside.into_iter().any(|block| {
        effects[block].iter().any(|effect| {
            let writes = summaries.places.concretize(&effect.writes);
            let is_set = pointers.iter().any(|range| writes.overlaps(range));
            is_set
        })
    })
}

/// Whether a statement that may run more than once sets one of the pointers.
fn is_set_again(summaries: &Summaries, pointers: &Bytes) -> bool {
    let program = summaries.places.program;
    !pointers.is_empty()
        && program.operations().any(|(site, _)| {
            let effect = summaries.effect_at(site);
            let writes = summaries.places.concretize(&effect.writes);
            let is_set = pointers.iter().any(|range| writes.overlaps(range));
            is_set && summaries.may_repeat(site)
        })
}

/// The parameter of the caller that the access begins with.
fn passed_on(summaries: &Summaries, caller: Site, access: &Access) -> Option<u32> {
    let parameters = &summaries.procedure(caller.procedure).parameters;
    parameters.iter().position(|one| *one == access.root).map(|number| number as u32)
}

/// The parameter of the procedure to whose target the memory belongs.
pub fn parameter_of(places: &AccessRanges, id: ProcedureId, memory: crate::sets::Memory) -> Option<u32> {
    match *places.points.kind(memory) {
        MemoryKind::Target { procedure, parameter } if procedure == id => Some(parameter),
        MemoryKind::Target { .. }
        | MemoryKind::Object
        | MemoryKind::Heap(_)
        | MemoryKind::Code(..)
        | MemoryKind::Library
        | MemoryKind::Unknown => None,
    }
}
