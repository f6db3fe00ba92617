//! The MPI runtime as a C library.
