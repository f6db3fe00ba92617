//! The binary format of a state file, versions 1 to 3, and the seal of files of other formats.
//! docs/state-file.md describes both.
//!
//! Input: a manifest and the bytes of its memory blocks, or the bytes of a file.
//! Output: the other of the two.
//! Postcondition: only `layout` depends on byte offsets and on the order of integers.

pub mod layout;
pub mod open_file;
pub mod manifest;
pub mod digest;
pub mod history;
mod index;
mod output;
mod prepared;
pub mod binary;
pub mod seal;

/// The first bytes of a file name its writer. Those of the binary writer are `layout::MAGIC`. This table has
/// those of the writers that are part of the product and are loaded when they are needed.
pub const SIGNATURES: &[(&[u8], &str)] = &[(b"\x89HDF\r\n\x1a\n", "hdf5")];
