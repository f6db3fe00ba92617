//! Parts of items.

use super::value::TypeCode;

/// The extents of an array, in the order of the language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extents {
    pub rank: u32,
    /// An expression for each extent. In Fortran one expression for all of them.
    pub parts: Vec<String>,
}

/// An lvalue with computed subscripts, such as `rows[k]`. Each combination of their values is a separate
/// register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// The spelling of the lvalue before, between and after the subscripts. Empty in Fortran, where the texts
    /// of an item contain `#at(1)` and so on instead of the subscripts.
    pub pieces: Vec<String>,
    /// In C there is one subscript less than pieces.
    pub subscripts: Vec<String>,
}

/// A field of consecutive elements of an array. The texts are expressions of the language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fields {
    /// In C, the lvalue of the item is the array.
    Layout(FieldLayout),
    /// In Fortran, everything else in the item describes the field of the first element.
    Structures(FieldStructures),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldLayout {
    /// The first element, if it is computed. It belongs to the name of the register like a subscript.
    pub lower: Option<String>,
    /// The bytes from the first element, or from the beginning of the array, to the field.
    pub offset: String,
    /// The distance of two lower bounds: the size of an element, or of a row of them.
    pub row: String,
    /// The size of an element.
    pub stride: String,
    /// The number of elements of the field in one element of the array.
    pub elements: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldStructures {
    /// A scalar in the first element, and the same in the second. The difference of their addresses is the size of an
    /// element.
    pub first: String,
    pub second: String,
    /// The type of this scalar.
    pub code: TypeCode,
    /// The number of elements of the array.
    pub structures: String,
}

impl Fields {
    pub fn layout(&self) -> Option<&FieldLayout> {
        match self {
            Fields::Layout(layout) => Some(layout),
            Fields::Structures(_) => None,
        }
    }

    pub fn structures(&self) -> Option<&FieldStructures> {
        match self {
            Fields::Layout(_) => None,
            Fields::Structures(structures) => Some(structures),
        }
    }
}
