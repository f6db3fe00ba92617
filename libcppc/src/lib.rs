//! The sequential runtime as a C library.
