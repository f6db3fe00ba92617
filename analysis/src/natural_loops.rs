//! The loops of a flow graph.
//!
//! Input: a procedure. Output: its natural loops, and the dominators of its blocks.
//! Postcondition: each loop has one head, which dominates its blocks. Loops with the same head are one loop.

use std::collections::BTreeSet;

use crate::dominators::dominators;
use crate::program::{Block, BlockId, LoopStatement, Procedure, Terminator};
use crate::solver::Graph;

#[derive(Debug)]
pub struct NaturalLoop {
    pub head: BlockId,
    pub blocks: BTreeSet<BlockId>,
    /// The blocks from which control goes back to the head.
    pub ends: Vec<BlockId>,
    /// The smallest loop around it.
    pub parent: Option<usize>,
}

pub struct NaturalLoops {
    pub loops: Vec<NaturalLoop>,
    pub graph: Graph,
    /// The innermost loop of each block.
    pub innermost: Vec<Option<usize>>,
    /// Each block that is reached dominates itself. The entry has no other dominator.
    dominators: Vec<Option<BlockId>>,
}

impl NaturalLoops {
    pub fn new(procedure: &Procedure) -> NaturalLoops {
        let count = procedure.blocks.len();
        let successors = |block: &Block| match block.terminator {
            // Its targets are not known.
            Terminator::Anywhere => Vec::new(),
            _ => block.terminator.successors(count),
        };
        let graph =
            Graph::of(procedure.blocks.iter().map(successors).collect(), std::iter::once(procedure.entry));
        let dominators = dominators(&graph);
        let mut found = NaturalLoops { loops: Vec::new(), innermost: vec![None; count], graph, dominators };
        found.find();
        found
    }

    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        let mut at = block;
        loop {
            if at == dominator {
                return true;
            }
            match self.dominator(at) {
                Some(next) => at = next,
                None => return false,
            }
        }
    }

    /// The closest other block through which all paths to the block go.
    pub fn dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators[block.0 as usize].filter(|&found| found != block)
    }

    pub fn is_reached(&self, block: BlockId) -> bool {
        self.dominators[block.0 as usize].is_some()
    }

    /// The loop of a loop statement. None if there is at most one iteration.
    pub fn of_statement(&self, statement: &LoopStatement) -> Option<usize> {
        let found = self.innermost[statement.next.0 as usize];
        found.filter(|&number| !self.loops[number].blocks.contains(&statement.before))
    }

    /// Whether each iteration of the loop passes the block.
    pub fn is_in_each_iteration(&self, number: usize, block: BlockId) -> bool {
        self.loops[number].ends.iter().all(|&end| self.dominates(block, end))
    }

    /// The same flow graph, where each loop has one iteration: its end continues after the loop.
    pub fn one_iteration(&self) -> Graph {
        let mut successors = self.graph.successors.clone();
        for found in &self.loops {
            let all = found.blocks.iter().flat_map(|block| &self.graph.successors[block.0 as usize]);
            let exits: BTreeSet<BlockId> = all.filter(|next| !found.blocks.contains(next)).copied().collect();
            for end in &found.ends {
                let next = &mut successors[end.0 as usize];
                next.retain(|&next| next != found.head);
                next.extend(&exits);
            }
        }
        Graph::of(successors, self.graph.postorder.last().copied().into_iter())
    }

    fn find(&mut self) {
        for &end in self.graph.postorder.iter().rev() {
            for &head in &self.graph.successors[end.0 as usize] {
                if !self.dominates(head, end) {
                    continue;
                }
                let known = self.loops.iter().position(|found| found.head == head);
                let number = known.unwrap_or(self.loops.len());
                if known.is_none() {
                    let blocks = BTreeSet::from([head]);
                    self.loops.push(NaturalLoop { head, blocks, ends: Vec::new(), parent: None });
                }
                let found = &mut self.loops[number];
                found.ends.push(end);
                let mut waiting = vec![end];
                while let Some(block) = waiting.pop() {
                    if self.dominators[block.0 as usize].is_some() && found.blocks.insert(block) {
                        waiting.extend(&self.graph.predecessors[block.0 as usize]);
                    }
                }
            }
        }
        let smallest = |block: BlockId, other: Option<usize>| {
            let around = self
                .loops
                .iter()
                .enumerate()
                .filter(|(number, found)| Some(*number) != other && found.blocks.contains(&block));
            around.min_by_key(|(_, found)| found.blocks.len()).map(|(number, _)| number)
        };
        let parents: Vec<Option<usize>> =
            (0..self.loops.len()).map(|number| smallest(self.loops[number].head, Some(number))).collect();
        self.innermost =
            (0..self.innermost.len() as u32).map(|block| smallest(BlockId(block), None)).collect();
        for (found, parent) in self.loops.iter_mut().zip(parents) {
            found.parent = parent;
        }
    }
}
