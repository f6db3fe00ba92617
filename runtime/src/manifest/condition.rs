//! Fields that exist only while an integer has a certain value: the members of a union with a discriminant.
//!
//! Input: the fields of a structure. The name of such a field ends with a condition: `u.real if kind == 1`.
//! Output: the condition, and the integer in the bytes of an element.
//! Postcondition: the integer of a condition is a field of the same structure, without a condition of its own. Only the
//! members of a plain union are different: their integer is a variable next to the union.

use super::{Field, StructType};
use crate::machine::Machine;
use cppc_abi::bits::number;
use cppc_abi::types::{by_code, BitField, Class};

/// Between the path of a member and its condition.
const IF: &str = " if ";
const EQUALS: &str = " == ";

/// `kind == 1`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition<'a> {
    /// The name of the field with the integer.
    pub integer: &'a str,
    pub value: i128,
}

impl Field {
    /// The path without the condition.
    pub fn path(&self) -> &str {
        self.condition().map_or(&self.name, |_| self.name.split_once(IF).map_or("", |(path, _)| path))
    }

    pub fn condition(&self) -> Option<Condition<'_>> {
        let (integer, value) = self.name.split_once(IF)?.1.split_once(EQUALS)?;
        Some(Condition { integer, value: value.parse().ok()? })
    }
}

impl StructType {
    /// The field with the integer of a condition, if it is one.
    pub fn integer_of(&self, condition: Condition) -> Option<&Field> {
        let field = self.fields.iter().find(|field| field.name == condition.integer)?;
        (field.count == 1 && Integer::form_of(field.type_code).is_some()).then_some(field)
    }

    /// Whether it is a union whose member is selected by a variable: no field has the integer.
    pub fn is_selected_outside(&self) -> bool {
        let mut conditions = self.fields.iter().map(Field::condition);
        let first = self.fields.first().and_then(Field::condition).map(|condition| condition.integer);
        first.is_some_and(|integer| {
            let is_field = self.fields.iter().any(|field| field.name == integer);
            !is_field && conditions.all(|condition| condition.is_some_and(|found| found.integer == integer))
        })
    }

    /// Whether every condition can be tested.
    pub fn has_valid_conditions(&self) -> bool {
        let mut conditions = self.fields.iter().filter_map(Field::condition);
        self.is_selected_outside() || conditions.all(|condition| self.integer_of(condition).is_some())
    }

    /// A plain union with only the members whose values are selected.
    pub fn selected(&self, is_value: impl Fn(i128) -> bool) -> StructType {
        let is_selected = |field: &&Field| field.condition().is_some_and(|found| is_value(found.value));
        let fields = self.fields.iter().filter(is_selected);
        let fields = fields.map(|field| Field { name: field.path().to_owned(), ..field.clone() });
        StructType { fields: fields.collect(), ..self.clone() }
    }
}

/// An integer in the bytes of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer {
    offset_bytes: usize,
    size_bytes: usize,
    form: Form,
    is_big_endian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Signed,
    Unsigned,
    /// A `char`, which is signed on some machines.
    Character,
    Bits(BitField),
}

impl Integer {
    /// The integer of a field that [`StructType::integer_of`] has found.
    pub fn of(field: &Field, machine: &Machine) -> Option<Integer> {
        let form = Integer::form_of(field.type_code)?;
        let size_bytes = machine.scalar_bytes(field.type_code)?;
        let offset_bytes = usize::try_from(field.offset_bytes).ok()?;
        Some(Integer { offset_bytes, size_bytes, form, is_big_endian: machine.big_endian })
    }

    /// A variable of this type on this machine.
    pub fn variable(type_code: i32) -> Option<Integer> {
        Integer::of(&Field { name: String::new(), offset_bytes: 0, type_code, count: 1 }, &Machine::THIS)
    }

    pub fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    fn form_of(type_code: i32) -> Option<Form> {
        if let Some(bits) = BitField::from_code(type_code) {
            return Some(Form::Bits(bits));
        }
        match by_code(type_code)?.class {
            Class::Signed => Some(Form::Signed),
            Class::Unsigned | Class::Logical => Some(Form::Unsigned),
            Class::Character => Some(Form::Character),
            Class::Real | Class::Complex | Class::Byte | Class::Pointer => None,
        }
    }

    /// The value in these bytes. None if they are too few.
    pub fn value(&self, element: &[u8]) -> Option<i128> {
        let end = self.offset_bytes.checked_add(self.size_bytes)?;
        let bytes = element.get(self.offset_bytes..end)?;
        let unused = 128 - 8 * self.size_bytes.clamp(1, 16) as u32;
        Some(match self.form {
            Form::Bits(bits) => bits.value(bytes, self.is_big_endian),
            Form::Signed => (number(bytes, self.is_big_endian) << unused) as i128 >> unused,
            Form::Unsigned | Form::Character => number(bytes, self.is_big_endian) as i128,
        })
    }

    /// Whether a value of this integer is that of a condition.
    pub fn is(&self, value: i128, wanted: i128) -> bool {
        match self.form {
            Form::Character => value & 0xff == wanted & 0xff,
            Form::Signed | Form::Unsigned | Form::Bits(_) => value == wanted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cppc_abi::types::{DOUBLE, INT, LONG};

    fn field(name: &str, offset_bytes: u64, type_code: i32) -> Field {
        Field { name: name.to_owned(), offset_bytes, type_code, count: 1 }
    }

    fn structure(fields: Vec<Field>) -> StructType {
        StructType { name: "s".to_owned(), size_bytes: 16, fields }
    }

    #[test]
    fn a_condition_names_a_field_of_the_structure() {
        let item = structure(vec![
            field("kind", 0, INT),
            field("u.whole if kind == 0", 8, LONG),
            field("u.real if kind == -3", 8, DOUBLE),
        ]);
        let condition = item.fields[2].condition().expect("it has a condition");
        assert_eq!((item.fields[2].path(), condition.value), ("u.real", -3));
        assert_eq!(item.integer_of(condition).map(|field| field.name.as_str()), Some("kind"));
        assert!(item.has_valid_conditions() && !item.is_selected_outside());
        let integer = Integer::of(&item.fields[0], &Machine { big_endian: true, ..Machine::THIS });
        assert_eq!(integer.and_then(|found| found.value(&[255, 255, 255, 253])), Some(-3));
        let real = structure(vec![field("kind", 0, DOUBLE), field("u if kind == 0", 8, LONG)]);
        let missing = structure(vec![field("x", 0, INT), field("u if kind == 0", 8, LONG)]);
        assert!(!real.has_valid_conditions() && !missing.has_valid_conditions());
    }

    #[test]
    fn a_variable_selects_a_member_of_a_plain_union() {
        let union =
            structure(vec![field("whole if kind == 0", 0, LONG), field("real if kind == 1", 0, DOUBLE)]);
        assert!(union.is_selected_outside() && union.has_valid_conditions());
        assert_eq!(union.selected(|value| value == 1).fields, [field("real", 0, DOUBLE)]);
        assert!(union.selected(|value| value == 2).fields.is_empty());
    }
}
