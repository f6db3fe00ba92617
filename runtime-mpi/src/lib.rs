//! The communicator over MPI.
