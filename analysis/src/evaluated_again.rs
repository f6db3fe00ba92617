//! Finds what a restart evaluates again before its value is restored.
//!
//! Input: summaries, and the memory that is lost and not registered at each point. Output: memory that declarations of
//! a procedure or a construct on the way to a checkpoint read, and that is lost there.
//! Postcondition: other memory has the value of the checkpoint when the restart evaluates these declarations.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::live::{callees, top_down, Instrumented};
use crate::natural_loops::NaturalLoops;
use crate::needs::{kept_loops, Missing};
use crate::points_to::{MemoryKind, Target};
use crate::program::{
    Access, Argument, BlockId, Content, Dimension, Directive, Evaluation, EvaluationPlace, Lifetime,
    Operation, ProcedureId, Region, Site, Step, Value, VariableId,
};
use crate::registered::{targets_of_item, Parts};
use crate::restored::{Point, Restored};
use crate::sets::{Bytes, Memory, Range, END};
use crate::summary::{Mark, Summaries};

pub fn evaluated_again(
    summaries: &Summaries,
    instrumented: &Instrumented,
    restored: &Restored,
) -> BTreeSet<Missing> {
    let order = top_down(summaries, instrumented);
    let all = Repeated { summaries, instrumented, restored, kept: kept(summaries, instrumented, &order) };
    let mut missing = BTreeSet::new();
    for &id in &order {
        for evaluation in &summaries.procedure(id).evaluations {
            match &evaluation.place {
                EvaluationPlace::Entry => all.at_entry(id, evaluation, &mut missing),
                EvaluationPlace::Construct(construct) => {
                    all.in_construct(id, evaluation, construct, &mut missing);
                }
                EvaluationPlace::Statement => all.at_statement(id, evaluation, &mut missing),
            }
        }
    }
    missing
}

struct Repeated<'a> {
    summaries: &'a Summaries<'a>,
    instrumented: &'a Instrumented,
    restored: &'a Restored,
    /// The variables of loops that are restored before each call of a procedure.
    kept: BTreeMap<ProcedureId, Bytes>,
}

/// What a restart restores before it repeats a call.
struct AtCall {
    point: Point,
    /// The memory that a register after the call restores later.
    replaced: Bytes,
}

impl Repeated<'_> {
    /// Declarations of a procedure: each call evaluates them.
    fn at_entry(&self, id: ProcedureId, evaluation: &Evaluation, missing: &mut BTreeSet<Missing>) {
        let below = self.checkpoint_below(id);
        let again = self.registered_below(id);
        if let Some(checkpoint) = below {
            self.at_calls(id, evaluation, checkpoint, (&|_| again.clone(), &|_| true), missing);
            self.add_shapes(id, evaluation, checkpoint, missing);
        }
        // A restart also enters procedures with blocks that have returned. There, a size may have any value, but a pointer
        // without memory stops the program.
        if let Some(checkpoint) = self.checkpoint_after(id) {
            let again = |frame| {
                let mut again = again.clone();
                again.add(&self.registered_after(frame));
                again
            };
            let is_of_pointer = |range| self.is_of_pointer(range);
            self.at_calls(id, evaluation, checkpoint, (&again, &is_of_pointer), missing);
        }
    }

    /// The memory that the calls of the procedure read, if `is_needed` selects it. `again`: the memory that a register after the
    /// call restores.
    fn at_calls(
        &self,
        id: ProcedureId,
        evaluation: &Evaluation,
        checkpoint: Site,
        (again, is_needed): (&dyn Fn(Site) -> Bytes, &dyn Fn(Range) -> bool),
        missing: &mut BTreeSet<Missing>,
    ) {
        let (reads, summaries) = (self.reads(id, evaluation), self.summaries);
        for &frame in &summaries.places.calls.callers[id.0 as usize] {
            let Some(call) = summaries.places.program.operation(frame).call() else { continue };
            let mut found: Vec<(Site, Range)> = Vec::new();
            for &(site, range) in &reads {
                let is_recorded = self.parameter(id, range.memory).is_some_and(|(number, is_recorded)| {
                    is_recorded && call.arguments.get(number).is_none_or(|one| self.has_value(one))
                });
                if !is_recorded && !summaries.places.local_object(range.memory, id) {
                    let places = summaries.at_call(id, call, range).into_iter().map(|place| place.range);
                    found.extend(places.filter(|range| is_needed(*range)).map(|range| (site, range)));
                }
            }
            let point = if found.is_empty() { None } else { self.point(frame, &again(frame)) };
            if let Some(point) = point {
                for (site, range) in found {
                    self.add(checkpoint, (frame, site), &point, range, missing);
                }
            }
        }
    }

    /// Whether it is a pointer of Fortran, or memory that only pointers have.
    fn is_of_pointer(&self, range: Range) -> bool {
        let program = self.summaries.places.program;
        match self.summaries.places.points.kind(range.memory) {
            MemoryKind::Heap(_) => true,
            MemoryKind::Object => program.variables.iter().any(|variable| {
                let is_pointer = matches!(variable.content, Content::Pointer | Content::Descriptor);
                is_pointer && Memory::from(variable.object) == range.memory && variable.offset == range.start
            }),
            MemoryKind::Target { .. } | MemoryKind::Code(..) | MemoryKind::Library | MemoryKind::Unknown => {
                false
            }
        }
    }

    /// Declarations of a construct, if a checkpoint or a call that leads to one is in it.
    fn in_construct(
        &self,
        id: ProcedureId,
        evaluation: &Evaluation,
        construct: &Region,
        missing: &mut BTreeSet<Missing>,
    ) {
        let (block, operation) = evaluation.operations.first;
        let first = Site { procedure: id, block, operation };
        let Some(point) = self.point(first, &Bytes::default()) else { return };
        let all = self.summaries.procedure(id).operations(id);
        let mut inside = all.filter(|(site, _)| construct.contains(site.block, site.operation));
        let checkpoint = inside.find_map(|(site, operation)| match operation.directive() {
            Some(Directive::Checkpoint) => Some(site),
            _ => callees(self.summaries, self.instrumented, site).find_map(|id| self.checkpoint_below(id)),
        });
        let Some(checkpoint) = checkpoint else { return };
        for (site, range) in self.reads(id, evaluation) {
            self.add(checkpoint, (first, site), &point, range, missing);
        }
    }

    /// A statement after a checkpoint. The repeated call passes the shape that the argument has in the restart.
    fn at_statement(&self, id: ProcedureId, evaluation: &Evaluation, missing: &mut BTreeSet<Missing>) {
        if let Some(checkpoint) = self.checkpoint_before(id, evaluation.operations.first) {
            self.add_shapes(id, evaluation, checkpoint, missing);
        }
    }

    fn add_shapes(
        &self,
        id: ProcedureId,
        evaluation: &Evaluation,
        checkpoint: Site,
        missing: &mut BTreeSet<Missing>,
    ) {
        if evaluation.shapes.is_empty() {
            return;
        }
        let (block, operation) = evaluation.operations.first;
        let needs_it = Site { procedure: id, block, operation };
        let again = self.registered_below(id);
        for (frame, range) in self.shapes(id, evaluation) {
            if let Some(point) = self.point(frame, &again) {
                self.add(checkpoint, (frame, needs_it), &point, range, missing);
            }
        }
    }

    /// What is lost at a call. A later register of the static memory `again` replaces the one before the call.
    fn point(&self, frame: Site, again: &Bytes) -> Option<AtCall> {
        let before = self.restored.points.get(&frame)?;
        let replaced = before.lost.intersect(again);
        let mut unsaved = before.unsaved.clone();
        unsaved.add(&replaced);
        Some(AtCall { point: Point { unsaved, ..before.clone() }, replaced })
    }

    /// `at`: the frame, and the evaluation.
    fn add(
        &self,
        checkpoint: Site,
        at: (Site, Site),
        AtCall { point, replaced }: &AtCall,
        range: Range,
        missing: &mut BTreeSet<Missing>,
    ) {
        let (places, (frame, evaluation)) = (&self.summaries.places, at);
        let own = self.parameter(frame.procedure, range.memory);
        let lost = match own {
            // The caller passes the value that it has recorded.
            Some((_, true)) => point.unsaved.intersect(&Bytes::from_range(range)),
            Some((_, false)) | None => {
                let memory = places.concretize(&Bytes::from_range(range));
                // Several calls pass other memory, and the running call has registered what it has got.
                let memories: BTreeSet<Memory> = memory.iter().map(|range| range.memory).collect();
                let is_registered = own.is_some()
                    && memories.len() > 1
                    && point.registered.all().bytes.covers(range)
                    && !point.unsaved.overlaps(range)
                    && memory.intersect(&places.concretize(replaced)).is_empty();
                if is_registered {
                    return;
                }
                memory.intersect(&places.concretize(&point.unsaved))
            }
        };
        let mut lost = lost;
        lost.subtract(&kept_loops(self.summaries, frame));
        if let Some(kept) = self.kept.get(&frame.procedure) {
            lost.subtract(kept);
        }
        for range in lost.iter() {
            if let MemoryKind::Object | MemoryKind::Heap(_) | MemoryKind::Target { .. } =
                places.points.kind(range.memory)
            {
                let (pointer, gap, evaluation) = (None, None, Some(evaluation));
                missing.insert(Missing { checkpoint, frame, range, pointer, gap, evaluation });
            }
        }
    }

    /// The number of the parameter to whose target the memory belongs, and whether its value is recorded.
    fn parameter(&self, id: ProcedureId, memory: Memory) -> Option<(usize, bool)> {
        let MemoryKind::Target { procedure, parameter } = *self.summaries.places.points.kind(memory) else {
            return None;
        };
        let owner = self.summaries.procedure(procedure);
        let variable: VariableId = *owner.parameters.get(parameter as usize)?;
        (procedure == id).then(|| (parameter as usize, owner.recorded.contains(&variable)))
    }

    /// Whether a repeated call gets the recorded value. An argument that pointers lead to is passed itself.
    fn has_value(&self, argument: &Argument) -> bool {
        let (Argument::Reference(access) | Argument::Value(Value::Address(access))) = argument else {
            return true;
        };
        let Access { root, path, .. } = access;
        let root = &self.summaries.places.program.variables[root.0 as usize];
        let is_reference = matches!(root.content, Content::Reference { .. });
        !path.iter().skip(usize::from(is_reference)).any(|step| matches!(step, Step::Dereference))
    }

    /// The memory that the operations read, except what they have written themselves.
    fn reads(&self, id: ProcedureId, evaluation: &Evaluation) -> Vec<(Site, Range)> {
        let (mut reads, mut written) = (Vec::new(), Bytes::default());
        for (site, _) in self.summaries.procedure(id).operations(id) {
            if evaluation.operations.contains(site.block, site.operation) {
                let effect = &self.instrumented[&id][site.block.0 as usize][site.operation as usize];
                written.add(&effect.certain);
                reads.extend(effect.reads.iter().map(|range| (site, range)));
            }
        }
        reads.retain(|(_, range)| !written.overlaps(*range));
        reads
    }

    /// The descriptors of the arguments whose shapes are evaluated, and the calls that pass them, also in callers of callers.
    fn shapes(&self, id: ProcedureId, evaluation: &Evaluation) -> Vec<(Site, Range)> {
        let program = self.summaries.places.program;
        let is_reference = |memory: Memory| {
            let mut variables = program.variables.iter();
            variables.any(|variable| {
                Memory::from(variable.object) == memory
                    && matches!(variable.content, Content::Reference { .. })
            })
        };
        let mut found = Vec::new();
        let mut waiting: Vec<_> = evaluation.shapes.iter().map(|&parameter| (id, parameter)).collect();
        let mut seen = FxHashSet::default();
        while let Some((id, parameter)) = waiting.pop().filter(|one| seen.insert(*one)) {
            let parameters = &self.summaries.procedure(id).parameters;
            let Some(number) = parameters.iter().position(|one| *one == parameter) else { continue };
            for &frame in &self.summaries.places.calls.callers[id.0 as usize] {
                let call = program.operation(frame).call();
                let argument = call.and_then(|call| call.arguments.get(number));
                let Some(Argument::Reference(access)) = argument else { continue };
                let mut descriptors = Vec::new();
                self.summaries.places.resolve(access, &mut descriptors);
                let descriptors = descriptors.into_iter().map(|place| place.range);
                found.extend(
                    descriptors.filter(|range| !is_reference(range.memory)).map(|range| (frame, range)),
                );
                if takes_its_shape(access) {
                    waiting.push((frame.procedure, access.root));
                }
            }
        }
        found
    }

    /// The static memory that the procedure, or one that it calls on the way to a checkpoint, registers.
    fn registered_below(&self, id: ProcedureId) -> Bytes {
        let mut registered = Bytes::default();
        self.add_registered(vec![id], &|id| self.summaries.may(id, Mark::Checkpoint), &mut registered);
        registered
    }

    /// The static memory that is registered after the call has returned. If it was registered before too, a restart restores it
    /// there.
    fn registered_after(&self, call: Site) -> Bytes {
        let (summaries, mut registered) = (self.summaries, Bytes::default());
        let (mut called, mut calls, mut seen) = (Vec::new(), vec![call], FxHashSet::from_iter([call]));
        while let Some(from) = calls.pop() {
            let id = from.procedure;
            let procedure = summaries.procedure(id);
            let (reached, loops) = (procedure.reached_from(from.block), NaturalLoops::new(procedure));
            for (site, operation) in procedure.operations(id) {
                let is_after = match site.block == from.block {
                    true => from.operation < site.operation,
                    // What comes before each run of the call is there when a restart repeats the call.
                    false => reached.contains(&site.block) && !loops.dominates(site.block, from.block),
                };
                if is_after {
                    self.add_items(operation, &mut registered);
                    called.extend(self.procedures_at(site));
                }
            }
            let callers = summaries.places.calls.callers[id.0 as usize].iter();
            calls.extend(callers.copied().filter(|site| seen.insert(*site)));
        }
        self.add_registered(called, &|_| true, &mut registered);
        registered
    }

    fn add_registered(
        &self,
        mut waiting: Vec<ProcedureId>,
        is_entered: &dyn Fn(ProcedureId) -> bool,
        registered: &mut Bytes,
    ) {
        let mut seen = FxHashSet::default();
        while let Some(id) = waiting.pop() {
            if is_entered(id) && self.summaries.may(id, Mark::Register) && seen.insert(id) {
                for (site, operation) in self.summaries.procedure(id).operations(id) {
                    waiting.extend(self.procedures_at(site));
                    self.add_items(operation, registered);
                }
            }
        }
    }

    fn procedures_at(&self, site: Site) -> impl Iterator<Item = ProcedureId> + '_ {
        self.summaries.places.calls.targets(site).iter().filter_map(|target| match target {
            Target::Procedure(id) => Some(*id),
            Target::Outside(_) | Target::Unknown => None,
        })
    }

    /// Static memory that a directive registers: variables, and pointers with what they point to.
    fn add_items(&self, operation: &Operation, registered: &mut Bytes) {
        let places = &self.summaries.places;
        let Some(Directive::Register(items)) = operation.directive() else { return };
        let is_static = |memory: Memory| {
            let object = places.program.objects.get(memory.0 as usize);
            *places.points.kind(memory) == MemoryKind::Object
                && object.is_some_and(|object| object.lifetime == Lifetime::Static)
        };
        for item in items {
            let slots = Parts::new(places, item).slot;
            if slots.iter().any(|slot| is_static(slot.range.memory)) {
                slots.iter().for_each(|slot| registered.insert(slot.range));
                let whole = |memory| Range { memory, start: 0, end: END };
                targets_of_item(self.summaries, item)
                    .into_iter()
                    .for_each(|memory| registered.insert(whole(memory)));
            } else if !item.memory.path.contains(&Step::Dereference) {
                let found = places.resolve(&item.memory, &mut Vec::new());
                let found = found.iter().filter(|place| is_static(place.range.memory));
                found.for_each(|place| registered.insert(place.range));
            }
        }
    }

    /// A checkpoint from which control may come to this place of the procedure.
    fn checkpoint_before(&self, id: ProcedureId, (to, operation): (BlockId, u32)) -> Option<Site> {
        let procedure = self.summaries.procedure(id);
        let mut checkpoints = procedure.operations(id).filter_map(|(site, operation)| {
            let below =
                || callees(self.summaries, self.instrumented, site).find_map(|id| self.checkpoint_below(id));
            Some((site, if operation.is_checkpoint() { site } else { below()? }))
        });
        let reaches = |from: Site| {
            let is_before = from.block == to && from.operation < operation;
            is_before || procedure.reached_from(from.block).contains(&to)
        };
        checkpoints.find(|(at, _)| reaches(*at)).map(|(_, checkpoint)| checkpoint)
    }

    /// A checkpoint after the return of a procedure whose blocks a restart replays.
    fn checkpoint_after(&self, id: ProcedureId) -> Option<Site> {
        let summaries = self.summaries;
        if !summaries.may(id, Mark::Register) && !summaries.may(id, Mark::Execute) {
            return None;
        }
        let (mut waiting, mut seen) = (vec![id], FxHashSet::from_iter([id]));
        while let Some(id) = waiting.pop() {
            for &site in &summaries.places.calls.callers[id.0 as usize] {
                let checkpoint = self.checkpoint_reached(site);
                if checkpoint.is_some() {
                    return checkpoint;
                }
                waiting.extend(seen.insert(site.procedure).then_some(site.procedure));
            }
        }
        None
    }

    /// A checkpoint to which control may come from this place, before the procedure returns.
    fn checkpoint_reached(&self, from: Site) -> Option<Site> {
        let procedure = self.summaries.procedure(from.procedure);
        let reached = procedure.reached_from(from.block);
        procedure.operations(from.procedure).find_map(|(site, operation)| {
            let is_after = site.block == from.block && from.operation < site.operation;
            let is_reached = is_after || reached.contains(&site.block);
            let below =
                || callees(self.summaries, self.instrumented, site).find_map(|id| self.checkpoint_below(id));
            is_reached.then(|| if operation.is_checkpoint() { Some(site) } else { below() })?
        })
    }

    fn checkpoint_below(&self, id: ProcedureId) -> Option<Site> {
        let (mut waiting, mut seen) = (vec![id], FxHashSet::default());
        while let Some(id) = waiting.pop() {
            if !self.summaries.may(id, Mark::Checkpoint) || !seen.insert(id) {
                continue;
            }
            for (site, operation) in self.summaries.procedure(id).operations(id) {
                if let Some(Directive::Checkpoint) = operation.directive() {
                    return Some(site);
                }
                waiting.extend(callees(self.summaries, self.instrumented, site));
            }
        }
        None
    }
}

/// Whether a callee gets the shape that the parameter itself has got.
fn takes_its_shape(access: &Access) -> bool {
    let is_open = |dimension: &Dimension| dimension.extent.is_none();
    match &access.path[..] {
        [Step::Dereference] => true,
        [Step::Dereference, Step::Elements(dimensions)] => dimensions.iter().any(is_open),
        _ => false,
    }
}

/// The variables of loops around each call of a procedure and of its callers.
fn kept(
    summaries: &Summaries,
    instrumented: &Instrumented,
    order: &[ProcedureId],
) -> BTreeMap<ProcedureId, Bytes> {
    let mut all: BTreeMap<ProcedureId, Bytes> = BTreeMap::new();
    for &caller in order {
        for (site, operation) in summaries.procedure(caller).operations(caller) {
            if operation.call().is_none() {
                continue;
            }
            let mut here = kept_loops(summaries, site);
            if let Some(around) = all.get(&caller) {
                here.add(around);
            }
            for callee in callees(summaries, instrumented, site) {
                match all.get_mut(&callee) {
                    Some(known) => *known = known.intersect(&here),
                    None => drop(all.insert(callee, here.clone())),
                }
            }
        }
    }
    all
}
