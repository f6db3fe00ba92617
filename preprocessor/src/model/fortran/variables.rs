//! The variables of a procedure as the model knows them: where their names mean them, and which of them can
//! be handed to the runtime by value.

use cppc_source::Span;

use super::{Builder, Inside};
use crate::bind::fortran::{ScopeId, ScopeKind, SymbolId, SymbolKind};
use crate::model::{Class, ValueType, Variable};

impl Builder<'_, '_> {
    /// Fills in the names that the procedure declares, in `BLOCK` constructs too.
    pub(super) fn variables(&self, inside: &mut Inside) {
        for &id in self.symbols.get(&inside.id).into_iter().flatten() {
            let symbol = self.bound.symbol(id);
            if matches!(symbol.kind, SymbolKind::Type(_)) {
                continue;
            }
            let Some(scope) = self.extent_of(symbol.scope, inside) else { continue };
            inside.symbols.push(id);
            inside.variables.push(Variable {
                name: symbol.name.clone(),
                scope,
                parameter: symbol.is.dummy,
                saved_type: self.saved_type(id, inside),
                register_word: None,
            });
        }
        self.other_names(inside);
    }

    /// Names that a construct gives to what is declared elsewhere, by ASSOCIATE or USE: they hide others.
    fn other_names(&self, inside: &mut Inside) {
        for index in 0..self.bound.scopes.len() as u32 {
            let id = ScopeId(index);
            let scope = self.bound.scope(id);
            if !matches!(scope.kind, ScopeKind::Inner) || self.bound.procedure_of(id) != Some(inside.id) {
                continue;
            }
            let Some(extent) = self.extent_of(id, inside) else { continue };
            let mut names: Vec<(&String, SymbolId)> = scope.names.iter().map(|(name, &symbol)| (name, symbol)).collect();
            names.retain(|(_, symbol)| self.bound.symbol(*symbol).scope != id);
            names.sort();
            for (name, symbol) in names {
                inside.symbols.push(symbol);
                inside.variables.push(Variable { name: name.clone(), scope: extent, parameter: false, saved_type: None, register_word: None });
            }
        }
    }

    /// Where the names of a scope mean something.
    pub(super) fn extent_of(&self, scope: ScopeId, inside: &Inside) -> Option<Span> {
        if !matches!(self.bound.scope(scope).kind, ScopeKind::Inner) {
            return Some(inside.extent);
        }
        self.bound.inner_extent(scope, inside.source)
    }

    /// The type of a variable that can live in a cell: a scalar of the frame whose memory nobody else knows.
    fn saved_type(&self, id: SymbolId, inside: &Inside) -> Option<ValueType> {
        let symbol = self.bound.symbol(id);
        let is = &symbol.is;
        let plain = matches!(symbol.kind, SymbolKind::Variable) && symbol.shape.is_empty() && symbol.common.is_none();
        let own = !is.save && !is.initialised && !is.equivalenced && !is.target && !is.volatile && !is.construct;
        let still = !is.allocatable && !is.pointer && !is.coarray && !is.optional;
        let frame = !self.bound.is_static(id) || self.bound.is_of_main(id);
        let saves_all = self.bound.scope(self.bound.outer_scope(symbol.scope)).saves_all;
        let blanket = saves_all && !is.dummy && !is.result && !self.bound.is_of_main(id);
        let elsewhere = self.bound.captured.contains(&id) || self.bound.passed.contains(&id);
        if !plain || !own || !still || !frame || blanket || elsewhere {
            return None;
        }
        let ty = self.value(self.bound.type_of_symbol(id), inside);
        (ty.class == Class::Arithmetic && ty.pattern.is_some() && ty.code.is_some()).then_some(ty)
    }
}
