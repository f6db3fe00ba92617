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
///
/// The state of a stream that did not come to its end is thrown away: at level 1 zlib-rs 0.6 keeps a block open over
/// a reset, and the next stream lacks its beginning.
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

    /// Compresses `piece` into `room`; says how many bytes that took, none when there is not room
    /// enough.
    pub fn pack(&mut self, piece: &[u8], room: &mut [u8]) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_leaves_nothing_for_the_next_piece() {
        let numbers = |from: u32| (from..from + (1 << 17)).flat_map(|at| (f64::from(at) * 1e-3).sin().to_ne_bytes()).collect::<Vec<u8>>();
        let large = numbers(0);
        let mut mixed = numbers(1 << 17);
        mixed[400_000..].fill(0);
        for level in 1..=9 {
            let mut deflater = Deflater::new(level);
            for short in [large.len() / 16, large.len() / 3, large.len() - 1000] {
                let mut room = vec![0; large.len() - short];
                _ = deflater.pack(&large, &mut room);
                let mut room = vec![0; mixed.len()];
                let length = deflater.pack(&mixed, &mut room).unwrap();
                let mut back = vec![0; mixed.len()];
                assert!(unpack(&room[..length], &mut back).is_ok() && back == mixed, "level {level}, {short} less");
            }
        }
    }
}
