//! Deflate in a zlib wrapping, one piece at a time.
//!
//! In: a piece of a block. Out: the same piece, smaller; and back. Holds afterwards: a piece that
//! does not fit into the given room is reported as such; one that comes back has exactly the wanted
//! length and came from exactly the given bytes.

use super::method::Malformed;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// What deflate can make of one byte, at the very most.
pub const MAX_RATIO: u64 = 1032;

/// Compresses pieces at one level.
#[derive(Debug)]
pub struct Deflater {
    state: Compress,
}

impl Deflater {
    /// `level` is 1 to 9.
    pub fn new(level: u32) -> Deflater {
        Deflater { state: Compress::new(Compression::new(level.clamp(1, 9)), true) }
    }

    /// Compresses `piece` into `room`; says how many bytes that took, none when there is not room
    /// enough.
    pub fn pack(&mut self, piece: &[u8], room: &mut [u8]) -> Option<usize> {
        self.state.reset();
        match self.state.compress(piece, room, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => usize::try_from(self.state.total_out()).ok(),
            _ => None,
        }
    }
}

/// Fills `piece` from the compressed bytes.
pub fn unpack(packed: &[u8], piece: &mut [u8]) -> Result<(), Malformed> {
    let mut state = Decompress::new(true);
    let status = state.decompress(packed, piece, FlushDecompress::Finish).map_err(|_| Malformed)?;
    let whole = status == Status::StreamEnd
        && state.total_in() == packed.len() as u64
        && state.total_out() == piece.len() as u64;
    if whole {
        Ok(())
    } else {
        Err(Malformed)
    }
}
