//! Handles that a restart does not create again: open files, communicators, requests.
//!
//! Input: summaries, and the memory that is live and lost at each checkpoint.
//! Output: for each checkpoint, memory with a handle that is live there and that was created outside of execute
//! blocks.
//! Postcondition: a handle is followed through copies, arguments and results. A unit of Fortran is identified
//! by its number, or by the variable that contains it.

use crate::effects::ResultEffect;
use crate::live::Liveness;
use crate::messages::REQUEST;
use crate::points_to::Target;
use crate::problems::Effect;
use crate::program::{
    Access, Affine, Argument, Call, Content, OperationKind, ProcedureId, Program, Site, Value,
};
use crate::restored::Restored;
use crate::sets::{Bytes, Range};
use crate::summary::Summaries;
use crate::units::UNIT;

/// A handle that is live at a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LostHandle {
    pub checkpoint: Site,
    pub range: Range,
    /// It may only be a request of one communication, which ends with `MPI_Wait` or a similar call.
    pub is_request: bool,
}

/// The maximum number of rounds in which copies are followed.
const ROUNDS: usize = 8;

pub fn lost_handles(summaries: &Summaries, liveness: &Liveness, restored: &Restored) -> Vec<LostHandle> {
    let all = handles(summaries, Created::OutsideOfBlocks);
    let lasting = handles(summaries, Created::LastingOutsideOfBlocks);
    let mut found = Vec::new();
    for (checkpoint, live) in &liveness.checkpoints {
        let Some(point) = restored.points.get(checkpoint) else { continue };
        let live = summaries.places.concretize(live);
        let lost = summaries.places.concretize(&point.lost);
        for range in live.intersect(&lost).intersect(&all).iter() {
            let is_request = !lasting.overlaps(range);
            found.push(LostHandle { checkpoint: *checkpoint, range, is_request });
        }
    }
    found
}

/// Which handles are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    Anywhere,
    OutsideOfBlocks,
    /// As before, without requests of one communication.
    LastingOutsideOfBlocks,
}

/// Memory that may have a handle.
pub fn handles(summaries: &Summaries, created: Created) -> Bytes {
    let program = summaries.places.program;
    let mut handles = Bytes::from_range(summaries.units.all());
    // A copy outside of blocks is lost, wherever the handle was created.
    let copied_from = match created {
        Created::Anywhere => None,
        Created::OutsideOfBlocks | Created::LastingOutsideOfBlocks => {
            Some(self::handles(summaries, Created::Anywhere))
        }
    };
    let procedures = (0..program.procedures.len() as u32).map(ProcedureId);
    let effects: Vec<&[Vec<Effect>]> = procedures.map(|id| summaries.effects_of(id).as_slice()).collect();
    for _ in 0..ROUNDS {
        let before = handles.clone();
        for (site, operation) in program.operations() {
            let effects = &effects[site.procedure.0 as usize][site.block.0 as usize];
            let is_in_block = effects[site.operation as usize].lost.is_empty();
            if is_in_block && created != Created::Anywhere {
                continue;
            }
            if let OperationKind::Write { to, value } = &operation.kind {
                let from = copied_from.as_ref().unwrap_or(&handles);
                if copied(value, program).is_some_and(|copied| is_in(summaries, &copied, from)) {
                    add(summaries, to, &mut handles);
                }
            }
            if let Some(call) = operation.call() {
                from_call(summaries, site, call, created, &mut handles);
            }
        }
        if handles == before {
            break;
        }
    }
    handles
}

/// Memory that may have one of the handles that some memory has.
pub fn copies(summaries: &Summaries, mut handles: Bytes) -> Bytes {
    for _ in 0..ROUNDS {
        let before = handles.clone();
        for (site, operation) in summaries.places.program.operations() {
            if let OperationKind::Write { to, value } = &operation.kind {
                let copied = copied(value, summaries.places.program);
                if copied.is_some_and(|copied| is_in(summaries, &copied, &handles)) {
                    add(summaries, to, &mut handles);
                }
            }
            let Some(call) = operation.call() else { continue };
            for target in summaries.places.calls.targets(site) {
                if let Target::Procedure(id) = target {
                    passed(summaries, call, *id, &mut handles);
                }
            }
        }
        if handles == before {
            break;
        }
    }
    handles
}

/// Whether an argument is one of the handles.
pub fn argument_is_in(summaries: &Summaries, argument: &Argument, handles: &Bytes) -> bool {
    let Argument::Value(value) = argument else { return false };
    let from = copied(value, summaries.places.program);
    from.is_some_and(|from| is_in(summaries, &from, handles))
}

/// What a value is a copy of. A descriptor is a number.
pub fn copied(value: &Value, program: &Program) -> Option<Access> {
    match value {
        Value::Copy(access) => Some(access.clone()),
        Value::Affine(Affine { constant: 0, terms }) => {
            let [(root, 1)] = terms[..] else { return None };
            let variable = &program.variables[root.0 as usize];
            if let Content::Reference { .. } = variable.content {
                return None;
            }
            Some(Access {
                root,
                path: Vec::new(),
                size: variable.size,
                content: variable.content.clone(),
                text: variable.name.clone(),
            })
        }
        Value::Affine(_)
        | Value::Data
        | Value::Address(_)
        | Value::Procedure(_)
        | Value::Null
        | Value::Unknown => None,
    }
}

pub fn is_in(summaries: &Summaries, access: &Access, handles: &Bytes) -> bool {
    let places = summaries.places.resolve(access, &mut Vec::new());
    places.iter().any(|place| {
        let concrete = summaries.places.concretize(&Bytes::from_range(place.range));
        let found = concrete.iter().any(|range| handles.overlaps(range));
        found
    })
}

fn add(summaries: &Summaries, access: &Access, handles: &mut Bytes) {
    for place in summaries.places.resolve(access, &mut Vec::new()) {
        handles.add(&summaries.places.concretize(&Bytes::from_range(place.range)));
    }
}

/// Handles that a call creates, or passes on.
fn from_call(summaries: &Summaries, site: Site, call: &Call, created: Created, handles: &mut Bytes) {
    for target in summaries.places.calls.targets(site) {
        match target {
            Target::Outside(name) => {
                let Some(effects) = summaries.effects.effects(name) else { continue };
                if let (ResultEffect::Handle(_), Some(result)) = (&effects.result, &call.result) {
                    add(summaries, result, handles);
                }
                for (number, argument) in call.arguments.iter().enumerate() {
                    let known = effects.parameter(number);
                    // A unit of Fortran has its own bytes.
                    let is_followed = |kind: &String| {
                        kind != UNIT && (created != Created::LastingOutsideOfBlocks || is_lasting(kind, name))
                    };
                    if known.creates.as_ref().is_some_and(is_followed) {
                        let (places, _) = summaries.extent(call, argument, &known.writes);
                        for place in places {
                            handles.add(&summaries.places.concretize(&Bytes::from_range(place.range)));
                        }
                    }
                }
            }
            Target::Procedure(id) => passed(summaries, call, *id, handles),
            Target::Unknown => {}
        }
    }
}

/// Handles that a call passes to a procedure, or that the procedure returns.
fn passed(summaries: &Summaries, call: &Call, id: ProcedureId, handles: &mut Bytes) {
    let callee = summaries.procedure(id);
    for (argument, parameter) in call.arguments.iter().zip(&callee.parameters) {
        if argument_is_in(summaries, argument, handles) {
            handles.insert(summaries.places.range_of(*parameter));
        }
    }
    if let (Some(result), Some(own)) = (&call.result, callee.result) {
        if handles.overlaps(summaries.places.range_of(own)) {
            add(summaries, result, handles);
        }
    }
}

/// Whether a handle that the procedure creates outlasts one communication. Persistent requests do.
pub fn is_lasting(kind: &str, procedure: &str) -> bool {
    kind != REQUEST || procedure.trim_end_matches('_').to_ascii_lowercase().ends_with("_init")
}
