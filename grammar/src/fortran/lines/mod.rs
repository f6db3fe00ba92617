//! From the bytes of a file to its logical lines.
//!
//! In: a file in fixed or free form, the flags of its compiler, the files that it includes. Out:
//! statements and directives, each byte with its origin; diagnostics. Holds afterwards: what is in no
//! logical line is a comment, a blank, a mark of continuation, a line of the preprocessor or a branch
//! that the compiler does not see; no input makes this fail, hang or grow beyond its limits.

mod codes;
mod search;
mod predefined;
mod options;
mod card;
mod context;
mod draft;
mod sentinel;
mod macros;
mod made;
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
