//! The directives: one grammar for C and Fortran.
