//! Checksums and compression.
//!
//! Input: bytes.
//! Output: checksums, or the same bytes compressed.
//! Postcondition: compressed bytes are restored exactly or reported as an error.

pub mod crc32;
mod deflate;
mod shuffle;
mod lz4;
mod method;
mod compressor;

pub use method::{Algorithm, Malformed, Method};
pub use compressor::{CompressedPiece, Compressor, CompressionOptions};
