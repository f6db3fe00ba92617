//! The parser of C on real headers, on puzzles, on errors and at its limits.

mod headers;
mod properties;
mod tokens;
