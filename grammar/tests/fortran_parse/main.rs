//! The parser of Fortran against sources, and against what may not happen to it.

mod corpus;
mod faults;
mod fixtures;
mod meaning;
mod properties;
mod source;
