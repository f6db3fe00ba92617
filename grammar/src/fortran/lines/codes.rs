//! The codes of what reading lines has to say. A code never changes its meaning.

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
