//! Why a graph cannot be saved.
//!
//! Input: none, because this file contains only types.
//! Postcondition: each reason says what the user can change.

use super::hidden::Pointed;
use crate::allocations::Fault;
use thiserror::Error;

/// A pointer that a restart could not set.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
#[error("`{path}` {reason}")]
pub struct GraphError {
    pub path: String,
    pub reason: Reason,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
pub enum Reason {
    #[error("is saved with `deep`, but no allocations are recorded in this program: link it with `cppc-cc`")]
    Inactive,
    #[error("points to memory that was freed: set the pointer to null, or register its target")]
    Freed,
    #[error("points to a local variable of a procedure: a restart could not find it")]
    Stack,
    #[error(
        "points to a variable that is not registered: register it too (in C with `deep` if it contains pointers)"
    )]
    Variable,
    #[error("points to a constant or a function that a restart could not find by a name, such as an internal procedure of Fortran")]
    Nameless,
    #[error("points to memory that the files of the program did not allocate: if the pointer has no value yet, set it to null")]
    Unknown,
    #[error("points to an allocation of {size_bytes} bytes, which is not a whole number of elements of {element_bytes} bytes ({name}). If it has a larger type, register `deep` of a pointer to that type too. If other data follow such elements, allocate them separately")]
    Partial { size_bytes: usize, element_bytes: usize, name: String },
    #[error("points to elements of {wanted}, and another pointer points there to elements of {found}")]
    TwoTypes { found: String, wanted: String },
    #[error("points into an element of {0}, where no component begins")]
    Inside(String),
    #[error("points to a part of an element of an array that is registered separately: register that array as a part of a variable with pointers, or point to a whole element")]
    InsideRegister,
    #[error("is not a pointer, and its value is the address of {pointed}: its memory may have another type than {name}, which the pointers to it have. If the value is an old one, use `calloc`. If the type is right, state it: `deep(root, field: type)`")]
    Hidden { pointed: Pointed, name: String },
    #[error("is an integer with the address of {0}, which a restart would not change: use a pointer, or set the integer to 0 if its value is an old one")]
    Integer(Pointed),
    #[error("has a dynamic type{0} that can be named neither where it is registered nor where `init` is: use the module of this type in one of these places")]
    Dynamic(String),
    #[error("{0}")]
    Allocation(Fault),
    #[error("points to memory for which the pointers have more than two types")]
    Unstable,
}
