//! Value numbers of cells, and the sections that operations read and write in terms of them.
//!
//! Input: a procedure, its cells, and the effects of calls. Output: `Numbered`.
//! Postcondition: two affine values with the same symbols are equal as long as no block that defines one of the
//! symbols is entered in between (static single assignment, Cytron et al. 1991).

use rustc_hash::FxHashMap;

use crate::program::{
    Access, Affine, BlockId, Comparison, Condition, LoopId, Operation, OperationKind, Procedure, ProcedureId,
    Program, Site, Step, Terminator, Value,
};

use super::cell::{self, Cells, Change, Key};
use super::effects::Effects;
use super::graph::Graph;
use super::loops;
use super::memory::Values;
use super::section::{Base, Section, Symbol};

/// A procedure in terms of symbols.
#[derive(Debug)]
pub struct Numbered {
    /// The procedure; the last node is before all entries.
    pub graph: Graph,
    pub events: Vec<Vec<Event>>,
    /// The rest of the call in which a restart continues.
    pub rest: Vec<Event>,
    /// For each loop, the data for the expansion of sections over it. `None` if it is treated like any other
    /// cycle.
    pub loops: Vec<Option<Counted>>,
    /// For each loop, the innermost one of `loops` around it.
    pub within: Vec<Option<LoopId>>,
    /// The innermost loop of `loops` that a block is part of.
    pub home: Vec<Option<LoopId>>,
    /// For symbols that are no variables: the block that defines them.
    pub defined: Vec<BlockId>,
    /// The first symbol that is no variable.
    pub first_symbol: u32,
    /// Symbols from here on are not in use.
    pub next_symbol: u32,
    /// Symbols that mean the value of a cell at the entry.
    pub at_entry: FxHashMap<Symbol, Key>,
}

#[derive(Debug, Clone)]
pub struct Event {
    /// The operation of the block that it is a part of.
    pub operation: u32,
    pub kind: EventKind,
}

#[derive(Debug, Clone)]
pub enum EventKind {
    Read(Read),
    /// Certainly written.
    Write(Section),
}

#[derive(Debug, Clone)]
pub struct Read {
    /// The operation of the procedure.
    pub site: Site,
    /// The operation that reads: in this procedure, or in one that it calls.
    pub origin: Site,
    /// None: any memory.
    pub section: Option<Section>,
}

/// A loop whose iterations are known.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The loop variable during an iteration.
    pub symbol: Symbol,
    pub first: Affine,
    pub last: Affine,
    pub step: i64,
    pub header: BlockId,
    pub body: BlockId,
    pub exit: BlockId,
}

/// The maximum size of objects that are followed only if they are used by bounds or addresses.
pub const SMALL: u64 = 16;

/// The effects of calls, in terms of the caller.
pub trait Calls {
    fn events(&self, values: &mut Values, site: Site, operation: &Operation) -> Vec<EventKind>;

    /// For the call in which a restart continues: the rest of it.
    fn rest(&self, values: &mut Values, site: Site, operation: &Operation) -> Option<Vec<EventKind>>;
}

impl Numbered {
    /// The block that defines a symbol, unless it means a value at the entry or belongs to a section.
    pub fn definition(&self, symbol: Symbol) -> Option<BlockId> {
        let at = symbol.0.checked_sub(self.first_symbol)?;
        if self.at_entry.contains_key(&symbol) {
            return None;
        }
        self.defined.get(at as usize).copied()
    }
}

pub fn number(
    program: &Program,
    id: ProcedureId,
    cells: &Cells,
    effects: &dyn Effects,
    calls: &dyn Calls,
) -> Numbered {
    let procedure = &program.procedures[id.0 as usize];
    let graph = flow_graph(program, id);
    let candidates = loops::candidates(procedure, &graph);
    let count = procedure.blocks.len();
    let values = Values {
        program,
        cells,
        current: Vec::new(),
        addresses: FxHashMap::default(),
        next: program.variables.len() as u32,
        defined: Vec::new(),
        block: procedure.entry,
        facts: Vec::new(),
    };
    let mut walk = Walk {
        id,
        effects,
        calls,
        phis: place_phis(program, id, cells, effects, &graph),
        values,
        events: vec![Vec::new(); count],
        rest: Vec::new(),
        loops: vec![None; procedure.loops.len()],
        heads: heads(procedure, &candidates),
        bodies: FxHashMap::default(),
        latches: FxHashMap::default(),
        at_entry: FxHashMap::default(),
    };
    walk.start();
    walk.run(&graph);
    walk.check_loops(&graph);
    let Walk { values, events, rest, loops: counted, at_entry, .. } = walk;
    let nearest = |block: u32, skip: Option<LoopId>| {
        let mut around = loops::ancestors(procedure, block);
        around.find(|id| Some(*id) != skip && counted[id.0 as usize].is_some())
    };
    let home = (0..count as u32).map(|block| nearest(block, None)).collect();
    let within =
        (0..counted.len()).map(|at| nearest(procedure.loops[at].header.0, Some(LoopId(at as u32)))).collect();
    Numbered {
        graph,
        events,
        rest,
        loops: counted,
        within,
        home,
        next_symbol: values.next,
        defined: values.defined,
        first_symbol: program.variables.len() as u32,
        at_entry,
    }
}

/// The blocks, and a last node from which all entries are reached.
fn flow_graph(program: &Program, id: ProcedureId) -> Graph {
    let procedure = &program.procedures[id.0 as usize];
    let count = procedure.blocks.len();
    let numbers = |list: Vec<BlockId>| list.into_iter().map(|block| block.0).collect();
    let mut successors: Vec<Vec<u32>> =
        procedure.blocks.iter().map(|block| numbers(block.terminator.successors(count))).collect();
    let entries = procedure.entries.iter().map(|(_, block)| block.0);
    successors.push(std::iter::once(procedure.entry.0).chain(entries).collect());
    Graph::new(count as u32, successors)
}

/// For each block, the cells that get a new symbol where it begins.
fn place_phis(
    program: &Program,
    id: ProcedureId,
    cells: &Cells,
    effects: &dyn Effects,
    graph: &Graph,
) -> Vec<Vec<usize>> {
    let procedure = &program.procedures[id.0 as usize];
    let mut changed_in: Vec<Vec<u32>> = vec![Vec::new(); cells.keys.len()];
    for (number, block) in procedure.blocks.iter().enumerate() {
        for (at, operation) in block.operations.iter().enumerate() {
            let site = Site { procedure: id, block: BlockId(number as u32), operation: at as u32 };
            for (cell, _) in cells.changes(program, effects, site, operation) {
                if changed_in[cell].last() != Some(&(number as u32)) {
                    changed_in[cell].push(number as u32);
                }
            }
        }
    }
    let frontiers = graph.frontiers();
    let mut phis = vec![Vec::new(); procedure.blocks.len() + 1];
    let mut marked = vec![usize::MAX; procedure.blocks.len() + 1];
    for (cell, blocks) in changed_in.into_iter().enumerate() {
        let mut work = blocks;
        while let Some(block) = work.pop() {
            for &at in &frontiers[block as usize] {
                if marked[at as usize] != cell {
                    marked[at as usize] = cell;
                    phis[at as usize].push(cell);
                    work.push(at);
                }
            }
        }
    }
    phis
}

struct Walk<'p> {
    id: ProcedureId,
    effects: &'p dyn Effects,
    calls: &'p dyn Calls,
    phis: Vec<Vec<usize>>,
    values: Values<'p>,
    events: Vec<Vec<Event>>,
    rest: Vec<Event>,
    loops: Vec<Option<Counted>>,
    /// The loops that a block heads.
    heads: FxHashMap<u32, Vec<usize>>,
    /// The counted loops whose body begins with a block.
    bodies: FxHashMap<u32, Vec<usize>>,
    /// For each loop: the value of its variable at the end of an iteration. None: several.
    latches: FxHashMap<u32, Option<Affine>>,
    at_entry: FxHashMap<Symbol, Key>,
}

enum Visit {
    Enter(u32),
    Leave { undo: Vec<(usize, Affine)>, facts: usize },
}

impl Walk<'_> {
    /// The symbols of the values at the entry.
    fn start(&mut self) {
        let program = self.values.program;
        for (number, key) in self.values.cells.keys.iter().enumerate() {
            let access = &self.values.cells.accesses[number];
            let variable = Cells::variable(program, access.root);
            let symbol = if variable.path.len() == access.path.len()
                && cell::key(program, &variable).as_ref() == Some(key)
            {
                access.root
            } else {
                let symbol = self.values.fresh();
                self.at_entry.insert(symbol, key.clone());
                symbol
            };
            self.values.current.push(Affine::variable(symbol));
        }
    }

    fn run(&mut self, graph: &Graph) {
        let children = graph.children();
        let root = graph.order[0];
        let mut stack = vec![Visit::Enter(root)];
        while let Some(step) = stack.pop() {
            match step {
                Visit::Enter(node) => {
                    let facts = self.values.facts.len();
                    let mut undo = Vec::new();
                    if node != root {
                        self.block(graph, node, &mut undo);
                    }
                    stack.push(Visit::Leave { undo, facts });
                    stack.extend(children[node as usize].iter().rev().map(|&child| Visit::Enter(child)));
                }
                Visit::Leave { undo, facts } => {
                    for (cell, value) in undo.into_iter().rev() {
                        self.values.current[cell] = value;
                    }
                    self.values.facts.truncate(facts);
                }
            }
        }
    }

    fn set(&mut self, cell: usize, value: Affine, undo: &mut Vec<(usize, Affine)>) {
        undo.push((cell, std::mem::replace(&mut self.values.current[cell], value)));
    }

    fn block(&mut self, graph: &Graph, node: u32, undo: &mut Vec<(usize, Affine)>) {
        let program = self.values.program;
        let procedure = &program.procedures[self.id.0 as usize];
        let block = &procedure.blocks[node as usize];
        self.values.block = BlockId(node);
        self.add_branch_facts(graph, node);
        let bounds = self.loop_bounds(graph, node);
        for cell in std::mem::take(&mut self.phis[node as usize]) {
            let symbol = Affine::variable(self.values.fresh());
            self.set(cell, symbol, undo);
        }
        self.open_loops(bounds);
        self.add_domain_facts(node);
        for (at, operation) in block.operations.iter().enumerate() {
            let site = Site { procedure: self.id, block: BlockId(node), operation: at as u32 };
            self.operation(site, operation, undo);
        }
        // The value of the loop variable at the end of an iteration.
        for next in &graph.successors[node as usize] {
            for &number in self.heads.get(next).into_iter().flatten() {
                if loops::contains(procedure, LoopId(number as u32), node) {
                    let counted = &procedure.loops[number];
                    let value = self.values.content(&Cells::variable(program, counted.variable)).cloned();
                    let known = self.latches.entry(number as u32).or_insert_with(|| value.clone());
                    if *known != value {
                        *known = None;
                    }
                }
            }
        }
    }

    /// Adds the facts of a branch, if it is the only edge into the block.
    fn add_branch_facts(&mut self, graph: &Graph, node: u32) {
        let [from] = graph.predecessors[node as usize][..] else { return };
        let procedure = &self.values.program.procedures[self.id.0 as usize];
        let Some(block) = procedure.blocks.get(from as usize) else { return };
        let Terminator::Branch { condition: Some(condition), then, otherwise } = &block.terminator else {
            return;
        };
        if then == otherwise {
            return;
        }
        self.assume(condition, then.0 == node);
    }

    fn assume(&mut self, condition: &Condition, holds: bool) {
        let difference = self
            .values
            .evaluate(&condition.right)
            .zip(self.values.evaluate(&condition.left))
            .and_then(|(right, left)| right.sub(&left));
        let Some(rest) = difference else { return };
        let one = Affine::constant(1);
        // `rest` is right - left.
        let mut facts = Vec::new();
        let not_negative = |value: Option<Affine>| value.into_iter();
        match (condition.comparison, holds) {
            (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => {
                facts.extend(not_negative(rest.sub(&one)))
            }
            (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => facts.push(rest),
            (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => {
                facts.extend(not_negative(rest.scale(-1).and_then(|value| value.sub(&one))));
            }
            (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => {
                facts.extend(not_negative(rest.scale(-1)))
            }
            (Comparison::Equal, true) | (Comparison::NotEqual, false) => {
                facts.extend(not_negative(rest.scale(-1)));
                facts.push(rest);
            }
            (Comparison::Equal, false) | (Comparison::NotEqual, true) => {}
        }
        self.values.facts.extend(facts);
    }

    /// For a loop that this block heads: its bounds, with the values before the loop.
    fn loop_bounds(&self, graph: &Graph, node: u32) -> Vec<(usize, Affine, Affine, bool)> {
        let program = self.values.program;
        let procedure = &program.procedures[self.id.0 as usize];
        let mut found = Vec::new();
        for &number in self.heads.get(&node).into_iter().flatten() {
            let counted = &procedure.loops[number];
            let id = LoopId(number as u32);
            let outside = graph.predecessors[node as usize]
                .iter()
                .filter(|&&from| {
                    from as usize >= procedure.blocks.len() || !loops::contains(procedure, id, from)
                })
                .count();
            // At a join, the values of the dominator are those before the loop only if nothing changes on the way.
            let stable = |affine: &Affine| {
                outside == 1
                    || affine.terms.iter().all(|term| {
                        let key = cell::key(program, &Cells::variable(program, term.0));
                        key.and_then(|key| self.values.cells.number(&key))
                            .is_some_and(|cell| !self.phis[node as usize].contains(&cell))
                    })
            };
            if !stable(&counted.first) || !stable(&counted.last) {
                continue;
            }
            let bounds = self.values.evaluate(&counted.first).zip(self.values.evaluate(&counted.last));
            let Some((first, last)) = bounds else { continue };
            let before = self.values.content(&Cells::variable(program, counted.variable));
            found.push((number, first.clone(), last, outside == 1 && before == Some(&first)));
        }
        found
    }

    /// After the symbols of the header exist.
    fn open_loops(&mut self, bounds: Vec<(usize, Affine, Affine, bool)>) {
        let program = self.values.program;
        let procedure = &program.procedures[self.id.0 as usize];
        for (number, first, last, starts) in bounds {
            let counted = &procedure.loops[number];
            let value = self.values.content(&Cells::variable(program, counted.variable));
            let symbol = value.and_then(|value| value.as_variable()).filter(|symbol| {
                symbol
                    .0
                    .checked_sub(program.variables.len() as u32)
                    .is_some_and(|at| self.values.defined[at as usize] == counted.header)
            });
            if let (Some(symbol), true) = (symbol, starts) {
                self.bodies.entry(counted.body.0).or_default().push(number);
                self.loops[number] = Some(Counted {
                    symbol,
                    first,
                    last,
                    step: counted.step,
                    header: counted.header,
                    body: counted.body,
                    exit: counted.exit,
                });
            }
        }
    }

    /// In the body, the variable is between the bounds.
    fn add_domain_facts(&mut self, node: u32) {
        for &number in self.bodies.get(&node).into_iter().flatten() {
            let Some(counted) = &self.loops[number] else { continue };
            let value = Affine::variable(counted.symbol);
            let (low, high) = if counted.step > 0 {
                (&counted.first, &counted.last)
            } else {
                (&counted.last, &counted.first)
            };
            self.values.facts.extend(value.sub(low));
            self.values.facts.extend(high.sub(&value));
        }
    }

    /// Keeps only loops whose variable is proved to count as stated.
    fn check_loops(&mut self, graph: &Graph) {
        let procedure = &self.values.program.procedures[self.id.0 as usize];
        for number in 0..self.loops.len() {
            let Some(counted) = &self.loops[number] else { continue };
            let next = Affine::variable(counted.symbol).add(&Affine::constant(counted.step));
            let counts = match self.latches.get(&(number as u32)) {
                Some(value) => value.is_some() && *value == next,
                // No second iteration.
                None => graph.reaches(counted.header.0),
            };
            let invariant = |affine: &Affine| {
                affine.terms.iter().all(|term| match self.definition(term.0) {
                    Some(block) => !loops::contains(procedure, LoopId(number as u32), block.0),
                    None => true,
                })
            };
            if !counts || !invariant(&counted.first) || !invariant(&counted.last) {
                self.loops[number] = None;
            }
        }
    }

    /// The block that defines a symbol, unless it means a value at the entry.
    fn definition(&self, symbol: Symbol) -> Option<BlockId> {
        let at = symbol.0.checked_sub(self.values.program.variables.len() as u32)?;
        (!self.at_entry.contains_key(&symbol)).then(|| self.values.defined[at as usize])
    }

    fn operation(&mut self, site: Site, operation: &Operation, undo: &mut Vec<(usize, Affine)>) {
        let mut events = Vec::new();
        let mut pointers = Vec::new();
        cell::each_access(operation, &mut |access| {
            for (at, step) in access.path.iter().enumerate() {
                let object = self.values.program.variables[access.root.0 as usize].object;
                let large =
                    self.values.program.objects[object.0 as usize].size.is_none_or(|size| size > SMALL);
                if matches!(step, Step::Dereference) && (at > 0 || large) {
                    pointers.push(Access {
                        path: access.path[..at].to_vec(),
                        size: Some(8),
                        ..access.clone()
                    });
                }
            }
        });
        for pointer in pointers {
            let section = self.values.read(&pointer);
            events.push(EventKind::Read(Read { site, origin: site, section }));
        }
        let mut read = |values: &mut Values, access: &Access| {
            let section = values.read(access);
            events.push(EventKind::Read(Read { site, origin: site, section }));
        };
        match &operation.kind {
            OperationKind::Read(access) | OperationKind::Free(access) => read(&mut self.values, access),
            OperationKind::Write { to, value } => {
                if let Value::Copy(from) = value {
                    read(&mut self.values, from);
                }
                // The section means the values before the write.
                events.extend(self.values.write(to).map(EventKind::Write));
            }
            OperationKind::Call(_) => {
                if let Some(rest) = self.calls.rest(&mut self.values, site, operation) {
                    let event = |kind| Event { operation: site.operation, kind };
                    self.rest.extend(rest.into_iter().map(event));
                }
                events.extend(self.calls.events(&mut self.values, site, operation));
            }
            OperationKind::Opaque { .. } => {
                events.push(EventKind::Read(Read { site, origin: site, section: None }));
            }
            OperationKind::Begin(variable) => {
                let known = &self.values.program.variables[variable.0 as usize];
                let object = &self.values.program.objects[known.object.0 as usize];
                if known.offset == 0 && (known.size.is_none() || known.size >= object.size) {
                    events.push(EventKind::Write(Section::whole(Base::Object(known.object))));
                }
            }
            OperationKind::Allocate { .. } | OperationKind::Directive(_) => {}
        }
        self.change_cells(site, operation, undo);
        if let OperationKind::Allocate { to, .. } = &operation.kind {
            if let Some(symbol) = self.values.content(to).and_then(|value| value.as_variable()) {
                events.push(EventKind::Write(Section::whole(Base::Target(symbol))));
            }
        }
        let operation = site.operation;
        self.events[site.block.0 as usize].extend(events.into_iter().map(|kind| Event { operation, kind }));
    }

    fn change_cells(&mut self, site: Site, operation: &Operation, undo: &mut Vec<(usize, Affine)>) {
        let changes = self.values.cells.changes(self.values.program, self.effects, site, operation);
        let mut results = Vec::with_capacity(changes.len());
        for (cell, change) in changes {
            let value = match change {
                Change::Affine(affine) => self.values.evaluate(affine),
                Change::Copy(access) => self.values.content(access).cloned(),
                Change::Address(access) => self.address(access),
                Change::Unknown => None,
            };
            results.push((cell, value));
        }
        for (cell, value) in results {
            let value = value.unwrap_or_else(|| Affine::variable(self.values.fresh()));
            self.set(cell, value, undo);
        }
    }

    /// A symbol for an address. It means a place in other memory if that is known.
    fn address(&mut self, access: &Access) -> Option<Affine> {
        let access = Access { size: Some(1), ..access.clone() };
        let section = self.values.section(&access, true);
        let symbol = self.values.fresh();
        if let Some(section) = section.filter(|section| section.local.is_empty()) {
            if let Some(offset) = section.address() {
                self.values.addresses.insert(symbol, (section.base, offset));
            }
        }
        Some(Affine::variable(symbol))
    }
}

/// The loops with sound control flow, by the block that heads them.
fn heads(procedure: &Procedure, candidates: &[bool]) -> FxHashMap<u32, Vec<usize>> {
    let mut heads: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (number, counted) in procedure.loops.iter().enumerate().filter(|(number, _)| candidates[*number]) {
        heads.entry(counted.header.0).or_default().push(number);
    }
    heads
}
