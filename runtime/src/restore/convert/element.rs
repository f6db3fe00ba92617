//! Elements: scalars, and structures made of them.
//!
//! In: what an element is in the file and in the program. Out: a shape, which converts elements and
//! offsets within them. Holds afterwards: padding is zero, and so are pointers, which relocations set.

use super::real::{self, Format};
use crate::format::layout::Machine;
use crate::manifest::StructType;
use crate::register::Layouts;
use crate::restore::same;
use cppc_abi::types::{self, Class};
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConvertError {
    #[error("element {element} has the value {value}, which does not fit into {size_bytes} bytes here")]
    Integer { element: usize, value: String, size_bytes: usize },
    #[error("element {element} is too large for a real of {size_bytes} bytes here")]
    Real { element: usize, size_bytes: usize },
    #[error("reals of {size_bytes} bytes with {digits} digits cannot be converted")]
    Format { size_bytes: usize, digits: u8 },
    #[error("the structure `{structure}` has no field `{field}` of the same type in the state file")]
    Field { structure: String, field: String },
    #[error("raw bytes do not travel: they were written by a machine of another make")]
    Bytes,
    #[error("the type {0} is not known")]
    Unknown(i32),
}

/// An element on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    pub from_bytes: usize,
    pub to_bytes: usize,
    kind: ShapeKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum ShapeKind {
    Integer { is_signed: bool },
    Real { from: Format, to: Format },
    Complex { from: Format, to: Format },
    Copy,
    Pointer,
    Structure(Vec<FieldShape>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FieldShape {
    from_offset: usize,
    to_offset: usize,
    count: usize,
    shape: Shape,
}

/// Both sides: the file's machine and structures, the program's.
pub struct Sides<'a> {
    pub from: Machine,
    pub to: Machine,
    pub saved: &'a [StructType],
    pub layouts: &'a Layouts,
}

impl Sides<'_> {
    /// What an element of these types is.
    pub fn shape(&self, saved_code: i32, code: i32) -> Result<Shape, ConvertError> {
        match types::by_code(code) {
            Some(found) => self.scalar(found),
            None => self.structure(saved_code, code),
        }
    }

    fn scalar(&self, found: &types::Type) -> Result<Shape, ConvertError> {
        let (from_bytes, to_bytes) = (size_on(&self.from, found), size_on(&self.to, found));
        let kind = match found.class {
            Class::Signed => ShapeKind::Integer { is_signed: true },
            Class::Unsigned | Class::Logical => ShapeKind::Integer { is_signed: false },
            Class::Character => ShapeKind::Copy,
            Class::Byte => return Err(ConvertError::Bytes),
            Class::Pointer => ShapeKind::Pointer,
            Class::Real => {
                let (from, to) = self.formats(found, from_bytes, to_bytes)?;
                ShapeKind::Real { from, to }
            }
            Class::Complex => {
                let (from, to) = self.formats(found, from_bytes / 2, to_bytes / 2)?;
                ShapeKind::Complex { from, to }
            }
        };
        Ok(Shape { from_bytes, to_bytes, kind })
    }

    fn formats(&self, found: &types::Type, from_bytes: usize, to_bytes: usize) -> Result<(Format, Format), ConvertError> {
        Ok((format_on(&self.from, found, from_bytes)?, format_on(&self.to, found, to_bytes)?))
    }

    fn structure(&self, saved_code: i32, code: i32) -> Result<Shape, ConvertError> {
        let was = same::structure(self.saved, saved_code).ok_or(ConvertError::Unknown(saved_code))?;
        let is = self.layouts.structure(code).ok_or(ConvertError::Unknown(code))?;
        let mut fields = Vec::with_capacity(is.fields.len());
        for field in &is.fields {
            let missing = || ConvertError::Field { structure: is.name.clone(), field: field.name.clone() };
            let earlier = was.fields.iter().find(|earlier| earlier.name == field.name).ok_or_else(missing)?;
            let is_scalar = types::by_code(field.type_code).is_some();
            if earlier.count != field.count || (is_scalar && earlier.type_code != field.type_code) {
                return Err(missing());
            }
            fields.push(FieldShape {
                from_offset: earlier.offset_bytes as usize,
                to_offset: field.offset_bytes as usize,
                count: field.count as usize,
                shape: self.shape(earlier.type_code, field.type_code)?,
            });
        }
        let (from_bytes, to_bytes) = (was.size_bytes as usize, is.size_bytes as usize);
        Ok(Shape { from_bytes, to_bytes, kind: ShapeKind::Structure(fields) })
    }

    /// Converts as many elements as `to` has room for and `from` has.
    pub fn convert(&self, shape: &Shape, from: &[u8], to: &mut [u8]) -> Result<(), ConvertError> {
        let pairs = from.chunks_exact(shape.from_bytes.max(1)).zip(to.chunks_exact_mut(shape.to_bytes.max(1)));
        for (element, (from, to)) in pairs.enumerate() {
            self.convert_one(shape, element, from, to)?;
        }
        Ok(())
    }

    fn convert_one(&self, shape: &Shape, element: usize, from: &[u8], to: &mut [u8]) -> Result<(), ConvertError> {
        match &shape.kind {
            ShapeKind::Copy => to.copy_from_slice(from),
            ShapeKind::Pointer => to.fill(0),
            ShapeKind::Integer { is_signed } => self.integer(*is_signed, element, from, to)?,
            ShapeKind::Real { from: was, to: is } => self.real(*was, *is, element, from, to)?,
            ShapeKind::Complex { from: was, to: is } => {
                let (first, second) = from.split_at(from.len() / 2);
                let (first_to, second_to) = to.split_at_mut(to.len() / 2);
                self.real(*was, *is, element, first, first_to)?;
                self.real(*was, *is, element, second, second_to)?;
            }
            ShapeKind::Structure(fields) => {
                to.fill(0);
                for field in fields {
                    let from = &from[field.from_offset..][..field.count * field.shape.from_bytes];
                    let to = &mut to[field.to_offset..][..field.count * field.shape.to_bytes];
                    for index in 0..field.count {
                        let from = &from[index * field.shape.from_bytes..][..field.shape.from_bytes];
                        let to = &mut to[index * field.shape.to_bytes..][..field.shape.to_bytes];
                        self.convert_one(&field.shape, element, from, to)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn integer(&self, is_signed: bool, element: usize, from: &[u8], to: &mut [u8]) -> Result<(), ConvertError> {
        let bits = bits(from, self.from.big_endian);
        let unused = 128 - 8 * from.len() as u32;
        let value = if is_signed { ((bits << unused) as i128 >> unused) as u128 } else { bits };
        let room = 128 - 8 * to.len() as u32;
        let back = if is_signed { ((value << room) as i128 >> room) as u128 } else { value << room >> room };
        if back != value {
            let value = if is_signed { (value as i128).to_string() } else { value.to_string() };
            return Err(ConvertError::Integer { element, value, size_bytes: to.len() });
        }
        put(value, to, self.to.big_endian);
        Ok(())
    }

    fn real(&self, was: Format, is: Format, element: usize, from: &[u8], to: &mut [u8]) -> Result<(), ConvertError> {
        to.fill(0);
        let found = bits(&from[..was.size_bytes().min(from.len())], self.from.big_endian);
        let size_bytes = to.len();
        let value = real::convert(found, was, is).ok_or(ConvertError::Real { element, size_bytes })?;
        put(value, &mut to[..is.size_bytes().min(size_bytes)], self.to.big_endian);
        Ok(())
    }
}

impl Shape {
    /// Where a place within elements of the file is within those of the program; the place behind the last
    /// one included. None for a place inside of a scalar.
    pub fn offset(&self, from_offset: usize) -> Option<usize> {
        let size_bytes = self.from_bytes.max(1);
        let (element, rest) = (from_offset / size_bytes, from_offset % size_bytes);
        Some(element * self.to_bytes + if rest == 0 { 0 } else { self.inner(rest)? })
    }

    fn inner(&self, rest: usize) -> Option<usize> {
        match &self.kind {
            ShapeKind::Complex { .. } => (rest == self.from_bytes / 2).then_some(self.to_bytes / 2),
            ShapeKind::Copy => Some(rest),
            ShapeKind::Integer { .. } | ShapeKind::Real { .. } | ShapeKind::Pointer => None,
            ShapeKind::Structure(fields) => fields.iter().find_map(|field| {
                let within = rest.checked_sub(field.from_offset)?;
                let is_here = within < field.count * field.shape.from_bytes;
                is_here.then(|| field.shape.offset(within).map(|offset| field.to_offset + offset))?
            }),
        }
    }
}

/// Bytes of a scalar on a machine.
fn size_on(machine: &Machine, found: &types::Type) -> usize {
    match found.code {
        types::LONG | types::UNSIGNED_LONG => machine.long_bytes.into(),
        types::POINTER => machine.pointer_bytes.into(),
        types::LONG_DOUBLE => machine.long_double_bytes.into(),
        types::LONG_DOUBLE_COMPLEX => 2 * usize::from(machine.long_double_bytes),
        _ => found.size_bytes,
    }
}

fn format_on(machine: &Machine, found: &types::Type, size_bytes: usize) -> Result<Format, ConvertError> {
    let digits = match (found.code, size_bytes) {
        (types::LONG_DOUBLE | types::LONG_DOUBLE_COMPLEX, _) => machine.long_double_digits,
        (types::REAL_10 | types::COMPLEX_10, _) => 64,
        (_, 2) => 11,
        (_, 4) => 24,
        (_, 8) => 53,
        _ => 113,
    };
    Format::with_digits(digits).ok_or(ConvertError::Format { size_bytes, digits })
}

fn bits(bytes: &[u8], is_big_endian: bool) -> u128 {
    let gather = |bits: u128, byte: &u8| bits << 8 | u128::from(*byte);
    if is_big_endian { bytes.iter().fold(0, gather) } else { bytes.iter().rev().fold(0, gather) }
}

fn put(bits: u128, bytes: &mut [u8], is_big_endian: bool) {
    let last = bytes.len().saturating_sub(1);
    for index in 0..bytes.len() {
        let at = if is_big_endian { last - index } else { index };
        bytes[at] = (bits >> (8 * index)) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Field;

    const LITTLE: Machine =
        Machine { big_endian: false, long_bytes: 8, pointer_bytes: 8, long_double_bytes: 16, long_double_digits: 64 };
    const BIG: Machine =
        Machine { big_endian: true, long_bytes: 4, pointer_bytes: 4, long_double_bytes: 16, long_double_digits: 113 };

    fn check(from: Machine, to: Machine, code: i32, bytes: &[u8]) -> Result<Vec<u8>, ConvertError> {
        let layouts = Layouts::default();
        let sides = Sides { from, to, saved: &[], layouts: &layouts };
        let shape = sides.shape(code, code)?;
        let mut result = vec![0xff; bytes.len() / shape.from_bytes * shape.to_bytes];
        sides.convert(&shape, bytes, &mut result)?;
        Ok(result)
    }

    #[test]
    fn integers_change_order_and_size() {
        assert_eq!(check(BIG, LITTLE, types::INT, &[0, 0, 1, 2]), Ok(vec![2, 1, 0, 0]));
        assert_eq!(check(BIG, LITTLE, types::LONG, &[0xff, 0xff, 0xff, 0xfe]), Ok(vec![0xfe, 255, 255, 255, 255, 255, 255, 255]));
        assert_eq!(check(BIG, LITTLE, types::UNSIGNED_LONG, &[0xff, 0, 0, 1]), Ok(vec![1, 0, 0, 0xff, 0, 0, 0, 0]));
        assert_eq!(check(LITTLE, BIG, types::LONG, &(-7i64).to_le_bytes()), Ok((-7i32).to_be_bytes().to_vec()));
        assert_eq!(check(BIG, LITTLE, types::INT128, &(-3i128).to_be_bytes()), Ok((-3i128).to_le_bytes().to_vec()));
    }

    #[test]
    fn a_value_that_does_not_fit_is_an_error_by_its_element() {
        let values: Vec<u8> = [1i64, 1 << 31].iter().flat_map(|value| value.to_le_bytes()).collect();
        let error = ConvertError::Integer { element: 1, value: "2147483648".into(), size_bytes: 4 };
        assert_eq!(check(LITTLE, BIG, types::LONG, &values), Err(error));
        assert_eq!(check(BIG, LITTLE, types::BYTE, &[1]), Err(ConvertError::Bytes));
    }

    #[test]
    fn reals_keep_their_value() {
        let doubles: Vec<u8> = [0.1f64, -2.5].iter().flat_map(|value| value.to_be_bytes()).collect();
        let wanted: Vec<u8> = [0.1f64, -2.5].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(check(BIG, LITTLE, types::DOUBLE, &doubles), Ok(wanted.clone()));
        assert_eq!(check(BIG, LITTLE, types::DOUBLE_COMPLEX, &doubles), Ok(wanted));
        let one = check(BIG, LITTLE, types::LONG_DOUBLE, &[0x3f, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(one, Ok(vec![0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f, 0, 0, 0, 0, 0, 0]));
    }

    #[test]
    fn structures_go_field_by_field() {
        let field = |name: &str, offset_bytes, type_code, count| Field { name: name.into(), offset_bytes, type_code, count };
        let was = StructType {
            name: "s".into(),
            size_bytes: 16,
            fields: vec![field("c", 0, types::CHAR, 2), field("l", 4, types::LONG, 2), field("p", 12, types::POINTER, 1)],
        };
        let mut layouts = Layouts::default();
        let code = layouts.define(StructType {
            name: "s".into(),
            size_bytes: 32,
            fields: vec![field("c", 0, types::CHAR, 2), field("l", 8, types::LONG, 2), field("p", 24, types::POINTER, 1)],
        });
        let saved = [was];
        let sides = Sides { from: BIG, to: LITTLE, saved: &saved, layouts: &layouts };
        let shape = sides.shape(1000, code.expect("it is described")).expect("the fields agree");
        let mut result = vec![0xff; 32];
        let bytes = [b'a', b'b', 9, 9, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4];
        sides.convert(&shape, &bytes, &mut result).expect("all values fit");
        let mut wanted = vec![0; 32];
        (wanted[0], wanted[1], wanted[8], wanted[16]) = (b'a', b'b', 1, 2);
        assert_eq!(result, wanted);
        let places = [(0, 0), (1, 1), (4, 8), (8, 16), (12, 24), (16, 32), (20, 40)];
        assert!(places.iter().all(|(from, to)| shape.offset(*from) == Some(*to)));
        assert_eq!(shape.offset(6), None);
    }
}
