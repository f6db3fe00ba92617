//! The allocations that a walk has found, by address.
//!
//! Input: addresses of allocations, multiples of 16.
//! Output: a number for each address.
//! Postcondition: an address costs two reads, however many there are. The memory of a chunk is used only where
//! addresses are.

/// The address space that one chunk describes.
const CHUNK_BYTES: usize = 1 << 26;
const GRANULE_BYTES: usize = 16;
const CHUNKS: usize = if usize::BITS == 64 { 1 << 22 } else { 1 << (usize::BITS - 26) };

#[derive(Debug)]
pub struct Visited {
    /// For each chunk, one more than its index in `chunks`, or 0.
    directory: Vec<u32>,
    /// The system provides the pages of a chunk when they are used first.
    chunks: Vec<Vec<u64>>,
}

impl Visited {
    pub fn new() -> Visited {
        Visited { directory: vec![0; CHUNKS], chunks: Vec::new() }
    }

    /// The number of an address, or 0.
    #[inline]
    pub fn get(&self, address: usize) -> u64 {
        match self.directory.get(address / CHUNK_BYTES) {
            Some(&index) if index > 0 => {
                self.chunks[index as usize - 1][address % CHUNK_BYTES / GRANULE_BYTES]
            }
            Some(_) | None => 0,
        }
    }

    #[inline]
    pub fn set(&mut self, address: usize, number: u64) {
        let Some(index) = self.directory.get_mut(address / CHUNK_BYTES) else { return };
        if *index == 0 {
            self.chunks.push(vec![0; CHUNK_BYTES / GRANULE_BYTES]);
            *index = self.chunks.len() as u32;
        }
        self.chunks[*index as usize - 1][address % CHUNK_BYTES / GRANULE_BYTES] = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_at_its_address() {
        let mut visited = Visited::new();
        assert_eq!(visited.get(0x10000), 0);
        visited.set(0x10000, 7);
        visited.set(3 * CHUNK_BYTES - 16, 8);
        assert_eq!(
            (visited.get(0x10000), visited.get(0x10010), visited.get(3 * CHUNK_BYTES - 16)),
            (7, 0, 8)
        );
        assert_eq!(visited.get(usize::MAX & !15), 0);
    }
}
