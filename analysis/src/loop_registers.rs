//! Registers that a loop makes or ends in each iteration.
//!
//! Input: a program. Output: for the block where a loop ends, the items that are registered there, as registers of all
//! elements; the blocks with an `unregister` that each iteration passes.
//! Postcondition: the register is made in every iteration, and the iterations name every element that the item of
//! the output names.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::effects::Assumptions;
use crate::named_elements::NamedElements;
use crate::program::{
    Access, Affine, BlockId, Dimension, Directive, Index, Item, Loop, OperationKind, Procedure, ProcedureId,
    Program, Site, Step, VariableId,
};
use crate::solver::Graph;

/// The maximum number of iterations of a loop that is expanded.
const EXPANDED: i64 = 64;
/// The maximum number of items that the iterations of nested loops make of those of one register.
const MOST_ITEMS: i64 = 4_096;

#[derive(Debug, Default)]
pub struct LoopRegisters {
    at: FxHashMap<(ProcedureId, BlockId), Vec<Item>>,
    /// The blocks with an `unregister` that every iteration of the innermost loop passes.
    ending: FxHashSet<(ProcedureId, BlockId)>,
    /// The same as `at`, with the items of all iterations of the loops around the block.
    in_usual_runs: FxHashMap<(ProcedureId, BlockId), Vec<Item>>,
    /// The items that all iterations register together, for the item with this number in the block. The program names other
    /// elements too.
    of_iterations: FxHashMap<(Site, usize), Vec<Item>>,
}

impl LoopRegisters {
    pub fn new(program: &Program) -> LoopRegisters {
        let mut registers = LoopRegisters::default();
        let named = NamedElements::new(program);
        for (number, procedure) in program.procedures.iter().enumerate() {
            let id = ProcedureId(number as u32);
            let graph = Graph::new(procedure);
            for (at, block) in procedure.blocks.iter().enumerate() {
                for (operation, content) in block.operations.iter().enumerate() {
                    let OperationKind::Directive(directive) = &content.kind else { continue };
                    let here = BlockId(at as u32);
                    if let Directive::Register(items) = &**directive {
                        let site = Site { procedure: id, block: here, operation: operation as u32 };
                        for (number, item) in items.iter().enumerate() {
                            let all = in_all_iterations(program, &named, procedure, here, item);
                            registers.of_iterations.extend(all.map(|all| ((site, number), all)));
                        }
                        registers.leave_loops(id, procedure, &graph, here, items.clone());
                    }
                    let around = block.within.map(|number| &procedure.loops[number.0 as usize]);
                    if let (Directive::Unregister(_), Some(around)) = (&**directive, around) {
                        registers.ending.extend(passes(&graph, around, here).then_some((id, here)));
                    }
                }
            }
        }
        for (&(id, block), items) in &registers.at {
            let procedure = &program.procedures[id.0 as usize];
            let all = items.iter().flat_map(|item| {
                let all = in_all_iterations(program, &named, procedure, block, item);
                all.unwrap_or_else(|| vec![item.clone()])
            });
            registers.in_usual_runs.insert((id, block), all.collect());
        }
        registers
    }

    /// The items that are registered when control reaches the start of this block.
    pub fn at(&self, procedure: ProcedureId, block: BlockId) -> &[Item] {
        self.at.get(&(procedure, block)).map_or(&[], |items| items)
    }

    /// The same, with the items of all iterations of the loops around the block, if these are assumed to run.
    pub fn assumed_at(&self, procedure: ProcedureId, block: BlockId, assumptions: Assumptions) -> &[Item] {
        match assumptions {
            Assumptions::Worst => self.at(procedure, block),
            Assumptions::Usual => self.in_usual_runs.get(&(procedure, block)).map_or(&[], |items| items),
        }
    }

    /// Whether the block has an `unregister` in a loop, and every iteration passes it.
    pub fn always_ends(&self, procedure: ProcedureId, block: BlockId) -> bool {
        self.ending.contains(&(procedure, block))
    }

    /// The items that an item of this directive means in all iterations together. None: it may mean all elements.
    pub fn of_iterations(&self, site: Site, number: usize) -> Option<&[Item]> {
        self.of_iterations.get(&(site, number)).map(|items| &items[..])
    }

    /// Continues from the loop around the block to the next outer loop.
    fn leave_loops(
        &mut self,
        id: ProcedureId,
        procedure: &Procedure,
        graph: &Graph,
        mut block: BlockId,
        mut items: Vec<Item>,
    ) {
        while let Some(number) = procedure.blocks[block.0 as usize].within {
            let around = &procedure.loops[number.0 as usize];
            let is_exit = graph.predecessors[around.exit.0 as usize] == [around.header];
            if !around.regular
                || !is_exit
                || unregisters(procedure, graph, around)
                || !passes(graph, around, block)
            {
                return;
            }
            let room = MOST_ITEMS / items.len() as i64;
            items = items.iter().flat_map(|item| all_iterations(item, around, room)).collect();
            if items.is_empty() {
                return;
            }
            self.at.entry((id, around.exit)).or_default().extend(items.iter().cloned());
            block = around.exit;
        }
    }
}

/// The items that all iterations of the loops around the block make of this one. None: it may mean all elements.
fn in_all_iterations(
    program: &Program,
    named: &NamedElements,
    procedure: &Procedure,
    block: BlockId,
    item: &Item,
) -> Option<Vec<Item>> {
    let object = program.variables[item.memory.root.0 as usize].object;
    // The last index of an item is often the number of elements.
    let (_, pointers) = item.memory.path.split_last()?;
    if !named.are_beyond(object, pointers, procedure, block) {
        return None;
    }
    let mut all = vec![item.clone()];
    let mut within = procedure.blocks[block.0 as usize].within;
    while let (Some(number), false) = (within, all.is_empty()) {
        let around = &procedure.loops[number.0 as usize];
        if mentions(&item.memory, around.variable) {
            if !around.regular {
                return None;
            }
            let room = MOST_ITEMS / all.len() as i64;
            all = all.iter().flat_map(|item| all_iterations(item, around, room)).collect();
        }
        within = around.within;
    }
    (!all.is_empty()).then_some(all)
}

/// Whether every iteration reaches the block.
fn passes(graph: &Graph, around: &Loop, block: BlockId) -> bool {
    !body(graph, around, Some(block)).contains(&around.header)
}

fn unregisters(procedure: &Procedure, graph: &Graph, around: &Loop) -> bool {
    body(graph, around, None).iter().any(|block| {
        procedure.blocks[block.0 as usize].operations.iter().any(|operation| match &operation.kind {
            OperationKind::Directive(directive) => {
                matches!(**directive, Directive::Unregister(_) | Directive::Init)
            }
            // It may unregister something.
            OperationKind::Opaque { .. } => true,
            OperationKind::Read(_)
            | OperationKind::Write { .. }
            | OperationKind::Begin(_)
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Call(_) => false,
        })
    })
}

/// The blocks of one iteration that are reached without passing `avoided`, with the header if it is reached.
fn body(graph: &Graph, around: &Loop, avoided: Option<BlockId>) -> Vec<BlockId> {
    let mut seen = Vec::new();
    let mut work = vec![around.body];
    while let Some(block) = work.pop() {
        if Some(block) == avoided || seen.contains(&block) {
            continue;
        }
        seen.push(block);
        if block != around.header {
            work.extend(&graph.successors[block.0 as usize]);
        }
    }
    seen
}

/// The items that all iterations together register. If they would be more than `room`: one item of all
/// elements, or none if that is not certain.
fn all_iterations(item: &Item, around: &Loop, room: i64) -> Vec<Item> {
    let (first, last) = match around.step {
        1 => (&around.first, &around.last),
        -1 => (&around.last, &around.first),
        _ => return Vec::new(),
    };
    match (first.as_constant(), last.as_constant()) {
        (Some(first), Some(last)) if last.saturating_sub(first) < EXPANDED.min(room) => {
            let with = |value| {
                let value = Affine::constant(value);
                let index = |_: &Dimension, index: &Index| Some(replaced_in(index, around.variable, &value));
                Some(Item { memory: with_indices(&item.memory, &index)?, ..item.clone() })
            };
            let mut items: Vec<Item> = (first..=last).filter_map(with).collect();
            items.dedup();
            items
        }
        _ if mentions(&item.memory, around.variable) => {
            let index = |dimension: &Dimension, index: &Index| whole(dimension, index, around, first, last);
            let memory = with_indices(&item.memory, &index);
            memory.map(|memory| Item { memory, ..item.clone() }).into_iter().collect()
        }
        // There may be no iteration.
        _ => Vec::new(),
    }
}

fn with_indices(access: &Access, new: &dyn Fn(&Dimension, &Index) -> Option<Index>) -> Option<Access> {
    let mut access = access.clone();
    for step in &mut access.path {
        let Step::Elements(dimensions) = step else { continue };
        for dimension in dimensions {
            dimension.index = new(dimension, &dimension.index)?;
        }
    }
    Some(access)
}

fn mentions(access: &Access, variable: VariableId) -> bool {
    access.path.iter().any(|step| match step {
        Step::Elements(dimensions) => dimensions.iter().any(|dimension| match &dimension.index {
            Index::At(value) => value.uses(variable),
            Index::Range { .. } | Index::All | Index::Unknown => false,
        }),
        Step::Field { .. } | Step::Dereference => false,
    })
}

fn replaced_in(index: &Index, variable: VariableId, value: &Affine) -> Index {
    let replaced = |old: &Affine| old.substitute(variable, value);
    match index {
        Index::At(value) => replaced(value).map_or(Index::Unknown, Index::At),
        Index::Range { first, last, step } => match (replaced(first), replaced(last)) {
            (Some(first), Some(last)) => Index::Range { first, last, step: *step },
            _ => Index::Unknown,
        },
        Index::All | Index::Unknown => index.clone(),
    }
}

/// The index for all iterations, if they name all elements of the dimension.
fn whole(
    dimension: &Dimension,
    index: &Index,
    around: &Loop,
    first: &Affine,
    last: &Affine,
) -> Option<Index> {
    let variable = Affine::variable(around.variable);
    let uses = |value: &Affine| value.uses(around.variable);
    match index {
        Index::At(value) if uses(value) => {
            let shift = value.sub(&variable)?;
            if uses(&shift) {
                return None;
            }
            let (first, last) = (first.add(&shift)?, last.add(&shift)?);
            let lower = dimension.lower.clone()?;
            let is_all = match &dimension.extent {
                Some(extent) => last == lower.add(extent)?.sub(&Affine::constant(1))?,
                // The number of elements is known only from the register itself.
                None => true,
            };
            (first == lower && is_all).then_some(Index::All)
        }
        Index::Range { last, .. } if uses(last) => Some(Index::All),
        Index::At(_) | Index::Range { .. } | Index::All | Index::Unknown => Some(index.clone()),
    }
}
