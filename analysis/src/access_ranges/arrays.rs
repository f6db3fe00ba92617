//! The arrays: parts of memory that are accessed by elements.
//!
//! Input: the accesses of a program, and what its pointers point to.
//! Output: for each memory, its arrays.
//! Postcondition: an access to an element through a pointer reaches the end of its array at most.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{AccessRanges, Array};
use crate::accesses::{accesses, addresses};
use crate::program::{Access, Step};
use crate::sets::Memory;
use crate::spot::total;

/// For an offset of a memory: the end of the array in a structure that starts there. `None` if pointers with this offset may
/// reach something else too.
type Ends = FxHashMap<(Memory, u64), Option<u64>>;

type Found = FxHashMap<Memory, FxHashSet<Array>>;

impl AccessRanges<'_> {
    /// Finds the arrays: parts of memory that are accessed by elements.
    pub(super) fn find_arrays(&mut self) {
        let mut found = Found::default();
        let ends = self.ends_of_fields();
        for procedure in &self.program.procedures {
            for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
                accesses(&operation.kind, &mut |access| self.find_arrays_in(access, &ends, &mut found));
            }
        }
        let sorted = |arrays: FxHashSet<Array>| {
            let mut arrays: Vec<Array> = arrays.into_iter().collect();
            arrays.sort_unstable();
            arrays
        };
        self.arrays = found.into_iter().map(|(memory, arrays)| (memory, sorted(arrays))).collect();
        // Those known so far were found without arrays and without escaped memory.
        self.targets.get_mut().clear();
    }

    /// For each offset inside of a memory that pointers get only as the address of an array in a structure: the end of the
    /// array. Elements that are accessed through such a pointer belong to this array. An array of one element may be the
    /// start of a longer one.
    fn ends_of_fields(&self) -> Ends {
        let mut ends = Ends::default();
        for procedure in &self.program.procedures {
            for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
                addresses(&operation.kind, &mut |access| self.add_ends(access, &mut ends));
                accesses(&operation.kind, &mut |access| self.remove_ends(access, &mut ends));
            }
        }
        ends
    }

    fn add_ends(&self, access: &Access, ends: &mut Ends) {
        let mut spots = vec![self.start(access.root)];
        for (number, step) in access.path.iter().enumerate() {
            match step {
                Step::Field { offset, .. } => spots.iter_mut().for_each(|spot| spot.field(*offset)),
                Step::Dereference => spots = self.follow(&spots),
                Step::Elements(_) if number > 0 && access.path[number - 1] == Step::Dereference => {
                    // Another position in the array of the pointer.
                    if number + 1 == access.path.len() {
                        return;
                    }
                }
                Step::Elements(_) => {}
            }
        }
        let size = match access.path.last_chunk() {
            Some([Step::Field { .. }, Step::Elements(dimensions)]) => {
                let stride = dimensions.iter().filter_map(|dimension| dimension.stride).min();
                total(dimensions).filter(|total| stride.is_some_and(|stride| stride < *total))
            }
            _ => None,
        };
        for spot in spots {
            let Some(at) = spot.at else { continue };
            let end = size.map(|size| at.saturating_add(size));
            ends.entry((spot.memory, at))
                .and_modify(|known| *known = known.zip(end).map(|(a, b)| a.max(b)))
                .or_insert(end.filter(|_| at > 0));
        }
    }

    /// A pointer that reaches something else than an element does not belong to an array: `container_of` gets the address of a
    /// structure from that of an array in it.
    fn remove_ends(&self, access: &Access, ends: &mut Ends) {
        let mut spots = vec![self.start(access.root)];
        for (number, step) in access.path.iter().enumerate() {
            match step {
                Step::Field { offset, .. } => spots.iter_mut().for_each(|spot| spot.field(*offset)),
                Step::Elements(_) => {}
                Step::Dereference => {
                    spots = self.follow(&spots);
                    let is_element = match &access.path[number + 1..] {
                        [] => true,
                        [Step::Elements(dimensions)] => {
                            let stride = dimensions.iter().filter_map(|dimension| dimension.stride).min();
                            access.size.is_none_or(|size| stride == Some(size))
                        }
                        [Step::Elements(_), Step::Dereference, ..] | [Step::Dereference, ..] => true,
                        [Step::Elements(_) | Step::Field { .. }, ..] => false,
                    };
                    if !is_element {
                        let places = spots.iter().filter_map(|spot| Some((spot.memory, spot.at?)));
                        ends.extend(places.map(|place| (place, None)));
                    }
                }
            }
        }
    }

    fn find_arrays_in(&self, access: &Access, ends: &Ends, found: &mut Found) {
        let mut spots = vec![self.start(access.root)];
        let mut is_behind_pointer = false;
        for step in &access.path {
            match step {
                Step::Field { offset, .. } => {
                    spots.iter_mut().for_each(|spot| spot.field(*offset));
                    is_behind_pointer = false;
                }
                Step::Dereference => {
                    spots = self.follow(&spots);
                    is_behind_pointer = true;
                }
                Step::Elements(dimensions) => {
                    for spot in &spots {
                        let Some(at) = spot.at else { continue };
                        let end = match total(dimensions) {
                            Some(total) if !is_behind_pointer => spot.start.saturating_add(total),
                            _ => ends.get(&(spot.memory, at)).copied().flatten().unwrap_or(spot.limit),
                        };
                        let strides = dimensions.iter().map(|dimension| dimension.stride.unwrap_or(0));
                        let array = Array { start: at, end, stride: strides.min().unwrap_or(0) };
                        found.entry(spot.memory).or_default().insert(array);
                    }
                }
            }
        }
    }
}
