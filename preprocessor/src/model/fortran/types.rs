//! Fortran types in the model: a class, a type code for the runtime, and a declaration pattern.

use cppc_grammar::fortran::tree::{Expr, ExprKind};

use super::{Builder, ProcedureContext};
use crate::bind::fortran::{Length, Meaning, ScopeId, Type, Typed};
use crate::model::{Class, Expression, FortranShape, FortranType, Pattern, TypeCode, ValueType};

pub(super) const VOID: ValueType = ValueType { class: Class::Void, code: None, pattern: None };

impl Builder<'_, '_> {
    pub(super) fn value(&self, typed: Typed, context: &ProcedureContext) -> ValueType {
        let scalar = typed.rank == Some(0);
        let class = match typed.ty {
            Type::Derived(_) | Type::Class(_) if scalar => Class::Record,
            ty if scalar && ty.can_be_declared() => Class::Arithmetic,
            ty => match typed.rank.filter(|_| ty.code().is_some()) {
                Some(rank) => Class::Dynamic { rank, text: !ty.can_be_declared() },
                None => Class::Other,
            },
        };
        let pattern = match class {
            Class::Arithmetic if context.patterns.get() => pattern(typed.ty),
            Class::Dynamic { rank, .. } if context.patterns.get() => Some(allocatable(typed.ty, rank)),
            _ => None,
        };
        let code = typed.ty.code().map(TypeCode::Named);
        ValueType { class, code, pattern }
    }

    /// An expression of which more than the value is needed: the memory to which a function result points. A
    /// variable that contains the value cannot replace it.
    pub(super) fn placed(&self, expr: &Expr, scope: ScopeId, mut expression: Expression) -> Expression {
        if let ExprKind::Reference { base, arguments } = &expr.kind {
            if let Meaning::Call(called) = self.bound.meaning(scope, base, arguments) {
                let result = self.known(&called).and_then(|id| self.bound.procedure(id).result);
                if result.is_some_and(|result| self.bound.symbol(result).is.pointer) {
                    expression.ty = ValueType { class: Class::Pointer, code: None, pattern: None };
                }
            }
        }
        expression
    }

    pub(super) fn type_of_result(
        &self,
        result: crate::bind::fortran::SymbolId,
        context: &ProcedureContext,
    ) -> ValueType {
        self.value(self.bound.type_of_symbol(result), context)
    }
}

/// `integer(4) :: x`
pub(super) fn pattern(ty: Type) -> Option<Pattern> {
    Some(Pattern::Fortran { ty: intrinsic(ty)?, shape: FortranShape::Scalar })
}

/// `real(8), allocatable :: x(:)`
pub(super) fn allocatable(ty: Type, rank: u32) -> Pattern {
    let ty = intrinsic(ty).unwrap_or(FortranType::Character(None));
    Pattern::Fortran { ty, shape: FortranShape::Allocatable { rank } }
}

fn intrinsic(ty: Type) -> Option<FortranType> {
    match ty {
        Type::Integer(kind) => Some(FortranType::Integer(kind)),
        Type::Real(kind) => Some(FortranType::Real(kind)),
        Type::Complex(kind) => Some(FortranType::Complex(kind)),
        Type::Logical(kind) => Some(FortranType::Logical(kind)),
        Type::Character { kind: 1, length: Length::Known(length) } => {
            Some(FortranType::Character(Some(length)))
        }
        Type::Character { .. } | Type::Derived(_) | Type::Class(_) | Type::Anything | Type::Unknown => None,
    }
}
