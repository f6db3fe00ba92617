//! `deep(root, field: type)`: the types that are reached from a root.
//!
//! Input: the type of a root, and the types that the user has stated.
//! Output: diagnostics for what a restart could not create again.
//! Postcondition: if there are none, each reachable type can be described, and the target of each pointer is known.

use std::collections::BTreeSet;

use cppc_grammar::c::token::Token;
use cppc_grammar::directive::{CDeep, CItem};
use cppc_source::Diagnostic;

use super::amount::Memory;
use super::binder::Binder;
use super::ids::RecordId;
use super::items::{Graph, Selections};
use super::symbols::ScopeKind;
use super::types::{ArrayLength, Kind, Type};

const INCOMPLETE: &str = "the type that it points to is incomplete here";
const DEFINE: &str =
    "define the structure before the directive, or write the directive in a file that defines the structure";

impl Binder<'_> {
    pub(super) fn graph(
        &mut self,
        pragma: usize,
        item: &CItem,
        deep: &CDeep,
        memory: &Memory,
    ) -> Option<(Graph, Selections)> {
        let root = &memory.counted.leaf_element().unqualified();
        let mut stated = Vec::new();
        for part in &deep.stated {
            let all = &self.preprocessed.pragmas[pragma].expanded;
            let field = all.get(part.field.clone()).unwrap_or_default();
            let type_name = all.get(part.type_name.clone()).unwrap_or_default();
            let ([field], false) = (field, type_name.is_empty()) else {
                self.refuse_statement(item, &part.text);
                return None;
            };
            let field = self.text(field.text).to_owned();
            // `(type) root` has the type.
            let (open, close) = (item.lvalue.start - 1, all.get(item.tokens().end - 1).copied());
            let mut tokens: Vec<Token> = vec![all[open]];
            tokens.extend_from_slice(type_name);
            tokens.extend(close);
            tokens.extend_from_slice(all.get(item.lvalue.clone()).unwrap_or_default());
            let expression = self.typed_list(item, &tokens)?;
            let ty = self.type_of(expression.id).unqualified();
            stated.push((field, ty));
        }
        let selections = self.selections(pragma, item, memory, &stated)?;
        let mut check = Check { item, stated: &stated, seen: BTreeSet::new(), used: BTreeSet::new() };
        let text = item.lvalue_text.clone();
        if !self.check_reached(&mut check, root, &text) {
            return None;
        }
        let unused =
            stated.iter().find(|(field, _)| !check.used.contains(field)).map(|(field, _)| field.clone());
        if let Some(field) = unused {
            self.refuse_statement(item, &format!("{field}: …"));
            return None;
        }
        Some((Graph { root: root.clone(), stated }, selections))
    }

    fn refuse_statement(&mut self, item: &CItem, text: &str) {
        let diagnostic =
            Diagnostic::error("C0438", item.span, format!("`{text}` states no type of a pointer"))
                .because(
                    "no field of this name that is reached is a pointer to `void` or to this type, or the type is missing",
                )
                .help("write the name of a field, a colon and a type: `deep(root, data: struct item)`");
        self.diagnostics.push(diagnostic);
    }

    /// Checks what is at an access path, and what is reached from there.
    fn check_reached(&mut self, check: &mut Check, ty: &Type, path: &str) -> bool {
        let ty = ty.leaf_element();
        if self.is_handle(ty) {
            return self.refuse_reached(
                check,
                path,
                "it is a handle of MPI, and its value is not valid in the next run",
                "keep it outside of what is registered, and create it in an `execute` block",
            );
        }
        match &ty.kind {
            Kind::Pointer(target) if target.is_function() => true,
            Kind::Pointer(target) => {
                let target = target.leaf_element().clone();
                self.check_target(check, &target, path)
            }
            Kind::Record(id) => self.check_fields_of(check, *id, path),
            _ if self.element(ty).is_some() => true,
            _ => self.refuse_reached(
                check,
                path,
                "a state file cannot contain values of this type",
                "leave it out of the structure",
            ),
        }
    }

    fn check_target(&mut self, check: &mut Check, target: &Type, path: &str) -> bool {
        let field = path.rsplit(['.', '>']).next().unwrap_or(path);
        let stated = check.stated.iter().find(|(name, _)| name == field).map(|(_, ty)| ty.clone());
        // The user may also confirm the type of a pointer.
        if stated.as_ref().is_some_and(|ty| ty.kind == target.unqualified().kind) {
            check.used.insert(field.to_owned());
        }
        match (&target.kind, stated) {
            (Kind::Void, Some(ty)) => {
                check.used.insert(field.to_owned());
                self.check_reached(check, &ty, &format!("*{path}"))
            }
            (Kind::Void, None) => self.refuse_reached(
                check,
                path,
                "a pointer to `void` does not determine the type of its target",
                "state the type: `deep(root, field: type)`",
            ),
            (Kind::Record(_), _) if self.is_incomplete_here(target) => {
                self.refuse_reached(check, path, INCOMPLETE, DEFINE)
            }
            (Kind::Array { size: ArrayLength::Variable | ArrayLength::Unknown, .. }, _) => self
                .refuse_reached(
                    check,
                    path,
                    "it points to an array whose length is not known",
                    "use a pointer to the elements",
                ),
            (Kind::Record(_), _) => self.check_reached(check, target, path),
            (Kind::Pointer(_), _) => self.check_reached(check, target, &format!("*{path}")),
            (_, _) => self.check_reached(check, target, path),
        }
    }

    fn check_fields_of(&mut self, check: &mut Check, id: RecordId, path: &str) -> bool {
        if !check.seen.insert(id) {
            return true;
        }
        let record = self.tables.record(id);
        let is_file = record.tag.is_some_and(|tag| self.text(tag) == "_IO_FILE");
        let is_inner = self.scopes[record.scope.0 as usize].kind != ScopeKind::File;
        let is_incomplete = self.is_incomplete_here(&Kind::Record(id).into());
        let Some(fields) = record.fields.clone().filter(|_| !is_incomplete) else {
            return self.refuse_reached(check, path, INCOMPLETE, DEFINE);
        };
        let opaque = super::spell_type::opaque(id, &self.tables).filter(|found| found.whole);
        if is_file {
            return self.refuse_reached(
                check,
                path,
                "it is a stream of the C library",
                "open the file in an `execute` block, and keep the stream outside of what is registered",
            );
        }
        if is_inner {
            return self.refuse_reached(
                check,
                path,
                "its structure is defined inside a procedure",
                "define the structure outside of procedures",
            );
        }
        if let Some(opaque) = opaque {
            return match self.first_pointer(id) {
                Some(field) => self.refuse_reached(
                    check,
                    &format!("{path}.{field}"),
                    opaque.reason,
                    match self.tables.record(id).union {
                        true => "keep the pointer outside of unions",
                        false => "give each union and structure in it a name: `union { … } u;`",
                    },
                ),
                None => true,
            };
        }
        if !self.is_named(id) {
            return self.refuse_reached(
                check,
                path,
                "its structure has no name",
                "give the structure a tag: `struct name { … }`",
            );
        }
        for field in &fields {
            let name = field.name.map_or("", |name| self.text(name));
            let path = if name.is_empty() { path.to_owned() } else { format!("{path}.{name}") };
            if matches!(field.ty.kind, Kind::Array { size: ArrayLength::Unknown | ArrayLength::Variable, .. })
                || matches!(field.ty.kind, Kind::Array { size: ArrayLength::Known(0), .. })
            {
                return self.refuse_reached(
                    check,
                    &path,
                    "it is a flexible array, and the number of its elements is not known",
                    "use a pointer to memory of its own",
                );
            }
            if !self.check_reached(check, &field.ty, &path) {
                return false;
            }
        }
        true
    }

    /// The first pointer in a structure or union that is saved as bytes.
    fn first_pointer(&self, id: RecordId) -> Option<String> {
        let fields = self.tables.record(id).fields.as_ref()?;
        fields.iter().find_map(|field| {
            let name = field.name.map_or("", |name| self.text(name));
            match &field.ty.leaf_element().kind {
                Kind::Pointer(_) => Some(name.to_owned()),
                Kind::Record(inner) => self.first_pointer(*inner).map(|inner| format!("{name}.{inner}")),
                _ => None,
            }
        })
    }

    fn refuse_reached(&mut self, check: &Check, path: &str, reason: &str, help: &str) -> bool {
        let item = check.item;
        let diagnostic = Diagnostic::error(
            "C0437",
            item.span,
            format!("`{}` reaches `{path}`, which cannot be saved", item.text),
        )
        .because(reason)
        .help(help);
        self.diagnostics.push(diagnostic);
        false
    }
}

struct Check<'a> {
    item: &'a CItem,
    stated: &'a [(String, Type)],
    seen: BTreeSet<RecordId>,
    used: BTreeSet<String>,
}
