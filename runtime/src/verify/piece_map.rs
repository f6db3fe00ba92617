//! Where each piece of each memory block is stored.
//!
//! Input: the sizes of the memory blocks, and the index of a file.
//! Output: the pieces of each memory block, in order.
//! Postcondition: the pieces cover the content of the file without a gap except for padding. The range that
//! is needed of each base file is known. Memory was allocated for what the index contains, not for what its
//! counts claim.

use crate::format::layout::{
    self, BaseRecord, Codec, Decoder, PieceRangeRecord, PieceRecord, StoredBytes, ALIGNMENT, PIECE_BYTES,
};
use crate::manifest::MemoryBlock;
use std::collections::HashSet;
use std::ops::Range;

/// The pieces of all memory blocks.
#[derive(Debug, Default)]
pub struct PieceMap {
    piece_bytes: u32,
    sizes: Vec<u64>,
    /// For each memory block, the index of its first piece range, and one more for the end.
    first_ranges: Vec<usize>,
    ranges: Vec<PieceRange>,
    stored: Vec<StoredBytes>,
    /// Ranges of the file that must be zero.
    pub(super) padding: Vec<(u64, usize)>,
    pub(super) bases: Vec<BaseRecord>,
    /// The range of each base file that is used; `None` for one that is listed but not used.
    pub(super) needs: Vec<Option<Range<u64>>>,
}

/// Pieces of one memory block that are adjacent in a file.
#[derive(Debug)]
struct PieceRange {
    record: PieceRangeRecord,
    /// The offset of its first piece in the memory block.
    start: u64,
    first_stored: usize,
}

/// A part of a memory block, as it is stored. Adjacent pieces that contain only zeros are one piece.
#[derive(Debug, Clone, Copy)]
pub struct FilePiece {
    /// Its offset in the memory block.
    pub start: u64,
    /// Its size in memory.
    pub bytes: u64,
    pub codec: Codec,
    /// 0 for the file itself, else the position in the list of base files, from 1.
    pub base: u32,
    /// The offset in that file, or in the memory block if a plugin provides the content.
    pub offset: u64,
    pub stored: StoredBytes,
}

impl FilePiece {
    pub fn end(&self) -> u64 {
        self.start + self.bytes
    }
}

/// The limits for the pieces of a file.
pub(super) struct ContentLimits {
    pub line: u64,
    /// The offset at which the content may begin.
    pub start: u64,
    /// The offset at which it ends.
    pub end: u64,
    pub pieces: u64,
    pub piece_bytes: u32,
}

impl PieceMap {
    /// The pieces that overlap a range of a memory block.
    pub fn pieces(&self, block: usize, range: Range<u64>) -> impl Iterator<Item = FilePiece> + '_ {
        let size = self.sizes[block];
        let piece_ranges = &self.ranges[self.first_ranges[block]..self.first_ranges[block + 1]];
        let before =
            piece_ranges.partition_point(|piece_range| piece_range.start <= range.start).saturating_sub(1);
        let end = range.end;
        let piece_ranges =
            piece_ranges[before..].iter().take_while(move |piece_range| piece_range.start < end);
        piece_ranges
            .flat_map(move |piece_range| self.pieces_of(piece_range, size))
            .skip_while(move |piece| piece.end() <= range.start)
            .take_while(move |piece| piece.start < end)
    }

    pub fn all(&self, block: usize) -> impl Iterator<Item = FilePiece> + '_ {
        self.pieces(block, 0..self.sizes[block])
    }

    fn pieces_of<'a>(
        &'a self,
        piece_range: &'a PieceRange,
        size: u64,
    ) -> impl Iterator<Item = FilePiece> + 'a {
        let whole = u64::from(self.piece_bytes);
        let PieceRangeRecord { pieces, codec, base, .. } = piece_range.record;
        let (number, each) = match codec {
            Codec::Zero => (1, whole * u64::from(pieces)),
            _ => (pieces, whole),
        };
        let mut offset = piece_range.record.offset;
        (0..number).map(move |at| {
            let start = piece_range.start + u64::from(at) * whole;
            let stored = match codec {
                Codec::Zero => StoredBytes { bytes: 0, crc: 0 },
                _ => self.stored[piece_range.first_stored + at as usize],
            };
            let piece = FilePiece { start, bytes: each.min(size - start), codec, base, offset, stored };
            offset += u64::from(stored.bytes);
            piece
        })
    }

    /// Reads the index of version 1. `None` if the pieces do not fill the file exactly.
    pub(super) fn read_first(
        blocks: &[MemoryBlock],
        index: &[u8],
        bounds: &ContentLimits,
    ) -> Option<PieceMap> {
        let mut content = PieceMap { piece_bytes: PIECE_BYTES, ..PieceMap::default() };
        let mut from = Decoder::new(index);
        let mut end = bounds.start;
        for block in blocks {
            content.begin_block(block.size_bytes);
            let begin = layout::block_start(end, block.size_bytes)?;
            content.pad(&mut end, begin);
            for number in 0..layout::pieces_of(block.size_bytes, PIECE_BYTES) {
                let bytes = layout::bytes_of_piece(block.size_bytes, number, PIECE_BYTES);
                let PieceRecord { stored, codec } = PieceRecord::decode(&mut from).ok()?;
                is_fit(codec, stored, bytes).then_some(())?;
                let record = PieceRangeRecord { pieces: 1, codec, base: 0, offset: end };
                content.push_range(record, number, &[stored]);
                end = end.checked_add(stored.bytes.into())?;
            }
        }
        content.close(end, &from, bounds)
    }

    /// Reads the index of version 2.
    pub(super) fn read(blocks: &[MemoryBlock], index: &[u8], bounds: &ContentLimits) -> Option<PieceMap> {
        let mut content = PieceMap { piece_bytes: bounds.piece_bytes, ..PieceMap::default() };
        let mut from = Decoder::new(index);
        content.read_bases(&mut from, bounds.line)?;
        let mut end = bounds.start;
        content.read_ranges(blocks, &mut from, |content, piece_range, _, stored| {
            content.check_location(piece_range, stored, &mut end, bounds)
        })?;
        content.close(end, &from, bounds)
    }

    /// Reads the index of a seal, where the offset of a piece is its offset in the memory block.
    pub(super) fn read_sealed(
        blocks: &[MemoryBlock],
        index: &[u8],
        version: u16,
        bounds: &ContentLimits,
    ) -> Option<PieceMap> {
        let mut content = PieceMap { piece_bytes: bounds.piece_bytes, ..PieceMap::default() };
        let mut from = Decoder::new(index);
        if version > 1 {
            content.read_bases(&mut from, 0)?;
            content.read_ranges(blocks, &mut from, |_, piece_range, start, _| {
                ((piece_range.codec, piece_range.base, piece_range.offset) == (Codec::Plain, 0, start))
                    .then_some(())
            })?;
        } else {
            content.read_plain(blocks, &mut from)?;
        }
        content.close(bounds.end, &from, bounds)
    }

    /// Reads the piece ranges of all memory blocks. `settle` receives each with its offset in the block.
    fn read_ranges(
        &mut self,
        blocks: &[MemoryBlock],
        from: &mut Decoder,
        mut settle: impl FnMut(&mut PieceMap, &PieceRangeRecord, u64, &[StoredBytes]) -> Option<()>,
    ) -> Option<()> {
        let piece_bytes = self.piece_bytes;
        let mut stored = Vec::new();
        for block in blocks {
            self.begin_block(block.size_bytes);
            let count = layout::pieces_of(block.size_bytes, piece_bytes);
            let mut number = 0;
            while number < count {
                let record = PieceRangeRecord::decode(from).ok()?;
                (u64::from(record.pieces) <= count - number).then_some(())?;
                read_pieces(&record, from, &mut stored, |at| {
                    layout::bytes_of_piece(block.size_bytes, number + u64::from(at), piece_bytes)
                })?;
                settle(self, &record, number * u64::from(piece_bytes), &stored)?;
                self.push_range(record, number, &stored);
                number += u64::from(record.pieces);
            }
        }
        Some(())
    }

    /// In the seal of version 1 all pieces are plain and adjacent.
    fn read_plain(&mut self, blocks: &[MemoryBlock], from: &mut Decoder) -> Option<()> {
        for block in blocks {
            self.begin_block(block.size_bytes);
            for number in 0..layout::pieces_of(block.size_bytes, self.piece_bytes) {
                let PieceRecord { stored, codec } = PieceRecord::decode(from).ok()?;
                let bytes = layout::bytes_of_piece(block.size_bytes, number, self.piece_bytes);
                (codec == Codec::Plain && stored.bytes == bytes).then_some(())?;
                let offset = number * u64::from(self.piece_bytes);
                self.push_range(PieceRangeRecord { pieces: 1, codec, base: 0, offset }, number, &[stored]);
            }
        }
        Some(())
    }

    fn begin_block(&mut self, size_bytes: u64) {
        self.first_ranges.push(self.ranges.len());
        self.sizes.push(size_bytes);
    }

    fn push_range(&mut self, record: PieceRangeRecord, number: u64, stored: &[StoredBytes]) {
        let start = number * u64::from(self.piece_bytes);
        self.ranges.push(PieceRange { record, start, first_stored: self.stored.len() });
        self.stored.extend_from_slice(stored);
    }

    fn pad(&mut self, end: &mut u64, begin: u64) {
        if begin > *end {
            self.padding.push((*end, (begin - *end) as usize));
            *end = begin;
        }
    }

    fn read_bases(&mut self, from: &mut Decoder, line: u64) -> Option<()> {
        let mut seen = HashSet::new();
        for _ in 0..from.count(BaseRecord::BYTES).ok()? {
            let base = BaseRecord::decode(from).ok()?;
            (base.line > 0 && base.line < line && seen.insert(base.line)).then_some(())?;
            self.bases.push(base);
        }
        self.needs = vec![None; self.bases.len()];
        Some(())
    }

    /// Checks the offset of a piece range against the file that contains it.
    fn check_location(
        &mut self,
        piece_range: &PieceRangeRecord,
        stored: &[StoredBytes],
        end: &mut u64,
        bounds: &ContentLimits,
    ) -> Option<()> {
        if piece_range.codec == Codec::Zero {
            return Some(());
        }
        let bytes: u64 = stored.iter().map(|piece| u64::from(piece.bytes)).sum();
        let after = piece_range.offset.checked_add(bytes)?;
        if let Some(base) = piece_range.base.checked_sub(1) {
            let need = self.needs.get_mut(base as usize)?;
            let so_far = need.clone().unwrap_or(piece_range.offset..after);
            *need = Some(so_far.start.min(piece_range.offset)..so_far.end.max(after));
            return Some(());
        }
        if piece_range.offset < *end {
            // The file already contains these pieces for other ones, or the first of them: the next new piece may be
            // adjacent to a repeated one.
            let mut ends = stored.iter().scan(piece_range.offset, |at, piece| {
                *at += u64::from(piece.bytes);
                Some(*at)
            });
            let is_whole = after <= *end || ends.any(|at| at == *end);
            (piece_range.offset >= bounds.start && after <= bounds.end && is_whole).then_some(())?;
            *end = after.max(*end);
            return Some(());
        }
        (piece_range.offset >= *end && piece_range.offset - *end < ALIGNMENT && after <= bounds.end)
            .then_some(())?;
        self.pad(end, piece_range.offset);
        *end = after;
        Some(())
    }

    fn close(mut self, end: u64, from: &Decoder, bounds: &ContentLimits) -> Option<PieceMap> {
        self.first_ranges.push(self.ranges.len());
        let pieces: u64 = self.ranges.iter().map(|piece_range| u64::from(piece_range.record.pieces)).sum();
        (end == bounds.end && from.left() == 0 && pieces == bounds.pieces).then_some(self)
    }
}

/// Reads the sizes and checksums after a piece range. `bytes` returns the size of each piece.
fn read_pieces(
    piece_range: &PieceRangeRecord,
    from: &mut Decoder,
    stored: &mut Vec<StoredBytes>,
    bytes: impl Fn(u32) -> u32,
) -> Option<()> {
    stored.clear();
    if piece_range.codec == Codec::Zero {
        return Some(());
    }
    for at in 0..piece_range.pieces {
        let piece = piece_range.decode_piece(bytes(at), from).ok()?;
        is_fit(piece_range.codec, piece, bytes(at)).then_some(())?;
        stored.push(piece);
    }
    Some(())
}

/// Whether a piece of this size in memory can have these stored bytes with this codec.
fn is_fit(codec: Codec, stored: StoredBytes, bytes: u32) -> bool {
    match codec {
        Codec::Plain => stored.bytes == bytes,
        Codec::Compressed(method) => {
            stored.bytes < bytes && u64::from(bytes) <= u64::from(stored.bytes) * method.algorithm.max_ratio()
        }
        Codec::Zero => stored.bytes == 0,
    }
}
