//! Pointers to memory that is not an allocation of the program, and pointers without a value.
//!
//! Input: the value of a pointer that is not in the table of allocations.
//! Output: a reference to a root, to another register, to a symbol, or to a value that stays as it is.
//! Postcondition: a restart can set the pointer.

use super::{OutsideMemory, PoolKind, Reason, Walk};
use crate::allocations;
use crate::graph::objects::AddressKind;
use crate::register::segments::Segment;

impl Walk<'_> {
    /// The memory of another register that contains the address. At its end, something else may begin.
    pub(super) fn outside_at(&self, value: usize) -> Option<usize> {
        let outside = self.input.outside;
        let after = outside.partition_point(|memory| memory.address <= value);
        let index = after.checked_sub(1)?;
        (value < outside[index].end()).then_some(index)
    }

    pub(super) fn outside(&mut self, index: usize, value: usize) -> Result<u64, Reason> {
        let OutsideMemory { address, count, element_bytes, .. } = self.input.outside[index];
        let offset = value - address;
        if offset % element_bytes != 0 {
            return Err(Reason::InsideRegister);
        }
        let pool = match self.pool_of_outside.get(&index) {
            Some(pool) => *pool,
            None => {
                let pool = self.pool(PoolKind::Outside(index));
                self.graph.pools[pool as usize].runs.push((count as u64, 1));
                self.pool_of_outside.insert(index, pool);
                pool
            }
        };
        Ok(self.graph.chunks.reference(pool, (offset / element_bytes) as u64))
    }

    /// The reference to what is not in the table of allocations.
    pub(super) fn elsewhere(&mut self, value: usize, target: usize, reason: Reason) -> Result<u64, Reason> {
        let root = self.input.roots.iter().position(|root| {
            let bytes = root.count * self.input.types.get(root.type_index).element_bytes;
            (root.address..=root.address + bytes).contains(&value)
        });
        if let Some(index) = root {
            let root = &self.input.roots[index];
            let bytes = root.count * self.input.types.get(root.type_index).element_bytes;
            let position = self.position(root.type_index, value - root.address, bytes, target)?;
            return Ok(self.graph.chunks.reference(index as u32, position));
        }
        match self.input.objects.kind(value) {
            AddressKind::Constant => self.symbol(value, self.input.types.get(target).element_bytes == 1),
            AddressKind::Writable => {
                let after = self.input.variables.partition_point(|variable| variable.address <= value);
                let is_registered = after > 0 && value < self.input.variables[after - 1].end();
                match is_registered {
                    true => self.symbol(value, false),
                    false => Err(Reason::Variable),
                }
            }
            AddressKind::Nowhere => match self.input.segments.of(value) {
                Segment::Stack => Err(Reason::Stack),
                Segment::Object | Segment::Heap if !allocations::is_active() => Err(Reason::Inactive),
                Segment::Object | Segment::Heap => Err(reason),
            },
        }
    }

    pub(super) fn symbol(&mut self, value: usize, is_text: bool) -> Result<u64, Reason> {
        let number = self.symbols.number(self.input.objects, value, is_text).ok_or(Reason::Nameless)?;
        Ok(self.graph.chunks.reference(self.symbol_pool, number as u64))
    }

    /// Whether a pointer of Fortran certainly has no target that the program may use: its memory was freed, or its value was
    /// never set. A restart gives it the same value.
    pub(super) fn is_undefined(&mut self, value: usize, reason: &Reason) -> bool {
        if *reason == Reason::Freed {
            self.graph.has_stale = true;
            return !self.stops_at_stale;
        }
        self.input.segments.readable_part(value).is_none() || self.input.objects.is_in_c_library(value)
    }
}
