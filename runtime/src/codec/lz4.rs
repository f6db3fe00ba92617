//! LZ4, one piece at a time: the block form, without a frame and without the size before it.
//!
//! In: a piece of a block. Out: the same piece, smaller; and back. Holds afterwards: a piece that
//! comes back has exactly the wanted length and came from exactly the given bytes; nothing was
//! written beyond it, whatever the bytes say.

use super::method::Malformed;
use lz4_flex::block::{compress_into_with_table, decompress_into, get_maximum_output_size, CompressTable};

/// What LZ4 can make of one byte, at the very most: a byte that lengthens a copy by 255.
pub const MAX_RATIO: u64 = 255;

/// Compresses pieces.
pub struct Lz4 {
    table: CompressTable,
}

impl Lz4 {
    pub fn new() -> Lz4 {
        Lz4 { table: CompressTable::large() }
    }

    /// The room that a piece of this size takes at worst.
    pub fn room_bytes(piece_bytes: usize) -> usize {
        get_maximum_output_size(piece_bytes)
    }

    /// Compresses `piece` into `room`; says how many bytes that took. None when there is less room
    /// than `room_bytes` says.
    pub fn pack(&mut self, piece: &[u8], room: &mut [u8]) -> Option<usize> {
        compress_into_with_table(piece, room, &mut self.table).ok()
    }
}

/// Fills `piece` from the compressed bytes.
pub fn unpack(packed: &[u8], piece: &mut [u8]) -> Result<(), Malformed> {
    match decompress_into(packed, piece) {
        Ok(length) if length == piece.len() => Ok(()),
        _ => Err(Malformed),
    }
}
