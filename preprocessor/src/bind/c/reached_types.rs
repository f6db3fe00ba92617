//! The types that pointers reach from a type.
//!
//! Input: the types of a unit, and the types that are stated for pointers to `void`.
//! Output: the structures that are not defined in the unit, or the first thing that a restart could not create again.
//! Postcondition: without an error, each type that the unit defines can be described, and the target of each pointer is known.

use std::collections::BTreeSet;

use cppc_grammar::c::token::Names;

use super::ids::RecordId;
use super::items::{Elsewhere, StatedType};
use super::symbols::{Scope, ScopeKind, Symbol};
use super::types::{ArrayLength, Kind, Tables, Type};

pub(super) const VOID: &str = "a pointer to `void` does not determine the type of its target";

/// The types of a unit, as they are known at a token. Without a token: at the end of the unit.
#[derive(Clone, Copy)]
pub(super) struct UnitTypes<'a> {
    pub tables: &'a Tables,
    pub symbols: &'a [Symbol],
    pub scopes: &'a [Scope],
    pub names: &'a Names,
    pub at: Option<u32>,
}

impl UnitTypes<'_> {
    pub fn is_incomplete(&self, id: RecordId) -> bool {
        let record = self.tables.record(id);
        record.fields.is_none() || self.at.is_some_and(|at| record.declared.start >= at)
    }

    pub fn is_of_file(&self, id: RecordId) -> bool {
        self.scopes[self.tables.record(id).scope.0 as usize].kind == ScopeKind::File
    }

    /// Whether generated code can name a structure.
    pub fn is_named(&self, id: RecordId) -> bool {
        let record = self.tables.record(id);
        let variable = || super::spell_type::variable_of(id, self.symbols, self.scopes);
        record.tag.is_some() || (self.is_of_file(id) && record.typedef.is_some()) || variable().is_some()
    }

    pub fn tag(&self, id: RecordId) -> Option<&str> {
        self.tables.record(id).tag.map(|tag| self.names.text(tag))
    }

    /// The first pointer in a structure or union that is saved as bytes.
    fn first_pointer(&self, id: RecordId) -> Option<String> {
        let fields = self.tables.record(id).fields.as_ref()?;
        fields.iter().find_map(|field| {
            let name = field.name.map_or("", |name| self.names.text(name));
            match &field.ty.leaf_element().kind {
                Kind::Pointer(_) => Some(name.to_owned()),
                Kind::Record(inner) => self.first_pointer(*inner).map(|inner| format!("{name}.{inner}")),
                _ => None,
            }
        })
    }
}

/// What a restart could not create again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unsavable {
    pub path: String,
    pub reason: String,
    pub help: &'static str,
}

fn unsavable(path: &str, reason: &str, help: &'static str) -> Result<(), Unsavable> {
    Err(Unsavable { path: path.to_owned(), reason: reason.to_owned(), help })
}

pub(super) struct Reach<'a> {
    types: UnitTypes<'a>,
    stated: &'a [(String, StatedType)],
    seen: BTreeSet<RecordId>,
    /// The names of the fields for which a stated type counts.
    pub used: BTreeSet<String>,
    /// Those of them that are pointers to `void`.
    pub untyped: BTreeSet<String>,
    /// The structures that are not defined here, each once.
    pub elsewhere: Vec<Elsewhere>,
}

impl<'a> Reach<'a> {
    pub fn new(types: UnitTypes<'a>, stated: &'a [(String, StatedType)]) -> Reach<'a> {
        let (used, untyped) = (BTreeSet::new(), BTreeSet::new());
        Reach { types, stated, seen: BTreeSet::new(), used, untyped, elsewhere: Vec::new() }
    }

    /// Checks what is at an access path, and what is reached from there.
    pub fn check(&mut self, ty: &Type, path: &str) -> Result<(), Unsavable> {
        let ty = ty.leaf_element();
        if super::bound::mpi_handle(ty, self.types.symbols, self.types.names) {
            return unsavable(
                path,
                "it is a handle of MPI, and its value is not valid in the next run",
                "keep it outside of what is registered, and create it in an `execute` block",
            );
        }
        match &ty.kind {
            Kind::Pointer(target) if target.is_function() => Ok(()),
            Kind::Pointer(target) => {
                let target = target.leaf_element().clone();
                self.target(&target, path)
            }
            Kind::Record(id) => self.fields_of(*id, path),
            _ if super::spell_type::element(ty, self.types.tables).is_some() => Ok(()),
            _ => unsavable(
                path,
                "a state file cannot contain values of this type",
                "leave it out of the structure",
            ),
        }
    }

    fn target(&mut self, target: &Type, path: &str) -> Result<(), Unsavable> {
        let field = path.rsplit(['.', '>']).next().unwrap_or(path);
        let stated = self.stated.iter().find(|(name, _)| name == field).map(|(_, ty)| ty.clone());
        // The user may also confirm the type of a pointer.
        let is_confirmed =
            matches!(&stated, Some(StatedType::Here(ty)) if ty.kind == target.unqualified().kind);
        if is_confirmed || (target.is_void() && stated.is_some()) {
            self.used.insert(field.to_owned());
        }
        match (&target.kind, stated) {
            (Kind::Void, Some(stated)) => {
                self.untyped.insert(field.to_owned());
                match stated {
                    StatedType::Here(ty) => self.check(&ty, &format!("*{path}")),
                    StatedType::Elsewhere { tag, .. } => {
                        self.found_elsewhere(tag, None, &format!("*{path}"));
                        Ok(())
                    }
                    StatedType::Unknown(_) => unsavable(
                        path,
                        "the source that declares this pointer to `void` cannot name its type",
                        "state a type with a tag: `struct name { … }`",
                    ),
                }
            }
            (Kind::Void, None) => unsavable(path, VOID, "state the type: `deep(root, field: type)`"),
            (Kind::Array { size: ArrayLength::Variable | ArrayLength::Unknown, .. }, _) => unsavable(
                path,
                "it points to an array whose length is not known",
                "use a pointer to the elements",
            ),
            (Kind::Pointer(_), _) => self.check(target, &format!("*{path}")),
            (_, _) => self.check(target, path),
        }
    }

    fn found_elsewhere(&mut self, tag: String, record: Option<RecordId>, path: &str) {
        if self.elsewhere.iter().all(|known| known.tag != tag) {
            self.elsewhere.push(Elsewhere { tag, record, path: path.to_owned() });
        }
    }

    fn fields_of(&mut self, id: RecordId, path: &str) -> Result<(), Unsavable> {
        if !self.seen.insert(id) {
            return Ok(());
        }
        let types = self.types;
        let record = types.tables.record(id);
        if types.tag(id) == Some("_IO_FILE") {
            return unsavable(
                path,
                "it is a stream of the C library",
                "open the file in an `execute` block, and keep the stream outside of what is registered",
            );
        }
        let Some(fields) = record.fields.as_ref().filter(|_| !types.is_incomplete(id)) else {
            return match types.tag(id).filter(|_| types.is_of_file(id)) {
                Some(tag) => {
                    self.found_elsewhere(tag.to_owned(), Some(id), path);
                    Ok(())
                }
                None => unsavable(
                    path,
                    "the type that it points to is incomplete here",
                    "define the structure before the directive",
                ),
            };
        };
        if !types.is_of_file(id) {
            return unsavable(
                path,
                "its structure is defined inside a procedure",
                "define the structure outside of procedures",
            );
        }
        if let Some(opaque) = super::spell_type::opaque(id, types.tables).filter(|found| found.whole) {
            let help = match record.union {
                true => "keep the pointer outside of unions",
                false => "give each union and structure in it a name: `union { … } u;`",
            };
            return match types.first_pointer(id) {
                Some(field) => unsavable(&format!("{path}.{field}"), opaque.reason, help),
                None => Ok(()),
            };
        }
        if !types.is_named(id) {
            return unsavable(
                path,
                "its structure has no name",
                "give the structure a tag: `struct name { … }`",
            );
        }
        for field in fields {
            let name = field.name.map_or("", |name| types.names.text(name));
            let path = if name.is_empty() { path.to_owned() } else { format!("{path}.{name}") };
            if matches!(field.ty.kind, Kind::Array { size: ArrayLength::Unknown | ArrayLength::Variable, .. })
                || matches!(field.ty.kind, Kind::Array { size: ArrayLength::Known(0), .. })
            {
                return unsavable(
                    &path,
                    "it is a flexible array, and the number of its elements is not known",
                    "use a pointer to memory of its own",
                );
            }
            self.check(&field.ty, &path)?;
        }
        Ok(())
    }
}
