//! What captured values have pushed out.
//!
//! In: memory before a recorded value went in. Out: the same memory as it was. Holds afterwards: what
//! was taken back is in place, latest first, so that a place captured twice ends as it began.

use crate::register::memory::Range;

#[derive(Debug, Default)]
pub struct Undo {
    /// The depth of the frame whose block captured, and what was there.
    kept: Vec<(u32, Range, Vec<u8>)>,
}

impl Undo {
    /// Keeps what is in the range now.
    ///
    /// # Safety
    /// The range is readable, and will be writable until it is taken back or forgotten.
    pub unsafe fn keep(&mut self, depth: u32, range: Range) {
        // SAFETY: the caller vouches for the range; the bytes are copied at once.
        let bytes = unsafe { range.bytes() }.to_vec();
        self.kept.push((depth, range, bytes));
    }

    /// Puts back what the block of the frame at `depth` has pushed out.
    pub fn take_back(&mut self, depth: u32) {
        let first = self.kept.partition_point(|(kept, ..)| *kept < depth);
        for (_, range, bytes) in self.kept.drain(first..).rev() {
            // SAFETY: `keep` has the promise that the range is writable until now.
            unsafe { range.fill(&bytes) };
        }
    }

    /// The restart is over: what is there stays.
    pub fn forget(&mut self) {
        self.kept.clear();
    }
}
