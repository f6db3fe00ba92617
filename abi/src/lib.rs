//! The table of calls, type codes, storage classes and statuses.
//!
//! Input: nothing.
//! Output: the tables, and the texts made from them (`cppc.h`, `cppcf.h`, `cppc_writer.h`).
//! Postcondition: a number never changes its meaning; a retired number stays reserved.

pub mod bits;
pub mod types;
pub mod storage;
pub mod elsewhere;
pub mod statuses;
pub mod exit_statuses;
pub mod environment;
pub mod sections;
pub mod ranks;
pub mod mpi;
pub mod calls;
pub mod routines;
pub mod header;
pub mod fortran_header;
pub mod fortran_module;
pub mod writer;

/// The options that a program needs on the linker's command line if it links a static library of CPPC.
pub const STATIC_LIBRARY_NEEDS: &[&str] = &["-lpthread", "-ldl", "-lm"];

/// The functions that a program calls through the runtime, if the runtime has to know its allocations. The linker
/// option `--wrap` redirects each of them.
pub const WRAPPED_FUNCTIONS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "posix_memalign",
    "aligned_alloc",
    "memalign",
    "valloc",
    "strdup",
    "strndup",
    "getline",
    "getdelim",
    // `getline` in optimised programs.
    "__getdelim",
    "mmap",
    "mmap64",
    "munmap",
    "mremap",
];

/// The functions of MPI that a program calls through the runtime, because they allocate memory.
pub const WRAPPED_FUNCTIONS_OF_MPI: &[&str] =
    &["MPI_Alloc_mem", "MPI_Free_mem", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_free"];
