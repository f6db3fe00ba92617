//! From source text to trees: C, Fortran, and the directives that they share.
//!
//! In: the bytes of a file and the flags of its compiler. Out: tokens with origins, a tree,
//! directives, diagnostics. Holds afterwards: each token knows the bytes it came from.

pub mod sentinel;
pub mod c;
pub mod fortran;
pub mod directive;
