//! The copies of memory in pools.
//!
//! Input: memory that is live and readable.
//! Output: its copy, in which each pointer is a reference.
//! Postcondition: memory whose pointers have not been replaced is in the list of what is left.

use super::{Hidden, Interior, PointerPosition, Reason, Target, Walk};
use crate::graph::symbols;
use crate::graph::types::{ElementPointer, Pointee};
use crate::register::memory::{pointer_at, Range};

/// Large memory is searched for addresses while it is in the cache, in parts of this size.
const PART_BYTES: usize = 32 << 10;

/// Memory that was copied to a pool, and the offset of the copy in the pool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Copied {
    start: usize,
    size_bytes: usize,
    pool: u32,
    offset: usize,
}

impl Walk<'_> {
    /// Copies memory to its pool.
    pub(super) fn copy(&mut self, start: usize, size_bytes: usize, pool: u32) {
        let found = self.input.types.get(self.type_of(pool));
        let offset = self.graph.pools[pool as usize].bytes.len();
        // SAFETY: the allocation is live and readable, or it is a registered variable.
        let bytes = unsafe { Range { address: start, size_bytes }.bytes() };
        self.copy_plain(bytes, start, pool);
        if !found.pointers.is_empty() {
            self.left.push_back(Copied { start, size_bytes, pool, offset });
        }
    }

    /// Replaces the pointers in a copy.
    pub(super) fn replace_pointers(&mut self, copied: Copied) -> Result<(), Reason> {
        let Copied { start, size_bytes, pool, offset } = copied;
        let types = self.input.types;
        let found = types.get(self.type_of(pool));
        for element in (0..size_bytes).step_by(found.element_bytes) {
            for &ElementPointer { offset: inside, pointee, is_stated, is_of_array, is_of_fortran } in
                &found.pointers
            {
                let inside = element + inside;
                self.at = start + inside;
                // SAFETY: the pointer is in the allocation.
                let value = unsafe { pointer_at(self.at) };
                if value == 0 {
                    continue;
                }
                let slot = PointerPosition { pool, offset: offset + inside };
                let target = match pointee {
                    Pointee::Type(type_index) => Target { type_index, is_stated, is_of_array, is_of_fortran },
                    Pointee::Dynamic { table } => {
                        // SAFETY: the address of the type table is in the allocation too.
                        let table = unsafe { pointer_at(self.at + table) };
                        match self.described_type(table) {
                            Some(type_index) => Target { type_index, is_stated, is_of_array, is_of_fortran },
                            None => {
                                let reference = self.without_type(value, table).map(Some);
                                let reference = self.or_fault(reference)?;
                                self.put(slot, reference.unwrap_or(0));
                                continue;
                            }
                        }
                    }
                    Pointee::Table => {
                        let reference = self.table(value);
                        self.put(slot, reference);
                        continue;
                    }
                    Pointee::Function => {
                        let reference = self.symbol(value, symbols::Pointee::Unknown).map(Some);
                        let reference = self.or_fault(reference)?;
                        self.put(slot, reference.unwrap_or(0));
                        continue;
                    }
                };
                let reference = self.reference(value, target, false);
                match self.or_fault(reference)? {
                    Some(reference) => self.put(slot, reference),
                    None => self.interior.push(Interior { slot, value, target, at: self.at }),
                }
            }
        }
        Ok(())
    }

    /// Copies memory to a pool, and searches the parts of it that are no pointers for addresses.
    fn copy_plain(&mut self, bytes: &[u8], start: usize, pool: u32) {
        let types = self.input.types;
        let words = &types.get(self.type_of(pool)).plain;
        let copy = &mut self.graph.pools[pool as usize].bytes;
        let part_bytes = PART_BYTES.next_multiple_of(words.period_bytes);
        let (mut done, mut is_searched) = (0, words.runs.is_empty());
        for part in bytes.chunks(part_bytes) {
            copy.extend_from_slice(part);
            if !is_searched {
                if let Some((inside, pointed)) = self.search.first(part, words) {
                    self.hidden.push(Hidden { start, pool, at: start + done + inside, pointed });
                    is_searched = true;
                }
            }
            done += part.len();
        }
    }

    pub(super) fn put(&mut self, slot: PointerPosition, reference: u64) {
        let bytes = &mut self.graph.pools[slot.pool as usize].bytes;
        bytes[slot.offset..slot.offset + size_of::<usize>()]
            .copy_from_slice(&(reference as usize).to_ne_bytes());
    }
}
