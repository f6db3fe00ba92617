//! The parser of Fortran against sources, and against what may not happen to it.

mod corpus;
mod fixtures;
mod source;
