//! The directives: one grammar for C and Fortran.
//!
//! Input: the text after the sentinel, or the tokens of a pragma.
//! Output: a directive with its items, each a range of that text.
//! Postcondition: the text of an item is not empty and its brackets match. Its meaning in its language is not
//! checked here.

pub mod tree;
pub mod lexer;
mod explain;
mod section;
pub mod parse;
pub mod c;
pub mod fortran;

pub use c::{
    misspelt, parse_c, spell_tightly, spell_tokens, CBounds, CBy, CCase, CCount, CDeep, CDirective, CItem,
    CSection,
};
pub use explain::Fault;
pub use fortran::{parse_fortran, FortranDirective, FortranItem};
pub use parse::parse;
pub use tree::{Added, Directive, Item, Kind, Language, Opened, Safety};
