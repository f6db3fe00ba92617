//! Translation from trees and directives to rewritten text.
//!
//! Input: files and the flags of their compiler.
//! Output: the rewritten files, or diagnostics.
//! Postcondition: bytes outside edits are unchanged. A file without directives and without calls to
//! instrumented procedures is returned unchanged.

pub mod language;
pub mod explain;
pub mod modules;
pub mod remarks;
pub mod safety;
pub mod bind;
pub mod front;
pub mod model;
pub mod lower;
pub mod live_data;
pub mod safe_points;
pub mod program;
pub mod plan;
pub mod unparsed;
pub mod spell;
pub mod original_lines;
pub mod write;
pub mod annotate;
pub mod driver;
pub mod patch;
pub mod compile;
pub mod precompile;
