//! What usual runs assume about messages: at a checkpoint, no request is open, and a message fills the memory of its receive.
//!
//! Input: a program, and the memory that accesses denote. Output: the memory for which this must not be assumed.
//! Postcondition: memory that is not in the result has values only from messages, or requests only from calls that start
//! communications. If such a message does not come, the memory has no value that the program could need. Whether a request
//! is open at a checkpoint is checked elsewhere (`communications`).

use crate::access_ranges::AccessRanges;
use crate::effects::{Effects, Extent, ParameterEffect};
use crate::points_to::Target;
use crate::problems::{execute_after, execute_blocks};
use crate::program::{Access, BlockId, Call, OperationKind, ProcedureId, Site, Value};
use crate::sets::{Bytes, Range, END};

/// The kind of handle that a nonblocking call creates.
pub const REQUEST: &str = "request";

/// Whether the argument is requests that the call completes. A request that is not open has no effect. Persistent requests
/// are read when they are started.
pub fn is_completed(known: &ParameterEffect) -> bool {
    known.ends && known.uses.as_deref() == Some(REQUEST)
}

/// Memory that is set in other ways, outside of execute blocks.
#[derive(Debug, Default)]
pub struct Assigned {
    /// By assignments, input, copies.
    data: Bytes,
    /// The same with values that may be requests: a computed number is none.
    requests: Bytes,
}

impl Assigned {
    pub fn new(places: &AccessRanges, effects: &dyn Effects) -> Assigned {
        let mut assigned = Assigned::default();
        for (number, procedure) in places.program.procedures.iter().enumerate() {
            for (block, mut execute) in execute_blocks(procedure).into_iter().enumerate() {
                for (at, operation) in procedure.blocks[block].operations.iter().enumerate() {
                    execute = execute_after(execute, &operation.kind);
                    let (procedure, block) = (ProcedureId(number as u32), BlockId(block as u32));
                    let site = Site { procedure, block, operation: at as u32 };
                    if execute.is_none() {
                        assigned.add(places, effects, site, &operation.kind);
                    }
                }
            }
        }
        assigned.data.add(&assigned.requests);
        Assigned { data: places.concretize(&assigned.data), requests: places.concretize(&assigned.requests) }
    }

    fn add(&mut self, places: &AccessRanges, effects: &dyn Effects, site: Site, kind: &OperationKind) {
        let set = |access: &Access, into: &mut Bytes| {
            let set = places.resolve(access, &mut Vec::new());
            set.iter().for_each(|place| into.insert(place.range));
        };
        match kind {
            OperationKind::Write { to, value } => match value {
                Value::Data => set(to, &mut self.data),
                Value::Affine(value) if value.as_constant().is_none() => set(to, &mut self.data),
                Value::Affine(_)
                | Value::Copy(_)
                | Value::Address(_)
                | Value::Procedure(_)
                | Value::Null
                | Value::Unknown => set(to, &mut self.requests),
            },
            OperationKind::Allocate { to, .. } => set(to, &mut self.data),
            OperationKind::Call(call) => {
                call.result.iter().for_each(|result| set(result, &mut self.requests));
                by_call(places, effects, site, call, &mut self.requests);
            }
            OperationKind::Read(_)
            | OperationKind::Begin(_)
            | OperationKind::Free(_)
            | OperationKind::Directive(_)
            | OperationKind::Opaque { .. } => {}
        }
    }

    pub fn is_data(&self, places: &AccessRanges, range: Range) -> bool {
        overlaps(places, range, &self.data)
    }

    pub fn is_request(&self, places: &AccessRanges, range: Range) -> bool {
        overlaps(places, range, &self.requests)
    }
}

fn overlaps(places: &AccessRanges, range: Range, set: &Bytes) -> bool {
    let concrete = places.concretize(&Bytes::from_range(range));
    let overlaps = concrete.iter().any(|range| set.overlaps(range));
    overlaps
}

fn by_call(places: &AccessRanges, effects: &dyn Effects, site: Site, call: &Call, assigned: &mut Bytes) {
    for target in places.calls.targets(site) {
        let known = match target {
            Target::Procedure(_) => continue,
            Target::Outside(name) => effects.effects(name),
            Target::Unknown => None,
        };
        for (number, argument) in call.arguments.iter().enumerate() {
            let sets = known.is_none_or(|known| {
                let parameter = known.parameter(number);
                let starts = parameter.creates.as_deref() == Some(REQUEST);
                let receives = parameter.receives != Extent::Nothing;
                parameter.writes != Extent::Nothing && !starts && !receives && !is_completed(parameter)
            });
            if sets {
                let set = places.behind_argument(argument, 0, END);
                set.iter().for_each(|place| assigned.insert(place.range));
            }
        }
    }
}
