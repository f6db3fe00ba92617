//! Deflate in the zlib format (RFC 1950), one piece at a time.
//!
//! Input: a piece of a memory block.
//! Output: the piece compressed, or decompressed again.
//! Postcondition: a compressed piece that does not fit into the given room is reported; a decompressed piece
//! has exactly the expected length and was made from exactly the given bytes.

use super::Malformed;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// The largest ratio of decompressed to compressed bytes that deflate can reach.
pub const MAX_RATIO: u64 = 1032;

/// Compresses pieces at one level.
///
/// The state of a stream that did not end is discarded: at level 1, zlib-rs 0.6 keeps a block open over a
/// reset, and the next stream then lacks its beginning.
#[derive(Debug)]
pub struct Deflater {
    level: Compression,
    state: Compress,
}

impl Deflater {
    /// `level` is 1 to 9.
    pub fn new(level: u32) -> Deflater {
        let level = Compression::new(level.clamp(1, 9));
        Deflater { level, state: Compress::new(level, true) }
    }

    /// Compresses `piece` into `room`. Returns the number of bytes written, or `None` if `room` is too small.
    pub fn compress(&mut self, piece: &[u8], room: &mut [u8]) -> Option<usize> {
        self.state.reset();
        match self.state.compress(piece, room, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => usize::try_from(self.state.total_out()).ok(),
            _ => {
                self.state = Compress::new(self.level, true);
                None
            }
        }
    }
}

/// Fills `piece` from the compressed bytes.
pub fn decompress(compressed: &[u8], piece: &mut [u8]) -> Result<(), Malformed> {
    let mut state = Decompress::new(true);
    let status = state.decompress(compressed, piece, FlushDecompress::Finish).map_err(|_| Malformed)?;
    let whole = status == Status::StreamEnd
        && state.total_in() == compressed.len() as u64
        && state.total_out() == piece.len() as u64;
    if whole {
        Ok(())
    } else {
        Err(Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_leaves_nothing_for_the_next_piece() {
        let numbers = |from: u32| {
            (from..from + (1 << 17))
                .flat_map(|at| (f64::from(at) * 1e-3).sin().to_ne_bytes())
                .collect::<Vec<u8>>()
        };
        let large = numbers(0);
        let mut mixed = numbers(1 << 17);
        mixed[400_000..].fill(0);
        for level in 1..=9 {
            let mut deflater = Deflater::new(level);
            for short in [large.len() / 16, large.len() / 3, large.len() - 1000] {
                let mut room = vec![0; large.len() - short];
                _ = deflater.compress(&large, &mut room);
                let mut room = vec![0; mixed.len()];
                let length = deflater.compress(&mixed, &mut room).unwrap();
                let mut back = vec![0; mixed.len()];
                assert!(
                    decompress(&room[..length], &mut back).is_ok() && back == mixed,
                    "level {level}, {short} less"
                );
            }
        }
    }
}
