//! Checks that memory blocks are disjoint in a restart.
//!
//! Input: the present addresses of the program's variables.
//! Output: the first variable whose address is impossible.
//! Postcondition: no two memory blocks overlap, because none did when the state file was written.

use super::deliver::{Delivery, DeliveryError};
use crate::manifest::Location;

impl Delivery {
    /// The error for a register that is not at this location of its memory block.
    pub(super) fn moved(&self, name: &str, target: Location) -> DeliveryError {
        let name = name.to_owned();
        let shares = self.manifest().registers.iter().any(|saved| {
            let bytes = saved.count.saturating_mul(saved.element_bytes.into());
            let lies_over = |place: Location| {
                place.block == target.block
                    && place.offset_bytes <= target.offset_bytes
                    && target.offset_bytes < place.offset_bytes.saturating_add(bytes)
            };
            saved.name != name && saved.target.is_some_and(lies_over)
        });
        if shares {
            DeliveryError::Moved { name }
        } else {
            DeliveryError::Separated { name }
        }
    }

    /// Checks that the memory blocks are disjoint in the memory of the program.
    pub(super) fn check_disjoint(&self) -> Result<(), DeliveryError> {
        let mut extents: Vec<(usize, usize, u32)> = Vec::with_capacity(self.blocks.len());
        for (index, block) in (0..).zip(&self.blocks) {
            let size_bytes = self.native_size(index);
            if let (Some(base), true, false) = (block.base, size_bytes > 0, self.fields.contains_key(&index))
            {
                extents.push((base, base.saturating_add(size_bytes), index));
            }
        }
        extents.sort_unstable();
        let found = match extents.windows(2).find(|pair| pair[1].0 < pair[0].1) {
            None => self.check_disjoint_fields(&extents),
            Some(pair) => Err((pair[0].2, pair[1].2)),
        };
        match found {
            Ok(()) => Ok(()),
            Err((one, another)) => {
                // The memory block whose last register is later in the file is reported as the wrong one.
                let (first, second) = (one.min(another), one.max(another));
                let (other, name) = if self.latest_in(first) <= self.latest_in(second) {
                    (first, second)
                } else {
                    (second, first)
                };
                Err(DeliveryError::Overlaps { name: self.name_in(name), other: self.name_in(other) })
            }
        }
    }

    /// The last register of the file in a memory block.
    fn latest_in(&self, block: u32) -> Option<usize> {
        self.manifest()
            .registers
            .iter()
            .rposition(|saved| saved.target.is_some_and(|target| target.block == block))
    }

    fn name_in(&self, block: u32) -> String {
        let register = self.latest_in(block).and_then(|index| self.manifest().registers.get(index));
        register.map_or_else(String::new, |register| register.name.clone())
    }
}
