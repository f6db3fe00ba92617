//! How a piece can be packed.
//!
//! In: packed bytes from a file, and memory of the size that the piece has. Out: the piece. Holds
//! afterwards: the memory is filled to its end and the packed bytes are used up, or it is an error;
//! neither time nor memory depends on what the bytes claim.

use super::{deflate, lz4};

/// What the index of a state file says of a packed piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Deflate in a zlib wrapping.
    Deflate,
    /// The block form of LZ4, bare.
    Lz4,
}

/// Why a piece did not come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the compressed bytes are not what was written")]
pub struct Malformed;

impl Method {
    /// Fills `piece` from the packed bytes.
    pub fn unpack(self, packed: &[u8], piece: &mut [u8]) -> Result<(), Malformed> {
        match self {
            Method::Deflate => deflate::unpack(packed, piece),
            Method::Lz4 => lz4::unpack(packed, piece),
        }
    }

    /// What one packed byte can become, at the very most.
    pub fn max_ratio(self) -> u64 {
        match self {
            Method::Deflate => deflate::MAX_RATIO,
            Method::Lz4 => lz4::MAX_RATIO,
        }
    }
}
