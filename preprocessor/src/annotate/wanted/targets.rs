//! Registers of the variables to which pointers of a checkpoint may point.
//!
//! Input: memory with pointers, registered or not.
//! Output: directives for the variables that these pointers reach.
//! Postcondition: a variable is included even if a restart needs no value of it. Otherwise, it could not find the target of
//! the pointer, and the runtime would skip the checkpoint.

use std::collections::BTreeSet;

use cppc_analysis::needs::Missing;
use cppc_analysis::points_to::MemoryKind;
use cppc_analysis::program::{Content, Lifetime, ObjectId, Site};
use cppc_analysis::sets::{Memory, Range, END};

use super::super::registrar_place::RegistrarPlace;
use super::{Search, Tried, Wanted};

impl Search<'_> {
    /// The targets of pointers that lack a register or have one at a checkpoint, by a directive of the program or of an
    /// earlier round. Returns where procedures for the registers are needed.
    pub(super) fn targets(
        &self,
        all_missing: &[Missing],
        tried: &mut Tried,
        wanted: &mut BTreeSet<Wanted>,
    ) -> Vec<RegistrarPlace> {
        let areas = &self.analysis.summaries.places;
        let (mut places, mut keys) = (Vec::new(), BTreeSet::new());
        for checkpoint in self.program.checkpoints() {
            let Some(point) = self.analysis.restored.points.get(&checkpoint) else { continue };
            let held = point.registered.all();
            let mut pointers = held.bytes.clone();
            pointers.add(&held.slots);
            pointers = areas.concretize(&pointers);
            let missing = all_missing.iter().filter(|missing| missing.checkpoint == checkpoint);
            missing.for_each(|missing| pointers.insert(missing.range));
            let mut objects = BTreeSet::new();
            pointers.iter().for_each(|range| objects.extend(self.reached_objects(range)));
            let held = areas.concretize(&held.bytes);
            for object in objects {
                let known = &self.program.objects[object.0 as usize];
                let range = Range { memory: object.into(), start: 0, end: known.size.unwrap_or(END) };
                let Some(frame) = self.frame_of(object, checkpoint).filter(|_| !held.overlaps(range)) else {
                    continue;
                };
                let key = format!("target {} in {}", known.name, self.procedure(checkpoint.procedure).label);
                let round = tried.rounds.get(&key).copied().unwrap_or(0);
                if round < 2 {
                    let (pointer, gap, evaluation) = (None, None, None);
                    let missing = Missing { checkpoint, frame, range, pointer, gap, evaluation };
                    match self.object(&missing, round, wanted) {
                        // The same round again, with the procedure.
                        Some(place) if !tried.places.contains(&place) => places.push(place),
                        Some(_) | None => drop(keys.insert(key)),
                    }
                }
            }
        }
        keys.into_iter().for_each(|key| *tried.rounds.entry(key).or_default() += 1);
        places
    }

    /// The variables that the pointers in the range reach. Pointers to unknown memory are left out.
    fn reached_objects(&self, range: Range) -> BTreeSet<ObjectId> {
        let points = &self.analysis.summaries.places.points;
        if *points.kind(range.memory) != MemoryKind::Object {
            return BTreeSet::new();
        }
        let own = self.program.variables.iter().filter(|variable| {
            Memory::from(variable.object) == range.memory
                && variable.offset < range.end
                && variable.size.is_none_or(|size| range.start < variable.offset + size)
        });
        let contents: Vec<&Content> = own.map(|variable| &variable.content).collect();
        let is_dummy = contents.iter().any(|content| matches!(content, Content::Reference { .. }));
        if !is_dummy && self.is_parameter(ObjectId(range.memory.0)) {
            // In C, the replayed call passes the pointer.
            return BTreeSet::new();
        }
        let direct = |range: Range| -> Vec<Memory> {
            let offsets = points.pointers(range.memory).into_iter();
            let inside = offsets.filter(|offset| range.start <= *offset && *offset < range.end);
            inside.flat_map(|offset| points.memories_to_unknown(range.memory, offset)).collect()
        };
        let whole = |memory: Memory| Range { memory, start: 0, end: END };
        let mut waiting = direct(range);
        if is_dummy {
            // A dummy argument is the variable of the caller.
            waiting = waiting.into_iter().flat_map(|memory| direct(whole(memory))).collect();
        }
        let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::from([range.memory]));
        while let Some(memory) = waiting.pop() {
            if !seen.insert(memory) {
                continue;
            }
            match points.kind(memory) {
                MemoryKind::Object => {
                    found.insert(ObjectId(memory.0));
                    waiting.extend(direct(whole(memory)));
                }
                MemoryKind::Heap(_) => waiting.extend(direct(whole(memory))),
                MemoryKind::Code(..)
                | MemoryKind::Target { .. }
                | MemoryKind::Library
                | MemoryKind::Unknown => {}
            }
        }
        found
    }

    fn is_parameter(&self, object: ObjectId) -> bool {
        let mut parameters = self.program.procedures.iter().flat_map(|procedure| &procedure.parameters);
        parameters.any(|&parameter| self.variable(parameter).object == object)
    }

    /// Where the procedure with the variable, or the main program, leads to the checkpoint.
    fn frame_of(&self, object: ObjectId, checkpoint: Site) -> Option<Site> {
        let owner = match self.program.objects[object.0 as usize].lifetime {
            Lifetime::Local(owner) => owner,
            Lifetime::Static => self.visible.keys().copied().find(|&id| self.procedure(id).main)?,
        };
        if owner == checkpoint.procedure {
            return Some(checkpoint);
        }
        let operations = self.procedure(owner).operations(owner);
        let mut calls = operations.filter(|(_, operation)| operation.call().is_some());
        calls.find_map(|(site, _)| self.path_from(site, checkpoint).is_some().then_some(site))
    }
}
