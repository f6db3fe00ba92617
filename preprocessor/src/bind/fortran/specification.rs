//! Declarations: from the statements of a specification part to symbols.
//!
//! Input: the statements of a scope, in the order of the text.
//! Output: its symbols with what all declarations together say of them.
//! Postcondition: a name without a type has the implicit one of its scope, if there is one.

use cppc_grammar::fortran::tree::{
    Attribute, BaseType, CharacterLength, CommonBlock, Entity, Expr, ExprKind, ImplicitRule, Interface, Name,
    Prefix, Statement, StatementKind, TypeSpec, UnitKind,
};

use super::bound::Bound;
use super::ids::{Origin, ProcedureId, ScopeId, SymbolId};
use super::symbols::{ProcedureTarget, Scope, ScopeKind, SymbolKind, Value};
use super::types::{Length, Type};
use super::units::{is_separate, Around};
use super::visit::root;

impl<'a> Bound<'a> {
    /// Reads the declarations of a unit and of what it contains.
    pub(super) fn specify_unit(&mut self, scope: ScopeId) {
        let Some(unit) = self.scope(scope).unit else { return };
        if let Some(parent) = self.scope(scope).parent {
            self.scopes[scope.0 as usize].implicit = self.scope(parent).implicit.clone();
        }
        let procedure = match self.scope(scope).kind {
            ScopeKind::Procedure(id) | ScopeKind::Interface(id) => Some(id),
            _ => None,
        };
        if let Some(id) = procedure {
            self.declare_dummies(id);
            if matches!(unit.kind, UnitKind::ModuleProcedure) {
                self.take_over_interface(id);
            }
        }
        self.declare_types(scope, &unit.specification);
        for statement in &unit.specification {
            self.specify(scope, statement);
        }
        for statement in &unit.execution {
            if let StatementKind::Data(names) = &statement.kind {
                self.initialise(scope, names);
            }
        }
        if let Some(id) = procedure {
            self.type_result(id);
        }
        self.settle(scope);
        let inside: Vec<ScopeId> =
            self.scope(scope).inside.iter().copied().filter(|&id| self.is_contained(id)).collect();
        for contained in inside {
            self.specify_unit(contained);
        }
    }

    pub(super) fn scope_ids(&self) -> impl Iterator<Item = ScopeId> {
        (0..self.scopes.len() as u32).map(ScopeId)
    }

    /// A subprogram behind `CONTAINS`.
    fn is_contained(&self, scope: ScopeId) -> bool {
        matches!(self.scope(scope).kind, ScopeKind::Procedure(_))
    }

    /// `MODULE PROCEDURE name`: its dummy arguments are those of the interface in the module.
    fn take_over_interface(&mut self, id: ProcedureId) {
        let (scope, name) = (self.procedure(id).scope, self.procedure(id).name.clone());
        let separate = self
            .procedures
            .iter()
            .position(|other| !other.has_body && other.name == name && is_separate(other.unit));
        let Some(interface) = separate else { return };
        let (dummies, result, from) = {
            let found = &self.procedures[interface];
            (found.dummies.clone(), found.result, found.scope)
        };
        let names: Vec<(String, SymbolId)> =
            self.scope(from).names.iter().map(|(name, &id)| (name.clone(), id)).collect();
        let own = &mut self.scopes[scope.0 as usize].names;
        for (name, symbol) in names {
            own.entry(name).or_insert(symbol);
        }
        let found = &mut self.procedures[id.0 as usize];
        (found.dummies, found.result) = (dummies, result);
    }

    /// One statement of a specification part.
    pub(super) fn specify(&mut self, scope: ScopeId, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::TypeDeclaration { spec, attributes, entities } => {
                for entity in entities {
                    self.declare_entity(scope, spec, attributes, entity);
                }
            }
            StatementKind::Implicit(rules) => self.implicit(scope, rules.as_deref()),
            StatementKind::Parameter(constants) => {
                for (name, value) in constants {
                    let id = self.declare(scope, name);
                    self.set_constant(id, Value::Expression(value));
                }
            }
            StatementKind::Attributes { attribute, entities } => self.attributes(scope, attribute, entities),
            StatementKind::Common(blocks) => self.commons(scope, blocks),
            StatementKind::Equivalence(sets) => self.equivalences(scope, sets),
            StatementKind::Namelist(groups) => {
                for (group, _) in groups {
                    let id = self.declare(scope, group);
                    self.symbols[id.0 as usize].kind = SymbolKind::Namelist;
                }
            }
            StatementKind::Data(names) => self.initialise(scope, names),
            StatementKind::Use(found) => self.use_module(scope, found),
            StatementKind::DerivedType(found) => self.define_type(scope, found, statement.line),
            StatementKind::Interface(found) => self.interface(scope, found),
            StatementKind::Enumeration { enumerators } => self.enumeration(scope, enumerators),
            StatementKind::ProcedureDeclaration { interface, attributes, names, .. } => {
                self.procedure_declaration(scope, interface.as_ref(), attributes, names);
            }
            StatementKind::Access { private, names } => {
                let found = &mut self.scopes[scope.0 as usize];
                if names.is_empty() {
                    found.private = *private;
                }
                found.access.extend(names.iter().map(|name| (name.text.clone(), *private)));
            }
            StatementKind::Assignment { target, value } => self.statement_function(scope, target, value),
            _ => {}
        }
    }

    fn declare(&mut self, scope: ScopeId, name: &Name) -> SymbolId {
        let source = self.scope(scope).source;
        self.own(scope, &name.text, Origin::of(source, name))
    }

    fn declare_entity(
        &mut self,
        scope: ScopeId,
        spec: &'a TypeSpec,
        attributes: &'a [Attribute],
        entity: &'a Entity,
    ) {
        let ty = self.type_of_entity(scope, spec, entity.length.as_ref());
        let id = self.declare(scope, &entity.name);
        let symbol = &mut self.symbols[id.0 as usize];
        (symbol.ty, symbol.typed) = (ty, true);
        let constant = attributes.iter().any(|attribute| matches!(attribute, Attribute::Parameter));
        for attribute in attributes {
            self.attribute(scope, id, attribute);
        }
        let symbol = &mut self.symbols[id.0 as usize];
        symbol.is.coarray |= entity.is_coarray;
        if let Some(shape) = &entity.shape {
            symbol.shape = shape;
        }
        match (&entity.initial, constant) {
            (Some(value), true) => self.set_constant(id, Value::Expression(value)),
            (Some(_), false) => symbol.is.initialised = true,
            (None, _) => {}
        }
    }

    fn set_constant(&mut self, id: SymbolId, value: Value<'a>) {
        let implicit = {
            let symbol = self.symbol(id);
            self.scope(symbol.scope).implicit.of(&symbol.name)
        };
        let symbol = &mut self.symbols[id.0 as usize];
        symbol.kind = SymbolKind::Constant(value);
        if !symbol.typed {
            symbol.ty = implicit;
        }
    }

    fn implicit(&mut self, scope: ScopeId, rules: Option<&'a [ImplicitRule]>) {
        let Some(rules) = rules else {
            self.scopes[scope.0 as usize].implicit.none = true;
            return;
        };
        for rule in rules {
            let ty = self.type_of_entity(scope, &rule.spec, None);
            let implicit = &mut self.scopes[scope.0 as usize].implicit;
            implicit.none = false;
            for &(first, last) in &rule.letters {
                let letters = first.to_ascii_lowercase()..=last.to_ascii_lowercase();
                for letter in letters.filter(u8::is_ascii_lowercase) {
                    implicit.types[usize::from(letter - b'a')] = ty;
                }
            }
        }
    }

    fn attributes(&mut self, scope: ScopeId, attribute: &'a Attribute, entities: &'a [Entity]) {
        if entities.is_empty() && matches!(attribute, Attribute::Save) {
            self.scopes[scope.0 as usize].saves_all = true;
        }
        for entity in entities.iter().filter(|entity| !entity.is_block) {
            // What says how a host's variable is used here declares no new one.
            let foreign = matches!(attribute, Attribute::Volatile | Attribute::Asynchronous);
            let visible = self.lookup(scope, &entity.name.text).filter(|_| foreign);
            let id = visible.unwrap_or_else(|| self.declare(scope, &entity.name));
            self.attribute(scope, id, attribute);
            let symbol = &mut self.symbols[id.0 as usize];
            if let Some(shape) = &entity.shape {
                symbol.shape = shape;
            }
            symbol.is.coarray |= entity.is_coarray;
            symbol.is.initialised |= entity.initial.is_some();
        }
    }

    fn attribute(&mut self, scope: ScopeId, id: SymbolId, attribute: &'a Attribute) {
        let symbol = &mut self.symbols[id.0 as usize];
        let is = &mut symbol.is;
        match attribute {
            Attribute::Dimension(shape) => symbol.shape = shape,
            Attribute::Allocatable => is.allocatable = true,
            Attribute::Pointer => is.pointer = true,
            Attribute::Target => is.target = true,
            Attribute::Intent { reads, writes } => {
                (is.intent_in, is.intent_out) = (*reads && !*writes, *writes && !*reads);
            }
            Attribute::Optional => is.optional = true,
            Attribute::Save => is.save = true,
            Attribute::External => {
                is.external = true;
                if !matches!(symbol.kind, SymbolKind::Procedure(ProcedureTarget::Known(_))) {
                    symbol.kind = SymbolKind::Procedure(match is.dummy || is.pointer {
                        true => ProcedureTarget::Indirect(None),
                        false => ProcedureTarget::External,
                    });
                }
            }
            Attribute::Intrinsic => is.intrinsic = true,
            Attribute::Value => is.value = true,
            Attribute::Volatile => is.volatile = true,
            Attribute::Contiguous => is.contiguous = true,
            Attribute::Protected => is.protected = true,
            Attribute::Codimension => is.coarray = true,
            Attribute::CrayPointer => is.cray_pointer = true,
            Attribute::Public | Attribute::Private => {
                let name = symbol.name.clone();
                let private = matches!(attribute, Attribute::Private);
                self.scopes[scope.0 as usize].access.insert(name, private);
            }
            Attribute::Parameter | Attribute::Asynchronous | Attribute::Bind | Attribute::Other => {}
        }
    }

    fn commons(&mut self, scope: ScopeId, blocks: &'a [CommonBlock]) {
        for block in blocks {
            let name = block.name.as_ref().map_or(String::new(), |name| name.text.clone());
            let mut members = Vec::new();
            for member in &block.members {
                let id = self.declare(scope, &member.name);
                let symbol = &mut self.symbols[id.0 as usize];
                symbol.common = Some(name.clone());
                if let Some(shape) = &member.shape {
                    symbol.shape = shape;
                }
                members.push(id);
            }
            let known = &mut self.scopes[scope.0 as usize].blocks;
            match known.iter_mut().find(|(other, _)| *other == name) {
                Some((_, list)) => list.extend(members),
                None => known.push((name, members)),
            }
        }
    }

    fn equivalences(&mut self, scope: ScopeId, sets: &'a [Vec<Expr>]) {
        for set in sets {
            let ids: Vec<SymbolId> =
                set.iter().filter_map(root).map(|name| self.declare(scope, name)).collect();
            for id in &ids {
                self.symbols[id.0 as usize].is.equivalenced = true;
            }
            self.scopes[scope.0 as usize].equivalences.push(ids);
        }
    }

    fn initialise(&mut self, scope: ScopeId, names: &[Name]) {
        for name in names {
            let found = self.lookup(scope, &name.text);
            let id = found.filter(|&id| self.symbol(id).common.is_some());
            let id = id.unwrap_or_else(|| self.declare(scope, name));
            self.symbols[id.0 as usize].is.initialised = true;
        }
    }

    fn interface(&mut self, scope: ScopeId, found: &'a Interface) {
        let source = self.scope(scope).source;
        for body in &found.bodies {
            let name = body.name.as_ref().map_or("", |name| name.text.as_str());
            let imports = body.specification.iter().any(|s| matches!(s.kind, StatementKind::Import));
            let parent = (imports || is_separate(body)).then_some(scope);
            let implicit = self.initial_implicit(source);
            let next = ProcedureId(self.procedures.len() as u32);
            let mut inner = Scope::new(ScopeKind::Interface(next), name, source, parent, implicit);
            inner.unit = Some(body);
            let inner = self.push_scope(inner);
            self.declare_procedure(body, Around { source, host: Some(scope) }, inner);
            self.specify_unit(inner);
        }
        let Some(generic) = &found.generic else { return };
        let bodies = found.bodies.iter().filter_map(|body| body.name.as_ref());
        let names = bodies.chain(&found.procedures).map(|name| (scope, name.text.clone()));
        let mut specific: Vec<(ScopeId, String)> = names.collect();
        // One that a module brings is extended.
        let known = self.lookup(scope, &generic.text);
        if let Some(SymbolKind::Generic(more)) = known.map(|id| &self.symbol(id).kind) {
            specific.extend(more.iter().cloned());
        }
        let id = self.declare(scope, generic);
        self.symbols[id.0 as usize].kind = SymbolKind::Generic(specific);
    }

    fn enumeration(&mut self, scope: ScopeId, enumerators: &'a [(Name, Option<Expr>)]) {
        let mut next = Some(0);
        for (name, value) in enumerators {
            let own = value.as_ref().map(|value| self.integer(scope, value));
            let number = own.unwrap_or(next);
            next = number.map(|number| number + 1);
            let id = self.declare(scope, name);
            let symbol = &mut self.symbols[id.0 as usize];
            (symbol.ty, symbol.typed) = (Type::Integer(4), true);
            symbol.kind = SymbolKind::Constant(number.map_or(Value::Opaque, Value::Integer));
        }
    }

    fn procedure_declaration(
        &mut self,
        scope: ScopeId,
        interface: Option<&Name>,
        attributes: &'a [Attribute],
        names: &'a [Name],
    ) {
        let known = interface.and_then(|name| self.lookup(scope, &name.text));
        let target = known.and_then(|id| match self.symbol(id).kind {
            SymbolKind::Procedure(ProcedureTarget::Known(id)) => Some(id),
            SymbolKind::Procedure(ProcedureTarget::Indirect(id)) => id,
            _ => None,
        });
        for name in names {
            let id = self.declare(scope, name);
            for attribute in attributes {
                self.attribute(scope, id, attribute);
            }
            let symbol = &mut self.symbols[id.0 as usize];
            let indirect = symbol.is.dummy || symbol.is.pointer;
            symbol.typed = true;
            symbol.kind = SymbolKind::Procedure(match (indirect, target) {
                (true, target) => ProcedureTarget::Indirect(target),
                (false, Some(target)) => ProcedureTarget::Known(target),
                (false, None) => ProcedureTarget::External,
            });
        }
    }

    /// `f(x, y) = …` before anything is executed, `f` being no array.
    fn statement_function(&mut self, scope: ScopeId, target: &'a Expr, value: &'a Expr) {
        let Some((name, dummies)) = self.as_statement_function(scope, target) else { return };
        let id = self.declare(scope, name);
        self.symbols[id.0 as usize].kind = SymbolKind::StatementFunction { dummies, value };
    }

    /// The name and the dummy arguments, if an assignment can only define a statement function.
    pub(super) fn as_statement_function(
        &self,
        scope: ScopeId,
        target: &'a Expr,
    ) -> Option<(&'a Name, Vec<String>)> {
        let ExprKind::Reference { base, arguments } = &target.kind else { return None };
        let ExprKind::Name(name) = &base.kind else { return None };
        let known = self.lookup(scope, &name.text).map(|id| self.symbol(id));
        let possible = known.is_none_or(|symbol| {
            let fresh = symbol.scope != scope || (symbol.is_variable() && symbol.common.is_none());
            let plain = symbol.shape.is_empty() && !symbol.is.allocatable && !symbol.is.pointer;
            fresh && plain && !symbol.is.dummy || matches!(symbol.kind, SymbolKind::StatementFunction { .. })
        });
        let dummies = arguments.iter().map(|argument| match &argument.kind {
            cppc_grammar::fortran::tree::ArgumentKind::Value(Expr { kind: ExprKind::Name(name), .. }) => {
                argument.keyword.is_none().then(|| name.text.clone())
            }
            _ => None,
        });
        let dummies: Option<Vec<String>> = dummies.collect();
        dummies.filter(|_| possible).map(|dummies| (name, dummies))
    }

    /// `INTEGER FUNCTION f()`: the type may be one of a module that the function itself uses.
    fn type_result(&mut self, id: ProcedureId) {
        let (unit, scope, result) = {
            let found = self.procedure(id);
            (found.unit, found.scope, found.result)
        };
        let spec = unit.prefixes.iter().find_map(|prefix| match prefix {
            Prefix::Type(spec) => Some(spec),
            _ => None,
        });
        if let (Some(spec), Some(result)) = (spec, result) {
            let ty = self.type_of_entity(scope, spec, None);
            let symbol = &mut self.symbols[result.0 as usize];
            (symbol.ty, symbol.typed) = (ty, true);
        }
    }

    /// Gives types to names that no declaration gives one, and static storage to what shares it.
    pub(super) fn settle(&mut self, scope: ScopeId) {
        let names: Vec<SymbolId> = self.scope(scope).names.values().copied().collect();
        for id in names {
            let symbol = self.symbol(id);
            if symbol.scope != scope || symbol.typed {
                continue;
            }
            let ty = self.scope(scope).implicit.of(&symbol.name);
            let wants = matches!(
                symbol.kind,
                SymbolKind::Variable
                    | SymbolKind::StatementFunction { .. }
                    | SymbolKind::Procedure(ProcedureTarget::External | ProcedureTarget::Indirect(None))
            );
            if wants {
                self.symbols[id.0 as usize].ty = ty;
            }
        }
        let sets = self.scope(scope).equivalences.clone();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for set in &sets {
                let fixed = set.iter().any(|&id| {
                    let symbol = self.symbol(id);
                    symbol.common.is_some() || symbol.is.save || symbol.is.initialised
                });
                for id in set.iter().filter(|_| fixed) {
                    changed |= !std::mem::replace(&mut self.symbols[id.0 as usize].is.save, true);
                }
            }
        }
    }

    /// The type that a declaration gives, the length behind the name before that of the type.
    pub(super) fn type_of_entity(
        &mut self,
        scope: ScopeId,
        spec: &'a TypeSpec,
        length: Option<&'a CharacterLength>,
    ) -> Type {
        match &spec.base {
            BaseType::Type(_) | BaseType::Class(_) => self.type_of_name(scope, &spec.base),
            _ => self.type_of_spec(scope, spec, length),
        }
    }

    /// The type that a specification names, where it may name what is declared already.
    pub(super) fn type_of_spec(
        &self,
        scope: ScopeId,
        spec: &TypeSpec,
        length: Option<&CharacterLength>,
    ) -> Type {
        let kinds = self.sources[self.scope(scope).source].kinds;
        let number = |expr: Option<&Expr>| -> Option<u8> {
            expr.and_then(|expr| self.integer(scope, expr)).and_then(|kind| u8::try_from(kind).ok())
        };
        let behind = match length {
            Some(CharacterLength::Expression(expr)) => number(Some(expr)),
            _ => None,
        };
        let bytes = behind.or_else(|| number(spec.length_bytes.as_ref()));
        let kind = number(spec.kind.as_ref());
        if spec.kind.is_some() && kind.is_none() && spec.base != BaseType::Character {
            return Type::Unknown;
        }
        let kind = bytes.or(kind);
        match &spec.base {
            BaseType::Integer => kinds.integer_type(kind),
            BaseType::Real => Type::Real(kinds.real_kind(kind)),
            BaseType::DoublePrecision => Type::Real(kinds.double_kind()),
            BaseType::Complex => Type::Complex(kinds.real_kind(bytes.map(|bytes| bytes / 2).or(kind))),
            BaseType::DoubleComplex => Type::Complex(kinds.double_kind()),
            BaseType::Logical => kinds.logical_type(kind),
            BaseType::Byte => Type::Integer(1),
            BaseType::Assumed => Type::Anything,
            BaseType::Character => {
                let length = length.or(spec.character_length.as_ref());
                let kind = number(spec.kind.as_ref()).unwrap_or(1);
                Type::Character { kind, length: self.character_length(scope, length) }
            }
            BaseType::Type(name) | BaseType::Class(Some(name)) => match self.lookup(scope, &name.text) {
                Some(id) => match self.symbol(id).kind {
                    SymbolKind::Type(id) => Type::Derived(id),
                    _ => Type::Unknown,
                },
                None => Type::Unknown,
            },
            BaseType::Class(None) => Type::Unknown,
        }
    }

    fn character_length(&self, scope: ScopeId, length: Option<&CharacterLength>) -> Length {
        match length {
            None => Length::Known(1),
            Some(CharacterLength::Assumed) => Length::Assumed,
            Some(CharacterLength::Deferred) => Length::Deferred,
            Some(CharacterLength::Expression(expr)) => match self.integer(scope, expr) {
                Some(length) => Length::Known(u64::try_from(length).unwrap_or(0)),
                None => Length::Varying,
            },
        }
    }
}
