//! Fortran: from the bytes of a file to the tree of its program units.
//!
//! In: a source file in fixed or free form. Out: logical lines with the origin of each byte, then one
//! statement for each, then constructs and program units. Holds afterwards: every byte of the file
//! belongs to a logical line or to what stands between two; what is not understood is in the tree as
//! such, with a diagnostic beside it.

pub mod logical;
pub mod lines;
pub mod tree;
pub mod walk;
mod condensed;
mod token;
mod lexer;
mod cursor;
mod terminal;
mod explain;
mod expression;
mod declaration;
mod body;
mod statement;
mod frame;
mod function;
mod blocks;
mod units;
pub mod parse;
pub mod dump;
