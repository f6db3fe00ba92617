//! The binary form of a state file, version 1; docs/state-file.md is its description.
//!
//! In: a manifest and the bytes of its blocks, or the bytes of a file. Out: the other of the two.
//! Holds afterwards: byte offsets and the order of integers are known to `layout` only.

pub mod binary;
pub mod layout;
pub mod manifest;
