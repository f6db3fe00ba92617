//! Elements: scalars, and structures of scalars.
//!
//! Input: the types of an element in the file and in the program.
//! Output: a shape, which converts elements and offsets in them.
//! Postcondition: padding is zero. Pointers are zero too, and are set later from the relocations.

use super::element_map::{check_selected, ElementKind, ElementMap, FieldMap, When};
use super::misfit::{ConvertError, Overflow, Reason};
use super::real::{self, Format};
use super::scalar;
use crate::format::layout::Machine;
use crate::manifest::condition::Integer;
use crate::manifest::{Field, StructType};
use crate::register::Layouts;
use crate::restore::same;
use cppc_abi::bits::{number, put_number};
use cppc_abi::types::{self, BitField, Class};

/// The machine that wrote the file, and the machine that reads it.
#[derive(Debug, Clone, Copy)]
pub struct Sides {
    pub from: Machine,
    pub to: Machine,
}

impl Sides {
    /// The shape of an element of these types: `saved` are the structures of the file, `layouts` those of the
    /// program.
    pub fn shape(
        &self,
        saved: &[StructType],
        saved_code: i32,
        layouts: &Layouts,
        code: i32,
    ) -> Result<ElementMap, ConvertError> {
        let other =
            || ConvertError::Type { found: layouts.shown(code), saved: same::name(saved, saved_code) };
        if let (Some(was), Some(is)) = (BitField::from_code(saved_code), BitField::from_code(code)) {
            let kind = ElementKind::Bits { was, is };
            return Ok(ElementMap { from_bytes: was.size_bytes(), to_bytes: is.size_bytes(), kind });
        }
        match (types::by_code(saved_code), types::by_code(code)) {
            (Some(was), Some(is)) => self.scalar(was, is)?.ok_or_else(other),
            (None, None) => {
                let was = same::structure(saved, saved_code).ok_or_else(other)?;
                let is = layouts.structure(code).filter(|is| is.name == was.name).ok_or_else(other)?;
                self.structure(saved, was, layouts, is)
            }
            _ => Err(other()),
        }
    }

    /// None if the types do not correspond. Integers of different names may: `size_t` is `unsigned long` on
    /// some machines and `unsigned` on others.
    fn scalar(&self, was: &types::Type, is: &types::Type) -> Result<Option<ElementMap>, ConvertError> {
        let (from_bytes, to_bytes) = (self.from.element_bytes(was), self.to.element_bytes(is));
        let signed = |class| class == Class::Signed;
        let kind = match (was.class, is.class) {
            (Class::Signed | Class::Unsigned, Class::Signed | Class::Unsigned) => {
                ElementKind::Integer { was_signed: signed(was.class), is_signed: signed(is.class) }
            }
            (Class::Real, Class::Real) => {
                let (was, is) = (format_on(&self.from, was, from_bytes)?, format_on(&self.to, is, to_bytes)?);
                ElementKind::Real { was, is }
            }
            (Class::Complex, Class::Complex) => {
                let (was, is) =
                    (format_on(&self.from, was, from_bytes / 2)?, format_on(&self.to, is, to_bytes / 2)?);
                ElementKind::Complex { was, is }
            }
            (Class::Byte, _) | (_, Class::Byte) => return Err(ConvertError::Bytes),
            _ if was.code != is.code => return Ok(None),
            (Class::Logical, _) => ElementKind::Integer { was_signed: false, is_signed: false },
            (Class::Character, _) => ElementKind::Copy,
            _ => ElementKind::Pointer,
        };
        Ok(Some(ElementMap { from_bytes, to_bytes, kind }))
    }

    /// Matches the fields by their names.
    fn structure(
        &self,
        saved: &[StructType],
        was: &StructType,
        layouts: &Layouts,
        is: &StructType,
    ) -> Result<ElementMap, ConvertError> {
        if is.is_selected_outside() {
            return self.selected(saved, was, layouts, is);
        }
        if was.fields.len() != is.fields.len() {
            let (found, saved) = (is.fields.len(), was.fields.len());
            return Err(ConvertError::Fields { structure: is.name.clone(), found, saved });
        }
        let mut fields = Vec::with_capacity(is.fields.len());
        for field in &is.fields {
            let mut earlier = was.fields.iter().filter(|earlier| earlier.name == field.name);
            let earlier = earlier.next().ok_or_else(|| other_field(is, field))?;
            let when = earlier.condition().and_then(|condition| {
                let integer = Integer::of(was.integer_of(condition)?, &self.from)?;
                Some(When { integer, name: condition.integer.to_owned(), value: condition.value })
            });
            fields.push(FieldMap { when, ..self.field(saved, (was, earlier), layouts, (is, field))? });
        }
        of_structures(was, is, fields)
    }

    /// A plain union. The file has the member that was selected.
    fn selected(
        &self,
        saved: &[StructType],
        was: &StructType,
        layouts: &Layouts,
        is: &StructType,
    ) -> Result<ElementMap, ConvertError> {
        let mut fields = Vec::new();
        for earlier in &was.fields {
            let member = is.fields.iter().find(|field| field.path() == earlier.name);
            let member = member.ok_or_else(|| other_field(is, earlier))?;
            fields.push(self.field(saved, (was, earlier), layouts, (is, member))?);
        }
        if fields.is_empty() {
            return Err(ConvertError::NoMember { structure: is.name.clone() });
        }
        of_structures(was, is, fields)
    }

    /// A field of the file as a field of the program.
    fn field(
        &self,
        saved: &[StructType],
        (was, earlier): (&StructType, &Field),
        layouts: &Layouts,
        (is, field): (&StructType, &Field),
    ) -> Result<FieldMap, ConvertError> {
        let other = || other_field(is, field);
        if earlier.count != field.count {
            return Err(other());
        }
        let shape = self.shape(saved, earlier.type_code, layouts, field.type_code);
        let shape = shape.map_err(|error| match error {
            ConvertError::Type { .. } => other(),
            error => error,
        })?;
        let count = usize::try_from(field.count).map_err(|_| other())?;
        let (from_offset, to_offset) = (earlier.offset_bytes as usize, field.offset_bytes as usize);
        let end = count.checked_mul(shape.from_bytes).and_then(|size| size.checked_add(from_offset));
        let map =
            FieldMap { name: field.path().to_owned(), from_offset, to_offset, count, shape, when: None };
        // A field at the start of the structure must be there on both sides. Otherwise a pointer to the
        // start could point to either. No pointer can point to a bit-field.
        let is_moved = map.is_alone() && (from_offset == 0) != (to_offset == 0);
        if end.is_none_or(|end| end as u64 > was.size_bytes) || is_moved {
            return Err(other());
        }
        Ok(map)
    }

    /// Converts all elements of `from`; `to` has space for the same number of elements.
    pub fn convert(&self, shape: &ElementMap, from: &[u8], to: &mut [u8]) -> Result<(), ConvertError> {
        let count = from.len() / shape.from_bytes.max(1);
        self.convert_all(shape, count, from, to).map_err(|misfit| misfit.error(count))
    }

    /// Like [`Sides::convert`], in place, if only the byte order changes. Returns false and does nothing
    /// otherwise.
    pub fn convert_in_place(&self, shape: &ElementMap, bytes: &mut [u8]) -> bool {
        let Some(width) = self.reordered(shape) else { return false };
        if self.from.big_endian != self.to.big_endian {
            scalar::reverse_in_place(width, bytes);
        }
        true
    }

    /// Whether every value fits because only the byte order changes.
    pub fn is_reordered(&self, shape: &ElementMap) -> bool {
        self.reordered(shape).is_some()
    }

    /// The size of a scalar if it has the same format on both sides, in either byte order.
    fn reordered(&self, shape: &ElementMap) -> Option<usize> {
        let is_same_size = shape.from_bytes == shape.to_bytes;
        match shape.kind {
            ElementKind::Copy => Some(1),
            ElementKind::Integer { was_signed, is_signed } => {
                (is_same_size && was_signed == is_signed).then_some(shape.from_bytes)
            }
            ElementKind::Real { was, is } => {
                (was == is && shape.from_bytes == was.size_bytes() && is_same_size)
                    .then_some(shape.from_bytes)
            }
            ElementKind::Complex { was, is } => {
                (was == is && shape.from_bytes == 2 * was.size_bytes() && is_same_size)
                    .then_some(shape.from_bytes / 2)
            }
            ElementKind::Pointer | ElementKind::Bits { .. } | ElementKind::Structure(_) => None,
        }
    }

    fn convert_all(
        &self,
        shape: &ElementMap,
        count: usize,
        from: &[u8],
        to: &mut [u8],
    ) -> Result<(), Overflow> {
        if let Some(width) = self.reordered(shape) {
            scalar::copy(width, self.from.big_endian != self.to.big_endian, from, to);
            return Ok(());
        }
        if let ElementKind::Pointer = shape.kind {
            to.fill(0);
            return Ok(());
        }
        let pairs =
            from.chunks_exact(shape.from_bytes.max(1)).zip(to.chunks_exact_mut(shape.to_bytes.max(1)));
        for (element, (from, to)) in pairs.take(count).enumerate() {
            self.convert_one(shape, from, to).map_err(|misfit| Overflow { element, ..misfit })?;
        }
        Ok(())
    }

    fn convert_one(&self, shape: &ElementMap, from: &[u8], to: &mut [u8]) -> Result<(), Overflow> {
        match &shape.kind {
            ElementKind::Integer { was_signed, is_signed } => self.integer(*was_signed, *is_signed, from, to),
            ElementKind::Real { was, is } => self.real(*was, *is, from, to),
            ElementKind::Complex { was, is } => {
                let (real, imaginary) = from.split_at(from.len() / 2);
                let (real_to, imaginary_to) = to.split_at_mut(to.len() / 2);
                self.real(*was, *is, real, real_to)?;
                self.real(*was, *is, imaginary, imaginary_to)
            }
            // `run` converts these as a whole.
            ElementKind::Copy | ElementKind::Pointer => Ok(()),
            ElementKind::Bits { was, is } => {
                let value = was.value(from, self.from.big_endian);
                if is.set(value, to, self.to.big_endian) {
                    return Ok(());
                }
                Err(Overflow::new(Reason::Bits { width: is.width() }, value.to_string()))
            }
            ElementKind::Structure(fields) => {
                to.fill(0);
                check_selected(fields, from)?;
                for field in fields.iter().filter(|field| field.is_selected(from)) {
                    let from = &from[field.from_offset..][..field.from_bytes()];
                    let to = &mut to[field.to_offset..][..field.to_bytes()];
                    self.convert_all(&field.shape, field.count, from, to)
                        .map_err(|misfit| misfit.within(&field.name, field.count))?;
                }
                Ok(())
            }
        }
    }

    fn integer(&self, was_signed: bool, is_signed: bool, from: &[u8], to: &mut [u8]) -> Result<(), Overflow> {
        let extended = |bits: u128, size_bytes: usize, is_signed: bool| {
            let unused = 128 - 8 * size_bytes as u32;
            if is_signed {
                ((bits << unused) as i128 >> unused) as u128
            } else {
                bits << unused >> unused
            }
        };
        let value = extended(number(from, self.from.big_endian), from.len(), was_signed);
        let back = extended(value, to.len(), is_signed);
        let is_negative = |value: u128, is_signed: bool| is_signed && (value as i128) < 0;
        if back != value || is_negative(back, is_signed) != is_negative(value, was_signed) {
            let value = if was_signed { (value as i128).to_string() } else { value.to_string() };
            return Err(Overflow::new(Reason::Integer { size_bytes: to.len() }, value));
        }
        put_number(value, to, self.to.big_endian);
        Ok(())
    }

    fn real(&self, was: Format, is: Format, from: &[u8], to: &mut [u8]) -> Result<(), Overflow> {
        to.fill(0);
        let size_bytes = to.len();
        let found = number(&from[..was.size_bytes().min(from.len())], self.from.big_endian);
        let value = real::convert(found, was, is)
            .ok_or_else(|| Overflow::new(Reason::Real { size_bytes }, real::text(found, was)))?;
        put_number(value, &mut to[..is.size_bytes().min(size_bytes)], self.to.big_endian);
        Ok(())
    }
}

fn other_field(structure: &StructType, field: &Field) -> ConvertError {
    ConvertError::Field { structure: structure.name.clone(), field: field.name.clone() }
}

fn of_structures(
    was: &StructType,
    is: &StructType,
    fields: Vec<FieldMap>,
) -> Result<ElementMap, ConvertError> {
    let to_bytes = is.size_bytes as usize;
    let from_bytes = usize::try_from(was.size_bytes)
        .map_err(|_| ConvertError::Size { found: usize::MAX, wanted: to_bytes })?;
    Ok(ElementMap { from_bytes, to_bytes, kind: ElementKind::Structure(fields) })
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
    let format = Format::with_digits(digits).filter(|format| format.size_bytes() <= size_bytes);
    format.ok_or(ConvertError::Format { size_bytes, digits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore::convert::misfit::ValuePosition;

    const LITTLE: Machine = Machine {
        big_endian: false,
        long_bytes: 8,
        pointer_bytes: 8,
        long_double_bytes: 16,
        long_double_digits: 64,
    };
    const BIG: Machine = Machine {
        big_endian: true,
        long_bytes: 4,
        pointer_bytes: 4,
        long_double_bytes: 16,
        long_double_digits: 113,
    };

    fn check(from: Machine, to: Machine, code: i32, bytes: &[u8]) -> Result<Vec<u8>, ConvertError> {
        check_as(from, to, code, code, bytes)
    }

    fn check_as(
        from: Machine,
        to: Machine,
        was: i32,
        is: i32,
        bytes: &[u8],
    ) -> Result<Vec<u8>, ConvertError> {
        let sides = Sides { from, to };
        let shape = sides.shape(&[], was, &Layouts::default(), is)?;
        let mut result = vec![0xff; bytes.len() / shape.from_bytes * shape.to_bytes];
        sides.convert(&shape, bytes, &mut result)?;
        Ok(result)
    }

    #[test]
    fn integers_change_order_and_size() {
        assert_eq!(check(BIG, LITTLE, types::INT, &[0, 0, 1, 2]), Ok(vec![2, 1, 0, 0]));
        assert_eq!(
            check(BIG, LITTLE, types::LONG, &[0xff, 0xff, 0xff, 0xfe]),
            Ok(vec![0xfe, 255, 255, 255, 255, 255, 255, 255])
        );
        assert_eq!(
            check(BIG, LITTLE, types::UNSIGNED_LONG, &[0xff, 0, 0, 1]),
            Ok(vec![1, 0, 0, 0xff, 0, 0, 0, 0])
        );
        assert_eq!(
            check(LITTLE, BIG, types::LONG, &(-7i64).to_le_bytes()),
            Ok((-7i32).to_be_bytes().to_vec())
        );
        assert_eq!(
            check(BIG, LITTLE, types::INT128, &(-3i128).to_be_bytes()),
            Ok((-3i128).to_le_bytes().to_vec())
        );
    }

    #[test]
    fn a_value_that_does_not_fit_is_an_error_by_its_element() {
        let values: Vec<u8> = [1i64, 1 << 31].iter().flat_map(|value| value.to_le_bytes()).collect();
        let at = ValuePosition { element: Some(1), path: String::new() };
        let error = ConvertError::Integer { at, value: "2147483648".into(), size_bytes: 4 };
        assert_eq!(check(LITTLE, BIG, types::LONG, &values), Err(error));
        assert_eq!(check(BIG, LITTLE, types::BYTE, &[1]), Err(ConvertError::Bytes));
    }

    #[test]
    fn one_type_has_two_names_on_two_machines() {
        let values = (-1i64).to_le_bytes();
        assert_eq!(check_as(LITTLE, BIG, types::LONG, types::LONG_LONG, &values), Ok(vec![255; 8]));
        assert!(check_as(LITTLE, BIG, types::LONG, types::UNSIGNED_INT, &values).is_err());
        assert_eq!(
            check_as(LITTLE, BIG, types::UNSIGNED_LONG, types::INT, &5u64.to_le_bytes()),
            Ok(vec![0, 0, 0, 5])
        );
        assert!(check_as(LITTLE, BIG, types::UNSIGNED_INT, types::INT, &(1u32 << 31).to_le_bytes()).is_err());
        assert!(matches!(
            check_as(LITTLE, BIG, types::LONG, types::DOUBLE, &values),
            Err(ConvertError::Type { .. })
        ));
    }

    #[test]
    fn a_real_that_is_too_large_is_told_with_its_value() {
        let narrow = Machine { long_double_bytes: 8, long_double_digits: 53, ..LITTLE };
        let large = ((16383u128 + 16000) << 64 | 1 << 63).to_le_bytes();
        let error = check(LITTLE, narrow, types::LONG_DOUBLE, &large).expect_err("it is too large");
        assert_eq!(
            error.to_string(),
            "it has the value 3.019469e4816, which is too large for a real of 8 bytes here"
        );
        let doubled = Machine { long_double_digits: 106, ..LITTLE };
        assert!(matches!(
            check(doubled, LITTLE, types::LONG_DOUBLE, &large),
            Err(ConvertError::Format { .. })
        ));
    }

    #[test]
    fn reals_keep_their_value() {
        let doubles: Vec<u8> = [0.1f64, -2.5].iter().flat_map(|value| value.to_be_bytes()).collect();
        let wanted: Vec<u8> = [0.1f64, -2.5].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(check(BIG, LITTLE, types::DOUBLE, &doubles), Ok(wanted.clone()));
        assert_eq!(check(BIG, LITTLE, types::DOUBLE_COMPLEX, &doubles), Ok(wanted));
        let one =
            check(BIG, LITTLE, types::LONG_DOUBLE, &[0x3f, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(one, Ok(vec![0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f, 0, 0, 0, 0, 0, 0]));
    }

    #[test]
    fn structures_go_field_by_field() {
        let field = |name: &str, offset_bytes, type_code, count| Field {
            name: name.into(),
            offset_bytes,
            type_code,
            count,
        };
        let was = StructType {
            name: "s".into(),
            size_bytes: 16,
            fields: vec![
                field("c", 0, types::CHAR, 2),
                field("l", 4, types::LONG, 2),
                field("p", 12, types::POINTER, 1),
            ],
        };
        let mut layouts = Layouts::default();
        let code = layouts.define(StructType {
            name: "s".into(),
            size_bytes: 32,
            fields: vec![
                field("c", 0, types::CHAR, 2),
                field("l", 8, types::LONG, 2),
                field("p", 24, types::POINTER, 1),
            ],
        });
        let saved = [was];
        let sides = Sides { from: BIG, to: LITTLE };
        let shape =
            sides.shape(&saved, 1000, &layouts, code.expect("it is described")).expect("the fields agree");
        let mut result = vec![0xff; 32];
        let bytes = [b'a', b'b', 9, 9, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4];
        sides.convert(&shape, &bytes, &mut result).expect("all values fit");
        let mut wanted = vec![0; 32];
        (wanted[0], wanted[1], wanted[8], wanted[16]) = (b'a', b'b', 1, 2);
        assert_eq!(result, wanted);
        let places = [(0, 0), (1, 1), (4, 8), (8, 16), (12, 24), (16, 32), (20, 40)];
        assert!(places.iter().all(|(from, to)| shape.offset(*from) == Some(*to)));
        assert_eq!((shape.offset(6), shape.pointer(12), shape.pointer(4)), (None, Some(24), None));
    }

    #[test]
    fn a_field_that_does_not_fit_is_told_by_its_path() {
        let field = |name: &str, offset_bytes, type_code, count| Field {
            name: name.into(),
            offset_bytes,
            type_code,
            count,
        };
        let outer = |size_bytes, inner_bytes| StructType {
            name: "s".into(),
            size_bytes,
            fields: vec![field("c", 0, types::CHAR, 2), field("in", inner_bytes, 1000, 2)],
        };
        let inner = |size_bytes, code| StructType {
            name: "t".into(),
            size_bytes,
            fields: vec![field("l", 0, code, 2)],
        };
        let mut layouts = Layouts::default();
        layouts.define(inner(8, types::INT)).expect("it is described");
        let code = layouts.define(outer(20, 4)).expect("it is described");
        let wide = [inner(16, types::LONG), outer(40, 8)];
        let back = Sides { from: LITTLE, to: LITTLE };
        let shape = back.shape(&wide, 1001, &layouts, code).expect("the fields agree");
        let mut there = vec![0; 80];
        there[40 + 8 + 16 + 8..][..8].copy_from_slice(&(1u64 << 40).to_le_bytes());
        let error = back.convert(&shape, &there, &mut [0; 40]).expect_err("it does not fit");
        let wanted = "field `in[1].l[1]` of element 1 (counted from 0) has the value 1099511627776, which does not fit into 4 bytes here";
        assert_eq!(error.to_string(), wanted);
    }

    /// The shape of a structure of the big-endian machine, here on the little-endian one.
    fn from_big(was: StructType, is: StructType) -> Result<ElementMap, ConvertError> {
        let mut layouts = Layouts::default();
        let code = layouts.define(is).expect("it is described");
        Sides { from: BIG, to: LITTLE }.shape(&[was], 1000, &layouts, code)
    }

    fn field(name: &str, offset_bytes: u64, type_code: i32) -> Field {
        Field { name: name.into(), offset_bytes, type_code, count: 1 }
    }

    fn structure(size_bytes: u64, fields: Vec<Field>) -> StructType {
        StructType { name: "s".into(), size_bytes, fields }
    }

    #[test]
    fn bit_fields_are_converted_one_by_one() {
        // unsigned a : 3; signed b : 10; signed c : 5;
        let bits =
            |width, first, is_signed| BitField::new(width, first, is_signed).expect("it is possible").code();
        let fields = |c_bits| {
            vec![field("a", 0, bits(3, 0, false)), field("b", 0, bits(10, 3, true)), field("c", 1, c_bits)]
        };
        let shape = from_big(structure(4, fields(bits(5, 5, true))), structure(4, fields(bits(4, 5, true))));
        let shape = shape.expect("the fields agree");
        let convert = |bytes: [u8; 4]| {
            let mut result = [0xff; 4];
            Sides { from: BIG, to: LITTLE }.convert(&shape, &bytes, &mut result).map(|()| result)
        };
        // a = 5, b = -2, c = 3
        let big = [0b1011_1111, 0b1111_0000, 0b1100_0000, 0];
        assert_eq!(convert(big), Ok([0b1111_0101, 0b0111_1111, 0, 0]));
        assert_eq!((shape.offset(1), shape.offset(0), shape.offset(4)), (None, Some(0), Some(4)));
        // c = -16
        let at = ValuePosition { element: None, path: "c".into() };
        let error = ConvertError::Bits { at, value: "-16".into(), width: 4 };
        assert_eq!(convert([0, 0b100, 0, 0]), Err(error));
    }

    #[test]
    fn only_the_selected_member_of_a_union_is_converted() {
        let fields = |member| {
            vec![
                field("kind", 0, types::INT),
                field("u.whole if kind == 0", member, types::LONG),
                field("u.real if kind == 1", member, types::DOUBLE),
                field("kind if kind == 2", 0, types::INT),
            ]
        };
        let shape = from_big(structure(16, fields(4)), structure(16, fields(8))).expect("the fields agree");
        let convert = |kind: u8, member: [u8; 8]| {
            let mut bytes = [[0, 0, 0, kind].as_slice(), &member, &[9; 4]].concat();
            bytes.extend_from_within(..);
            let mut result = [0xff; 32];
            let sides = Sides { from: BIG, to: LITTLE };
            sides
                .convert(&shape, &bytes, &mut result)
                .map(|()| i64::from_le_bytes(result[24..].try_into().unwrap()))
        };
        assert_eq!(convert(0, [0, 0, 1, 2, 7, 7, 7, 7]), Ok(0x0102));
        assert_eq!(convert(1, 0.5f64.to_be_bytes()), Ok(0.5f64.to_bits() as i64));
        assert_eq!(convert(2, [7; 8]), Ok(0));
        let at = ValuePosition { element: Some(0), path: "kind".into() };
        assert_eq!(convert(3, [7; 8]), Err(ConvertError::Selected { at, value: "3".into() }));
        // A pointer to the union is clear. One to the middle of a member is not.
        assert_eq!((shape.offset(4), shape.offset(8)), (Some(8), None));
    }

    #[test]
    fn the_member_of_a_plain_union_is_that_of_the_file() {
        let members =
            vec![field("whole if kind == 0", 0, types::LONG), field("real if kind == 1", 0, types::DOUBLE)];
        let union = structure(8, members);
        let shape = from_big(union.selected(|value| value == 1), union.clone()).expect("it has a member");
        let mut result = [0xff; 8];
        let sides = Sides { from: BIG, to: LITTLE };
        assert_eq!(sides.convert(&shape, &2.5f64.to_be_bytes(), &mut result), Ok(()));
        assert_eq!(result, 2.5f64.to_le_bytes());
        assert_eq!(
            from_big(union.selected(|value| value == 7), union),
            Err(ConvertError::NoMember { structure: "s".into() })
        );
    }
}
