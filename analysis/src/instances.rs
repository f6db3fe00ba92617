//! Which operations run at most once in a run of the program.
//!
//! Input: a program and its calls. Output: for each site, whether it runs at most once.
//! Postcondition: an allocation at such a site means one memory, and not several.

use crate::calls::Calls;
use crate::components::components;
use crate::program::{BlockId, ProcedureId, Program, Site};
use crate::solver::Graph;

#[derive(Debug)]
pub struct Instances {
    /// For each procedure, whether it is called at most once.
    once: Vec<bool>,
    /// For each procedure and block, whether control may reach the block again.
    repeated: Vec<Vec<bool>>,
}

impl Instances {
    pub fn new(program: &Program, calls: &Calls) -> Instances {
        let count = program.procedures.len();
        let repeated = program.procedures.iter().map(|procedure| repeated(&Graph::new(procedure))).collect();
        let mut instances = Instances { once: vec![false; count], repeated };
        // Callers first.
        for &id in calls.components.iter().rev().flatten() {
            let procedure = &program.procedures[id.0 as usize];
            let known = program.whole || procedure.local;
            let callers = &calls.callers[id.0 as usize];
            instances.once[id.0 as usize] = known
                && !procedure.address_taken
                && !calls.recursive(id)
                && procedure.entries.is_empty()
                && match (procedure.main, &callers[..]) {
                    (true, []) => true,
                    (false, [caller]) => instances.is_once(*caller),
                    (true, _) | (false, _) => false,
                };
        }
        instances
    }

    pub fn is_once(&self, site: Site) -> bool {
        self.procedure_is_once(site.procedure) && !self.is_repeated(site.procedure, site.block)
    }

    fn procedure_is_once(&self, id: ProcedureId) -> bool {
        self.once[id.0 as usize]
    }

    /// Whether control may reach the block again before the procedure returns.
    pub fn is_repeated(&self, id: ProcedureId, block: BlockId) -> bool {
        self.repeated[id.0 as usize][block.0 as usize]
    }
}

/// Which operations may run several times in one path of calls from the main procedure.
#[derive(Debug)]
pub struct Repeats {
    /// For each procedure, whether one of the calls that lead to it may run several times.
    procedures: Vec<bool>,
    blocks: Vec<Vec<bool>>,
}

impl Repeats {
    pub fn new(program: &Program, calls: &Calls) -> Repeats {
        let blocks: Vec<_> =
            program.procedures.iter().map(|procedure| repeated(&Graph::new(procedure))).collect();
        let mut repeats = Repeats { procedures: vec![false; program.procedures.len()], blocks };
        // Callers first.
        for &id in calls.components.iter().rev().flatten() {
            let mut callers = calls.callers[id.0 as usize].iter();
            let may_repeat = calls.recursive(id) || callers.any(|caller| repeats.may_repeat(*caller));
            repeats.procedures[id.0 as usize] = may_repeat;
        }
        repeats
    }

    pub fn may_repeat(&self, site: Site) -> bool {
        self.is_in_repeated_procedure(site.procedure)
            || self.blocks[site.procedure.0 as usize][site.block.0 as usize]
    }

    pub fn is_in_repeated_procedure(&self, id: ProcedureId) -> bool {
        self.procedures[id.0 as usize]
    }
}

/// The blocks that are part of a cycle.
fn repeated(graph: &Graph) -> Vec<bool> {
    cycles(graph).iter().map(Option::is_some).collect()
}

/// For each block, the number of the largest cycle of which it is a part. Blocks that are not reached have one number.
pub fn cycles(graph: &Graph) -> Vec<Option<usize>> {
    let successors = &graph.successors;
    let next = |block: usize, edge: usize| Some(successors[block].get(edge)?.0 as usize);
    let mut found = vec![Some(usize::MAX); successors.len()];
    let mut number_of = vec![None; successors.len()];
    for (number, members) in components(successors.len(), next).into_iter().enumerate() {
        for &member in &members {
            let is_cycle = members.len() > 1 || successors[member as usize].contains(&BlockId(member));
            number_of[member as usize] = is_cycle.then_some(number);
        }
    }
    graph.postorder.iter().for_each(|block| found[block.0 as usize] = number_of[block.0 as usize]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_in_cycles_are_repeated_and_blocks_between_cycles_are_not() {
        let edges: [&[u32]; 6] = [&[1], &[2, 3], &[1], &[4], &[4, 5], &[]];
        let mut graph = Graph {
            successors: edges.iter().map(|to| to.iter().copied().map(BlockId).collect()).collect(),
            predecessors: vec![Vec::new(); 6],
            postorder: [2, 5, 4, 3, 1, 0].map(BlockId).to_vec(),
        };
        for (from, to) in edges.iter().enumerate() {
            to.iter().for_each(|to| graph.predecessors[*to as usize].push(BlockId(from as u32)));
        }
        assert_eq!(repeated(&graph), [false, true, true, false, true, false]);
    }
}
