//! The Fortran front end: from the bytes of a file to the tree of its program units.
//!
//! Input: a source file in fixed or free form.
//! Output: logical lines with the origin of each byte, one statement for each, and the constructs and program
//! units.
//! Postcondition: every byte of the file belongs to a logical line or is between two of them. Text that could
//! not be parsed is in the tree as such, and has a diagnostic.

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
mod open_item;
mod function;
mod tree_builder;
mod units;
pub mod parse;
pub mod dump;
