//! The solver of all data-flow problems.
//!
//! Input: a procedure and a problem. Output: the state at both ends of every block.
//! Postcondition: the states are the least solution above the boundary. The order of the work depends only on
//! the procedure. A block that cannot be reached in the direction of the problem has no state.

use crate::program::{BlockId, Procedure};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Backward,
}

pub trait Problem {
    type State: Clone;
    const DIRECTION: Direction;

    /// The state before the first operation (forward), or after a block that ends the procedure or the
    /// program (backward). `None` if no state comes from there.
    fn boundary(&self, block: BlockId) -> Option<Self::State>;

    /// The state at the other end of the block.
    fn transfer(&self, block: BlockId, state: &Self::State) -> Self::State;

    /// Merges the state that comes from another edge. Returns whether the state has changed.
    fn join(&self, state: &mut Self::State, other: &Self::State) -> bool;
}

/// The state where the direction enters each block: at its start (forward) or at its end (backward).
pub struct Solution<S> {
    pub entering: Vec<Option<S>>,
}

pub fn solve<P: Problem>(procedure: &Procedure, problem: &P) -> Solution<P::State> {
    solve_graph(&Graph::new(procedure), problem)
}

/// The same for a graph that is not of a `Procedure`.
pub fn solve_graph<P: Problem>(graph: &Graph, problem: &P) -> Solution<P::State> {
    let mut order = graph.postorder.clone();
    let next = match P::DIRECTION {
        Direction::Forward => {
            order.reverse();
            &graph.successors
        }
        Direction::Backward => &graph.predecessors,
    };
    let mut position = vec![usize::MAX; graph.successors.len()];
    for (at, block) in order.iter().enumerate() {
        position[block.0 as usize] = at;
    }
    let mut entering: Vec<Option<P::State>> = vec![None; graph.successors.len()];
    let mut queue = std::collections::BTreeSet::new();
    for (at, &block) in order.iter().enumerate() {
        entering[block.0 as usize] = problem.boundary(block);
        if entering[block.0 as usize].is_some() {
            queue.insert(at);
        }
    }
    while let Some(at) = queue.pop_first() {
        let block = order[at];
        let Some(state) = &entering[block.0 as usize] else { continue };
        let left = problem.transfer(block, state);
        for &other in &next[block.0 as usize] {
            if position[other.0 as usize] == usize::MAX {
                continue;
            }
            let changed = match &mut entering[other.0 as usize] {
                Some(state) => problem.join(state, &left),
                empty @ None => {
                    *empty = Some(left.clone());
                    true
                }
            };
            if changed {
                queue.insert(position[other.0 as usize]);
            }
        }
    }
    Solution { entering }
}

/// The edges of a procedure, and its blocks in postorder from its entries. Blocks that no entry reaches are
/// not in the order.
pub struct Graph {
    pub successors: Vec<Vec<BlockId>>,
    pub predecessors: Vec<Vec<BlockId>>,
    pub postorder: Vec<BlockId>,
}

impl Graph {
    pub fn new(procedure: &Procedure) -> Graph {
        let count = procedure.blocks.len();
        let successors = procedure.blocks.iter().map(|block| block.terminator.successors(count)).collect();
        let entries = std::iter::once(procedure.entry).chain(procedure.entries.iter().map(|entry| entry.1));
        Graph::of(successors, entries)
    }

    pub fn of(successors: Vec<Vec<BlockId>>, entries: impl Iterator<Item = BlockId>) -> Graph {
        let count = successors.len();
        let mut predecessors = vec![Vec::new(); count];
        for block in (0..count as u32).map(BlockId) {
            for to in &successors[block.0 as usize] {
                predecessors[to.0 as usize].push(block);
            }
        }
        let mut postorder = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        for entry in entries {
            if std::mem::replace(&mut seen[entry.0 as usize], true) {
                continue;
            }
            let mut stack = vec![(entry, 0)];
            while let Some((block, edge)) = stack.last_mut() {
                match successors[block.0 as usize].get(*edge) {
                    Some(&to) => {
                        *edge += 1;
                        if !std::mem::replace(&mut seen[to.0 as usize], true) {
                            stack.push((to, 0));
                        }
                    }
                    None => {
                        postorder.push(*block);
                        stack.pop();
                    }
                }
            }
        }
        Graph { successors, predecessors, postorder }
    }
}
