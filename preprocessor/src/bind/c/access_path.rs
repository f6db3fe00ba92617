//! The pointers that an lvalue is reached through: `p` and `p->q` for `p->q->x`.
//!
//! Input: an lvalue and its tokens.
//! Output: those pointers, in the order in which they are read.
//! Postcondition: each is an lvalue whose text means the same as long as those before it point where they
//! did; what has computed subscripts is none.

use cppc_grammar::c::token::Token;
use cppc_grammar::c::tree::{Expr, ExprKind, UnaryOperator};
use cppc_grammar::directive::spell_tightly;

use super::binder::Binder;
use super::items::AccessPathPointer;
use super::lvalue::{is_lvalue, is_name};

impl Binder<'_> {
    pub(super) fn access_path(&self, lvalue: &Expr, tokens: &[Token]) -> Vec<AccessPathPointer> {
        let mut found = Vec::new();
        self.pointers_of_path(lvalue, &mut found);
        let points = found.into_iter().map_while(|pointer| {
            let own = tokens.get(pointer.range.start as usize..pointer.range.end as usize)?;
            let text = spell_tightly(own, &self.preprocessed.names);
            let variable =
                self.root(pointer).and_then(|root| self.binding(root)).filter(|_| is_name(pointer));
            (variable.is_some()
                || self
                    .indexed(self.root(pointer).and_then(|root| self.binding(root))?, pointer, tokens)
                    .is_none())
            .then_some(AccessPathPointer { text, variable })
        });
        points.collect()
    }

    fn pointers_of_path<'t>(&self, lvalue: &'t Expr, found: &mut Vec<&'t Expr>) {
        match &lvalue.kind {
            ExprKind::Paren(inner) | ExprKind::Cast { operand: inner, .. } => {
                self.pointers_of_path(inner, found)
            }
            ExprKind::Member { base, arrow, .. } => self.base(base, *arrow, found),
            ExprKind::Unary { operator, operand } => {
                self.base(operand, *operator == UnaryOperator::Dereference, found)
            }
            ExprKind::Index { base, index } => {
                let pointer = |expr: &Expr| self.type_of(expr.id).decayed().is_pointer();
                let base = if !pointer(base) && pointer(index) { index } else { base };
                self.base(base, !self.type_of(base.id).is_array(), found);
            }
            ExprKind::Binary { left, right, .. } => {
                let side = if self.type_of(left.id).decayed().is_pointer() { left } else { right };
                self.pointers_of_path(side, found);
            }
            _ => {}
        }
    }

    fn base<'t>(&self, base: &'t Expr, is_read: bool, found: &mut Vec<&'t Expr>) {
        self.pointers_of_path(base, found);
        found.extend(if is_read { self.pointer_in(base) } else { None });
    }

    /// The pointer variable or field whose value an expression is made from.
    fn pointer_in<'t>(&self, expr: &'t Expr) -> Option<&'t Expr> {
        match &expr.kind {
            ExprKind::Paren(inner) | ExprKind::Cast { operand: inner, .. } => self.pointer_in(inner),
            ExprKind::Binary { left, right, .. } => {
                self.pointer_in(if self.type_of(left.id).decayed().is_pointer() { left } else { right })
            }
            _ => (is_lvalue(expr) && self.type_of(expr.id).is_pointer()).then_some(expr),
        }
    }
}
