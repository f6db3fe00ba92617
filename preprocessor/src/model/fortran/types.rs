//! Fortran types in the model: a class, a type code for the runtime, and a declaration pattern.

use cppc_grammar::fortran::tree::{Expr, ExprKind};

use super::{Builder, ProcedureContext};
use crate::bind::fortran::{Meaning, ScopeId, Type, Typed};
use crate::model::{Class, Expression, Pattern, TypeCode, ValueType};

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
            Class::Arithmetic if context.patterns.get() => self.pattern(typed.ty, context.capitals),
            Class::Dynamic { rank, .. } if context.patterns.get() => self.allocatable(typed.ty, rank, context.capitals),
            _ => None,
        };
        let code = typed.ty.code().map(TypeCode::Named);
        ValueType { class, code, pattern }
    }

    /// `integer(4) :: `
    pub(super) fn pattern(&self, ty: Type, capitals: bool) -> Option<Pattern> {
        let spelling = ty.spelling()?;
        let spelling = if capitals { spelling.to_ascii_uppercase() } else { spelling };
        Some(Pattern { before: format!("{spelling} :: "), after: String::new() })
    }

    /// `real(8), allocatable :: x(:)`
    pub(super) fn allocatable(&self, ty: Type, rank: u32, capitals: bool) -> Option<Pattern> {
        let spelling = ty.spelling().unwrap_or_else(|| "character(len=:)".to_owned());
        let before = format!("{spelling}, allocatable :: ");
        let before = if capitals { before.to_ascii_uppercase() } else { before };
        let colons = vec![":"; rank as usize].join(", ");
        let after = if rank == 0 { String::new() } else { format!("({colons})") };
        Some(Pattern { before, after })
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

    pub(super) fn type_of_result(&self, result: crate::bind::fortran::SymbolId, context: &ProcedureContext) -> ValueType {
        self.value(self.bound.type_of_symbol(result), context)
    }
}
