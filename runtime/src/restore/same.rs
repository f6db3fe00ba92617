//! Whether a type of the state file and a type of the program are the same.
//!
//! Input: the type code of each.
//! Output: whether they are the same. Structures are compared by their content, because their codes depend on
//! the order in which they were described.

use crate::manifest::{Field, StructType};
use crate::register::Layouts;
use cppc_abi::types::{BitField, FIRST_STRUCTURE};

pub fn is_same(saved: &[StructType], saved_code: i32, layouts: &Layouts, code: i32) -> bool {
    let is_scalar = |code: i32| code < FIRST_STRUCTURE || BitField::from_code(code).is_some();
    if is_scalar(saved_code) || is_scalar(code) {
        return saved_code == code;
    }
    let (Some(was), Some(is)) = (structure(saved, saved_code), layouts.structure(code)) else { return false };
    if is.is_selected_outside() {
        return is_selected(saved, was, layouts, is);
    }
    was.name == is.name
        && was.size_bytes == is.size_bytes
        && was.fields.len() == is.fields.len()
        && was.fields.iter().zip(&is.fields).all(|(was, is)| {
            (&was.name, was.offset_bytes, was.count) == (&is.name, is.offset_bytes, is.count)
                && is_same(saved, was.type_code, layouts, is.type_code)
        })
}

/// Whether the members in the file are those of a union of the program.
fn is_selected(saved: &[StructType], was: &StructType, layouts: &Layouts, is: &StructType) -> bool {
    let is_member = |was: &Field| {
        let mut members = is.fields.iter().filter(|is| is.path() == was.name);
        members.any(|is| {
            (was.offset_bytes, was.count) == (is.offset_bytes, is.count)
                && is_same(saved, was.type_code, layouts, is.type_code)
        })
    };
    was.name == is.name && was.size_bytes == is.size_bytes && was.fields.iter().all(is_member)
}

/// Whether scalars of two machines are of one type. A bit-field may have another position.
pub fn is_alike(saved_code: i32, code: i32) -> bool {
    match (BitField::from_code(saved_code), BitField::from_code(code)) {
        (Some(was), Some(is)) => (was.width(), was.is_signed()) == (is.width(), is.is_signed()),
        (_, _) => saved_code == code,
    }
}

/// A structure of the file.
pub fn structure(saved: &[StructType], code: i32) -> Option<&StructType> {
    saved.get(usize::try_from(i64::from(code) - i64::from(FIRST_STRUCTURE)).ok()?)
}

/// The name of a type of the file for messages, as in a source.
pub fn name(saved: &[StructType], code: i32) -> String {
    match (cppc_abi::types::by_code(code), structure(saved, code)) {
        (Some(found), _) => found.spelling.to_owned(),
        (None, Some(structure)) => structure.shown(),
        (None, None) => format!("type {code}"),
    }
}

/// The first difference of two structures of one name, for messages; empty for other types.
pub fn difference(saved: &[StructType], saved_code: i32, layouts: &Layouts, code: i32) -> String {
    let (Some(was), Some(is)) = (structure(saved, saved_code), layouts.structure(code)) else {
        return String::new();
    };
    if was.name != is.name {
        return String::new();
    }
    let differs = |was: &Field, is: &Field| {
        was.offset_bytes != is.offset_bytes
            || was.count != is.count
            || !is_same(saved, was.type_code, layouts, is.type_code)
    };
    for number in 0..was.fields.len().max(is.fields.len()) {
        let text = match (was.fields.get(number), is.fields.get(number)) {
            (Some(was), Some(is)) if was.name != is.name => {
                format!(
                    "field {} is `{}` in the program and `{}` in the state file",
                    number + 1,
                    is.name,
                    was.name
                )
            }
            (Some(was), Some(is)) if differs(was, is) => {
                format!("the field `{}` has another type, size or position in the program", is.name)
            }
            (Some(_), Some(_)) | (None, None) => continue,
            (Some(was), None) => format!("the program has no field `{}`", was.name),
            (None, Some(is)) => format!("the state file has no field `{}`", is.name),
        };
        return format!(": {text}");
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cppc_abi::types;

    fn layouts(fields: &[(&str, u64, i32)]) -> (Layouts, Vec<StructType>, i32) {
        let field = |&(name, offset_bytes, type_code): &(&str, u64, i32)| Field {
            name: name.to_owned(),
            offset_bytes,
            type_code,
            count: 1,
        };
        let structure =
            StructType { name: "s".to_owned(), size_bytes: 16, fields: fields.iter().map(field).collect() };
        let mut layouts = Layouts::default();
        let code = layouts.define(structure.clone()).unwrap();
        (layouts, vec![structure], code)
    }

    #[test]
    fn the_first_difference_of_two_structures_is_named() {
        let (int, double) = (types::INT, types::DOUBLE);
        let (_, saved, code) = layouts(&[("a", 0, int), ("b", 8, double)]);
        let against = |fields: &[(&str, u64, i32)]| {
            let (now, _, is) = layouts(fields);
            difference(&saved, code, &now, is)
        };
        assert_eq!(against(&[("a", 0, int), ("b", 8, double)]), "");
        assert_eq!(
            against(&[("a", 0, int), ("c", 8, double)]),
            ": field 2 is `c` in the program and `b` in the state file"
        );
        assert_eq!(
            against(&[("a", 4, int), ("b", 8, double)]),
            ": the field `a` has another type, size or position in the program"
        );
        assert_eq!(against(&[("a", 0, int)]), ": the program has no field `b`");
    }
}
