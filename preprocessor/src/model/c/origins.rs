//! The variables from which the pointers in an argument come.
//!
//! Input: an argument.
//! Output: whether it reads pointers, and the automatic variables that they come from.
//! Postcondition: an argument that reads no pointers has the same meaning in a restart, because it contains
//! only addresses of variables.

use cppc_grammar::c::tree::{BinaryOperator, Expr, ExprKind, UnaryOperator};

use super::{Builder, ProcedureContext};
use crate::bind::c::{Kind, StorageKind, SymbolKind};
use crate::model::{Origin, VariableId};

/// The variables found so far. `None` if no pointer was read yet.
type Found = Option<Vec<VariableId>>;

impl Builder<'_> {
    /// The origin of an argument of a call.
    pub(super) fn origin(&self, argument: &Expr, context: &ProcedureContext) -> Origin {
        let ty = self.bound.type_of(argument.id).decayed();
        let mut found = None;
        if ty.is_pointer() || matches!(ty.kind, Kind::Record(_)) {
            self.value(argument, context, &mut found);
        }
        found.map_or(Origin::Places, Origin::Values)
    }

    /// Adds the variables from which the value of a pointer or of a structure comes.
    fn value(&self, expr: &Expr, context: &ProcedureContext, found: &mut Found) {
        let ty = self.bound.type_of(expr.id);
        if ty.is_array() || ty.is_function() {
            return self.place(expr, context, found);
        }
        match &expr.kind {
            ExprKind::Paren(inner)
            | ExprKind::Cast { operand: inner, .. }
            | ExprKind::Convert { operand: inner, .. } => {
                self.value(inner, context, found);
            }
            ExprKind::Unary { operator: UnaryOperator::Extension, operand } => {
                self.value(operand, context, found)
            }
            ExprKind::Unary { operator: UnaryOperator::Address, operand } => {
                self.place(operand, context, found)
            }
            ExprKind::Ident(_)
                if self.symbol_kind(expr) == Some(SymbolKind::Variable)
                    || self.symbol_kind(expr) == Some(SymbolKind::Parameter) =>
            {
                self.read(expr, context, found);
            }
            ExprKind::Unary { operator: UnaryOperator::Dereference, .. }
            | ExprKind::Member { .. }
            | ExprKind::Index { .. } => {
                found.get_or_insert_default();
                self.place(expr, context, found);
                self.whole(expr, context, found);
            }
            ExprKind::Binary { operator: BinaryOperator::Add | BinaryOperator::Subtract, left, right } => {
                for side in [left, right]
                    .into_iter()
                    .filter(|side| self.bound.type_of(side.id).decayed().is_pointer())
                {
                    self.value(side, context, found);
                }
            }
            ExprKind::Conditional { then, otherwise, .. } => {
                then.iter().for_each(|then| self.value(then, context, found));
                self.value(otherwise, context, found);
            }
            ExprKind::Comma(_, last) => self.value(last, context, found),
            _ => {}
        }
    }

    /// Adds the variables from which the address of an object comes: the pointers of its access path.
    fn place(&self, expr: &Expr, context: &ProcedureContext, found: &mut Found) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.place(inner, context, found),
            ExprKind::Member { base, arrow: false, .. } => self.place(base, context, found),
            ExprKind::Member { base, arrow: true, .. } => self.value(base, context, found),
            ExprKind::Unary { operator: UnaryOperator::Dereference, operand } => {
                self.value(operand, context, found)
            }
            ExprKind::Index { base, index } => {
                let is_pointer = self.bound.type_of(base.id).decayed().is_pointer();
                self.value(if is_pointer { base } else { index }, context, found);
            }
            _ => {}
        }
    }

    /// Adds the variable of which an element or a field is read.
    fn whole(&self, expr: &Expr, context: &ProcedureContext, found: &mut Found) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.whole(inner, context, found),
            ExprKind::Member { base, arrow: false, .. } => self.whole(base, context, found),
            ExprKind::Index { base, .. } if self.bound.type_of(base.id).is_array() => {
                self.whole(base, context, found)
            }
            ExprKind::Ident(_) => self.read(expr, context, found),
            _ => {}
        }
    }

    fn read(&self, name: &Expr, context: &ProcedureContext, found: &mut Found) {
        let found = found.get_or_insert_default();
        let Some(id) = self.bound.symbol_of(name.id) else { return };
        if matches!(self.bound.symbol(id).storage, StorageKind::Automatic | StorageKind::Register) {
            found.extend(context.symbols.iter().position(|&own| own == id).map(VariableId));
        }
    }
}
