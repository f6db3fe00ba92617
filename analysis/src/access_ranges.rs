//! The bytes that an access denotes.
//!
//! Input: a program, its points-to sets and its calls. Output: for each access, ranges of memory.
//! Postcondition: the ranges contain every byte that the access may touch. A range that is `exact` contains no
//! other byte.

use rustc_hash::FxHashMap;

use crate::calls::Calls;
use crate::points_to::{MemoryKind, PointsTo};
use crate::program::{
    Access, Argument, Callee, Content, Dimension, Directive, Index, Lifetime, OperationKind, ProcedureId,
    Program, Step, Value, VariableId,
};
use crate::sets::{Bytes, Memory, Range, END};

pub struct AccessRanges<'p> {
    pub program: &'p Program,
    pub points: PointsTo,
    pub calls: Calls,
    /// Parts of memory that are arrays: an address of one element may be that of any other.
    arrays: FxHashMap<Memory, Vec<(u64, u64)>>,
    /// Parameters that always have the value of the call, and the memory that stands for what they point to.
    constant: FxHashMap<VariableId, Memory>,
    pub escaped: Bytes,
    /// For each object: only accesses of its procedure under its names reach it, so they mean one activation.
    private: Vec<bool>,
}

/// Bytes that an access may denote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AccessRange {
    pub range: Range,
    /// It denotes all of these bytes, if it denotes this place at all.
    pub exact: bool,
    /// The end of the array or variable: what follows may be reached from an address of the place.
    pub limit: u64,
}

impl<'p> AccessRanges<'p> {
    pub fn new(program: &'p Program, points: PointsTo, calls: Calls) -> AccessRanges<'p> {
        let mut places = AccessRanges {
            program,
            points,
            calls,
            arrays: FxHashMap::default(),
            constant: FxHashMap::default(),
            escaped: Bytes::default(),
            private: private(program),
        };
        for number in 0..program.procedures.len() as u32 {
            places.find_constant_parameters(ProcedureId(number));
        }
        places.find_arrays();
        for memory in places.points.escaped() {
            if !matches!(places.points.kind(memory), MemoryKind::Code(..)) {
                places.escaped.insert(Range { memory, start: 0, end: END });
            }
        }
        places
    }

    /// What stands for the memory that this parameter points to, within its procedure.
    pub fn target_of(&self, parameter: VariableId) -> Option<Memory> {
        self.constant.get(&parameter).copied()
    }

    /// One memory of this kind exists at a time, so a write to it is certain.
    pub fn unique(&self, memory: Memory) -> bool {
        match self.points.kind(memory) {
            MemoryKind::Object => match self.program.objects[memory.0 as usize].lifetime {
                Lifetime::Static => true,
                Lifetime::Local(id) => !self.calls.recursive(id) || self.private[memory.0 as usize],
            },
            MemoryKind::Target { .. } => true,
            MemoryKind::Heap(_) | MemoryKind::Code(..) | MemoryKind::Library | MemoryKind::Unknown => false,
        }
    }

    /// No other activation of the same procedure, and nothing that it calls, reaches this object of it.
    pub fn private(&self, memory: Memory) -> bool {
        *self.points.kind(memory) == MemoryKind::Object && self.private[memory.0 as usize]
    }

    /// It is gone when a call of `callee` has returned to `caller`.
    pub fn ends_with(&self, memory: Memory, callee: ProcedureId, caller: ProcedureId) -> bool {
        *self.points.kind(memory) == MemoryKind::Object
            && match self.program.objects[memory.0 as usize].lifetime {
                Lifetime::Static => false,
                Lifetime::Local(owner) => self.calls.ends_with(owner, callee, caller),
            }
    }

    /// The range that a write to these places defines on every path.
    pub fn certain(&self, places: &[AccessRange]) -> Option<Range> {
        match places {
            [place] if place.exact && self.unique(place.range.memory) => Some(place.range),
            _ => None,
        }
    }

    /// An object of the procedure: its life ends when that returns.
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

    /// The places of an access, and the places of the pointers on the way, which it reads.
    pub fn resolve(&self, access: &Access, pointers: &mut Vec<AccessRange>) -> Vec<AccessRange> {
        let mut spots = vec![self.start(access.root)];
        for (number, step) in access.path.iter().enumerate() {
            match step {
                Step::Field { offset, .. } => spots.iter_mut().for_each(|spot| spot.field(*offset)),
                Step::Elements(dimensions) => {
                    let last = number + 1 == access.path.len();
                    spots.iter_mut().for_each(|spot| spot.elements(dimensions, last, access.size));
                }
                Step::Dereference => {
                    let pointer = |spot: &Spot| spot.place(Some(8), self.points.size(spot.memory));
                    pointers.extend(spots.iter().map(pointer));
                    spots = match self.constant.get(&access.root) {
                        Some(&memory) if number == 0 => vec![Spot::whole(memory, Some(0), END)],
                        _ => self.follow(&spots),
                    };
                }
            }
        }
        let mut places: Vec<_> =
            spots.iter().map(|spot| spot.place(access.size, self.points.size(spot.memory))).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    fn start(&self, root: VariableId) -> Spot {
        let variable = &self.program.variables[root.0 as usize];
        let limit = variable.size.map_or(END, |size| variable.offset + size);
        Spot {
            at: Some(variable.offset),
            start: variable.offset,
            limit,
            ..Spot::whole(variable.object.into(), None, END)
        }
    }

    fn follow(&self, spots: &[Spot]) -> Vec<Spot> {
        let mut from = Vec::with_capacity(spots.len());
        for spot in spots {
            match *self.points.kind(spot.memory) {
                // Points-to sets are those of the memory that the parameter really points to.
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
        self.targets(&from)
    }

    /// Where pointers at these places may point.
    fn targets(&self, from: &[(Memory, Option<u64>)]) -> Vec<Spot> {
        let mut spots = Vec::new();
        for (memory, offset) in self.points.follow(from) {
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
        match arrays.iter().filter(|array| array.0 <= at && at < array.1).map(|array| array.1).max() {
            Some(end) => Spot::inexact(memory, Some(at), at, end),
            None => Spot::whole(memory, Some(at), END),
        }
    }

    /// What the parameter of this procedure points to, in the memory of its callers.
    pub fn concrete(&self, range: Range, all: &mut Bytes) {
        let MemoryKind::Target { procedure, parameter } = *self.points.kind(range.memory) else {
            all.insert(range);
            return;
        };
        let parameter = self.program.procedures[procedure.0 as usize].parameters[parameter as usize];
        let spot = self.start(parameter);
        for target in self.follow(&[spot]) {
            if let Some(range) = target.part(range, self.points.size(target.memory)) {
                all.insert(range.range);
            }
        }
    }

    pub fn concretize(&self, bytes: &Bytes) -> Bytes {
        let mut all = Bytes::default();
        bytes.iter().for_each(|range| self.concrete(range, &mut all));
        all
    }

    /// Where the bytes `start..end` of the memory are that an argument points or refers to.
    pub fn behind_argument(&self, argument: &Argument, start: u64, end: u64) -> Vec<AccessRange> {
        let part = Range { memory: Memory(0), start, end };
        let spots: Vec<AccessRange> = match argument {
            Argument::Absent => return Vec::new(),
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
            Argument::Value(Value::Data | Value::Affine(_) | Value::Null | Value::Procedure(_)) => {
                return Vec::new();
            }
        };
        let mut places: Vec<_> =
            spots.iter().filter_map(|place| place.part(part, self.points.size(place.range.memory))).collect();
        places.sort_unstable();
        places.dedup();
        places
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

    /// Finds the arrays: where an access has elements.
    fn find_arrays(&mut self) {
        let mut found: FxHashMap<Memory, Vec<(u64, u64)>> = FxHashMap::default();
        for procedure in &self.program.procedures {
            for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
                accesses(&operation.kind, &mut |access| self.find_arrays_in(access, &mut found));
            }
        }
        for arrays in found.values_mut() {
            arrays.sort_unstable();
            arrays.dedup();
        }
        self.arrays = found;
    }

    fn find_arrays_in(&self, access: &Access, found: &mut FxHashMap<Memory, Vec<(u64, u64)>>) {
        let mut spots = vec![self.start(access.root)];
        let mut behind = false;
        for step in &access.path {
            match step {
                Step::Field { offset, .. } => {
                    spots.iter_mut().for_each(|spot| spot.field(*offset));
                    behind = false;
                }
                Step::Dereference => {
                    spots = self.follow(&spots);
                    behind = true;
                }
                Step::Elements(dimensions) => {
                    for spot in &spots {
                        let Some(at) = spot.at else { continue };
                        let end = match total(dimensions) {
                            Some(total) if !behind => spot.start.saturating_add(total),
                            _ => spot.limit,
                        };
                        let arrays = found.entry(spot.memory).or_default();
                        if !arrays.contains(&(at, end)) {
                            arrays.push((at, end));
                        }
                    }
                }
            }
        }
    }
}

/// A position on the way to a place.
#[derive(Debug, Clone, Copy)]
struct Spot {
    memory: Memory,
    /// The offset of the points-to analysis: elements of arrays do not change it.
    at: Option<u64>,
    start: u64,
    /// Set if the position is somewhere from `start` to this end, or for a section of an array.
    section: Option<(u64, bool)>,
    limit: u64,
}

impl Spot {
    fn whole(memory: Memory, at: Option<u64>, limit: u64) -> Spot {
        Spot { memory, at, start: at.unwrap_or(0), section: None, limit }
    }

    fn inexact(memory: Memory, at: Option<u64>, start: u64, end: u64) -> Spot {
        Spot { memory, at, start, section: Some((end, false)), limit: end }
    }

    fn field(&mut self, offset: u64) {
        self.at = self.at.map(|at| at.saturating_add(offset));
        match &mut self.section {
            Some((_, exact)) => *exact = false,
            None => self.start = self.start.saturating_add(offset),
        }
    }

    fn elements(&mut self, dimensions: &[Dimension], last: bool, size: Option<u64>) {
        if self.section.is_some() {
            return;
        }
        let end =
            total(dimensions).map_or(self.limit, |total| self.start.saturating_add(total)).min(self.limit);
        if let Some(distance) = constant_distance(dimensions) {
            self.start = self.start.saturating_add(distance);
            self.limit = end.max(self.start);
            return;
        }
        self.limit = end;
        let all = dimensions.iter().all(|dimension| dimension.index == Index::All);
        self.section = match (dimensions, constant_section(dimensions)) {
            _ if all && last && total(dimensions).is_some() => Some((end, true)),
            (_, Some((first, last_index))) if last && size.is_some() => {
                let start = self.start;
                self.start = start.saturating_add(first);
                Some((start.saturating_add(last_index).saturating_add(size.unwrap_or(0)).min(end), true))
            }
            _ => Some((end, false)),
        };
    }

    fn place(&self, size: Option<u64>, whole: Option<u64>) -> AccessRange {
        let whole = whole.unwrap_or(END).max(self.start);
        let (end, exact) = match (self.section, size) {
            (Some((end, exact)), _) => (end, exact),
            (None, Some(size)) => (self.start.saturating_add(size), true),
            (None, None) => (self.limit, false),
        };
        let range = Range { memory: self.memory, start: self.start, end: end.min(whole) };
        AccessRange { range, exact, limit: self.limit.min(whole).max(range.end) }
    }

    fn part(&self, part: Range, whole: Option<u64>) -> Option<AccessRange> {
        self.place(Some(1), whole).part(part, whole)
    }
}

impl AccessRange {
    /// The bytes `part` of the memory that begins at this place.
    fn part(&self, part: Range, whole: Option<u64>) -> Option<AccessRange> {
        let whole = whole.unwrap_or(END);
        let start = self.range.start.saturating_add(part.start);
        let array = !self.exact;
        let end = match (part.end, array) {
            (END, _) => self.limit,
            (_, true) => self.limit,
            (end, false) => self.range.start.saturating_add(end),
        };
        let range = Range {
            memory: self.range.memory,
            start: if array { self.range.start } else { start },
            end: end.min(whole),
        };
        (range.start < range.end).then_some(AccessRange {
            range,
            exact: self.exact && part.end != END,
            limit: self.limit,
        })
    }
}

/// The bytes of all elements.
fn total(dimensions: &[Dimension]) -> Option<u64> {
    let mut total = 0u64;
    for dimension in dimensions {
        let extent: u64 = dimension.extent.as_ref()?.as_constant()?.try_into().ok()?;
        total = total.max(extent.checked_mul(dimension.stride?)?);
    }
    Some(total)
}

/// The distance of one element from the first, if all indices are constants.
fn constant_distance(dimensions: &[Dimension]) -> Option<u64> {
    let mut distance = 0i64;
    for dimension in dimensions {
        let Index::At(index) = &dimension.index else { return None };
        let steps = index.sub(dimension.lower.as_ref()?)?.as_constant()?;
        distance = distance.checked_add(steps.checked_mul(dimension.stride?.try_into().ok()?)?)?;
    }
    distance.try_into().ok()
}

/// First and last element of a section of one dimension without gaps.
fn constant_section(dimensions: &[Dimension]) -> Option<(u64, u64)> {
    let [dimension] = dimensions else { return None };
    let Index::Range { first, last, step: 1 } = &dimension.index else { return None };
    let lower = dimension.lower.as_ref()?;
    let stride: i64 = dimension.stride?.try_into().ok()?;
    let first = first.sub(lower)?.as_constant()?.checked_mul(stride)?;
    let last = last.sub(lower)?.as_constant()?.checked_mul(stride)?;
    (first >= 0 && last >= first).then_some((first as u64, last as u64))
}

/// The local objects whose address nobody takes, and that no other procedure names.
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

/// The accesses whose address is a value of the operation.
fn addresses(kind: &OperationKind, found: &mut dyn FnMut(&Access)) {
    match kind {
        OperationKind::Write { value: Value::Address(access), .. } => found(access),
        OperationKind::Call(call) => {
            for argument in &call.arguments {
                match argument {
                    Argument::Reference(access) | Argument::Value(Value::Address(access)) => found(access),
                    Argument::Value(_) | Argument::Absent => {}
                }
            }
        }
        OperationKind::Read(_)
        | OperationKind::Write { .. }
        | OperationKind::Begin(_)
        | OperationKind::Allocate { .. }
        | OperationKind::Free(_)
        | OperationKind::Directive(_)
        | OperationKind::Opaque { .. } => {}
    }
}

/// All accesses of an operation.
pub fn accesses(kind: &OperationKind, found: &mut dyn FnMut(&Access)) {
    addresses(kind, found);
    match kind {
        OperationKind::Read(access) | OperationKind::Free(access) => found(access),
        OperationKind::Allocate { to, .. } => found(to),
        OperationKind::Write { to, value } => {
            found(to);
            if let Value::Copy(access) = value {
                found(access);
            }
        }
        OperationKind::Call(call) => {
            for argument in &call.arguments {
                if let Argument::Value(Value::Copy(access)) = argument {
                    found(access);
                }
            }
            call.result.iter().for_each(&mut *found);
            if let Callee::Indirect(access) = &call.callee {
                found(access);
            }
        }
        OperationKind::Directive(directive) => match &**directive {
            Directive::Register(items) | Directive::Unregister(items) => {
                items.iter().for_each(|item| found(&item.memory));
            }
            Directive::BeginExecute { captures, files, .. } => {
                captures.iter().chain(files).for_each(|item| found(&item.memory));
            }
            Directive::Init | Directive::Shutdown | Directive::Checkpoint | Directive::EndExecute => {}
        },
        OperationKind::Begin(_) | OperationKind::Opaque { .. } => {}
    }
}
