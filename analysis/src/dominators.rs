//! The dominators of a graph.
//!
//! Input: a graph with one entry.
//! Output: for each block, the closest other block through which all paths from the entry to it go.
//! Postcondition: the entry is its own dominator, and a block that is not reached has none.

use crate::program::BlockId;
use crate::solver::Graph;

/// By the algorithm of Cooper, Harvey and Kennedy.
pub fn dominators(graph: &Graph) -> Vec<Option<BlockId>> {
    let count = graph.successors.len();
    let mut position = vec![usize::MAX; count];
    graph.postorder.iter().enumerate().for_each(|(at, block)| position[block.0 as usize] = at);
    let mut found: Vec<Option<BlockId>> = vec![None; count];
    let Some(&entry) = graph.postorder.last() else { return found };
    found[entry.0 as usize] = Some(entry);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in graph.postorder.iter().rev().skip(1) {
            let known = graph.predecessors[block.0 as usize]
                .iter()
                .copied()
                .filter(|from| found[from.0 as usize].is_some());
            let common = known.reduce(|left, right| common(left, right, &found, &position));
            if common.is_some() && found[block.0 as usize] != common {
                found[block.0 as usize] = common;
                changed = true;
            }
        }
    }
    found
}

fn common(mut left: BlockId, mut right: BlockId, found: &[Option<BlockId>], position: &[usize]) -> BlockId {
    while left != right {
        let at = |block: BlockId| position[block.0 as usize];
        let later = if at(left) < at(right) { &mut left } else { &mut right };
        match found[later.0 as usize] {
            Some(next) => *later = next,
            None => break,
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 branches to 1 and 2, which meet in 3; 3 goes back to 1; 4 is not reached.
    #[test]
    fn the_closest_dominator_is_found() {
        let next = [vec![1, 2], vec![3], vec![3], vec![1], vec![3]];
        let successors = next.map(|next| next.into_iter().map(BlockId).collect()).to_vec();
        let graph = Graph::of(successors, std::iter::once(BlockId(0)));
        let expected = [Some(0), Some(0), Some(0), Some(0), None].map(|found| found.map(BlockId));
        assert_eq!(dominators(&graph), expected);
    }
}
