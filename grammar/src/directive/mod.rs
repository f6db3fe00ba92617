//! The directives: one grammar for C and Fortran.
//!
//! In: what stands behind the sentinel, as text or as the tokens of a pragma. Out: a directive with
//! its items, each a range of that text. Holds afterwards: an item's text is not empty and its
//! brackets match; what it means in its language is not looked at here.

pub mod tree;
pub mod lexer;
mod explain;
pub mod parse;
pub mod c;
pub mod fortran;

pub use c::{misspelt, parse_c, spell_tightly, spell_tokens, CCount, CDirective, CItem};
pub use fortran::{parse_fortran, FortranDirective, FortranItem};
pub use parse::{parse, Fault};
pub use tree::{Directive, Item, Kind, Language, Opened};
