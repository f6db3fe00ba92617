//! Registers of the variables to which pointers of a checkpoint may point.
//!
//! Input: memory with pointers, registered or not.
//! Output: directives for the variables that these pointers reach.
//! Postcondition: a variable is included even if a restart needs no value of it. Otherwise, it could not find the target of
//! the pointer, and the runtime would skip the checkpoint.

use std::collections::{BTreeMap, BTreeSet};

use cppc_analysis::needs::Missing;
use cppc_analysis::points_to::MemoryKind;
use cppc_analysis::program::{Content, Lifetime, ObjectId, ProcedureId, Program, Site, Variable};
use cppc_analysis::sets::{Memory, Range, END};

use super::super::registrar_place::RegistrarPlace;
use super::{is_part, Search, Tried, Wanted};

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
        let index = Index::new(self.program);
        let mut reached: BTreeMap<Range, BTreeSet<ObjectId>> = BTreeMap::new();
        for checkpoint in self.program.checkpoints() {
            let Some(point) = self.analysis.restored.points.get(&checkpoint) else { continue };
            let held = point.registered.all();
            let mut pointers = held.bytes.clone();
            pointers.add(&held.slots);
            pointers = areas.concretize(&pointers);
            let missing = all_missing.iter().filter(|missing| missing.checkpoint == checkpoint);
            missing.for_each(|missing| pointers.insert(missing.range));
            let mut objects = BTreeSet::new();
            for range in pointers.iter() {
                let found = reached.entry(range).or_insert_with(|| self.reached_objects(range, &index));
                objects.extend(found.iter().copied());
            }
            let mut frames: BTreeMap<ProcedureId, Option<Site>> = BTreeMap::new();
            let held = areas.concretize(&held.bytes);
            for object in objects {
                let known = &self.program.objects[object.0 as usize];
                let range = Range { memory: object.into(), start: 0, end: known.size.unwrap_or(END) };
                if held.overlaps(range) {
                    continue;
                }
                let Some(owner) = self.owner(known.lifetime) else { continue };
                let frame = frames.entry(owner).or_insert_with(|| self.frame_of(owner, checkpoint));
                let Some(frame) = *frame else { continue };
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
    fn reached_objects(&self, range: Range, index: &Index) -> BTreeSet<ObjectId> {
        let points = &self.analysis.summaries.places.points;
        if *points.kind(range.memory) != MemoryKind::Object {
            return BTreeSet::new();
        }
        let direct = |range: Range| -> Vec<Memory> {
            let offsets = points.pointers(range.memory).into_iter();
            let inside = offsets.filter(|offset| range.start <= *offset && *offset < range.end);
            inside.flat_map(|offset| points.memories_to_unknown(range.memory, offset)).collect()
        };
        let whole = |memory: Memory| Range { memory, start: 0, end: END };
        let mut waiting = direct(range);
        if waiting.is_empty() {
            return BTreeSet::new();
        }
        let object = ObjectId(range.memory.0);
        let mut own = index.variables.get(&object).into_iter().flatten();
        let is_dummy = own.any(|variable| {
            matches!(variable.content, Content::Reference { .. }) && is_part(variable, range)
        });
        if !is_dummy && index.parameters.contains(&object) {
            // In C, the replayed call passes the pointer.
            return BTreeSet::new();
        }
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

    /// The procedure of a local variable, or the main program.
    fn owner(&self, lifetime: Lifetime) -> Option<ProcedureId> {
        match lifetime {
            Lifetime::Local(owner) => Some(owner),
            Lifetime::Static => self.visible.keys().copied().find(|&id| self.procedure(id).main),
        }
    }

    /// Where a procedure leads to the checkpoint.
    fn frame_of(&self, owner: ProcedureId, checkpoint: Site) -> Option<Site> {
        if owner == checkpoint.procedure {
            return Some(checkpoint);
        }
        let operations = self.procedure(owner).operations(owner);
        let mut calls = operations.filter(|(_, operation)| operation.call().is_some());
        calls.find_map(|(site, _)| self.path_from(site, checkpoint).is_some().then_some(site))
    }
}

/// The variables of each object, and the objects of parameters.
struct Index<'a> {
    variables: BTreeMap<ObjectId, Vec<&'a Variable>>,
    parameters: BTreeSet<ObjectId>,
}

impl<'a> Index<'a> {
    fn new(program: &'a Program) -> Index<'a> {
        let mut variables: BTreeMap<ObjectId, Vec<&Variable>> = BTreeMap::new();
        for variable in &program.variables {
            variables.entry(variable.object).or_default().push(variable);
        }
        let parameters = program.procedures.iter().flat_map(|procedure| &procedure.parameters);
        let parameters = parameters.map(|id| program.variables[id.0 as usize].object).collect();
        Index { variables, parameters }
    }
}
