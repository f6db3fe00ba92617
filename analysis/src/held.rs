//! The memory that registers save.
//!
//! Input: what a procedure has registered. Output: the same on several paths, and in terms of a caller.
//! Postcondition: in terms of a caller, the memory is that of the running call.

use crate::access_ranges::AccessRanges;
use crate::effects::Assumptions;
use crate::passed_registers::{registered_by_call, Named};
use crate::points_to::MemoryKind;
use crate::program::{Call, ProcedureId};
use crate::sets::{Bytes, Memory, Range};
use crate::summary::Summaries;

/// Memory that registers save.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Held {
    pub bytes: Bytes,
    /// Pointers whose target is saved.
    pub slots: Bytes,
    /// Memory from which everything is saved that pointers reach: the roots of `deep`.
    pub roots: Bytes,
    /// Of `bytes`: targets of parameters of C. If such a target is on the heap, a restart may give it another address, and only
    /// the parameter is set to it.
    pub by_parameter: Bytes,
}

impl Held {
    pub fn of_slots(slots: Bytes) -> Held {
        Held { slots, ..Held::default() }
    }

    pub fn both(&self, other: &Held, assumptions: Assumptions) -> Held {
        match assumptions {
            Assumptions::Worst => Held {
                bytes: self.bytes.intersect(&other.bytes),
                slots: self.slots.intersect(&other.slots),
                roots: self.roots.intersect(&other.roots),
                by_parameter: self.by_parameter.intersect(&other.by_parameter),
            },
            Assumptions::Usual => {
                let mut all = self.clone();
                all.add(other);
                all
            }
        }
    }

    /// The registers of a callee in its caller.
    pub fn at_call(&self, summaries: &Summaries, callee: ProcedureId, call: &Call) -> Held {
        let by_call = |bytes: &Bytes, named| registered_by_call(summaries, callee, call, bytes, named);
        let in_caller = |bytes: &Bytes| by_call(bytes, Named::ByPlace);
        let kind = |range: &Range| summaries.places.points.kind(range.memory);
        let passed = by_call(&self.by_parameter, Named::ByPointer);
        let mut bytes = self.bytes.clone();
        bytes.subtract(&self.by_parameter);
        let mut bytes = in_caller(&bytes);
        bytes.add(&passed.iter().filter(|range| !matches!(kind(range), MemoryKind::Heap(_))).collect());
        Held {
            bytes,
            slots: in_caller(&self.slots),
            roots: in_caller(&self.roots),
            by_parameter: passed
                .iter()
                .filter(|range| matches!(kind(range), MemoryKind::Target { .. }))
                .collect(),
        }
    }

    /// What parameters of the procedure point to is the second part, everything else the first one.
    pub fn of_parameters(&self, summaries: &Summaries, id: ProcedureId) -> (Held, Held) {
        let is_target = |range: Range| match summaries.places.points.kind(range.memory) {
            MemoryKind::Target { procedure, .. } => *procedure == id,
            MemoryKind::Object
            | MemoryKind::Heap(_)
            | MemoryKind::Code(..)
            | MemoryKind::Library
            | MemoryKind::Unknown => false,
        };
        let (mut others, mut of_parameters) = (self.clone(), self.clone());
        others.retain(|range| !is_target(range));
        of_parameters.retain(is_target);
        (others, of_parameters)
    }

    /// With memory of the callers for the targets of parameters, where it is certain.
    pub fn concrete(&self, places: &AccessRanges) -> Held {
        Held {
            bytes: places.concretize_certain(&self.bytes),
            slots: places.concretize_certain(&self.slots),
            roots: places.concretize_certain(&self.roots),
            by_parameter: self.by_parameter.clone(),
        }
    }

    /// Keeps the ranges for which this holds.
    pub fn retain(&mut self, is_kept: impl Fn(Range) -> bool) {
        for set in self.sets_mut() {
            *set = set.iter().filter(|range| is_kept(*range)).collect();
        }
    }

    /// Memory of a callee in its caller.
    pub fn translated(&self, to: impl Fn(Range) -> Vec<Range>) -> Held {
        let all = |bytes: &Bytes| bytes.iter().flat_map(&to).collect();
        Held {
            bytes: all(&self.bytes),
            slots: all(&self.slots),
            roots: all(&self.roots),
            by_parameter: all(&self.by_parameter),
        }
    }

    fn sets_mut(&mut self) -> [&mut Bytes; 4] {
        [&mut self.bytes, &mut self.slots, &mut self.roots, &mut self.by_parameter]
    }

    pub fn subtract(&mut self, other: &Held) {
        self.bytes.subtract(&other.bytes);
        self.slots.subtract(&other.slots);
        self.roots.subtract(&other.roots);
        self.by_parameter.subtract(&other.bytes);
    }

    pub fn add(&mut self, other: &Held) {
        self.bytes.add(&other.bytes);
        self.slots.add(&other.slots);
        self.roots.add(&other.roots);
        self.by_parameter.add(&other.by_parameter);
    }

    pub fn remove_memory(&mut self, memory: Memory) {
        self.sets_mut().into_iter().for_each(|set| set.remove_memory(memory));
    }
}
