//! Tests the C parser with real headers, difficult cases, errors and limits.

mod errors;
mod expressions;
mod fixtures;
mod headers;
mod limits;
mod properties;
mod tokens;
