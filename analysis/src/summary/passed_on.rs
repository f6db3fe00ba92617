//! The effects of a call of a procedure of the program.
//!
//! Input: the summary of the procedure, and the arguments of the call.
//! Output: the effects on the memory of the caller.
//! Postcondition: what does not depend on the arguments is found once for all callers, which share it.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::unit_names::UnitAtCall;
use super::Summaries;
use crate::points_to::MemoryKind;
use crate::problems::Effect;
use crate::program::{Call, ProcedureId};
use crate::sets::{Bytes, Range};
use crate::spot::AccessRange;

/// The parts of summaries, until they change. For each procedure: for callers outside of its recursion, and within it.
#[derive(Debug, Default)]
pub struct PassedOn {
    known: RefCell<FxHashMap<(ProcedureId, bool), Parts>>,
}

/// What a procedure reads, writes, loses and restores.
type Parts = Rc<[Part; 4]>;

/// A part of a summary for a caller.
#[derive(Debug)]
struct Part {
    /// Memory that is the same in the caller.
    same: Bytes,
    /// Memory behind parameters.
    behind_parameters: Vec<Range>,
    /// Units that parameters name.
    units: Vec<Range>,
}

impl PassedOn {
    /// The summary of the procedure changes.
    pub fn forget(&self, id: ProcedureId) {
        let mut known = self.known.borrow_mut();
        known.remove(&(id, false));
        known.remove(&(id, true));
    }
}

impl Summaries<'_> {
    /// Adds the effects of the call. Returns its certain writes, or `None` if it does not return.
    pub(super) fn run(
        &self,
        caller: ProcedureId,
        id: ProcedureId,
        call: &Call,
        effect: &mut Effect,
    ) -> Option<Bytes> {
        let targets = [&mut effect.reads, &mut effect.writes, &mut effect.lost, &mut effect.restored];
        let mut behind: Vec<Option<Vec<AccessRange>>> = vec![None; call.arguments.len()];
        let parts = self.parts(id, caller);
        let any = [self.units.all(), self.units.others(), self.units.others(), self.units.others()];
        for ((part, to), unknown) in parts.iter().zip(targets).zip(any) {
            to.add(&part.same);
            to.add(&self.units_at_call(id, call, &part.units, unknown));
            let mut found = Vec::new();
            for range in &part.behind_parameters {
                let MemoryKind::Target { parameter, .. } = *self.places.points.kind(range.memory) else {
                    continue;
                };
                let Some(argument) = call.arguments.get(parameter as usize) else { continue };
                let spots =
                    behind[parameter as usize].get_or_insert_with(|| self.places.argument_spots(argument));
                found.extend(self.places.parts(spots, range.start, range.end).map(|place| place.range));
            }
            to.add(&found.into_iter().collect());
        }
        // The first use of a unit may open a file.
        for unit in parts[0].units.iter() {
            if let UnitAtCall::Unit(unit) = self.unit_at_call(id, call, *unit) {
                if self.is_unopened(unit) {
                    effect.writes.insert(unit);
                    effect.lost.insert(unit);
                }
            }
        }
        let mut certain = Bytes::default();
        for range in self.of[id.0 as usize].certain.as_ref()?.iter() {
            match self.unit_at_call(id, call, range) {
                UnitAtCall::Same => {}
                UnitAtCall::Unit(unit) => {
                    certain.insert(unit);
                    continue;
                }
                UnitAtCall::Unknown => continue,
            }
            if self.places.points.kind(range.memory) == &MemoryKind::Object
                && self.places.local_to(range.memory, id)
            {
                continue;
            }
            if let Some(range) = self.places.certain(&self.at_call(id, call, range)) {
                certain.insert(range);
            } else if [self.marks, self.units.memory, self.states].contains(&range.memory)
                || self.owners.is_owned(range.memory)
            {
                certain.insert(range);
            }
        }
        Some(certain)
    }

    /// What the procedure reads, writes, loses and restores, for a caller.
    fn parts(&self, id: ProcedureId, caller: ProcedureId) -> Parts {
        let is_within = self.places.calls.is_same_recursion(id, caller);
        if let Some(known) = self.passed_on.known.borrow().get(&(id, is_within)) {
            return known.clone();
        }
        let summary = &self.of[id.0 as usize];
        let part = |set: &Bytes| {
            let (mut others, mut behind_parameters, mut units) = (Vec::new(), Vec::new(), Vec::new());
            for range in set.iter() {
                if self.unit_parameter(id, range).is_some() {
                    units.push(range);
                    others.push(range);
                    continue;
                }
                match *self.places.points.kind(range.memory) {
                    MemoryKind::Target { procedure, .. } if procedure == id => {
                        behind_parameters.push(range);
                        others.push(range);
                    }
                    _ if self.places.ends_with(range.memory, id, caller) => others.push(range),
                    _ => {}
                }
            }
            let mut same = set.clone();
            same.subtract(&others.into());
            Part { same, behind_parameters, units }
        };
        let parts = [&summary.exposed, &summary.writes, &summary.lost, &summary.restored].map(part);
        let parts = Rc::new(parts);
        self.passed_on.known.borrow_mut().insert((id, is_within), parts.clone());
        parts
    }

    /// The places of a range of the callee in the memory of its caller.
    pub fn at_call(&self, id: ProcedureId, call: &Call, range: Range) -> Vec<AccessRange> {
        match *self.places.points.kind(range.memory) {
            MemoryKind::Target { procedure, parameter } if procedure == id => {
                match call.arguments.get(parameter as usize) {
                    Some(argument) => self.places.behind_argument(argument, range.start, range.end),
                    None => Vec::new(),
                }
            }
            _ => vec![AccessRange { range, exact: true, limit: range.end }],
        }
    }

    /// The memory of the caller that a register of the callee saves, if that is certain.
    pub fn registered_at_call(&self, id: ProcedureId, call: &Call, range: Range) -> Option<Range> {
        match *self.places.points.kind(range.memory) {
            MemoryKind::Target { procedure, parameter } if procedure == id => {
                self.places.registered_behind(call.arguments.get(parameter as usize)?, range)
            }
            _ => self.places.unique(range.memory).then_some(range),
        }
    }
}
