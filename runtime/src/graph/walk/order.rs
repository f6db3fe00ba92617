//! The order in which roots are followed.
//!
//! Input: the roots, with the numbers of their registers.
//! Output: the pools.
//! Postcondition: what an earlier root of Fortran reaches needs no later root in a restart.

use super::copies::Copied;
use super::{Interior, Reason, Walk};

impl Walk<'_> {
    /// Follows the roots in the order in which a restart delivers them. What an earlier root reaches must not need a later
    /// one: the program may use it before.
    pub(super) fn follow_one_by_one(&mut self) -> Result<(), Reason> {
        let types = self.input.types;
        let index = |code: i32| types.index(code);
        self.described.extend(types.tables().initial().iter().copied().filter_map(index));
        let mut order: Vec<usize> = (0..self.input.roots.len()).collect();
        order.sort_by_key(|&number| self.input.roots[number].serial);
        for number in order {
            let root = &self.input.roots[number];
            self.described.extend(types.tables().described_by(root.serial).iter().copied().filter_map(index));
            if self.is_unreached_allocation(root) {
                self.heap_roots.push(number);
            }
            self.copy(root.address, self.bytes_of(root), number as u32);
            self.follow()?;
        }
        Ok(())
    }

    /// Follows all pointers in the memory that is left.
    pub(super) fn follow(&mut self) -> Result<(), Reason> {
        loop {
            while let Some(copied) = self.next() {
                self.replace_pointers(copied)?;
            }
            let Some(Interior { slot, value, target, at }) = self.interior.pop() else { return Ok(()) };
            self.at = at;
            let reference = self.reference(value, target, true);
            let reference = self.or_fault(reference)?;
            self.put(slot, reference.unwrap_or(0));
        }
    }

    /// The newest memory: what was copied last is still in the cache, and few entries are left at a time. To name an access
    /// path, the oldest: then the path is one of the shortest.
    fn next(&mut self) -> Option<Copied> {
        match &self.paths {
            None => self.left.pop_back(),
            Some(_) => self.left.pop_front(),
        }
    }
}
