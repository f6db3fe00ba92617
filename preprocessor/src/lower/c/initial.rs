//! Initializers.
//!
//! Input: the place of a variable and its initializer.
//! Output: the items in the order of the text, one write of the whole object, then writes of the parts whose values matter to analyses.
//! Postcondition: a part that the list does not mention is written too: C sets it to zero.

use cppc_analysis::program::{Access, Affine, Expression, Index, Value};
use cppc_grammar::c::tree::{Designator, Expr, ExprKind, InitItem, InitList, Initializer, Range};

use super::body::Body;
use super::lvalue::Lvalue;
use crate::bind::c::{Field, Kind, Type};

/// A part of an object, its initial value, and where that is written.
type PartWrite = (Access, Value, Range);

impl Body<'_, '_, '_> {
    pub fn initialize(&mut self, place: &Lvalue, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(value) if place.ty.is_array() => {
                // A string literal.
                let to = self.access(place, None);
                self.write(to, Value::Data, value.range);
            }
            Initializer::Expr(value) => self.store(place, value),
            Initializer::List(list) => self.initialize_list(place, list),
        }
    }

    pub fn initialize_list(&mut self, place: &Lvalue, list: &InitList) {
        if let ([InitItem { designators, value: Initializer::Expr(value) }], true) =
            (list.items.as_slice(), !place.ty.is_array() && !place.ty.is_record())
        {
            if designators.is_empty() {
                return self.store(place, value);
            }
        }
        let mut writes = Vec::new();
        self.evaluate_list(place, list, &mut writes);
        self.note_list(place, list);
        for part in self.scalars(place).unwrap_or_else(|| vec![place.clone()]) {
            let to = self.access(&part, None);
            self.write(to, Value::Data, list.range);
        }
        self.write_all(writes);
    }

    /// The fields of a structure, if all of them are scalars. Nothing reads the bytes between them.
    fn scalars(&mut self, place: &Lvalue) -> Option<Vec<Lvalue>> {
        let Kind::Record(id) = place.ty.kind else { return None };
        let record = self.bound().tables.record(id);
        let fields = record.fields.as_ref()?;
        let is_scalar = |field: &Field| {
            field.bits.is_none() && !field.aligned && !field.ty.is_array() && !field.ty.is_record()
        };
        if record.union || record.aligned || !fields.iter().all(is_scalar) {
            return None;
        }
        let names: Option<Vec<_>> = fields.iter().map(|field| field.name).collect();
        Some(names?.into_iter().map(|name| self.field(place.clone(), name)).collect())
    }

    /// Evaluates the items. Writes those whose values are not only numbers.
    pub fn parts_of_list(&mut self, place: &Lvalue, list: &InitList) {
        let mut writes = Vec::new();
        self.evaluate_list(place, list, &mut writes);
        self.write_all(writes);
    }

    fn write_all(&mut self, writes: Vec<PartWrite>) {
        for (to, value, range) in writes {
            self.write(to, value, range);
        }
    }

    /// The integers of a list without nested lists.
    fn note_list(&mut self, place: &Lvalue, list: &InitList) {
        const LIMIT: usize = 64;
        if !place.ty.is_array() || list.items.len() > LIMIT {
            return;
        }
        let mut parts = Vec::new();
        for (at, item) in list.items.iter().enumerate() {
            let (Initializer::Expr(value), []) = (&item.value, item.designators.as_slice()) else { return };
            let Some(part) = self.part(place, at as u64) else { return };
            if !part.ty.is_arithmetic() {
                return;
            }
            let computed = self.computed(value);
            parts.push((self.access(&part, None), computed));
        }
        self.builder.set_computed(vec![Expression::Parts { parts, zeroed: true }]);
    }

    /// The object has its value when all items were evaluated, also if an item calls a procedure.
    fn evaluate_list(&mut self, place: &Lvalue, list: &InitList, writes: &mut Vec<PartWrite>) {
        let mut next = Some(0);
        for item in &list.items {
            let part = match item.designators.as_slice() {
                [] => next.and_then(|at| self.part(place, at)),
                designators => {
                    let (at, part) = self.designated(place, designators);
                    next = at;
                    part
                }
            };
            let takes_more = part.as_ref().is_none_or(|part| self.is_elided(part, &item.value));
            let part = part.filter(|_| !takes_more).unwrap_or_else(|| place.clone().blurred(Type::UNKNOWN));
            next = if takes_more { None } else { next.and_then(|at: u64| at.checked_add(1)) };
            match &item.value {
                Initializer::List(inner) if part.ty.is_array() || part.ty.is_record() => {
                    self.evaluate_list(&part, inner, writes)
                }
                Initializer::List(inner) => self.evaluate_list(&part.blurred(Type::UNKNOWN), inner, writes),
                Initializer::Expr(value) => self.part_value(&part, value, writes),
            }
        }
    }

    fn part_value(&mut self, part: &Lvalue, expr: &Expr, writes: &mut Vec<PartWrite>) {
        if is_literal(expr) {
            return;
        }
        if part.ty.is_array() && matches!(expr.kind, ExprKind::String(_)) {
            return;
        }
        let value = self.value(expr);
        match value {
            Value::Data | Value::Null => {}
            Value::Affine(value) if value.terms.is_empty() => {}
            Value::Affine(_) | Value::Copy(_) | Value::Address(_) | Value::Procedure(_) | Value::Unknown => {
                let value = self.converted_value(value, &self.bound().value_type(expr.id), &part.ty);
                let to = self.access(part, None);
                writes.push((to, value, expr.range));
            }
        }
    }

    /// Whether the braces of an aggregate are omitted, so that the following items belong to it too.
    fn is_elided(&self, part: &Lvalue, value: &Initializer) -> bool {
        let Initializer::Expr(value) = value else { return false };
        match &part.ty.kind {
            Kind::Array { .. } => !matches!(value.kind, ExprKind::String(_)),
            Kind::Record(_) => self.bound().type_of(value.id).kind != part.ty.kind,
            _ => false,
        }
    }

    /// The field or element with a number.
    fn part(&mut self, place: &Lvalue, at: u64) -> Option<Lvalue> {
        match &place.ty.kind {
            Kind::Array { .. } => {
                let at = Index::At(Affine::constant(i64::try_from(at).ok()?));
                Some(self.element(place.clone(), at))
            }
            Kind::Record(record) => {
                let fields = self.bound().tables.record(*record).fields.as_ref()?;
                let mut named = fields
                    .iter()
                    .enumerate()
                    .filter(|(_, field)| field.name.is_some() || field.ty.is_record());
                let (index, field) = named.nth(usize::try_from(at).ok()?)?;
                match field.name {
                    Some(name) => Some(self.field(place.clone(), name)),
                    None => {
                        let offset = self.unit.position(*record, index)? / 8;
                        let mut path = place.path.clone();
                        path.push(cppc_analysis::program::Step::Field { name: String::new(), offset });
                        Some(Lvalue { path, ..Lvalue::of(place.root, field.ty.clone()) })
                    }
                }
            }
            _ => None,
        }
    }

    /// The part that designators name, and its number in the object of the list.
    fn designated(&mut self, place: &Lvalue, designators: &[Designator]) -> (Option<u64>, Option<Lvalue>) {
        let mut part = place.clone();
        let mut number = None;
        for (depth, designator) in designators.iter().enumerate() {
            let at = match designator {
                Designator::Field(name) => {
                    let Kind::Record(record) = part.ty.kind else { return (None, None) };
                    let fields = self.bound().tables.record(record).fields.as_deref().unwrap_or_default();
                    let mut named =
                        fields.iter().filter(|field| field.name.is_some() || field.ty.is_record());
                    let at = named.position(|field| field.name == Some(name.name));
                    part = self.field(part, name.name);
                    at.map(|at| at as u64)
                }
                Designator::Index(index) => {
                    let at = self.constant(index);
                    let index = at.map_or(Index::Unknown, |at| Index::At(Affine::constant(at)));
                    part = self.element(part, index);
                    at.and_then(|at| u64::try_from(at).ok())
                }
                Designator::Span(_, last) => {
                    part = self.element(part, Index::Unknown);
                    self.constant(last).and_then(|at| u64::try_from(at).ok())
                }
            };
            if depth == 0 {
                number = at;
            }
        }
        (number, Some(part))
    }
}

fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Character(_) => true,
        ExprKind::Unary { operator: cppc_grammar::c::tree::UnaryOperator::Minus, operand } => {
            is_literal(operand)
        }
        _ => false,
    }
}
