//! Procedures of the program that a library calls later: handlers of signals, procedures that run when the process ends.
//!
//! Input: the calls that pass such procedures, and the summaries of the procedures. Output: the memory that they may
//! read and write at any time.
//! Postcondition: only memory that a procedure reaches from static variables is in the result. The library owns what the
//! parameters point to.

use rustc_hash::FxHashSet;

use super::{add, Summaries};
use crate::accesses::accesses;
use crate::effects::{CallEffects, LibraryState};
use crate::points_to::{MemoryKind, Target};
use crate::problems::Effect;
use crate::program::{Access, Argument, Call, Lifetime, ProcedureId, Value};
use crate::sets::{Bytes, Memory};

/// What these procedures do between two operations of the program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Later {
    pub reads: Bytes,
    pub writes: Bytes,
}

impl Later {
    pub fn new(summaries: &Summaries) -> Later {
        let mut later = Later::default();
        let (at_any_time, at_the_end) = passed(summaries);
        for &id in at_any_time.iter().chain(&at_the_end) {
            let named = from_statics(summaries, id);
            let summary = &summaries.of[id.0 as usize];
            later.reads.add(&summary.exposed.intersect(&named));
            if at_any_time.contains(&id) {
                later.writes.add(&summary.writes.intersect(&named));
            }
        }
        later
    }
}

impl Summaries<'_> {
    /// The memory that is read after a checkpoint, with what libraries call later. `live`: the same without it.
    pub fn after_checkpoint(&self, live: &Bytes) -> Bytes {
        let mut all = live.clone();
        all.add(&self.later.reads);
        all
    }

    /// A handler that was set before `init`, or in an execute block, may run after it.
    pub(super) fn run_later(&self, effect: &mut Effect) {
        effect.writes.add(&self.later.writes);
        effect.lost.add(&self.later.writes);
    }
}

/// The procedures that libraries keep, and those of them that run only when the process ends.
fn passed(summaries: &Summaries) -> (FxHashSet<ProcedureId>, FxHashSet<ProcedureId>) {
    let (mut at_any_time, mut at_the_end) = (FxHashSet::default(), FxHashSet::default());
    for (site, _, call) in summaries.places.program.calls() {
        for target in summaries.places.calls.targets(site) {
            let Target::Outside(name) = target else { continue };
            let Some(effects) = summaries.effects.effects(name) else { continue };
            // The program waits for the end of its threads.
            if effects.starts_thread {
                continue;
            }
            let is_exit = effects.states.iter().any(|state| state.state == LibraryState::Exit);
            let found = if is_exit { &mut at_the_end } else { &mut at_any_time };
            found.extend(kept_by(summaries, effects, call));
        }
    }
    (at_any_time, at_the_end)
}

/// The procedures of the program that the call passes to be kept.
fn kept_by(summaries: &Summaries, effects: &CallEffects, call: &Call) -> Vec<ProcedureId> {
    let mut found = Vec::new();
    for (number, argument) in call.arguments.iter().enumerate() {
        if !effects.parameter(number).keeps {
            continue;
        }
        match argument {
            Argument::Value(Value::Procedure(name)) => found.extend(summaries.places.points.procedure(name)),
            Argument::Value(Value::Copy(access)) => found.extend(procedures_at(summaries, access)),
            Argument::Value(Value::Address(access)) | Argument::Reference(access) => {
                let mut bytes = Bytes::default();
                add(&mut bytes, &summaries.places.resolve(access, &mut Vec::new()));
                let memories = summaries.places.concretize(&bytes);
                let reached =
                    memories.iter().flat_map(|range| summaries.places.points.reachable(range.memory));
                found.extend(reached.filter_map(|memory| procedure(summaries, memory)));
            }
            Argument::Value(Value::Data | Value::Affine(_) | Value::Null | Value::Unknown)
            | Argument::Absent => {}
        }
    }
    found
}

/// The procedures to which a pointer may point.
fn procedures_at(summaries: &Summaries, pointer: &Access) -> Vec<ProcedureId> {
    let points = &summaries.places.points;
    let targets = points.follow_to_unknown(&points.denoted(summaries.places.program, pointer));
    targets.into_iter().filter_map(|(memory, _)| procedure(summaries, memory)).collect()
}

fn procedure(summaries: &Summaries, memory: Memory) -> Option<ProcedureId> {
    match summaries.places.points.kind(memory) {
        MemoryKind::Code(id, _) => *id,
        MemoryKind::Object
        | MemoryKind::Heap(_)
        | MemoryKind::Target { .. }
        | MemoryKind::Library
        | MemoryKind::Unknown => None,
    }
}

/// The memory that the procedure, and those that it runs, reach from static variables.
fn from_statics(summaries: &Summaries, id: ProcedureId) -> Bytes {
    let program = summaries.places.program;
    let mut named = Bytes::default();
    let mut seen = FxHashSet::from_iter([id]);
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        for (_, operation) in program.procedures[id.0 as usize].operations(id) {
            accesses(&operation.kind, &mut |access| {
                let object = program.variables[access.root.0 as usize].object;
                let object = &program.objects[object.0 as usize];
                if object.lifetime == Lifetime::Static && !object.constant {
                    let mut pointers = Vec::new();
                    add(&mut named, &summaries.places.resolve(access, &mut pointers));
                    add(&mut named, &pointers);
                }
            });
        }
        let runs = &summaries.places.calls.runs[id.0 as usize];
        waiting.extend(runs.iter().copied().filter(|&next| seen.insert(next)));
    }
    let known = named.iter().filter(|range| {
        matches!(summaries.places.points.kind(range.memory), MemoryKind::Object | MemoryKind::Heap(_))
    });
    known.fold(Bytes::default(), |mut all, range| {
        all.insert(range);
        all
    })
}
