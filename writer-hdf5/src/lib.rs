//! Stores state files in HDF5, so that `h5dump`, h5py and HDFView show the variables of a program.
//!
//! Input: the calls of `cppc_writer.h`.
//! Output: files with a dataset for each register, and what the runtime needs to read them again.
//! Postcondition: the metadata has checksums. No byte of the program's memory is stored twice. The library's
//! lock is held while metadata is written, not while data is written.

mod view;
mod fault;
mod handle;
mod session;
mod names;
mod extents;
mod boxes;
mod types;
mod file;
mod attributes;
mod chunks;
mod transfer;
mod row_table;
mod direct;
mod probe;
mod tables;
mod write;
mod read;
mod input;
mod boundary;

pub use boundary::CPPC_Get_writer;
