//! How real numbers are computed, for the analysis of communications.
//!
//! Input: an expression. Output: an `Expression`, with all conversions.
//! Postcondition: a number of another type than two sizes of real is not followed.

use cppc_analysis::program::{Expression, RealConstant, RealFunction};
use cppc_grammar::fortran::tree::{Argument, Expr, ExprKind, Literal, Operator};

use super::body::Body;
use super::computed::{comparison, NOT_FUNCTIONS};
use crate::bind::fortran::{Meaning, ScopeId, Type};

impl Body<'_, '_> {
    /// An expression whose result or whose operands are real. `None`: it has no real operand, or is not followed.
    pub fn real_expression(&mut self, scope: ScopeId, expr: &Expr) -> Option<Expression> {
        let typed = self.bound.type_of(scope, expr);
        if typed.rank != Some(0) {
            return None;
        }
        match (&expr.kind, typed.ty) {
            (ExprKind::Binary { operator, left, right }, Type::Logical(_)) => {
                let comparison = comparison(operator)?;
                if self.is_integer(scope, left) && self.is_integer(scope, right) {
                    return None;
                }
                let operands = vec![self.real(scope, left)?, self.real(scope, right)?];
                Some(Expression::RealFunction(RealFunction::Compare(comparison), operands))
            }
            (ExprKind::Reference { base, arguments }, Type::Integer(_)) => {
                let Meaning::Intrinsic(name) = self.bound.meaning(scope, base, arguments) else {
                    return None;
                };
                self.rounded(scope, name, arguments)
            }
            (_, Type::Real(_)) => self.real(scope, expr),
            _ => None,
        }
    }

    /// The value of an integer or a real expression, as a real number.
    fn real(&mut self, scope: ScopeId, expr: &Expr) -> Option<Expression> {
        let typed = self.bound.type_of(scope, expr);
        if typed.rank != Some(0) {
            return None;
        }
        let bytes = match typed.ty {
            Type::Real(bytes @ (4 | 8)) => bytes,
            Type::Integer(_) => {
                let value = self.expression(scope, expr);
                return Some(Expression::RealFunction(RealFunction::Convert(8), vec![value]));
            }
            _ => return None,
        };
        let is_literal = matches!(&expr.kind, ExprKind::Literal(Literal::Real { .. }));
        if is_literal || matches!(expr.kind, ExprKind::Name(_)) {
            if let Some(value) = self.bound.real(scope, expr) {
                return Some(Expression::Real(RealConstant { bits: value.to_bits(), bytes, is_literal }));
            }
        }
        match &expr.kind {
            ExprKind::Parenthesized(inner) => self.real(scope, inner),
            ExprKind::Unary { operator: Operator::Add, operand } => self.real(scope, operand),
            ExprKind::Unary { operator: Operator::Subtract, operand } => {
                Some(Expression::RealFunction(RealFunction::Negate, vec![self.real(scope, operand)?]))
            }
            ExprKind::Binary { operator, left, right } => {
                let function = match operator {
                    Operator::Add => RealFunction::Add(bytes),
                    Operator::Subtract => RealFunction::Subtract(bytes),
                    Operator::Multiply => RealFunction::Multiply(bytes),
                    Operator::Divide => RealFunction::Divide(bytes),
                    _ => return None,
                };
                let operands = vec![self.real(scope, left)?, self.real(scope, right)?];
                Some(Expression::RealFunction(function, operands))
            }
            ExprKind::Reference { base, arguments } => match self.bound.meaning(scope, base, arguments) {
                Meaning::Intrinsic(name) => self.real_intrinsic(scope, name, arguments, bytes),
                _ => Some(self.loaded(scope, expr)),
            },
            ExprKind::Name(_) | ExprKind::Component { .. } => Some(self.loaded(scope, expr)),
            _ => None,
        }
    }

    fn real_intrinsic(
        &mut self,
        scope: ScopeId,
        name: &str,
        arguments: &[Argument],
        bytes: u8,
    ) -> Option<Expression> {
        if NOT_FUNCTIONS.split_whitespace().any(|known| known == name) {
            return None;
        }
        let function = match name {
            "dble" | "real" | "float" | "dfloat" | "sngl" => RealFunction::Convert(bytes),
            "sqrt" | "dsqrt" => RealFunction::SquareRoot(bytes),
            "log" | "alog" | "dlog" => RealFunction::Logarithm(bytes),
            "log10" | "alog10" | "dlog10" => RealFunction::Logarithm10(bytes),
            "aint" | "dint" => RealFunction::Truncate,
            "anint" | "dnint" => RealFunction::Round,
            _ => return None,
        };
        // Another argument is a kind, which is part of the type.
        let first = *arguments.first()?.expressions().first()?;
        Some(Expression::RealFunction(function, vec![self.real(scope, first)?]))
    }

    /// An integer that is made from a real number.
    fn rounded(&mut self, scope: ScopeId, name: &str, arguments: &[Argument]) -> Option<Expression> {
        let function = match name {
            "int" | "ifix" | "idint" => None,
            "nint" | "idnint" => Some(RealFunction::Round),
            "floor" => Some(RealFunction::Floor),
            "ceiling" => Some(RealFunction::Ceiling),
            _ => return None,
        };
        let first = *arguments.first()?.expressions().first()?;
        if !matches!(self.bound.type_of(scope, first).ty, Type::Real(_)) {
            return None;
        }
        let value = self.real(scope, first)?;
        let whole = match function {
            Some(function) => Expression::RealFunction(function, vec![value]),
            None => value,
        };
        Some(Expression::RealFunction(RealFunction::Integer, vec![whole]))
    }

    /// The value of an expression after its assignment to a variable of a type.
    pub fn converted(&self, scope: ScopeId, expr: &Expr, value: Expression, to: Type) -> Expression {
        let function = match (self.bound.type_of(scope, expr).ty, to) {
            (Type::Real(_), Type::Integer(_)) => RealFunction::Integer,
            (Type::Real(from), Type::Real(bytes)) if from != bytes => RealFunction::Convert(bytes),
            (Type::Integer(_), Type::Real(bytes)) => RealFunction::Convert(bytes),
            _ => return value,
        };
        Expression::RealFunction(function, vec![value])
    }
}
