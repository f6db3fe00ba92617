//! The codes of the diagnostics of preprocessing. The meaning of a code never changes.

/// A header that is in none of the directories.
pub const MISSING_INCLUDE: &str = "C0101";
/// `#if` without `#endif`.
pub const OPEN_CONDITIONAL: &str = "C0102";
/// A comment that is ended by the end of the file.
pub const OPEN_COMMENT: &str = "C0103";
/// A quote without a closing quote on its line.
pub const OPEN_LITERAL: &str = "C0104";
/// `#error` in a group that is not skipped.
pub const ERROR_DIRECTIVE: &str = "C0105";
/// `#warning` in a group that is not skipped.
pub const WARNING_DIRECTIVE: &str = "C0106";
/// An expression in `#if` that has no value.
pub const BAD_CONDITION: &str = "C0107";
/// `#else`, `#elif` or `#endif` where none is allowed.
pub const STRAY_CONDITIONAL: &str = "C0108";
/// A macro with more or fewer arguments than it has parameters.
pub const ARGUMENT_COUNT: &str = "C0109";
/// Arguments of a macro without their closing parenthesis.
pub const OPEN_ARGUMENTS: &str = "C0110";
/// A `#define` or `#undef` without a valid name.
pub const BAD_DEFINITION: &str = "C0111";
/// A macro of the main file that is defined again with another body.
pub const REDEFINITION: &str = "C0112";
/// `##` between two tokens that do not make one.
pub const BAD_PASTE: &str = "C0113";
/// A character that is not part of C.
pub const STRAY_CHARACTER: &str = "C0114";
/// Files that include each other without end.
pub const INCLUDE_DEPTH: &str = "C0115";
/// Macros or includes that exceed a limit.
pub const LIMIT: &str = "C0116";
/// A `#` followed by a word that is not a directive.
pub const UNKNOWN_DIRECTIVE: &str = "C0117";
/// `#include`, `#line` and others without their operands.
pub const BAD_DIRECTIVE: &str = "C0118";
/// `#embed`.
pub const EMBED: &str = "C0119";
/// `_Pragma` without its string.
pub const BAD_PRAGMA: &str = "C0120";
/// A file that exists but cannot be read.
pub const UNREADABLE: &str = "C0121";
