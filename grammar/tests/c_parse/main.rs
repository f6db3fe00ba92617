//! The parser of C on real headers, on puzzles, on errors and at its limits.

mod errors;
mod expressions;
mod fixtures;
mod headers;
mod limits;
mod properties;
mod tokens;
