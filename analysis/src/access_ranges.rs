//! The bytes that an access denotes.
//!
//! Input: a program, its points-to sets and its calls. Output: for each access, ranges of memory.
//! Postcondition: the ranges contain every byte that the access may touch. A range that is `exact` contains no
//! other byte.

mod arrays;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::accesses::{accesses, addresses};
use crate::calls::Calls;
use crate::instances::Instances;
use crate::points_to::{MemoryKind, PointsTo};
use crate::program::{
    Access, Argument, Content, Dimension, Index, Lifetime, OperationKind, ProcedureId, Program, Site, Step,
    Value, VariableId, POINTER_BYTES,
};
use crate::sets::{Bytes, Memory, Range, END};
use crate::spot::{in_order, AccessRange, Spot};

pub struct AccessRanges<'p> {
    pub program: &'p Program,
    pub points: PointsTo,
    pub calls: Calls,
    instances: Instances,
    /// The parts of memory that are arrays. The address of one element may be used to reach any other.
    arrays: FxHashMap<Memory, Vec<Array>>,
    /// Parameters that always have the value of the call, and the memory that represents their target.
    constant: FxHashMap<VariableId, Memory>,
    /// The targets of parameters that some call passes nothing for.
    omitted: FxHashSet<Memory>,
    pub escaped: Bytes,
    /// For each object, whether only its procedure accesses it, by its names. Then each access means the
    /// current activation.
    private: Vec<bool>,
    /// The known results of `targets`.
    targets: RefCell<FxHashMap<Vec<Pointed>, Rc<[Spot]>>>,
}

/// A memory and the offset in it, if it is known.
type Pointed = (Memory, Option<u64>);

/// A part of a memory with elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Array {
    start: u64,
    end: u64,
    /// The distance of two elements in bytes, or 0 if it is not known.
    stride: u64,
}

impl<'p> AccessRanges<'p> {
    pub fn new(program: &'p Program, points: PointsTo, calls: Calls) -> AccessRanges<'p> {
        let mut places = AccessRanges {
            program,
            points,
            instances: Instances::new(program, &calls),
            calls,
            arrays: FxHashMap::default(),
            constant: FxHashMap::default(),
            omitted: FxHashSet::default(),
            escaped: Bytes::default(),
            private: private(program),
            targets: RefCell::default(),
        };
        for number in 0..program.procedures.len() as u32 {
            places.find_constant_parameters(ProcedureId(number));
        }
        places.find_arrays();
        places.omitted = places.omitted_arguments();
        for memory in places.points.escaped() {
            if !matches!(places.points.kind(memory), MemoryKind::Code(..)) {
                places.escaped.insert(Range { memory, start: 0, end: END });
            }
        }
        places
    }

    /// The memory that represents the target of this parameter within its procedure.
    pub fn target_of(&self, parameter: VariableId) -> Option<Memory> {
        self.constant.get(&parameter).copied()
    }

    /// Whether only one memory of this kind exists at a time, so that a write to it is certain.
    pub fn unique(&self, memory: Memory) -> bool {
        match self.points.kind(memory) {
            MemoryKind::Object => match self.program.objects[memory.0 as usize].lifetime {
                Lifetime::Static => !self.is_text_of_arguments(memory),
                Lifetime::Local(id) => !self.calls.recursive(id) || self.private[memory.0 as usize],
            },
            MemoryKind::Target { .. } => true,
            MemoryKind::Heap(site) => self.instances.is_once(*site),
            MemoryKind::Code(..) | MemoryKind::Library | MemoryKind::Unknown => false,
        }
    }

    /// Whether this is the text of all arguments of the command.
    pub fn is_text_of_arguments(&self, memory: Memory) -> bool {
        self.program.arguments.is_some_and(|arguments| Memory::from(arguments.text) == memory)
    }

    /// Whether no other activation of the procedure, and no procedure that it calls, can reach this object.
    pub fn private(&self, memory: Memory) -> bool {
        *self.points.kind(memory) == MemoryKind::Object && self.private[memory.0 as usize]
    }

    /// Whether the memory no longer exists after a call of `callee` has returned to `caller`.
    pub fn ends_with(&self, memory: Memory, callee: ProcedureId, caller: ProcedureId) -> bool {
        *self.points.kind(memory) == MemoryKind::Object
            && match self.program.objects[memory.0 as usize].lifetime {
                Lifetime::Static => false,
                Lifetime::Local(owner) => self.calls.ends_with(owner, callee, caller),
            }
    }

    /// The range that a write to these places certainly defines.
    pub fn certain(&self, places: &[AccessRange]) -> Option<Range> {
        match places {
            [place] if place.exact && self.unique(place.range.memory) => Some(place.range),
            _ => None,
        }
    }

    /// Whether this is an object of the procedure, which exists until the procedure returns.
    pub fn local_object(&self, memory: Memory, id: ProcedureId) -> bool {
        *self.points.kind(memory) == MemoryKind::Object && self.local_to(memory, id)
    }

    pub fn local_to(&self, memory: Memory, id: ProcedureId) -> bool {
        match self.points.kind(memory) {
            MemoryKind::Object => self.program.objects[memory.0 as usize].lifetime == Lifetime::Local(id),
            MemoryKind::Target { procedure, .. } => *procedure == id,
            MemoryKind::Heap(_) | MemoryKind::Code(..) | MemoryKind::Library | MemoryKind::Unknown => false,
        }
    }

    /// The places of an access. The places of the pointers of its access path, which it reads, are added to
    /// `pointers`.
    pub fn resolve(&self, access: &Access, pointers: &mut Vec<AccessRange>) -> Vec<AccessRange> {
        let spots = self.spots(access, pointers, Spot::elements);
        let places = |spot: &Spot| spot.places(access.size, self.points.size(spot.memory));
        in_order(spots.iter().flat_map(places).collect())
    }

    /// The places that a register of this access saves. The number of elements comes only from the program.
    pub fn resolve_registered(&self, access: &Access) -> Vec<AccessRange> {
        let is_without_elements = access.path.iter().any(|step| match step {
            Step::Elements(dimensions) => dimensions.iter().any(is_empty),
            Step::Field { .. } | Step::Dereference => false,
        });
        if is_without_elements {
            return Vec::new();
        }
        let spots = self.spots(access, &mut Vec::new(), |spot, dimensions, last, size| {
            spot.counted(dimensions, last, size);
        });
        let places = |spot: &Spot| {
            // A variable whose size is not known is saved to its end.
            let is_exact = spot.section.is_none() && access.size.is_none();
            let places = spot.places(access.size, self.points.size(spot.memory)).into_iter();
            places.map(move |place| AccessRange { exact: place.exact || is_exact, ..place })
        };
        in_order(spots.iter().flat_map(places).collect())
    }

    fn spots(
        &self,
        access: &Access,
        pointers: &mut Vec<AccessRange>,
        elements: impl Fn(&mut Spot, &[Dimension], bool, Option<u64>),
    ) -> Vec<Spot> {
        let mut spots = vec![self.start(access.root)];
        for (number, step) in access.path.iter().enumerate() {
            match step {
                Step::Field { offset, .. } => spots.iter_mut().for_each(|spot| spot.field(*offset)),
                Step::Elements(dimensions) => {
                    let last = number + 1 == access.path.len();
                    spots.iter_mut().for_each(|spot| elements(spot, dimensions, last, access.size));
                }
                Step::Dereference => {
                    let pointer =
                        |spot: &Spot| spot.places(Some(POINTER_BYTES), self.points.size(spot.memory));
                    pointers.extend(spots.iter().flat_map(pointer));
                    spots = match self.constant.get(&access.root) {
                        Some(&memory) if number == 0 => vec![Spot::whole(memory, Some(0), END)],
                        _ => self.follow(&spots),
                    };
                }
            }
        }
        spots
    }

    /// The memory of a variable.
    pub fn range_of(&self, variable: VariableId) -> Range {
        let variable = &self.program.variables[variable.0 as usize];
        let end = variable.size.map_or(END, |size| variable.offset + size);
        Range { memory: variable.object.into(), start: variable.offset, end }
    }

    /// Whether the procedure may run the operation again before it returns.
    pub fn is_repeated(&self, site: Site) -> bool {
        self.instances.is_repeated(site.procedure, site.block)
    }

    fn start(&self, root: VariableId) -> Spot {
        let variable = &self.program.variables[root.0 as usize];
        let limit = variable.size.map_or(END, |size| variable.offset + size);
        Spot::whole(variable.object.into(), Some(variable.offset), limit)
    }

    fn follow(&self, spots: &[Spot]) -> Vec<Spot> {
        let mut from = Vec::with_capacity(spots.len());
        for spot in spots {
            match *self.points.kind(spot.memory) {
                // The points-to sets are those of the real targets of the parameter.
                MemoryKind::Target { procedure, parameter } => {
                    let parameter =
                        self.program.procedures[procedure.0 as usize].parameters[parameter as usize];
                    let targets = self.follow(&[self.start(parameter)]);
                    let at = |target: &Spot| target.at.zip(spot.at).and_then(|(a, b)| a.checked_add(b));
                    from.extend(targets.iter().map(|target| (target.memory, at(target))));
                }
                _ => from.push((spot.memory, spot.at)),
            }
        }
        self.targets(from).to_vec()
    }

    /// Where pointers at these places may point.
    fn targets(&self, mut from: Vec<Pointed>) -> Rc<[Spot]> {
        from.sort_unstable();
        from.dedup();
        if let Some(known) = self.targets.borrow().get(&from) {
            return known.clone();
        }
        let found: Rc<[Spot]> = self.find_targets(&from).into();
        self.targets.borrow_mut().insert(from, found.clone());
        found
    }

    fn find_targets(&self, from: &[Pointed]) -> Vec<Spot> {
        let mut spots = Vec::new();
        let found = self.points.follow_to_unknown(from);
        let unknown = self.points.unknown();
        let is_unknown = found.iter().any(|one| one.0 == unknown);
        // The unknown memory stands for all escaped memory.
        let is_included = |memory| {
            is_unknown && memory != unknown && self.escaped.covers(Range { memory, start: 0, end: END })
        };
        for (memory, offset) in found {
            if is_included(memory) {
                continue;
            }
            match self.points.kind(memory) {
                MemoryKind::Unknown => {
                    spots.extend(self.escaped.iter().map(|range| Spot::inexact(range.memory, None, 0, END)));
                }
                MemoryKind::Object | MemoryKind::Heap(_) | MemoryKind::Library => {
                    spots.push(self.target(memory, offset));
                }
                MemoryKind::Code(..) | MemoryKind::Target { .. } => {}
            }
        }
        spots
    }

    fn target(&self, memory: Memory, offset: Option<u64>) -> Spot {
        let Some(at) = offset else { return Spot::inexact(memory, None, 0, END) };
        let arrays = self.arrays.get(&memory).map_or(&[][..], |arrays| arrays);
        match arrays.iter().filter(|array| array.start <= at && at < array.end).map(|array| array.end).max() {
            Some(end) => Spot::inexact(memory, Some(at), at, end),
            None => Spot::whole(memory, Some(at), END),
        }
    }

    /// The pointers in this range: for each one, its bytes, and its offset in the points-to analysis. `None`
    /// if there are too many.
    pub fn pointers_in(&self, range: Range) -> Option<Vec<(Range, u64)>> {
        const LIMIT: usize = 4096;
        let size = self.points.size(range.memory).unwrap_or(END);
        let arrays = self.arrays.get(&range.memory).into_iter().flatten();
        let arrays: Vec<Array> = arrays.map(|array| Array { end: array.end.min(size), ..*array }).collect();
        let mut found = Vec::new();
        for offset in self.points.pointers(range.memory) {
            let mut starts = vec![offset];
            for array in arrays.iter().filter(|array| array.start <= offset && offset < array.end) {
                if array.stride == 0 || array.end == END {
                    // One range for all elements, because their size is not known.
                    let all = Range { memory: range.memory, start: array.start, end: array.end };
                    found.extend(all.overlaps(&range).then_some((all, offset)));
                } else if offset - array.start < array.stride {
                    let first = range.start.saturating_sub(offset) / array.stride;
                    let end = range.end.min(array.end);
                    let elements = (first..).map(|number| offset + number * array.stride);
                    starts.extend(elements.take_while(|start| *start < end).take(LIMIT + 1));
                }
            }
            let pointer =
                |start: u64| Range { memory: range.memory, start, end: start.saturating_add(POINTER_BYTES) };
            let inside = starts.into_iter().map(pointer).filter(|pointer| pointer.overlaps(&range));
            found.extend(inside.map(|pointer| (pointer, offset)));
            if found.len() > LIMIT {
                return None;
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// The offsets at which the points-to analysis may have pointers for this range.
    pub fn pointer_offsets(&self, range: Range) -> Vec<u64> {
        match self.pointers_in(range) {
            Some(found) => {
                let mut offsets: Vec<u64> = found.into_iter().map(|pointer| pointer.1).collect();
                offsets.sort_unstable();
                offsets.dedup();
                offsets
            }
            None => self.points.pointers(range.memory),
        }
    }

    /// The same for memory that is certain. If a parameter has several possible targets, none of them is
    /// certain.
    pub fn concretize_certain(&self, bytes: &Bytes) -> Bytes {
        let mut all = Bytes::default();
        for range in bytes.iter() {
            let ranges: Vec<Range> = self.concretize(&Bytes::from_range(range)).iter().collect();
            let is_target = matches!(self.points.kind(range.memory), MemoryKind::Target { .. });
            match ranges[..] {
                [found] if !is_target || (self.unique(found.memory) && self.is_exact_target(range)) => {
                    all.insert(found);
                }
                _ => {}
            }
            if is_target {
                all.insert(range);
            }
        }
        all
    }

    /// Whether the parameter always points to the same byte.
    fn is_exact_target(&self, range: Range) -> bool {
        let MemoryKind::Target { procedure, parameter } = *self.points.kind(range.memory) else {
            return true;
        };
        if self.omitted.contains(&range.memory) {
            return false;
        }
        let parameter = self.program.procedures[procedure.0 as usize].parameters[parameter as usize];
        let targets = self.follow(&[self.start(parameter)]);
        matches!(targets[..], [target] if target.section.is_none())
    }

    /// The bytes, with memory of the callers in place of the targets of parameters.
    pub fn concretize(&self, bytes: &Bytes) -> Bytes {
        let (mut targets, mut found): (Vec<Range>, Vec<Range>) = (Vec::new(), Vec::new());
        let mut spots: (Memory, Vec<Spot>) = (self.points.unknown(), Vec::new());
        // The objects of the program have the first numbers.
        let others = Memory(self.program.objects.len() as u32);
        for range in bytes.iter_from(others) {
            let MemoryKind::Target { procedure, parameter } = *self.points.kind(range.memory) else {
                continue;
            };
            if spots.0 != range.memory {
                let parameters = &self.program.procedures[procedure.0 as usize].parameters;
                spots = (range.memory, self.follow(&[self.start(parameters[parameter as usize])]));
            }
            targets.push(range);
            let part = |spot: &Spot| spot.part(range, self.points.size(spot.memory));
            found.extend(spots.1.iter().filter_map(part).map(|place| place.range));
        }
        let mut all = bytes.clone();
        if targets.is_empty() {
            return all;
        }
        all.subtract(&targets.into());
        all.add(&found.into_iter().collect());
        all
    }

    /// The places of the bytes `start..end` of the memory to which an argument points or refers.
    pub fn behind_argument(&self, argument: &Argument, start: u64, end: u64) -> Vec<AccessRange> {
        in_order(self.parts(&self.argument_spots(argument), start, end).collect())
    }

    /// The bytes `start..end` behind each of these places.
    pub fn parts<'s>(
        &'s self,
        spots: &'s [AccessRange],
        start: u64,
        end: u64,
    ) -> impl Iterator<Item = AccessRange> + 's {
        let part = Range { memory: Memory(0), start, end };
        spots.iter().filter_map(move |place| place.part(part, self.points.size(place.range.memory)))
    }

    /// The places to which an argument points.
    pub fn argument_spots(&self, argument: &Argument) -> Vec<AccessRange> {
        match argument {
            Argument::Absent => Vec::new(),
            Argument::Reference(access) | Argument::Value(Value::Address(access)) => {
                self.resolve(access, &mut Vec::new())
            }
            Argument::Value(Value::Copy(access)) => {
                let mut path = access.path.clone();
                path.push(Step::Dereference);
                let behind = Access { path, size: Some(1), content: Content::Unknown, ..access.clone() };
                self.resolve(&behind, &mut Vec::new())
            }
            Argument::Value(Value::Unknown) => {
                self.escaped.iter().map(|range| AccessRange { range, exact: false, limit: END }).collect()
            }
            Argument::Value(Value::Data | Value::Affine(_) | Value::Null | Value::Procedure(_)) => Vec::new(),
        }
    }

    /// The bytes that a register of `range` saves for the caller, if the range is in the target of the
    /// parameter. A range without end extends to the end of the caller's memory.
    pub fn registered_behind(&self, argument: &Argument, range: Range) -> Option<Range> {
        let place = match &self.behind_argument(argument, 0, 1)[..] {
            [place] if self.unique(place.range.memory) => *place,
            _ => return None,
        };
        let whole = match argument {
            Argument::Reference(access) => self.certain(&self.resolve(access, &mut Vec::new())),
            Argument::Value(_) | Argument::Absent => None,
        };
        let (start, limit) = match whole {
            Some(whole) => (whole.start, whole.end),
            None if place.exact => (place.range.start, place.limit),
            None => return None,
        };
        let end = if range.end == END { limit } else { start.saturating_add(range.end) };
        let start = start.saturating_add(range.start);
        (start < end).then_some(Range { memory: place.range.memory, start, end })
    }

    /// The targets of parameters for which a call has no argument, or a null pointer.
    fn omitted_arguments(&self) -> FxHashSet<Memory> {
        let is_omitted = |argument: Option<&Argument>| {
            matches!(argument, None | Some(Argument::Absent | Argument::Value(Value::Null)))
        };
        let mut omitted = FxHashSet::default();
        for (procedure, callers) in self.program.procedures.iter().zip(&self.calls.callers) {
            let calls = callers.iter().filter_map(|caller| self.program.operation(*caller).call());
            for call in calls {
                let parameters = procedure.parameters.iter().enumerate();
                let omitted_here = parameters.filter(|(number, _)| is_omitted(call.arguments.get(*number)));
                omitted.extend(omitted_here.filter_map(|(_, parameter)| self.target_of(*parameter)));
            }
        }
        omitted
    }

    fn find_constant_parameters(&mut self, id: ProcedureId) {
        let procedure = &self.program.procedures[id.0 as usize];
        if !procedure.entries.is_empty() {
            return;
        }
        let object = |variable: VariableId| self.program.variables[variable.0 as usize].object;
        let mut changed = Vec::new();
        for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
            let mut changes = |access: &Access| {
                if !access.path.contains(&Step::Dereference) {
                    changed.push(object(access.root));
                }
            };
            addresses(&operation.kind, &mut changes);
            match &operation.kind {
                OperationKind::Write { to, .. } | OperationKind::Allocate { to, .. } => changes(to),
                OperationKind::Free(access) => changes(access),
                OperationKind::Call(call) => call.result.iter().for_each(&mut changes),
                OperationKind::Opaque { touched, .. } => {
                    changed.extend(touched.iter().map(|&variable| object(variable)));
                }
                OperationKind::Read(_) | OperationKind::Begin(_) | OperationKind::Directive(_) => {}
            }
        }
        for (number, &parameter) in procedure.parameters.iter().enumerate() {
            let variable = &self.program.variables[parameter.0 as usize];
            let pointer = matches!(
                variable.content,
                Content::Pointer | Content::Descriptor | Content::Reference { .. }
            );
            if pointer && !changed.contains(&variable.object) {
                let kind = MemoryKind::Target { procedure: id, parameter: number as u32 };
                let memory = self.points.add_memory(kind, None);
                self.constant.insert(parameter, memory);
            }
        }
    }
}

/// The local objects whose address is not taken, and that no other procedure names.
fn private(program: &Program) -> Vec<bool> {
    let object = |root: VariableId| program.variables[root.0 as usize].object.0 as usize;
    let local = |object: &crate::program::Object| matches!(object.lifetime, Lifetime::Local(_));
    let mut private: Vec<bool> = program.objects.iter().map(local).collect();
    for (number, procedure) in program.procedures.iter().enumerate() {
        let own = Lifetime::Local(ProcedureId(number as u32));
        for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
            accesses(&operation.kind, &mut |access| {
                private[object(access.root)] &= program.objects[object(access.root)].lifetime == own;
            });
            addresses(&operation.kind, &mut |access| {
                private[object(access.root)] &= access.path.contains(&Step::Dereference);
            });
            if let OperationKind::Opaque { touched, .. } = &operation.kind {
                touched.iter().for_each(|&root| private[object(root)] = false);
            }
        }
    }
    private
}

/// Whether a section certainly has no elements: `p[0]` in a register.
fn is_empty(dimension: &Dimension) -> bool {
    let Index::Range { first, last, step: 1 } = &dimension.index else { return false };
    last.sub(first).and_then(|distance| distance.as_constant()).is_some_and(|distance| distance < 0)
}
