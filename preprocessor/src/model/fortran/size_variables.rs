//! The variables that determine sizes in the declarations of a procedure.
//!
//! Input: the bounds of its arrays, and the lengths of its texts.
//! Output: the integers in them, except the dummy arguments of the procedure itself. A restart passes their recorded
//! values.

use cppc_grammar::fortran::tree::{Bound as Extent, Expr, ExprKind};

use super::{Builder, ProcedureContext};
use crate::bind::fortran::visit::{lengths, parts};
use crate::bind::fortran::{is_inquiry, ScopeId, Type, Typed};
use crate::model::{SizeVariable, TypeCode};

impl Builder<'_, '_> {
    pub(super) fn size_variables(&self, context: &ProcedureContext) -> Vec<SizeVariable> {
        let scope = context.procedure.scope;
        let mut found = Vec::new();
        for &id in &context.symbols {
            let symbol = self.bound.symbol(id);
            if symbol.scope == scope {
                symbol.shape.iter().flat_map(bounds).for_each(|bound| {
                    self.integers(scope, bound, context, &mut found);
                });
            }
        }
        for length in context.statements[..context.start].iter().flat_map(|statement| lengths(statement)) {
            self.integers(scope, length, context, &mut found);
        }
        found
    }

    /// The variables whose values an expression needs.
    fn integers(
        &self,
        scope: ScopeId,
        expr: &Expr,
        context: &ProcedureContext,
        found: &mut Vec<SizeVariable>,
    ) {
        if let ExprKind::Reference { base, .. } = &expr.kind {
            if is_inquiry(base) {
                return;
            }
        }
        if let Some(variable) = self.integer(scope, expr, context) {
            if found.iter().all(|known| known.name != variable.name) {
                found.push(variable);
            }
        }
        parts(expr).into_iter().for_each(|part| self.integers(scope, part, context, found));
    }

    fn integer(&self, scope: ScopeId, expr: &Expr, context: &ProcedureContext) -> Option<SizeVariable> {
        let symbol = self.bound.symbol(self.bound.lookup(scope, root(expr)?)?);
        let is_own = symbol.scope == scope && symbol.common.is_none();
        let Typed { ty: ty @ Type::Integer(_), rank: Some(0) } = self.bound.type_of(scope, expr) else {
            return None;
        };
        if !symbol.is_variable() || is_own {
            return None;
        }
        let text = self.bound.text(context.source, expr.at);
        let code = TypeCode::Named(ty.code()?);
        (!text.contains('\n')).then(|| SizeVariable { name: text.to_owned(), code: Some(code) })
    }
}

/// The variable of a designator: of `n`, `grid%n`, `sizes(2)`.
fn root(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(&name.text),
        ExprKind::Reference { base, .. } | ExprKind::Component { base, .. } => root(base),
        ExprKind::Literal(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Parenthesized(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo { .. }
        | ExprKind::Other(_) => None,
    }
}

fn bounds(extent: &Extent) -> impl Iterator<Item = &Expr> {
    let bounds = match extent {
        Extent::Explicit { lower, upper } => [lower.as_ref(), Some(upper)],
        Extent::AssumedSize { lower } | Extent::AssumedShape { lower } => [lower.as_ref(), None],
        Extent::AssumedRank => [None, None],
    };
    bounds.into_iter().flatten()
}
