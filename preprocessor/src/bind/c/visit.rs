//! The parts of an expression, for whoever looks for something in it.

use cppc_grammar::c::tree::{Expr, ExprKind};

/// The expressions that an expression is made of, in the order of the text; not those in types, in
/// initialiser lists and in statement expressions.
pub fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Paren(inner) | ExprKind::SizeofExpr(inner) | ExprKind::AlignofExpr(inner) => vec![inner],
        ExprKind::Generic { control, associations } => {
            std::iter::once(&**control).chain(associations.iter().map(|(_, value)| value)).collect()
        }
        ExprKind::Call { callee, arguments } => std::iter::once(&**callee).chain(arguments).collect(),
        ExprKind::Index { base, index } => vec![base, index],
        ExprKind::Member { base, .. } => vec![base],
        ExprKind::Unary { operand, .. }
        | ExprKind::Cast { operand, .. }
        | ExprKind::Convert { operand, .. } => {
            vec![operand]
        }
        ExprKind::Binary { left, right, .. }
        | ExprKind::Assign { left, right, .. }
        | ExprKind::Comma(left, right) => {
            vec![left, right]
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            let mut parts = vec![&**condition];
            parts.extend(then.as_deref());
            parts.push(otherwise);
            parts
        }
        ExprKind::VaArg { list, .. } => vec![list],
        ExprKind::Choose(a, b, c) => vec![a, b, c],
        ExprKind::TypeGeneric(all) => all.iter().collect(),
        _ => Vec::new(),
    }
}

/// The first part, in the order of the text, that `wanted` accepts; the expression itself first.
pub(super) fn find<'t>(expr: &'t Expr, wanted: &impl Fn(&Expr) -> bool) -> Option<&'t Expr> {
    if wanted(expr) {
        return Some(expr);
    }
    parts(expr).into_iter().find_map(|part| find(part, wanted))
}
