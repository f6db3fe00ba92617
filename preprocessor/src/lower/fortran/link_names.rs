//! The names that calls use, if the binder has no name for them.

use crate::bind::fortran::Procedure;

/// Modules of libraries, whose procedures have the names of external procedures.
pub(super) fn is_library(module: &str) -> bool {
    matches!(
        module,
        "mpi"
            | "mpi_f08"
            | "mpi_base"
            | "mpi_constants"
            | "mpi_sizeofs"
            | "omp_lib"
            | "omp_lib_kinds"
            | "openacc"
            | "netcdf"
    )
}

/// The link name of an `ENTRY`.
pub(super) fn entry_key(procedure: &Procedure, name: &str) -> String {
    match procedure.entry.rsplit_once('%') {
        Some((module, _)) => format!("{module}%{name}"),
        None => format!("{name}_"),
    }
}
