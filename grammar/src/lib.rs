//! From source text to trees: C, and the directives that C and Fortran share.
//!
//! In: the bytes of a file and the flags of its compiler. Out: tokens with origins, a tree,
//! directives, diagnostics. Holds afterwards: each token knows the bytes it came from.

pub mod c;
pub mod directive;
