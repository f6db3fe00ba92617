//! The end of a restart.
//!
//! Input: what has been delivered.
//! Output: live registers that later blocks have changed are restored, and all pointers have their final values.
//! Postcondition: that of `deliver`.

use super::{Delivery, DeliveryError};
use crate::manifest::BlockPlace;
use crate::register::memory::Range;

impl Delivery {
    /// The names of the registers that the program has not made.
    pub fn missing(&self) -> Vec<&str> {
        let registers = self.manifest().registers.iter().zip(&self.recovered);
        registers.filter(|(_, recovered)| recovered.is_none()).map(|(saved, _)| saved.name.as_str()).collect()
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
            let Some(address) = self.address(target) else { continue };
            if at < self.activity && self.block_place(target) == BlockPlace::Program && saved.is_placed() {
                self.put_content(index, target, address)?;
            }
        }
        self.finish_graph()?;
        self.put_heap_again()?;
        for block in 0..self.blocks.len() {
            self.relocate(block as u32, 0..u64::MAX);
        }
        self.set_slots(None);
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
