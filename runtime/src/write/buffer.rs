//! A copy of the program's memory, in a buffer that is kept for the next dump.
//!
//! Input: ranges of memory.
//! Output: the same bytes, in memory of the runtime.
//! Postcondition: the program may change its memory. The pages of the buffer are kept, so the next copy takes
//! only the time of copying.
//!
//! # Pieces that have not changed
//!
//! The buffer still contains the bytes of the previous dump. If a piece size is given, each piece with a
//! known digest is compared before it is copied. An equal piece is not copied and keeps its digest. Comparing
//! takes as long as copying, since both wait for memory, and several threads shorten it. A changed piece
//! usually differs in its first bytes; otherwise it is in the cache when it is copied. A digest describes the
//! bytes in the buffer only. It does not matter whether they were published or where they came from.
//!
//! One of the few files with `unsafe`: the program's memory is known by address only.

use super::error::DumpError;
use crate::format::digest::{Digest, Digests};
use crate::memory::MallocBytes;
use crate::threads::{on_threads, threads_for};
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// Ranges of the program's memory, by address and length in bytes.
pub type Ranges<'a> = &'a [(*const u8, usize)];

#[derive(Debug, Default)]
pub struct Buffer {
    memory: Option<MallocBytes>,
    lengths: Vec<usize>,
    /// The digest of each piece of the copies, in order; empty if no piece size was given.
    digests: Vec<Cell<Digest>>,
    piece_bytes: Option<NonZeroUsize>,
}

impl Buffer {
    /// Copies the ranges, replacing the previous copy. Pieces of the given size that have not changed keep
    /// their digests.
    ///
    /// # Safety
    /// Each range is readable, and nothing writes to it meanwhile.
    pub unsafe fn copy(
        &mut self,
        ranges: Ranges,
        piece_bytes: Option<NonZeroUsize>,
    ) -> Result<(), DumpError> {
        let total = ranges.iter().try_fold(0usize, |sum, (_, length)| sum.checked_add(*length));
        let no_memory = DumpError::NoMemory { bytes: total.map_or(u64::MAX, |total| total as u64) };
        let Some(total) = total else { return Err(no_memory) };
        if self.memory.as_ref().is_none_or(|memory| memory.len() < total) {
            // The old buffer is freed first: there may not be room for both.
            *self = Buffer::default();
            self.memory = MallocBytes::zeroed(total);
        }
        self.keep_digests(ranges, piece_bytes);
        let Some(memory) = &mut self.memory else { return Err(no_memory) };
        let places = &mut memory.as_mut_slice()[..total];
        // SAFETY: the caller guarantees the ranges, none of which can overlap memory of the runtime.
        let sources = unsafe { in_place(ranges) };
        match piece_bytes {
            None => copy_all(places, &sources),
            Some(piece) => renew_all(places, &sources, &mut self.digests, piece.get()),
        }
        Ok(())
    }

    /// Makes room for the digests of the next copy. Pieces that keep their position and size keep their
    /// digests.
    fn keep_digests(&mut self, ranges: Ranges, piece_bytes: Option<NonZeroUsize>) {
        let kept = if piece_bytes == self.piece_bytes { self.unmoved(ranges) } else { 0 };
        self.digests.truncate(kept);
        let pieces =
            |piece: NonZeroUsize| ranges.iter().map(|(_, length)| length.div_ceil(piece.get())).sum();
        self.digests.resize_with(piece_bytes.map_or(0, pieces), Cell::default);
        self.piece_bytes = piece_bytes;
        self.lengths.clear();
        self.lengths.extend(ranges.iter().map(|(_, length)| *length));
    }

    /// The number of pieces, from the first one on, that keep their position.
    fn unmoved(&self, ranges: Ranges) -> usize {
        let Some(piece) = self.piece_bytes else { return 0 };
        let mut unmoved = 0;
        for (&before, &(_, length)) in self.lengths.iter().zip(ranges) {
            if before != length {
                // The bytes after its whole pieces move.
                return unmoved + before.min(length) / piece;
            }
            unmoved += length.div_ceil(piece.get());
        }
        unmoved
    }

    /// The digests of the copies.
    pub fn digests(&self) -> &Digests {
        &self.digests
    }

    /// The copies, in order.
    pub fn blocks(&self) -> Vec<&[u8]> {
        let mut rest = self.memory.as_ref().map_or(&[][..], MallocBytes::as_slice);
        let mut blocks = Vec::with_capacity(self.lengths.len());
        for &length in &self.lengths {
            let (block, behind) = rest.split_at(length);
            rest = behind;
            blocks.push(block);
        }
        blocks
    }
}

fn copy_all(places: &mut [u8], sources: &[&[u8]]) {
    let mut rest = places;
    for source in sources {
        let (place, behind) = rest.split_at_mut(source.len());
        rest = behind;
        place.copy_from_slice(source);
    }
}

/// The bytes for which another thread is worthwhile while the program waits: the thread may have to wait for
/// a processor.
const HELPED_FROM_BYTES: usize = 32 << 20;
/// About the number of bytes that a thread takes at a time.
const PART_BYTES: usize = 1 << 20;

/// Copies, piece by piece, what has changed or is not known.
fn renew_all(places: &mut [u8], sources: &[&[u8]], digests: &mut [Cell<Digest>], piece: usize) {
    let threads = threads_for(places.len()).min(places.len() / HELPED_FROM_BYTES);
    let stretch = PART_BYTES.next_multiple_of(piece);
    let stretches = sources.iter().flat_map(|source| source.chunks(stretch));
    let parts = Mutex::new(CopyTasks { stretches, places, digests, piece });
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    on_threads(threads, || {
        while let Some(part) = next() {
            part.renew();
        }
    });
}

/// The pieces that are still to be copied.
struct CopyTasks<'a, S> {
    /// Ranges of the sources. Each consists of whole pieces, except the last one of a source.
    stretches: S,
    places: &'a mut [u8],
    digests: &'a mut [Cell<Digest>],
    piece: usize,
}

/// The pieces that a thread copies before it takes the next ones.
struct CopyTask<'a> {
    stretches: Vec<&'a [u8]>,
    places: &'a mut [u8],
    digests: &'a mut [Cell<Digest>],
    piece: usize,
}

impl<'a, S: Iterator<Item = &'a [u8]>> CopyTasks<'a, S> {
    fn next(&mut self) -> Option<CopyTask<'a>> {
        let piece = self.piece;
        let (mut stretches, mut bytes, mut pieces) = (Vec::new(), 0, 0);
        while bytes < PART_BYTES {
            let Some(stretch) = self.stretches.next() else { break };
            bytes += stretch.len();
            pieces += stretch.len().div_ceil(piece);
            stretches.push(stretch);
        }
        let (places, behind) = std::mem::take(&mut self.places).split_at_mut(bytes);
        self.places = behind;
        let (digests, behind) = std::mem::take(&mut self.digests).split_at_mut(pieces);
        self.digests = behind;
        (bytes > 0).then_some(CopyTask { stretches, places, digests, piece })
    }
}

impl CopyTask<'_> {
    fn renew(self) {
        let (mut places, mut digests) = (self.places, self.digests.iter());
        for stretch in self.stretches {
            let (place, behind) = places.split_at_mut(stretch.len());
            places = behind;
            let pieces = place.chunks_mut(self.piece).zip(stretch.chunks(self.piece));
            pieces.zip(&mut digests).for_each(|((place, source), digest)| renew(place, source, digest));
        }
    }
}

/// Copies the bytes of a piece unless the copy is equal.
fn renew(place: &mut [u8], source: &[u8], digest: &Cell<Digest>) {
    if digest.get() == Digest::Unknown || place != source {
        digest.set(Digest::Unknown);
        place.copy_from_slice(source);
    }
}

/// The program's memory itself, for a dump during which the program waits.
///
/// # Safety
/// Each range is readable, and nothing writes to it for as long as the result lives.
pub unsafe fn in_place<'a>(ranges: Ranges) -> Vec<&'a [u8]> {
    ranges
        .iter()
        .map(|&(start, length)| {
            if length == 0 {
                &[]
            } else {
                // SAFETY: the caller guarantees the range and its lifetime.
                unsafe { std::slice::from_raw_parts(start, length) }
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::crc32::crc32;

    #[test]
    fn ranges_are_copied_and_the_memory_is_kept() {
        let first = vec![1u8; 1000];
        let second = [2u8; 3];
        let mut buffer = Buffer::default();
        let ranges = [(first.as_ptr(), 1000), (std::ptr::null(), 0), (second.as_ptr(), 3)];
        // SAFETY: the ranges are live local memory.
        unsafe { buffer.copy(&ranges, None).unwrap() };
        assert_eq!(buffer.blocks(), [&first[..], &[], &second[..]]);
        let place = buffer.blocks()[0].as_ptr();
        // SAFETY: as above.
        unsafe { buffer.copy(&ranges[2..], None).unwrap() };
        assert_eq!(buffer.blocks(), [&second[..]]);
        assert_eq!(buffer.blocks()[0].as_ptr(), place);
    }

    fn ranges(blocks: &[Vec<u8>]) -> Vec<(*const u8, usize)> {
        blocks.iter().map(|block| (block.as_ptr(), block.len())).collect()
    }

    /// Whether the digest of each piece is known.
    fn known(buffer: &Buffer) -> Vec<bool> {
        buffer.digests().iter().map(|digest| digest.get() != Digest::Unknown).collect()
    }

    /// Sets the digest of each piece, and fails if a known digest is not that of the bytes.
    fn look(buffer: &Buffer, piece: usize) {
        let blocks = buffer.blocks();
        let pieces: Vec<&[u8]> = blocks.iter().flat_map(|block| block.chunks(piece)).collect();
        assert_eq!(buffer.digests().len(), pieces.len());
        for (bytes, digest) in pieces.iter().zip(buffer.digests()) {
            let now = Digest::Hash(u128::from(crc32(bytes)) << 64 | bytes.len() as u128);
            assert!(
                digest.get() == Digest::Unknown || digest.get() == now,
                "a digest has outlived its bytes"
            );
            digest.set(now);
        }
    }

    fn copy(buffer: &mut Buffer, blocks: &[Vec<u8>], piece: usize) {
        // SAFETY: the blocks are live local memory.
        unsafe { buffer.copy(&ranges(blocks), NonZeroUsize::new(piece)).unwrap() };
        assert_eq!(buffer.blocks(), blocks);
    }

    #[test]
    fn what_is_known_of_pieces_stays_where_they_have_not_changed() {
        let mut buffer = Buffer::default();
        let mut blocks = vec![vec![1; 10], vec![2; 3], vec![3; 8]];
        copy(&mut buffer, &blocks, 4);
        assert_eq!(known(&buffer), [false; 6]);
        look(&buffer, 4);
        blocks[0][9] = 0;
        blocks[2][0] = 0;
        copy(&mut buffer, &blocks, 4);
        assert_eq!(known(&buffer), [true, true, false, true, false, true]);
        look(&buffer, 4);
        // The second block grows, so the bytes after it move.
        blocks[1].resize(7, 2);
        copy(&mut buffer, &blocks, 4);
        assert!(!known(&buffer).contains(&true), "there is other memory");
        look(&buffer, 4);
        blocks[1].resize(5, 2);
        copy(&mut buffer, &blocks, 4);
        assert_eq!(known(&buffer), [true, true, true, true, false, false, false]);
        look(&buffer, 4);
        copy(&mut buffer, &blocks, 5);
        assert!(!known(&buffer).contains(&true), "other pieces");
        look(&buffer, 5);
        copy(&mut buffer, &blocks, 0);
        assert!(buffer.digests().is_empty());
    }

    #[test]
    fn no_mark_outlives_its_bytes_whatever_becomes_of_the_blocks() {
        let mut state = 7u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let (mut buffer, mut blocks) = (Buffer::default(), vec![vec![0; 100], vec![0; 40]]);
        for _ in 0..if cfg!(miri) { 60 } else { 3000 } {
            let at = next(blocks.len());
            match next(8) {
                0 if blocks.len() < 6 => blocks.insert(at, vec![0; next(90)]),
                1 if blocks.len() > 1 => drop(blocks.remove(at)),
                2 => blocks[at].resize(next(120), 1),
                3 => blocks.swap(0, at),
                _ => blocks[at].iter_mut().skip(next(90)).take(3).for_each(|byte| *byte ^= 1),
            }
            copy(&mut buffer, &blocks, 16);
            // Not every dump succeeds.
            if next(4) > 0 {
                look(&buffer, 16);
            }
        }
    }

    #[test]
    fn large_memory_is_copied_by_several_threads() {
        const PIECE: usize = 16 << 10;
        let mut buffer = Buffer::default();
        let small = |byte: usize| vec![byte as u8; byte % 3 * 1000];
        let mut blocks: Vec<Vec<u8>> = (0..500).map(small).collect();
        blocks.insert(200, (0..3 * HELPED_FROM_BYTES + 12345).map(|at| (at / 999) as u8).collect());
        copy(&mut buffer, &blocks, PIECE);
        look(&buffer, PIECE);
        let pieces = buffer.digests().len();
        for at in [0, PIECE, 3 * HELPED_FROM_BYTES + 12344] {
            blocks[200][at] ^= 1;
        }
        blocks[500][10] ^= 1;
        copy(&mut buffer, &blocks, PIECE);
        assert_eq!(known(&buffer).iter().filter(|known| **known).count(), pieces - 4);
        look(&buffer, PIECE);
    }
}
