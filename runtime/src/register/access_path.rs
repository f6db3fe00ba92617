//! The access paths of registers.
//!
//! Input: the address of each pointer of the path, when the register is made.
//! Output: whether the pointer still has the same value.
//! Postcondition: no pointer is read after its frame has ended. A pointer that is reached through another
//! pointer is read only if that one has not changed.

use super::memory::pointer_at;
use std::collections::HashMap;

/// A pointer of an access path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathPointer {
    pub slot: usize,
    /// The value of the pointer when the register was made.
    pub value: usize,
    /// The depth of the frame with which the slot ends; none if it does not end with a frame.
    pub depth: Option<u32>,
}

#[derive(Debug, Default)]
pub struct AccessPaths {
    /// By the serial of the register.
    of: HashMap<u64, Vec<PathPointer>>,
    /// No pointer ends with a frame deeper than this one.
    deepest: Option<u32>,
}

impl AccessPaths {
    /// Adds the next pointer to the access path of a register.
    pub fn add(&mut self, serial: u64, point: PathPointer) {
        self.of.entry(serial).or_default().push(point);
        self.deepest = self.deepest.max(point.depth);
    }

    /// The register has ended.
    pub fn end(&mut self, serial: u64) {
        self.of.remove(&serial);
    }

    /// The frame at this depth ends, with the frames called from it.
    pub fn end_frame(&mut self, depth: u32) {
        // Usually all pointers are in outer frames, so there is nothing to do.
        if self.deepest.is_none_or(|deepest| deepest < depth) {
            return;
        }
        self.of.retain(|_, points| {
            // The pointers after one that has ended were reached through it.
            let left = points.iter().position(|point| point.depth.is_some_and(|own| own >= depth));
            points.truncate(left.unwrap_or(points.len()));
            !points.is_empty()
        });
        self.deepest = depth.checked_sub(1);
    }

    /// Whether a pointer of the access path of the register has changed.
    ///
    /// # Safety
    /// Each pointer must be readable as long as those before it have not changed.
    pub unsafe fn is_changed(&self, serial: u64) -> bool {
        let points = self.of.get(&serial).map_or(&[][..], Vec::as_slice);
        // SAFETY: the caller guarantees that the next pointer is readable if those before it have not
        // changed.
        points.iter().any(|point| unsafe { pointer_at(point.slot) } != point.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_that_leads_elsewhere_is_found_until_its_frame_ends() {
        let inner: usize = 7;
        let mut outer = &raw const inner as usize;
        let mut paths = AccessPaths::default();
        let slot = |place: &usize| place as *const usize as usize;
        paths.add(9, PathPointer { slot: slot(&outer), value: outer, depth: Some(3) });
        paths.add(9, PathPointer { slot: outer, value: inner, depth: None });
        assert!(!unsafe { paths.is_changed(9) });
        // Nothing is read through a pointer that has changed.
        outer = 1;
        assert!(unsafe { paths.is_changed(9) });
        paths.end_frame(4);
        assert!(unsafe { paths.is_changed(9) });
        paths.end_frame(3);
        assert!(!unsafe { paths.is_changed(9) });
        assert_eq!(outer, 1);
    }
}
