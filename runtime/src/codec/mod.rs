//! Checksums and compression.
//!
//! Input: bytes.
//! Output: checksums, or the same bytes compressed.
//! Postcondition: compressed bytes are restored exactly or reported as an error.

pub mod crc32;
mod shuffle;
mod deflate;
mod lz4;
mod method;
mod compressor;

pub use compressor::{CompressedPiece, CompressionOptions, Compressor};
pub use method::{Algorithm, Method};

/// Compressed bytes that do not decompress to the piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the compressed bytes are not what was written")]
pub struct Malformed;
