//! Deflate in a zlib wrapping, one piece at a time.
//!
//! In: a piece of a block. Out: the same piece, smaller; and back. Holds afterwards: a piece that
//! did not shrink is reported as such; a piece that comes back has exactly the wanted length and
//! came from exactly the given bytes.

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

    /// Compresses `piece` into `packed`, replacing what was there; false when it would not get
    /// smaller.
    pub fn pack(&mut self, piece: &[u8], packed: &mut Vec<u8>) -> bool {
        packed.resize(piece.len().saturating_sub(1), 0);
        self.state.reset();
        let status = self.state.compress(piece, packed, FlushCompress::Finish);
        match status {
            Ok(Status::StreamEnd) => {
                // Fits: it is smaller than the piece.
                packed.truncate(self.state.total_out() as usize);
                true
            }
            _ => false,
        }
    }
}

/// Why a piece did not come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the compressed bytes are not what was written")]
pub struct Malformed;

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
    fn a_piece_comes_back() {
        let piece: Vec<u8> = (0..100_000u32).map(|i| (i / 700) as u8).collect();
        let mut deflater = Deflater::new(1);
        let mut packed = Vec::new();
        for _ in 0..2 {
            assert!(deflater.pack(&piece, &mut packed));
            assert!(packed.len() < piece.len());
            let mut back = vec![0; piece.len()];
            unpack(&packed, &mut back).unwrap();
            assert_eq!(back, piece);
        }
    }

    #[test]
    fn noise_does_not_shrink() {
        let mut state = 1u64;
        let piece: Vec<u8> = (0..5000)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 56) as u8
            })
            .collect();
        assert!(!Deflater::new(9).pack(&piece, &mut Vec::new()));
        assert!(!Deflater::new(9).pack(b"", &mut Vec::new()));
    }

    #[test]
    fn other_lengths_and_cut_or_longer_input_are_refused() {
        let piece = vec![7u8; 1000];
        let mut packed = Vec::new();
        assert!(Deflater::new(6).pack(&piece, &mut packed));
        assert_eq!(unpack(&packed, &mut [0; 999]), Err(Malformed));
        assert_eq!(unpack(&packed, &mut [0; 1001]), Err(Malformed));
        assert_eq!(unpack(&packed[..packed.len() - 1], &mut [0; 1000]), Err(Malformed));
        packed.push(0);
        assert_eq!(unpack(&packed, &mut [0; 1000]), Err(Malformed));
    }
}
