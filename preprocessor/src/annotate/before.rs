//! Procedures that the program certainly runs before a checkpoint.
//!
//! Input: the calls on the way from the main program to a checkpoint.
//! Output: the procedures that are called before on all paths, after `init`, and those that they call in turn.
//! Postcondition: a register of static data in one of these procedures exists at the checkpoint.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use cppc_analysis::calls::Calls;
use cppc_analysis::points_to::Target;
use cppc_analysis::program::{
    BlockId, Call, Directive, Operation, Procedure, ProcedureId, Program, Site, Terminator,
};
use cppc_analysis::solver::Graph;

/// Where each procedure runs `init`, or calls a procedure that does. A register before that has no effect.
pub struct Starts<'a> {
    program: &'a Program,
    calls: &'a Calls,
    sites: BTreeMap<ProcedureId, Site>,
    /// The directive.
    pub init: Option<Site>,
}

impl<'a> Starts<'a> {
    pub fn new(program: &'a Program, calls: &'a Calls) -> Starts<'a> {
        let is_init = |directive: &Directive| matches!(directive, Directive::Init);
        let init = program.directives().find(|(_, directive)| is_init(directive)).map(|(site, _)| site);
        let mut sites = BTreeMap::new();
        let mut waiting: Vec<Site> = init.into_iter().collect();
        while let Some(site) = waiting.pop() {
            if let Entry::Vacant(entry) = sites.entry(site.procedure) {
                entry.insert(site);
                waiting.extend(&calls.callers[site.procedure.0 as usize]);
            }
        }
        Starts { program, calls, sites, init }
    }

    pub fn of(&self, procedure: ProcedureId) -> Option<Site> {
        self.sites.get(&procedure).copied()
    }

    /// Whether the operation can only run before `init`. A restart runs it again.
    pub fn is_before(&self, site: Site) -> bool {
        self.is_before_with(site, &mut BTreeSet::new())
    }

    fn is_before_with(&self, site: Site, seen: &mut BTreeSet<ProcedureId>) -> bool {
        if let Some(start) = self.of(site.procedure) {
            return site != start && !Flow::new(self.program, site.procedure).may_follow(start, site);
        }
        let callers = &self.calls.callers[site.procedure.0 as usize];
        // A procedure that was seen is called by itself, or by another path.
        !callers.is_empty()
            && (!seen.insert(site.procedure)
                || callers.iter().all(|caller| self.is_before_with(*caller, seen)))
    }

    /// Whether all paths from the beginning of a procedure to `end`, or to its return, run one of the operations.
    pub fn all_paths_run(
        &self,
        id: ProcedureId,
        end: Option<Site>,
        is_meant: &dyn Fn(Site, &Operation) -> bool,
    ) -> bool {
        let flow = Flow::new(self.program, id);
        let mut waiting = flow.entries();
        let mut reached = BTreeSet::new();
        while let Some(block) = waiting.pop() {
            if !reached.insert(block) {
                continue;
            }
            let content = &flow.procedure.blocks[block.0 as usize];
            let mut sites =
                (0..content.operations.len()).map(|at| Site { procedure: id, block, operation: at as u32 });
            let stops = |site: &Site| end == Some(*site) || is_meant(*site, self.program.operation(*site));
            match sites.find(stops) {
                Some(site) if end == Some(site) => return false,
                Some(_) => continue,
                None => {}
            }
            if end.is_none() && matches!(content.terminator, Terminator::Return | Terminator::Anywhere) {
                return false;
            }
            waiting.extend(&flow.graph.successors[block.0 as usize]);
        }
        true
    }

    /// Whether a path leads from `first` to `other`, and from there to `last` or to the return of the procedure.
    pub fn is_between(&self, first: Site, other: Site, last: Option<Site>) -> bool {
        let flow = Flow::new(self.program, first.procedure);
        flow.may_follow(first, other) && last.is_none_or(|last| flow.may_follow(other, last))
    }

    /// The procedures, for the sites of the calls and of the checkpoint.
    pub fn run_before(&self, path: &[Site]) -> BTreeSet<ProcedureId> {
        let mut found = BTreeSet::new();
        let mut waiting = Vec::new();
        for &site in path {
            let mut flow = Flow::new(self.program, site.procedure);
            for (call, _) in self.calls_after(&mut flow) {
                if flow.precedes(call, site) {
                    waiting.extend(only_target(self.calls, call));
                }
            }
        }
        while let Some(id) = waiting.pop() {
            if found.insert(id) {
                let mut flow = Flow::new(self.program, id);
                for (call, _) in self.calls_after(&mut flow) {
                    if flow.precedes_return(call.block) {
                        waiting.extend(only_target(self.calls, call));
                    }
                }
            }
        }
        found
    }

    /// The calls that run after `init`, or that run it.
    fn calls_after(&self, flow: &mut Flow<'a>) -> Vec<(Site, &'a Call)> {
        let start = self.of(flow.id);
        let mut found: Vec<_> = flow.calls().collect();
        found.retain(|(call, _)| start.is_none_or(|start| start == *call || flow.precedes(start, *call)));
        found
    }
}

/// The procedure of the program that a call certainly runs.
fn only_target(calls: &Calls, call: Site) -> Option<ProcedureId> {
    match calls.targets(call) {
        [Target::Procedure(id)] => Some(*id),
        _ => None,
    }
}

struct Flow<'a> {
    id: ProcedureId,
    procedure: &'a Procedure,
    graph: Graph,
    /// For each block that was asked for, the blocks that control reaches without running it.
    reached_without: BTreeMap<BlockId, BTreeSet<BlockId>>,
}

impl<'a> Flow<'a> {
    fn new(program: &'a Program, id: ProcedureId) -> Flow<'a> {
        let procedure = &program.procedures[id.0 as usize];
        Flow { id, procedure, graph: Graph::new(procedure), reached_without: BTreeMap::new() }
    }

    fn calls(&self) -> impl Iterator<Item = (Site, &'a Call)> + use<'a> {
        let operations = self.procedure.operations(self.id);
        operations.filter_map(|(site, operation)| Some((site, operation.call()?)))
    }

    /// Whether all paths to `site` run `before`.
    fn precedes(&mut self, before: Site, site: Site) -> bool {
        if before.block == site.block {
            return before.operation < site.operation;
        }
        !self.reached_without(before.block).contains(&site.block)
    }

    /// Whether a path leads from `first` to `site`.
    fn may_follow(&self, first: Site, site: Site) -> bool {
        if first.block == site.block && first.operation < site.operation {
            return true;
        }
        let mut waiting: Vec<BlockId> = self.graph.successors[first.block.0 as usize].to_vec();
        let mut reached = BTreeSet::new();
        while let Some(block) = waiting.pop() {
            if reached.insert(block) {
                waiting.extend(&self.graph.successors[block.0 as usize]);
            }
        }
        reached.contains(&site.block)
    }

    /// Whether all paths to the end of the procedure run the block.
    fn precedes_return(&mut self, block: BlockId) -> bool {
        let blocks = &self.procedure.blocks;
        !self
            .reached_without(block)
            .iter()
            .any(|at| matches!(blocks[at.0 as usize].terminator, Terminator::Return | Terminator::Anywhere))
    }

    fn entries(&self) -> Vec<BlockId> {
        let entries = self.procedure.entries.iter().map(|(_, block)| *block);
        entries.chain([self.procedure.entry]).collect()
    }

    fn reached_without(&mut self, without: BlockId) -> &BTreeSet<BlockId> {
        let mut waiting = self.entries();
        self.reached_without.entry(without).or_insert_with(|| {
            let mut reached = BTreeSet::new();
            while let Some(block) = waiting.pop() {
                if block != without && reached.insert(block) {
                    waiting.extend(&self.graph.successors[block.0 as usize]);
                }
            }
            reached
        })
    }
}
