//! The pointers that registers were reached through.
//!
//! In: where such a pointer stands, when its register is made. Out: whether it still leads where it led. Holds
//! afterwards: no place is looked at that has ended with its frame; one that stands behind another pointer is looked at
//! only when that one has not changed.

use super::memory::pointer_at;
use std::collections::HashMap;

/// A pointer on the way to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    pub slot: usize,
    /// Where it led when the register was made.
    pub value: usize,
    /// The frame that the slot ends with.
    pub depth: Option<u32>,
}

#[derive(Debug, Default)]
pub struct Ways {
    /// By the serial of the register.
    of: HashMap<u64, Vec<Point>>,
    /// No pointer ends with a frame deeper than this one.
    deepest: Option<u32>,
}

impl Ways {
    /// The next pointer on the way to a register.
    pub fn add(&mut self, serial: u64, point: Point) {
        self.of.entry(serial).or_default().push(point);
        self.deepest = self.deepest.max(point.depth);
    }

    /// The register has ended.
    pub fn end(&mut self, serial: u64) {
        self.of.remove(&serial);
    }

    /// The frame at this depth ends, and those within it.
    pub fn end_frame(&mut self, depth: u32) {
        // Most frames end while pointers stand in frames above them only.
        if self.deepest.is_none_or(|deepest| deepest < depth) {
            return;
        }
        self.of.retain(|_, points| {
            // What follows after a pointer that is gone is behind it.
            let left = points.iter().position(|point| point.depth.is_some_and(|own| own >= depth));
            points.truncate(left.unwrap_or(points.len()));
            !points.is_empty()
        });
        self.deepest = depth.checked_sub(1);
    }

    /// Whether a pointer on the way to the register leads elsewhere now.
    ///
    /// # Safety
    /// The places of the pointers are readable, each as long as those before it lead where they led.
    pub unsafe fn is_changed(&self, serial: u64) -> bool {
        let points = self.of.get(&serial).map_or(&[][..], Vec::as_slice);
        // SAFETY: the caller vouches for the next place when the ones before it have not changed.
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
        let mut ways = Ways::default();
        let slot = |place: &usize| place as *const usize as usize;
        ways.add(9, Point { slot: slot(&outer), value: outer, depth: Some(3) });
        ways.add(9, Point { slot: outer, value: inner, depth: None });
        assert!(!unsafe { ways.is_changed(9) });
        // Nothing is read through a pointer that has changed.
        outer = 1;
        assert!(unsafe { ways.is_changed(9) });
        ways.end_frame(4);
        assert!(unsafe { ways.is_changed(9) });
        ways.end_frame(3);
        assert!(!unsafe { ways.is_changed(9) });
        assert_eq!(outer, 1);
    }
}
