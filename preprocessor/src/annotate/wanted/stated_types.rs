//! The types that the program gives to pointers to `void` in graphs.
//!
//! Input: where pointers point to, and the types of the variables that point to the same memory.
//! Output: the statements of a root: `data: struct item`.
//! Postcondition: all memory to which fields of a stated name may point has one type, and pointers only where this type has some. Without this, there is no statement, and
//! the translation refuses the root.

use std::collections::{BTreeMap, BTreeSet};

use cppc_analysis::points_to::MemoryKind;
use cppc_analysis::sets::{Memory, Range};

use super::super::declared_types::{DeclaredType, ElementType};
use super::Search;

/// The types of each memory, by their texts.
pub(super) type TypesOfMemory = BTreeMap<Memory, BTreeMap<String, ElementType>>;

/// The type for a name.
#[derive(Debug, PartialEq, Eq)]
enum Statement {
    /// The pointers are always null.
    Unset,
    One(String),
    Several,
}

/// The type of memory that pointers never point to.
const ANY_TYPE: &str = "char";

impl Search<'_> {
    /// The statements for a root, each after a comma.
    pub(super) fn statements(&self, root: Range) -> String {
        let points = &self.analysis.summaries.places.points;
        let types = self.types_of_memory();
        let mut found: BTreeMap<String, Statement> = BTreeMap::new();
        let (mut waiting, mut seen) = (vec![root.memory], BTreeSet::new());
        while let Some(memory) = waiting.pop() {
            if !seen.insert(memory) {
                continue;
            }
            let own: Vec<&ElementType> = types.get(&memory).into_iter().flat_map(BTreeMap::values).collect();
            let is_part =
                |start: u64, end: u64| memory != root.memory || (root.start < end && start < root.end);
            for (_, _, name) in
                own.iter().flat_map(|ty| &ty.untyped).filter(|field| is_part(field.0, field.1))
            {
                found.entry(name.clone()).or_insert(Statement::Unset);
            }
            for offset in points.pointers(memory) {
                if !is_part(offset, offset + 1) {
                    continue;
                }
                let targets = points.targets(memory, offset);
                let names: BTreeSet<&String> = own.iter().flat_map(|ty| fields_at(ty, offset)).collect();
                for (target, at) in targets {
                    match points.kind(target) {
                        MemoryKind::Heap(_) | MemoryKind::Object => waiting.push(target),
                        MemoryKind::Code(..)
                        | MemoryKind::Target { .. }
                        | MemoryKind::Library
                        | MemoryKind::Unknown => {}
                    }
                    let known = types.get(&target).filter(|_| at == Some(0));
                    let known = known
                        .and_then(only)
                        .filter(|ty| ty.fits(&points.pointers(target), points.size(target)));
                    let ty = known.map(|ty| ty.text.as_str());
                    for name in &names {
                        add(found.entry((*name).clone()).or_insert(Statement::Unset), ty);
                    }
                }
            }
        }
        let texts = found.into_iter().filter_map(|(name, statement)| match statement {
            Statement::Unset => Some(format!(", {name}: {ANY_TYPE}")),
            Statement::One(text) => Some(format!(", {name}: {text}")),
            Statement::Several => None,
        });
        texts.collect()
    }

    fn types_of_memory(&self) -> &TypesOfMemory {
        self.types_of_memory.get_or_init(|| {
            let points = &self.analysis.summaries.places.points;
            let mut found = TypesOfMemory::new();
            for variable in &self.program.variables {
                let declared = variable.declared.filter(|declared| (self.is_c)(*declared));
                let Some(ty) = declared.and_then(|declared| (self.declared_type)(declared)) else { continue };
                let object = Memory::from(variable.object);
                match ty {
                    DeclaredType::Pointer(ty) => {
                        for (target, at) in points.targets(object, variable.offset) {
                            if at == Some(0) {
                                found.entry(target).or_default().insert(ty.text.clone(), ty.clone());
                            }
                        }
                    }
                    DeclaredType::Other(ty) if variable.offset == 0 => {
                        found.entry(object).or_default().insert(ty.text.clone(), ty);
                    }
                    DeclaredType::Other(_) => {}
                }
            }
            found
        })
    }
}

fn fields_at(ty: &ElementType, offset: u64) -> impl Iterator<Item = &String> {
    let within = if ty.bytes > 0 { offset % ty.bytes } else { offset };
    let here = ty.untyped.iter().filter(move |(start, end, _)| *start <= within && within < *end);
    here.map(|(_, _, name)| name)
}

/// The type of memory, if it has one. Characters may be parts of anything.
fn only(types: &BTreeMap<String, ElementType>) -> Option<&ElementType> {
    let mut all = types.values().filter(|ty| !ty.is_character);
    match (all.next(), all.next()) {
        (Some(one), None) => Some(one),
        (Some(_), Some(_)) => None,
        (None, _) => types.values().next(),
    }
}

fn add(statement: &mut Statement, ty: Option<&str>) {
    *statement = match (std::mem::replace(statement, Statement::Several), ty) {
        (Statement::Unset, Some(text)) => Statement::One(text.to_owned()),
        (Statement::One(known), Some(text)) if known == text => Statement::One(known),
        (Statement::Unset | Statement::One(_) | Statement::Several, _) => Statement::Several,
    };
}
