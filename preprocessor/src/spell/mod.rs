//! How generated text looks: one author per language.
//!
//! In: plans, and the files they are about. Out: edits. Holds afterwards: spelling reads plans and
//! the text between spans, never trees.

pub mod c;
pub mod fortran;

use cppc_source::{Files, Span};

/// Where something stands, for messages of the running program: `heat.c:41`. Without the directory, so that the
/// text is the same wherever the program is built.
pub(crate) fn place(files: &Files, span: Span) -> String {
    let file = files.get(span.file);
    let name = file.path.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}:{}", file.line_column(span.start).0)
}
