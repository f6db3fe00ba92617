//! Reads the bytes of a file into its logical lines.
//!
//! Input: a file in fixed or free form, the flags of its compiler, the files that it includes.
//! Output: statements and directives, each byte with its origin; diagnostics.
//! Postcondition: bytes outside logical lines are comments, blanks, continuation marks, preprocessor lines,
//! or branches that the compiler skips. For every input the reader ends within its limits and does not panic.

mod codes;
mod search;
mod predefined;
mod options;
mod card;
mod context;
mod partial_line;
mod sentinel;
mod macros;
mod expanded_line;
mod state;
mod directive;
mod fixed;
mod free;
mod include;
mod expand;
mod condition;
mod conditional;
mod reader;
mod pieces;

pub use options::{DebugLines, Definition, Options};
pub use pieces::{pieces, Piece};
pub use reader::read;
pub use sentinel::is_misspelt_comment;
