//! The methods by which a piece can be compressed.
//!
//! Input: compressed bytes from a file, and memory of the piece's size.
//! Output: the piece.
//! Postcondition: the memory is filled completely and all compressed bytes are used, or the result is an
//! error. Neither time nor memory depends on lengths that the bytes claim.

use super::shuffle::unshuffle;
use super::{deflate, lz4, Malformed};

/// The method that the index of a state file records for a compressed piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    pub algorithm: Algorithm,
    /// The bytes of elements of this size, 2 to 64, were grouped before compression. 0: they were not
    /// grouped.
    pub width: u8,
}

/// The largest element size in bytes whose bytes are grouped. Larger elements are not numbers.
pub const WIDEST: u8 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Deflate in the zlib format.
    Deflate,
    /// The block format of LZ4, without a frame.
    Lz4,
}

impl Method {
    /// `None` if elements of this size are not grouped.
    pub fn of(codec: Algorithm, width: u8) -> Option<Method> {
        (width == 0 || (2..=WIDEST).contains(&width)).then_some(Method { algorithm: codec, width })
    }

    /// Fills `piece` from the compressed bytes. `scratch` is reused for the next piece.
    pub fn decompress(
        self,
        compressed: &[u8],
        piece: &mut [u8],
        scratch: &mut Vec<u8>,
    ) -> Result<(), Malformed> {
        if self.width == 0 {
            return self.algorithm.decompress(compressed, piece);
        }
        if scratch.len() < piece.len() {
            scratch.resize(piece.len(), 0);
        }
        let grouped = &mut scratch[..piece.len()];
        self.algorithm.decompress(compressed, grouped)?;
        unshuffle(grouped, self.width.into(), piece);
        Ok(())
    }
}

impl Algorithm {
    fn decompress(self, compressed: &[u8], piece: &mut [u8]) -> Result<(), Malformed> {
        match self {
            Algorithm::Deflate => deflate::decompress(compressed, piece),
            Algorithm::Lz4 => lz4::decompress(compressed, piece),
        }
    }

    /// The largest ratio of decompressed to compressed bytes.
    pub fn max_ratio(self) -> u64 {
        match self {
            Algorithm::Deflate => deflate::MAX_RATIO,
            Algorithm::Lz4 => lz4::MAX_RATIO,
        }
    }
}
