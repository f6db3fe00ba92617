//! Which sizes of arrays may differ when a restart enters their procedure again.
//!
//! Input: the variables that each procedure sets, and the calls.
//! Output: warnings (C0463).
//! Postcondition: if a procedure of the sources that runs below the entry sets a variable in a size, there is a warning, except
//! in these cases: an external procedure gets the variable as an argument; the variable is an element of an array that is
//! passed; the size is in a BLOCK, or it is a length of CHARACTER. Arguments count as unchanged, because a restart passes the
//! recorded values. The runtime compares the variables at each checkpoint, except in a BLOCK (`model/fortran/size_variables.rs`).

use cppc_grammar::fortran::tree::{Bound as Extent, Expr, ExprKind};
use cppc_source::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bound::Bound;
use super::ids::{ProcedureId, ScopeId, SymbolId};
use super::repointed::Passing;
use super::visit::parts;

/// Functions that depend on the shape or the type of their argument, and not on its value.
const INQUIRIES: &[&str] = &["kind", "lbound", "len", "rank", "shape", "size", "ubound"];

/// A bound of an array that depends on a variable.
struct Size<'a> {
    procedure: ProcedureId,
    array: &'a str,
    bound: &'a Expr,
    variable: SymbolId,
}

impl<'a> Bound<'a> {
    /// `set` are the variables that procedures change by their own statements.
    pub(super) fn warn_of_changing_sizes(
        &mut self,
        calls: &[Option<Passing>],
        set: FxHashMap<ProcedureId, FxHashSet<SymbolId>>,
        on_the_way: &FxHashSet<ProcedureId>,
    ) {
        let sizes = self.sizes(on_the_way);
        if sizes.is_empty() {
            return;
        }
        let below = self.set_below(calls, set, &sizes);
        let mut warnings = Vec::new();
        let mut seen = FxHashSet::default();
        for Size { procedure, array, bound, variable } in sizes {
            let is_set = below.get(&procedure).is_some_and(|set| self.is_set(variable, set));
            if !is_set || !seen.insert((procedure, array)) {
                continue;
            }
            let (name, there) = (&self.symbol(variable).name, &self.procedure(procedure).name);
            let span = self.anchor(self.procedure(procedure).source, bound.at);
            let message = format!("the size of `{array}` depends on `{name}`, which may differ in a restart");
            warnings.push(
                Diagnostic::warning("C0463", span, message)
                    .because("a restart computes the size again")
                    .note(format!("`{there}`, or a procedure below it, changes `{name}`"))
                    .help(format!(
                        "pass the size to `{there}` as an argument, or do not change `{name}` before `{there}` returns"
                    )),
            );
        }
        self.diagnostics.extend(warnings);
    }

    fn sizes(&self, on_the_way: &FxHashSet<ProcedureId>) -> Vec<Size<'_>> {
        let mut sizes = Vec::new();
        for symbol in &self.symbols {
            let owner = self.procedure_of(symbol.scope).filter(|id| on_the_way.contains(id));
            let Some(procedure) = owner.filter(|&id| self.procedure(id).scope == symbol.scope) else {
                continue;
            };
            for extent in symbol.shape {
                let bounds = match extent {
                    Extent::Explicit { lower, upper } => [lower.as_ref(), Some(upper)],
                    Extent::AssumedSize { lower } | Extent::AssumedShape { lower } => [lower.as_ref(), None],
                    Extent::AssumedRank => [None, None],
                };
                for bound in bounds.into_iter().flatten() {
                    let mut variables = Vec::new();
                    self.named_in(symbol.scope, bound, &mut variables);
                    let is_other = |variable: &SymbolId| self.symbol(*variable).scope != symbol.scope;
                    let others =
                        variables.into_iter().filter(|id| is_other(id) || self.symbol(*id).common.is_some());
                    sizes.extend(others.map(|variable| Size {
                        procedure,
                        array: &symbol.name,
                        bound,
                        variable,
                    }));
                }
            }
        }
        sizes
    }

    /// The variables whose values an expression needs.
    fn named_in(&self, scope: ScopeId, expr: &Expr, found: &mut Vec<SymbolId>) {
        match &expr.kind {
            ExprKind::Name(name) => found.extend(self.lookup(scope, &name.text)),
            ExprKind::Reference { base, .. } if is_inquiry(base) => {}
            ExprKind::Reference { .. }
            | ExprKind::Literal(_)
            | ExprKind::Component { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Parenthesized(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo { .. }
            | ExprKind::Other(_) => {
                parts(expr).into_iter().for_each(|part| self.named_in(scope, part, found));
            }
        }
    }

    /// For each procedure, the variables of sizes that it and those below it set.
    fn set_below(
        &self,
        calls: &[Option<Passing>],
        set: FxHashMap<ProcedureId, FxHashSet<SymbolId>>,
        sizes: &[Size],
    ) -> FxHashMap<ProcedureId, FxHashSet<SymbolId>> {
        let mut matters: FxHashSet<SymbolId> = sizes.iter().map(|size| size.variable).collect();
        let blocks: FxHashSet<_> = matters.iter().filter_map(|id| self.symbol(*id).common.as_ref()).collect();
        let mut growing = true;
        while std::mem::take(&mut growing) {
            for (symbol, dummy) in calls.iter().flatten().flat_map(|call| call.passed) {
                if matters.contains(symbol) {
                    growing |= dummy.is_some_and(|dummy| matters.insert(dummy));
                }
            }
        }
        let is_kept = |id: &SymbolId| {
            matters.contains(id)
                || self.symbol(*id).common.as_ref().is_some_and(|block| blocks.contains(block))
        };
        let mut below: FxHashMap<ProcedureId, FxHashSet<SymbolId>> =
            set.into_iter().map(|(id, set)| (id, set.into_iter().filter(is_kept).collect())).collect();
        growing = true;
        while std::mem::take(&mut growing) {
            for call in calls.iter().flatten() {
                let Some(callee) = below.get(&call.callee).cloned() else { continue };
                let passed =
                    call.passed.iter().filter(|(_, dummy)| dummy.is_some_and(|id| callee.contains(&id)));
                let more: Vec<SymbolId> =
                    passed.map(|(symbol, _)| *symbol).chain(callee.iter().copied()).collect();
                let known = below.entry(call.caller).or_default();
                let before = known.len();
                known.extend(more);
                growing |= known.len() > before;
            }
        }
        below
    }

    /// Whether the variable, or another one of its COMMON block, is set.
    fn is_set(&self, variable: SymbolId, set: &FxHashSet<SymbolId>) -> bool {
        let block = self.symbol(variable).common.as_ref();
        set.contains(&variable)
            || block.is_some_and(|block| set.iter().any(|id| self.symbol(*id).common.as_ref() == Some(block)))
    }
}

/// Whether it is such a function.
pub fn is_inquiry(base: &Expr) -> bool {
    matches!(&base.kind, ExprKind::Name(name) if INQUIRIES.contains(&name.text.as_str()))
}
