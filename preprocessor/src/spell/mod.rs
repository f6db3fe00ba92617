//! How generated text looks: one author per language.
//!
//! In: plans, and the files they are about. Out: edits. Holds afterwards: spelling reads plans and
//! the text between spans, never trees.

pub mod c;
pub mod fortran;
