//! The codes of what reading lines has to say. A code never changes its meaning.

/// `#if` without `#endif`.
pub const OPEN_CONDITIONAL: &str = "C0102";
/// A comment of C that the end of the file cuts off.
pub const OPEN_COMMENT: &str = "C0103";
/// `#error` in a branch that is taken.
pub const ERROR_DIRECTIVE: &str = "C0105";
/// `#warning` in a branch that is taken.
pub const WARNING_DIRECTIVE: &str = "C0106";
/// An expression in `#if` that has no value.
pub const BAD_CONDITION: &str = "C0107";
/// `#else`, `#elif`, `#endif` where none may stand.
pub const STRAY_CONDITIONAL: &str = "C0108";
/// A macro with more or fewer arguments than it has parameters.
pub const ARGUMENT_COUNT: &str = "C0109";
/// A `#define` or `#undef` that defines nothing.
pub const BAD_DEFINITION: &str = "C0111";
/// A `#` with a word after it that is no directive.
pub const UNKNOWN_DIRECTIVE: &str = "C0117";
/// `#include` without what belongs to it.
pub const BAD_DIRECTIVE: &str = "C0118";
/// A directive in a file that is included.
pub const INCLUDED_DIRECTIVE: &str = "C0402";
/// A file of an `INCLUDE` line that is in none of the directories.
pub const MISSING_INCLUDE: &str = "C0601";
/// A file that includes itself, also by way of others.
pub const INCLUDE_CYCLE: &str = "C0602";
/// Includes that grow beyond all bounds.
pub const LIMIT: &str = "C0603";
/// A directive behind a statement, on its line.
pub const DIRECTIVE_BEHIND: &str = "C0604";
/// A directive between the lines of a statement.
pub const DIRECTIVE_WITHIN: &str = "C0605";
/// A comment that looks like a directive, and is none.
pub const NEAR_DIRECTIVE: &str = "C0606";
/// A line that continues nothing.
pub const NOTHING_CONTINUED: &str = "C0607";
/// A line that says that it is continued, and is not.
pub const NOT_CONTINUED: &str = "C0608";
/// A character constant without its end.
pub const OPEN_CHARACTER: &str = "C0609";
/// What is no label stands where labels stand.
pub const BAD_LABEL: &str = "C0610";
/// A line with `#` in a file that is not preprocessed.
pub const NOT_PREPROCESSED: &str = "C0611";
/// Macros have made a line longer than the compiler reads.
pub const LINE_CUT: &str = "C0612";
