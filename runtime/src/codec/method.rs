//! How a piece can be packed.
//!
//! In: packed bytes from a file, and memory of the size that the piece has. Out: the piece. Holds
//! afterwards: the memory is filled to its end and the packed bytes are used up, or it is an error;
//! neither time nor memory depends on what the bytes claim.

use super::group::ungroup;
use super::{deflate, lz4};

/// What the index of a state file says of a packed piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    pub codec: Codec,
    /// The bytes of elements of this size, 2 to 64, were grouped before; 0 when none were.
    pub width: u8,
}

/// Elements of more than this are not numbers.
pub const WIDEST: u8 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
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
    /// None when elements of this size are not grouped.
    pub fn of(codec: Codec, width: u8) -> Option<Method> {
        (width == 0 || (2..=WIDEST).contains(&width)).then_some(Method { codec, width })
    }

    /// Fills `piece` from the packed bytes; `scratch` is kept for the next one.
    pub fn unpack(self, packed: &[u8], piece: &mut [u8], scratch: &mut Vec<u8>) -> Result<(), Malformed> {
        if self.width == 0 {
            return self.codec.unpack(packed, piece);
        }
        if scratch.len() < piece.len() {
            scratch.resize(piece.len(), 0);
        }
        let grouped = &mut scratch[..piece.len()];
        self.codec.unpack(packed, grouped)?;
        ungroup(grouped, self.width.into(), piece);
        Ok(())
    }
}

impl Codec {
    fn unpack(self, packed: &[u8], piece: &mut [u8]) -> Result<(), Malformed> {
        match self {
            Codec::Deflate => deflate::unpack(packed, piece),
            Codec::Lz4 => lz4::unpack(packed, piece),
        }
    }

    /// What one packed byte can become, at the very most.
    pub fn max_ratio(self) -> u64 {
        match self {
            Codec::Deflate => deflate::MAX_RATIO,
            Codec::Lz4 => lz4::MAX_RATIO,
        }
    }
}
