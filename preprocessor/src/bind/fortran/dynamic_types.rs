//! The types that polymorphic variables of the program may have, as the procedure with `init` sees them.
//!
//! A register may be in a module that does not see all types that extend the declared type. The procedure with `init` is
//! usually in the main program, which sees more.
//!
//! Input: the types and directives of a program.
//! Output: the types that extend the declared type of a polymorphic pointer, allocatable or registered argument.
//! Postcondition: generated code can name each of them.

use cppc_source::Span;
use rustc_hash::FxHashSet;

use super::bound::{Bound, DirectiveKind};
use super::ids::{ScopeId, SymbolId, TypeId};
use super::items::{ReachedTypes, RootForm};
use super::resolve_items::{DirectiveContext, Purpose};
use super::types::Type;

impl<'a> Bound<'a> {
    /// None if there are no such types.
    pub fn dynamic_types(&self, scope: ScopeId) -> Option<ReachedTypes> {
        let (mut declared, mut has_any) = (FxHashSet::default(), false);
        for derived in &self.types {
            let parts = derived.components.iter().filter(|part| part.pointer || part.allocatable);
            parts.for_each(|part| note(part.ty, &mut declared, &mut has_any));
        }
        let variables = self.symbols.iter().filter(|symbol| symbol.is.pointer || symbol.is.allocatable);
        variables.for_each(|symbol| note(symbol.ty, &mut declared, &mut has_any));
        for directive in self.directives.values() {
            let DirectiveKind::Register(items) = &directive.kind else { continue };
            let passed = items.iter().filter_map(|item| item.graph.as_ref());
            let passed = passed.filter(|graph| graph.form == RootForm::Passed);
            declared.extend(passed.filter_map(|graph| Some(graph.types.first()?.id)));
        }
        let has_more = |id: &TypeId| self.types.iter().any(|derived| derived.parent == Some(*id));
        let mut declared: Vec<TypeId> = declared.into_iter().filter(has_more).collect();
        if declared.is_empty() && !has_any {
            return None;
        }
        declared.sort_unstable();
        let from: Vec<Type> = declared.into_iter().map(|id| Type::Class(Some(id))).collect();
        let any = has_any.then_some(Type::Class(None));
        let source = self.scope(scope).source;
        let context = DirectiveContext { source, scope, purpose: Purpose::Register };
        // The variable only gives errors their place, and types with errors are left out.
        let place = self.place_of(context, Span::new(self.sources[source].file, 0, 0), SymbolId(0), "");
        let all: Vec<Type> = from.iter().copied().chain(any).collect();
        // With `class(*)`, there may be too many types.
        let found = self.reached(&place, &all, true);
        let types = found.or_else(|_| self.reached(&place, &from, true)).ok()?.types;
        let is_useful = types.iter().any(|found| found.is_dynamic);
        is_useful.then_some(ReachedTypes { form: RootForm::InPlace, types, is_any: false, has_any: false })
    }
}

/// Notes the declared type of a polymorphic variable.
fn note(ty: Type, declared: &mut FxHashSet<TypeId>, has_any: &mut bool) {
    if let Type::Class(id) = ty {
        declared.extend(id);
        *has_any |= id.is_none();
    }
}
