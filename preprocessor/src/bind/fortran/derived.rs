//! Derived types: their components, and the procedures bound to them.
//!
//! Input: `TYPE … END TYPE`.
//! Output: a `Derived`.
//! Postcondition: a type has its name in its scope before its components are looked at, so that they may
//! point to it.

use cppc_grammar::fortran::logical::LineId;
use cppc_grammar::fortran::tree::{
    Attribute, BaseType, DerivedType, Entity, Statement, StatementKind, TypeSpec,
};

use super::bound::Bound;
use super::ids::{Origin, ProcedureId, ScopeId, TypeId};
use super::symbols::{Symbol, SymbolKind};
use super::types::{Binding, Component, Derived, FirstTarget, Type};

/// Types have names of their own: a generic procedure may be called like one.
fn type_key(name: &str) -> String {
    format!("type {name}")
}

/// Handles of MPI in its newer module.
const HANDLES: [&str; 11] = [
    "mpi_comm",
    "mpi_datatype",
    "mpi_errhandler",
    "mpi_file",
    "mpi_group",
    "mpi_info",
    "mpi_message",
    "mpi_op",
    "mpi_request",
    "mpi_session",
    "mpi_win",
];

impl<'a> Bound<'a> {
    /// Gives the types of a specification part their names.
    pub(super) fn declare_types(&mut self, scope: ScopeId, statements: &'a [Statement]) {
        let source = self.scope(scope).source;
        for statement in statements {
            if let StatementKind::DerivedType(found) = &statement.kind {
                let origin = Origin::of(source, &found.name);
                let id = self.push_type(scope, &found.name.text, origin);
                self.types[id.0 as usize].parameterized = found.is_parameterized;
            }
        }
    }

    pub(super) fn push_type(&mut self, scope: ScopeId, name: &str, origin: Origin) -> TypeId {
        let id = TypeId(self.types.len() as u32);
        self.types.push(Derived {
            name: name.to_owned(),
            origin,
            scope,
            parent: None,
            components: Vec::new(),
            bindings: Vec::new(),
            opaque: false,
            handle: HANDLES.contains(&name),
            parameterized: false,
            extensible: true,
            is_abstract: false,
        });
        let mut symbol = Symbol::new(&type_key(name), scope, origin);
        (symbol.kind, symbol.typed) = (SymbolKind::Type(id), true);
        self.push_symbol(symbol);
        id
    }

    pub(super) fn type_named(&self, scope: ScopeId, name: &str) -> Option<TypeId> {
        match self.symbol(self.lookup(scope, &type_key(name))?).kind {
            SymbolKind::Type(id) => Some(id),
            _ => None,
        }
    }

    /// `TYPE(name)`, `CLASS(name)`.
    pub(super) fn type_of_name(&mut self, scope: ScopeId, base: &BaseType) -> Type {
        let (name, class) = match base {
            BaseType::Type(name) => (name, false),
            BaseType::Class(Some(name)) => (name, true),
            _ => return Type::Class(None),
        };
        let known = self.type_named(scope, &name.text);
        let id = known.unwrap_or_else(|| {
            // Of a module that was not found: it is one type wherever that module is used.
            let home = self.outer_scope(scope);
            let id = self.push_type(home, &name.text, Origin::built_in());
            self.types[id.0 as usize].opaque = true;
            id
        });
        if class {
            Type::Class(Some(id))
        } else {
            Type::Derived(id)
        }
    }

    pub(super) fn define_type(&mut self, scope: ScopeId, found: &'a DerivedType, line: LineId) {
        let Some(id) = self.type_named(scope, &found.name.text) else { return };
        let parent = found.extends.as_ref().and_then(|name| self.type_named(scope, &name.text));
        self.types[id.0 as usize].opaque |= found.extends.is_some() && parent.is_none();
        self.types[id.0 as usize].parent = parent;
        self.types[id.0 as usize].is_abstract = found.is_abstract;
        self.types[id.0 as usize].extensible = !found.is_sequence && !found.bind;
        let mut components = Vec::new();
        let mut is_private = false;
        for statement in &found.components {
            match &statement.kind {
                StatementKind::TypeDeclaration { spec, attributes, entities } => {
                    let parts = entities.iter().map(|entity| {
                        let component = self.component(scope, spec, attributes, entity);
                        Component { private: access(attributes).unwrap_or(is_private), ..component }
                    });
                    components.extend(parts.collect::<Vec<_>>());
                }
                StatementKind::Access { private, names } if names.is_empty() => is_private = *private,
                StatementKind::ProcedureDeclaration { names, targets, .. } => {
                    components.extend(names.iter().map(|name| Component {
                        name: name.text.clone(),
                        ty: Type::Unknown,
                        shape: &[],
                        allocatable: false,
                        pointer: true,
                        private: is_private,
                        procedure: true,
                        first_target: Some(FirstTarget::Procedures(targets)).filter(|_| !targets.is_empty()),
                    }));
                }
                _ => {}
            }
        }
        let source = self.scope(scope).source;
        // `type, public :: name`: the tree leaves the words out.
        let header = self.text(source, self.statement_at(source, line)).to_ascii_lowercase();
        let attributes = header.split("::").next().filter(|_| header.contains("::")).unwrap_or_default();
        for word in attributes.split(',').map(str::trim) {
            if matches!(word, "public" | "private") {
                let access = &mut self.scopes[scope.0 as usize].access;
                access.insert(found.name.text.clone(), word == "private");
            }
        }
        let bindings = match found.end {
            Some(end) => self.bindings(source, line, end),
            None => Vec::new(),
        };
        let ty = &mut self.types[id.0 as usize];
        (ty.components, ty.bindings) = (components, bindings);
    }

    fn component(
        &mut self,
        scope: ScopeId,
        spec: &'a TypeSpec,
        attributes: &'a [Attribute],
        entity: &'a Entity,
    ) -> Component<'a> {
        let ty = self.type_of_entity(scope, spec, entity.length.as_ref());
        let mut component = Component {
            name: entity.name.text.clone(),
            ty,
            shape: &[],
            allocatable: false,
            pointer: false,
            private: false,
            procedure: false,
            first_target: None,
        };
        for attribute in attributes {
            match attribute {
                Attribute::Dimension(shape) => component.shape = shape,
                Attribute::Allocatable => component.allocatable = true,
                Attribute::Pointer => component.pointer = true,
                _ => {}
            }
        }
        if let Some(shape) = &entity.shape {
            component.shape = shape;
        }
        component.first_target =
            entity.initial.as_ref().filter(|_| component.pointer).map(FirstTarget::Designator);
        component
    }

    /// The procedures bound to a type: what stands behind `CONTAINS`.
    fn bindings(&self, source: usize, first: LineId, end: LineId) -> Vec<Binding> {
        let mut list = Vec::new();
        let mut behind = false;
        for line in first.0 + 1..end.0 {
            let at = self.statement_at(source, LineId(line));
            let text = self.text(source, at).to_ascii_lowercase();
            let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
            match behind {
                false => behind = text == "contains",
                true => list.extend(binding(&text)),
            }
        }
        list
    }

    /// A component by its name, those of the types that are extended among them.
    pub fn component_of(&self, ty: TypeId, name: &str) -> Option<(&Component<'a>, TypeId)> {
        let mut next = Some(ty);
        for _ in 0..MOST_ANCESTORS {
            let id = next?;
            let derived = self.derived(id);
            if let Some(found) = derived.components.iter().find(|component| component.name == name) {
                return Some((found, id));
            }
            next = derived.parent;
        }
        None
    }

    /// The type that a type extends, when it goes by this name: `x%parent` is all of it.
    pub fn ancestor_named(&self, ty: TypeId, name: &str) -> Option<TypeId> {
        let mut next = self.derived(ty).parent;
        for _ in 0..MOST_ANCESTORS {
            let id = next?;
            if self.derived(id).name == name {
                return Some(id);
            }
            next = self.derived(id).parent;
        }
        None
    }

    /// All components, those of the types that are extended first.
    pub fn components_of(&self, ty: TypeId) -> Vec<&Component<'a>> {
        let mut chain = vec![ty];
        while let Some(parent) = self.derived(chain[chain.len() - 1]).parent {
            if chain.len() >= MOST_ANCESTORS || chain.contains(&parent) {
                break;
            }
            chain.push(parent);
        }
        chain.iter().rev().flat_map(|&id| &self.derived(id).components).collect()
    }

    /// Whether what a type consists of is known, ancestors included.
    pub fn is_opaque(&self, ty: TypeId) -> bool {
        let mut next = Some(ty);
        for _ in 0..MOST_ANCESTORS {
            let Some(id) = next else { return false };
            if self.derived(id).opaque || self.derived(id).parameterized {
                return true;
            }
            next = self.derived(id).parent;
        }
        true
    }

    /// The binding of a type, or of one that it extends.
    pub fn binding_of(&self, ty: TypeId, name: &str) -> Option<(&Binding, TypeId)> {
        let mut next = Some(ty);
        for _ in 0..MOST_ANCESTORS {
            let id = next?;
            if let Some(found) = self.derived(id).bindings.iter().find(|binding| binding.name == name) {
                return Some((found, id));
            }
            next = self.derived(id).parent;
        }
        None
    }

    /// Where the object of `object%name(…)` is among the dummy arguments of a procedure that this may call;
    /// none if it is not passed. `ty` is the object's type, if that is known.
    pub fn passed_object(&self, ty: Option<TypeId>, name: &str, callee: ProcedureId) -> Option<usize> {
        let leads = |home: TypeId, binding: &Binding| {
            let target = binding.targets.first().filter(|_| !binding.generic);
            let scope = self.derived(home).scope;
            target.and_then(|target| self.procedure_named(scope, target)) == Some(callee)
        };
        let binding = match ty {
            Some(ty) => {
                let (whole, _) = self.binding_of(ty, name)?;
                let names = whole
                    .targets
                    .iter()
                    .filter(|_| whole.generic)
                    .filter_map(|name| self.binding_of(ty, name));
                let specific = names.into_iter().find(|(binding, home)| leads(*home, binding));
                specific.map_or(whole, |(binding, _)| binding)
            }
            None => (0..self.types.len() as u32).map(TypeId).find_map(|home| {
                let bindings = &self.derived(home).bindings;
                bindings.iter().find(|binding| binding.name == name && leads(home, binding))
            })?,
        };
        match &binding.pass {
            _ if binding.nopass => None,
            Some(name) => self.dummy_named(callee, name),
            None => Some(0),
        }
    }

    /// Whether the one type extends the other, or is it.
    pub fn extends(&self, ty: TypeId, ancestor: TypeId) -> bool {
        let mut next = Some(ty);
        for _ in 0..MOST_ANCESTORS {
            match next {
                None => return false,
                Some(id) if id == ancestor => return true,
                Some(id) => next = self.derived(id).parent,
            }
        }
        false
    }
}

/// Types extend one another no deeper than this; what goes further goes round.
const MOST_ANCESTORS: usize = 64;

/// `procedure,pass(this)::step=>advance`, without blanks and in lower case.
fn binding(text: &str) -> Vec<Binding> {
    let (generic, rest) = match (text.strip_prefix("procedure"), text.strip_prefix("generic")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return Vec::new(),
    };
    let (head, names) = match rest.split_once("::") {
        Some((head, names)) => (head, names),
        // Without attributes the colons may be left out, but not behind an interface.
        None if rest.starts_with('(') => rest.split_once(')').unwrap_or(("", rest)),
        None => ("", rest),
    };
    let has = |word: &str| head.split([',', '(', ')']).any(|part| part == word);
    let pass =
        head.split_once("pass(").and_then(|(_, rest)| rest.split_once(')')).map(|(name, _)| name.to_owned());
    let interface =
        rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(name, _)| name.to_owned());
    let made = |name: &str, targets: Vec<String>| Binding {
        name: name.to_owned(),
        targets,
        generic,
        nopass: has("nopass"),
        deferred: has("deferred"),
        pass: pass.clone(),
        interface: interface.clone(),
    };
    if generic {
        let Some((name, targets)) = names.split_once("=>") else { return Vec::new() };
        return vec![made(name, targets.split(',').map(str::to_owned).collect())];
    }
    let list = names.split(',').filter(|name| !name.is_empty()).map(|one| match one.split_once("=>") {
        Some((name, target)) => made(name, vec![target.to_owned()]),
        None => made(one, vec![one.to_owned()]),
    });
    list.collect()
}

/// Whether the attributes make a component private, if they say so.
fn access(attributes: &[Attribute]) -> Option<bool> {
    attributes.iter().find_map(|attribute| match attribute {
        Attribute::Private => Some(true),
        Attribute::Public => Some(false),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_are_read() {
        let found = binding("procedure,pass(this),private::step=>advance,stop");
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].name.as_str(), found[0].targets[0].as_str()), ("step", "advance"));
        assert_eq!(found[0].pass.as_deref(), Some("this"));
        assert_eq!(found[1].targets, ["stop"]);
        let deferred = &binding("procedure(solver),deferred,nopass::solve")[0];
        assert!(deferred.deferred);
        assert_eq!(deferred.interface.as_deref(), Some("solver"));
        assert!(binding("generic::operator(+)=>add,add_real")[0].generic);
        assert!(binding("final::destroy").is_empty());
    }
}
