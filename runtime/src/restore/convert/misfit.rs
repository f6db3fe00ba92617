//! Why an element cannot be converted.
//!
//! Input: a type or a value that does not fit.
//! Output: the message, with the path of the value in the structures around it.

use std::fmt;
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConvertError {
    #[error("{at} has the value {value}, which does not fit into {size_bytes} bytes here")]
    Integer { at: ValuePosition, value: String, size_bytes: usize },
    #[error("{at} has the value {value}, which is too large for a real of {size_bytes} bytes here")]
    Real { at: ValuePosition, value: String, size_bytes: usize },
    #[error("{at} has the value {value}, which does not fit into {width} bits here")]
    Bits { at: ValuePosition, value: String, width: u8 },
    #[error("{at} has the value {value}, which selects no member of a union")]
    Selected { at: ValuePosition, value: String },
    #[error("no member of `{structure}` was selected when the state was written")]
    NoMember { structure: String },
    #[error("reals of {size_bytes} bytes with {digits} digits cannot be converted")]
    Format { size_bytes: usize, digits: u8 },
    #[error("the field `{field}` of the structure `{structure}` does not have the same type and number of elements as in the state file")]
    Field { structure: String, field: String },
    #[error("the structure `{structure}` has {found} fields in the program and {saved} in the state file")]
    Fields { structure: String, found: usize, saved: usize },
    #[error("raw bytes cannot be converted: register what they contain by its type")]
    Bytes,
    #[error("it has the type {found} in the program and {saved} in the state file")]
    Type { found: String, saved: String },
    #[error("its elements have {found} bytes in the state file, but their type has {wanted}")]
    Size { found: usize, wanted: usize },
}

/// The position of a value in a register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuePosition {
    /// None if there is only one element.
    pub element: Option<usize>,
    /// The component of a structure, as the program would write it.
    pub path: String,
}

impl fmt::Display for ValuePosition {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        match (self.element, self.path.as_str()) {
            (None, "") => text.write_str("it"),
            (None, path) => write!(text, "field `{path}`"),
            (Some(element), "") => write!(text, "element {element} (counted from 0)"),
            (Some(element), path) => write!(text, "field `{path}` of element {element} (counted from 0)"),
        }
    }
}

/// A value that cannot be converted, with its path in the structures around it.
pub(super) struct Overflow {
    pub reason: Reason,
    pub value: String,
    pub element: usize,
    pub path: String,
}

pub(super) enum Reason {
    Integer {
        size_bytes: usize,
    },
    Real {
        size_bytes: usize,
    },
    Bits {
        width: u8,
    },
    /// It selects no member of a union.
    NoMember,
}

impl Overflow {
    pub fn new(reason: Reason, value: String) -> Overflow {
        Overflow { reason, value, element: 0, path: String::new() }
    }

    pub fn within(self, name: &str, count: usize) -> Overflow {
        let index = if count > 1 { format!("[{}]", self.element) } else { String::new() };
        let dot = if self.path.is_empty() { "" } else { "." };
        Overflow { path: format!("{name}{index}{dot}{}", self.path), ..self }
    }

    pub fn error(self, count: usize) -> ConvertError {
        let Overflow { reason, value, element, path } = self;
        let at = ValuePosition { element: (count > 1).then_some(element), path };
        match reason {
            Reason::Real { size_bytes } => ConvertError::Real { at, value, size_bytes },
            Reason::Integer { size_bytes } => ConvertError::Integer { at, value, size_bytes },
            Reason::Bits { width } => ConvertError::Bits { at, value, width },
            Reason::NoMember => ConvertError::Selected { at, value },
        }
    }
}
