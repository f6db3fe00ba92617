//! Which bytes of an element are data, and which are padding.
//!
//! Input: structure types of a state file, and the machine that wrote it.
//! Output: the parts of an element that are data, or whether other parts contain all of them.

use super::parts::{is_in, parts, Part};
use super::StructType;
use crate::machine::Machine;
use cppc_abi::types::{BitField, FIRST_STRUCTURE};

/// The bytes of one element that are not padding, sorted and disjoint, as offset and end. None if the type is
/// unknown, or has too many parts.
pub fn data_of(
    types: &[StructType],
    type_code: i32,
    element_bytes: u64,
    machine: &Machine,
) -> Option<Vec<(u64, u64)>> {
    const MOST_PARTS: usize = 1 << 16;
    if type_code < FIRST_STRUCTURE || BitField::from_code(type_code).is_some() {
        return Some(vec![(0, element_bytes)]);
    }
    let structure = types.get(usize::try_from(type_code - FIRST_STRUCTURE).ok()?)?;
    let mut found: Vec<Part> = Vec::new();
    for field in &structure.fields {
        let inner_bytes = match machine.scalar_bytes(field.type_code) {
            Some(bytes) => bytes as u64,
            // The code of a structure is larger than those of its fields, so the recursion ends.
            None if field.type_code < type_code => {
                types.get(usize::try_from(field.type_code - FIRST_STRUCTURE).ok()?)?.size_bytes
            }
            None => return None,
        };
        let inner = data_of(types, field.type_code, inner_bytes, machine)?;
        // Elements without padding are one part.
        let (inner, count, step) = match &inner[..] {
            [(0, end)] if *end == inner_bytes => (vec![(0, inner_bytes.checked_mul(field.count)?)], 1, 0),
            _ => (inner, field.count, inner_bytes),
        };
        if (inner.len() as u64).checked_mul(count)? > (MOST_PARTS - found.len().min(MOST_PARTS)) as u64 {
            return None;
        }
        for element in 0..count {
            let start = field.offset_bytes + element * step;
            found.extend(inner.iter().map(|(from, to)| (0, start + from, start + to)));
        }
    }
    Some(parts(found).into_iter().map(|(_, start, end)| (start, end)).collect())
}

/// Whether the data of `count` elements is in the parts, whatever the bytes between them are.
pub fn is_data_in(
    owned: &[Part],
    data: &[(u64, u64)],
    (block, start, count, element_bytes): (u32, u64, u64, u64),
) -> bool {
    (0..count).all(|element| {
        let start = start + element * element_bytes;
        data.iter().all(|(from, to)| is_in(owned, (block, start + from, start + to)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Field;
    use cppc_abi::types::{DOUBLE, INT};

    fn structure(size_bytes: u64, fields: &[(u64, i32, u64)]) -> StructType {
        let field = |&(offset_bytes, type_code, count): &(u64, i32, u64)| Field {
            name: String::new(),
            offset_bytes,
            type_code,
            count,
        };
        StructType { name: String::new(), size_bytes, fields: fields.iter().map(field).collect() }
    }

    #[test]
    fn padding_is_no_data() {
        let types = [
            structure(16, &[(0, INT, 1), (8, DOUBLE, 1)]),
            structure(48, &[(0, FIRST_STRUCTURE, 2), (32, INT, 3)]),
        ];
        assert_eq!(data_of(&types, INT, 4, &Machine::THIS), Some(vec![(0, 4)]));
        assert_eq!(data_of(&types, FIRST_STRUCTURE, 16, &Machine::THIS), Some(vec![(0, 4), (8, 16)]));
        let data = data_of(&types, FIRST_STRUCTURE + 1, 48, &Machine::THIS);
        assert_eq!(data, Some(vec![(0, 4), (8, 20), (24, 44)]));
        assert_eq!(data_of(&types, FIRST_STRUCTURE + 2, 48, &Machine::THIS), None);
        let data = data_of(&types, FIRST_STRUCTURE, 16, &Machine::THIS).unwrap();
        let owned = parts(vec![(3, 100, 104), (3, 108, 120), (3, 124, 130)]);
        assert!(is_data_in(&owned, &data, (3, 100, 1, 16)));
        assert!(!is_data_in(&owned, &data, (3, 100, 2, 16)) && !is_data_in(&owned, &data, (2, 100, 1, 16)));
    }

    #[test]
    fn a_type_that_somebody_made_up_takes_no_memory() {
        let types = [
            structure(16, &[(0, INT, 1), (8, DOUBLE, 1)]),
            structure(u64::MAX, &[(0, FIRST_STRUCTURE, u64::MAX)]),
        ];
        assert_eq!(data_of(&types, FIRST_STRUCTURE + 1, 0, &Machine::THIS), None);
        assert_eq!(
            data_of(&[structure(8, &[(0, FIRST_STRUCTURE, 1)])], FIRST_STRUCTURE, 8, &Machine::THIS),
            None
        );
    }
}
