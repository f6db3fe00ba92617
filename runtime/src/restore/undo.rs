//! Undoes the changes that restored captures make.
//!
//! Input: memory before a captured value is written to it.
//! Output: the same memory with its earlier content.
//! Postcondition: changes are undone latest first, so that memory captured twice has its first content again.

use crate::register::memory::Range;

#[derive(Debug, Default)]
pub struct Undo {
    /// The depth of the frame whose block captured the value, and the earlier content.
    kept: Vec<(u32, Range, Vec<u8>)>,
}

impl Undo {
    /// Saves the present content of the range.
    ///
    /// # Safety
    /// The range is readable, and is writable until it is restored or forgotten.
    pub unsafe fn keep(&mut self, depth: u32, range: Range) {
        // SAFETY: the caller guarantees the range, and the bytes are copied at once.
        let bytes = unsafe { range.bytes() }.to_vec();
        self.kept.push((depth, range, bytes));
    }

    /// Restores what the block of the frame at `depth` has overwritten.
    pub fn take_back(&mut self, depth: u32) {
        let first = self.kept.partition_point(|(kept, ..)| *kept < depth);
        for (_, range, bytes) in self.kept.drain(first..).rev() {
            // SAFETY: the caller of `keep` guarantees that the range is writable until now.
            unsafe { range.fill(&bytes) };
        }
    }

    /// The restart has ended: the present content stays.
    pub fn forget(&mut self) {
        self.kept.clear();
    }
}
