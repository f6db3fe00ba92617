//! Whether the program uses MPI at all.
//!
//! Input: the symbols of the executable and of its shared libraries.
//! Output: whether something in them may call `MPI_Init`, and whether that is the one of MPI.
//! Postcondition: if the symbols are not known, the program counts as one that uses MPI.

use cppc_runtime::loaded_objects::{address_of, loaded_objects};
use cppc_runtime::program_symbols::{symbols_of_executable, undefined_symbols, SymbolNames};
use mpi::ffi;
use std::path::Path;

/// Whether MPI was started. The functions of the MPI crate for this are next to a call of `MPI_Init_thread`.
pub fn is_initialized() -> bool {
    let mut flag = 0;
    // SAFETY: this is allowed at any time.
    unsafe { ffi::MPI_Initialized(&mut flag) };
    flag != 0
}

pub fn is_finalized() -> bool {
    let mut flag = 0;
    // SAFETY: as above.
    unsafe { ffi::MPI_Finalized(&mut flag) };
    flag != 0
}

/// Whether the program contains its own `MPI_Init`, which starts nothing: a replacement of MPI for serial builds.
pub fn replaces_mpi() -> bool {
    let executable = loaded_objects().into_iter().next();
    let is_own = |name| {
        let found = address_of(name);
        executable.as_ref().is_some_and(|object| {
            found != 0 && object.segments.iter().any(|segment| segment.range.contains(&found))
        })
    };
    // The symbols of a large executable are read only if there is such a procedure.
    (is_own(c"MPI_Init") || is_own(c"mpi_init_")) && is_replacement(&symbols_of_executable())
}

/// Whether nothing in the program may call `MPI_Init`.
pub fn never_starts_mpi() -> bool {
    let executable = symbols_of_executable();
    if is_replacement(&executable) {
        return true;
    }
    let of_libraries = || {
        let objects = loaded_objects();
        let others = objects.iter().skip(1).filter(|object| !is_of_mpi(&object.path));
        others.flat_map(|object| undefined_symbols(&object.path)).collect::<Vec<String>>()
    };
    !executable.is_empty()
        && !executable.undefined.iter().chain(&executable.defined).any(|name| starts_mpi(name))
        && !of_libraries().iter().any(|name| starts_mpi(name))
}

/// Whether an executable defines a procedure that has the name of one that starts MPI, and does not start MPI in it. A program
/// that only adds something to a call uses the other name of the procedure. An executable that contains MPI has both.
fn is_replacement(executable: &SymbolNames) -> bool {
    let mut all = executable.defined.iter().chain(&executable.undefined);
    // A procedure `mpi_init` of C is one of the program.
    let is_spelled = |name: &str| name.starts_with(['M', 'P']) || name.trim_end_matches('_') != name;
    executable.defined.iter().any(|name| starts_mpi(name) && is_spelled(name))
        && !executable.undefined.iter().any(|name| starts_mpi(name))
        && !all.any(|name| starts_mpi(name) && name.to_lowercase().starts_with('p'))
}

/// Whether this is the name of a procedure that starts MPI, in C or in Fortran.
fn starts_mpi(name: &str) -> bool {
    let name = name.to_lowercase();
    let name = name.split('@').next().unwrap_or_default();
    let name = name.trim_end_matches('_').trim_end_matches("_f08").trim_end_matches("_f08ts");
    let name = name.strip_prefix('p').unwrap_or(name);
    matches!(name, "mpi_init" | "mpi_init_thread" | "mpi_session_init")
}

/// Whether a library belongs to MPI or to CPPC. Those of MPI refer to each other.
fn is_of_mpi(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ["libmpi", "libpmpi", "libcppc"].iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(defined: &[&str], undefined: &[&str]) -> SymbolNames {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        SymbolNames { defined: owned(defined), undefined: owned(undefined) }
    }

    #[test]
    fn procedures_that_start_mpi_are_known_in_both_languages() {
        for name in
            ["MPI_Init", "PMPI_Init_thread", "mpi_init_", "mpi_init_f08_", "MPI_INIT", "MPI_Session_init"]
        {
            assert!(starts_mpi(name), "{name}");
        }
        for name in ["MPI_Initialized", "mpi_initialized_", "MPI_Info_create", "mpi_initial"] {
            assert!(!starts_mpi(name), "{name}");
        }
    }

    #[test]
    fn a_procedure_that_calls_mpi_is_no_replacement() {
        assert!(is_replacement(&names(&["main", "MPI_Init", "mpi_init_"], &["MPI_Initialized", "malloc"])));
        assert!(!is_replacement(&names(&["main", "MPI_Init"], &["PMPI_Init"])));
        assert!(!is_replacement(&names(&["main", "MPI_Init", "PMPI_Init"], &[])));
        assert!(!is_replacement(&names(&["main", "mpi_init_"], &["MPI_Init"])));
        assert!(!is_replacement(&names(&["main"], &["MPI_Initialized"])));
        assert!(!is_replacement(&names(&["main", "mpi_init"], &["PetscInitialize"])));
    }
}
