//! The shape of a procedure: where branches meet again, and which blocks are between.
//!
//! Input: a procedure. Output: the post-dominators.
//! Postcondition: paths that end the program do not count.

use crate::dominators::dominators;
use crate::program::{BlockId, Procedure, Terminator};
use crate::solver::Graph;

/// The end of the procedure, where a branch meets if one side returns.
pub const RETURN: BlockId = BlockId(u32::MAX);

#[derive(Debug)]
pub struct Shape {
    pub successors: Vec<Vec<BlockId>>,
    meets: Vec<BlockId>,
}

impl Shape {
    pub fn new(procedure: &Procedure) -> Shape {
        let count = procedure.blocks.len();
        let successors: Vec<Vec<BlockId>> = procedure
            .blocks
            .iter()
            .map(|block| {
                let mut next = block.terminator.successors(count);
                next.sort_unstable();
                next.dedup();
                next
            })
            .collect();
        let meets = post_dominators(procedure, &successors);
        Shape { successors, meets }
    }

    /// Where all paths from the end of the block meet.
    pub fn meeting(&self, block: BlockId) -> BlockId {
        self.meets[block.0 as usize]
    }

    /// The blocks on paths from the successors of `block` to the block where they meet, without that.
    pub fn region(&self, block: BlockId) -> Vec<BlockId> {
        let end = self.meeting(block);
        let mut seen = vec![false; self.successors.len()];
        let mut work: Vec<BlockId> = self.successors[block.0 as usize].clone();
        let mut found = Vec::new();
        while let Some(next) = work.pop() {
            if next == end || std::mem::replace(&mut seen[next.0 as usize], true) {
                continue;
            }
            found.push(next);
            work.extend(&self.successors[next.0 as usize]);
        }
        found
    }
}

/// The dominators of the reversed graph.
fn post_dominators(procedure: &Procedure, successors: &[Vec<BlockId>]) -> Vec<BlockId> {
    let count = successors.len();
    let end = BlockId(count as u32);
    let mut before = vec![Vec::new(); count + 1];
    for (block, next) in successors.iter().enumerate() {
        let is_return = matches!(procedure.blocks[block].terminator, Terminator::Return);
        let next = next.iter().copied().chain(is_return.then_some(end));
        next.for_each(|to| before[to.0 as usize].push(BlockId(block as u32)));
    }
    let found = dominators(&Graph::of(before, std::iter::once(end)));
    let meeting = |found: &Option<BlockId>| found.filter(|&found| found != end).unwrap_or(RETURN);
    found[..count].iter().map(meeting).collect()
}
