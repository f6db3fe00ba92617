//! Values of every type, and writes of them.
//!
//! Input: an expression.
//! Output: its value, or a write of it.

use cppc_analysis::program::{Access, OperationKind, Step, Terminator, Value};
use cppc_grammar::c::tree::{BlockItem, Compound, Expr, ExprKind, InitList, Range, Statement, StatementKind};

use super::body::Body;
use super::lvalue::Lvalue;
use crate::bind::c::{Kind, Type};

impl Body<'_, '_, '_> {
    /// The value of an expression. If it is read through a pointer, the read of the pointer is emitted.
    pub fn value(&mut self, expr: &Expr) -> Value {
        let ty = self.bound().type_of(expr.id).clone();
        match &ty.kind {
            Kind::Pointer(_) | Kind::Array { .. } | Kind::Function(_) | Kind::Null => {
                let address = self.address(expr);
                self.address_value(address, expr)
            }
            Kind::Record(_) => {
                let place = self.place(expr);
                let access = self.access(&place, Some(expr.range));
                self.read_record(&access, &ty, expr.range);
                Value::Copy(access)
            }
            _ => self.number(expr),
        }
    }

    /// Reads the fields of a structure. The bytes between fields have no value.
    fn read_record(&mut self, whole: &Access, ty: &Type, range: Range) {
        match self.without_gaps(ty) {
            Some(parts) => {
                for part in parts {
                    let mut access = whole.clone();
                    access.path.push(Step::Field { name: String::new(), offset: part.start });
                    access.size = Some(part.end - part.start);
                    self.read(access, range);
                }
            }
            None => self.read(whole.clone(), range),
        }
    }

    /// The bytes of a structure that fields have. `None` if these are all bytes, or if they are not known.
    fn without_gaps(&mut self, ty: &Type) -> Option<Vec<std::ops::Range<u64>>> {
        let Kind::Record(record) = ty.kind else { return None };
        let size = self.bound().size_of(ty)?;
        let mut parts: Vec<std::ops::Range<u64>> = Vec::new();
        for (index, field) in self.bound().tables.record(record).fields.as_ref()?.iter().enumerate() {
            let start = self.unit.position(record, index).filter(|_| field.bits.is_none())? / 8;
            let end = start + self.bound().size_of(&field.ty)?;
            match parts.last_mut() {
                Some(last) if start <= last.end => last.end = last.end.max(end),
                _ => parts.push(start..end),
            }
        }
        let is_whole = |parts: &[std::ops::Range<u64>]| matches!(parts, [part] if *part == (0..size));
        (!parts.is_empty() && !is_whole(&parts)).then_some(parts)
    }

    /// Evaluates an expression whose value is not used.
    pub fn discard(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.discard(inner),
            ExprKind::Cast { operand, .. } if self.bound().type_of(expr.id).is_void() => {
                self.discard(operand)
            }
            ExprKind::Assign { .. } => {
                self.assigned(expr);
            }
            ExprKind::Unary { operator, operand } if is_step(*operator) => {
                self.step(expr, operand, None);
            }
            ExprKind::Comma(first, last) => {
                self.discard(first);
                self.discard(last);
            }
            ExprKind::Call { callee, arguments } => self.call(expr, callee, arguments, None),
            ExprKind::Conditional { condition, then, otherwise } => {
                let then = |body: &mut Self| then.iter().for_each(|then| body.discard(then));
                self.either(condition, then, |body| body.discard(otherwise));
            }
            ExprKind::Statement(body) => self.compound(body),
            _ => {
                self.value(expr);
            }
        }
    }

    /// Writes the value of an expression to a place.
    pub fn store(&mut self, place: &Lvalue, expr: &Expr) {
        let mut value = expr;
        while let ExprKind::Paren(inner) = &value.kind {
            value = inner;
        }
        // `p = (double *) malloc(…)`: the result of the call is written directly to the variable.
        let mut called = value;
        while let ExprKind::Cast { operand: inner, .. } | ExprKind::Paren(inner) = &called.kind {
            if !self.bound().value_type(called.id).is_pointer()
                || !self.bound().value_type(inner.id).is_pointer()
            {
                break;
            }
            called = inner;
        }
        if let ExprKind::Call { callee, arguments } = &called.kind {
            if place.path.is_empty() {
                self.call(called, callee, arguments, Some(place));
                return;
            }
        }
        match &value.kind {
            ExprKind::Conditional { condition, then: Some(then), otherwise } if !place.ty.is_arithmetic() => {
                self.either(condition, |body| body.store(place, then), |body| body.store(place, otherwise));
            }
            ExprKind::Conditional { condition, then: None, otherwise } if !place.ty.is_arithmetic() => {
                self.store(place, condition);
                let (no, after) = (self.builder.new_block(), self.builder.new_block());
                self.end_block(Terminator::Branch { condition: None, then: after, otherwise: no });
                self.builder.switch_to(no);
                self.store(place, otherwise);
                self.jump(after);
                self.builder.switch_to(after);
            }
            ExprKind::Statement(body) => self.store_statement(place, body, expr.range),
            ExprKind::Choose(condition, then, otherwise) => match self.constant(condition) {
                Some(chosen) => self.store(place, if chosen != 0 { then } else { otherwise }),
                None => self.store_number(place, value),
            },
            ExprKind::Generic { associations, .. } => match self.bound().chosen_association(value.id) {
                Some(chosen) => self.store(place, &associations[chosen].1),
                None => self.store_number(place, value),
            },
            _ => self.store_value(place, value),
        }
    }

    fn store_value(&mut self, place: &Lvalue, expr: &Expr) {
        if let ExprKind::Call { callee, arguments } = &expr.kind {
            let value = self.call_value(expr, callee, arguments);
            return self.write_value(place, value, expr);
        }
        // A structure that is not an lvalue. `place` would call this function again.
        if self.bound().type_of(expr.id).is_record() && !is_memory(expr) {
            return self.store_number(place, expr);
        }
        let value = self.value(expr);
        self.write_value(place, value, expr);
    }

    fn store_number(&mut self, place: &Lvalue, expr: &Expr) {
        let value = self.number(expr);
        self.write_value(place, value, expr);
    }

    fn write_value(&mut self, place: &Lvalue, value: Value, expr: &Expr) {
        let from = self.bound().value_type(expr.id);
        let value = self.converted_value(value, &from, &place.ty);
        let to = self.access(place, None);
        self.note_value(&value, expr, &place.ty);
        self.write(to, value, expr.range);
    }

    /// `({ …; value; })`
    fn store_statement(&mut self, place: &Lvalue, body: &Compound, range: Range) {
        match self.last_value(body) {
            Some(last) => {
                self.items_before_last(body);
                self.store(place, last);
            }
            None => {
                self.compound(body);
                let to = self.access(place, None);
                self.write(to, Value::Unknown, range);
            }
        }
    }

    pub fn statement_value(&mut self, body: &Compound) -> Value {
        match self.last_value(body) {
            Some(last) => {
                self.items_before_last(body);
                self.value(last)
            }
            None => {
                self.compound(body);
                Value::Unknown
            }
        }
    }

    /// The expression that is the value of a statement expression.
    fn last_value<'t>(&self, body: &'t Compound) -> Option<&'t Expr> {
        match body.items.last()? {
            BlockItem::Statement(Statement { kind: StatementKind::Expr(Some(value)), .. }) => Some(value),
            _ => None,
        }
    }

    fn items_before_last(&mut self, body: &Compound) {
        self.local_labels(body, |own| {
            for item in body.items.iter().take(body.items.len() - 1) {
                own.item(item);
            }
        });
    }

    /// `(struct s) { … }`
    pub fn compound_literal(&mut self, expr: &Expr, list: &InitList) -> Lvalue {
        let ty = self.bound().type_of(expr.id).clone();
        let place = self.temporary(&ty);
        let is_static = self.procedure.is_none();
        self.program().make_literal(place.root, is_static);
        self.emit(OperationKind::Begin(place.root), expr.range);
        self.initialize_list(&place, list);
        place
    }

    /// A string literal, or a name such as `__func__`.
    pub fn text_place(&mut self, expr: &Expr) -> Lvalue {
        let ty = self.bound().type_of(expr.id).clone();
        let content = self.unit.content(&ty);
        let text = match &expr.kind {
            ExprKind::String(parts) => {
                parts.iter().map(|part| self.unit.text(*part).trim_matches('"')).collect::<String>()
            }
            _ => String::new(),
        };
        let root = self.program().text(&text, content);
        Lvalue::of(root, ty)
    }
}

/// Whether `place` finds the memory of an expression by its form.
fn is_memory(expr: &Expr) -> bool {
    use cppc_grammar::c::tree::UnaryOperator::{Dereference, Extension};
    match &expr.kind {
        ExprKind::Paren(inner) | ExprKind::Unary { operator: Extension, operand: inner } => is_memory(inner),
        ExprKind::Comma(_, last) => is_memory(last),
        ExprKind::Unary { operator, .. } => *operator == Dereference,
        ExprKind::Ident(_)
        | ExprKind::Member { .. }
        | ExprKind::Index { .. }
        | ExprKind::Compound { .. }
        | ExprKind::Assign { .. } => true,
        _ => false,
    }
}

fn is_step(operator: cppc_grammar::c::tree::UnaryOperator) -> bool {
    use cppc_grammar::c::tree::UnaryOperator::*;
    matches!(operator, PreIncrement | PreDecrement | PostIncrement | PostDecrement)
}
