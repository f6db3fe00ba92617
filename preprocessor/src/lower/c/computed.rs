//! How numbers are computed, for the analysis of communications.
//!
//! Input: an expression. Output: an `Expression`.
//! Postcondition: no operation is emitted. An expression with effects is `Unknown`.

use cppc_analysis::program::{Access, Affine, Comparison, Expression, Operator, Value};
use cppc_grammar::c::tree::{Basic, BinaryOperator, Expr, ExprKind, UnaryOperator};

use super::body::Body;
use super::call::{acts, library_name, Named};
use super::choice::comparison;
use crate::bind::c::{parts, Kind, Type};

/// Functions whose result depends only on their arguments.
const FUNCTIONS: &str =
    "fabs sqrt abs labs fmax fmin exp log log10 pow floor ceil sin cos tan fabsf sqrtf fmaxf fminf atoi atol atof strtol \
     strtod";

impl Body<'_, '_, '_> {
    /// How the next write gets its value, unless the value itself says it. `to`: the type of what is written.
    pub fn note_value(&mut self, value: &Value, expr: &Expr, to: &Type) {
        if let Value::Data | Value::Unknown = value {
            let computed = self.computed(expr);
            self.note_computed(computed, to);
        } else {
            self.note_affine(value, to);
        }
    }

    /// The same for a compound assignment.
    pub fn note_compound(&mut self, value: &Value, left: &Expr, right: &Expr, to: &Type) {
        if let Value::Data | Value::Unknown = value {
            let operands = vec![self.computed(left), self.computed(right)];
            self.note_computed(Expression::Of(operands), to);
        } else {
            self.note_affine(value, to);
        }
    }

    /// The same for a sum of integers, which the analysis of regions assumes to be in the range of the type.
    pub fn note_affine(&mut self, value: &Value, to: &Type) {
        let Value::Affine(value) = value else { return };
        if self.changes_negative(to) && value.as_constant().is_none_or(|value| value < 0) {
            self.note_computed(Expression::Affine(value.clone()), to);
        }
    }

    fn note_computed(&mut self, computed: Expression, to: &Type) {
        self.builder.set_computed(vec![match to.kind {
            Kind::Basic(Basic::Bool) => Expression::Not(Box::new(Expression::Not(Box::new(computed)))),
            _ if self.changes_negative(to) => Expression::NonNegative(Box::new(computed)),
            _ => computed,
        }]);
    }

    /// Whether the type has no negative numbers. Compilers do not agree about `char`.
    fn changes_negative(&self, ty: &Type) -> bool {
        let is_char = matches!(ty.kind, Kind::Basic(Basic::Char));
        self.integer(ty).is_some_and(|integer| !integer.signed || is_char)
    }

    /// The same for the arguments of the next call.
    pub fn note_arguments(&mut self, arguments: &[Expr]) {
        if arguments.iter().any(acts) {
            return;
        }
        let computed = arguments.iter().map(|argument| self.computed(argument)).collect();
        self.builder.set_computed(computed);
    }

    pub fn computed(&mut self, expr: &Expr) -> Expression {
        if self.builder.terminated() {
            return Expression::Unknown;
        }
        if let Some(value) = self.constant(expr) {
            return Expression::Affine(Affine::constant(value));
        }
        match &expr.kind {
            ExprKind::Paren(inner)
            | ExprKind::Unary { operator: UnaryOperator::Extension, operand: inner } => self.computed(inner),
            ExprKind::Ident(_) | ExprKind::Member { .. } | ExprKind::Index { .. } => {
                self.computed_memory(expr)
            }
            ExprKind::Unary { operator: UnaryOperator::Dereference, .. } => self.computed_memory(expr),
            ExprKind::Unary { operator, operand } => {
                let is_signed = self.is_signed(expr);
                let operand_value = self.computed(operand);
                match operator {
                    UnaryOperator::Plus => operand_value,
                    UnaryOperator::Minus if is_signed => Expression::Negate(Box::new(operand_value)),
                    UnaryOperator::Not => Expression::Not(Box::new(operand_value)),
                    UnaryOperator::Minus | UnaryOperator::Complement => Expression::Of(vec![operand_value]),
                    _ => Expression::Unknown,
                }
            }
            ExprKind::Binary { operator, left, right } => {
                let operands = Box::new(self.computed(left));
                let (first, second) = (operands, Box::new(self.computed(right)));
                match self.computed_operator(expr, *operator, left, right) {
                    Some(operator @ Operator::Compare(_)) if self.compares_as_unsigned(left, right) => {
                        let [first, second] =
                            [first, second].map(|one| Box::new(Expression::NonNegative(one)));
                        Expression::Binary(operator, first, second)
                    }
                    Some(operator) => Expression::Binary(operator, first, second),
                    None => Expression::Of(vec![*first, *second]),
                }
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                let all = [self.computed(condition), self.computed(then), self.computed(otherwise)];
                Expression::Choice(Box::new(all))
            }
            ExprKind::Cast { operand, .. } => {
                let value = self.computed(operand);
                let is_same = self.is_signed(expr) && self.is_signed(operand);
                if is_same {
                    value
                } else {
                    Expression::Of(vec![value])
                }
            }
            ExprKind::Call { callee, arguments } => self.computed_call(callee, arguments),
            ExprKind::Float(_) | ExprKind::String(_) => Expression::Of(Vec::new()),
            _ => Expression::Unknown,
        }
    }

    fn computed_call(&mut self, callee: &Expr, arguments: &[Expr]) -> Expression {
        let name = match self.named_callee(callee) {
            Some(Named::Function(id)) => self.unit.link(id),
            Some(Named::Undeclared(name)) => library_name(&name).to_owned(),
            None => return Expression::Unknown,
        };
        if !FUNCTIONS.split_whitespace().any(|known| known == name) {
            return Expression::Unknown;
        }
        Expression::Of(arguments.iter().map(|argument| self.computed(argument)).collect())
    }

    fn computed_memory(&mut self, expr: &Expr) -> Expression {
        let ty = self.bound().type_of(expr.id);
        let is_object = matches!(ty.kind, Kind::Array { .. } | Kind::Function(_) | Kind::Record(_));
        if is_object || !is_plain(expr) {
            return Expression::Unknown;
        }
        match self.computed_place(expr) {
            Some(access) => Expression::Load(access),
            None => Expression::Unknown,
        }
    }

    fn computed_place(&mut self, expr: &Expr) -> Option<Access> {
        if let ExprKind::Ident(_) = expr.kind {
            self.bound().symbol_of(expr.id)?;
        }
        let count = self.builder.operation_count();
        let place = self.place(expr);
        let access = (!place.is_bit_field).then(|| self.access(&place, Some(expr.range)));
        self.builder.keep_operations(count);
        access
    }

    /// `None`: the operator does not compute with integers as they are.
    fn computed_operator(
        &self,
        expr: &Expr,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Option<Operator> {
        let is_integer = |expr: &Expr| self.integer(&self.bound().value_type(expr.id)).is_some();
        if let Some(comparison) = comparison(operator) {
            return self.compared(comparison, left, right);
        }
        let found = match operator {
            BinaryOperator::And => return Some(Operator::And),
            BinaryOperator::Or => return Some(Operator::Or),
            BinaryOperator::Add => Operator::Add,
            BinaryOperator::Subtract => Operator::Subtract,
            BinaryOperator::Multiply => Operator::Multiply,
            BinaryOperator::Divide => Operator::Divide,
            BinaryOperator::Remainder => Operator::Remainder,
            BinaryOperator::BitAnd => Operator::BitAnd,
            BinaryOperator::BitOr => Operator::BitOr,
            BinaryOperator::BitXor => Operator::BitXor,
            BinaryOperator::ShiftLeft => Operator::ShiftLeft,
            BinaryOperator::ShiftRight => Operator::ShiftRight,
            _ => return None,
        };
        (self.is_signed(expr) && is_integer(left) && is_integer(right)).then_some(found)
    }

    fn compared(&self, comparison: Comparison, left: &Expr, right: &Expr) -> Option<Operator> {
        let is_integer = |expr: &Expr| self.integer(&self.bound().value_type(expr.id)).is_some();
        let is_exact = is_integer(left) && is_integer(right) && self.compares_as_integers(left, right);
        is_exact.then_some(Operator::Compare(comparison))
    }

    /// Whether C converts the operands of a comparison to an unsigned type.
    pub fn compares_as_unsigned(&self, left: &Expr, right: &Expr) -> bool {
        let is_unsigned = |expr: &Expr| {
            let integer = self.integer(&self.bound().value_type(expr.id));
            integer.is_some_and(|found| !found.signed && found.bits >= 32)
        };
        is_unsigned(left) || is_unsigned(right)
    }

    fn is_signed(&self, expr: &Expr) -> bool {
        self.integer(&self.bound().value_type(expr.id)).is_some_and(|found| found.signed && found.bits >= 32)
    }
}

/// Whether lowering the expression makes no blocks and has no effects.
fn is_plain(expr: &Expr) -> bool {
    let own = match &expr.kind {
        ExprKind::Binary { operator, .. } => !matches!(operator, BinaryOperator::And | BinaryOperator::Or),
        ExprKind::Conditional { .. }
        | ExprKind::Call { .. }
        | ExprKind::Assign { .. }
        | ExprKind::Statement(_)
        | ExprKind::Compound { .. }
        | ExprKind::Comma(..)
        | ExprKind::VaArg { .. }
        | ExprKind::Generic { .. }
        | ExprKind::Choose(..)
        | ExprKind::TypeGeneric(_)
        | ExprKind::Convert { .. }
        | ExprKind::Cast { .. } => false,
        ExprKind::Unary { operator, .. } => matches!(
            operator,
            UnaryOperator::Dereference
                | UnaryOperator::Plus
                | UnaryOperator::Minus
                | UnaryOperator::Address
                | UnaryOperator::Complement
        ),
        _ => true,
    };
    own && parts(expr).into_iter().all(is_plain)
}
