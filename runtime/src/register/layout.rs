//! The layout of elements: their sizes, and the offsets of the pointers in them.
//!
//! Input: type codes, descriptions of structures.
//! Output: sizes, offsets of pointers, the descriptions for the state file.
//! Postcondition: the fields of a structure are within it, and its type code is larger than those of its
//! fields.

use crate::machine::Machine;
use crate::manifest::{Field, StructType};
use cppc_abi::types::{self, Class, FIRST_STRUCTURE};
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TypeError {
    #[error("the type code {0} is not known; use a `CPPC_` constant or the result of `CPPC_Define_type`")]
    Unknown(i32),
    #[error("the field `{field}` of the structure `{structure}` does not lie within its {size_bytes} bytes")]
    Outside { structure: String, field: String, size_bytes: u64 },
    #[error("the structure `{0}` has a negative number of fields")]
    Negative(String),
    #[error("a member of a union in the structure `{0}` depends on no integer of the structure")]
    Condition(String),
    #[error("the field `{field}` of the structure `{structure}` is a pointer in a union")]
    Pointer { structure: String, field: String },
    #[error("the field `{field}` of the structure `{structure}` has no name or no elements")]
    Empty { structure: String, field: String },
}

/// The structures that the program has described, in the order of their codes.
#[derive(Debug, Default)]
pub struct Layouts {
    structures: Vec<StructType>,
    /// For each structure, the offsets of the pointers in one element.
    pointers: Vec<Vec<usize>>,
}

impl Layouts {
    /// The code of the structure. A structure that was described before has the same code again.
    pub fn define(&mut self, structure: StructType) -> Result<i32, TypeError> {
        if let Some(index) = self.structures.iter().position(|known| *known == structure) {
            return Ok(FIRST_STRUCTURE + index as i32);
        }
        if !structure.has_valid_conditions() {
            return Err(TypeError::Condition(structure.name));
        }
        let mut pointers = Vec::new();
        for field in &structure.fields {
            let element_bytes = self.element_bytes(field.type_code)? as u64;
            let end =
                field.count.checked_mul(element_bytes).and_then(|size| size.checked_add(field.offset_bytes));
            if end.is_none_or(|end| end > structure.size_bytes) {
                return Err(TypeError::Outside {
                    structure: structure.name.clone(),
                    field: field.name.clone(),
                    size_bytes: structure.size_bytes,
                });
            }
            if field.condition().is_none() {
                self.pointers_of_field(field, element_bytes as usize, &mut pointers);
            } else if !self.pointers_in(field.type_code).is_empty() {
                let (structure, field) = (structure.name.clone(), field.name.clone());
                return Err(TypeError::Pointer { structure, field });
            }
        }
        pointers.sort_unstable();
        self.structures.push(structure);
        self.pointers.push(pointers);
        Ok(FIRST_STRUCTURE + self.structures.len() as i32 - 1)
    }

    fn pointers_of_field(&self, field: &Field, element_bytes: usize, pointers: &mut Vec<usize>) {
        let inner = self.pointers_in(field.type_code);
        for element in 0..if inner.is_empty() { 0 } else { field.count as usize } {
            let start = field.offset_bytes as usize + element * element_bytes;
            pointers.extend(inner.iter().map(|offset| start + offset));
        }
    }

    /// The size of one element in bytes.
    pub fn element_bytes(&self, type_code: i32) -> Result<usize, TypeError> {
        match Machine::THIS.scalar_bytes(type_code) {
            Some(size_bytes) => Ok(size_bytes),
            None => self
                .structure(type_code)
                .map(|structure| structure.size_bytes as usize)
                .ok_or(TypeError::Unknown(type_code)),
        }
    }

    /// The offsets of the pointers in one element, sorted.
    pub fn pointers_in(&self, type_code: i32) -> &[usize] {
        match types::by_code(type_code) {
            Some(found) if found.class == Class::Pointer => &[0],
            Some(_) => &[],
            None => index_of(type_code).and_then(|index| self.pointers.get(index)).map_or(&[], Vec::as_slice),
        }
    }

    pub fn structure(&self, type_code: i32) -> Option<&StructType> {
        self.structures.get(index_of(type_code)?)
    }

    /// The name of the field at this offset of an element. Nested fields are written as in C.
    pub fn field_at(&self, type_code: i32, offset: usize) -> Option<String> {
        let structure = self.structure(type_code)?;
        let lies_in = |field: &&Field| {
            let size_bytes = self.element_bytes(field.type_code).ok()?.checked_mul(field.count as usize)?;
            Some(offset.checked_sub(field.offset_bytes as usize)? < size_bytes)
        };
        let field = structure.fields.iter().find(|field| lies_in(field) == Some(true))?;
        let within = offset - field.offset_bytes as usize;
        let element_bytes = self.element_bytes(field.type_code).ok()?.max(1);
        let subscript = if field.count > 1 { format!("[{}]", within / element_bytes) } else { String::new() };
        let inner = self.field_at(field.type_code, within % element_bytes).map(|inner| format!(".{inner}"));
        Some(format!("{}{subscript}{}", field.name, inner.unwrap_or_default()))
    }

    pub fn structures(&self) -> &[StructType] {
        &self.structures
    }

    /// The name of the type, as in the interface of C.
    pub fn name(&self, type_code: i32) -> String {
        match (types::by_code(type_code), self.structure(type_code)) {
            (Some(found), _) => found.name.to_owned(),
            (None, Some(structure)) => structure.shown(),
            (None, None) => format!("type {type_code}"),
        }
    }

    /// The name of a type for messages, as in a source.
    pub fn shown(&self, type_code: i32) -> String {
        types::by_code(type_code).map_or_else(|| self.name(type_code), |found| found.spelling.to_owned())
    }
}

fn index_of(type_code: i32) -> Option<usize> {
    usize::try_from(i64::from(type_code) - i64::from(FIRST_STRUCTURE)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, offset_bytes: u64, type_code: i32, count: u64) -> Field {
        Field { name: name.to_owned(), offset_bytes, type_code, count }
    }

    #[test]
    fn the_same_description_has_the_same_code() {
        let mut layouts = Layouts::default();
        let cell = StructType {
            name: "cell".into(),
            size_bytes: 24,
            fields: vec![field("next", 8, types::POINTER, 2)],
        };
        assert_eq!(layouts.define(cell.clone()), Ok(1000));
        assert_eq!(layouts.define(cell.clone()), Ok(1000));
        let row = StructType { name: "row".into(), size_bytes: 56, fields: vec![field("cells", 8, 1000, 2)] };
        assert_eq!(layouts.define(row), Ok(1001));
        assert_eq!(layouts.pointers_in(1001), &[16, 24, 40, 48]);
        assert_eq!(layouts.field_at(1001, 48).as_deref(), Some("cells[1].next[1]"));
        assert_eq!(layouts.field_at(1001, 0), None);
        assert_eq!(layouts.field_at(types::POINTER, 0), None);
    }

    #[test]
    fn a_field_outside_its_structure_is_refused() {
        let mut layouts = Layouts::default();
        let cell =
            StructType { name: "cell".into(), size_bytes: 8, fields: vec![field("x", 4, types::DOUBLE, 1)] };
        assert!(matches!(layouts.define(cell), Err(TypeError::Outside { .. })));
        let knot = StructType { name: "knot".into(), size_bytes: 8, fields: vec![field("x", 0, 1007, 1)] };
        assert_eq!(layouts.define(knot), Err(TypeError::Unknown(1007)));
        let wide = StructType {
            name: "wide".into(),
            size_bytes: 8,
            fields: vec![field("x", 4, types::INT, u64::MAX)],
        };
        assert!(layouts.define(wide).is_err());
    }
}
