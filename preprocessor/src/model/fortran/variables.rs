//! The variables of a procedure in the model: where their names refer to them, and which of them can be
//! passed to the runtime by value.

use cppc_source::Span;

use super::{Builder, ProcedureContext};
use crate::bind::fortran::{ScopeId, ScopeKind, SymbolId, SymbolKind};
use crate::model::{Class, ValueType, Variable};

impl Builder<'_, '_> {
    /// Adds the names that the procedure declares, including those in `BLOCK` constructs.
    pub(super) fn variables(&self, context: &mut ProcedureContext) {
        for &id in self.symbols.get(&context.id).into_iter().flatten() {
            let symbol = self.bound.symbol(id);
            if matches!(symbol.kind, SymbolKind::Type(_)) {
                continue;
            }
            let Some(scope) = self.extent_of(symbol.scope, context) else { continue };
            context.symbols.push(id);
            context.variables.push(Variable {
                name: symbol.name.clone(),
                scope,
                parameter: symbol.is.dummy,
                saved_type: self.saved_type(id, context),
                register_word: None,
                is_static: false,
                set_at: Vec::new(),
                named_at: None,
            });
        }
        self.other_names(context);
    }

    /// Names that a construct gives to entities declared elsewhere, by ASSOCIATE or USE. They hide other
    /// names.
    fn other_names(&self, context: &mut ProcedureContext) {
        for index in 0..self.bound.scopes.len() as u32 {
            let id = ScopeId(index);
            let scope = self.bound.scope(id);
            if !matches!(scope.kind, ScopeKind::Inner) || self.bound.procedure_of(id) != Some(context.id) {
                continue;
            }
            let Some(extent) = self.extent_of(id, context) else { continue };
            let mut names: Vec<(&String, SymbolId)> =
                scope.names.iter().map(|(name, &symbol)| (name, symbol)).collect();
            names.retain(|(_, symbol)| self.bound.symbol(*symbol).scope != id);
            names.sort();
            for (name, symbol) in names {
                context.symbols.push(symbol);
                context.variables.push(Variable {
                    name: name.clone(),
                    scope: extent,
                    parameter: false,
                    saved_type: None,
                    register_word: None,
                    is_static: false,
                    set_at: Vec::new(),
                    named_at: None,
                });
            }
        }
    }

    /// The bytes where the names of a scope are valid.
    pub(super) fn extent_of(&self, scope: ScopeId, context: &ProcedureContext) -> Option<Span> {
        if !matches!(self.bound.scope(scope).kind, ScopeKind::Inner) {
            return Some(context.extent);
        }
        self.bound.inner_extent(scope, context.source)
    }

    /// The type of a variable that can be in a cell: a scalar of the frame whose address is not known
    /// elsewhere.
    fn saved_type(&self, id: SymbolId, context: &ProcedureContext) -> Option<ValueType> {
        let symbol = self.bound.symbol(id);
        let is = &symbol.is;
        let plain =
            matches!(symbol.kind, SymbolKind::Variable) && symbol.shape.is_empty() && symbol.common.is_none();
        let own =
            !is.save && !is.initialised && !is.equivalenced && !is.target && !is.volatile && !is.construct;
        let still = !is.allocatable && !is.pointer && !is.coarray && !is.optional;
        let frame = !self.bound.is_static(id) || self.bound.is_of_main(id);
        let saves_all = self.bound.scope(self.bound.outer_scope(symbol.scope)).saves_all;
        let blanket = saves_all && !is.dummy && !is.result && !self.bound.is_of_main(id);
        let elsewhere = self.bound.captured.contains(&id) || self.bound.passed.contains(&id);
        if !plain || !own || !still || !frame || blanket || elsewhere {
            return None;
        }
        let ty = self.value(self.bound.type_of_symbol(id), context);
        (ty.class == Class::Arithmetic && ty.pattern.is_some() && ty.code.is_some()).then_some(ty)
    }
}
