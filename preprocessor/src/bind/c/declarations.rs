//! Declarations: specifiers and declarators become types, names become symbols.
//!
//! Input: the declarations of the tree.
//! Output: symbols with their types.
//! Postcondition: every expression that stands in a declaration (bounds, initialisers, `typeof`) is bound and
//! typed.

use cppc_grammar::c::tree::{
    ArraySize, AttributeKind, Declaration, Declarator, Derivation, InitDeclarator, InitList, Initializer,
    Parameter, Parameters, Specifiers, Storage, TypeName, TypeSpecifier,
};

use super::binder::{Binder, Declared};
use super::ids::SymbolId;
use super::symbols::{ScopeKind, StorageKind, SymbolKind};
use super::types::{ArrayLength, FunctionType, Kind, Type};

impl Binder<'_> {
    pub fn declaration(&mut self, declaration: &Declaration) {
        let alone = declaration.declarators.is_empty();
        if let TypeSpecifier::Inferred = declaration.specifiers.kind {
            for declarator in &declaration.declarators {
                let ty = match &declarator.initializer {
                    Some(Initializer::Expr(value)) => self.value(value),
                    _ => Type::UNKNOWN,
                };
                self.declarator(&declaration.specifiers, declarator, ty, true);
            }
            return;
        }
        let base = self.specified(&declaration.specifiers, alone);
        for declarator in &declaration.declarators {
            self.declarator(&declaration.specifiers, declarator, base.clone(), false);
        }
    }

    /// One declarator with its initialiser.
    fn declarator(&mut self, specifiers: &Specifiers, init: &InitDeclarator, base: Type, initialized: bool) {
        let ty = self.derived(base, &init.declarator);
        let Some(name) = init.declarator.name else { return };
        let ty = self.with_mode(ty, &init.declarator.attributes);
        let kind = match (specifiers.storage, ty.is_function()) {
            (Storage::Typedef, _) => SymbolKind::Typedef,
            (_, true) => SymbolKind::Function,
            _ => SymbolKind::Variable,
        };
        let storage = self.storage(specifiers, kind);
        let defined = match kind {
            SymbolKind::Function => false,
            _ => specifiers.storage != Storage::Extern || init.initializer.is_some(),
        };
        let id = self.declare(Declared {
            visible: init.declarator.range.end,
            thread_local: specifiers.thread_local,
            defined,
            noreturn: noreturn(specifiers, &init.declarator),
            ..Declared::new(name.name, name.token, kind, storage, ty.clone())
        });
        if kind == SymbolKind::Typedef && init.declarator.derivations.is_empty() {
            self.name_record(&ty, id);
        }
        if storage == StorageKind::Automatic || storage == StorageKind::Register {
            self.note_variable(id);
        }
        if init.initializer.is_some() {
            self.note_set_at(id, self.symbol(id).declared);
        }
        if let (Some(initializer), false) = (&init.initializer, initialized) {
            self.initializer(initializer);
            self.complete(id, initializer);
        }
    }

    pub(super) fn note_variable(&mut self, id: SymbolId) {
        let Some(procedure) = self.procedure else { return };
        if let Some(procedure) = self.procedures.get_mut(procedure.0 as usize) {
            procedure.variables.push(id);
        }
    }

    fn name_record(&mut self, ty: &Type, typedef: SymbolId) {
        match ty.kind {
            Kind::Record(id) => {
                let record = &mut self.tables.records[id.0 as usize];
                record.typedef = record.typedef.or(Some(typedef));
            }
            Kind::Enum(id) => {
                let enumeration = &mut self.tables.enums[id.0 as usize];
                enumeration.typedef = enumeration.typedef.or(Some(typedef));
            }
            _ => {}
        }
    }

    fn storage(&self, specifiers: &Specifiers, kind: SymbolKind) -> StorageKind {
        let at_file = self.procedure.is_none();
        match (specifiers.storage, kind) {
            (Storage::Typedef, _) => StorageKind::None,
            (Storage::Static, SymbolKind::Function) => StorageKind::StaticFile,
            (_, SymbolKind::Function) | (Storage::Extern, _) => StorageKind::Global,
            (Storage::Static, _) if at_file => StorageKind::StaticFile,
            (Storage::Static, _) => StorageKind::StaticLocal,
            _ if at_file => StorageKind::Global,
            (Storage::Register, _) => StorageKind::Register,
            _ => StorageKind::Automatic,
        }
    }

    /// An array without a bound gets it from its initialiser.
    fn complete(&mut self, id: SymbolId, initializer: &Initializer) {
        let ty = self.symbol(id).ty.clone();
        if let Some(length) = self.initialized_length(&ty, initializer) {
            if let Kind::Array { element, .. } = &ty.kind {
                let kind = Kind::Array { element: element.clone(), size: ArrayLength::Known(length) };
                self.symbols[id.0 as usize].ty = Type { kind, ..ty };
            }
        }
    }

    /// The bound that an initialiser gives an array without one; none when that is not certain.
    pub(super) fn initialized_length(&mut self, ty: &Type, initializer: &Initializer) -> Option<u64> {
        let Kind::Array { element, size: ArrayLength::Unknown } = &ty.kind else { return None };
        match initializer {
            Initializer::Expr(value) => match &self.type_of(value.id).kind {
                Kind::Array { size: ArrayLength::Known(length), .. } => Some(*length),
                _ => None,
            },
            Initializer::List(list) => self.listed_length(element, list),
        }
    }

    pub(super) fn listed_length(&mut self, element: &Type, list: &InitList) -> Option<u64> {
        use cppc_grammar::c::tree::{Designator, ExprKind};
        let whole = !element.is_array() && !element.is_record();
        let (mut next, mut longest) = (0u64, 0u64);
        for (index, item) in list.items.iter().enumerate() {
            let text =
                matches!(&item.value, Initializer::Expr(value) if matches!(value.kind, ExprKind::String(_)));
            if text && index == 0 && list.items.len() == 1 && element.is_integer() {
                return match &item.value {
                    Initializer::Expr(value) => match self.type_of(value.id).kind {
                        Kind::Array { size: ArrayLength::Known(length), .. } => Some(length),
                        _ => None,
                    },
                    Initializer::List(_) => None,
                };
            }
            match item.designators.first() {
                Some(Designator::Index(at)) => next = u64::try_from(self.constant(at)?).ok()?,
                Some(Designator::Span(_, last)) => next = u64::try_from(self.constant(last)?).ok()?,
                Some(Designator::Field(_)) => return None,
                None => {}
            }
            // Elements of an aggregate may be given without braces of their own.
            let braced = matches!(item.value, Initializer::List(_)) || text || item.designators.len() > 1;
            if !whole && !braced && !self.initializes_whole(element, &item.value) {
                return None;
            }
            next = next.checked_add(1)?;
            longest = longest.max(next);
        }
        Some(longest)
    }

    /// Whether an expression gives the whole of an aggregate: `struct s a[] = { x, y }`.
    fn initializes_whole(&self, element: &Type, value: &Initializer) -> bool {
        match value {
            Initializer::Expr(value) => element.is_record() && self.type_of(value.id).kind == element.kind,
            Initializer::List(_) => true,
        }
    }

    /// Binds and types what an initialiser is made of.
    pub(super) fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(value) => {
                self.expression(value);
            }
            Initializer::List(list) => self.init_list(list),
        }
    }

    pub(super) fn init_list(&mut self, list: &InitList) {
        use cppc_grammar::c::tree::Designator;
        for item in &list.items {
            for designator in &item.designators {
                match designator {
                    Designator::Field(_) => {}
                    Designator::Index(at) => {
                        self.expression(at);
                    }
                    Designator::Span(first, last) => {
                        self.expression(first);
                        self.expression(last);
                    }
                }
            }
            self.initializer(&item.value);
        }
    }

    pub(super) fn type_name(&mut self, name: &TypeName) -> Type {
        let base = self.specified(&name.specifiers, false);
        self.derived(base, &name.declarator)
    }

    /// The type that a declarator makes of a base type.
    pub(super) fn derived(&mut self, base: Type, declarator: &Declarator) -> Type {
        let base = self.vector_or(base, &declarator.attributes);
        declarator.derivations.iter().rev().fold(base, |ty, derivation| self.derive(ty, derivation))
    }

    pub(super) fn derive(&mut self, ty: Type, derivation: &Derivation) -> Type {
        let ty = if ty.is_too_deep() { Type::UNKNOWN } else { ty };
        match derivation {
            Derivation::Pointer(qualifiers) => Type::pointer_to(ty).qualified(*qualifiers),
            Derivation::Array { size, .. } => Type::array_of(ty, self.length(size)),
            Derivation::Function(parameters) => {
                self.enter(ScopeKind::Prototype, parameters.range);
                let function = self.function(ty, parameters);
                self.leave();
                function
            }
        }
    }

    fn length(&mut self, size: &ArraySize) -> ArrayLength {
        match size {
            ArraySize::None | ArraySize::Star => ArrayLength::Unknown,
            ArraySize::Expr(bound) => {
                let ty = self.value(bound);
                match self.constant(bound).map(u64::try_from) {
                    Some(Ok(length)) => ArrayLength::Known(length),
                    Some(Err(_)) => ArrayLength::Unknown,
                    None if self.procedure.is_some() && !ty.is_unknown() && self.varies(bound) => {
                        ArrayLength::Variable
                    }
                    None if self.scope_kind() == ScopeKind::Prototype => ArrayLength::Variable,
                    None => ArrayLength::Unknown,
                }
            }
        }
    }

    /// A function type; its parameters are declared in the present scope.
    pub(super) fn function(&mut self, result: Type, parameters: &Parameters) -> Type {
        // The names of a prototype, of which headers are full, are for expressions within it.
        let unheard = self.scope_kind() == ScopeKind::Prototype && !names_are_heard(parameters);
        let mut types = Vec::with_capacity(parameters.list.len());
        for parameter in &parameters.list {
            let ty = self.parameter(parameter, !unheard);
            let nothing = ty.is_void() && parameter.declarator.name.is_none() && parameters.list.len() == 1;
            if !nothing {
                types.push(ty);
            }
        }
        let function = FunctionType {
            result,
            parameters: types,
            variadic: parameters.variadic,
            unspecified: parameters.unspecified || !parameters.identifiers.is_empty(),
        };
        Kind::Function(function.into()).into()
    }

    fn parameter(&mut self, parameter: &Parameter, declared: bool) -> Type {
        let base = self.specified(&parameter.specifiers, false);
        let ty = self.derived(base, &parameter.declarator);
        let ty = adjusted(ty, &parameter.declarator);
        if declared {
            self.declare_parameter(&parameter.specifiers, &parameter.declarator, &ty);
        }
        ty
    }

    pub(super) fn declare_parameter(&mut self, specifiers: &Specifiers, declarator: &Declarator, ty: &Type) {
        let Some(name) = declarator.name else { return };
        let storage = match specifiers.storage {
            Storage::Register => StorageKind::Register,
            _ => StorageKind::Automatic,
        };
        let declared = Declared::new(name.name, name.token, SymbolKind::Parameter, storage, ty.clone());
        self.declare(Declared { visible: declarator.range.end, ..declared });
    }
}

/// Whether something in a list of parameters may speak of one of them: a bound, a `typeof`, a body.
fn names_are_heard(parameters: &Parameters) -> bool {
    parameters.list.iter().any(|Parameter { specifiers, declarator, .. }| {
        let plain = match &specifiers.kind {
            TypeSpecifier::Record(record) => record.fields.is_none(),
            TypeSpecifier::Enum(list) => list.enumerators.is_none(),
            TypeSpecifier::TypeofExpr(_) | TypeSpecifier::TypeofType(_) | TypeSpecifier::Atomic(_) => false,
            _ => true,
        };
        let hears = |derivation: &Derivation| match derivation {
            Derivation::Pointer(_) => false,
            Derivation::Array { size, .. } => matches!(size, ArraySize::Expr(_)),
            Derivation::Function(inner) => names_are_heard(inner),
        };
        !plain || declarator.derivations.iter().any(hears)
    })
}

/// A parameter that is declared as an array or a function is a pointer.
pub(super) fn adjusted(ty: Type, declarator: &Declarator) -> Type {
    match &ty.kind {
        Kind::Array { element, .. } => {
            let inner = declarator.derivations.first().and_then(|derivation| match derivation {
                Derivation::Array { qualifiers, .. } => Some(*qualifiers),
                _ => None,
            });
            Type::from(Kind::Pointer(element.clone())).qualified(inner.unwrap_or_default())
        }
        Kind::Function(_) => Type::pointer_to(ty),
        _ => ty,
    }
}

pub(super) fn noreturn(specifiers: &Specifiers, declarator: &Declarator) -> bool {
    let marks = specifiers.attributes.iter().chain(&declarator.attributes);
    specifiers.noreturn || marks.into_iter().any(|attribute| attribute.kind == AttributeKind::NoReturn)
}
