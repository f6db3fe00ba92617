//! Names, types and directives bound to the tree of each language.

pub mod c;
pub mod fortran;
