//! Grammars of C, Fortran and the directives that both languages share.
//!
//! Input: the bytes of a file and the flags of its compiler.
//! Output: tokens with origins, a tree, directives, diagnostics.
//! Postcondition: each token has the range of the bytes that it came from.

pub mod directive_words;
pub mod c;
pub mod fortran;
pub mod directive;
