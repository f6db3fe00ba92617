//! Memory that is registered above, and that a procedure below allocates anew.
//!
//! Input: the statements that move memory, and the calls with what they pass.
//! Output: diagnostics (C0456, C0458).
//! Postcondition: the runtime learns of each move before the next checkpoint, or there is a diagnostic.

use cppc_grammar::fortran::tree::{Construct, Expr, ExprKind, Statement, StatementKind};
use cppc_source::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

use super::bound::Bound;
use super::gathered::{Call, Gathered, Lent, Move};
use super::ids::{ProcedureId, ScopeId, SymbolId, TypeId};
use super::items::Item;
use super::resolve::Called;
use super::types::derived_of;
use super::visit::root;
use super::walk::statements_of;

impl Bound<'_> {
    /// The dummy arguments for which registered variables are passed.
    fn registered_above(&self, found: &Gathered) -> FxHashSet<SymbolId> {
        let mut above = FxHashSet::default();
        let mut growing = true;
        while std::mem::take(&mut growing) {
            let passed = found.calls.iter().flat_map(|call| &call.passed);
            let passed = passed.filter_map(|(variable, dummy)| Some((*variable, (*dummy)?)));
            for (variable, dummy) in passed.chain(found.lent.iter().map(|lent| (lent.variable, lent.dummy))) {
                let is_registered = self.registered.contains(&variable) || above.contains(&variable);
                growing |= is_registered && above.insert(dummy);
            }
        }
        above
    }

    /// Memory that is registered above must not move below, unless it is registered there too: the runtime would not
    /// learn of it before the next checkpoint.
    pub(super) fn refuse_moved(&mut self, found: &Gathered, on_the_way: &FxHashSet<ProcedureId>) {
        let above = self.registered_above(found);
        let components = self.moving_components();
        let below_passed = self.below_passed(&found.calls);
        for Move { procedure, variable, component, span, is_certain, is_new } in &found.moved {
            let owner = self.procedure_of(self.symbol(*variable).scope);
            let is_registered = component.as_ref().is_none_or(|name| components.contains(name));
            let is_above = above.contains(variable) || self.registered.contains(variable);
            if !is_above || !is_registered || self.is_root(*variable) {
                continue;
            }
            if !self.symbol(*variable).is.dummy {
                let passed = below_passed.get(procedure).filter(|_| owner != Some(*procedure));
                if let Some(&passed) = passed {
                    self.warn_of_moving_callback(passed, *variable, *span);
                }
                continue;
            }
            let leads = [Some(*procedure), owner].into_iter().flatten().find(|id| on_the_way.contains(id));
            // The runtime knows that both are the same memory if it learns that before the memory moves. Without earlier
            // memory, the caller has registered none.
            let first = self.first_register(*variable, component.as_deref());
            let is_in_time = first.is_some_and(|first| {
                let at = self.moves_at(*procedure, owner, *span);
                !above.contains(variable) || *is_new || first.file != at.file || first.start < at.start
            });
            let Some(leads) = leads.filter(|_| !is_in_time) else { continue };
            let (name, here) = (self.symbol(*variable).name.clone(), self.procedure(leads).name.clone());
            let name = component.as_ref().map_or(name.clone(), |component| format!("{name}%{component}"));
            let message =
                |moves: &str| format!("the caller of `{here}` registers `{name}`, whose memory {moves} here");
            let diagnostic = if *is_certain {
                Diagnostic::error("C0456", *span, message("moves")).note(
                    "a later checkpoint would save memory that is no longer the memory of this variable",
                )
            } else {
                Diagnostic::warning("C0458", *span, message("may move"))
                    .because("an assignment allocates new memory if the shape, the length or the type differs, or if there is none")
                    .note("a later checkpoint would then save memory that is no longer the memory of this variable")
            };
            self.diagnostics
                .push(diagnostic.help(format!("register `{name}` in `{here}` too, before this statement")));
        }
    }

    /// The first register of the variable, or of its component.
    fn first_register(&self, variable: SymbolId, component: Option<&str>) -> Option<Span> {
        let of =
            |component: Option<&str>| self.first_registers.get(&(variable, component.map(str::to_owned)));
        of(None).into_iter().chain(component.and_then(|name| of(Some(name)))).min().copied()
    }

    /// Where the owner of a variable moves it. An internal procedure does so where it is called.
    fn moves_at(&self, procedure: ProcedureId, owner: Option<ProcedureId>, span: Span) -> Span {
        let Some(owner) = owner.filter(|&owner| owner != procedure) else { return span };
        let (unit, scope) = (self.procedure(owner).unit, self.procedure(owner).scope);
        let is_internal = |id: &ProcedureId| self.procedure(*id).host == Some(owner);
        let is_call = |statement: &&Statement| match &statement.kind {
            StatementKind::Call { procedure, arguments } => {
                let called = self.callee(scope, procedure, arguments);
                matches!(called, Some(Called::Known(found)) if found.iter().any(is_internal))
            }
            _ => false,
        };
        let first = statements_of(unit).into_iter().find(is_call);
        first.map_or(span, |first| self.anchor(self.scope(scope).source, first.at))
    }

    /// Procedures that are passed to others, and internal procedures that they call directly or through others of the
    /// same host. Each with the procedure that is passed.
    fn below_passed(&self, calls: &[Call]) -> FxHashMap<ProcedureId, ProcedureId> {
        let all = (0..self.procedures.len() as u32).map(ProcedureId);
        let mut found: FxHashMap<_, _> =
            all.filter(|&id| self.procedure(id).escapes).map(|id| (id, id)).collect();
        let mut pending: Vec<ProcedureId> = found.keys().copied().collect();
        pending.sort();
        while let Some(caller) = pending.pop() {
            let passed = found[&caller];
            let host = self.procedure(caller).host;
            let called = calls.iter().filter(|call| call.caller == caller).filter_map(|call| call.callee);
            for callee in called.filter(|&callee| host.is_some() && self.procedure(callee).host == host) {
                if let Entry::Vacant(place) = found.entry(callee) {
                    place.insert(passed);
                    pending.push(callee);
                }
            }
        }
        found
    }

    /// Whatever calls an internal procedure that is passed to it may come to a checkpoint behind the call. It does not see
    /// the variables of the host.
    fn warn_of_moving_callback(&mut self, procedure: ProcedureId, variable: SymbolId, span: Span) {
        let (name, here) = (self.symbol(variable).name.clone(), self.procedure(procedure).name.clone());
        let message =
            format!("`{here}` is passed to another procedure, and moves the registered memory of `{name}`");
        self.diagnostics.push(
            Diagnostic::warning("C0458", span, message)
                .because(format!("a checkpoint may follow its call where `{name}` is not visible"))
                .note("such a checkpoint would save memory that is no longer the memory of this variable")
                .help(format!("make `{name}` a variable of a module")),
        );
    }

    /// The names of registered components whose memory may move.
    fn moving_components(&self) -> FxHashSet<String> {
        self.moving.values().flatten().filter_map(Item::component).collect()
    }

    /// If a procedure moves the memory of its argument, its caller does too, unless the procedure registers the argument:
    /// then it reports the memory when it returns.
    pub(super) fn close_moved(&self, found: &mut Gathered) {
        let mut known: FxHashSet<(ProcedureId, SymbolId, Option<String>)> = FxHashSet::default();
        let mut by_dummy: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
        for (at, lent) in found.lent.iter().enumerate() {
            by_dummy.entry(lent.dummy).or_default().push(at);
        }
        let mut next = 0;
        while let Some(Move { variable, component, is_certain, is_new, .. }) = found.moved.get(next) {
            let (variable, component) = (*variable, component.clone());
            let (is_certain, is_new) = (*is_certain, *is_new);
            next += 1;
            if self.registered.contains(&variable) {
                continue;
            }
            for Lent { caller, variable, component: of_argument, span, .. } in
                by_dummy.get(&variable).into_iter().flatten().map(|&at| &found.lent[at])
            {
                let component = component.clone().or_else(|| of_argument.clone());
                if known.insert((*caller, *variable, component.clone())) {
                    let (procedure, variable, span) = (*caller, *variable, *span);
                    let moved = Move { procedure, variable, component, span, is_certain, is_new };
                    found.moved.push(moved);
                }
            }
        }
    }

    /// The memory of a variable or a component certainly moves.
    pub(super) fn note_moved(&self, caller: ProcedureId, scope: ScopeId, expr: &Expr, found: &mut Gathered) {
        self.note_move(caller, scope, expr, true, found);
    }

    pub(super) fn note_move(
        &self,
        procedure: ProcedureId,
        scope: ScopeId,
        expr: &Expr,
        is_certain: bool,
        found: &mut Gathered,
    ) {
        if is_certain {
            let pointer = self.pointer(scope, expr);
            found.repointed.extend(pointer.map(|(pointer, _)| (procedure, pointer)));
        }
        let Some((variable, component)) = self.movable(scope, expr) else { return };
        let variable = found.meant(variable);
        let span = self.anchor(self.scope(scope).source, expr.at);
        found.moved.push(Move { procedure, variable, component, span, is_certain, is_new: false });
    }

    /// An ALLOCATE statement. A pointer may have had a target before.
    pub(super) fn note_allocated(
        &self,
        caller: ProcedureId,
        scope: ScopeId,
        expr: &Expr,
        found: &mut Gathered,
    ) {
        let before = found.moved.len();
        self.note_moved(caller, scope, expr, found);
        let whole = without_subscripts(expr);
        let is_pointer = self.pointer(scope, whole).is_some();
        found.moved[before..].iter_mut().for_each(|moved| moved.is_new = !is_pointer);
    }

    /// An assignment to a structure may allocate its components again.
    pub(super) fn note_moved_components(
        &self,
        procedure: ProcedureId,
        scope: ScopeId,
        target: &Expr,
        found: &mut Gathered,
    ) {
        let Some(id) = derived_of(self.type_of(scope, target).ty) else { return };
        let variable = root(target).and_then(|name| self.lookup(scope, &name.text));
        // Others have no caller that registers them.
        let dummy = variable.map(|variable| found.meant(variable)).filter(|&id| self.symbol(id).is.dummy);
        let Some(variable) = dummy else { return };
        let mut names = FxHashSet::default();
        self.allocatable_components(id, &mut FxHashSet::default(), &mut names);
        let span = self.anchor(self.scope(scope).source, target.at);
        let moves = names.into_iter().map(|name| Move {
            procedure,
            variable,
            component: Some(name),
            span,
            is_certain: false,
            is_new: false,
        });
        found.moved.extend(moves);
    }

    /// The names of the allocatable components of a type, and of the structures in it.
    fn allocatable_components(
        &self,
        id: TypeId,
        seen: &mut FxHashSet<TypeId>,
        names: &mut FxHashSet<String>,
    ) {
        if !seen.insert(id) {
            return;
        }
        let derived = self.derived(id);
        for component in derived.components.iter().filter(|component| !component.pointer) {
            if component.allocatable {
                names.insert(component.name.clone());
            }
            if let Some(inner) = derived_of(component.ty) {
                self.allocatable_components(inner, seen, names);
            }
        }
        if let Some(parent) = derived.parent {
            self.allocatable_components(parent, seen, names);
        }
    }

    /// The allocatable or the pointer that a designator names: a variable, or a component of one. Those of modules have
    /// followers.
    fn movable(&self, scope: ScopeId, expr: &Expr) -> Option<(SymbolId, Option<String>)> {
        let whole = without_subscripts(expr);
        let variable = self.lookup(scope, &root(whole)?.text)?;
        self.procedure_of(self.symbol(variable).scope)?;
        match &whole.kind {
            ExprKind::Name(_) => {
                let is = &self.symbol(variable).is;
                (is.allocatable || is.pointer).then_some((variable, None))
            }
            ExprKind::Component { base, name } => {
                let home = derived_of(self.type_of(scope, base).ty)?;
                let (component, _) = self.component_of(home, &name.text)?;
                let moves = component.allocatable || component.pointer;
                moves.then(|| (variable, Some(name.text.clone())))
            }
            _ => None,
        }
    }

    pub(super) fn lent(
        &self,
        caller: ProcedureId,
        scope: ScopeId,
        expr: &Expr,
        dummy: SymbolId,
        found: &Gathered,
    ) -> Option<Lent> {
        let symbol = self.symbol(dummy);
        let is_movable = symbol.is.allocatable || symbol.is.pointer;
        if !is_movable && derived_of(symbol.ty).is_none() {
            return None;
        }
        let span = self.anchor(self.scope(scope).source, expr.at);
        let (variable, component) = match is_movable {
            true => self.movable(scope, expr)?,
            false => (self.lookup(scope, &root(expr)?.text)?, None),
        };
        Some(Lent { caller, variable: found.meant(variable), component, dummy, span })
    }

    /// The object of a call of a type-bound procedure: `s` in `call s%step(i)`.
    pub(super) fn lent_object(
        &self,
        caller: ProcedureId,
        scope: ScopeId,
        designator: &Expr,
        callee: ProcedureId,
        found: &Gathered,
    ) -> Option<Lent> {
        let ExprKind::Component { base, name } = &designator.kind else { return None };
        let ty = derived_of(self.type_of(scope, base).ty);
        let position = self.passed_object(ty, &name.text, callee)?;
        let id = self.with_body(callee).unwrap_or(callee);
        let dummy = self.procedure(id).dummies.get(position).copied().flatten()?;
        self.lent(caller, scope, base, dummy, found)
    }

    /// Notes the variables that the names of a construct mean.
    pub(super) fn note_selected(
        &self,
        scope: ScopeId,
        inner: ScopeId,
        construct: &Construct,
        found: &mut Gathered,
    ) {
        for (id, value) in self.selectors(inner, construct) {
            let variable = root(value).and_then(|name| self.lookup(scope, &name.text));
            let meant = variable.map(|variable| found.meant(variable)).filter(|&meant| meant != id);
            found.selected.extend(meant.map(|meant| (id, meant)));
        }
    }
}

/// `s%a` of `s%a(1:n)`.
fn without_subscripts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Reference { base, .. } => base,
        _ => expr,
    }
}
