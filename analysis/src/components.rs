//! The strongly connected components of a graph.
//!
//! Input: a graph whose nodes are numbers. Output: the components. The targets of edges come first.

const NONE: u32 = u32::MAX;

/// `edge`: the target of an edge of a node, by its number.
pub fn components(count: usize, edge: impl Fn(usize, usize) -> Option<usize>) -> Vec<Vec<u32>> {
    let (mut index, mut low) = (vec![NONE; count], vec![0u32; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut next) = (Vec::new(), 0);
    let mut all = Vec::new();
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        // Tarjan's algorithm, with an explicit stack.
        let mut work = vec![(root, 0)];
        while let Some((node, number)) = work.last().copied() {
            if number == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(to) = edge(node, number) {
                if let Some(top) = work.last_mut() {
                    top.1 += 1;
                }
                if index[to] == NONE {
                    work.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                all.push(component(node, &mut stack, &mut on_stack));
            }
        }
    }
    all
}

fn component(node: usize, stack: &mut Vec<usize>, on_stack: &mut [bool]) -> Vec<u32> {
    let mut component = Vec::new();
    while let Some(member) = stack.pop() {
        on_stack[member] = false;
        component.push(member as u32);
        if member == node {
            break;
        }
    }
    component.sort_unstable();
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_cycle_are_one_component_after_what_they_reach() {
        let edges: [&[usize]; 5] = [&[1], &[2, 4], &[0], &[3], &[]];
        let found = components(5, |node, number| edges[node].get(number).copied());
        assert_eq!(found, [vec![4], vec![0, 1, 2], vec![3]]);
    }
}
