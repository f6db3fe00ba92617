//! Fortran calls in the model: the called procedures, the arguments, and how these are passed.

use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Expr, ExprKind};
use cppc_source::Span;
use rustc_hash::FxHashSet;

use super::{Builder, ProcedureContext};
use crate::bind::fortran::types::Length;
use crate::bind::fortran::visit::root;
use crate::bind::fortran::{Called, ProcedureId, ScopeId, SymbolId, Type};
use crate::model::{CallSite, Callee, Expression, ExpressionKind, LocalArray, Shape};

/// A resolved call.
pub(super) struct Resolved<'e> {
    pub called: Called,
    /// The name of the procedure, or `object%name`.
    pub designator: &'e Expr,
    pub arguments: &'e [Argument],
}

/// Collects calls that cannot be edited.
#[derive(Default)]
pub(super) struct Sites {
    pub list: Vec<CallSite>,
    /// Statement functions that have been visited, because they may call one another.
    seen: FxHashSet<SymbolId>,
}

impl Sites {
    pub(super) fn of(callees: impl IntoIterator<Item = Callee>, anchor: Span) -> Sites {
        let mut sites = Sites::default();
        sites.add(callees, anchor);
        sites
    }

    fn add(&mut self, callees: impl IntoIterator<Item = Callee>, anchor: Span) {
        self.list.extend(callees.into_iter().map(|callee| CallSite { callee, anchor }));
    }
}

impl Builder<'_, '_> {
    /// The callees of the model. There are several if the called procedure is ambiguous.
    pub(super) fn callees(&self, called: &Called, designator: &Expr) -> Vec<Callee> {
        match called {
            Called::Known(ids) => ids.iter().map(|&id| Callee::Named(self.key(id))).collect(),
            Called::External(symbol) => vec![Callee::Named(self.external(*symbol))],
            Called::Indirect { .. } => vec![Callee::Pointer(Shape::ANY)],
            // No translated procedure has such a name.
            Called::Foreign(_) => {
                let name = last_name(designator).unwrap_or_default();
                vec![Callee::Named(format!("unknown%{name}"))]
            }
        }
    }

    fn key(&self, id: ProcedureId) -> String {
        let procedure = self.bound.procedure(id);
        // An entry is a name of the procedure that contains it.
        match self.bound.external(&procedure.name).filter(|_| !procedure.has_body) {
            Some(definition) if self.bound.procedure(definition).name != procedure.name => {
                self.bound.procedure(definition).key.clone()
            }
            _ => procedure.key.clone(),
        }
    }

    fn external(&self, symbol: SymbolId) -> String {
        let name = &self.bound.symbol(symbol).name;
        match self.bound.external(name) {
            Some(id) => self.bound.procedure(id).key.clone(),
            None => format!("{name}_"),
        }
    }

    /// The procedure of a call, with a body or an interface.
    pub(super) fn known(&self, called: &Called) -> Option<ProcedureId> {
        match called {
            Called::Known(ids) => match ids.as_slice() {
                [one] => Some(*one),
                _ => None,
            },
            Called::External(symbol) => {
                let name = &self.bound.symbol(*symbol).name;
                self.bound.external(name).filter(|&id| self.bound.procedure(id).name == *name)
            }
            Called::Indirect { interface, .. } => *interface,
            Called::Foreign(_) => None,
        }
    }

    /// A call as a separate expression.
    pub(super) fn call(
        &self,
        resolved: &Resolved,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> ExpressionKind {
        let callees = self.callees(&resolved.called, resolved.designator);
        let mut arguments = Vec::new();
        // The object of a type-bound procedure is an argument.
        let object = match &resolved.designator.kind {
            ExprKind::Component { base, .. } => Some(&**base),
            _ => None,
        };
        let [callee] = callees.as_slice() else {
            let at = resolved.designator.at;
            let anchor = self.bound.anchor(context.source, at);
            let mut sites = Sites::of(callees, anchor);
            for argument in resolved.arguments {
                for part in crate::bind::fortran::visit::of_argument(argument) {
                    self.sites(part, scope, context, &mut sites);
                }
            }
            return ExpressionKind::Statements(sites.list);
        };
        let known = self.known(&resolved.called);
        let indirect = matches!(resolved.called, Called::Indirect { .. });
        let emptied = object.and_then(|object| {
            let dummy = known.and_then(|id| self.bound.object_dummy(scope, resolved.designator, id));
            self.emptied(object, dummy)
        });
        let through = match (indirect, object) {
            (true, _) => {
                let designated = self.designated(resolved.designator, scope, context);
                Some(Box::new(Expression { emptied, ..designated }))
            }
            (false, Some(object)) => {
                arguments.push(Expression { emptied, ..self.designated(object, scope, context) });
                None
            }
            (false, None) => None,
        };
        for (index, argument) in resolved.arguments.iter().enumerate() {
            let dummy = known.and_then(|id| {
                let position = self.bound.position_of(scope, resolved.designator, id, argument, index)?;
                self.bound.procedure(id).dummies.get(position).copied().flatten()
            });
            arguments.extend(self.argument(argument, dummy, scope, context));
        }
        ExpressionKind::Call { callee: callee.clone(), through, arguments }
    }

    fn argument(
        &self,
        argument: &Argument,
        dummy: Option<SymbolId>,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Option<Expression> {
        let ArgumentKind::Value(value) = &argument.kind else { return None };
        if !self.is_designator(value, scope) || self.has_vector_subscript(value, scope) {
            let mut expression = self.expression(value, scope, context);
            self.note_handle(value, scope, &mut expression);
            let read = dummy.is_some_and(|dummy| {
                let is = &self.bound.symbol(dummy).is;
                (is.intent_in || is.value) && !is.pointer && !is.target
            });
            return Some(if read { expression } else { self.placed(value, scope, expression) });
        }
        let mut expression = self.designated(value, scope, context);
        self.note_handle(value, scope, &mut expression);
        expression.emptied = self.emptied(value, dummy);
        let typed = self.bound.type_of(scope, value);
        let element = typed.rank == Some(0) && typed.ty.code().is_some();
        let dummy = dummy.map(|dummy| self.bound.symbol(dummy));
        let scalar = dummy.is_some_and(|symbol| symbol.is_variable() && symbol.shape.is_empty());
        let moves = dummy.is_some_and(|symbol| symbol.is.allocatable || symbol.is.pointer);
        let written = dummy.is_some_and(|symbol| symbol.is.intent_out);
        // An element may be the start of an array, unless the procedure is known to take a scalar.
        let alone = scalar || !matches!(value.kind, ExprKind::Reference { .. });
        let is_procedure = self.is_intrinsic(value, scope);
        expression.nature.by_reference = element && alone && !moves && !written && !is_procedure;
        expression.local = self.local_array(value, scope).filter(|_| !moves);
        expression.through =
            self.through(value, scope, context, dummy, expression.local.is_some()).map(Box::new);
        Some(expression)
    }

    /// The name of an argument whose allocatable memory the call frees.
    fn emptied(&self, argument: &Expr, dummy: Option<SymbolId>) -> Option<String> {
        dummy.filter(|&dummy| self.bound.is_emptied(dummy))?;
        access_path(argument)
    }

    /// `INTRINSIC SIN`
    fn is_intrinsic(&self, expr: &Expr, scope: ScopeId) -> bool {
        let ExprKind::Name(name) = &expr.kind else { return false };
        self.bound.lookup(scope, &name.text).is_some_and(|id| self.bound.symbol(id).is.intrinsic)
    }

    /// A restart has created the handle in this argument again, or it may have the one of the lost run.
    fn note_handle(&self, argument: &Expr, scope: ScopeId, expression: &mut Expression) {
        expression.nature.handle |= self.bound.is_current_handle(scope, argument);
        expression.nature.stale_handle = self.bound.is_mixed_handle(scope, argument);
    }

    /// The allocatable with which a designator begins, if it may not exist in a replay because it is not
    /// registered.
    fn local_array(&self, expr: &Expr, scope: ScopeId) -> Option<LocalArray> {
        let id = self.bound.lookup(scope, &root(expr)?.text)?;
        let symbol = self.bound.symbol(id);
        let is = &symbol.is;
        let stays =
            is.dummy || is.protected || is.construct || is.coarray || self.bound.registered.contains(&id);
        let deferred = matches!(symbol.ty, Type::Class(_) | Type::Character { length: Length::Deferred, .. });
        let rank = symbol.rank().filter(|&rank| rank > 0 && symbol.is_variable() && is.allocatable)?;
        (!stays && !deferred).then(|| LocalArray { name: symbol_name(expr), rank })
    }

    /// True for an expression that designates memory, not a value.
    pub(super) fn is_designator(&self, expr: &Expr, scope: ScopeId) -> bool {
        use crate::bind::fortran::{Meaning, SymbolKind};
        match &expr.kind {
            ExprKind::Name(name) => match self.bound.lookup(scope, &name.text) {
                Some(id) => !matches!(self.bound.symbol(id).kind, SymbolKind::Constant(_)),
                None => true,
            },
            ExprKind::Component { base, .. } => self.is_designator(base, scope),
            ExprKind::Reference { base, arguments } => {
                matches!(self.bound.meaning(scope, base, arguments), Meaning::Part(_))
                    && self.is_designator(base, scope)
            }
            _ => false,
        }
    }

    /// True for elements that an index array selects. They must not be defined through a dummy argument,
    /// which gets a copy.
    fn has_vector_subscript(&self, expr: &Expr, scope: ScopeId) -> bool {
        match &expr.kind {
            ExprKind::Component { base, .. } => self.has_vector_subscript(base, scope),
            ExprKind::Reference { base, arguments } => {
                let picked = arguments.iter().any(|argument| match &argument.kind {
                    ArgumentKind::Value(value) => {
                        self.bound.type_of(scope, value).rank.is_some_and(|rank| rank > 0)
                    }
                    _ => false,
                });
                picked || self.has_vector_subscript(base, scope)
            }
            _ => false,
        }
    }

    /// Collects the calls inside an expression that cannot be split.
    pub(super) fn sites(&self, expr: &Expr, scope: ScopeId, context: &ProcedureContext, sites: &mut Sites) {
        use crate::bind::fortran::visit::parts;
        use crate::bind::fortran::{Meaning, SymbolKind};
        let anchor = self.bound.anchor(context.source, expr.at);
        match &expr.kind {
            ExprKind::Reference { base, arguments } => match self.bound.meaning(scope, base, arguments) {
                Meaning::Call(called) => {
                    sites.add(self.callees(&called, base), anchor);
                }
                Meaning::StatementFunction(id) => {
                    if let SymbolKind::StatementFunction { value, .. } = self.bound.symbol(id).kind {
                        if sites.seen.insert(id) {
                            self.sites(value, self.bound.symbol(id).scope, context, sites);
                        }
                    }
                }
                _ => {}
            },
            ExprKind::Binary { operator, left, right } => {
                let ids = self.bound.operator_calls(scope, operator, &[left, right]);
                sites.add(ids.into_iter().map(|id| Callee::Named(self.key(id))), anchor);
            }
            ExprKind::Unary { operator, operand } => {
                let ids = self.bound.operator_calls(scope, operator, &[operand]);
                sites.add(ids.into_iter().map(|id| Callee::Named(self.key(id))), anchor);
            }
            _ => {}
        }
        for part in parts(expr) {
            self.sites(part, scope, context, sites);
        }
    }

    /// The calls in the definition of a statement function.
    pub(super) fn definition_sites(&self, id: SymbolId, context: &ProcedureContext) -> Vec<CallSite> {
        use crate::bind::fortran::SymbolKind;
        let mut sites = Sites::default();
        if let SymbolKind::StatementFunction { value, .. } = self.bound.symbol(id).kind {
            sites.seen.insert(id);
            self.sites(value, self.bound.symbol(id).scope, context, &mut sites);
        }
        sites.list
    }

    pub(super) fn key_of(&self, id: ProcedureId) -> String {
        self.key(id)
    }
}

/// The name as it is called here.
fn symbol_name(expr: &Expr) -> String {
    root(expr).map(|name| name.text.clone()).unwrap_or_default()
}

fn last_name(designator: &Expr) -> Option<&str> {
    match &designator.kind {
        ExprKind::Name(name) | ExprKind::Component { name, .. } => Some(&name.text),
        _ => None,
    }
}

/// `a%b%c` in lower case. None if there are subscripts.
fn access_path(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.text.to_ascii_lowercase()),
        ExprKind::Component { base, name } => {
            Some(format!("{}%{}", access_path(base)?, name.text.to_ascii_lowercase()))
        }
        _ => None,
    }
}
