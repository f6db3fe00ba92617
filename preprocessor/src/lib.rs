//! From trees and directives to rewritten text.
//!
//! In: files and the flags of their compiler. Out: the files rewritten, or diagnostics. Holds
//! afterwards: bytes outside edits are unchanged; a file without directives and without calls to
//! instrumented procedures comes out identical.

pub mod language;
pub mod modules;
pub mod bind;
pub mod front;
pub mod model;
pub mod program;
pub mod plan;
pub mod unparsed;
pub mod spell;
pub mod write;
pub mod driver;
pub mod compile;
pub mod precompile;
