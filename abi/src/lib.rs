//! The one table of calls, type codes, storage classes and statuses.
//!
//! In: nothing. Out: the tables, and the texts made from them (`cppc.h`, `cppcf.h`, `cppc_writer.h`). Holds afterwards: a number
//! that was once given out never changes its meaning; a retired one stays reserved.

pub mod types;
pub mod storage;
pub mod statuses;
pub mod calls;
pub mod routines;
pub mod header;
pub mod fortran_header;
pub mod fortran_module;
pub mod writer;

/// What a program that links a static library of ours has to add to the linker's line.
pub const STATIC_LIBRARY_NEEDS: &[&str] = &["-lpthread", "-ldl", "-lm"];
