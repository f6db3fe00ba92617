//! Values that are neither pointers nor structures.
//!
//! Input: an expression of arithmetic type, or of a type that is not known.
//! Output: its value. Its reads and writes are emitted.

use cppc_analysis::program::{Affine, Content, Index, OperationKind, Value};
use cppc_grammar::c::tree::{BinaryOperator, Expr, ExprKind, Range, UnaryOperator};

use super::body::Body;
use super::lvalue::Lvalue;
use crate::bind::c::{SymbolKind, Type};

impl Body<'_, '_, '_> {
    pub fn number(&mut self, expr: &Expr) -> Value {
        if let Some(value) = self.constant(expr) {
            return Value::Affine(Affine::constant(value));
        }
        match &expr.kind {
            ExprKind::Paren(inner) => self.number(inner),
            ExprKind::Ident(_) => self.named_number(expr),
            ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Compound { .. } => {
                self.loaded_number(expr)
            }
            ExprKind::Unary { operator, operand } => self.unary(expr, *operator, operand),
            ExprKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, .. } => {
                self.truth(expr);
                Value::Data
            }
            ExprKind::Binary { operator, left, right } => {
                let (first, second) = (self.value(left), self.value(right));
                let ty = self.bound().type_of(expr.id);
                let value = self.binary(*operator, (first, left), (second, right), ty);
                self.noted_hash(value, expr)
            }
            ExprKind::Assign { .. } => match self.assigned(expr) {
                Some(place) => self.after_write(&place),
                None => Value::Unknown,
            },
            ExprKind::Conditional { condition, then, otherwise } => {
                self.alternatives(expr, condition, then.as_deref(), otherwise)
            }
            ExprKind::Comma(first, last) => {
                self.discard(first);
                self.number(last)
            }
            ExprKind::Cast { operand, .. } => {
                let value = self.value(operand);
                let ty = self.bound().type_of(expr.id);
                if self.bound().value_type(operand.id).is_pointer() && ty.is_integer() {
                    self.escape(value.clone(), expr.range);
                }
                self.converted_value(value, &self.bound().value_type(operand.id), ty)
            }
            ExprKind::Call { callee, arguments } => self.call_value(expr, callee, arguments),
            ExprKind::Statement(body) => self.statement_value(body),
            ExprKind::Generic { associations, .. } => match self.bound().chosen_association(expr.id) {
                Some(chosen) => self.value(&associations[chosen].1),
                None => self.any_of(associations.iter().map(|(_, value)| value).collect(), expr.range),
            },
            ExprKind::Choose(condition, then, otherwise) => match self.constant(condition) {
                Some(chosen) => self.value(if chosen != 0 { then } else { otherwise }),
                None => self.any_of(vec![then, otherwise], expr.range),
            },
            ExprKind::TypeGeneric(parts) => {
                let is_function =
                    |part: &&Expr| self.bound().value_type(part.id).target().is_some_and(Type::is_function);
                let arguments: Vec<&Expr> = parts.iter().skip_while(is_function).collect();
                arguments.into_iter().for_each(|argument| self.discard(argument));
                Value::Data
            }
            ExprKind::VaArg { list, .. } => {
                self.next_argument(list, expr.range);
                Value::Unknown
            }
            ExprKind::Convert { operand, .. } => {
                self.discard(operand);
                Value::Data
            }
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => {
                self.variable_size(expr).map_or(Value::Data, Value::Affine)
            }
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Character(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Offsetof(_)
            | ExprKind::TypesCompatible(..) => Value::Data,
            ExprKind::Null => Value::Null,
        }
    }

    /// An index, for `a[i]` and `p + i`.
    pub fn index(&mut self, expr: &Expr) -> Index {
        match self.value(expr) {
            Value::Affine(index) => Index::At(index),
            _ => Index::Unknown,
        }
    }

    fn named_number(&mut self, expr: &Expr) -> Value {
        match self.bound().symbol_of(expr.id).map(|id| self.bound().symbol(id).kind) {
            Some(SymbolKind::Variable | SymbolKind::Parameter) => self.loaded_number(expr),
            Some(SymbolKind::Function) => self.value(expr),
            Some(SymbolKind::EnumConstant | SymbolKind::Typedef) => Value::Data,
            None => Value::Unknown,
        }
    }

    fn loaded_number(&mut self, expr: &Expr) -> Value {
        let place = self.place(expr);
        self.load(&place, expr.range)
    }

    /// Reads a place.
    pub fn load(&mut self, place: &Lvalue, range: Range) -> Value {
        let access = self.access(place, Some(range));
        self.read(access.clone(), range);
        if let Some(value) = self.summand(place) {
            return Value::Affine(value);
        }
        match access.content {
            Content::Integer { .. } | Content::Data => Value::Data,
            _ => Value::Copy(access),
        }
    }

    /// The value of an assignment.
    fn after_write(&mut self, place: &Lvalue) -> Value {
        match self.summand(place) {
            Some(value) => Value::Affine(value),
            None => match self.unit.content(&place.ty) {
                Content::Integer { .. } | Content::Data => Value::Data,
                _ => {
                    let access = self.access(place, None);
                    Value::Copy(access)
                }
            },
        }
    }

    fn unary(&mut self, expr: &Expr, operator: UnaryOperator, operand: &Expr) -> Value {
        use UnaryOperator::*;
        match operator {
            Dereference => self.loaded_number(expr),
            Extension => self.number(operand),
            Real | Imaginary if is_lvalue(operand) => self.loaded_number(expr),
            Real | Imaginary | Complement => {
                let value = self.value(operand);
                self.without_number(value)
            }
            Not => {
                self.truth(operand);
                Value::Data
            }
            Plus | Minus => {
                let value = self.value(operand);
                let ty = self.bound().type_of(expr.id);
                match self.converted_value(value, &self.bound().value_type(operand.id), ty) {
                    Value::Affine(value) if operator == Plus => Value::Affine(value),
                    Value::Affine(value) if self.integer(ty).is_some_and(|found| found.signed) => {
                        value.scale(-1).map_or(Value::Data, Value::Affine)
                    }
                    value => self.without_number(value),
                }
            }
            PreIncrement | PreDecrement => {
                let place = self.step(expr, operand, None);
                self.after_write(&place)
            }
            PostIncrement | PostDecrement => {
                let place = self.step(expr, operand, None);
                let before = if operator == PostIncrement { -1 } else { 1 };
                match self.after_write(&place) {
                    Value::Affine(value) => {
                        value.add(&Affine::constant(before)).map_or(Value::Data, Value::Affine)
                    }
                    value => value,
                }
            }
            Address => Value::Unknown,
        }
    }

    /// A computed number. If an operand may contain an address, the number may contain it too.
    fn without_number(&self, value: Value) -> Value {
        match value {
            Value::Address(access) => Value::Address(anywhere_in(access)),
            Value::Copy(access) if access.content == Content::Pointer => {
                let mut access = access;
                access.path.push(cppc_analysis::program::Step::Dereference);
                Value::Address(anywhere_in(access))
            }
            Value::Unknown | Value::Procedure(_) => Value::Unknown,
            Value::Data | Value::Affine(_) | Value::Null | Value::Copy(_) => Value::Data,
        }
    }

    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        (left, left_expr): (Value, &Expr),
        (right, right_expr): (Value, &Expr),
        ty: &Type,
    ) -> Value {
        use BinaryOperator::*;
        if matches!(operator, Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual | And | Or) {
            return Value::Data;
        }
        let is_pointer = |expr: &Expr| self.bound().value_type(expr.id).is_pointer();
        if operator == Subtract && is_pointer(left_expr) && is_pointer(right_expr) {
            return Value::Data;
        }
        let left = self.converted_value(left, &self.bound().value_type(left_expr.id), ty);
        let right = self.converted_value(right, &self.bound().value_type(right_expr.id), ty);
        match (left, right) {
            (Value::Affine(left), Value::Affine(right)) => {
                self.combined(operator, &left, &right, ty).map_or(Value::Data, Value::Affine)
            }
            (left, right) => match self.without_number(left) {
                Value::Data => self.without_number(right),
                value => value,
            },
        }
    }

    /// An address becomes a number. Any pointer that is computed from a number may have this address. So the
    /// address is stored in unknown memory.
    fn escape(&mut self, value: Value, range: Range) {
        if matches!(value, Value::Data | Value::Affine(_) | Value::Null) {
            return;
        }
        let pointer = self.temporary(&Type::pointer_to(Type::pointer_to(Type::VOID)));
        let to = self.access(&pointer, None);
        self.write(to, Value::Unknown, range);
        let to = self.access(&pointer.dereferenced(), None);
        self.write(to, value, range);
    }

    /// A value after a conversion to another type.
    pub fn converted_value(&self, value: Value, from: &Type, to: &Type) -> Value {
        match value {
            Value::Affine(value) => match self.converted(value.clone(), from, to) {
                Some(value) => Value::Affine(value),
                // Nothing is known of such a number except where it comes from.
                None if self.is_address_hash(&value) => Value::Affine(value),
                None => Value::Data,
            },
            value => value,
        }
    }

    /// The value of one of several expressions. It is not known which one.
    fn any_of(&mut self, choices: Vec<&Expr>, range: Range) -> Value {
        let after = self.builder.new_block();
        let blocks: Vec<_> = choices.iter().map(|_| self.builder.new_block()).collect();
        self.builder.terminate(cppc_analysis::program::Terminator::Switch(blocks.clone()));
        for (choice, block) in choices.into_iter().zip(blocks) {
            self.builder.switch_to(block);
            self.discard(choice);
            self.jump(after);
        }
        self.builder.switch_to(after);
        self.emit(
            OperationKind::Opaque { reason: "a choice by a type that is not known", touched: Vec::new() },
            range,
        );
        Value::Unknown
    }

    /// `sizeof` of an array of variable length, if its bounds are known.
    fn variable_size(&mut self, expr: &Expr) -> Option<Affine> {
        let ExprKind::SizeofExpr(operand) = &expr.kind else { return None };
        let mut inner = &**operand;
        while let ExprKind::Paren(within) = &inner.kind {
            inner = within;
        }
        let id = self.bound().symbol_of(inner.id)?;
        let mut ty = &self.bound().symbol(id).ty;
        let mut size = Affine::constant(1);
        for depth in 0.. {
            let crate::bind::c::Kind::Array { element, size: length } = &ty.kind else { break };
            let extent = match length {
                crate::bind::c::ArrayLength::Known(length) => Affine::constant(i64::try_from(*length).ok()?),
                _ => self.unit.extents.get(&id)?.get(depth)?.clone()?,
            };
            size = size.multiply(&extent)?;
            ty = element;
        }
        size.scale(i64::try_from(self.bound().size_of(ty)?).ok()?)
    }
}

/// Whether an operand is memory, by its form.
fn is_lvalue(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_lvalue(inner),
        ExprKind::Ident(_) | ExprKind::Index { .. } | ExprKind::Member { .. } => true,
        ExprKind::Unary { operator, .. } => *operator == UnaryOperator::Dereference,
        _ => false,
    }
}

/// An address somewhere in the same object.
fn anywhere_in(mut access: cppc_analysis::program::Access) -> cppc_analysis::program::Access {
    use cppc_analysis::program::{Dimension, Step};
    let somewhere = Dimension { index: Index::Unknown, lower: None, extent: None, stride: None };
    access.path.push(Step::Elements(vec![somewhere]));
    access.size = None;
    access
}
