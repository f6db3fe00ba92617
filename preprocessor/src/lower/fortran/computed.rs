//! How numbers and truth values are computed, for the analysis of communications.
//!
//! Input: an expression. Output: an `Expression`.
//! Postcondition: no operation is emitted. An expression that calls a procedure is `Unknown`.

use cppc_analysis::program::{Affine, Comparison, Expression, Operator as Computes, Value};
use cppc_grammar::fortran::tree::{Argument, Expr, ExprKind, Operator};

use super::body::Body;
use crate::bind::fortran::{Meaning, ScopeId, Type};

/// Intrinsic functions whose result may depend on other things than their arguments.
pub const NOT_FUNCTIONS: &str =
    "rand irand ran time time8 mclock mclock8 second secnds etime dtime malloc this_image ierrno getpid present \
     associated allocated transfer system access command_argument_count iargc image_index loc c_loc";

impl Body<'_, '_> {
    /// How the next write gets its value, unless the value itself says it.
    pub fn note_value(&mut self, scope: ScopeId, value: &Value, expr: &Expr) {
        if matches!(value, Value::Data | Value::Unknown) {
            let computed = self.computed(scope, expr);
            self.flow.set_computed(vec![computed]);
        }
    }

    /// The same for an assignment to a variable of this type.
    pub fn note_assigned(&mut self, scope: ScopeId, value: &Value, expr: &Expr, to: Type) {
        if matches!(value, Value::Data | Value::Unknown) {
            let computed = self.computed(scope, expr);
            let converted = self.converted(scope, expr, computed, to);
            self.flow.set_computed(vec![converted]);
        }
    }

    pub fn computed(&mut self, scope: ScopeId, expr: &Expr) -> Expression {
        if self.flow.terminated() || self.calls(scope, expr) {
            return Expression::Unknown;
        }
        let count = self.flow.operation_count();
        let block = self.flow.current();
        let found = self.expression(scope, expr);
        if self.flow.current() == block {
            self.flow.keep_operations(count);
        }
        found
    }

    pub fn expression(&mut self, scope: ScopeId, expr: &Expr) -> Expression {
        match self.bound.type_of(scope, expr).ty {
            Type::Integer(_) => {
                if let Some(affine) = self.affine(scope, expr) {
                    return Expression::Affine(affine);
                }
            }
            Type::Logical(_) => {
                if let Some(value) = self.bound.logical(scope, expr) {
                    return Expression::Affine(Affine::constant(i64::from(value)));
                }
            }
            Type::Character { .. } => {
                if let Some(text) = self.constant_text(scope, expr) {
                    return Expression::Text(text);
                }
            }
            _ => {}
        }
        if let Some(found) = self.real_expression(scope, expr) {
            return found;
        }
        match &expr.kind {
            ExprKind::Literal(_) => Expression::Of(Vec::new()),
            ExprKind::Parenthesized(inner) => self.expression(scope, inner),
            ExprKind::Name(_) | ExprKind::Component { .. } => self.loaded(scope, expr),
            ExprKind::Unary { operator, operand } => {
                let value = self.expression(scope, operand);
                match operator {
                    Operator::Not => Expression::Not(Box::new(value)),
                    Operator::Subtract if self.is_integer(scope, operand) => {
                        Expression::Negate(Box::new(value))
                    }
                    Operator::Add => value,
                    _ => Expression::Of(vec![value]),
                }
            }
            ExprKind::Binary { operator, left, right } => {
                let (first, second) = (self.expression(scope, left), self.expression(scope, right));
                let are_integers = self.is_integer(scope, left) && self.is_integer(scope, right);
                match computed_operator(operator, are_integers) {
                    Some(operator) => Expression::Binary(operator, Box::new(first), Box::new(second)),
                    None => Expression::Of(vec![first, second]),
                }
            }
            ExprKind::Reference { base, arguments } => match self.bound.meaning(scope, base, arguments) {
                Meaning::Intrinsic(name) => self.computed_intrinsic(scope, name, arguments),
                _ => self.loaded(scope, expr),
            },
            ExprKind::ArrayConstructor { .. } | ExprKind::ImpliedDo { .. } | ExprKind::Other(_) => {
                Expression::Unknown
            }
        }
    }

    pub fn is_integer(&self, scope: ScopeId, expr: &Expr) -> bool {
        let typed = self.bound.type_of(scope, expr);
        matches!(typed.ty, Type::Integer(_)) && typed.rank == Some(0)
    }

    /// A scalar.
    pub fn loaded(&mut self, scope: ScopeId, expr: &Expr) -> Expression {
        if self.bound.type_of(scope, expr).rank.is_some_and(|rank| rank > 0) {
            return Expression::Unknown;
        }
        match self.place(scope, expr) {
            Some(place) => Expression::Load(place.whole()),
            None => Expression::Unknown,
        }
    }

    fn computed_intrinsic(&mut self, scope: ScopeId, name: &str, arguments: &[Argument]) -> Expression {
        if NOT_FUNCTIONS.split_whitespace().any(|known| known == name) {
            return Expression::Unknown;
        }
        let all: Vec<&Expr> = arguments.iter().flat_map(Argument::expressions).collect();
        let are_integers = all.iter().all(|expr| self.is_integer(scope, expr));
        let mut values: Vec<Expression> = all.iter().map(|expr| self.expression(scope, expr)).collect();
        let operator = match name {
            "mod" => Some(Computes::Remainder),
            "modulo" => Some(Computes::Modulo),
            "min" | "min0" => Some(Computes::Minimum),
            "max" | "max0" => Some(Computes::Maximum),
            "iand" => Some(Computes::BitAnd),
            "ior" => Some(Computes::BitOr),
            "ieor" => Some(Computes::BitXor),
            "ishft" | "shiftl" => Some(Computes::ShiftLeft),
            "shiftr" => Some(Computes::ShiftRight),
            _ => None,
        };
        match (operator, name) {
            (Some(operator), _) if are_integers && values.len() >= 2 => {
                let first = values.remove(0);
                values
                    .into_iter()
                    .fold(first, |left, right| Expression::Binary(operator, Box::new(left), Box::new(right)))
            }
            (_, "merge") if values.len() == 3 => {
                let (condition, otherwise) = (values.remove(2), values.remove(1));
                Expression::Choice(Box::new([condition, values.remove(0), otherwise]))
            }
            (_, "abs" | "iabs") if are_integers && values.len() == 1 => {
                let value = values.remove(0);
                let negative = Expression::Negate(Box::new(value.clone()));
                Expression::Binary(Computes::Maximum, Box::new(value), Box::new(negative))
            }
            // Blanks at the end mean nothing.
            (_, "trim") if values.len() == 1 => values.remove(0),
            (_, "int" | "nint") if are_integers && values.len() == 1 => values.remove(0),
            _ => Expression::Of(values),
        }
    }
}

/// `None`: not an operation of integers or truth values.
fn computed_operator(operator: &Operator, are_integers: bool) -> Option<Computes> {
    Some(match operator {
        Operator::And => Computes::And,
        Operator::Or => Computes::Or,
        _ if !are_integers => return None,
        Operator::Add => Computes::Add,
        Operator::Subtract => Computes::Subtract,
        Operator::Multiply => Computes::Multiply,
        Operator::Divide => Computes::Divide,
        Operator::Power => Computes::Power,
        _ => Computes::Compare(comparison(operator)?),
    })
}

pub fn comparison(operator: &Operator) -> Option<Comparison> {
    Some(match operator {
        Operator::Equal => Comparison::Equal,
        Operator::NotEqual => Comparison::NotEqual,
        Operator::Less => Comparison::Less,
        Operator::LessEqual => Comparison::LessOrEqual,
        Operator::Greater => Comparison::Greater,
        Operator::GreaterEqual => Comparison::GreaterOrEqual,
        _ => return None,
    })
}
