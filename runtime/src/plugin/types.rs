//! The types of elements in the form of the interface of writers.
//!
//! Input: type codes, the structures of a manifest, the machine that wrote the content.
//! Output: descriptions that refer to one another by address.
//! Postcondition: a returned address is valid as long as this value lives.

use std::ffi::{c_char, CString};

use crate::format::layout::Machine;
use crate::manifest::StructType;
use cppc_abi::types::{self, by_code, Class, FIRST_STRUCTURE};
use cppc_abi::writer::{self, WriterField, WriterType};
use std::collections::HashMap;

/// All requested types. None of them is ever moved.
pub struct Types {
    machine: Machine,
    /// Has capacity for all of them from the beginning, so that none is moved.
    structures: Vec<WriterType>,
    /// By code and size of an element.
    simple: HashMap<(i32, u64), Box<WriterType>>,
    /// The fields of the structures.
    fields: Vec<Vec<WriterField>>,
}

impl Types {
    pub fn new(machine: Machine, structures: &[StructType], texts: &mut Texts) -> Types {
        let mut types = Types {
            machine,
            structures: Vec::with_capacity(structures.len()),
            simple: HashMap::new(),
            fields: Vec::new(),
        };
        for structure in structures {
            let described = types.structure(structure, texts);
            types.structures.push(described);
        }
        types
    }

    /// The types of the fields are in front of the structure. The check of the manifest guarantees this.
    fn structure(&mut self, structure: &StructType, texts: &mut Texts) -> WriterType {
        let fields: Vec<WriterField> = structure
            .fields
            .iter()
            .map(|field| WriterField {
                name: texts.keep(&field.name),
                element: self.get(field.type_code, None, texts),
                offset: field.offset_bytes,
                count: field.count,
            })
            .collect();
        let described = WriterType {
            name: texts.keep(&structure.name),
            size: structure.size_bytes,
            code: FIRST_STRUCTURE + self.structures.len() as i32,
            kind: writer::STRUCTURE,
            digits: 0,
            field_count: fields.len() as u32,
            fields: fields.as_ptr(),
        };
        // Moving the vector does not move its content.
        self.fields.push(fields);
        described
    }

    /// The type with this code, with elements of this size if the size is known.
    pub fn get(&mut self, code: i32, element_bytes: Option<u64>, texts: &mut Texts) -> *const WriterType {
        let index = code.checked_sub(FIRST_STRUCTURE).and_then(|index| usize::try_from(index).ok());
        if let Some(structure) = index.and_then(|index| self.structures.get(index)) {
            return &raw const *structure;
        }
        let size = element_bytes.unwrap_or_else(|| size_of_element(code, &self.machine));
        let machine = self.machine;
        let found =
            self.simple.entry((code, size)).or_insert_with(|| Box::new(simple(code, size, &machine, texts)));
        &raw const **found
    }
}

fn simple(code: i32, size: u64, machine: &Machine, texts: &mut Texts) -> WriterType {
    let known = by_code(code);
    let name = known.map_or_else(
        || format!("type {code}"),
        |known| known.spelling.split(',').next().unwrap_or_default().to_owned(),
    );
    let kind = match known.map(|known| known.class) {
        Some(Class::Signed) => writer::SIGNED,
        Some(Class::Unsigned) => writer::UNSIGNED,
        Some(Class::Character) => writer::CHARACTER,
        Some(Class::Logical) => writer::LOGICAL,
        Some(Class::Real) => writer::REAL,
        Some(Class::Complex) => writer::COMPLEX,
        Some(Class::Pointer) => writer::POINTER,
        Some(Class::Byte) | None => writer::BYTE,
    };
    WriterType {
        name: texts.keep(&name),
        size,
        code,
        kind,
        digits: digits(code, kind, size, machine),
        field_count: 0,
        fields: std::ptr::null(),
    }
}

/// The number of bits in the significand of a real, or of each part of a complex.
fn digits(code: i32, kind: u32, size: u64, machine: &Machine) -> u32 {
    let part = match kind {
        writer::REAL => size,
        writer::COMPLEX => size / 2,
        _ => return 0,
    };
    match (code, part) {
        (types::LONG_DOUBLE | types::LONG_DOUBLE_COMPLEX, _) => machine.long_double_digits.into(),
        (types::REAL_10 | types::COMPLEX_10, _) => 64,
        (_, 2) => 11,
        (_, 4) => 24,
        (_, 8) => 53,
        (_, 16) => 113,
        _ => 0,
    }
}

/// The size of one element on the machine in bytes; 1 for an unknown code.
fn size_of_element(code: i32, machine: &Machine) -> u64 {
    let long_double = u64::from(machine.long_double_bytes);
    match code {
        types::LONG | types::UNSIGNED_LONG => machine.long_bytes.into(),
        types::POINTER => machine.pointer_bytes.into(),
        types::LONG_DOUBLE => long_double,
        types::LONG_DOUBLE_COMPLEX => 2 * long_double,
        _ => machine.scalar_bytes(code).map_or(1, |bytes| bytes as u64),
    }
}

/// Zero-terminated texts with constant addresses.
#[derive(Default)]
pub struct Texts {
    kept: Vec<CString>,
}

impl Texts {
    pub fn keep(&mut self, text: &str) -> *const c_char {
        // Names were checked. Any other text ends at a zero byte.
        let end = text.find('\0').unwrap_or(text.len());
        let kept = CString::new(&text[..end]).unwrap_or_default();
        // Moving a `CString` does not move its bytes.
        self.kept.push(kept);
        self.kept.last().map_or(std::ptr::null(), |kept| kept.as_ptr())
    }
}
