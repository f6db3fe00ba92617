//! A copy of the program's memory, in a buffer that is kept for the next dump.
//!
//! In: ranges of memory. Out: the same bytes, in memory of our own. Holds afterwards: the program
//! may change its memory; the buffer's pages are there for the next copy, which then costs no more
//! than the copy itself.
//!
//! One of the few files with `unsafe`: the program's memory is known by address only.

use super::error::DumpError;
use crate::memory::MallocBytes;

/// Ranges of the program's memory, by address and length.
pub type Ranges<'a> = &'a [(*const u8, usize)];

#[derive(Debug, Default)]
pub struct Buffer {
    memory: Option<MallocBytes>,
    lengths: Vec<usize>,
}

impl Buffer {
    /// Copies the ranges, in place of what was copied before.
    ///
    /// # Safety
    /// Each range is readable, and nothing writes to it meanwhile.
    pub unsafe fn copy(&mut self, ranges: Ranges) -> Result<(), DumpError> {
        let total = ranges.iter().try_fold(0usize, |sum, (_, length)| sum.checked_add(*length));
        let no_memory = DumpError::NoMemory { bytes: total.map_or(u64::MAX, |total| total as u64) };
        let Some(total) = total else { return Err(no_memory) };
        if self.memory.as_ref().is_none_or(|memory| memory.len() < total) {
            // First let go of the old one: there may not be room for both.
            self.memory = None;
            self.memory = MallocBytes::zeroed(total);
        }
        let Some(memory) = &mut self.memory else { return Err(no_memory) };
        self.lengths.clear();
        let mut rest = memory.as_mut_slice();
        for &(start, length) in ranges {
            let (place, behind) = rest.split_at_mut(length);
            rest = behind;
            if length > 0 {
                // SAFETY: the caller vouches for the source; `place` has this length, and is
                // memory of our own that no range of the program can overlap.
                unsafe { std::ptr::copy_nonoverlapping(start, place.as_mut_ptr(), length) };
            }
            self.lengths.push(length);
        }
        Ok(())
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
        unsafe { buffer.copy(&ranges).unwrap() };
        assert_eq!(buffer.blocks(), [&first[..], &[], &second[..]]);
        let place = buffer.blocks()[0].as_ptr();
        // SAFETY: as above.
        unsafe { buffer.copy(&ranges[2..]).unwrap() };
        assert_eq!(buffer.blocks(), [&second[..]]);
        assert_eq!(buffer.blocks()[0].as_ptr(), place);
    }
}
