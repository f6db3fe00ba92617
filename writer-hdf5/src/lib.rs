//! Keeps state files in HDF5, so that `h5dump`, h5py and HDFView show the variables of a program.
//!
//! In: the calls of `cppc_writer.h`. Out: files with a dataset for each register, and what the runtime
//! needs to read them again. Holds afterwards: the metadata has checksums; no byte of the program's
//! memory is stored twice; the library's lock is held while metadata is made, not while data is
//! written.

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
mod places;
mod direct;
mod probe;
mod tables;
mod write;
mod read;
mod input;
mod boundary;

pub use boundary::CPPC_Get_writer;
