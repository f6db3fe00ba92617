//! The index of a file that is being written.
//!
//! Input: the pieces of its memory blocks, in order, and where each is stored.
//! Output: the bytes of the index.
//! Postcondition: adjacent pieces of one block that are adjacent in a file and have the same codec form one
//! piece range.

use super::layout::{BaseRecord, Codec, Encoder, PieceRangeRecord, StoredBytes};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(super) struct Index {
    bases: Vec<BaseRecord>,
    /// The position of each line in `bases`, from 1.
    numbers: HashMap<u64, u32>,
    ranges: Encoder,
    open: Option<OpenRange>,
    pieces: u64,
}

/// A piece range to which the next piece may be added.
#[derive(Debug)]
struct OpenRange {
    record: PieceRangeRecord,
    /// The offset at which it ends so far.
    end: u64,
    pieces: Encoder,
}

impl Index {
    /// Adds a piece that contains only zeros.
    pub fn push_zero(&mut self) {
        self.push(Codec::Zero, None, 0, StoredBytes { bytes: 0, crc: 0 });
    }

    /// Adds a piece that is at `offset` of this file, or of an earlier one.
    pub fn push(&mut self, codec: Codec, base: Option<BaseRecord>, offset: u64, stored: StoredBytes) {
        let base = base.map_or(0, |base| self.number(base));
        self.pieces += 1;
        let goes_on = self.open.as_ref().is_some_and(|range| {
            range.record.pieces < u32::MAX
                && (range.record.codec, range.record.base, range.end) == (codec, base, offset)
        });
        if !goes_on {
            self.end_range();
        }
        let first = || OpenRange {
            record: PieceRangeRecord { pieces: 0, codec, base, offset },
            end: offset,
            pieces: Encoder::default(),
        };
        let range = self.open.get_or_insert_with(first);
        range.record.pieces += 1;
        range.end += u64::from(stored.bytes);
        PieceRangeRecord::encode_piece(codec, stored, &mut range.pieces);
    }

    /// Ends the piece range: the next piece belongs to another memory block.
    pub fn end_range(&mut self) {
        if let Some(range) = self.open.take() {
            range.record.encode(&mut self.ranges);
            self.ranges.raw(&range.pieces.bytes);
        }
    }

    /// The bytes of the index, and the number of pieces in it.
    pub fn close(mut self) -> (Vec<u8>, u64) {
        self.end_range();
        let mut encoder = Encoder::default();
        encoder.count(self.bases.len());
        self.bases.iter().for_each(|base| base.encode(&mut encoder));
        encoder.raw(&self.ranges.bytes);
        (encoder.bytes, self.pieces)
    }

    fn number(&mut self, base: BaseRecord) -> u32 {
        *self.numbers.entry(base.line).or_insert_with(|| {
            self.bases.push(base);
            self.bases.len() as u32
        })
    }
}
