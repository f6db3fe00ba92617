//! Integers that a program probably has in its variables.
//!
//! Input: a program. Output: an integer for each variable that only has constants and sums of such variables.
//! Postcondition: a number is an estimate: the largest that the program stores, in any order.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::Calls;
use crate::points_to::Target;
use crate::program::{
    Affine, Argument, Content, Dimension, Index, Loop, ObjectId, OperationKind, Program, Step, Value,
    VariableId,
};

/// The number of iterations if nothing is known.
pub const ASSUMED: f64 = 100.0;

/// Values depend on other values. Longer chains are not followed.
const ROUNDS: usize = 5;

type ScalarAt = (ObjectId, u64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    Largest(i64),
    /// Also something that is not known.
    OrUnknown(i64),
    Unknown,
}

impl Stored {
    fn and(self, other: Stored) -> Stored {
        match (self, other) {
            (Stored::Largest(one), Stored::Largest(other)) => Stored::Largest(one.max(other)),
            (Stored::Unknown, Stored::Unknown) => Stored::Unknown,
            (Stored::Unknown, Stored::Largest(known) | Stored::OrUnknown(known))
            | (Stored::Largest(known) | Stored::OrUnknown(known), Stored::Unknown) => {
                Stored::OrUnknown(known)
            }
            (
                Stored::Largest(one) | Stored::OrUnknown(one),
                Stored::Largest(other) | Stored::OrUnknown(other),
            ) => Stored::OrUnknown(one.max(other)),
        }
    }
}

#[derive(Debug)]
pub struct Estimates<'p> {
    program: &'p Program,
    stored: FxHashMap<ScalarAt, Stored>,
    /// The variables of loops, which have many values.
    counters: FxHashSet<ScalarAt>,
}

/// The number of iterations of a loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Iterations {
    Known(f64),
    Assumed(f64),
}

impl Iterations {
    pub fn number(self) -> f64 {
        match self {
            Iterations::Known(number) | Iterations::Assumed(number) => number,
        }
    }
}

impl<'p> Estimates<'p> {
    pub fn new(program: &'p Program, calls: &Calls) -> Estimates<'p> {
        let mut found = Estimates { program, stored: FxHashMap::default(), counters: FxHashSet::default() };
        let loops = program.procedures.iter().flat_map(|procedure| &procedure.loops);
        let counters = loops.map(|one| found.place(one.variable)).collect();
        found.counters = counters;
        for _ in 0..ROUNDS {
            let next = found.round(calls);
            // A variable that counts on its own has no largest value.
            let is_last = found.stored == next;
            found.stored = next;
            if is_last {
                return found;
            }
        }
        let next = found.round(calls);
        found.stored.retain(|place, stored| next.get(place) == Some(stored));
        found
    }

    fn place(&self, variable: VariableId) -> ScalarAt {
        let variable = &self.program.variables[variable.0 as usize];
        (variable.object, variable.offset)
    }

    fn round(&self, calls: &Calls) -> FxHashMap<ScalarAt, Stored> {
        let mut next: FxHashMap<ScalarAt, Stored> = FxHashMap::default();
        let mut store = |place: ScalarAt, stored: Stored| {
            let known = next.entry(place).or_insert(stored);
            *known = known.and(stored);
        };
        for initial in &self.program.initial {
            store((initial.object, initial.offset), Stored::Largest(initial.value));
        }
        for (site, operation) in self.program.operations() {
            match &operation.kind {
                OperationKind::Write { to, value } if to.path.is_empty() => {
                    store(self.place(to.root), self.of_value(value));
                }
                // Through a dummy argument.
                OperationKind::Write { to, .. } if to.path == [Step::Dereference] => {
                    store(self.place(to.root), Stored::Unknown);
                }
                OperationKind::Call(call) => {
                    let targets = calls.targets(site);
                    for (position, argument) in call.arguments.iter().enumerate() {
                        let parameters = targets.iter().filter_map(|target| match target {
                            Target::Procedure(id) => {
                                self.program.procedures[id.0 as usize].parameters.get(position).copied()
                            }
                            Target::Outside(_) | Target::Unknown => None,
                        });
                        let parameters: Vec<VariableId> = parameters.collect();
                        let passed = match argument {
                            Argument::Value(value) => self.of_value(value),
                            Argument::Reference(access) if access.path.is_empty() => {
                                let own = self.place(access.root);
                                let is_set = parameters.iter().any(|&one| self.is_set(one));
                                if is_set || parameters.is_empty() {
                                    store(own, Stored::Unknown);
                                }
                                self.stored.get(&own).copied().unwrap_or(Stored::Unknown)
                            }
                            Argument::Reference(_) | Argument::Absent => Stored::Unknown,
                        };
                        parameters.into_iter().for_each(|one| store(self.place(one), passed));
                    }
                }
                _ => {}
            }
        }
        next.retain(|place, _| !self.counters.contains(place));
        next
    }

    /// The procedure may store into the argument.
    fn is_set(&self, parameter: VariableId) -> bool {
        let by_reference =
            matches!(self.program.variables[parameter.0 as usize].content, Content::Reference { .. });
        by_reference && !matches!(self.stored.get(&self.place(parameter)), None | Some(Stored::Largest(_)))
    }

    fn of_value(&self, value: &Value) -> Stored {
        match value {
            Value::Affine(affine) => self.of_sum(affine),
            Value::Copy(access) if access.path.is_empty() => {
                self.stored.get(&self.place(access.root)).copied().unwrap_or(Stored::Unknown)
            }
            _ => Stored::Unknown,
        }
    }

    fn of_sum(&self, affine: &Affine) -> Stored {
        let mut sum = affine.constant;
        let mut is_sure = true;
        for &(variable, factor) in &affine.terms {
            let known = match self.stored.get(&self.place(variable)) {
                Some(Stored::Largest(known)) => *known,
                Some(Stored::OrUnknown(known)) => {
                    is_sure = false;
                    *known
                }
                Some(Stored::Unknown) | None => return Stored::Unknown,
            };
            sum = sum.saturating_add(known.saturating_mul(factor));
        }
        if is_sure {
            Stored::Largest(sum)
        } else {
            Stored::OrUnknown(sum)
        }
    }

    pub fn iterations(&self, counted: Option<&Loop>) -> Iterations {
        let assumed = Iterations::Assumed(ASSUMED);
        let Some(counted) = counted.filter(|counted| counted.step != 0) else { return assumed };
        let Some(distance) = counted.last.sub(&counted.first) else { return assumed };
        let count = |distance: i64| (distance as f64 / counted.step as f64).floor() + 1.0;
        match self.of_sum(&distance) {
            Stored::Largest(distance) => Iterations::Known(count(distance).max(0.0)),
            // The value that is not known is probably larger than the one in the source.
            Stored::OrUnknown(distance) => Iterations::Assumed(count(distance).max(ASSUMED)),
            Stored::Unknown => assumed,
        }
    }

    /// The number of elements of an access.
    pub fn elements(&self, path: &[Step]) -> f64 {
        let of_dimension = |dimension: &Dimension| match &dimension.index {
            Index::At(_) | Index::Unknown => 1.0,
            Index::Range { first, last, step } => {
                match last.sub(first).map(|distance| self.of_sum(&distance)) {
                    Some(Stored::Largest(distance) | Stored::OrUnknown(distance)) if *step != 0 => {
                        (distance as f64 / *step as f64 + 1.0).max(1.0)
                    }
                    _ => ASSUMED,
                }
            }
            Index::All => match dimension.extent.as_ref().map(|extent| self.of_sum(extent)) {
                Some(Stored::Largest(extent) | Stored::OrUnknown(extent)) => (extent as f64).max(1.0),
                _ => ASSUMED,
            },
        };
        let dimensions = path.iter().flat_map(|step| match step {
            Step::Elements(dimensions) => &dimensions[..],
            Step::Field { .. } | Step::Dereference => &[],
        });
        dimensions.map(of_dimension).product()
    }
}
