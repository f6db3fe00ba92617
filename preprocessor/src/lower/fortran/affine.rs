//! Integer expressions as sums of variables.
//!
//! Input: an expression. Output: its value as `Affine`, or None.
//! Postcondition: `affine` emits no operations. A dummy argument that changes is in no result, because its
//! variable is an address.

use cppc_analysis::program::{Affine, Content, Value, VariableId};
use cppc_grammar::fortran::tree::{ArgumentKind, Bound, Expr, ExprKind, Operator};
use cppc_source::Span;

use super::body::Body;
use super::storage::is_reference;
use crate::bind::fortran::visit::{parts, root};
use crate::bind::fortran::{is_inquiry, Length, ScopeId, ScopeKind, SymbolId, SymbolKind, Type};

impl Body<'_, '_> {
    pub fn affine(&mut self, scope: ScopeId, expr: &Expr) -> Option<Affine> {
        match &expr.kind {
            ExprKind::Literal(_) => self.constant(scope, expr),
            ExprKind::Parenthesized(inner) => self.affine(scope, inner),
            ExprKind::Name(name) => {
                if let Some((_, place)) = self.names.iter().rev().find(|(known, _)| *known == name.text) {
                    let plain = place.access.path.is_empty()
                        && matches!(place.access.content, Content::Integer { .. });
                    return plain.then(|| Affine::variable(place.access.root));
                }
                match self.bound.lookup(scope, &name.text) {
                    Some(id) => self.affine_symbol(scope, expr, id),
                    None => self.constant(scope, expr),
                }
            }
            ExprKind::Unary { operator, operand } => match operator {
                Operator::Add => self.affine(scope, operand),
                Operator::Subtract => self.affine(scope, operand)?.scale(-1),
                _ => None,
            },
            ExprKind::Binary { operator, left, right } => match operator {
                Operator::Add => self.affine(scope, left)?.add(&self.affine(scope, right)?),
                Operator::Subtract => self.affine(scope, left)?.sub(&self.affine(scope, right)?),
                Operator::Multiply => self.affine(scope, left)?.multiply(&self.affine(scope, right)?),
                _ => self.constant(scope, expr),
            },
            ExprKind::Reference { base, arguments } => {
                let value = self.constant(scope, expr);
                value.or_else(|| self.inquiry(scope, base, arguments))
            }
            _ => None,
        }
    }

    pub(super) fn constant(&self, scope: ScopeId, expr: &Expr) -> Option<Affine> {
        self.bound.integer(scope, expr).and_then(|value| i64::try_from(value).ok()).map(Affine::constant)
    }

    fn affine_symbol(&mut self, scope: ScopeId, expr: &Expr, id: SymbolId) -> Option<Affine> {
        let symbol = self.bound.symbol(id);
        if matches!(symbol.kind, SymbolKind::Constant(_) | SymbolKind::Unknown) {
            return self.constant(scope, expr);
        }
        if let Some(alias) = self.aliases.get(&id) {
            let plain =
                alias.access.path.is_empty() && matches!(alias.access.content, Content::Integer { .. });
            return plain.then(|| Affine::variable(alias.access.root));
        }
        let scalar = symbol.is_variable() && symbol.shape.is_empty() && matches!(symbol.ty, Type::Integer(_));
        if !scalar || symbol.is.allocatable || symbol.is.pointer || symbol.is.volatile {
            return None;
        }
        if !is_reference(symbol) {
            return Some(Affine::variable(self.variable(id)));
        }
        if !self.is_own(symbol.scope) || !self.is_fixed(id) || symbol.is.optional {
            return None;
        }
        let place = self.place_of_symbol(id)?;
        Some(self.entry_value(id, place.access))
    }

    /// `size(a, 1)`, `ubound(a, 2)` with declared bounds.
    fn inquiry(
        &mut self,
        scope: ScopeId,
        base: &Expr,
        arguments: &[cppc_grammar::fortran::tree::Argument],
    ) -> Option<Affine> {
        let ExprKind::Name(name) = &base.kind else { return None };
        if !matches!(name.text.as_str(), "size" | "ubound" | "lbound")
            || self.bound.lookup(scope, &name.text).is_some()
        {
            return None;
        }
        let value = |position: usize| match &arguments.get(position)?.kind {
            ArgumentKind::Value(value) => Some(value),
            _ => None,
        };
        let ExprKind::Name(array) = &value(0)?.kind else { return None };
        let id = self.bound.lookup(scope, &array.text)?;
        let place = self.place_of_symbol(id)?;
        let at = match value(1) {
            Some(dimension) => usize::try_from(self.bound.integer(scope, dimension)?).ok()?.checked_sub(1)?,
            None if place.dimensions.len() == 1 && name.text == "size" => 0,
            None => return None,
        };
        let declared = place.dimensions.get(at)?;
        match name.text.as_str() {
            "size" => declared.extent.clone(),
            "lbound" => declared.lower.clone(),
            _ => declared.upper(),
        }
    }

    /// Reads the bounds and lengths of declarations. A restart evaluates them again. `at`: their place, if it is not that of
    /// the current statement.
    pub fn read_declared(&mut self, scope: ScopeId, exprs: &[&Expr], at: Option<Span>) {
        let around = self.span;
        self.span = at.unwrap_or(around);
        let region = self.flow.open_region();
        let mut shapes = Vec::new();
        for expr in exprs {
            self.reads(scope, expr);
            self.shapes_in(scope, expr, &mut shapes);
        }
        let region = self.flow.close_region(region);
        self.flow.add_evaluation(region, shapes);
        self.span = around;
    }

    /// An inquiry about a dummy argument that has the shape or the length of its actual argument.
    pub fn needs_shape(&mut self, scope: ScopeId, of: &Expr) {
        let Some(id) = root(of).and_then(|name| self.bound.lookup(scope, &name.text)) else { return };
        let symbol = self.bound.symbol(id);
        let is_assumed =
            symbol.shape.iter().any(|bound| matches!(bound, Bound::AssumedShape { .. } | Bound::AssumedRank));
        let has_length = matches!(symbol.ty, Type::Character { length: Length::Assumed, .. });
        if symbol.is.dummy && !symbol.is.allocatable && !symbol.is.pointer && (is_assumed || has_length) {
            let parameter = self.variable(id);
            self.flow.add_shape(parameter);
        }
    }

    /// The dummy arguments whose shapes or lengths an expression needs.
    fn shapes_in(&mut self, scope: ScopeId, expr: &Expr, found: &mut Vec<VariableId>) {
        if let ExprKind::Reference { base, arguments } = &expr.kind {
            if let (true, Some(ArgumentKind::Value(of))) =
                (is_inquiry(base), arguments.first().map(|argument| &argument.kind))
            {
                let id = root(of).and_then(|name| self.bound.lookup(scope, &name.text));
                let dummy = id.filter(|id| self.bound.symbol(*id).is.dummy);
                found.extend(dummy.map(|id| self.variable(id)));
            }
        }
        parts(expr).into_iter().for_each(|part| self.shapes_in(scope, part, found));
    }

    /// The bounds of a local array or an argument are evaluated at the entry.
    pub fn read_bounds(&mut self, id: SymbolId, at: Option<Span>) {
        let bound = self.bound;
        let symbol = bound.symbol(id);
        if !symbol.is_variable() || symbol.is.allocatable || symbol.is.pointer || symbol.is.construct {
            return;
        }
        let constant = bound.extents(symbol.scope, symbol.shape).iter().all(Option::is_some);
        let bounds = symbol.shape.iter().filter(|_| !constant).flat_map(|dimension| {
            let (lower, upper) = match dimension {
                Bound::Explicit { lower, upper } => (lower.as_ref(), Some(upper)),
                Bound::AssumedSize { lower } | Bound::AssumedShape { lower } => (lower.as_ref(), None),
                Bound::AssumedRank => (None, None),
            };
            lower.into_iter().chain(upper)
        });
        let bounds: Vec<&Expr> = bounds.collect();
        self.read_declared(symbol.scope, &bounds, at);
    }

    /// The value of an expression of a declaration when the procedure was entered.
    pub fn at_entry(&mut self, scope: ScopeId, expr: &Expr) -> Option<Affine> {
        let value = match &expr.kind {
            ExprKind::Name(name) => self.bound.lookup(scope, &name.text),
            _ => None,
        };
        if let Some(id) = value {
            let symbol = self.bound.symbol(id);
            let scalar =
                symbol.is_variable() && symbol.shape.is_empty() && matches!(symbol.ty, Type::Integer(_));
            let moves = symbol.is.allocatable || symbol.is.pointer || symbol.is.optional;
            // The declarations of a BLOCK are evaluated at its beginning.
            if scalar && !self.is_fixed(id) && matches!(self.bound.scope(scope).kind, ScopeKind::Inner) {
                return None;
            }
            if scalar && !moves && !self.is_fixed(id) && (self.is_own(symbol.scope) || !is_reference(symbol))
            {
                let place = self.place_of_symbol(id)?;
                return Some(self.entry_value(id, place.access));
            }
            return self.affine(scope, expr);
        }
        match &expr.kind {
            ExprKind::Parenthesized(inner) => self.at_entry(scope, inner),
            ExprKind::Unary { operator: Operator::Subtract, operand } => {
                self.at_entry(scope, operand)?.scale(-1)
            }
            ExprKind::Binary { operator, left, right } => match operator {
                Operator::Add => self.at_entry(scope, left)?.add(&self.at_entry(scope, right)?),
                Operator::Subtract => self.at_entry(scope, left)?.sub(&self.at_entry(scope, right)?),
                Operator::Multiply => self.at_entry(scope, left)?.multiply(&self.at_entry(scope, right)?),
                _ => self.constant(scope, expr),
            },
            _ => self.constant(scope, expr),
        }
    }

    /// The value of an integer expression whose reads were emitted: affine, or a temporary that contains it.
    pub fn affine_value(&mut self, scope: ScopeId, expr: &Expr) -> Affine {
        if let Some(affine) = self.affine(scope, expr) {
            return affine;
        }
        let place = match &expr.kind {
            ExprKind::Name(_) => self
                .place(scope, expr)
                .filter(|place| matches!(place.access.content, Content::Integer { .. })),
            _ => None,
        };
        let value = place.map_or(Value::Data, |place| Value::Copy(place.access));
        self.note_value(scope, &value, expr);
        self.integer_temporary(value)
    }
}
