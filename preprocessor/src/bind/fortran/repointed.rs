//! Arguments that are reached through a pointer which the called procedure, or one below it, points elsewhere.
//!
//! Input: the pointers that procedures set, the calls, and the arguments that go through pointers.
//! Output: warnings.
//! Postcondition: nothing has changed. A restart evaluates such an argument again, with the new target.
//!
//! | code | what |
//! |---|---|
//! | C0459 | warning: a called procedure sets the pointer through which its argument is read |

use std::collections::{BTreeMap, BTreeSet};

use cppc_grammar::fortran::tree::{Expr, ExprKind};
use cppc_source::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::bound::Bound;
use super::ids::{ProcedureId, ScopeId, SymbolId};
use super::types::derived_of;

/// A pointer: a variable, or a component of that name in any structure.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Pointer {
    Variable(SymbolId),
    Component(String),
}

/// An argument that goes through pointers.
pub(super) struct Followed {
    /// The index of its call.
    pub call: usize,
    /// The pointers, with their names.
    pub pointers: Vec<(Pointer, String)>,
    pub span: Span,
}

/// A call of a procedure of the program, with what it passes for dummy arguments.
pub(super) struct Passing<'c> {
    pub caller: ProcedureId,
    pub callee: ProcedureId,
    pub passed: &'c [(SymbolId, Option<SymbolId>)],
}

impl Bound<'_> {
    /// The pointers that an argument goes through. One that a pointer dummy argument receives is not read.
    pub(super) fn followed(
        &self,
        scope: ScopeId,
        argument: &Expr,
        dummy: Option<SymbolId>,
    ) -> Vec<(Pointer, String)> {
        let mut pointers = Vec::new();
        let mut next = Some(argument);
        while let Some(expr) = next {
            pointers.extend(self.pointer(scope, expr));
            next = match &expr.kind {
                ExprKind::Component { base, .. } | ExprKind::Reference { base, .. } => Some(base),
                _ => None,
            };
        }
        let Some(dummy) = dummy.map(|dummy| self.symbol(dummy)) else { return pointers };
        let is_itself = self.pointer(scope, argument).is_some();
        if is_itself && (dummy.is.pointer || dummy.is.allocatable) {
            pointers.remove(0);
        }
        // The value is noted with the call.
        let is_value = dummy.shape.is_empty() && (dummy.is.intent_in || dummy.is.value) && !dummy.is.target;
        if is_value && self.type_of(scope, argument).rank == Some(0) {
            pointers.clear();
        }
        pointers
    }

    /// The pointer that a designator is.
    pub(super) fn pointer(&self, scope: ScopeId, expr: &Expr) -> Option<(Pointer, String)> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let id = self.lookup(scope, &name.text)?;
                self.symbol(id).is.pointer.then(|| (Pointer::Variable(id), name.text.clone()))
            }
            ExprKind::Component { base, name } => {
                let home = derived_of(self.type_of(scope, base).ty)?;
                let (component, _) = self.component_of(home, &name.text)?;
                component.pointer.then(|| (Pointer::Component(name.text.clone()), name.text.clone()))
            }
            _ => None,
        }
    }

    /// `set` are the pointers that procedures point elsewhere by their own statements.
    pub(super) fn warn_of_repointed(
        &mut self,
        calls: &[Option<Passing>],
        followed: &[Followed],
        set: &[(ProcedureId, Pointer)],
        on_the_way: &FxHashSet<ProcedureId>,
    ) {
        if followed.is_empty() || set.is_empty() {
            return;
        }
        let below = below(calls, set);
        let mut warnings = Vec::new();
        for argument in followed {
            let Some(call) = calls[argument.call].as_ref().filter(|call| on_the_way.contains(&call.callee))
            else {
                continue;
            };
            let changed = above(call, &below);
            let Some((_, name)) = argument.pointers.iter().find(|(pointer, _)| changed.contains(pointer))
            else {
                continue;
            };
            let there = &self.procedure(call.callee).name;
            let message = format!("`{name}` may have another target when `{there}` reaches a checkpoint");
            warnings.push(
                Diagnostic::warning("C0459", argument.span, message)
                    .because("a restart evaluates this argument again, and then passes the new target")
                    .note(format!("`{there}`, or a procedure below it, sets `{name}`"))
                    .help(format!(
                        "point another pointer to the target of `{name}`, register it, and pass that"
                    )),
            );
        }
        self.diagnostics.extend(warnings);
    }
}

/// For each procedure, the pointers that it and those below it set.
fn below(
    calls: &[Option<Passing>],
    set: &[(ProcedureId, Pointer)],
) -> BTreeMap<ProcedureId, BTreeSet<Pointer>> {
    let mut below: BTreeMap<ProcedureId, BTreeSet<Pointer>> = BTreeMap::new();
    for (procedure, pointer) in set {
        below.entry(*procedure).or_default().insert(pointer.clone());
    }
    let mut growing = true;
    while std::mem::take(&mut growing) {
        for call in calls.iter().flatten() {
            let more = above(call, &below);
            if !more.is_empty() {
                let known = below.entry(call.caller).or_default();
                let before = known.len();
                known.extend(more);
                growing |= known.len() > before;
            }
        }
    }
    below
}

/// The pointers that a call sets, as its caller names them.
fn above(call: &Passing, below: &BTreeMap<ProcedureId, BTreeSet<Pointer>>) -> BTreeSet<Pointer> {
    let set = below.get(&call.callee);
    let mut pointers: BTreeSet<Pointer> = set.into_iter().flatten().cloned().collect();
    for (symbol, dummy) in call.passed {
        if dummy.is_some_and(|dummy| pointers.contains(&Pointer::Variable(dummy))) {
            pointers.insert(Pointer::Variable(*symbol));
        }
    }
    pointers
}
