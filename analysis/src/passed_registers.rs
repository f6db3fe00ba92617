//! The memory of a caller that registers of parameters save.
//!
//! Input: registered memory in terms of a procedure, and a call of it. Output: the same memory in terms of the caller.
//! Postcondition: memory that only other calls of the procedure pass is not in the result.

use std::collections::BTreeSet;

use crate::access_ranges::AccessRanges;
use crate::effects::Assumptions;
use crate::points_to::MemoryKind;
use crate::program::{
    Access, Argument, Call, Dimension, Index, OperationKind, ProcedureId, Step, Value, VariableId,
};
use crate::sets::{Bytes, Memory, Range, END};
use crate::spot::AccessRange;
use crate::summary::Summaries;

/// How the callee has named the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// A dummy argument, or a field: the memory itself is registered.
    ByPlace,
    /// `p[n]`, where `p` is a parameter: a pointer and its target are registered.
    ByPointer,
}

/// The memory of the caller that a call of `callee` has registered, if `registered` is what the callee has registered.
pub fn registered_by_call(
    summaries: &Summaries,
    callee: ProcedureId,
    call: &Call,
    registered: &Bytes,
    named: Named,
) -> Bytes {
    let places = &summaries.places;
    let (mut found, mut choices) = (Vec::new(), Vec::new());
    for range in registered.iter() {
        let parameter = match *places.points.kind(range.memory) {
            MemoryKind::Target { procedure, parameter } if procedure == callee => parameter,
            _ => {
                found.extend(summaries.registered_at_call(callee, call, range));
                continue;
            }
        };
        let Some(argument) = call.arguments.get(parameter as usize) else { continue };
        if summaries.assumptions == Assumptions::Worst {
            found.extend(summaries.registered_at_call(callee, call, range));
            continue;
        }
        match passed(places, argument, range, named) {
            Passed::Memory(range) => found.push(range),
            Passed::OneOf(choice) => choices.push((range, choice)),
            Passed::Unknown => {}
        }
    }
    found.extend(all_of_choices(&choices));
    found.into_iter().collect()
}

/// What an argument passes.
enum Passed {
    Memory(Range),
    OneOf(Choice),
    Unknown,
}

/// Several parts of memory. The argument is one of them, and it is not known which.
struct Choice {
    parts: Parts,
    /// Two arguments with the same expression are the same part.
    expression: Expression,
}

#[derive(PartialEq, Eq)]
struct Parts {
    /// The memories, or the arrays that have the slices.
    memories: Vec<Range>,
    slices: Option<Slices>,
    /// The number of arguments that are certainly all parts.
    count: usize,
}

/// The parts are slices of an array.
#[derive(PartialEq, Eq)]
struct Slices {
    array: Expression,
    /// The size of each of them.
    bytes: Option<u64>,
}

/// A part of the source: a pointer, an array, or an index.
#[derive(PartialEq, Eq)]
struct Expression {
    root: VariableId,
    path: Vec<Step>,
}

/// If a call passes as many arguments as there are parts, these are all parts: `call step(old, new)`. Two arguments do not
/// overlap if both are registered. Bytes that not all arguments have registered are not in the result.
fn all_of_choices(choices: &[(Range, Choice)]) -> Vec<Range> {
    let mut all = Vec::new();
    for (number, (_, one)) in choices.iter().enumerate() {
        if choices[..number].iter().any(|(_, other)| other.parts == one.parts) {
            continue;
        }
        let same: Vec<&(Range, Choice)> =
            choices.iter().filter(|(_, other)| other.parts == one.parts).collect();
        let bounds: BTreeSet<u64> = same.iter().flat_map(|(range, _)| [range.start, range.end]).collect();
        let ends = bounds.iter().skip(1);
        for (&start, &end) in bounds.iter().zip(ends) {
            let mut expressions: Vec<&Expression> = Vec::new();
            for (range, choice) in &same {
                let is_registered = range.start <= start && end <= range.end;
                if is_registered && !expressions.contains(&&choice.expression) {
                    expressions.push(&choice.expression);
                }
            }
            if expressions.len() >= one.parts.count {
                all.extend(one.parts.bytes(start, end));
            }
        }
    }
    all
}

impl Parts {
    /// The bytes `start..end` of each part.
    fn bytes(&self, start: u64, end: u64) -> Vec<Range> {
        let mut all = Vec::new();
        let slice_bytes = self.slices.as_ref().and_then(|slices| slices.bytes);
        for whole in &self.memories {
            let parts: Vec<(u64, u64)> = match slice_bytes {
                Some(bytes) => {
                    let at = |number| whole.start.saturating_add(bytes.saturating_mul(number));
                    (0..self.count as u64).map(|number| (at(number), at(number + 1).min(whole.end))).collect()
                }
                None => vec![(whole.start, whole.end)],
            };
            let range = Range { memory: whole.memory, start, end };
            all.extend(parts.into_iter().filter_map(|part| {
                match part_of_memory(whole.memory, range, part) {
                    Passed::Memory(range) => Some(range),
                    Passed::OneOf(_) | Passed::Unknown => None,
                }
            }));
        }
        all
    }
}

fn passed(places: &AccessRanges, argument: &Argument, range: Range, named: Named) -> Passed {
    let spots = places.argument_spots(argument);
    let memories: BTreeSet<Memory> = spots.iter().map(|spot| spot.range.memory).collect();
    let access = match argument {
        Argument::Reference(access) | Argument::Value(Value::Address(access)) => access,
        Argument::Value(Value::Copy(pointer)) if memories.len() > 1 => {
            return one_of_memories(&spots, (pointer.root, &pointer.path));
        }
        Argument::Value(_) | Argument::Absent => {
            return match (named, &spots[..]) {
                // The pointer may point to any element of an array. Programs that register fields usually pass the first one.
                (Named::ByPlace, [spot]) => {
                    part_of_memory(spot.range.memory, range, (spot.range.start, spot.limit))
                }
                (Named::ByPlace | Named::ByPointer, _) => {
                    places.registered_behind(argument, range).map_or(Passed::Unknown, Passed::Memory)
                }
            };
        }
    };
    let last_pointer = access.path.iter().rposition(|step| *step == Step::Dereference);
    let (pointers, own) = access.path.split_at(last_pointer.map_or(0, |at| at + 1));
    let is_in_elements = pointers.iter().any(|step| matches!(step, Step::Elements(_)));
    // A pointer of each element of an array has other memory.
    if is_in_elements && !memories.iter().all(|memory| places.unique(*memory)) {
        return Passed::Unknown;
    }
    let (start, limit) = match (part_of(own), &spots[..]) {
        (Part::Whole | Part::Element, _) if memories.len() > 1 => {
            return one_of_memories(&spots, (access.root, pointers));
        }
        (Part::Whole, [spot]) => (spot.range.start, spot.range.end),
        // The following elements belong to the array of the callee.
        (Part::Element, [spot]) => (spot.range.start, spot.limit),
        (Part::Slice { index: Some(index), bytes: Some(bytes), .. }, [spot]) => {
            let start = spot.range.start.saturating_add(index.saturating_mul(bytes));
            (start, start.saturating_add(bytes).min(spot.limit))
        }
        (Part::Slice { bytes, count, .. }, _) => {
            return one_of_slices(places, access, &spots, (bytes, count), range);
        }
        (Part::Whole | Part::Element | Part::Unknown, _) => return Passed::Unknown,
    };
    let [spot] = spots[..] else { return Passed::Unknown };
    part_of_memory(spot.range.memory, range, (start, limit))
}

/// One of the targets of a pointer.
fn one_of_memories(spots: &[AccessRange], (root, pointers): (VariableId, &[Step])) -> Passed {
    let memories: Vec<Range> = spots.iter().map(|spot| Range { end: spot.limit, ..spot.range }).collect();
    let starts: BTreeSet<(Memory, u64)> = memories.iter().map(|one| (one.memory, one.start)).collect();
    let parts = Parts { memories, slices: None, count: starts.len() };
    Passed::OneOf(Choice { parts, expression: Expression { root, path: pointers.to_vec() } })
}

/// One of the slices of an array. The array may be in one of several memories.
fn one_of_slices(
    places: &AccessRanges,
    access: &Access,
    spots: &[AccessRange],
    (bytes, count): (Option<u64>, Option<u64>),
    range: Range,
) -> Passed {
    let Some((Step::Elements(dimensions), array)) = access.path.split_last() else { return Passed::Unknown };
    let memories: Vec<Range> = spots.iter().map(|spot| Range { end: spot.limit, ..spot.range }).collect();
    let counts: Option<BTreeSet<u64>> =
        memories.iter().map(|memory| count.or_else(|| number_of_slices(places, *memory, bytes))).collect();
    let Some(count) = counts.and_then(|counts| counts.last().copied()) else { return Passed::Unknown };
    // Without a size of the slices, only whole ones are known.
    if bytes.is_none() && (range.start, range.end) != (0, END) {
        return Passed::Unknown;
    }
    let expression = |path: &[Step]| Expression { root: access.root, path: path.to_vec() };
    let slices = Some(Slices { array: expression(array), bytes });
    let parts = Parts { memories, slices, count: count.try_into().unwrap_or(usize::MAX) };
    let index = Step::Elements(dimensions[..1].to_vec());
    Passed::OneOf(Choice { parts, expression: expression(&[index]) })
}

/// The number of slices of an array whose declaration does not contain it: from ALLOCATE, or from the size.
fn number_of_slices(places: &AccessRanges, array: Range, bytes: Option<u64>) -> Option<u64> {
    if let (Some(bytes), true) = (bytes, array.end != END) {
        return (array.end - array.start).checked_div(bytes);
    }
    let mut most = None;
    for range in places.concretize(&Bytes::from_range(array)).iter() {
        let MemoryKind::Heap(site) = *places.points.kind(range.memory) else { return None };
        let OperationKind::Allocate { slices, .. } = places.program.operation(site).kind else { return None };
        most = most.max(Some(slices?));
    }
    most
}

/// The range, if it begins at `start` of this memory.
fn part_of_memory(memory: Memory, range: Range, (start, limit): (u64, u64)) -> Passed {
    let end = if range.end == END { limit } else { start.saturating_add(range.end).min(limit) };
    let start = start.saturating_add(range.start);
    match start < end {
        true => Passed::Memory(Range { memory, start, end }),
        false => Passed::Unknown,
    }
}

/// The part of a memory that an argument passes.
enum Part {
    /// A variable, or the first part of an array.
    Whole,
    /// From an element of a known position to the end of the array.
    Element,
    /// All elements that have one last index in Fortran, or one first index in C. `count`: the number of these indices.
    Slice {
        index: Option<u64>,
        bytes: Option<u64>,
        count: Option<u64>,
    },
    Unknown,
}

fn part_of(path: &[Step]) -> Part {
    let mut part = Part::Whole;
    for (number, step) in path.iter().enumerate() {
        let Step::Elements(dimensions) = step else {
            part = Part::Whole;
            continue;
        };
        let is_at = dimensions.iter().all(|one| matches!(one.index, Index::At(_)));
        let is_known =
            dimensions.iter().all(is_start) || (is_at && dimensions.iter().all(has_known_distance));
        part = match (is_known, is_at) {
            (true, true) => Part::Element,
            (true, false) => Part::Whole,
            (false, _) if number + 1 == path.len() => slice(dimensions),
            (false, _) => Part::Unknown,
        };
        if let Part::Unknown = part {
            return part;
        }
    }
    part
}

fn slice(dimensions: &[Dimension]) -> Part {
    let [slowest, others @ ..] = dimensions else { return Part::Unknown };
    let Index::At(index) = &slowest.index else { return Part::Unknown };
    if !others.iter().all(is_start) {
        return Part::Unknown;
    }
    let index = slowest.lower.as_ref().and_then(|lower| index.sub(lower)?.as_constant());
    let index = index.and_then(|index| index.try_into().ok());
    let count = slowest.extent.as_ref().and_then(|extent| extent.as_constant()?.try_into().ok());
    Part::Slice { index, bytes: slowest.stride, count }
}

/// Whether the index is the first one, or begins with it.
fn is_start(dimension: &Dimension) -> bool {
    match &dimension.index {
        Index::All => true,
        Index::At(first) | Index::Range { first, step: 1, .. } => Some(first) == dimension.lower.as_ref(),
        Index::Range { .. } | Index::Unknown => false,
    }
}

fn has_known_distance(dimension: &Dimension) -> bool {
    let Index::At(index) = &dimension.index else { return false };
    let distance = dimension.lower.as_ref().and_then(|lower| index.sub(lower)?.as_constant());
    distance.is_some() && dimension.stride.is_some()
}
