//! Tests the Fortran parser with sources, and checks that no input makes it panic or run without end.

mod corpus;
mod faults;
mod fixtures;
mod meaning;
mod properties;
mod source;
