//! Which variables other procedures may change: those that are passed on, and how far.
//!
//! Input: the statements of all procedures, with their directives.
//! Output: the variables that a procedure on the way to a checkpoint may change through an argument. Such a
//! variable has to be registered where it is: a copy of it from before the call would not be what it is at
//! the checkpoint. And: what is registered above and allocated anew below, where the runtime cannot see it,
//! is refused (C0456).

use cppc_grammar::fortran::tree::{
    Argument, ArgumentKind, ConstructKind, DoKind, Expr, ExprKind, Statement, StatementKind,
};
use cppc_source::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

use super::bound::{Bound, DirectiveKind};
use super::copies::Associations;
use super::ids::{ProcedureId, ScopeId, SymbolId, TypeId};
use super::repointed::{Followed, Passing, Pointer};
use super::resolve::{Called, Meaning};
use super::types::derived_of;
use super::visit::{inside, of_argument, of_statement, parts, root};
use super::walk::statements_of;

/// A call with the variables that it passes.
struct Call {
    caller: ProcedureId,
    /// The procedure with its body, if it is here.
    callee: Option<ProcedureId>,
    /// No procedure of the program is behind it.
    foreign: bool,
    /// Each with the dummy argument, if that is known.
    passed: Vec<(SymbolId, Option<SymbolId>)>,
}

#[derive(Default)]
struct Gathered {
    calls: Vec<Call>,
    changed: FxHashSet<SymbolId>,
    moved: Vec<Move>,
    associations: Associations,
    /// Pointers that a procedure points elsewhere.
    repointed: Vec<(ProcedureId, Pointer)>,
    lent: Vec<Lent>,
    followed: Vec<Followed>,
}

/// Memory that is allocated, given back or pointed elsewhere.
struct Move {
    procedure: ProcedureId,
    variable: SymbolId,
    /// The component of the variable, or of a component, that moves.
    component: Option<String>,
    span: Span,
    /// Or may be: an assignment allocates what has another shape anew.
    is_certain: bool,
}

/// An argument whose memory the called procedure can move.
struct Lent {
    caller: ProcedureId,
    variable: SymbolId,
    component: Option<String>,
    dummy: SymbolId,
    span: Span,
}

impl<'a> Bound<'a> {
    /// Finds the variables that are changed below a call that may lead to a checkpoint.
    pub(super) fn note_passing(&mut self) {
        let mut found = Gathered::default();
        let mut set = FxHashMap::default();
        for index in 0..self.procedures.len() as u32 {
            let id = ProcedureId(index);
            let procedure = self.procedure(id);
            if procedure.has_body {
                for statement in statements_of(procedure.unit) {
                    self.gather(id, procedure.scope, statement, &mut found);
                }
            }
            set.insert(id, std::mem::take(&mut found.changed));
        }
        found.changed = set.values().flatten().copied().collect();
        self.close_changed(&mut found);
        let instrumented = self.instrumented(&found.calls, |_| true);
        let on_the_way = self.instrumented(&found.calls, |kind| matches!(kind, DirectiveKind::Checkpoint));
        let above = self.registered_above(&found);
        self.close_moved(&mut found);
        self.refuse_moved(&found, &on_the_way, &above);
        self.warn_of_copies(&found.associations, &found.changed, &on_the_way);
        let known = |call| match call {
            &Call { caller, callee: Some(callee), ref passed, .. } => {
                Some(Passing { caller, callee, passed })
            }
            Call { callee: None, .. } => None,
        };
        let calls: Vec<Option<Passing>> = found.calls.iter().map(known).collect();
        self.warn_of_repointed(&calls, &found.followed, &found.repointed, &on_the_way);
        self.warn_of_changing_sizes(&calls, set, &on_the_way);
        let mut all = Vec::new();
        for call in &found.calls {
            let quiet = match call.callee {
                Some(callee) => !instrumented.contains(&callee),
                None => call.foreign,
            };
            if !quiet {
                let changed =
                    call.passed.iter().filter(|(_, dummy)| self.may_change(*dummy, call, &found.changed));
                all.extend(changed.map(|(symbol, _)| *symbol));
            }
        }
        self.passed.extend(all);
    }

    /// Registered variables, and the dummy arguments that they are passed for.
    fn registered_above(&self, found: &Gathered) -> FxHashSet<SymbolId> {
        let mut above: FxHashSet<SymbolId> = self.registered.iter().copied().collect();
        let mut growing = true;
        while std::mem::take(&mut growing) {
            for call in &found.calls {
                for (symbol, dummy) in &call.passed {
                    if let (true, Some(dummy)) = (above.contains(symbol), dummy) {
                        growing |= above.insert(*dummy);
                    }
                }
            }
        }
        above
    }

    /// Memory that is registered above must not move below, unless it is registered there too: nobody would
    /// tell the runtime before the next checkpoint.
    fn refuse_moved(
        &mut self,
        found: &Gathered,
        on_the_way: &FxHashSet<ProcedureId>,
        above: &FxHashSet<SymbolId>,
    ) {
        let components = self.moving_components();
        let below_passed = self.below_passed(&found.calls);
        for Move { procedure, variable, component, span, is_certain } in &found.moved {
            let owner = self.procedure_of(self.symbol(*variable).scope);
            let is_registered = component.as_ref().is_none_or(|name| components.contains(name));
            if !above.contains(variable) || !is_registered || self.is_root(*variable) {
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
            let Some(leads) = leads.filter(|_| !self.registered.contains(variable)) else { continue };
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
                    .because("an assignment of another shape allocates new memory")
                    .note("a later checkpoint would then save memory that is no longer the memory of this variable")
            };
            self.diagnostics
                .push(diagnostic.help(format!("register `{name}` in `{here}` too, before this statement")));
        }
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
        let components = self.moving.values().flatten().filter_map(|item| {
            let (_, component) = item.name.rsplit_once('%')?;
            Some(component.split('(').next().unwrap_or_default().trim().to_owned())
        });
        components.collect()
    }

    /// If a procedure moves the memory of its argument, its caller does too, unless the procedure registers the argument:
    /// then it reports the memory when it returns.
    fn close_moved(&self, found: &mut Gathered) {
        let mut known: FxHashSet<(ProcedureId, SymbolId, Option<String>)> = FxHashSet::default();
        let mut next = 0;
        while let Some(Move { variable, component, is_certain, .. }) = found.moved.get(next) {
            let (variable, component, is_certain) = (*variable, component.clone(), *is_certain);
            next += 1;
            if self.registered.contains(&variable) {
                continue;
            }
            for Lent { caller, variable, component: of_argument, span, .. } in
                found.lent.iter().filter(|lent| lent.dummy == variable)
            {
                let component = component.clone().or_else(|| of_argument.clone());
                if known.insert((*caller, *variable, component.clone())) {
                    let (procedure, variable, span) = (*caller, *variable, *span);
                    found.moved.push(Move { procedure, variable, component, span, is_certain });
                }
            }
        }
    }

    /// A dummy argument whose memory moves as a whole.
    fn note_moved(&self, caller: ProcedureId, scope: ScopeId, expr: &Expr, found: &mut Gathered) {
        self.note_move(caller, scope, expr, true, found);
    }

    fn note_move(
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
        let span = self.anchor(self.scope(scope).source, expr.at);
        found.moved.push(Move { procedure, variable, component, span, is_certain });
    }

    /// An assignment to a structure may allocate its components again.
    fn note_moved_components(
        &self,
        procedure: ProcedureId,
        scope: ScopeId,
        target: &Expr,
        found: &mut Gathered,
    ) {
        let Some(id) = derived_of(self.type_of(scope, target).ty) else { return };
        let variable = root(target).and_then(|name| self.lookup(scope, &name.text));
        let local = variable.filter(|&variable| self.procedure_of(self.symbol(variable).scope).is_some());
        let Some(variable) = local else { return };
        let mut names = FxHashSet::default();
        self.allocatable_components(id, &mut FxHashSet::default(), &mut names);
        let span = self.anchor(self.scope(scope).source, target.at);
        let moves = names.into_iter().map(|name| Move {
            procedure,
            variable,
            component: Some(name),
            span,
            is_certain: false,
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
        let whole = match &expr.kind {
            ExprKind::Reference { base, .. } => base,
            _ => expr,
        };
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

    /// What is passed for a dummy argument that is changed is changed too.
    fn close_changed(&self, found: &mut Gathered) {
        let mut growing = true;
        while std::mem::take(&mut growing) {
            for call in &found.calls {
                for (symbol, dummy) in &call.passed {
                    if self.may_change(*dummy, call, &found.changed) {
                        growing |= found.changed.insert(*symbol);
                    }
                }
            }
        }
    }

    fn may_change(&self, dummy: Option<SymbolId>, call: &Call, changed: &FxHashSet<SymbolId>) -> bool {
        match dummy {
            None => true,
            Some(dummy) => {
                let is = &self.symbol(dummy).is;
                !is.intent_in && !is.value && (call.callee.is_none() || changed.contains(&dummy))
            }
        }
    }

    /// The procedures with such a directive, and those that call one; through a pointer, any may be called that is
    /// passed on.
    fn instrumented(&self, calls: &[Call], such: fn(&DirectiveKind) -> bool) -> FxHashSet<ProcedureId> {
        let found = self.directives.values().filter(|directive| such(&directive.kind));
        let mut set: FxHashSet<ProcedureId> = found.map(|directive| directive.procedure).collect();
        let mut callers: FxHashMap<ProcedureId, Vec<ProcedureId>> = FxHashMap::default();
        // Those that call something that was passed on: with the first such procedure, all of them are added.
        let mut through: Vec<ProcedureId> = Vec::new();
        for call in calls {
            match call.callee {
                Some(callee) => callers.entry(callee).or_default().push(call.caller),
                None if !call.foreign => through.push(call.caller),
                None => {}
            }
        }
        let mut pending: Vec<ProcedureId> = set.iter().copied().collect();
        while let Some(id) = pending.pop() {
            let passed_on =
                if self.procedure(id).escapes { std::mem::take(&mut through) } else { Default::default() };
            let by_name = callers.get(&id).into_iter().flatten().copied();
            pending.extend(by_name.chain(passed_on).filter(|&caller| set.insert(caller)));
        }
        set
    }

    fn gather(&self, caller: ProcedureId, scope: ScopeId, statement: &Statement, found: &mut Gathered) {
        let source = self.scope(scope).source;
        match &statement.kind {
            StatementKind::Assignment { target, value } => {
                self.change(scope, target, found);
                if self.may_allocate(scope, target, value) {
                    self.note_move(caller, scope, target, false, found);
                }
                self.note_moved_components(caller, scope, target, found);
            }
            StatementKind::PointerAssignment { target, value } => {
                self.note_target(scope, target, value, &mut found.associations);
                self.change(scope, target, found);
                self.note_moved(caller, scope, target, found);
            }
            StatementKind::Nullify(objects) => {
                for object in objects {
                    self.change(scope, object, found);
                    self.note_moved(caller, scope, object, found);
                }
            }
            StatementKind::Call { procedure, arguments } => match self.callee(scope, procedure, arguments) {
                Some(called) => self.gather_call(caller, scope, procedure, &called, arguments, found),
                None => {
                    self.change_all(scope, arguments, found);
                    if root(procedure).is_some_and(|name| name.text == "move_alloc") {
                        for expr in arguments.iter().flat_map(of_argument) {
                            self.note_moved(caller, scope, expr, found);
                        }
                    }
                }
            },
            StatementKind::Io { keyword, controls, items } => {
                self.change_all(scope, controls, found);
                if keyword.eq_ignore_ascii_case("read") {
                    items.iter().for_each(|item| self.change(scope, item, found));
                }
            }
            StatementKind::Allocate { objects, options } | StatementKind::Deallocate { objects, options } => {
                for object in objects {
                    self.change(scope, object, found);
                    self.note_moved(caller, scope, object, found);
                }
                self.change_all(scope, options, found);
            }
            StatementKind::OtherExecutable { expressions } => {
                expressions.iter().for_each(|expr| self.change(scope, expr, found));
            }
            StatementKind::AssignLabel { variable, .. } => {
                found.changed.extend(self.lookup(scope, &variable.text));
            }
            StatementKind::Construct(construct) => {
                match &construct.kind {
                    ConstructKind::Do(control) => {
                        if let DoKind::Counted { variable, .. } = &control.kind {
                            found.changed.extend(self.lookup(scope, &variable.text));
                        }
                    }
                    // The construct can change them through other names.
                    ConstructKind::SelectType { selector, .. }
                    | ConstructKind::SelectRank { selector, .. } => {
                        self.change(scope, selector, found);
                    }
                    ConstructKind::Associate { associations } => {
                        associations.iter().for_each(|(_, selector)| self.change(scope, selector, found));
                    }
                    _ => {}
                }
                for expr in of_statement(statement) {
                    self.gather_expression(caller, scope, expr, found);
                }
                for part in &construct.parts {
                    let inner = self.inner_scope(source, part.header).unwrap_or(scope);
                    self.note_selectors(scope, inner, construct, &mut found.associations);
                    for statement in &part.statements {
                        self.gather(caller, inner, statement, found);
                    }
                }
                return;
            }
            _ => {}
        }
        for expr in of_statement(statement) {
            self.gather_expression(caller, scope, expr, found);
        }
        for statement in inside(statement) {
            self.gather(caller, scope, statement, found);
        }
    }

    /// The root of a designator is changed; of an item list, the roots of all.
    fn change(&self, scope: ScopeId, expr: &Expr, found: &mut Gathered) {
        if let ExprKind::ImpliedDo { items, variable, .. } = &expr.kind {
            found.changed.extend(self.lookup(scope, &variable.text));
            items.iter().for_each(|item| self.change(scope, item, found));
        }
        found.changed.extend(root(expr).and_then(|name| self.lookup(scope, &name.text)));
    }

    fn change_all(&self, scope: ScopeId, arguments: &[Argument], found: &mut Gathered) {
        for expr in arguments.iter().flat_map(of_argument) {
            self.change(scope, expr, found);
        }
    }

    fn gather_expression(&self, caller: ProcedureId, scope: ScopeId, expr: &Expr, found: &mut Gathered) {
        match &expr.kind {
            ExprKind::Reference { base, arguments } => {
                if let Meaning::Call(called) = self.meaning(scope, base, arguments) {
                    self.gather_call(caller, scope, base, &called, arguments, found);
                }
            }
            ExprKind::ImpliedDo { variable, .. } => found.changed.extend(self.lookup(scope, &variable.text)),
            ExprKind::Binary { operator, left, right } => {
                self.gather_operator(caller, self.operator_calls(scope, operator, &[left, right]), found);
            }
            ExprKind::Unary { operator, operand } => {
                self.gather_operator(caller, self.operator_calls(scope, operator, &[operand]), found);
            }
            _ => {}
        }
        for part in parts(expr) {
            self.gather_expression(caller, scope, part, found);
        }
    }

    /// Operators do not change their operands.
    fn gather_operator(&self, caller: ProcedureId, callees: Vec<ProcedureId>, found: &mut Gathered) {
        let calls = callees.into_iter().map(|callee| Call {
            caller,
            callee: Some(callee),
            foreign: false,
            passed: Vec::new(),
        });
        found.calls.extend(calls);
    }

    fn gather_call(
        &self,
        caller: ProcedureId,
        scope: ScopeId,
        designator: &Expr,
        called: &Called,
        arguments: &[Argument],
        found: &mut Gathered,
    ) {
        let candidates: Vec<Option<ProcedureId>> = match called {
            Called::Known(ids) => ids.iter().copied().map(Some).collect(),
            Called::External(symbol) => vec![self.external(&self.symbol(*symbol).name)],
            Called::Indirect { interface, .. } => vec![*interface],
            Called::Foreign(_) => vec![None],
        };
        let library = root(designator)
            .is_some_and(|name| name.text.starts_with("mpi_") || name.text.starts_with("pmpi_"));
        for candidate in candidates {
            let mut passed = Vec::new();
            // What becomes of an argument is seen in the definition, not in an interface body.
            let definition = candidate.and_then(|id| self.with_body(id));
            for (index, argument) in arguments.iter().enumerate() {
                let ArgumentKind::Value(expr) = &argument.kind else { continue };
                let Some(symbol) = root(expr).and_then(|name| self.lookup(scope, &name.text)) else {
                    continue;
                };
                let position =
                    candidate.and_then(|id| self.position_of(scope, designator, id, argument, index));
                let dummies = definition.or(candidate).map(|id| &self.procedure(id).dummies);
                let dummy = dummies
                    .zip(position)
                    .and_then(|(dummies, position)| dummies.get(position).copied().flatten());
                let call = (designator, called, definition);
                self.note_actual(scope, call, (argument, index), (position, dummy), &mut found.associations);
                let pointers = self.followed(scope, expr, dummy);
                if !pointers.is_empty() {
                    let span = self.anchor(self.scope(scope).source, expr.at);
                    found.followed.push(Followed { call: found.calls.len(), pointers, span });
                }
                found.lent.extend(dummy.and_then(|dummy| self.lent(caller, scope, expr, dummy)));
                match &expr.kind {
                    ExprKind::Name(_) => passed.push((symbol, dummy)),
                    _ if self.is_part_of_scalar(scope, expr, symbol) => passed.push((symbol, dummy)),
                    _ => {}
                }
            }
            let callee = definition.filter(|_| !matches!(called, Called::Indirect { .. }));
            let foreign = library || matches!(called, Called::Foreign(_));
            found.calls.push(Call { caller, callee, foreign, passed });
        }
    }

    fn lent(&self, caller: ProcedureId, scope: ScopeId, expr: &Expr, dummy: SymbolId) -> Option<Lent> {
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
        Some(Lent { caller, variable, component, dummy, span })
    }

    /// Which dummy argument of a procedure that `designator(arguments)` calls an argument is passed for.
    pub fn position_of(
        &self,
        scope: ScopeId,
        designator: &Expr,
        callee: ProcedureId,
        argument: &Argument,
        index: usize,
    ) -> Option<usize> {
        if let Some(word) = &argument.keyword {
            return self.dummy_named(callee, &word.text);
        }
        let ExprKind::Component { base, name } = &designator.kind else { return Some(index) };
        let ty = derived_of(self.type_of(scope, base).ty);
        let object = self.passed_object(ty, &name.text, callee);
        Some(index + usize::from(object.is_some_and(|object| object <= index)))
    }

    /// The definition that an interface speaks of.
    pub(super) fn with_body(&self, id: ProcedureId) -> Option<ProcedureId> {
        let procedure = self.procedure(id);
        if procedure.has_body {
            return Some(id);
        }
        let alike = |other: &ProcedureId| {
            let other = self.procedure(*other);
            other.has_body && other.key == procedure.key
        };
        self.external(&procedure.name)
            .filter(alike)
            .or_else(|| (0..self.procedures.len() as u32).map(ProcedureId).find(alike))
    }
}
