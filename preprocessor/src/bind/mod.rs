//! Names, types and directives bound to the tree of each language.

mod regions;
pub mod c;
pub mod fortran;
