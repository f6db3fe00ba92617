//! Which handles may be the standard input: streams of C, units of Fortran, and descriptors.
//!
//! Input: a program and the memory that accesses denote. Output: whether a call may read standard input.
//! Postcondition: a handle that is `stdin`, `input_unit`, 5 or 0, or a copy of one of these in a variable, is found. If
//! the program opens another file in place of standard input, no handle is.

use crate::access_ranges::AccessRanges;
use crate::effects::{Effects, LibraryState, StateEffect};
use crate::points_to::Target;
use crate::program::{Access, Affine, Argument, Call, Callee, OperationKind, Site, Value};
use crate::sets::{Bytes, Memory, Range};
use crate::units::is_open;

/// The unit of Fortran that is standard input.
const UNIT: i64 = 5;
/// The descriptor.
const DESCRIPTOR: i64 = 0;

/// Memory whose content is copied, and where to.
type Copies = Vec<(Bytes, Bytes)>;

#[derive(Debug, Default)]
pub(super) struct StandardInput {
    /// Memory that may have the stream or the unit.
    handles: Bytes,
    /// Memory that may have the descriptor.
    descriptors: Bytes,
    /// The program opens another file in its place.
    is_replaced: bool,
}

impl StandardInput {
    pub(super) fn new(places: &AccessRanges, effects: &dyn Effects) -> StandardInput {
        let mut found = StandardInput::default();
        let reads = |call: &Call| match &call.callee {
            Callee::Named(name) => effects
                .effects(name)
                .is_some_and(|effects| effects.states.iter().any(|one| one.state == LibraryState::Input)),
            Callee::Indirect(_) | Callee::OneOf(_) => false,
        };
        if !places.program.calls().any(|(_, _, call)| reads(call)) {
            return found;
        }
        for (number, object) in places.program.objects.iter().enumerate() {
            if object.name == "stdin" && object.external {
                let memory = Memory(number as u32);
                found.handles.insert(Range { memory, start: 0, end: object.size.unwrap_or(8) });
            }
        }
        let mut copies = Vec::new();
        // Callers come first, because arguments bring most handles.
        for id in places.calls.components.iter().rev().flatten() {
            for (site, operation) in places.program.procedures[id.0 as usize].operations(*id) {
                found.begin(places, site, &operation.kind, &mut copies);
            }
        }
        while copies.iter().fold(false, |is_new, (from, to)| found.copy(from, to) || is_new) {}
        found.is_replaced = places.program.calls().any(|(_, _, call)| found.replaces(places, call));
        found
    }

    /// Adds the memory that gets a constant in an operation, and what the operation copies.
    fn begin(&mut self, places: &AccessRanges, site: Site, kind: &OperationKind, copies: &mut Copies) {
        match kind {
            OperationKind::Write { to, value: Value::Copy(from) } => {
                copies.push((ranges(places, from), ranges(places, to)));
            }
            OperationKind::Write { to, value: Value::Affine(number) } => {
                if number.as_constant() == Some(UNIT) {
                    self.handles.add(&ranges(places, to));
                } else if let Some(from) = variable(places, number) {
                    copies.push((from, ranges(places, to)));
                }
            }
            OperationKind::Call(call) => self.pass(places, site, call, copies),
            OperationKind::Write { .. }
            | OperationKind::Read(_)
            | OperationKind::Begin(_)
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Directive(_)
            | OperationKind::Opaque { .. } => {}
        }
    }

    /// Returns whether the copy adds memory.
    fn copy(&mut self, from: &Bytes, to: &Bytes) -> bool {
        let mut is_new = false;
        for set in [&mut self.handles, &mut self.descriptors] {
            is_new |= from.iter().any(|range| set.overlaps(range)) && set.add(to);
        }
        is_new
    }

    /// The parameters of a called procedure, and its result.
    fn pass(&mut self, places: &AccessRanges, site: Site, call: &Call, copies: &mut Copies) {
        for target in places.calls.targets(site) {
            let Target::Procedure(id) = target else { continue };
            let procedure = &places.program.procedures[id.0 as usize];
            for (parameter, argument) in procedure.parameters.iter().zip(&call.arguments) {
                let to = one(places.range_of(*parameter));
                match argument {
                    Argument::Value(Value::Copy(from)) => copies.push((ranges(places, from), to)),
                    Argument::Value(Value::Affine(number)) => match number.as_constant() {
                        Some(DESCRIPTOR) => drop(self.descriptors.add(&to)),
                        Some(UNIT) => drop(self.handles.add(&to)),
                        Some(_) => {}
                        None => copies.extend(variable(places, number).map(|from| (from, to))),
                    },
                    Argument::Value(_) | Argument::Reference(_) | Argument::Absent => {}
                }
            }
            if let (Some(from), Some(to)) = (procedure.result, &call.result) {
                copies.push((one(places.range_of(from)), ranges(places, to)));
            }
        }
    }

    /// The call opens a file in place of standard input.
    fn replaces(&self, places: &AccessRanges, call: &Call) -> bool {
        let Callee::Named(name) = &call.callee else { return false };
        let argument = match name.as_str() {
            "freopen" | "freopen64" => 2,
            "dup2" | "dup3" => 1,
            _ if is_open(call) => 0,
            _ => return false,
        };
        let argument = call.arguments.get(argument);
        match argument {
            Some(Argument::Value(Value::Affine(number))) => {
                let replaced = if name.starts_with("dup") { DESCRIPTOR } else { UNIT };
                number.as_constant() == Some(replaced)
            }
            Some(argument) => self.is_in(&self.handles, places, argument),
            None => false,
        }
    }

    /// Whether a call may use the position of standard input in this way.
    pub(super) fn is_used(&self, places: &AccessRanges, effect: &StateEffect, call: &Call) -> bool {
        if self.is_replaced {
            return false;
        }
        let Some(condition) = &effect.only_if else { return true };
        let Some(argument) = call.arguments.get(condition.argument) else { return false };
        if let Argument::Value(Value::Affine(number)) = argument {
            if let Some(number) = number.as_constant() {
                return condition.numbers.contains(&number);
            }
        }
        match condition.numbers.contains(&DESCRIPTOR) {
            true => self.is_in(&self.descriptors, places, argument),
            false => self.is_in(&self.handles, places, argument),
        }
    }

    fn is_in(&self, set: &Bytes, places: &AccessRanges, argument: &Argument) -> bool {
        match argument {
            Argument::Reference(access) | Argument::Value(Value::Copy(access)) => {
                ranges(places, access).iter().any(|range| set.overlaps(range))
            }
            Argument::Value(Value::Affine(number)) => variable(places, number)
                .is_some_and(|variable| variable.iter().any(|range| set.overlaps(range))),
            Argument::Value(_) | Argument::Absent => false,
        }
    }
}

/// The variable whose value it is.
fn variable(places: &AccessRanges, number: &Affine) -> Option<Bytes> {
    match number.terms[..] {
        [(variable, 1)] if number.constant == 0 => Some(one(places.range_of(variable))),
        _ => None,
    }
}

fn one(range: Range) -> Bytes {
    let mut bytes = Bytes::default();
    bytes.insert(range);
    bytes
}

fn ranges(places: &AccessRanges, access: &Access) -> Bytes {
    let mut bytes = Bytes::default();
    places.resolve(access, &mut Vec::new()).iter().for_each(|place| bytes.insert(place.range));
    places.concretize(&bytes)
}
