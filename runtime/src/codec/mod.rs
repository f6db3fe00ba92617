//! Checks and compression of bytes.
//!
//! In: bytes. Out: checksums, or the same bytes in less space. Holds afterwards: what was
//! compressed comes back exactly, or with an error; never with a guess.

pub mod crc32;
mod deflate;
mod group;
mod lz4;
mod method;
mod packer;

pub use method::{Codec, Malformed, Method};
pub use packer::{Packed, Packer, Packing};
