//! Declarations in procedures.
//!
//! Input: a declaration.
//! Output: the operations that begin the lifetimes of its variables, and their initial values.

use cppc_analysis::program::{Affine, OperationKind, Value};
use cppc_grammar::c::tree::{ArraySize, Declaration, Declarator, Derivation, Expr, ExprKind, Initializer};

use super::body::Body;
use crate::bind::c::{parts, StorageKind, SymbolId, SymbolKind};

impl Body<'_, '_, '_> {
    pub fn declaration(&mut self, declaration: &Declaration) {
        let source = &self.unit.unit.preprocessed;
        let is_text = self.unit.spans.of(declaration.range).is_some();
        self.declare(declaration, is_text && self.bound().has_only_constants(source, declaration));
    }

    /// A declaration in the header of a loop.
    pub fn loop_declaration(&mut self, declaration: &Declaration) {
        self.declare(declaration, false);
    }

    /// `keeps_constants`: the translation makes the variables static where a restart needs their values.
    fn declare(&mut self, declaration: &Declaration, keeps_constants: bool) {
        for (number, init) in declaration.declarators.iter().enumerate() {
            let Some(name) = init.declarator.name else { continue };
            let Some(id) = self.bound().declared_at(name.token) else { continue };
            let symbol = self.bound().symbol(id);
            let is_local = matches!(symbol.storage, StorageKind::Automatic | StorageKind::Register);
            if symbol.kind != SymbolKind::Variable || !is_local {
                continue;
            }
            if symbol.ty.is_variably_modified() {
                self.bounds(id, &init.declarator);
            }
            let variable = self.variable(id);
            let span = self.span(init.range);
            self.builder.emit(OperationKind::Begin(variable), span);
            if let Some(initializer) = &init.initializer {
                if keeps_constants && self.bound().is_never_set(&self.unit.unit.preprocessed, id, initializer)
                {
                    self.program().keep_value(variable);
                }
                let place = super::lvalue::Lvalue {
                    shape: Some((id, 0)),
                    ..super::lvalue::Lvalue::of(variable, symbol.ty.clone())
                };
                self.initialize(&place, initializer);
                if let Initializer::Expr(value) = initializer {
                    self.note_address_number(Some(id), self.address_number(value));
                }
            }
            self.note_cleanup(declaration, number, id);
        }
    }

    /// Evaluates the bounds of an array of variable length. Each becomes a number of elements that does not change.
    fn bounds(&mut self, id: SymbolId, declarator: &Declarator) {
        let mut extents = Vec::with_capacity(declarator.derivations.len());
        for derivation in &declarator.derivations {
            extents.push(match derivation {
                Derivation::Array { size: ArraySize::Expr(bound), .. } => self.bound_value(bound),
                Derivation::Array { .. } | Derivation::Pointer(_) | Derivation::Function(_) => None,
            });
        }
        self.unit.extents.insert(id, extents);
    }

    fn bound_value(&mut self, bound: &Expr) -> Option<Affine> {
        let is_stable = self.is_stable(bound);
        let Value::Affine(value) = self.value(bound) else { return None };
        if is_stable {
            return Some(value);
        }
        let place = self.temporary(&self.bound().value_type(bound.id));
        let to = self.access(&place, None);
        self.write(to, Value::Affine(value), bound.range);
        self.summand(&place)
    }

    /// The bounds of a parameter: they depend on other parameters.
    pub fn parameter_bounds(&mut self, id: SymbolId, declarator: &Declarator) {
        let mut extents = Vec::with_capacity(declarator.derivations.len());
        for (depth, derivation) in declarator.derivations.iter().enumerate() {
            extents.push(match derivation {
                // The outermost dimension is a pointer, and its bound is not checked.
                Derivation::Array { size: ArraySize::Expr(bound), .. }
                    if depth > 0 && self.is_stable(bound) =>
                {
                    self.sum_of(bound)
                }
                Derivation::Array { .. } | Derivation::Pointer(_) | Derivation::Function(_) => None,
            });
        }
        self.unit.extents.insert(id, extents);
    }

    /// Whether the variables of an expression keep their values from here to the end of the procedure.
    pub fn is_stable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Ident(_) => match self.bound().symbol_of(expr.id) {
                Some(id) => self.never_changes(id),
                None => false,
            },
            _ => parts(expr).into_iter().all(|part| self.is_stable(part)),
        }
    }

    fn never_changes(&self, id: SymbolId) -> bool {
        let symbol = self.bound().symbol(id);
        match symbol.kind {
            SymbolKind::EnumConstant => true,
            SymbolKind::Variable | SymbolKind::Parameter => {
                let sets = self.sets.get(&id).map_or(&[][..], Vec::as_slice);
                self.is_private(id) && sets.iter().all(|&token| token == symbol.declared)
            }
            SymbolKind::Function | SymbolKind::Typedef => false,
        }
    }

    /// Whether a variable is local, and is changed only by this procedure and by its name.
    pub fn is_private(&self, id: SymbolId) -> bool {
        let symbol = self.bound().symbol(id);
        let is_local = matches!(symbol.storage, StorageKind::Automatic | StorageKind::Register);
        let is_own = symbol.procedure.is_some() && symbol.procedure == self.procedure;
        let facts = self.procedure.map(|own| &self.bound().procedure(own).facts);
        is_local && is_own && facts.is_some_and(|facts| !facts.address_taken.contains(&id))
    }
}
