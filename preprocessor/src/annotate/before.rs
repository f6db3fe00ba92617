//! Procedures that the program certainly runs before a checkpoint.
//!
//! Input: the calls on the way from the main program to a checkpoint.
//! Output: the procedures that are called before on all paths, after `init`, and those that they call in turn.
//! Postcondition: a register of static data in one of these procedures exists at the checkpoint.

use std::collections::BTreeSet;

use cppc_analysis::calls::Calls;
use cppc_analysis::points_to::Target;
use cppc_analysis::program::{BlockId, Directive, Procedure, ProcedureId, Program, Site, Terminator};

/// The procedures, for the sites of the calls and of the checkpoint.
pub fn run_before(program: &Program, calls: &Calls, path: &[Site]) -> BTreeSet<ProcedureId> {
    let is_init = |directive: &Directive| matches!(directive, Directive::Init);
    let init = program.directives().find(|(_, directive)| is_init(directive)).map(|(site, _)| site);
    let mut found = BTreeSet::new();
    let mut waiting = Vec::new();
    for &site in path {
        let flow = Flow { procedure: &program.procedures[site.procedure.0 as usize] };
        let init = init.filter(|init| init.procedure == site.procedure);
        for (call, _) in flow.calls(site.procedure) {
            if flow.precedes(call, site) && init.is_none_or(|init| flow.precedes(init, call)) {
                waiting.extend(only_target(calls, call));
            }
        }
    }
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            let flow = Flow { procedure: &program.procedures[id.0 as usize] };
            let returned = flow.calls(id).filter(|(call, _)| flow.precedes_return(call.block));
            waiting.extend(returned.filter_map(|(call, _)| only_target(calls, call)));
        }
    }
    found
}

/// The procedure of the program that a call certainly runs.
fn only_target(calls: &Calls, call: Site) -> Option<ProcedureId> {
    match calls.targets(call) {
        [Target::Procedure(id)] => Some(*id),
        _ => None,
    }
}

struct Flow<'a> {
    procedure: &'a Procedure,
}

impl<'a> Flow<'a> {
    fn calls(&self, id: ProcedureId) -> impl Iterator<Item = (Site, &'a cppc_analysis::program::Call)> {
        let operations = self.procedure.operations(id);
        operations.filter_map(|(site, operation)| Some((site, operation.call()?)))
    }

    /// Whether all paths to `site` run `before`.
    fn precedes(&self, before: Site, site: Site) -> bool {
        if before.block == site.block {
            return before.operation < site.operation;
        }
        !self.reached_without(before.block).contains(&site.block)
    }

    /// Whether all paths to the end of the procedure run the block.
    fn precedes_return(&self, block: BlockId) -> bool {
        let reached = self.reached_without(block);
        !reached.iter().any(|at| {
            matches!(
                self.procedure.blocks[at.0 as usize].terminator,
                Terminator::Return | Terminator::Anywhere
            )
        })
    }

    /// The blocks that control reaches without running this one.
    fn reached_without(&self, without: BlockId) -> BTreeSet<BlockId> {
        let entries = self.procedure.entries.iter().map(|(_, block)| *block);
        let mut waiting: Vec<BlockId> = entries.chain([self.procedure.entry]).collect();
        let mut reached = BTreeSet::new();
        while let Some(block) = waiting.pop() {
            if block != without && reached.insert(block) {
                match &self.procedure.blocks[block.0 as usize].terminator {
                    Terminator::Jump(to) => waiting.push(*to),
                    Terminator::Branch { then, otherwise, .. } => waiting.extend([*then, *otherwise]),
                    Terminator::Switch(list) => waiting.extend(list),
                    Terminator::Return | Terminator::Stop => {}
                    Terminator::Anywhere => {
                        waiting.extend((0..self.procedure.blocks.len() as u32).map(BlockId));
                    }
                }
            }
        }
        reached
    }
}
