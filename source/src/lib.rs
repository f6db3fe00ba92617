//! Source text that is never altered in place: files, spans, origins, edits and diagnostics.
//!
//! Input: the bytes of the files of a program.
//! Output: the bytes rewritten by a list of edits, and diagnostics that point into the original.
//! Postcondition: bytes outside edits are unchanged.

pub mod span;
pub mod file;
pub mod origin;
pub mod edit;
pub mod diagnostic;

pub use diagnostic::{Diagnostic, Severity};
pub use edit::{Edit, EditList};
pub use file::{Files, ShownLine, ShownLines, SourceFile};
pub use origin::{Expansion, ExpansionId, Expansions, Origin};
pub use span::{FileId, Span};
