//! Restores fields of consecutive structures.
//!
//! Input: a register of fields as the program makes it again, and the memory of the structures.
//! Output: the fields have their saved content.
//! Postcondition: the other fields of the structures were not changed.

use super::{Delivered, Delivery, DeliveryError, Request, CONSTANT_BYTES, NULL_BYTES};
use crate::allocations;
use crate::manifest::Register as Saved;
use crate::register::fields::{overlapping_fields, overlapping_range};
use crate::register::memory::Range;
use crate::register::{FieldLayout, FieldRange, Layouts};

impl Delivery {
    /// Delivers the content of fields. `request` is that of a variable in place at the address from which the layout
    /// counts. Its count is zero if it is not known yet.
    pub fn deliver_fields(
        &mut self,
        layouts: &Layouts,
        request: Request,
        layout: FieldLayout,
        candidates: Option<&[u32]>,
    ) -> Result<Delivered, DeliveryError> {
        let is_it = |saved: &Saved| {
            saved.section == request.section && saved.is_automatic() == request.storage.is_automatic()
        };
        let Some(index) = self.find(candidates, request.name, is_it) else { return Ok(Delivered::Skipped) };
        let saved = self.manifest().registers[index].clone();
        let name = || request.name.to_owned();
        self.check_kind(layouts, &request, &saved)?;
        self.learn(layouts, index, request.type_code)?;
        let done = Delivered::Done { index, address: request.address, count: saved.count as usize };
        let Some(target) = saved.target.filter(|_| saved.count > 0) else {
            self.recovered[index] = Some((request.address, self.activity));
            return Ok(done);
        };
        if request.address < NULL_BYTES {
            return Err(DeliveryError::NoStructures { name: name() });
        }
        if request.count > 0 && saved.count > request.count as u64 {
            return Err(DeliveryError::TooSmall { name: name(), saved: saved.count, found: request.count });
        }
        let found = layout.elements;
        let other = || DeliveryError::OtherField { name: name(), saved: saved.count, found };
        if !self.manifest().shape(index).is_none_or(|extents| ends_with(extents, found as u64)) {
            return Err(other());
        }
        let element_bytes = layouts.element_bytes(request.type_code).unwrap_or_default();
        let range = layout.range(request.address, saved.count as usize, element_bytes).ok_or_else(other)?;
        let hull = range.hull();
        if allocations::check(hull.address, hull.size_bytes).is_err() {
            return Err(DeliveryError::NoStructures { name: name() });
        }
        let known = self.fields.get(&target.block);
        if target.offset_bytes > 0 || known.is_some_and(|known| *known != range) {
            return Err(self.moved(request.name, target));
        }
        self.fields.insert(target.block, range);
        let block = &mut self.blocks[target.block as usize];
        (block.base, block.is_fixed) = (Some(range.first), true);
        self.put_content(index, target, range.first)?;
        self.add_waiting(target.block, 0..u64::MAX);
        self.set_waiting(target.block);
        self.recovered[index] = Some((range.first, self.activity));
        Ok(done)
    }

    /// Copies the content of a register to its fields.
    pub(super) fn put_fields(
        &self,
        index: usize,
        block: u32,
        fields: FieldRange,
        content: &[u8],
    ) -> Result<(), DeliveryError> {
        let hull = fields.hull();
        // SAFETY: the program has declared the structures, and has passed their address.
        unsafe {
            match &self.conversion {
                // A dummy argument of Fortran may be a constant of the program.
                None if content.len() <= CONSTANT_BYTES && !self.can_be_written(hull) => {
                    if fields.gather() != content {
                        fields.scatter(content);
                    }
                }
                None => fields.scatter(content),
                Some(conversion) => {
                    let mut converted = fields.gather();
                    conversion.put(&self.manifest().registers[index], index, content, &mut converted)?;
                    fields.scatter(&converted);
                }
            }
        }
        self.relocate(block, 0..u64::MAX);
        self.set_slots(Some(hull));
        Ok(())
    }

    /// Checks that fields share no memory with each other and with these memory blocks: sorted ranges, each with its
    /// index.
    pub(in crate::restore) fn check_disjoint_fields(
        &self,
        blocks: &[(usize, usize, u32)],
    ) -> Result<(), (u32, u32)> {
        let (indices, fields): (Vec<u32>, Vec<FieldRange>) =
            self.fields.iter().map(|(index, fields)| (*index, *fields)).unzip();
        if let Some((one, other)) = overlapping_fields(&fields) {
            return Err((indices[one], indices[other]));
        }
        let ranges: Vec<Range> =
            blocks.iter().map(|(start, end, _)| Range { address: *start, size_bytes: end - start }).collect();
        match overlapping_range(&fields, &ranges) {
            Some((field, range)) => Err((indices[field], blocks[range].2)),
            None => Ok(()),
        }
    }
}

/// Whether this number is the product of the last extents.
fn ends_with(extents: &[u64], elements: u64) -> bool {
    let mut product = 1u64;
    elements == 1
        || extents.iter().rev().any(|extent| {
            product = product.saturating_mul(*extent);
            product == elements
        })
}
