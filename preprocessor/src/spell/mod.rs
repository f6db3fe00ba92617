//! The text of generated code, in separate modules for each language.
//!
//! Input: plans, and the files that they belong to.
//! Output: edits.
//! Postcondition: only plans and the text between spans were read, never syntax trees.

pub mod c;
pub mod fortran;

use cppc_source::{Files, Span};

/// The file and line for messages of the running program: `heat.c:41`. The directory is omitted, so that
/// the text does not depend on where the program is built.
pub(crate) fn place(files: &Files, span: Span) -> String {
    let file = files.get(span.file);
    let (line, _) = file.line_column(span.start);
    let name = file.shown_path(line).file_name().unwrap_or_default().to_string_lossy();
    format!("{name}:{}", file.shown_number(line))
}
