//! Fortran expressions in the model: calls, operands in text order, and designated objects.

use cppc_grammar::fortran::tree::{Expr, ExprKind, Operator};

use super::calls::{Resolved, Sites};
use super::types::VOID;
use super::{Builder, ProcedureContext};
use crate::bind::fortran::visit::{of_argument, of_arguments, parts};
use crate::bind::fortran::{Called, Meaning, ScopeId, SymbolKind, Type};
use crate::model::{Callee, Expression, ExpressionKind, ExpressionProperties, Origin};

impl<'a> Builder<'_, 'a> {
    /// An expression whose value is read.
    pub(super) fn expression(&self, expr: &Expr, scope: ScopeId, context: &ProcedureContext) -> Expression {
        self.expression_as(expr, scope, context, false)
    }

    /// An expression that designates an object.
    pub(super) fn designated(&self, expr: &Expr, scope: ScopeId, context: &ProcedureContext) -> Expression {
        self.expression_as(expr, scope, context, true)
    }

    fn expression_as(
        &self,
        expr: &Expr,
        scope: ScopeId,
        context: &ProcedureContext,
        object: bool,
    ) -> Expression {
        let kind = self.expression_kind(expr, scope, context, object);
        let acts = self.acts(&kind, expr, scope);
        let children = kind.children();
        let effects = acts || children.iter().any(|child| child.nature.effects);
        let called = matches!(kind, ExpressionKind::Call { .. } | ExpressionKind::Statements(_));
        let typed = self.bound.type_of(scope, expr);
        let nature = ExpressionProperties {
            constant: self.is_constant(expr, scope, &children),
            effects,
            acts,
            // A function must not change anything that another part of its statement reads.
            stable: !called && children.iter().all(|child| child.nature.stable),
            object,
            handle: matches!(typed.ty, Type::Derived(id) if self.bound.derived(id).handle),
            composed: self.is_composed(expr, scope),
            ..ExpressionProperties::default()
        };
        Expression {
            place: self.place(context, expr.at),
            anchor: self.bound.anchor(context.source, expr.at),
            macro_name: None,
            local: None,
            through: None,
            emptied: None,
            origin: Origin::Places,
            ty: self.value(typed, context),
            nature,
            kind,
        }
    }

    /// True if evaluating this node itself may have a side effect.
    fn acts(&self, kind: &ExpressionKind, expr: &Expr, scope: ScopeId) -> bool {
        match kind {
            ExpressionKind::Statements(_) => true,
            ExpressionKind::Call { .. } => {
                let ExprKind::Reference { base, arguments } = &expr.kind else { return true };
                match self.bound.meaning(scope, base, arguments) {
                    Meaning::Call(called) => {
                        !self.known(&called).is_some_and(|id| self.bound.procedure(id).pure)
                    }
                    _ => true,
                }
            }
            _ => false,
        }
    }

    fn expression_kind(
        &self,
        expr: &Expr,
        scope: ScopeId,
        context: &ProcedureContext,
        object: bool,
    ) -> ExpressionKind {
        let value = |expr: &Expr| self.expression(expr, scope, context);
        let values = |list: Vec<&Expr>| ExpressionKind::Operands(list.into_iter().map(value).collect());
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Name(_) => ExpressionKind::Leaf,
            ExprKind::Reference { base, arguments } => match self.bound.meaning(scope, base, arguments) {
                Meaning::Call(called) => {
                    self.call(&Resolved { called, designator: base, arguments }, scope, context)
                }
                Meaning::StatementFunction(id) => {
                    let mut sites = self.definition_sites(id, context);
                    match sites.is_empty() {
                        true => values(of_arguments(arguments)),
                        false => {
                            let mut more = Sites::default();
                            for argument in of_arguments(arguments) {
                                self.sites(argument, scope, context, &mut more);
                            }
                            sites.extend(more.list);
                            ExpressionKind::Statements(sites)
                        }
                    }
                }
                Meaning::Part(_) => {
                    let mut list = Vec::new();
                    if !matches!(base.kind, ExprKind::Name(_)) {
                        list.push(self.expression_as(base, scope, context, object));
                    }
                    list.extend(of_arguments(arguments).into_iter().map(value));
                    ExpressionKind::Operands(list)
                }
                Meaning::Intrinsic("associated" | "loc" | "c_loc") => {
                    let list = of_arguments(arguments).into_iter();
                    ExpressionKind::Operands(list.map(|expr| self.placed(expr, scope, value(expr))).collect())
                }
                _ => values(of_arguments(arguments)),
            },
            ExprKind::Component { base, .. } => match base.kind {
                ExprKind::Name(_) => ExpressionKind::Leaf,
                _ => ExpressionKind::Operands(vec![self.expression_as(base, scope, context, object)]),
            },
            ExprKind::Unary { operator, operand } => {
                self.operation(operator, &[operand], scope, context).unwrap_or_else(|| values(vec![operand]))
            }
            ExprKind::Binary { operator, left, right } => {
                if let Some(kind) = self.operation(operator, &[left, right], scope, context) {
                    return kind;
                }
                let (left, right) = (value(left), value(right));
                match operator {
                    Operator::And | Operator::Or => ExpressionKind::ShortCircuit {
                        and: *operator == Operator::And,
                        left: Box::new(left),
                        right: Box::new(right),
                    },
                    _ => ExpressionKind::Operands(vec![left, right]),
                }
            }
            ExprKind::Parenthesized(inner) => values(vec![inner]),
            ExprKind::ArrayConstructor { items, .. } => {
                let repeated = items.iter().any(|item| matches!(item.kind, ExprKind::ImpliedDo { .. }));
                match repeated {
                    true => self.closed(parts(expr), scope, context),
                    false => values(items.iter().collect()),
                }
            }
            ExprKind::ImpliedDo { .. } => self.closed(parts(expr), scope, context),
            ExprKind::Other(list) => values(list.iter().collect()),
        }
    }

    /// An operator that the program defines, with the procedures that it may call.
    fn operation(
        &self,
        operator: &Operator,
        operands: &[&Expr],
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Option<ExpressionKind> {
        let ids = self.bound.operator_calls(scope, operator, operands);
        if ids.is_empty() {
            return None;
        }
        let anchor = self.bound.anchor(context.source, operands.first()?.at);
        let callees = ids.into_iter().map(|id| Callee::Named(self.key_of(id)));
        let mut sites = Sites::of(callees, anchor);
        for operand in operands {
            self.sites(operand, scope, context, &mut sites);
        }
        Some(ExpressionKind::Statements(sites.list))
    }

    /// An expression whose parts are evaluated several times, or under conditions.
    pub(super) fn closed(
        &self,
        list: Vec<&Expr>,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> ExpressionKind {
        let mut sites = Sites::default();
        for expr in &list {
            self.sites(expr, scope, context, &mut sites);
        }
        match sites.list.is_empty() {
            true => ExpressionKind::Leaf,
            false => ExpressionKind::Statements(sites.list),
        }
    }

    /// True for a structure constructor, with or without parentheses.
    fn is_composed(&self, expr: &Expr, scope: ScopeId) -> bool {
        match &expr.kind {
            ExprKind::Parenthesized(inner) => self.is_composed(inner, scope),
            ExprKind::Reference { base, arguments } => {
                matches!(self.bound.meaning(scope, base, arguments), Meaning::Constructor(_))
            }
            _ => false,
        }
    }

    /// Literals, named constants, and expressions of them.
    fn is_constant(&self, expr: &Expr, scope: ScopeId, children: &[&Expression]) -> bool {
        match &expr.kind {
            ExprKind::Literal(_) => true,
            ExprKind::Name(name) => self
                .bound
                .lookup(scope, &name.text)
                .is_some_and(|id| matches!(self.bound.symbol(id).kind, SymbolKind::Constant(_))),
            ExprKind::Parenthesized(_) | ExprKind::Unary { .. } | ExprKind::Binary { .. } => {
                !children.is_empty() && children.iter().all(|child| child.nature.constant)
            }
            _ => false,
        }
    }

    /// The expressions of a statement, as one that has a side effect.
    pub(super) fn action(
        &self,
        list: Vec<Expression>,
        at: cppc_grammar::fortran::logical::At,
        context: &ProcedureContext,
    ) -> Expression {
        Expression {
            place: self.place(context, at),
            anchor: self.bound.anchor(context.source, at),
            macro_name: None,
            local: None,
            through: None,
            emptied: None,
            origin: Origin::Places,
            ty: VOID,
            nature: ExpressionProperties { effects: true, acts: true, ..ExpressionProperties::default() },
            kind: ExpressionKind::Operands(list),
        }
    }

    /// The expressions of arguments. Arguments that may be modified are represented as designated objects.
    pub(super) fn operands(
        &self,
        arguments: &[cppc_grammar::fortran::tree::Argument],
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Vec<Expression> {
        let list = arguments.iter().flat_map(of_argument);
        list.map(|expr| self.operand(expr, scope, context)).collect()
    }

    pub(super) fn operand(&self, expr: &Expr, scope: ScopeId, context: &ProcedureContext) -> Expression {
        match self.is_designator(expr, scope) {
            true => self.designated(expr, scope, context),
            false => self.expression(expr, scope, context),
        }
    }

    /// The resolved call, unless it calls an intrinsic subroutine or an unknown procedure.
    pub(super) fn resolved<'e>(
        &self,
        procedure: &'e Expr,
        arguments: &'e [cppc_grammar::fortran::tree::Argument],
        scope: ScopeId,
    ) -> Option<Resolved<'e>> {
        let called: Called = self.bound.callee(scope, procedure, arguments)?;
        Some(Resolved { called, designator: procedure, arguments })
    }
}
