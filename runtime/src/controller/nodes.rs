//! Nodes: the elements of recursive types, such as those of a list.
//!
//! Input: arrays that the program passes while it walks through a tree.
//! Output: the same arrays one after the other, with numbers that start at 1.
//! Postcondition: each array is visited once, after the element that contains it. Nothing calls itself, so the depth of the
//! data does not matter.

use crate::register::Pairs;
use std::collections::VecDeque;
use std::ffi::c_int;

/// An array of a recursive type, or a scalar.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The number that the program has given to its type and rank.
    pub kind: c_int,
    pub address: usize,
    pub pairs: Pairs,
}

/// The nodes of a walk that were not visited yet.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    latest: Option<(usize, Pairs)>,
    queue: VecDeque<Node>,
    /// How many were visited.
    count: i64,
}

impl Nodes {
    /// The program has passed an array.
    pub fn passed(&mut self, address: usize, pairs: Pairs) {
        self.latest = Some((address, pairs));
    }

    /// Another array is about to be passed. The one before it is not visited later.
    pub fn forget_passed(&mut self) {
        self.latest = None;
    }

    /// The array that was passed last is visited later.
    pub fn push(&mut self, kind: c_int) {
        let Some((address, pairs)) = self.latest.take() else { return };
        // An array without elements has no address.
        if address != 0 && pairs.elements() != Some(0) {
            self.queue.push_back(Node { kind, address, pairs });
        }
    }

    pub fn next(&mut self) -> Option<(i64, Node)> {
        let node = self.queue.pop_front()?;
        self.count += 1;
        Some((self.count, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_come_in_the_order_in_which_they_were_found() {
        let mut nodes = Nodes::default();
        let one = Pairs::new(None, &[], &[]).expect("a scalar");
        for (kind, address) in [(1, 100), (2, 50), (1, 0)] {
            nodes.passed(address, one);
            nodes.push(kind);
        }
        nodes.push(3);
        let found = |nodes: &mut Nodes| nodes.next().map(|(number, node)| (number, node.kind, node.address));
        assert_eq!(found(&mut nodes), Some((1, 1, 100)));
        nodes.passed(70, one);
        nodes.push(1);
        assert_eq!(found(&mut nodes), Some((2, 2, 50)));
        assert_eq!(found(&mut nodes), Some((3, 1, 70)));
        assert_eq!(found(&mut nodes), None);
    }

    #[test]
    fn an_array_without_elements_is_no_node() {
        let mut nodes = Nodes::default();
        nodes.passed(100, Pairs::new(None, &[1], &[0]).expect("one dimension"));
        nodes.push(1);
        assert!(nodes.next().is_none());
    }
}
