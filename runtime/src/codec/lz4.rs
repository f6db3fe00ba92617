//! LZ4, one piece at a time: the block format, without a frame and without a leading size.
//!
//! Input: a piece of a memory block.
//! Output: the piece compressed, or decompressed again.
//! Postcondition: a decompressed piece has exactly the expected length and was made from exactly the given
//! bytes; nothing is written beyond it, whatever the bytes are.

use super::Malformed;
use lz4_flex::block::{compress_into_with_table, decompress_into, get_maximum_output_size, CompressTable};

/// The largest ratio of decompressed to compressed bytes: one byte lengthens a copy by 255.
pub const MAX_RATIO: u64 = 255;

/// Compresses pieces.
pub struct Lz4 {
    table: CompressTable,
}

impl Lz4 {
    pub fn new() -> Lz4 {
        Lz4 { table: CompressTable::large() }
    }

    /// The room in bytes that a piece of this size needs in the worst case.
    pub fn room_bytes(piece_bytes: usize) -> usize {
        get_maximum_output_size(piece_bytes)
    }

    /// Compresses `piece` into `room`. Returns the number of bytes written, or `None` if `room` is smaller
    /// than `room_bytes`.
    pub fn compress(&mut self, piece: &[u8], room: &mut [u8]) -> Option<usize> {
        compress_into_with_table(piece, room, &mut self.table).ok()
    }
}

/// Fills `piece` from the compressed bytes.
pub fn decompress(compressed: &[u8], piece: &mut [u8]) -> Result<(), Malformed> {
    match decompress_into(compressed, piece) {
        Ok(length) if length == piece.len() => Ok(()),
        _ => Err(Malformed),
    }
}
