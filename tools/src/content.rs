//! Reads the content of a register, a part at a time.
//!
//! Input: a verified description and a register.
//! Output: bytes of whole elements.
//! Postcondition: returned bytes have passed verification; only a few pieces are in memory.

use cppc_runtime::manifest::Register;
use cppc_runtime::verify::{read_part, Description, Verified, VerifyError};

/// The number of bytes to read at once: the piece size of full state files, which are read and verified piece
/// by piece.
const STEP_BYTES: u64 = 1 << 20;

/// Larger elements are not read.
pub const MOST_ELEMENT_BYTES: usize = 64 << 20;

pub struct ContentReader<'a> {
    description: &'a Verified<Description>,
    block: usize,
    /// The offset in the memory block of the next byte that is not in `held`.
    next: u64,
    end: u64,
    held: Vec<u8>,
    /// The number of bytes in `held` that were returned.
    used: usize,
    element_bytes: usize,
}

impl<'a> ContentReader<'a> {
    /// `None` for a null pointer, for elements without bytes, and for elements that are too large.
    pub fn new(description: &'a Verified<Description>, register: &Register) -> Option<ContentReader<'a>> {
        let element_bytes = register.element_bytes as usize;
        let target = register.target.filter(|_| (1..=MOST_ELEMENT_BYTES).contains(&element_bytes))?;
        let length = register.count.checked_mul(register.element_bytes.into())?;
        Some(ContentReader {
            description,
            block: target.block as usize,
            next: target.offset_bytes,
            end: target.offset_bytes.checked_add(length)?,
            held: Vec::new(),
            used: 0,
            element_bytes,
        })
    }

    pub fn element_bytes(&self) -> usize {
        self.element_bytes
    }

    /// About the number of elements in one step.
    pub fn step(&self) -> usize {
        (STEP_BYTES as usize / self.element_bytes).max(1)
    }

    /// The next `count` elements, or fewer at the end; empty after it.
    pub fn take(&mut self, count: usize) -> Result<&[u8], VerifyError> {
        let wanted = count.saturating_mul(self.element_bytes);
        if self.held.len() - self.used < wanted {
            self.held.drain(..self.used);
            self.used = 0;
        }
        while self.held.len() - self.used < wanted && self.next < self.end {
            // Up to the end of a piece, so that each piece is read once.
            let stop = (self.next / STEP_BYTES + 1).saturating_mul(STEP_BYTES).min(self.end);
            let part = read_part(self.description, self.block, self.next, (stop - self.next) as usize)?;
            self.held.extend_from_slice(&part);
            self.next = stop;
        }
        let from = self.used;
        self.used = from.saturating_add(wanted).min(self.held.len());
        Ok(&self.held[from..self.used])
    }

    /// Skips elements without reading pieces that contain nothing else.
    pub fn skip(&mut self, count: u64) {
        let bytes = count.saturating_mul(self.element_bytes as u64);
        let waiting = (self.held.len() - self.used) as u64;
        if bytes <= waiting {
            self.used += bytes as usize;
        } else {
            (self.held, self.used) = (Vec::new(), 0);
            self.next = self.next.saturating_add(bytes - waiting).min(self.end);
        }
    }
}
