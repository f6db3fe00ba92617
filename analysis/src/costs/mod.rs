//! How much of the work of a program each loop does.
//!
//! Input: a program, and what its calls may run.
//! Output: for each loop statement, the estimated work of all its iterations, and its share of the work of the program.
//! Postcondition: the numbers are estimates: the same input gives the same numbers.

pub mod estimates;
mod frequencies;
mod select;

use crate::calls::Calls;
use crate::communications::names::mpi_name;
use crate::natural_loops::NaturalLoops;
use crate::points_to::Target;
use crate::program::{
    BlockId, Callee, Directive, Lifetime, OperationKind, ProcedureId, Program, Site, Terminator, VariableId,
};

use estimates::Estimates;
pub use estimates::Iterations;
use frequencies::{frequencies, Tests};
pub use select::{Decision, FEW_ITERATIONS, LEAST_SHARE};

/// The work of a call of a procedure without source, in accesses of memory.
const OUTSIDE: f64 = 10.0;

/// Procedures of MPI without messages.
const LOCAL: [&str; 9] = [
    "mpi_init",
    "mpi_init_thread",
    "mpi_initialized",
    "mpi_finalize",
    "mpi_abort",
    "mpi_comm_rank",
    "mpi_comm_size",
    "mpi_wtime",
    "mpi_get_processor_name",
];

/// The loop statement with this number of a procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoopNumber {
    pub procedure: ProcedureId,
    pub number: usize,
}

pub struct Costs<'p> {
    program: &'p Program,
    calls: &'p Calls,
    flows: Vec<Flow>,
    /// The work of one call of each procedure.
    of_calls: Vec<f64>,
}

/// One procedure.
struct Flow {
    shape: NaturalLoops,
    iterations: Vec<Iterations>,
    /// The loop of each loop statement.
    statements: Vec<Option<usize>>,
    /// How often each block runs in one call.
    frequency: Vec<f64>,
    /// The work of each block.
    work: Vec<f64>,
    /// Whether each block communicates, also in procedures that it calls.
    has_messages: Vec<bool>,
    /// The blocks that start and end the runtime, or MPI, or that call a procedure that does.
    bounds: Bounds,
}

#[derive(Debug, Clone, Default)]
struct Bounds {
    start: Option<BlockId>,
    ends: Vec<BlockId>,
    /// Each call of the procedure that returns has passed an end.
    always_ends: bool,
}

impl Flow {
    /// The work of a loop in one call of its procedure.
    fn work_of_loop(&self, number: usize) -> f64 {
        let blocks = self.shape.loops[number].blocks.iter();
        blocks.map(|block| self.work_of_block(*block)).sum()
    }

    /// Whether the runtime has certainly been started at a block, and not been ended.
    fn is_started(&self, block: BlockId) -> bool {
        self.bounds.start.is_none_or(|start| self.shape.dominates(start, block))
            && self.bounds.ends.iter().all(|&end| end == block || !self.shape.dominates(end, block))
    }

    fn work_of_block(&self, block: BlockId) -> f64 {
        self.frequency[block.0 as usize] * self.work[block.0 as usize]
    }
}

/// One loop of the program, for reports.
#[derive(Debug, Clone, Copy)]
pub struct LoopCost {
    pub loop_number: LoopNumber,
    /// None if there is never a second iteration.
    pub iterations: Option<Iterations>,
    pub work: f64,
    /// Of the work of the program, from 0 to 1. The paper calls its negative logarithm h(l).
    pub share: f64,
}

impl<'p> Costs<'p> {
    pub fn new(program: &'p Program, calls: &'p Calls) -> Costs<'p> {
        let estimates = Estimates::new(program, calls);
        let flows = program.procedures.iter().map(|procedure| {
            let shape = NaturalLoops::new(procedure);
            let counted = |head: BlockId| procedure.loops.iter().find(|counted| counted.header == head);
            let of_loop = |number: usize| estimates.iterations(counted(shape.loops[number].head));
            let iterations: Vec<Iterations> = (0..shape.loops.len()).map(of_loop).collect();
            let statements =
                procedure.loop_statements.iter().map(|statement| shape.of_statement(statement)).collect();
            let bounds = Bounds::default();
            Flow {
                shape,
                iterations,
                statements,
                frequency: Vec::new(),
                work: Vec::new(),
                has_messages: Vec::new(),
                bounds,
            }
        });
        let mut costs =
            Costs { program, calls, flows: flows.collect(), of_calls: vec![0.0; program.procedures.len()] };
        for &id in calls.components.iter().flatten() {
            costs.add_procedure(id, &estimates);
        }
        costs.add_bounds();
        costs
    }

    /// Finds where the runtime starts and ends, and where messages are. Callees come before callers.
    fn add_bounds(&mut self) {
        let has = |wanted: fn(&Directive) -> bool| self.program.directives().any(|(_, one)| wanted(one));
        let is_init = |directive: &Directive| matches!(directive, Directive::Init);
        let is_shutdown = |directive: &Directive| matches!(directive, Directive::Shutdown);
        let (has_init, has_shutdown) = (has(is_init), has(is_shutdown));
        for &id in self.calls.components.iter().flatten() {
            let mut bounds = Bounds::default();
            let mut has_messages = vec![false; self.program.procedures[id.0 as usize].blocks.len()];
            for (site, operation) in self.program.procedures[id.0 as usize].operations(id) {
                let name = operation.call().and_then(|call| match &call.callee {
                    Callee::Named(name) => mpi_name(name),
                    Callee::Indirect(_) | Callee::OneOf(_) => None,
                });
                let name = name.as_deref().unwrap_or_default();
                let callees: Vec<&Bounds> =
                    self.callees(site).map(|callee| &self.flows[callee.0 as usize].bounds).collect();
                let callee_has = |callee| self.flows[callee as usize].has_messages.contains(&true);
                has_messages[site.block.0 as usize] |= name.starts_with("mpi_") && !LOCAL.contains(&name)
                    || self.callees(site).any(|callee| callee_has(callee.0));
                let starts = match has_init {
                    true => operation.directive().is_some_and(is_init),
                    false => name.starts_with("mpi_init") && name != "mpi_initialized",
                };
                let ends = match has_shutdown {
                    true => operation.directive().is_some_and(is_shutdown),
                    false => name == "mpi_finalize",
                };
                if starts || callees.iter().any(|bounds| bounds.start.is_some()) {
                    bounds.start = bounds.start.or(Some(site.block));
                }
                if ends || callees.iter().any(|bounds| bounds.always_ends) {
                    bounds.ends.push(site.block);
                }
            }
            let flow = &mut self.flows[id.0 as usize];
            let blocks = (0..).map(BlockId).zip(&self.program.procedures[id.0 as usize].blocks);
            let mut returns = blocks.filter(|(block, content)| {
                matches!(content.terminator, Terminator::Return) && flow.shape.is_reached(*block)
            });
            let is_after = |block: BlockId| bounds.ends.iter().any(|&end| flow.shape.dominates(end, block));
            bounds.always_ends = !bounds.ends.is_empty() && returns.all(|(block, _)| is_after(block));
            (flow.bounds, flow.has_messages) = (bounds, has_messages);
        }
    }

    fn add_procedure(&mut self, id: ProcedureId, estimates: &Estimates) {
        let blocks = &self.program.procedures[id.0 as usize].blocks;
        let work: Vec<f64> = (0..blocks.len() as u32)
            .map(|block| self.work_of_operations(id, BlockId(block), estimates))
            .collect();
        let of_calls = &self.of_calls;
        let has_work = |block: BlockId| {
            let call = |site: Site| self.callees(site).any(|callee| of_calls[callee.0 as usize] > OUTSIDE);
            self.call_sites(id, block).any(call)
        };
        let flow = &self.flows[id.0 as usize];
        let is_static = |variable: VariableId| {
            let variable = &self.program.variables[variable.0 as usize];
            self.program.objects[variable.object.0 as usize].lifetime == Lifetime::Static
        };
        let tests = Tests { has_work: &has_work, is_static: &is_static };
        let frequency = frequencies(&flow.shape, &flow.iterations, blocks, &tests);
        let flow = &mut self.flows[id.0 as usize];
        (flow.work, flow.frequency) = (work, frequency);
        let total = (0..blocks.len() as u32).map(|block| flow.work_of_block(BlockId(block))).sum();
        self.of_calls[id.0 as usize] = total;
    }

    /// The work of a block: each access counts with its number of elements, and a call with what it runs.
    fn work_of_operations(&self, id: ProcedureId, block: BlockId, estimates: &Estimates) -> f64 {
        let content = &self.program.procedures[id.0 as usize].blocks[block.0 as usize];
        let of_operation = |(operation, content): (u32, &crate::program::Operation)| match &content.kind {
            OperationKind::Read(access) | OperationKind::Write { to: access, .. } => {
                estimates.elements(&access.path)
            }
            OperationKind::Call(_) => {
                let targets = self.calls.targets(Site { procedure: id, block, operation });
                let of_target = |target: &Target| match target {
                    Target::Procedure(callee) => self.of_calls[callee.0 as usize],
                    Target::Outside(_) | Target::Unknown => OUTSIDE,
                };
                let all: f64 = targets.iter().map(of_target).sum();
                1.0 + all / (targets.len().max(1) as f64)
            }
            OperationKind::Begin(_) | OperationKind::Directive(_) => 0.0,
            OperationKind::Allocate { .. } | OperationKind::Free(_) | OperationKind::Opaque { .. } => 1.0,
        };
        // A jump is work too.
        1.0 + (0..).zip(&content.operations).map(of_operation).sum::<f64>()
    }

    fn call_sites(&self, procedure: ProcedureId, block: BlockId) -> impl Iterator<Item = Site> + use<'p> {
        let content = &self.program.procedures[procedure.0 as usize].blocks[block.0 as usize];
        let calls = (0..).zip(&content.operations).filter(|(_, operation)| operation.call().is_some());
        calls.map(move |(operation, _)| Site { procedure, block, operation })
    }

    fn callees(&self, site: Site) -> impl Iterator<Item = ProcedureId> + use<'p> {
        self.calls.targets(site).iter().filter_map(|target| match target {
            Target::Procedure(id) => Some(*id),
            Target::Outside(_) | Target::Unknown => None,
        })
    }

    fn main(&self) -> Option<ProcedureId> {
        let position = self.program.procedures.iter().position(|procedure| procedure.main)?;
        Some(ProcedureId(position as u32))
    }

    fn has_messages(&self, number: LoopNumber) -> bool {
        let flow = &self.flows[number.procedure.0 as usize];
        let blocks = flow.statements[number.number].map(|natural| &flow.shape.loops[natural].blocks);
        blocks.is_some_and(|blocks| blocks.iter().any(|block| flow.has_messages[block.0 as usize]))
    }

    /// The work of the program.
    pub fn total(&self) -> f64 {
        self.main().map_or(0.0, |main| self.of_calls[main.0 as usize]).max(1.0)
    }

    /// All loop statements that the program runs, those with most work first.
    pub fn loops(&self) -> Vec<LoopCost> {
        let mut runs = vec![0.0; self.flows.len()];
        self.main().into_iter().for_each(|main| runs[main.0 as usize] = 1.0);
        // Callers before callees.
        for &id in self.calls.components.iter().rev().flatten() {
            let flow = &self.flows[id.0 as usize];
            for block in (0..flow.work.len() as u32).map(BlockId) {
                let times = runs[id.0 as usize] * flow.frequency[block.0 as usize];
                for callee in self.call_sites(id, block).flat_map(|site| self.callees(site)) {
                    if !self.calls.recursive(callee) {
                        runs[callee.0 as usize] += times;
                    }
                }
            }
        }
        let total = self.total();
        let mut found = Vec::new();
        for (procedure, flow) in (0..).map(ProcedureId).zip(&self.flows) {
            for (number, &natural) in flow.statements.iter().enumerate() {
                let work =
                    natural.map_or(0.0, |natural| runs[procedure.0 as usize] * flow.work_of_loop(natural));
                let iterations = natural.map(|natural| flow.iterations[natural]);
                let loop_number = LoopNumber { procedure, number };
                found.push(LoopCost { loop_number, iterations, work, share: (work / total).min(1.0) });
            }
        }
        found.sort_by(|one, other| {
            other.work.total_cmp(&one.work).then(one.loop_number.cmp(&other.loop_number))
        });
        found
    }
}
