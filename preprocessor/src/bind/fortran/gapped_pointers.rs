//! Pointers to rows and other sections, whose elements may have gaps between them: `p => q(1, :)`.
//!
//! Input: the statements of all procedures.
//! Output: the pointers that such a statement sets.
//! Postcondition: a pointer that is set in another way, such as through a dummy argument, is not in the result.

use cppc_grammar::fortran::tree::{Expr, ExprKind, Statement, StatementKind};
use rustc_hash::FxHashSet;

use super::bound::Bound;
use super::ids::{ScopeId, SymbolId};
use super::sections::Layout;
use super::types::derived_of;
use super::visit::inside;
use super::walk::statements_of;

/// Pointers that may point to elements with gaps between them.
#[derive(Debug, Default)]
struct Found {
    variables: FxHashSet<SymbolId>,
    components: FxHashSet<String>,
}

impl Bound<'_> {
    pub(super) fn note_gapped_pointers(&mut self) {
        let mut found = Found::default();
        for procedure in self.procedures.iter().filter(|procedure| procedure.has_body) {
            for statement in statements_of(procedure.unit) {
                self.gaps_in(procedure.scope, statement, &mut found);
            }
        }
        (self.gapped_variables, self.gapped_components) = (found.variables, found.components);
    }

    fn gaps_in(&self, scope: ScopeId, statement: &Statement, found: &mut Found) {
        match &statement.kind {
            StatementKind::PointerAssignment { target, value } if self.has_gaps(scope, value) => {
                self.note_gapped(scope, target, found);
            }
            StatementKind::Construct(construct) => {
                let source = self.scope(scope).source;
                for part in &construct.parts {
                    let inner = self.inner_scope(source, part.header).unwrap_or(scope);
                    part.statements.iter().for_each(|statement| self.gaps_in(inner, statement, found));
                }
                return;
            }
            _ => {}
        }
        inside(statement).into_iter().for_each(|statement| self.gaps_in(scope, statement, found));
    }

    /// Whether an array has gaps, or is a pointer or a dummy argument that may have them.
    fn has_gaps(&self, scope: ScopeId, value: &Expr) -> bool {
        let is_gapped = |name: &str| {
            let symbol = self.lookup(scope, name).map(|id| self.symbol(id));
            symbol.is_some_and(|symbol| symbol.may_have_gaps())
        };
        match &value.kind {
            ExprKind::Name(name) if is_gapped(&name.text) => true,
            _ => self.denotes_many(scope, value) && self.layout(scope, value) > Some(Layout::Contiguous),
        }
    }

    fn note_gapped(&self, scope: ScopeId, pointer: &Expr, found: &mut Found) {
        match &pointer.kind {
            ExprKind::Name(name) => found.variables.extend(self.lookup(scope, &name.text)),
            ExprKind::Component { base, name } => {
                let is_known = derived_of(self.type_of(scope, base).ty).is_some();
                found.components.extend(is_known.then(|| name.text.clone()));
            }
            // `p(1:) => …` sets the bounds.
            ExprKind::Reference { base, .. } => self.note_gapped(scope, base, found),
            _ => {}
        }
    }
}
