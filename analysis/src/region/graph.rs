//! Orders and dominators of directed graphs.
//!
//! Input: the successors of each node, and the root. Output: a reverse postorder and immediate dominators
//! (Cooper, Harvey and Kennedy, *A simple, fast dominance algorithm*, 2001).

#[derive(Debug)]
pub struct Graph {
    pub successors: Vec<Vec<u32>>,
    pub predecessors: Vec<Vec<u32>>,
    /// The nodes that the root reaches, the root first.
    pub order: Vec<u32>,
    /// The place of a node in `order`; `u32::MAX` for a node that the root does not reach.
    pub place: Vec<u32>,
    /// The immediate dominator; that of the root is the root.
    pub dominator: Vec<u32>,
}

pub const NOT_REACHED: u32 = u32::MAX;

impl Graph {
    pub fn new(root: u32, successors: Vec<Vec<u32>>) -> Graph {
        let count = successors.len();
        let order = reverse_postorder(root, &successors);
        let mut place = vec![NOT_REACHED; count];
        for (at, &node) in order.iter().enumerate() {
            place[node as usize] = at as u32;
        }
        let mut predecessors = vec![Vec::new(); count];
        for &node in &order {
            for &next in &successors[node as usize] {
                if predecessors[next as usize].last() != Some(&node) {
                    predecessors[next as usize].push(node);
                }
            }
        }
        let mut graph = Graph { successors, predecessors, order, place, dominator: vec![NOT_REACHED; count] };
        graph.find_dominators(root);
        graph
    }

    fn find_dominators(&mut self, root: u32) {
        self.dominator[root as usize] = root;
        let mut changed = true;
        while changed {
            changed = false;
            for at in 1..self.order.len() {
                let node = self.order[at] as usize;
                let mut new = NOT_REACHED;
                for &from in &self.predecessors[node] {
                    if self.dominator[from as usize] != NOT_REACHED {
                        new = if new == NOT_REACHED { from } else { self.common(new, from) };
                    }
                }
                changed |= self.dominator[node] != new;
                self.dominator[node] = new;
            }
        }
    }

    fn common(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            while self.place[a as usize] > self.place[b as usize] {
                a = self.dominator[a as usize];
            }
            while self.place[b as usize] > self.place[a as usize] {
                b = self.dominator[b as usize];
            }
        }
        a
    }

    pub fn reaches(&self, node: u32) -> bool {
        self.place[node as usize] != NOT_REACHED
    }

    /// Whether every path to `node` passes `above`. Both are reached.
    pub fn dominates(&self, above: u32, mut node: u32) -> bool {
        while self.place[node as usize] > self.place[above as usize] {
            node = self.dominator[node as usize];
        }
        node == above
    }

    /// The nodes whose immediate dominator is the index, in reverse postorder.
    pub fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.successors.len()];
        for &node in &self.order[1..] {
            children[self.dominator[node as usize] as usize].push(node);
        }
        children
    }

    /// For each node, where its dominance ends.
    pub fn frontiers(&self) -> Vec<Vec<u32>> {
        let mut frontiers = vec![Vec::new(); self.successors.len()];
        for &node in &self.order {
            let from = &self.predecessors[node as usize];
            let root = self.dominator[node as usize] == node;
            if from.len() < 2 && !root {
                continue;
            }
            for &one in from {
                let mut runner = one;
                while root || runner != self.dominator[node as usize] {
                    let list: &mut Vec<u32> = &mut frontiers[runner as usize];
                    if list.last() != Some(&node) {
                        list.push(node);
                    }
                    if self.dominator[runner as usize] == runner {
                        break;
                    }
                    runner = self.dominator[runner as usize];
                }
            }
        }
        frontiers
    }
}

pub fn reverse_postorder(root: u32, successors: &[Vec<u32>]) -> Vec<u32> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::with_capacity(successors.len());
    let mut stack = vec![(root, 0)];
    seen[root as usize] = true;
    while let Some((node, next)) = stack.last_mut() {
        match successors[*node as usize].get(*next) {
            Some(&to) => {
                *next += 1;
                if !seen[to as usize] {
                    seen[to as usize] = true;
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_is_dominated_by_the_branch_before_it() {
        // 0 → 1 → {2, 3} → 4 → 1, 4 → 5; 6 is not reached.
        let graph = Graph::new(0, vec![vec![1], vec![2, 3], vec![4], vec![4], vec![1, 5], vec![], vec![4]]);
        assert_eq!(graph.dominator[..6], [0, 0, 1, 1, 1, 4]);
        assert!(!graph.reaches(6));
        assert!(graph.dominates(1, 5) && !graph.dominates(2, 4));
        let frontiers = graph.frontiers();
        assert_eq!(frontiers[2], [4]);
        assert_eq!(frontiers[4], [1]);
        assert_eq!(frontiers[1], [1]);
    }
}
