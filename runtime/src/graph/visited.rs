//! The allocations that a walk has found, by address.
//!
//! Input: addresses of allocations, multiples of 16.
//! Output: a number for each address.
//! Postcondition: an address costs three reads, however many there are. Memory is used only near addresses: half as much as
//! the allocations there have.

const GRANULE_BYTES: usize = 16;
/// The address space that one leaf describes, and the number of leaves below one node.
const LEAF_BYTES: usize = 1 << 20;
const LEAVES: usize = 1 << 11;
const NODE_BYTES: usize = LEAF_BYTES * LEAVES;
/// For all addresses that programs have: 48 bits of 64.
const NODES: usize = if usize::BITS == 64 { 1 << (48 - 31) } else { 2 };

#[derive(Debug)]
pub struct Visited {
    /// For each node, one more than its index in `nodes`, or 0.
    root: Vec<u32>,
    /// The same for each leaf.
    nodes: Vec<Vec<u32>>,
    leaves: Vec<Vec<u64>>,
}

impl Visited {
    pub fn new() -> Visited {
        Visited { root: vec![0; NODES], nodes: Vec::new(), leaves: Vec::new() }
    }

    /// The number of an address, or 0.
    #[inline]
    pub fn get(&self, address: usize) -> u64 {
        let below = |index: u32| (index as usize).checked_sub(1);
        let node = self.root.get(address / NODE_BYTES).and_then(|index| self.nodes.get(below(*index)?));
        let leaf = node.and_then(|node| self.leaves.get(below(node[address / LEAF_BYTES % LEAVES])?));
        leaf.map_or(0, |leaf| leaf[address % LEAF_BYTES / GRANULE_BYTES])
    }

    #[inline]
    pub fn set(&mut self, address: usize, number: u64) {
        let Some(node) = self.root.get_mut(address / NODE_BYTES) else { return };
        if *node == 0 {
            self.nodes.push(vec![0; LEAVES]);
            *node = self.nodes.len() as u32;
        }
        let leaf = &mut self.nodes[*node as usize - 1][address / LEAF_BYTES % LEAVES];
        if *leaf == 0 {
            self.leaves.push(vec![0; LEAF_BYTES / GRANULE_BYTES]);
            *leaf = self.leaves.len() as u32;
        }
        self.leaves[*leaf as usize - 1][address % LEAF_BYTES / GRANULE_BYTES] = number;
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
        visited.set(NODE_BYTES - 16, 8);
        visited.set(0x10000 + LEAF_BYTES, 9);
        assert_eq!((visited.get(0x10000), visited.get(0x10010), visited.get(NODE_BYTES - 16)), (7, 0, 8));
        assert_eq!(visited.get(usize::MAX & !15), 0);
    }

    #[test]
    fn a_small_graph_needs_little_memory() {
        let mut visited = Visited::new();
        visited.set(0x7000_0000, 1);
        let nodes: usize = visited.nodes.iter().map(|node| size_of_val(&node[..])).sum();
        let leaves: usize = visited.leaves.iter().map(|leaf| size_of_val(&leaf[..])).sum();
        assert!(size_of_val(&visited.root[..]) + nodes + leaves < 2 << 20);
    }
}
