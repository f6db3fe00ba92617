//! The types of graphs.
//!
//! Input: the layouts, and what each pointer in them points to.
//! Output: for each type that is reachable, its components, its pointers, and the layout of its saved elements.
//! Postcondition: every pointer of a type that is given out has a known target.

use super::plain::PlainWords;
use super::type_tables::TypeTables;
use crate::manifest::{Field, StructType};
use crate::register::Layouts;
use cppc_abi::types::{FUNCTION, POINTER, UNSIGNED_LONG};
use std::collections::{HashMap, HashSet};
use thiserror::Error;

/// What a pointer points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointee {
    /// Elements of a type, by its index.
    Type(usize),
    Function,
    /// Elements of the dynamic type of a polymorphic variable of Fortran. Its type table is at the address that is so many
    /// bytes after the pointer.
    Dynamic {
        table: usize,
    },
    /// The type table of a derived type.
    Table,
}

/// What a pointer was declared to point to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declared {
    Code(i32),
    Dynamic { table: usize },
    Table,
}

/// A pointer in an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementPointer {
    /// In bytes.
    pub offset: usize,
    pub pointee: Pointee,
    /// Whether the user has stated what it points to.
    pub is_stated: bool,
    /// Whether it is the address in the descriptor of an array of Fortran. An array without elements has an address too.
    pub is_of_array: bool,
    /// Whether it is a pointer or an allocatable of Fortran. Such a pointer may have no value, even if the program is correct.
    pub is_of_fortran: bool,
}

/// The field of an element that is itself a pointer.
pub const TARGET: &str = "*";

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GraphTypeError {
    #[error("the type of what `{field}` of `{structure}` points to is not known")]
    Unknown { structure: String, field: String },
    #[error("`{field}` of `{structure}` points to different types in different files")]
    Different { structure: String, field: String },
    #[error("`{structure}` has no pointer `{field}`")]
    NoPointer { structure: String, field: String },
    #[error("the type {0} cannot be described")]
    Type(i32),
}

/// A type of elements in a graph.
#[derive(Debug, Clone)]
pub struct GraphType {
    pub code: i32,
    /// The code of its saved elements, in which references replace pointers. They have the same size.
    pub saved_code: i32,
    pub element_bytes: usize,
    /// The offset and the type code of each component, sorted.
    pub components: Vec<(u32, i32)>,
    /// For each byte, one more than the index of the component that begins there, or 0.
    component_at: Vec<u32>,
    pub pointers: Vec<ElementPointer>,
    /// The parts that are no pointers and may contain one by mistake.
    pub plain: PlainWords,
}

impl GraphType {
    /// The number of the component that begins at this offset of an element.
    pub fn component(&self, offset: usize) -> Option<usize> {
        match self.component_at.get(offset) {
            Some(0) | None => None,
            Some(number) => Some(*number as usize - 1),
        }
    }

    /// The positions of this many elements, and of their end.
    pub fn positions(&self, count: u64) -> u64 {
        count * self.components.len() as u64 + 1
    }
}

#[derive(Debug, Default)]
pub struct GraphTypes {
    /// For each structure and field, what it points to.
    targets: HashMap<(i32, String), Declared>,
    /// The structures and fields for which the user has stated what they point to.
    stated: HashSet<(i32, String)>,
    /// The structures that are descriptors of arrays of Fortran.
    descriptors: HashSet<i32>,
    /// The structures in which everything but the pointers may have no value yet.
    undefined: HashSet<i32>,
    /// The derived types of Fortran.
    derived: HashSet<i32>,
    tables: TypeTables,
    list: Vec<GraphType>,
    by_code: HashMap<i32, usize>,
}

impl GraphTypes {
    /// Declares what the pointers of a field point to.
    pub fn declare(
        &mut self,
        layouts: &Layouts,
        code: i32,
        field: &str,
        target: i32,
    ) -> Result<(), GraphTypeError> {
        self.declare_as(layouts, code, field, Declared::Code(target))
    }

    /// Declares that the pointers of a field point to elements of a dynamic type. The address of its type table is so many
    /// bytes after the pointer.
    pub fn declare_dynamic(
        &mut self,
        layouts: &Layouts,
        code: i32,
        field: &str,
        table: usize,
    ) -> Result<(), GraphTypeError> {
        self.declare_as(layouts, code, field, Declared::Dynamic { table })
    }

    /// Declares that the pointers of a field point to type tables.
    pub fn declare_table(&mut self, layouts: &Layouts, code: i32, field: &str) -> Result<(), GraphTypeError> {
        self.declare_as(layouts, code, field, Declared::Table)
    }

    fn declare_as(
        &mut self,
        layouts: &Layouts,
        code: i32,
        field: &str,
        target: Declared,
    ) -> Result<(), GraphTypeError> {
        let structure = layouts.structure(code).ok_or(GraphTypeError::Type(code))?;
        let names = || (structure.name.clone(), field.to_owned());
        if !structure.fields.iter().any(|known| known.name == field && known.type_code == POINTER) {
            let (structure, field) = names();
            return Err(GraphTypeError::NoPointer { structure, field });
        }
        match self.targets.insert((code, field.to_owned()), target) {
            Some(before) if before != target => {
                let (structure, field) = names();
                Err(GraphTypeError::Different { structure, field })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Declares that a structure is the descriptor of an array of Fortran, before it is used.
    pub fn declare_descriptor(&mut self, code: i32) {
        self.descriptors.insert(code);
        self.declare_undefined(code);
    }

    /// Declares, before a structure is used, that everything in it but the pointers may have no value yet.
    pub fn declare_undefined(&mut self, code: i32) {
        self.undefined.insert(code);
    }

    /// Declares that a structure is a derived type of Fortran, before it is used.
    pub fn declare_derived(&mut self, code: i32) {
        self.derived.insert(code);
    }

    /// Whether some are derived types of Fortran.
    pub fn are_of_fortran(&self) -> bool {
        !self.derived.is_empty()
    }

    pub fn tables(&self) -> &TypeTables {
        &self.tables
    }

    pub fn tables_mut(&mut self) -> &mut TypeTables {
        &mut self.tables
    }

    fn is_of_fortran(&self, code: i32) -> bool {
        self.derived.contains(&code) || self.descriptors.contains(&code)
    }

    /// Declares that the user has stated what the pointers of a field point to.
    pub fn declare_stated(
        &mut self,
        layouts: &mut Layouts,
        code: i32,
        field: &str,
    ) -> Result<(), GraphTypeError> {
        if !self.stated.insert((code, field.to_owned())) {
            return Ok(());
        }
        for index in 0..self.list.len() {
            if self.list[index].code != POINTER {
                self.list[index].pointers = self.pointers(layouts, self.list[index].code)?;
            }
        }
        Ok(())
    }

    pub fn get(&self, index: usize) -> &GraphType {
        &self.list[index]
    }

    pub fn index(&self, code: i32) -> Option<usize> {
        self.by_code.get(&code).copied()
    }

    pub fn slot_index(&self, code: i32) -> Option<usize> {
        self.index(-1 - code)
    }

    pub fn all(&self) -> &[GraphType] {
        &self.list
    }

    /// Adds the type, and all types that its pointers may reach.
    pub fn add(&mut self, layouts: &mut Layouts, code: i32) -> Result<usize, GraphTypeError> {
        let before = self.list.len();
        let first = self.reserve(layouts, code)?;
        for code in self.tables.codes() {
            self.reserve(layouts, code)?;
        }
        let mut next = first.min(before);
        while next < self.list.len() {
            if self.list[next].pointers.is_empty() {
                self.list[next].pointers = self.pointers(layouts, self.list[next].code)?;
            }
            next += 1;
        }
        Ok(first)
    }

    /// The type of a variable that is a pointer to elements of this type.
    pub fn add_slot(&mut self, layouts: &mut Layouts, code: i32) -> Result<usize, GraphTypeError> {
        let target = self.add(layouts, code)?;
        let key = -1 - code;
        if let Some(known) = self.by_code.get(&key) {
            return Ok(*known);
        }
        let mut component_at = vec![0; size_of::<usize>()];
        component_at[0] = 1;
        self.list.push(GraphType {
            code: POINTER,
            saved_code: UNSIGNED_LONG,
            element_bytes: size_of::<usize>(),
            components: vec![(0, POINTER)],
            component_at,
            pointers: vec![ElementPointer {
                offset: 0,
                pointee: Pointee::Type(target),
                is_stated: false,
                is_of_array: false,
                is_of_fortran: self.is_of_fortran(code),
            }],
            plain: PlainWords::none(),
        });
        self.by_code.insert(key, self.list.len() - 1);
        Ok(self.list.len() - 1)
    }

    fn reserve(&mut self, layouts: &mut Layouts, code: i32) -> Result<usize, GraphTypeError> {
        if let Some(known) = self.by_code.get(&code) {
            return Ok(*known);
        }
        let element_bytes = layouts.element_bytes(code).map_err(|_| GraphTypeError::Type(code))?;
        let mut components = Vec::new();
        flatten(layouts, code, 0, &mut components);
        let mut component_at = vec![0; element_bytes];
        // Bit-fields share bytes. The first of them counts.
        for (index, (offset, _)) in components.iter().enumerate().rev() {
            component_at[*offset as usize] = index as u32 + 1;
        }
        let saved_code = saved_form(layouts, code)?;
        let plain = PlainWords::new(layouts, code, element_bytes, &self.undefined);
        self.list.push(GraphType {
            code,
            saved_code,
            element_bytes,
            components,
            component_at,
            pointers: Vec::new(),
            plain,
        });
        self.by_code.insert(code, self.list.len() - 1);
        Ok(self.list.len() - 1)
    }

    /// The pointers in one element.
    fn pointers(&mut self, layouts: &mut Layouts, code: i32) -> Result<Vec<ElementPointer>, GraphTypeError> {
        let Some(structure) = layouts.structure(code).cloned() else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for field in &structure.fields {
            let element_bytes =
                layouts.element_bytes(field.type_code).map_err(|_| GraphTypeError::Type(field.type_code))?;
            let inner = match field.type_code {
                POINTER => {
                    let pointee = self.pointee(layouts, code, &structure, field)?;
                    let is_stated = self.stated.contains(&(code, field.name.clone()));
                    let (is_of_array, is_of_fortran) =
                        (self.descriptors.contains(&code), self.is_of_fortran(code));
                    vec![ElementPointer { offset: 0, pointee, is_stated, is_of_array, is_of_fortran }]
                }
                inner => self.pointers(layouts, inner)?,
            };
            for element in 0..if inner.is_empty() { 0 } else { field.count as usize } {
                let start = field.offset_bytes as usize + element * element_bytes;
                found.extend(
                    inner.iter().map(|pointer| ElementPointer { offset: start + pointer.offset, ..*pointer }),
                );
            }
        }
        Ok(found)
    }

    fn pointee(
        &mut self,
        layouts: &mut Layouts,
        code: i32,
        structure: &StructType,
        field: &Field,
    ) -> Result<Pointee, GraphTypeError> {
        match self.targets.get(&(code, field.name.clone())) {
            None => {
                Err(GraphTypeError::Unknown { structure: structure.name.clone(), field: field.name.clone() })
            }
            Some(&Declared::Code(FUNCTION)) => Ok(Pointee::Function),
            Some(&Declared::Code(target)) => self.reserve(layouts, target).map(Pointee::Type),
            Some(&Declared::Dynamic { table }) => Ok(Pointee::Dynamic { table }),
            Some(&Declared::Table) => Ok(Pointee::Table),
        }
    }

    /// Whether elements of `outer` have an element of `inner` at this offset.
    pub fn contains(&self, outer: usize, offset: usize, inner: usize) -> bool {
        if outer == inner && offset == 0 {
            return true;
        }
        let (outer, inner) = (&self.list[outer], &self.list[inner]);
        let Some(first) = outer.component(offset) else { return false };
        if offset + inner.element_bytes > outer.element_bytes {
            return false;
        }
        let there = outer.components[first..].iter().map(|(at, code)| (*at as usize - offset, *code));
        let wanted = inner.components.iter().map(|(at, code)| (*at as usize, *code));
        // The same pointers with other targets would give their targets other types.
        let has = |wanted: &ElementPointer| {
            let mut pointers = outer.pointers.iter();
            pointers.any(|one| one.offset == offset + wanted.offset && one.pointee == wanted.pointee)
        };
        there.take(inner.components.len()).eq(wanted) && inner.pointers.iter().all(has)
    }
}

/// Collects the scalars of an element.
fn flatten(layouts: &Layouts, code: i32, start: u32, found: &mut Vec<(u32, i32)>) {
    let Some(structure) = layouts.structure(code) else {
        found.push((start, code));
        return;
    };
    for field in &structure.fields {
        let element_bytes = layouts.element_bytes(field.type_code).unwrap_or(0) as u32;
        // A pointer may point to the beginning of a union, but its members have different positions in other machines.
        if field.condition().is_some() {
            let at = start + field.offset_bytes as u32;
            if found.iter().all(|(known, _)| *known != at) {
                found.push((at, field.type_code));
            }
            continue;
        }
        for element in 0..field.count as u32 {
            flatten(
                layouts,
                field.type_code,
                start + field.offset_bytes as u32 + element * element_bytes,
                found,
            );
        }
    }
}

/// The type of the saved elements: pointers are integers of the same size.
fn saved_form(layouts: &mut Layouts, code: i32) -> Result<i32, GraphTypeError> {
    if code == POINTER {
        return Ok(UNSIGNED_LONG);
    }
    if layouts.pointers_in(code).is_empty() {
        return Ok(code);
    }
    let structure = layouts.structure(code).cloned().ok_or(GraphTypeError::Type(code))?;
    let mut fields = Vec::with_capacity(structure.fields.len());
    for field in structure.fields {
        fields.push(Field { type_code: saved_form(layouts, field.type_code)?, ..field });
    }
    layouts.define(StructType { fields, ..structure }).map_err(|_| GraphTypeError::Type(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cppc_abi::types as codes;

    fn node(layouts: &mut Layouts) -> i32 {
        let field = |name: &str, offset_bytes, type_code, count| Field {
            name: name.to_owned(),
            offset_bytes,
            type_code,
            count,
        };
        let (word, double) = (size_of::<usize>() as u64, codes::DOUBLE);
        let fields = vec![
            field("value", 0, double, 2),
            field("next", 16, POINTER, 1),
            field("do", 16 + word, POINTER, 1),
        ];
        layouts.define(StructType { name: "struct node".into(), size_bytes: 16 + 2 * word, fields }).unwrap()
    }

    #[test]
    fn a_type_has_components_and_pointers() {
        let (mut layouts, mut types) = (Layouts::default(), GraphTypes::default());
        let code = node(&mut layouts);
        types.declare(&layouts, code, "next", code).unwrap();
        assert!(matches!(types.add(&mut layouts, code), Err(GraphTypeError::Unknown { .. })));
        let mut types = GraphTypes::default();
        types.declare(&layouts, code, "next", code).unwrap();
        types.declare(&layouts, code, "do", FUNCTION).unwrap();
        types.declare_stated(&mut layouts, code, "next").unwrap();
        let index = types.add(&mut layouts, code).unwrap();
        let found = types.get(index);
        let pointer = |offset, pointee, is_stated| ElementPointer {
            offset,
            pointee,
            is_stated,
            is_of_array: false,
            is_of_fortran: false,
        };
        let expected = [
            pointer(16, Pointee::Type(index), true),
            pointer(16 + size_of::<usize>(), Pointee::Function, false),
        ];
        assert_eq!(found.pointers, expected);
        assert_eq!((found.component(8), found.component(4), found.positions(2)), (Some(1), None, 9));
        assert!(layouts.pointers_in(types.get(index).saved_code).is_empty());
        let double = types.add(&mut layouts, codes::DOUBLE).unwrap();
        assert!(types.contains(index, 8, double) && !types.contains(index, 16, double));
        assert!(!types.contains(double, 0, index) && types.contains(index, 0, index));
        assert!(matches!(
            types.declare(&layouts, code, "value", code),
            Err(GraphTypeError::NoPointer { .. })
        ));
        assert!(matches!(types.declare(&layouts, code, "do", code), Err(GraphTypeError::Different { .. })));
    }
}
