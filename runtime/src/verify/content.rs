//! Where each piece of each block is stored.
//!
//! In: the sizes of the blocks, the index of a file. Out: for each block its pieces, in order. Holds
//! afterwards: the file itself is used up without a gap but for padding; what a base must have is known;
//! memory was taken for what the index has, not for what it promises.

use crate::format::layout::{
    self, BaseRecord, Coding, Decoder, Entry, RunRecord, Stored, ALIGNMENT, PIECE_BYTES,
};
use crate::manifest::MemoryBlock;
use std::collections::HashSet;
use std::ops::Range;

/// The pieces of all blocks.
#[derive(Debug, Default)]
pub struct Content {
    piece_bytes: u32,
    sizes: Vec<u64>,
    /// For each block, the index of its first run; and one more for the end.
    first_runs: Vec<usize>,
    runs: Vec<Run>,
    stored: Vec<Stored>,
    /// Ranges of the file that must be zero.
    pub(super) padding: Vec<(u64, usize)>,
    pub(super) bases: Vec<BaseRecord>,
    /// The part of each base that is used; none of one that is only named.
    pub(super) needs: Vec<Option<Range<u64>>>,
}

/// Pieces of one block that follow one another in a file.
#[derive(Debug)]
struct Run {
    record: RunRecord,
    /// Of the first one, in the block.
    start: u64,
    first_stored: usize,
}

/// A part of a block, as it is stored. Neighbours of only zeros are one piece.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// In the block.
    pub start: u64,
    /// Its size in memory.
    pub bytes: u64,
    pub coding: Coding,
    /// 0 for the file itself, else the place in the list of bases, from 1.
    pub base: u32,
    /// In that file; in the block when the content comes from a plugin.
    pub offset: u64,
    pub stored: Stored,
}

impl Piece {
    pub fn end(&self) -> u64 {
        self.start + self.bytes
    }
}

/// What bounds the pieces of a file.
pub(super) struct Bounds {
    pub line: u64,
    /// Where content may begin.
    pub start: u64,
    /// Where it ends.
    pub end: u64,
    pub pieces: u64,
    pub piece_bytes: u32,
}

impl Content {
    /// The pieces of a block that are wanted for a range of it; of all when the range is the block.
    pub fn pieces(&self, block: usize, range: Range<u64>) -> impl Iterator<Item = Piece> + '_ {
        let size = self.sizes[block];
        let runs = &self.runs[self.first_runs[block]..self.first_runs[block + 1]];
        let before = runs.partition_point(|run| run.start <= range.start).saturating_sub(1);
        let end = range.end;
        let runs = runs[before..].iter().take_while(move |run| run.start < end);
        runs.flat_map(move |run| self.pieces_of(run, size))
            .skip_while(move |piece| piece.end() <= range.start)
            .take_while(move |piece| piece.start < end)
    }

    pub fn all(&self, block: usize) -> impl Iterator<Item = Piece> + '_ {
        self.pieces(block, 0..self.sizes[block])
    }

    fn pieces_of<'a>(&'a self, run: &'a Run, size: u64) -> impl Iterator<Item = Piece> + 'a {
        let whole = u64::from(self.piece_bytes);
        let RunRecord { pieces, coding, base, .. } = run.record;
        let (number, each) = match coding {
            Coding::Zero => (1, whole * u64::from(pieces)),
            _ => (pieces, whole),
        };
        let mut offset = run.record.offset;
        (0..number).map(move |at| {
            let start = run.start + u64::from(at) * whole;
            let stored = match coding {
                Coding::Zero => Stored { bytes: 0, crc: 0 },
                _ => self.stored[run.first_stored + at as usize],
            };
            let piece = Piece { start, bytes: each.min(size - start), coding, base, offset, stored };
            offset += u64::from(stored.bytes);
            piece
        })
    }

    /// Reads the index of version 1; none when it and the blocks do not fill the file exactly.
    pub(super) fn read_first(blocks: &[MemoryBlock], index: &[u8], bounds: &Bounds) -> Option<Content> {
        let mut content = Content { piece_bytes: PIECE_BYTES, ..Content::default() };
        let mut from = Decoder::new(index);
        let mut end = bounds.start;
        for block in blocks {
            content.begin_block(block.size_bytes);
            let begin = layout::block_start(end, block.size_bytes)?;
            content.pad(&mut end, begin);
            for number in 0..layout::pieces_of(block.size_bytes, PIECE_BYTES) {
                let bytes = layout::bytes_of_piece(block.size_bytes, number, PIECE_BYTES);
                let Entry { stored, coding } = Entry::decode(&mut from).ok()?;
                is_fit(coding, stored, bytes).then_some(())?;
                let record = RunRecord { pieces: 1, coding, base: 0, offset: end };
                content.push_run(record, number, &[stored]);
                end = end.checked_add(stored.bytes.into())?;
            }
        }
        content.close(end, &from, bounds)
    }

    /// Reads the index of version 2.
    pub(super) fn read(blocks: &[MemoryBlock], index: &[u8], bounds: &Bounds) -> Option<Content> {
        let mut content = Content { piece_bytes: bounds.piece_bytes, ..Content::default() };
        let mut from = Decoder::new(index);
        content.read_bases(&mut from, bounds.line)?;
        let mut end = bounds.start;
        content.read_runs(blocks, &mut from, |content, run, _, stored| content.place(run, stored, &mut end, bounds))?;
        content.close(end, &from, bounds)
    }

    /// The content that a plugin gives back: in the index of a seal a piece is in its place in its block.
    pub(super) fn read_sealed(blocks: &[MemoryBlock], index: &[u8], version: u16, bounds: &Bounds) -> Option<Content> {
        let mut content = Content { piece_bytes: bounds.piece_bytes, ..Content::default() };
        let mut from = Decoder::new(index);
        if version > 1 {
            content.read_bases(&mut from, 0)?;
            content.read_runs(blocks, &mut from, |_, run, start, _| {
                ((run.coding, run.base, run.offset) == (Coding::Plain, 0, start)).then_some(())
            })?;
        } else {
            content.read_plain(blocks, &mut from)?;
        }
        content.close(bounds.end, &from, bounds)
    }

    /// The runs of all blocks; `settle` gets each with the byte of its block at which it begins.
    fn read_runs(
        &mut self,
        blocks: &[MemoryBlock],
        from: &mut Decoder,
        mut settle: impl FnMut(&mut Content, &RunRecord, u64, &[Stored]) -> Option<()>,
    ) -> Option<()> {
        let piece_bytes = self.piece_bytes;
        let mut stored = Vec::new();
        for block in blocks {
            self.begin_block(block.size_bytes);
            let count = layout::pieces_of(block.size_bytes, piece_bytes);
            let mut number = 0;
            while number < count {
                let record = RunRecord::decode(from).ok()?;
                (u64::from(record.pieces) <= count - number).then_some(())?;
                read_pieces(&record, from, &mut stored, |at| {
                    layout::bytes_of_piece(block.size_bytes, number + u64::from(at), piece_bytes)
                })?;
                settle(self, &record, number * u64::from(piece_bytes), &stored)?;
                self.push_run(record, number, &stored);
                number += u64::from(record.pieces);
            }
        }
        Some(())
    }

    /// In the seal of version 1 all pieces are plain and follow one another.
    fn read_plain(&mut self, blocks: &[MemoryBlock], from: &mut Decoder) -> Option<()> {
        for block in blocks {
            self.begin_block(block.size_bytes);
            for number in 0..layout::pieces_of(block.size_bytes, self.piece_bytes) {
                let Entry { stored, coding } = Entry::decode(from).ok()?;
                let bytes = layout::bytes_of_piece(block.size_bytes, number, self.piece_bytes);
                (coding == Coding::Plain && stored.bytes == bytes).then_some(())?;
                let offset = number * u64::from(self.piece_bytes);
                self.push_run(RunRecord { pieces: 1, coding, base: 0, offset }, number, &[stored]);
            }
        }
        Some(())
    }

    fn begin_block(&mut self, size_bytes: u64) {
        self.first_runs.push(self.runs.len());
        self.sizes.push(size_bytes);
    }

    fn push_run(&mut self, record: RunRecord, number: u64, stored: &[Stored]) {
        let start = number * u64::from(self.piece_bytes);
        self.runs.push(Run { record, start, first_stored: self.stored.len() });
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

    /// Holds the place of a run against the file that it is in.
    fn place(&mut self, run: &RunRecord, stored: &[Stored], end: &mut u64, bounds: &Bounds) -> Option<()> {
        if run.coding == Coding::Zero {
            return Some(());
        }
        let bytes: u64 = stored.iter().map(|piece| u64::from(piece.bytes)).sum();
        let after = run.offset.checked_add(bytes)?;
        if let Some(base) = run.base.checked_sub(1) {
            let need = self.needs.get_mut(base as usize)?;
            let so_far = need.clone().unwrap_or(run.offset..after);
            *need = Some(so_far.start.min(run.offset)..so_far.end.max(after));
            return Some(());
        }
        if after <= *end {
            // It stands in the file already, for another piece with the same bytes.
            return (run.offset >= bounds.start).then_some(());
        }
        (run.offset >= *end && run.offset - *end < ALIGNMENT && after <= bounds.end).then_some(())?;
        self.pad(end, run.offset);
        *end = after;
        Some(())
    }

    fn close(mut self, end: u64, from: &Decoder, bounds: &Bounds) -> Option<Content> {
        self.first_runs.push(self.runs.len());
        let pieces: u64 = self.runs.iter().map(|run| u64::from(run.record.pieces)).sum();
        (end == bounds.end && from.left() == 0 && pieces == bounds.pieces).then_some(self)
    }
}

/// Reads what stands behind a run; `bytes` says the size of each of its pieces.
fn read_pieces(
    run: &RunRecord,
    from: &mut Decoder,
    stored: &mut Vec<Stored>,
    bytes: impl Fn(u32) -> u32,
) -> Option<()> {
    stored.clear();
    if run.coding == Coding::Zero {
        return Some(());
    }
    for at in 0..run.pieces {
        let piece = run.decode_piece(bytes(at), from).ok()?;
        is_fit(run.coding, piece, bytes(at)).then_some(())?;
        stored.push(piece);
    }
    Some(())
}

/// Whether a piece of this size can be stored in this way.
fn is_fit(coding: Coding, stored: Stored, bytes: u32) -> bool {
    match coding {
        Coding::Plain => stored.bytes == bytes,
        Coding::Packed(method) => {
            stored.bytes < bytes && u64::from(bytes) <= u64::from(stored.bytes) * method.codec.max_ratio()
        }
        Coding::Zero => stored.bytes == 0,
    }
}
