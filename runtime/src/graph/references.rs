//! References: positions in pools, as integers.
//!
//! Input: a pool and a position in it, or a reference of a state file.
//! Output: the reference, or the pool and the position.
//! Postcondition: 0 is the null pointer. References do not depend on the machine. They are as small as possible, so
//! that they fit into a pointer of a machine with 32 bits if the graph does.

/// The positions in one chunk.
const CHUNK: u64 = 1 << 12;

/// The chunks that the pools have, while a graph is written.
#[derive(Debug, Default)]
pub struct Chunks {
    /// For each chunk its pool. The reference of the first position of the first chunk is `CHUNK`.
    owners: Vec<u32>,
    /// For each pool its chunks.
    of_pool: Vec<Vec<u32>>,
}

impl Chunks {
    pub fn add_pool(&mut self) -> u32 {
        self.of_pool.push(Vec::new());
        self.of_pool.len() as u32 - 1
    }

    /// The reference to a position.
    #[inline]
    pub fn reference(&mut self, pool: u32, position: u64) -> u64 {
        let (chunk, within) = ((position / CHUNK) as usize, position % CHUNK);
        let chunks = &mut self.of_pool[pool as usize];
        while chunks.len() <= chunk {
            chunks.push(self.owners.len() as u32);
            self.owners.push(pool);
        }
        (u64::from(chunks[chunk]) + 1) * CHUNK + within
    }

    pub fn owners(&self) -> &[u32] {
        &self.owners
    }
}

/// The chunks of a state file.
#[derive(Debug, Default)]
pub struct SavedChunks {
    /// For each chunk its pool, and its first position there.
    chunks: Vec<(u32, u64)>,
}

impl SavedChunks {
    pub fn new(owners: impl Iterator<Item = u64>, pools: usize) -> Option<SavedChunks> {
        let mut next = vec![0; pools];
        let mut chunks = Vec::new();
        for owner in owners {
            let position: &mut u64 = next.get_mut(usize::try_from(owner).ok()?)?;
            chunks.push((owner as u32, *position));
            *position += CHUNK;
        }
        Some(SavedChunks { chunks })
    }

    /// The pool and the position that a reference means. `None` if it means nothing. Not for null.
    #[inline]
    pub fn find(&self, reference: u64) -> Option<(u32, u64)> {
        let chunk = (reference / CHUNK).checked_sub(1)?;
        let (pool, first) = self.chunks.get(usize::try_from(chunk).ok()?)?;
        Some((*pool, first + reference % CHUNK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_found_again() {
        let mut chunks = Chunks::default();
        let pools = [chunks.add_pool(), chunks.add_pool()];
        let mut all = Vec::new();
        for position in (0..5 * CHUNK).step_by(999) {
            for pool in pools {
                all.push((chunks.reference(pool, position), pool, position));
            }
        }
        let saved = SavedChunks::new(chunks.owners().iter().map(|&owner| owner.into()), 2).unwrap();
        for (reference, pool, position) in all {
            assert!(reference > 0);
            assert_eq!(saved.find(reference), Some((pool, position)));
        }
        assert_eq!((saved.find(1), saved.find(u64::MAX)), (None, None));
        assert!(SavedChunks::new([2].into_iter(), 2).is_none());
    }
}
