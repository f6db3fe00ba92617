//! How often each block of a procedure runs.
//!
//! Input: the loops of the procedure, with their iterations. Output: a number for each block, for one call.
//! Postcondition: the sides of a branch share its number. A side that only ends the procedure, such as a report of an
//! error, or that is for the first call only, never runs.

use super::estimates::Iterations;
use crate::natural_loops::NaturalLoops;
use crate::program::{Block, BlockId, Comparison, OperationKind, Terminator, Value, VariableId};

/// What is known of the rest of the program.
pub struct Tests<'a> {
    /// Whether a block calls a procedure with work of its own.
    pub has_work: &'a dyn Fn(BlockId) -> bool,
    /// Whether a variable keeps its value from one call to the next.
    pub is_static: &'a dyn Fn(VariableId) -> bool,
}

pub fn frequencies(
    shape: &NaturalLoops,
    iterations: &[Iterations],
    blocks: &[Block],
    tests: &Tests,
) -> Vec<f64> {
    let sides = Sides { shape, blocks, tests };
    let mut frequency = vec![0.0; blocks.len()];
    for &block in shape.graph.postorder.iter().rev() {
        let mut times = match shape.dominator(block) {
            None => 1.0,
            Some(dominator) => frequency[dominator.0 as usize] * sides.part(dominator, block),
        };
        for (found, iterations) in shape.loops.iter().zip(iterations) {
            let number = iterations.number().max(1.0);
            let is_left = shape.dominator(block).is_some_and(|dominator| found.blocks.contains(&dominator));
            if is_left && !found.blocks.contains(&block) {
                times /= number;
            }
            if found.head == block {
                times *= number;
            }
        }
        frequency[block.0 as usize] = times;
    }
    frequency
}

struct Sides<'a> {
    shape: &'a NaturalLoops,
    blocks: &'a [Block],
    tests: &'a Tests<'a>,
}

impl Sides<'_> {
    /// The part of the runs of `branch` in which control continues in `block`, which it dominates.
    fn part(&self, branch: BlockId, block: BlockId) -> f64 {
        let from = self.shape.graph.predecessors[block.0 as usize].iter();
        let from: Vec<&BlockId> = from.filter(|from| !self.shape.dominates(block, **from)).collect();
        if from.iter().any(|from| **from != branch) {
            return 1.0;
        }
        // The end of a loop is reached once for all its iterations.
        let stays = |to: BlockId| match self.shape.innermost[branch.0 as usize] {
            None => true,
            Some(number) => self.shape.loops[number].blocks.contains(&to),
        };
        let mut sides = self.shape.graph.successors[branch.0 as usize].clone();
        sides.retain(|&to| stays(to));
        sides.sort_unstable();
        sides.dedup();
        if !sides.contains(&block) || sides.len() < 2 {
            return 1.0;
        }
        let is_rare = |side: BlockId| {
            let is_own = self.shape.dominator(side) == Some(branch);
            is_own && (self.only_ends(side) || self.runs_once(branch, side))
        };
        let others = sides.iter().filter(|side| !is_rare(**side)).count();
        match (others, is_rare(block)) {
            (0, _) => 1.0 / sides.len() as f64,
            (_, true) => 0.0,
            (others, false) => 1.0 / others as f64,
        }
    }

    /// `if (first) { first = 0; … }`: the side is for the first call only.
    fn runs_once(&self, branch: BlockId, side: BlockId) -> bool {
        let Terminator::Branch { condition: Some(condition), then, otherwise } =
            &self.blocks[branch.0 as usize].terminator
        else {
            return false;
        };
        let (Some(variable), Some(value)) = (condition.left.as_variable(), condition.right.as_constant())
        else {
            return false;
        };
        let is_equal = match condition.comparison {
            Comparison::Equal => side == *then,
            Comparison::NotEqual => side == *otherwise,
            _ => false,
        };
        let own = (0..).map(BlockId).zip(self.blocks);
        let mut writes = own
            .filter(|(block, _)| self.shape.is_reached(*block) && self.shape.dominates(side, *block))
            .flat_map(|(_, content)| &content.operations)
            .filter_map(|operation| match &operation.kind {
                OperationKind::Write { to, value: Value::Affine(stored) }
                    if to.root == variable && to.path.is_empty() =>
                {
                    stored.as_constant()
                }
                _ => None,
            });
        is_equal && (self.tests.is_static)(variable) && writes.any(|stored| stored != value)
    }

    /// All paths from the block end the procedure, without loops and without other procedures that work.
    fn only_ends(&self, side: BlockId) -> bool {
        let mut waiting = vec![side];
        let mut seen = Vec::new();
        while let Some(block) = waiting.pop() {
            if seen.contains(&block) {
                continue;
            }
            seen.push(block);
            let is_head = self.shape.loops.iter().any(|found| found.head == block);
            if is_head || (self.tests.has_work)(block) || self.shape.innermost[block.0 as usize].is_some() {
                return false;
            }
            match self.blocks[block.0 as usize].terminator {
                Terminator::Return | Terminator::Stop => {}
                _ => waiting.extend(&self.shape.graph.successors[block.0 as usize]),
            }
            let is_own = self.shape.dominates(side, block);
            if !is_own && !matches!(self.blocks[block.0 as usize].terminator, Terminator::Return) {
                return false;
            }
        }
        true
    }
}
