//! Pointers to rows, blocks and other sections, whose elements have gaps between them: `p => q(1, :)`.
//!
//! Input: the statements of all procedures.
//! Output: the pointers that such a statement sets, and the pointers to which one of these is assigned.
//! Postcondition: a pointer that is set in another way, such as through a dummy argument, is not in the result. Nor is one that
//! takes over a dummy argument or a pointer that may have gaps, because these are usually contiguous.

use cppc_grammar::fortran::tree::{Expr, ExprKind, Statement, StatementKind};

use super::bound::Bound;
use super::gapped::GappedPointers;
use super::ids::ScopeId;
use super::sections::Layout;
use super::types::derived_of;
use super::visit::inside;
use super::walk::statements_of;

impl Bound<'_> {
    pub(super) fn note_gapped_pointers(&mut self) {
        let mut found = self.pointers_to(Layout::Gaps);
        // The memory of these has another type.
        let parts = self.pointers_to(Layout::Parts);
        found.variables.retain(|variable| !parts.variables.contains(variable));
        found.components.retain(|component| !parts.components.contains(component));
        self.gapped_pointers = found;
    }

    fn pointers_to(&self, layout: Layout) -> GappedPointers {
        let mut found = GappedPointers::default();
        loop {
            let before = found.len();
            for procedure in self.procedures.iter().filter(|procedure| procedure.has_body) {
                for statement in statements_of(procedure.unit) {
                    self.gaps_in(procedure.scope, statement, layout, &mut found);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    fn gaps_in(&self, scope: ScopeId, statement: &Statement, layout: Layout, found: &mut GappedPointers) {
        match &statement.kind {
            StatementKind::PointerAssignment { target, value }
                if self.has_layout(scope, value, layout, found) =>
            {
                self.note_gapped(scope, target, found);
            }
            StatementKind::Construct(construct) => {
                let source = self.scope(scope).source;
                for part in &construct.parts {
                    let inner = self.inner_scope(source, part.header).unwrap_or(scope);
                    part.statements
                        .iter()
                        .for_each(|statement| self.gaps_in(inner, statement, layout, found));
                }
                return;
            }
            _ => {}
        }
        inside(statement).into_iter().for_each(|statement| self.gaps_in(scope, statement, layout, found));
    }

    /// Whether a section has this layout, or is taken from a pointer that points to one.
    fn has_layout(&self, scope: ScopeId, value: &Expr, layout: Layout, found: &GappedPointers) -> bool {
        self.denotes_many(scope, value)
            && (self.layout(scope, value) == Some(layout) || self.is_found(scope, value, found))
    }

    fn is_found(&self, scope: ScopeId, value: &Expr, found: &GappedPointers) -> bool {
        match &value.kind {
            ExprKind::Name(name) => {
                self.lookup(scope, &name.text).is_some_and(|variable| found.has_variable(variable))
            }
            ExprKind::Component { base, name } => self
                .component_home(scope, base, &name.text)
                .is_some_and(|home| found.has_component(home, &name.text)),
            ExprKind::Reference { base, .. } => self.is_found(scope, base, found),
            _ => false,
        }
    }

    fn note_gapped(&self, scope: ScopeId, pointer: &Expr, found: &mut GappedPointers) {
        match &pointer.kind {
            ExprKind::Name(name) => found.variables.extend(self.lookup(scope, &name.text)),
            ExprKind::Component { base, name } => {
                let home = self.component_home(scope, base, &name.text);
                found.components.extend(home.map(|home| (home, name.text.to_ascii_lowercase())));
            }
            // `p(1:) => …` sets the bounds.
            ExprKind::Reference { base, .. } => self.note_gapped(scope, base, found),
            _ => {}
        }
    }

    /// The scope of the derived type that has this component.
    fn component_home(&self, scope: ScopeId, base: &Expr, name: &str) -> Option<ScopeId> {
        let ty = derived_of(self.type_of(scope, base).ty)?;
        self.component_of(ty, name).map(|(_, home)| self.derived(home).scope)
    }
}
