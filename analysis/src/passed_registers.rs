//! The memory of a caller that registers of parameters save.
//!
//! Input: registered memory in terms of a procedure, and a call of it. Output: the same memory in terms of the caller.
//! Postcondition: memory that only other calls of the procedure pass is not in the result.

use std::collections::BTreeSet;

use crate::access_ranges::AccessRanges;
use crate::effects::Assumptions;
use crate::points_to::MemoryKind;
use crate::program::{Argument, Call, Dimension, Index, ProcedureId, Step, Value};
use crate::sets::{Bytes, Memory, Range, END};
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
            Passed::OneOf(choice) => choices.push((parameter, choice)),
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
#[derive(PartialEq, Eq)]
struct Choice {
    parts: Vec<Range>,
    /// Their number.
    count: u64,
}

/// If a call passes as many arguments as there are parts, these are all parts: `call step(old, new)`. Two arguments do not
/// overlap if both are registered.
fn all_of_choices(choices: &[(u32, Choice)]) -> Vec<Range> {
    let is_all = |one: &Choice| {
        let same = choices.iter().filter(|(_, other)| other == one);
        same.map(|(parameter, _)| *parameter).collect::<BTreeSet<u32>>().len() as u64 >= one.count
    };
    choices.iter().filter(|(_, one)| is_all(one)).flat_map(|(_, one)| one.parts.iter().copied()).collect()
}

fn passed(places: &AccessRanges, argument: &Argument, range: Range, named: Named) -> Passed {
    let spots = places.argument_spots(argument);
    let mut memories: Vec<Memory> = spots.iter().map(|spot| spot.range.memory).collect();
    memories.dedup();
    if memories.len() > 1 {
        let parts = spots.iter().map(|spot| Range { end: spot.limit, ..spot.range }).collect();
        return Passed::OneOf(Choice { parts, count: memories.len() as u64 });
    }
    let (Argument::Reference(access) | Argument::Value(Value::Address(access))) = argument else {
        return match (named, &spots[..]) {
            // The pointer may point to any element of an array. Programs that register fields usually pass the first one.
            (Named::ByPlace, [spot]) => {
                part_of_memory(spot.range.memory, range, (spot.range.start, spot.limit))
            }
            (Named::ByPlace | Named::ByPointer, _) => {
                places.registered_behind(argument, range).map_or(Passed::Unknown, Passed::Memory)
            }
        };
    };
    let [spot] = spots[..] else { return Passed::Unknown };
    let last_pointer = access.path.iter().rposition(|step| *step == Step::Dereference);
    let (pointers, own) = access.path.split_at(last_pointer.map_or(0, |at| at + 1));
    let is_in_elements = pointers.iter().any(|step| matches!(step, Step::Elements(_)));
    // A pointer of each element of an array has other memory.
    if is_in_elements && !places.unique(spot.range.memory) {
        return Passed::Unknown;
    }
    let (start, limit) = match part_of(own) {
        Part::Whole => (spot.range.start, spot.range.end),
        // The following elements belong to the array of the callee.
        Part::Element => (spot.range.start, spot.limit),
        Part::Slice { index: Some(index), bytes: Some(bytes), .. } => {
            let start = spot.range.start.saturating_add(index.saturating_mul(bytes));
            (start, start.saturating_add(bytes).min(spot.limit))
        }
        Part::Slice { count: Some(count), .. } => {
            let parts = vec![Range { end: spot.limit, ..spot.range }];
            return Passed::OneOf(Choice { parts, count });
        }
        Part::Slice { count: None, .. } | Part::Unknown => return Passed::Unknown,
    };
    part_of_memory(spot.range.memory, range, (start, limit))
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
    // Programs that pass two slices of an array usually have two of them.
    let usual = (!others.is_empty()).then_some(2);
    Part::Slice { index, bytes: slowest.stride, count: count.or(usual) }
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
