//! A copy of the program's memory, in a buffer that is kept for the next dump.
//!
//! In: ranges of memory. Out: the same bytes, in memory of our own. Holds afterwards: the program
//! may change its memory; the buffer's pages are there for the next copy, which then costs no more
//! than the copy itself.
//!
//! # What has not changed
//!
//! The bytes of the dump before are still there. Where pieces are asked for, each of which something is
//! known is compared before it is copied; one that is the same is left as it is, and what is known of it
//! stays. To compare takes as long as to copy, since both wait for memory; a piece that has changed says so
//! with its first bytes as a rule, and otherwise is in the cache when it is copied. What is known is of the
//! bytes in the buffer and of nothing else: whether they were published, and where they came from, does not matter.
//!
//! One of the few files with `unsafe`: the program's memory is known by address only.

use super::error::DumpError;
use crate::format::mark::{Mark, Marks};
use crate::memory::MallocBytes;
use std::cell::Cell;
use std::num::NonZeroUsize;

/// Ranges of the program's memory, by address and length.
pub type Ranges<'a> = &'a [(*const u8, usize)];

#[derive(Debug, Default)]
pub struct Buffer {
    memory: Option<MallocBytes>,
    lengths: Vec<usize>,
    /// One for each piece of the copies, in order; none when no pieces were asked for.
    marks: Vec<Cell<Mark>>,
    piece_bytes: Option<NonZeroUsize>,
}

impl Buffer {
    /// Copies the ranges, in place of what was copied before. Of the pieces of this size that have not changed
    /// the marks stay.
    ///
    /// # Safety
    /// Each range is readable, and nothing writes to it meanwhile.
    pub unsafe fn copy(&mut self, ranges: Ranges, piece_bytes: Option<NonZeroUsize>) -> Result<(), DumpError> {
        let total = ranges.iter().try_fold(0usize, |sum, (_, length)| sum.checked_add(*length));
        let no_memory = DumpError::NoMemory { bytes: total.map_or(u64::MAX, |total| total as u64) };
        let Some(total) = total else { return Err(no_memory) };
        if self.memory.as_ref().is_none_or(|memory| memory.len() < total) {
            // First let go of the old one: there may not be room for both.
            *self = Buffer::default();
            self.memory = MallocBytes::zeroed(total);
        }
        self.keep_marks(ranges, piece_bytes);
        let Some(memory) = &mut self.memory else { return Err(no_memory) };
        let mut rest = memory.as_mut_slice();
        let mut marks = self.marks.iter();
        // SAFETY: the caller vouches for the ranges, none of which can overlap memory of our own.
        for source in unsafe { in_place(ranges) } {
            let (place, behind) = rest.split_at_mut(source.len());
            rest = behind;
            match piece_bytes {
                None => place.copy_from_slice(source),
                Some(piece) => {
                    let pieces = place.chunks_mut(piece.get()).zip(source.chunks(piece.get()));
                    pieces.zip(&mut marks).for_each(|((place, source), mark)| renew(place, source, mark));
                }
            }
        }
        Ok(())
    }

    /// Makes room for the marks of what will be copied. Those of pieces that will lie where they lie, and
    /// have the same size, stay.
    fn keep_marks(&mut self, ranges: Ranges, piece_bytes: Option<NonZeroUsize>) {
        let kept = if piece_bytes == self.piece_bytes { self.unmoved(ranges) } else { 0 };
        self.marks.truncate(kept);
        let pieces = |piece: NonZeroUsize| ranges.iter().map(|(_, length)| length.div_ceil(piece.get())).sum();
        self.marks.resize_with(piece_bytes.map_or(0, pieces), Cell::default);
        self.piece_bytes = piece_bytes;
        self.lengths.clear();
        self.lengths.extend(ranges.iter().map(|(_, length)| *length));
    }

    /// How many pieces, from the first one on, lie where they lay.
    fn unmoved(&self, ranges: Ranges) -> usize {
        let Some(piece) = self.piece_bytes else { return 0 };
        let mut unmoved = 0;
        for (&before, &(_, length)) in self.lengths.iter().zip(ranges) {
            if before != length {
                // What comes behind its whole pieces has another place.
                return unmoved + before.min(length) / piece;
            }
            unmoved += length.div_ceil(piece.get());
        }
        unmoved
    }

    /// What is known of the copies.
    pub fn marks(&self) -> &Marks {
        &self.marks
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

/// Puts the bytes of a piece in their place, unless they are there.
fn renew(place: &mut [u8], source: &[u8], mark: &Cell<Mark>) {
    if mark.get() == Mark::Unknown || place != source {
        mark.set(Mark::Unknown);
        place.copy_from_slice(source);
    }
}

/// The program's memory itself, for a dump that holds the program until it is written.
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
                // SAFETY: the caller vouches for the range and its life.
                unsafe { std::slice::from_raw_parts(start, length) }
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
