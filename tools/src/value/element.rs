//! The elements of a register.
//!
//! Input: a type code of a state file, and the structures and the machine of the file.
//! Output: kinds and sizes; for structures, their parts with their offsets.
//! Postcondition: parts are inside their element, and their number is limited, whatever the file contains.

use super::real::RealFormat;
use crate::display::plain;
use cppc_abi::types::{self, by_code, BitField, Class, Language, FIRST_STRUCTURE};
use cppc_runtime::manifest::{Manifest, StructType};
use cppc_runtime::restore::convert::real::Format;
use cppc_runtime::verify::Machine;

/// The largest number of parts of one structure.
const MOST_PARTS: usize = 256;
const MOST_DEPTH: usize = 16;

/// The data that are needed to read the values of one file.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub manifest: &'a Manifest,
    pub machine: &'a Machine,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    pub kind: Kind,
    pub size_bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer {
        signed: bool,
    },
    /// A bit-field.
    Bits(BitField),
    Real(RealFormat),
    Complex(RealFormat),
    Logical,
    Character,
    Pointer,
    /// Raw bytes, and unknown types.
    Bytes,
    /// The index of the structure in the file.
    Structure(usize),
}

/// An element that is not a structure, or a field of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its path in the notation of a program, such as `.position.x`; empty for the element itself.
    pub path: String,
    pub element: Element,
    pub offset_bytes: usize,
    /// The arrays that contain it, the outermost first: number of elements and distance in bytes.
    pub repeats: Vec<(usize, usize)>,
}

impl<'a> Reader<'a> {
    /// The name of a type.
    pub fn type_name(&self, code: i32) -> String {
        match (by_code(code), self.structure(code)) {
            (Some(known), _) if known.code == types::BYTE => "bytes".to_owned(),
            (Some(known), _) => {
                known.spelling.split(',').next().unwrap_or_default().replace("any pointer to data", "pointer")
            }
            (None, Some((_, structure))) => plain(&structure.name),
            (None, None) => match BitField::from_code(code) {
                Some(bits) => format!("{}-bit field", bits.width()),
                None => format!("type {code}"),
            },
        }
    }

    pub fn structure(&self, code: i32) -> Option<(usize, &'a StructType)> {
        let index = usize::try_from(code.checked_sub(FIRST_STRUCTURE)?).ok()?;
        Some((index, self.manifest.types.get(index)?))
    }

    /// Whether the type belongs to Fortran. A structure is classified by its first field.
    pub fn is_fortran(&self, code: i32) -> bool {
        let mut code = code;
        for _ in 0..MOST_DEPTH {
            match (by_code(code), self.structure(code)) {
                (Some(known), _) => return known.language == Language::Fortran,
                (None, Some((_, structure))) => match structure.fields.first() {
                    Some(field) => code = field.type_code,
                    None => return false,
                },
                (None, None) => return false,
            }
        }
        false
    }

    /// The element of a type. `size_bytes` is used for unknown types.
    pub fn element(&self, code: i32, size_bytes: usize) -> Element {
        if let Some((index, structure)) = self.structure(code) {
            let size_bytes = usize::try_from(structure.size_bytes).unwrap_or(usize::MAX);
            return Element { kind: Kind::Structure(index), size_bytes };
        }
        if let Some(bits) = BitField::from_code(code) {
            return Element { kind: Kind::Bits(bits), size_bytes: bits.size_bytes() };
        }
        let Some(known) = by_code(code) else { return Element { kind: Kind::Bytes, size_bytes } };
        let size_bytes = self.machine.element_bytes(known);
        let form = |size_bytes| self.form(known.code, size_bytes);
        let kind = match known.class {
            Class::Signed => Kind::Integer { signed: true },
            Class::Unsigned => Kind::Integer { signed: false },
            Class::Logical => Kind::Logical,
            Class::Character => Kind::Character,
            Class::Pointer => Kind::Pointer,
            Class::Byte => Kind::Bytes,
            Class::Real => form(size_bytes).map_or(Kind::Bytes, Kind::Real),
            Class::Complex => form(size_bytes / 2).map_or(Kind::Bytes, Kind::Complex),
        };
        Element { kind, size_bytes }
    }

    fn form(&self, code: i32, size_bytes: usize) -> Option<RealFormat> {
        let digits = match (code, size_bytes) {
            (types::LONG_DOUBLE | types::LONG_DOUBLE_COMPLEX, _) => self.machine.long_double_digits,
            (types::REAL_10 | types::COMPLEX_10, _) => 64,
            (_, 2) => 11,
            (_, 4) => 24,
            (_, 8) => 53,
            _ => 113,
        };
        let form =
            if digits == 106 { RealFormat::Pair } else { RealFormat::Ieee(Format::with_digits(digits)?) };
        (form.size_bytes() <= size_bytes).then_some(form)
    }

    /// The parts of an element, and whether the list is complete.
    pub fn parts(&self, element: Element) -> (Vec<Part>, bool) {
        let mut parts = Vec::new();
        let whole = Part { path: String::new(), element, offset_bytes: 0, repeats: Vec::new() };
        let is_all = self.gather(whole, 0, &mut parts);
        (parts, is_all)
    }

    fn gather(&self, part: Part, depth: usize, parts: &mut Vec<Part>) -> bool {
        let Kind::Structure(index) = part.element.kind else {
            parts.push(part);
            return true;
        };
        let Some(structure) = self.manifest.types.get(index).filter(|_| depth < MOST_DEPTH) else {
            return false;
        };
        for field in &structure.fields {
            if parts.len() >= MOST_PARTS {
                return false;
            }
            let element = self.element(field.type_code, 1);
            let (Ok(offset), Ok(count)) = (usize::try_from(field.offset_bytes), usize::try_from(field.count))
            else {
                return false;
            };
            if element.size_bytes == 0 || count == 0 {
                continue;
            }
            let mut repeats = part.repeats.clone();
            if count > 1 {
                repeats.push((count, element.size_bytes));
            }
            let path = format!("{}.{}", part.path, plain(&field.name));
            // The check of the manifest ensures that fields are inside their structure.
            let Some(offset_bytes) = part.offset_bytes.checked_add(offset) else { return false };
            if !self.gather(Part { path, element, offset_bytes, repeats }, depth + 1, parts) {
                return false;
            }
        }
        true
    }
}

impl Part {
    /// Calls `call` for each occurrence in `element`, an element of the register, with its number.
    pub fn each<'b>(&self, element: &'b [u8], mut call: impl FnMut(usize, &'b [u8])) {
        let total: usize = self.repeats.iter().map(|(count, _)| *count).fold(1, usize::saturating_mul);
        for number in 0..total {
            let (mut rest, mut offset) = (number, self.offset_bytes);
            for &(count, stride_bytes) in self.repeats.iter().rev() {
                offset += rest % count * stride_bytes;
                rest /= count;
            }
            match element.get(offset..offset.saturating_add(self.element.size_bytes)) {
                Some(bytes) => call(number, bytes),
                None => return,
            }
        }
    }

    /// The path of one occurrence, with indices counted from zero.
    pub fn at(&self, number: usize) -> String {
        let mut indices = String::new();
        let mut rest = number;
        for &(count, _) in self.repeats.iter().rev() {
            indices = format!("[{}]{indices}", rest % count);
            rest /= count;
        }
        format!("{}{indices}", self.path)
    }
}
