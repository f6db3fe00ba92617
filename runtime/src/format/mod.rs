//! The binary form of a state file, versions 1 and 2, and the seal of files of other forms;
//! docs/state-file.md is their description.
//!
//! In: a manifest and the bytes of its blocks, or the bytes of a file. Out: the other of the two.
//! Holds afterwards: byte offsets and the order of integers are known to `layout` only.

pub mod layout;
pub mod open_file;
pub mod manifest;
pub mod mark;
pub mod history;
mod index;
mod output;
mod prepared;
pub mod binary;
pub mod seal;

/// The first bytes of a file name its writer. Those of the binary one are `layout::MAGIC`; here stand
/// the ones of writers that come with the product and are loaded when they are needed.
pub const SIGNATURES: &[(&[u8], &str)] = &[(b"\x89HDF\r\n\x1a\n", "hdf5")];
