//! Elements: their layout in the file and in the program.
//!
//! Input: the bytes of an element of the file, or an offset in it.
//! Output: the fields that it has, or the offset in the program.
//! Postcondition: no offset is given for a bit-field, and none within a union, because its members have other positions in
//! the program.

use super::misfit::{Overflow, Reason};
use super::real::Format;
use crate::manifest::condition::Integer;
use cppc_abi::types::BitField;

/// An element in the file and in the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementMap {
    pub from_bytes: usize,
    pub to_bytes: usize,
    pub kind: ElementKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ElementKind {
    Integer { was_signed: bool, is_signed: bool },
    Real { was: Format, is: Format },
    Complex { was: Format, is: Format },
    Copy,
    Pointer,
    Bits { was: BitField, is: BitField },
    Structure(Vec<FieldMap>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMap {
    pub name: String,
    pub from_offset: usize,
    pub to_offset: usize,
    pub count: usize,
    pub shape: ElementMap,
    /// Set for a member of a union that an integer selects.
    pub when: Option<When>,
}

/// The integer in the element of the file, and the value that selects a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    pub integer: Integer,
    pub name: String,
    pub value: i128,
}

impl FieldMap {
    /// Whether the memory always contains exactly this field: it shares no bytes with others.
    pub fn is_alone(&self) -> bool {
        self.when.is_none() && !matches!(self.shape.kind, ElementKind::Bits { .. })
    }

    pub fn from_bytes(&self) -> usize {
        self.count * self.shape.from_bytes
    }

    pub fn to_bytes(&self) -> usize {
        self.count * self.shape.to_bytes
    }
}

impl ElementMap {
    /// The offset in the program's elements that corresponds to an offset in the elements of the file. The
    /// end of the last element is included. None for an offset inside a scalar or between fields.
    pub fn offset(&self, from_offset: usize) -> Option<usize> {
        self.place(from_offset).map(|(offset, _)| offset)
    }

    /// The same for the offset of a pointer.
    pub fn pointer(&self, from_offset: usize) -> Option<usize> {
        self.place(from_offset)
            .filter(|(_, shape)| shape.kind == ElementKind::Pointer)
            .map(|(offset, _)| offset)
    }

    /// Also returns what begins there. If several components begin there, returns the innermost.
    fn place(&self, from_offset: usize) -> Option<(usize, &ElementMap)> {
        let size_bytes = self.from_bytes.max(1);
        let (element, rest) = (from_offset / size_bytes, from_offset % size_bytes);
        let start = element.checked_mul(self.to_bytes)?;
        let (offset, shape) = match self.inner(rest) {
            Some(found) => found,
            None if rest == 0 => (0, self),
            None => return None,
        };
        Some((start.checked_add(offset)?, shape))
    }

    fn inner(&self, rest: usize) -> Option<(usize, &ElementMap)> {
        match &self.kind {
            ElementKind::Complex { .. } => (rest == self.from_bytes / 2).then_some((self.to_bytes / 2, self)),
            ElementKind::Copy => Some((rest, self)),
            ElementKind::Integer { .. }
            | ElementKind::Real { .. }
            | ElementKind::Pointer
            | ElementKind::Bits { .. } => None,
            ElementKind::Structure(fields) => {
                // Members of a union have different positions. No pointer can point to a bit-field.
                let in_union = |field: &&FieldMap| {
                    let range = field.from_offset..field.from_offset + field.from_bytes();
                    field.when.is_some() && range.contains(&rest)
                };
                if let Some(first) = fields.iter().find(in_union) {
                    let start = first.from_offset.min(rest);
                    let is_start = start == rest
                        && fields.iter().filter(in_union).all(|one| {
                            (one.from_offset, one.to_offset) == (first.from_offset, first.to_offset)
                        });
                    return is_start.then_some((first.to_offset, &first.shape));
                }
                let fields = || fields.iter().filter(|field| field.is_alone());
                let begins = fields().find(|field| {
                    (field.from_offset..field.from_offset + field.from_bytes()).contains(&rest)
                });
                // The end of an array, if no field begins there.
                let ends = || fields().find(|field| field.from_offset + field.from_bytes() == rest);
                let field = begins.or_else(ends)?;
                let (offset, shape) = field.shape.place(rest - field.from_offset)?;
                Some((field.to_offset + offset, shape))
            }
        }
    }
}

impl FieldMap {
    /// Whether the element of the file has this field.
    pub fn is_selected(&self, element: &[u8]) -> bool {
        self.when.as_ref().is_none_or(|when| when.is(element))
    }
}

impl When {
    fn is(&self, element: &[u8]) -> bool {
        self.integer.value(element).is_some_and(|value| self.integer.is(value, self.value))
    }
}

/// Checks that each integer that selects members selects one.
pub(super) fn check_selected(fields: &[FieldMap], element: &[u8]) -> Result<(), Overflow> {
    let all = || fields.iter().filter_map(|field| field.when.as_ref());
    let lost = all().find(|when| !all().any(|other| other.integer == when.integer && other.is(element)));
    lost.map_or(Ok(()), |when| {
        let value = when.integer.value(element).unwrap_or_default();
        Err(Overflow { path: when.name.clone(), ..Overflow::new(Reason::NoMember, value.to_string()) })
    })
}
