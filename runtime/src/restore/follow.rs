//! Delivers followed arrays, whose memory the program allocates again.
//!
//! Input: the registers of such arrays as the program makes them again, and the addresses that it passes.
//! Output: their bounds, and their content in place.
//! Postcondition: content is written only to an array of the same bounds at the address that the program
//! passed last. Arrays that shared memory share it again, or the restart stops.

use super::deliver::{Delivery, DeliveryError, PresentArray, Request};
use crate::manifest::Register as Saved;
use crate::register::name::BOUNDS;
use crate::register::{Layouts, Pairs};
use cppc_abi::bits::number;
use cppc_abi::types::CHARACTER;

/// What the program must do with an array that it registers again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reallocation {
    NotAllocated,
    /// The array must be allocated with these bounds.
    Allocated(Pairs),
    /// The memory is already in place, because another register that shares it came first.
    InPlace(Pairs),
}

impl Delivery {
    /// Registers a followed array again. Returns its index in the file, if the file contains it here.
    pub fn reallocation(
        &mut self,
        layouts: &Layouts,
        request: Request,
        candidates: Option<&[u32]>,
    ) -> Result<Option<(usize, Reallocation)>, DeliveryError> {
        let fits = |saved: &Saved| {
            saved.section == request.section && saved.is_automatic() == request.storage.is_automatic()
        };
        let Some(index) = self.find(candidates, request.name, fits) else { return Ok(None) };
        let saved = self.manifest().registers[index].clone();
        if request.storage.is_partial() {
            // The type is known when the array has elements.
            self.check_storage(&request, &saved)?;
        } else {
            self.check_kind(layouts, &request, &saved)?;
            self.learn(layouts, index, request.type_code)?;
        }
        let bounds_name = format!("{}{BOUNDS}", request.name);
        let bounds = self.find(candidates, &bounds_name, fits);
        let unfit = || followed(&saved, "has bounds in the state file that do not fit its content");
        let bounds = bounds.ok_or_else(unfit)?;
        let pairs = self
            .pairs(bounds)
            .filter(|pairs| pairs.elements() == usize::try_from(saved.count).ok())
            .ok_or_else(unfit)?;
        self.recovered[bounds] = Some((0, self.activity));
        self.followed.insert(index, PresentArray { address: 0, pairs: Pairs::NONE, wanted: pairs });
        if let Some(target) = saved.target {
            self.allocate_graph_block(target.block)?;
        }
        let again = match saved.target {
            _ if !pairs.is_allocated() => Reallocation::NotAllocated,
            Some(target) if self.address(target).is_some() => Reallocation::InPlace(pairs),
            _ => Reallocation::Allocated(pairs),
        };
        if saved.target.is_none() {
            self.recovered[index] = Some((0, self.activity));
        }
        Ok(Some((index, again)))
    }

    /// Compares the type of an array that was allocated with that of the file, if the file has elements.
    pub fn check_elements(
        &mut self,
        layouts: &Layouts,
        request: Request,
        index: usize,
    ) -> Result<(), DeliveryError> {
        let saved = self.manifest().registers[index].clone();
        if saved.count == 0 {
            return Ok(());
        }
        self.check_kind(layouts, &request, &saved)?;
        self.learn(layouts, index, request.type_code)
    }

    /// The bounds that a register of the file contains.
    fn pairs(&self, index: usize) -> Option<Pairs> {
        let saved = self.manifest().registers.get(index)?;
        let Some(target) = saved.target else { return Pairs::from_slice(&[]) };
        let start = usize::try_from(target.offset_bytes).ok()?;
        let size_bytes = usize::try_from(saved.count).ok()?.checked_mul(size_of::<i64>())?;
        let bytes = self.file().block(target.block as usize)?.get(start..start.checked_add(size_bytes)?)?;
        let is_big_endian = self.file().machine().big_endian;
        let integer = |bound: &[u8]| Some(number(bound, is_big_endian) as i64);
        let bounds = bytes.chunks_exact(size_of::<i64>()).map(integer);
        Pairs::from_slice(&bounds.collect::<Option<Vec<i64>>>()?)
    }

    /// Delivers the content of an array that was allocated at `address` with the bounds of the file.
    pub fn fill(&mut self, index: usize, address: usize) -> Result<(), DeliveryError> {
        let saved = self.manifest().registers[index].clone();
        if let Some(target) = saved.target {
            if address == 0 {
                return Err(followed(
                    &saved,
                    "must be allocated with the bounds of the state file, but is not",
                ));
            }
            let moved = || DeliveryError::Moved { name: saved.name.clone() };
            let base = address.wrapping_sub(self.offset(target).ok_or_else(moved)?);
            let block = &mut self.blocks[target.block as usize];
            if *block.base.get_or_insert(base) != base {
                return Err(moved());
            }
            self.put_content(index, target, address)?;
        }
        self.recovered[index] = Some((address, self.activity));
        Ok(())
    }

    /// Updates the address and the bounds of the array. Differences from the file are checked at the end.
    pub fn follow(&mut self, index: usize, address: usize, pairs: Pairs) -> Result<(), DeliveryError> {
        let Some(now) = self.followed.get_mut(&index) else { return Ok(()) };
        (now.address, now.pairs) = (address, pairs);
        let Some(target) = self.manifest().registers[index].target else { return Ok(()) };
        if self.followed.get(&index).is_none_or(|now| now.pairs != now.wanted) || address == 0 {
            return Ok(());
        }
        self.set_outside(index, address);
        if self.is_in_graph(target.block) {
            // The content is that of the graph.
            self.recovered[index] = Some((address, self.activity));
            return Ok(());
        }
        let Some(offset) = self.offset(target) else { return Ok(()) };
        let base = address.wrapping_sub(offset);
        let block = &mut self.blocks[target.block as usize];
        match block.base {
            Some(known) if known == base && self.recovered[index].is_some() => Ok(()),
            Some(known) if known != base && block.is_fixed => Ok(()),
            Some(known) if known != base => {
                block.base = Some(base);
                self.recovered[index] = Some((address, self.activity));
                self.mark_changed();
                Ok(())
            }
            _ => self.fill(index, address),
        }
    }

    /// The address of the array if its memory is already in place.
    pub fn address_of(&self, index: usize) -> Option<usize> {
        self.address(self.manifest().registers.get(index)?.target?)
    }

    /// The length of each element, if the elements are characters.
    pub fn length_of(&self, index: usize) -> Option<i64> {
        let is_text = self.manifest().registers.get(index)?.type_code == CHARACTER;
        self.followed.get(&index).filter(|_| is_text)?.wanted.as_slice().get(1).copied()
    }

    /// Checks that every followed array is at the address of its content.
    pub(super) fn check_followed(&self) -> Result<(), DeliveryError> {
        for (&index, now) in &self.followed {
            let saved = &self.manifest().registers[index];
            let is_elsewhere = saved.target.is_some_and(|target| self.address(target) != Some(now.address));
            let what = match (now.pairs.is_allocated(), now.wanted.is_allocated()) {
                (false, true) => "was allocated when the state file was written, but is not after the replay",
                (true, false) => "was not allocated when the state file was written, but is after the replay",
                (true, true) if now.pairs != now.wanted => {
                    "has other bounds after the replay than when the state file was written"
                }
                (true, true) if is_elsewhere => {
                    "no longer shares its memory with the same items as when the state file was written"
                }
                _ => continue,
            };
            return Err(followed(saved, what));
        }
        Ok(())
    }
}

fn followed(saved: &Saved, what: &'static str) -> DeliveryError {
    DeliveryError::Followed { name: saved.name.clone(), what }
}
