//! The loops over which sections can be expanded.
//!
//! Input: a procedure and its graph. Output: which of its loops are entered and left only at the header, and
//! the loop that each block is part of.
//! Postcondition: the structure of these loops was checked against the graph.

use crate::program::{LoopId, Procedure, Terminator};

use super::graph::Graph;

/// For each loop, whether the control flow matches its entry in the list.
pub fn candidates(procedure: &Procedure, graph: &Graph) -> Vec<bool> {
    let mut sound: Vec<bool> = procedure
        .loops
        .iter()
        .enumerate()
        .map(|(number, counted)| {
            let header = &procedure.blocks[counted.header.0 as usize];
            let own = LoopId(number as u32);
            let branches = header.terminator.successors(0);
            counted.regular
                && counted.step != 0
                && graph.reaches(counted.header.0)
                && header.within == Some(own)
                && contains(procedure, own, counted.body.0)
                && !contains(procedure, own, counted.exit.0)
                && matches!(header.terminator, Terminator::Branch { .. })
                && branches.contains(&counted.body)
                && branches.contains(&counted.exit)
        })
        .collect();
    for &from in &graph.order {
        let Some(block) = procedure.blocks.get(from as usize) else {
            // An entry of the procedure.
            for &to in &graph.successors[from as usize] {
                ancestors(procedure, to).for_each(|id| sound[id.0 as usize] = false);
            }
            continue;
        };
        if matches!(block.terminator, Terminator::Return | Terminator::Anywhere) {
            ancestors(procedure, from).for_each(|id| sound[id.0 as usize] = false);
        }
        for &to in &graph.successors[from as usize] {
            for id in ancestors(procedure, from).filter(|&id| !contains(procedure, id, to)) {
                let counted = &procedure.loops[id.0 as usize];
                sound[id.0 as usize] &= counted.header.0 == from && counted.exit.0 == to;
            }
            for id in ancestors(procedure, to).filter(|&id| !contains(procedure, id, from)) {
                sound[id.0 as usize] &= procedure.loops[id.0 as usize].header.0 == to;
            }
        }
    }
    sound
}

/// The loops that a block is part of, the innermost first.
pub fn ancestors(procedure: &Procedure, block: u32) -> impl Iterator<Item = LoopId> + '_ {
    std::iter::successors(procedure.blocks[block as usize].within, |id| procedure.loops[id.0 as usize].within)
}

pub fn contains(procedure: &Procedure, id: LoopId, block: u32) -> bool {
    ancestors(procedure, block).any(|one| one == id)
}
