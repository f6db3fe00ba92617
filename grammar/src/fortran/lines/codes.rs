//! The codes of the diagnostics of reading lines. The meaning of a code never changes.

/// `#if` without `#endif`.
pub const OPEN_CONDITIONAL: &str = "C0102";
/// A C comment that is ended by the end of the file.
pub const OPEN_COMMENT: &str = "C0103";
/// `#error` in a branch that is taken.
pub const ERROR_DIRECTIVE: &str = "C0105";
/// `#warning` in a branch that is taken.
pub const WARNING_DIRECTIVE: &str = "C0106";
/// An expression in `#if` that has no value.
pub const BAD_CONDITION: &str = "C0107";
/// `#else`, `#elif` or `#endif` where none is allowed.
pub const STRAY_CONDITIONAL: &str = "C0108";
/// A macro with more or fewer arguments than it has parameters.
pub const ARGUMENT_COUNT: &str = "C0109";
/// A `#define` or `#undef` without a valid name.
pub const BAD_DEFINITION: &str = "C0111";
/// A `#` followed by a word that is not a directive.
pub const UNKNOWN_DIRECTIVE: &str = "C0117";
/// `#include` without its operand.
pub const BAD_DIRECTIVE: &str = "C0118";
/// A directive in an included file.
pub const INCLUDED_DIRECTIVE: &str = "C0402";
/// A file of an `INCLUDE` line that is in none of the directories.
pub const MISSING_INCLUDE: &str = "C0601";
/// A file that includes itself, directly or through others.
pub const INCLUDE_CYCLE: &str = "C0602";
/// Includes that exceed a limit.
pub const LIMIT: &str = "C0603";
/// A directive after a statement on the same line.
pub const DIRECTIVE_BEHIND: &str = "C0604";
/// A directive between the lines of a statement.
pub const DIRECTIVE_WITHIN: &str = "C0605";
/// A comment that looks like a directive but is not one.
pub const NEAR_DIRECTIVE: &str = "C0606";
/// A continuation line without a line to continue.
pub const NOTHING_CONTINUED: &str = "C0607";
/// A line with a continuation mark that is not continued.
pub const NOT_CONTINUED: &str = "C0608";
/// A character constant without its closing quote.
pub const OPEN_CHARACTER: &str = "C0609";
/// Invalid characters in the columns of a label.
pub const BAD_LABEL: &str = "C0610";
/// A line with `#` in a file that is not preprocessed.
pub const NOT_PREPROCESSED: &str = "C0611";
/// Macro expansion made a line longer than the compiler reads.
pub const LINE_CUT: &str = "C0612";
