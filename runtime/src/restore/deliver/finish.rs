//! The end of a restart.
//!
//! Input: what has been delivered.
//! Output: live registers that later blocks have changed are restored, and all pointers have their final values.
//! Postcondition: that of `deliver`.

use super::{Delivery, DeliveryError};
use crate::manifest::padding::data_of;
use crate::manifest::{BlockPlace, Register as Saved};
use crate::register::memory::Range;
use cppc_abi::storage::DEFERRED;

impl Delivery {
    /// The names of the registers that the program has not made, and must make before the restart ends.
    pub fn missing(&self) -> Vec<&str> {
        let needed = self.not_made().filter(|saved| saved.storage & DEFERRED == 0);
        needed.map(|saved| saved.name.as_str()).collect()
    }

    /// The registers that the program has not made, and may make after the restart.
    pub fn missing_deferred(&self) -> Vec<Saved> {
        self.not_made().filter(|saved| saved.storage & DEFERRED != 0).cloned().collect()
    }

    fn not_made(&self) -> impl Iterator<Item = &Saved> {
        let registers = self.manifest().registers.iter().zip(&self.recovered);
        registers.filter(|(_, recovered)| recovered.is_none()).map(|(saved, _)| saved)
    }

    /// Ends the restart: restores live registers that later blocks have changed, and sets all pointers to
    /// their final values.
    pub fn finish(&mut self) -> Result<(), DeliveryError> {
        let missing = self.missing();
        if !missing.is_empty() {
            let names = missing.iter().take(8).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            return Err(DeliveryError::NotRecovered { names });
        }
        self.check_followed()?;
        self.check_disjoint()?;
        for (index, (saved, recovered)) in self.manifest().registers.iter().zip(&self.recovered).enumerate() {
            let (Some((_, at)), Some(target)) = (*recovered, saved.target) else { continue };
            if self.symbols.is_in(target) {
                continue;
            }
            let Some(address) = self.address(target) else { continue };
            // `finish_graph` restores these: their pointers are not addresses in the state file.
            let is_in_graph = self.graph.has_register(index) || self.is_in_graph(target.block);
            let is_program = self.block_place(target) == BlockPlace::Program && saved.is_placed();
            if at < self.activity && is_program && !is_in_graph {
                self.put_content(index, target, address)?;
            }
        }
        self.find_symbols();
        self.check_symbols()?;
        self.finish_graph()?;
        self.put_heap_again()?;
        for block in 0..self.blocks.len() {
            self.relocate(block as u32, 0..u64::MAX);
        }
        self.set_slots(None);
        Ok(())
    }

    /// Copies the described components of each element. The descriptors of allocatable components stay.
    pub(super) fn put_components(
        &self,
        saved: &Saved,
        address: usize,
        content: &[u8],
    ) -> Result<(), DeliveryError> {
        if self.conversion.is_some() {
            return Err(DeliveryError::Architecture { name: saved.name.clone() });
        }
        let element_bytes = saved.element_bytes as usize;
        let machine = self.file.machine();
        let data = data_of(&self.manifest().types, saved.type_code, element_bytes as u64, machine);
        let data = data.ok_or_else(|| DeliveryError::NoContent { name: saved.name.clone() })?;
        for (start, element) in
            (address..).step_by(element_bytes.max(1)).zip(content.chunks_exact(element_bytes.max(1)))
        {
            for (from, to) in data.iter().map(|&(from, to)| (from as usize, to as usize)) {
                let component = Range { address: start + from, size_bytes: to - from };
                let bytes = element
                    .get(from..to)
                    .ok_or_else(|| DeliveryError::NoContent { name: saved.name.clone() })?;
                // SAFETY: as in `put_content`: the components are within the elements that the program has declared.
                unsafe { component.update(bytes) };
            }
        }
        Ok(())
    }

    fn put_heap_again(&self) -> Result<(), DeliveryError> {
        for (index, block) in self.blocks.iter().enumerate() {
            let (Some(base), Some((at, checksum))) = (block.base, block.taken) else { continue };
            if at == self.activity {
                continue;
            }
            let size_bytes = self.native_size(index as u32);
            // SAFETY: the memory came from `malloc` with this size, and an execute block must not free memory
            // that was registered before it.
            let bytes = unsafe { Range { address: base, size_bytes }.bytes_mut() };
            if checksum.is_none_or(|checksum| crc32fast::hash(bytes) != checksum) {
                self.put_block_again(index, bytes)?;
            }
        }
        Ok(())
    }

    fn put_block_again(&self, index: usize, bytes: &mut [u8]) -> Result<(), DeliveryError> {
        let Some(conversion) = &self.conversion else { return Ok(self.file.reread_block(index, bytes)?) };
        let converted = conversion.block(self.manifest(), index as u32, self.file.read_block(index)?)?;
        let same = converted.len().min(bytes.len());
        bytes[..same].copy_from_slice(&converted.as_slice()[..same]);
        Ok(())
    }
}
