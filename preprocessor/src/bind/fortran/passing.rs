//! Which variables other procedures may change: those that are passed on, and how far.
//!
//! Input: the statements of all procedures, with their directives.
//! Output: the variables that a procedure on the way to a checkpoint may change through an argument. Such a
//! variable has to be registered where it is: a copy of it from before the call would not be what it is at
//! the checkpoint.

use cppc_grammar::fortran::tree::{
    Argument, ArgumentKind, ConstructKind, DoKind, Expr, ExprKind, Statement, StatementKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bound::{Bound, DirectiveKind};
use super::gathered::{Call, Gathered};
use super::ids::{ProcedureId, ScopeId, SymbolId, TypeId};
use super::repointed::{Followed, Passing};
use super::resolve::{Called, Meaning};
use super::types::{derived_of, Type};
use super::visit::{inside, of_argument, of_statement, parts, root};
use super::walk::statements_of;

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
        let on_the_way = self.instrumented(&found.calls, |kind| matches!(kind, DirectiveKind::Checkpoint(_)));
        self.close_moved(&mut found);
        self.refuse_moved(&found, &on_the_way);
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
            StatementKind::Allocate { objects, options } => {
                for object in objects {
                    self.change(scope, object, found);
                    self.note_allocated(caller, scope, object, found);
                }
                self.change_all(scope, options, found);
            }
            StatementKind::Deallocate { objects, options } => {
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
                    self.note_selected(scope, inner, construct, found);
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
                let lent = dummy.and_then(|dummy| self.lent(caller, scope, expr, dummy, found));
                found.lent.extend(lent);
                match &expr.kind {
                    ExprKind::Name(_) => passed.push((symbol, dummy)),
                    _ if self.is_part_of_scalar(scope, expr, symbol) => passed.push((symbol, dummy)),
                    _ => {}
                }
            }
            let object = candidate.and_then(|id| self.lent_object(caller, scope, designator, id, found));
            found.lent.extend(object);
            let callee = definition.filter(|_| !matches!(called, Called::Indirect { .. }));
            let foreign = library || matches!(called, Called::Foreign(_));
            found.calls.push(Call { caller, callee, foreign, passed });
        }
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

    /// The dummy argument that gets the object of a call of a type-bound procedure.
    pub fn object_dummy(&self, scope: ScopeId, designator: &Expr, callee: ProcedureId) -> Option<SymbolId> {
        let ExprKind::Component { base, name } = &designator.kind else { return None };
        let ty = derived_of(self.type_of(scope, base).ty);
        let position = self.passed_object(ty, &name.text, callee)?;
        self.procedure(callee).dummies.get(position).copied().flatten()
    }

    /// Whether a call frees the allocatable memory of what is passed for this dummy argument.
    pub fn is_emptied(&self, dummy: SymbolId) -> bool {
        let symbol = self.symbol(dummy);
        // A CLASS may be extended by allocatable components.
        let any_holds = || (0..self.types.len() as u32).any(|id| self.has_allocatables(TypeId(id)));
        let is_class = matches!(symbol.ty, Type::Class(_));
        let holds = || match derived_of(symbol.ty) {
            Some(ty) => self.has_allocatables(ty) || (is_class && any_holds()),
            None => is_class && any_holds(),
        };
        symbol.is.intent_out && !symbol.is.pointer && (symbol.is.allocatable || holds())
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
