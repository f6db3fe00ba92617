//! Assignments.
//!
//! Input: `left = right`, `left += right`, `left++`.
//! Output: the reads, then the write.

use cppc_analysis::program::{Affine, Index, Value};
use cppc_grammar::c::tree::{BinaryOperator, Expr, ExprKind, UnaryOperator};

use super::body::Body;
use super::lvalue::{Address, Lvalue};
use crate::bind::c::Type;

impl Body<'_, '_, '_> {
    /// Lowers an assignment. Returns the place of its left side, or `None` if the expression is not an
    /// assignment.
    pub fn assigned(&mut self, expr: &Expr) -> Option<Lvalue> {
        let ExprKind::Assign { operator, left, right } = &expr.kind else { return None };
        match operator {
            None => Some(self.simple_assignment(left, right)),
            Some(operator) => Some(self.compound_assignment(expr, *operator, left, right)),
        }
    }

    fn simple_assignment(&mut self, left: &Expr, right: &Expr) -> Lvalue {
        let mut variable = left;
        while let ExprKind::Paren(inner) = &variable.kind {
            variable = inner;
        }
        if matches!(variable.kind, ExprKind::Ident(_)) {
            let place = self.place(variable);
            self.store(&place, right);
            self.note_address_number(self.bound().symbol_of(variable.id), self.address_number(right));
            return place;
        }
        let value = self.value(right);
        let value =
            self.converted_value(value, &self.bound().value_type(right.id), self.bound().type_of(left.id));
        let place = self.place(left);
        let to = self.access(&place, Some(left.range));
        let ty = self.bound().type_of(left.id).clone();
        self.note_value(&value, right, &ty);
        self.write(to, value, left.range);
        place
    }

    fn compound_assignment(
        &mut self,
        expr: &Expr,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Lvalue {
        let ty = self.bound().value_type(left.id);
        if ty.is_pointer() {
            let index = match (operator, self.index(right)) {
                (BinaryOperator::Subtract, Index::At(index)) => {
                    index.scale(-1).map_or(Index::Unknown, Index::At)
                }
                (_, index) => index,
            };
            return self.move_pointer(left, index);
        }
        let more = self.value(right);
        let place = self.place(left);
        let before = self.load(&place, left.range);
        // The operation uses the common type of both operands. If the result may not fit into the left side,
        // the value is not known.
        let value = match (before, more) {
            (Value::Affine(before), Value::Affine(more)) => {
                let more = self.converted(more, &self.bound().value_type(right.id), &ty);
                let sum = more.and_then(|more| self.combined(operator, &before, &more, &ty));
                sum.map_or(Value::Data, Value::Affine)
            }
            (before, more) => self.binary(operator, (before, left), (more, right), &Type::UNKNOWN),
        };
        let to = self.access(&place, Some(left.range));
        self.note_compound(&value, left, right, &ty);
        self.write(to, value, expr.range);
        self.note_compound_number(left, self.combined_number(operator, left, right));
        place
    }

    /// `p += n`
    fn move_pointer(&mut self, left: &Expr, index: Index) -> Lvalue {
        let place = self.place(left);
        let old = self.access(&place, Some(left.range));
        self.read(old, left.range);
        let moved = self.moved(Address::Loaded(place.clone()), index, left);
        let value = match moved {
            Address::Of { place, .. } => Value::Address(self.first(&place, None)),
            Address::Loaded(_) => Value::Unknown,
            Address::Value(value) => value,
        };
        let to = self.access(&place, Some(left.range));
        self.write(to, value, left.range);
        place
    }

    /// `++x`, `x--`. For pointers, the earlier value is written to `old`.
    pub fn step(&mut self, expr: &Expr, operand: &Expr, old: Option<&Lvalue>) -> Lvalue {
        let ExprKind::Unary { operator, .. } = &expr.kind else { return self.place(operand) };
        let up = matches!(operator, UnaryOperator::PreIncrement | UnaryOperator::PostIncrement);
        let by = Affine::constant(if up { 1 } else { -1 });
        let ty = self.bound().value_type(operand.id);
        if ty.is_pointer() {
            if let Some(old) = old {
                let place = self.place(operand);
                let pointer = self.access(&place, Some(operand.range));
                self.read(pointer.clone(), operand.range);
                let to = self.access(old, None);
                self.write(to, Value::Copy(pointer), operand.range);
            }
            return self.move_pointer(operand, Index::At(by));
        }
        let place = self.place(operand);
        let value = match self.load(&place, operand.range) {
            Value::Affine(value) => {
                let operator = BinaryOperator::Add;
                self.combined(operator, &value, &by, &ty).map_or(Value::Data, Value::Affine)
            }
            Value::Data => Value::Data,
            _ => Value::Unknown,
        };
        let to = self.access(&place, Some(operand.range));
        self.note_compound(&value, operand, operand, &ty);
        self.write(to, value, expr.range);
        place
    }
}
