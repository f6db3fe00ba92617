//! Values of expressions, and writes.
//!
//! Postcondition: what is not understood is `Unknown`, and different in each process.

use super::machine::{Machine, State};
use super::reals::real_function;
use super::value::{compared, computed, truth, Constant, Real, Val, Vals};
use crate::program::{
    Access, Affine, Condition, Content, Dimension, Expression, Index, InputFile, Operation, Operator, Site,
    Step, Value, VariableId,
};
use crate::sets::Memory;

/// The maximum number of elements of an array that are set one by one.
const ELEMENTS: i64 = 64;

impl Machine<'_, '_> {
    /// The address of the memory, or of its first element.
    pub fn place(&self, access: &Access, state: &State) -> Vals {
        let root = &self.input.program.variables[access.root.0 as usize];
        let mut place = Vals::One(Val::Pointer(root.object.into(), root.offset as i64));
        for step in &access.path {
            place = match step {
                Step::Field { offset, .. } => moved(&place, &Vals::One(Val::Int(*offset as i64)), self.count),
                Step::Elements(dimensions) => {
                    let mut at = place;
                    for dimension in dimensions {
                        let distance = self.distance(dimension, state);
                        at = moved(&at, &distance, self.count);
                    }
                    at
                }
                Step::Dereference => {
                    let pointer = state.store.read(&place, Some(crate::program::POINTER_BYTES));
                    pointer.map(|value| match value {
                        Val::Pointer(..) | Val::Inside(_) | Val::Named(Constant::Arguments) => value,
                        _ => Val::Unknown,
                    })
                }
            };
        }
        place
    }

    /// The address that a call passes.
    pub fn passed(&self, operation: &Operation, at: usize, access: &Access, state: &State) -> Vals {
        match operation.computed.get(at) {
            Some(Expression::FirstElement(element)) => self.place(element, state),
            _ => self.place(access, state),
        }
    }

    /// How many bytes an index is away from the first element.
    fn distance(&self, dimension: &Dimension, state: &State) -> Vals {
        let index = match &dimension.index {
            Index::At(index) | Index::Range { first: index, .. } => index,
            Index::All => return Vals::One(Val::Int(0)),
            Index::Unknown => return Vals::SAME,
        };
        let (Some(lower), Some(stride)) = (&dimension.lower, dimension.stride) else {
            return Vals::SAME;
        };
        let from = self.affine(index, state).zip(&self.affine(lower, state), self.count, |index, lower| {
            computed(Operator::Subtract, index, lower)
        });
        from.map(|from| computed(Operator::Multiply, from, Val::Int(stride as i64)))
    }

    pub fn load(&self, access: &Access, state: &State) -> Vals {
        if is_section(access) {
            return Vals::different(self.count);
        }
        let place = self.place(access, state);
        if let Vals::One(Val::Pointer(memory, _)) = place {
            if let Some(constant) = self.constants.get(&memory) {
                return Vals::One(Val::Named(*constant));
            }
        }
        state.store.read(&place, access.size)
    }

    fn variable(&self, id: VariableId, state: &State) -> Vals {
        let view = &self.input.program.variables[id.0 as usize];
        let place = Vals::One(Val::Pointer(view.object.into(), view.offset as i64));
        match view.content {
            Content::Reference { .. } => {
                let target = state.store.read(&place, Some(crate::program::POINTER_BYTES));
                state.store.read(&target, None)
            }
            _ => state.store.read(&place, view.size),
        }
    }

    pub fn affine(&self, affine: &Affine, state: &State) -> Vals {
        let mut sum = Vals::One(Val::Int(affine.constant));
        for &(variable, factor) in &affine.terms {
            let value = self.variable(variable, state);
            // A handle or an address is an integer of the program, too.
            if affine.constant == 0 && factor == 1 && affine.terms.len() == 1 {
                return value;
            }
            let part = value.map(|value| computed(Operator::Multiply, value, Val::Int(factor)));
            sum = sum.zip(&part, self.count, |sum, part| computed(Operator::Add, sum, part));
        }
        sum
    }

    pub fn condition(&self, condition: &Condition, state: &State) -> Vals {
        let (left, right) = (self.affine(&condition.left, state), self.affine(&condition.right, state));
        left.zip(&right, self.count, |left, right| compared(condition.comparison, left, right))
    }

    pub fn expression(&self, expression: &Expression, state: &State) -> Vals {
        match expression {
            Expression::Affine(affine) => self.affine(affine, state),
            Expression::Load(access) => self.load(access, state),
            Expression::Negate(inner) => {
                let value = self.expression(inner, state);
                value.map(|value| computed(Operator::Subtract, Val::Int(0), value))
            }
            Expression::NonNegative(inner) => self.expression(inner, state).map(|value| match value {
                Val::Int(..0) => Val::Unknown,
                value => value,
            }),
            Expression::Not(inner) => self.expression(inner, state).map(|value| match truth(value) {
                Some(value) => Val::Int(i64::from(!value)),
                None => Val::Unknown,
            }),
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left, state), self.expression(right, state));
                left.zip(&right, self.count, |left, right| computed(*operator, left, right))
            }
            Expression::Choice(all) => {
                let [condition, then, otherwise] = &**all;
                let condition = self.expression(condition, state);
                let (then, otherwise) = (self.expression(then, state), self.expression(otherwise, state));
                self.chosen(&condition, &then, &otherwise)
            }
            Expression::InputFile(asked) => match (self.assumed.no_input_files, asked) {
                (true, InputFile::OpenStatus) => Vals::One(Val::Named(Constant::Failure)),
                (true, InputFile::Exists) => Vals::One(Val::Int(0)),
                (false, _) => Vals::different(self.count),
            },
            Expression::Real(constant) => Vals::One(Real::constant(constant)),
            Expression::RealFunction(function, arguments) => {
                let values: Vec<Vals> = arguments.iter().map(|one| self.expression(one, state)).collect();
                match &values[..] {
                    [one] => one.map(|value| real_function(*function, &[value])),
                    [left, right] => {
                        left.zip(right, self.count, |left, right| real_function(*function, &[left, right]))
                    }
                    _ => Vals::different(self.count),
                }
            }
            Expression::Of(all) => match all.iter().all(|one| self.expression(one, state).is_same()) {
                true => Vals::SAME,
                false => Vals::different(self.count),
            },
            Expression::Text(_) => Vals::SAME,
            Expression::FirstElement(element) => self.place(element, state),
            Expression::Parts { .. } | Expression::Unknown => Vals::different(self.count),
        }
    }

    fn chosen(&self, condition: &Vals, then: &Vals, otherwise: &Vals) -> Vals {
        let one = |condition, then: Val, otherwise: Val| match truth(condition) {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => Val::Unknown,
        };
        match (condition, then, otherwise) {
            (Vals::One(condition), Vals::One(then), Vals::One(otherwise)) => {
                Vals::One(one(*condition, *then, *otherwise))
            }
            _ => {
                let each = (0..self.count).map(|process| {
                    let of = |values: &Vals| values.of_process(process);
                    one(of(condition), of(then), of(otherwise))
                });
                Vals::of(each.collect())
            }
        }
    }

    /// The value of an operand. `known`: how it is computed.
    pub fn value(&self, value: &Value, known: Option<&Expression>, state: &State) -> Vals {
        match value {
            Value::Affine(affine) => match known {
                Some(known @ Expression::NonNegative(_)) => self.expression(known, state),
                _ => self.affine(affine, state),
            },
            Value::Copy(access) => self.load(access, state),
            Value::Address(access) => self.place(access, state),
            Value::Null => Vals::One(Val::Int(0)),
            Value::Procedure(_) => Vals::SAME,
            Value::Data | Value::Unknown => match known {
                Some(known) => self.expression(known, state),
                None => Vals::different(self.count),
            },
        }
    }

    pub fn write_operation(&self, to: &Access, value: &Value, operation: &Operation, state: &mut State) {
        if let [Expression::Parts { parts, .. }] = &operation.computed[..] {
            let values: Vec<Vals> = parts.iter().map(|part| self.expression(&part.1, state)).collect();
            self.forget(to, state);
            for ((access, _), value) in parts.iter().zip(values) {
                self.write(access, &value, state);
            }
            return;
        }
        let value = self.value(value, operation.computed.first(), state);
        self.write(to, &value, state);
    }

    /// Writes a value to a scalar, or to all elements of a small array.
    pub fn write(&self, to: &Access, value: &Vals, state: &mut State) {
        if is_section(to) {
            return self.fill(to, value, state);
        }
        let place = self.place(to, state);
        let is_known = |process| matches!(place.of_process(process), Val::Pointer(..) | Val::Inside(_));
        let is_scalar = to.size.is_none_or(|size| size <= 16);
        if !is_scalar || !state.active().all(is_known) {
            return self.forget(to, state);
        }
        let value = match to.size {
            Some(size @ (1 | 2 | 4)) => value.map(|value| narrow(value, size)),
            _ => value.clone(),
        };
        state.store.write(&place, to.size, &value, &state.mask);
    }

    /// `dims = 0`
    fn fill(&self, to: &Access, value: &Vals, state: &mut State) {
        let place = self.place(to, state);
        let one = match &to.path[..] {
            [Step::Elements(dimensions)] => match &dimensions[..] {
                [Dimension { index: Index::All, extent: Some(extent), stride: Some(stride), .. }] => {
                    extent.as_constant().map(|extent| (extent, *stride))
                }
                _ => None,
            },
            _ => None,
        };
        self.forget(to, state);
        let Some((extent, stride)) = one.filter(|one| one.0 <= ELEMENTS) else { return };
        for at in 0..extent {
            let part = moved(&place, &Vals::One(Val::Int(at * stride as i64)), self.count);
            state.store.write(&part, to.size, value, &state.mask);
        }
    }

    /// The content of the memory is not known any longer.
    pub fn forget(&self, access: &Access, state: &mut State) {
        let places = self.input.points.denoted(self.input.program, access);
        self.forget_memories(places.into_iter().map(|place| place.0).collect(), state);
    }

    pub fn forget_memories(&self, memories: Vec<Memory>, state: &mut State) {
        for memory in memories {
            if memory == self.input.points.unknown() {
                for escaped in self.input.points.escaped() {
                    state.store.forget(escaped);
                }
            } else {
                state.store.forget(memory);
            }
        }
    }

    /// New memory for a pointer.
    pub fn allocated(&self, site: Site, state: &mut State) -> Vals {
        let Some(memory) = self.input.points.heap(site) else { return Vals::different(self.count) };
        state.store.forget(memory);
        let is_first = state.allocated.insert(memory) && state.is_full();
        Vals::One(if is_first { Val::Pointer(memory, 0) } else { Val::Inside(memory) })
    }
}

/// Whether the access may mean several elements.
pub fn is_section(access: &Access) -> bool {
    access.path.iter().any(|step| match step {
        Step::Elements(dimensions) => {
            dimensions.iter().any(|one| matches!(one.index, Index::All | Index::Range { .. }))
        }
        Step::Field { .. } | Step::Dereference => false,
    })
}

fn moved(place: &Vals, by: &Vals, count: usize) -> Vals {
    // Processes that read other arguments read other values.
    if *place == Vals::One(Val::Named(Constant::Arguments)) && !by.is_same() {
        return Vals::different(count);
    }
    place.zip(by, count, |place, by| match (place, by) {
        (Val::Pointer(memory, offset), Val::Int(by)) => Val::Pointer(memory, offset + by),
        (Val::Pointer(memory, _) | Val::Inside(memory), _) => Val::Inside(memory),
        (Val::Named(Constant::Arguments), _) => place,
        _ => Val::Unknown,
    })
}

fn narrow(value: Val, size: u64) -> Val {
    let limit = 1 << (8 * size - 1);
    match value {
        Val::Int(number) if !(-limit..limit).contains(&number) => Val::Unknown,
        value => value,
    }
}
