//! Finds the memory that code reads before it writes it, with loops as single steps.
//!
//! Input: a procedure in symbols, and a point where the code begins. Output: the reads that remain, and the
//! sections that are written at the end.
//! Postcondition: a part of a read is left out only if a write on every path from the point covers it. Sections
//! at the end are written on every path that gets there.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Affine, BlockId, LoopId, Procedure, Terminator, VariableId};

use super::cover::remainder;
use super::graph::Graph;
use super::loops;
use super::section::{Base, Section, Symbol};
use super::value::{Counted, Event, EventKind, Numbered, Read};

/// The maximum number of writes that are compared with a read, the latest first.
const COMPARED: usize = 128;
/// The maximum number of sections that are compared where paths join.
const JOINED: usize = 96;

/// The effects of a part of the code.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    pub reads: Vec<Read>,
    /// The sections that are written at the end of the code: at the next iteration, or at a return.
    pub end: Vec<Rc<Section>>,
}

/// The start of the code.
#[derive(Debug, Default)]
pub struct Start {
    /// The sections that were written before.
    pub written: Vec<Rc<Section>>,
    pub events: Vec<Event>,
    /// The blocks that follow.
    pub next: Vec<u32>,
    /// Whether the procedure may return at once.
    pub returns: bool,
}

/// The analysis of one procedure.
pub struct Procedural<'n> {
    procedure: &'n Procedure,
    numbered: &'n Numbered,
    next: u32,
    loops: Vec<Option<Rc<Flow>>>,
    /// Whether the structure was not as expected, so that nothing is proved.
    pub failed: bool,
}

impl<'n> Procedural<'n> {
    pub fn new(procedure: &'n Procedure, numbered: &'n Numbered) -> Procedural<'n> {
        let loops = vec![None; numbered.loops.len()];
        Procedural { procedure, numbered, next: numbered.next_symbol, loops, failed: false }
    }

    /// From the entries to the end.
    pub fn run_all(&mut self) -> Flow {
        let root = self.procedure.blocks.len();
        let next = self.numbered.graph.successors[root].clone();
        self.region(None, Start { next, ..Start::default() })
    }

    /// From the end of the operation to the end of the procedure.
    pub fn run_after(&mut self, block: BlockId, operation: u32) -> Flow {
        let after = self.numbered.events[block.0 as usize].iter().filter(|event| event.operation > operation);
        let events = self.numbered.rest.iter().chain(after).cloned().collect();
        let mut region = self.numbered.home[block.0 as usize];
        if region.and_then(|id| self.counted(id)).is_some_and(|counted| counted.header == block) {
            self.failed = true;
            return Flow::default();
        }
        let mut start = Start {
            written: Vec::new(),
            events,
            next: self.numbered.graph.successors[block.0 as usize].clone(),
            returns: self.returns(block.0),
        };
        let mut reads = Vec::new();
        loop {
            let mut flow = self.region(region, start);
            reads.append(&mut flow.reads);
            let Some((id, counted)) = region.and_then(|id| Some((id, self.counted(id)?.clone()))) else {
                return Flow { reads, end: flow.end };
            };
            let mut rest = self.other_iterations(id, &counted, flow.end);
            reads.append(&mut rest.reads);
            start = Start { written: rest.end, next: vec![counted.exit.0], ..Start::default() };
            region = self.numbered.within[id.0 as usize];
        }
    }

    fn counted(&self, id: LoopId) -> Option<&'n Counted> {
        self.numbered.loops[id.0 as usize].as_ref()
    }

    fn returns(&self, block: u32) -> bool {
        matches!(self.procedure.blocks[block as usize].terminator, Terminator::Return)
    }

    fn fresh(&mut self) -> Symbol {
        self.next += 1;
        VariableId(self.next - 1)
    }

    /// The code from the start up to the end of the region: of an iteration of the loop, or of the procedure.
    fn region(&mut self, region: Option<LoopId>, start: Start) -> Flow {
        let Some(plan) = self.plan(region, &start) else {
            self.failed = true;
            return Flow::default();
        };
        let root = plan.graph.order[0];
        let children = plan.graph.children();
        let mut walk = Walk {
            added: vec![Vec::new(); plan.blocks.len() + 1],
            plan,
            active: FxHashMap::default(),
            reads: Vec::new(),
        };
        let mut stack = vec![Visit::Enter(root)];
        while let Some(visit) = stack.pop() {
            match visit {
                Visit::Enter(node) => {
                    if node == root {
                        for section in &start.written {
                            self.add(&mut walk, node, section.clone());
                        }
                        self.run(&mut walk, node, &start.events);
                    } else {
                        self.block(&mut walk, region, node);
                    }
                    stack.push(Visit::Leave(node));
                    stack.extend(children[node as usize].iter().rev().map(|&child| Visit::Enter(child)));
                }
                Visit::Leave(node) => {
                    for section in walk.added[node as usize].iter().rev() {
                        if let Some(list) = walk.active.get_mut(&section.base) {
                            list.pop();
                        }
                    }
                }
            }
        }
        let ends = std::mem::take(&mut walk.plan.ends);
        let lists = ends.iter().map(|&end| walk.chain(end, None)).collect();
        Flow { reads: walk.reads, end: self.meet(lists) }
    }

    /// The blocks of the region as nodes; a loop inside is one node, its header. The last node is the start.
    fn plan(&self, region: Option<LoopId>, start: &Start) -> Option<Plan> {
        let header = region.and_then(|id| self.counted(id)).map(|counted| counted.header.0);
        let mut plan = Plan {
            blocks: Vec::new(),
            nodes: FxHashMap::default(),
            ends: Vec::new(),
            graph: Graph::new(0, vec![Vec::new()]),
        };
        let mut successors: Vec<Vec<u32>> = Vec::new();
        let mut first = Vec::new();
        let mut ends_at_once = start.returns && region.is_none();
        for &to in &start.next {
            if Some(to) == header {
                ends_at_once = true;
            } else {
                first.push(plan.node(to));
            }
        }
        let mut at = 0;
        while at < plan.blocks.len() {
            let block = plan.blocks[at];
            let next: Vec<u32> = match self.inner(region, block)? {
                Some(counted) => vec![counted.exit.0],
                None => self.numbered.graph.successors[block as usize].clone(),
            };
            let mut list = Vec::with_capacity(next.len());
            let mut ends = region.is_none() && self.returns(block);
            for to in next {
                if Some(to) == header {
                    ends = true;
                } else {
                    list.push(plan.node(to));
                }
            }
            successors.push(list);
            if ends {
                plan.ends.push(at as u32);
            }
            at += 1;
        }
        let root = plan.blocks.len() as u32;
        successors.push(first);
        if ends_at_once {
            plan.ends.push(root);
        }
        plan.graph = Graph::new(root, successors);
        Some(plan)
    }

    /// The loop directly inside the region that the block heads. The outer None: the block does not belong here.
    fn inner(&self, region: Option<LoopId>, block: u32) -> Option<Option<&'n Counted>> {
        let home = self.numbered.home[block as usize];
        if home == region {
            return Some(None);
        }
        let id = home?;
        let counted = self.counted(id)?;
        (counted.header.0 == block && self.numbered.within[id.0 as usize] == region).then_some(Some(counted))
    }

    fn block(&mut self, walk: &mut Walk, region: Option<LoopId>, node: u32) {
        let block = walk.plan.blocks[node as usize];
        for section in self.joined(walk, node) {
            self.add(walk, node, section);
        }
        let numbered = self.numbered;
        self.run(walk, node, &numbered.events[block as usize]);
        if let Some(Some(_)) = self.inner(region, block) {
            let Some(id) = self.numbered.home[block as usize] else { return };
            let whole = self.all_iterations(id);
            for read in &whole.reads {
                self.read(walk, read);
            }
            for section in &whole.end {
                self.add(walk, node, section.clone());
            }
        }
    }

    fn run(&mut self, walk: &mut Walk, node: u32, events: &[Event]) {
        for event in events {
            match &event.kind {
                EventKind::Read(read) => self.read(walk, read),
                EventKind::Write(section) => self.add(walk, node, Rc::new(section.clone())),
            }
        }
    }

    fn read(&mut self, walk: &mut Walk, read: &Read) {
        let Some(section) = &read.section else {
            walk.reads.push(read.clone());
            return;
        };
        let Some(writes) = walk.active.get(&section.base) else {
            walk.reads.push(read.clone());
            return;
        };
        let latest = writes.iter().rev().take(COMPARED).map(|one| &**one);
        let next = &mut self.next;
        let parts = remainder(section, latest, &mut || {
            *next += 1;
            VariableId(*next - 1)
        });
        walk.reads.extend(parts.into_iter().map(|part| Read { section: Some(part), ..read.clone() }));
    }

    /// Adds a section that is written from here on, unless one of its symbols has another value then.
    fn add(&self, walk: &mut Walk, node: u32, section: Rc<Section>) {
        let lasting =
            section.symbols().into_iter().filter(|symbol| !section.local.contains(symbol)).all(|symbol| {
                let Some(block) = self.numbered.definition(symbol) else { return true };
                match walk.plan.nodes.get(&self.representative(&walk.plan, block.0)) {
                    Some(&defined) if walk.plan.graph.reaches(defined) => {
                        walk.plan.graph.dominates(defined, node)
                    }
                    _ => true,
                }
            });
        if lasting {
            walk.active.entry(section.base).or_default().push(section.clone());
            walk.added[node as usize].push(section);
        }
    }

    /// The block that represents this one in the region: itself, or the header of a loop.
    fn representative(&self, plan: &Plan, block: u32) -> u32 {
        let mut home = self.numbered.home[block as usize];
        if plan.nodes.contains_key(&block) {
            return block;
        }
        while let Some(id) = home {
            let Some(counted) = self.counted(id) else { break };
            if plan.nodes.contains_key(&counted.header.0) {
                return counted.header.0;
            }
            home = self.numbered.within[id.0 as usize];
        }
        block
    }

    /// The sections that every path to the node has written since the node that dominates it.
    fn joined(&mut self, walk: &Walk, node: u32) -> Vec<Rc<Section>> {
        let graph = &walk.plan.graph;
        let from = &graph.predecessors[node as usize];
        if from.len() < 2 {
            return Vec::new();
        }
        let above = graph.dominator[node as usize];
        let mut lists = Vec::new();
        for &one in from {
            if graph.place[one as usize] < graph.place[node as usize] {
                lists.push(walk.chain(one, Some(above)));
            } else if !graph.dominates(node, one) {
                return Vec::new();
            }
        }
        self.meet(lists)
    }

    /// The sections that all lists contain.
    fn meet(&mut self, lists: Vec<Vec<Rc<Section>>>) -> Vec<Rc<Section>> {
        let mut lists = lists.into_iter();
        let Some(mut common) = lists.next() else { return Vec::new() };
        for other in lists {
            if other.is_empty() {
                return other;
            }
            let from = other.len().saturating_sub(JOINED);
            common.drain(..common.len().saturating_sub(JOINED));
            let next = &mut self.next;
            common.retain(|section| {
                other[from..].iter().any(|one| Rc::ptr_eq(one, section)) || {
                    let mut fresh = || {
                        *next += 1;
                        VariableId(*next - 1)
                    };
                    remainder(section, other[from..].iter().map(|one| &**one), &mut fresh).is_empty()
                }
            });
        }
        common
    }

    /// One iteration, in terms of the loop variable.
    fn iteration(&mut self, counted: &Counted, id: LoopId) -> Flow {
        let numbered = self.numbered;
        let events = numbered.events[counted.header.0 as usize].clone();
        self.region(Some(id), Start { events, next: vec![counted.body.0], ..Start::default() })
    }

    /// The loop as one step.
    fn all_iterations(&mut self, id: LoopId) -> Rc<Flow> {
        if let Some(known) = &self.loops[id.0 as usize] {
            return known.clone();
        }
        let Some(counted) = self.counted(id) else { return Rc::default() };
        let one = self.iteration(counted, id);
        let step = self.fresh();
        let before = self.fresh();
        let mut reads = Vec::new();
        if let (Some(all), Some(earlier)) = (Passes::all(counted, step), Passes::all(counted, before)) {
            let earlier = earlier.limit(Affine::variable(step).sub(&Affine::variable(before)), -1);
            let written = self.expand_writes(id, &one.end, &earlier);
            reads = self.expand_reads(id, &one.reads, &all, &written);
            let end = self.expand_writes(id, &one.end, &all);
            let whole = Rc::new(Flow { reads, end });
            self.loops[id.0 as usize] = Some(whole.clone());
            return whole;
        }
        reads.extend(one.reads.into_iter().map(|read| Read { section: None, ..read }));
        let whole = Rc::new(Flow { reads, end: Vec::new() });
        self.loops[id.0 as usize] = Some(whole.clone());
        whole
    }

    /// The reads of the iterations after the current one, and the sections that are written at their end.
    /// These include the sections that the current iteration has written.
    fn other_iterations(&mut self, id: LoopId, counted: &Counted, written: Vec<Rc<Section>>) -> Flow {
        let end: Vec<Rc<Section>> = written.into_iter().filter(|one| !self.varies(id, one)).collect();
        let one = self.iteration(counted, id);
        let (now, step, before) = (self.fresh(), self.fresh(), self.fresh());
        let (now, later) = (Affine::variable(now), Affine::variable(step));
        let mut reads = Vec::new();
        match (Passes::all(counted, step), Passes::all(counted, before)) {
            (Some(later_ones), Some(between)) => {
                let later_ones = later_ones.limit(later.sub(&now), -1);
                let earlier = Affine::variable(before);
                let between = between.limit(later.sub(&earlier), -1).limit(earlier.sub(&now), -1);
                let mut covered = self.expand_writes(id, &one.end, &between);
                covered.extend(end.iter().cloned());
                reads.extend(self.expand_reads(id, &one.reads, &later_ones, &covered));
            }
            _ => reads.extend(one.reads.into_iter().map(|read| Read { section: None, ..read })),
        }
        Flow { reads, end }
    }

    /// Whether a symbol of the section is defined in the loop.
    fn varies(&self, id: LoopId, section: &Section) -> bool {
        section
            .symbols()
            .into_iter()
            .any(|symbol| !section.local.contains(&symbol) && self.is_inside(id, symbol))
    }

    fn is_inside(&self, id: LoopId, symbol: Symbol) -> bool {
        self.numbered.definition(symbol).is_some_and(|block| loops::contains(self.procedure, id, block.0))
    }

    fn expand_writes(&mut self, id: LoopId, writes: &[Rc<Section>], passes: &Passes) -> Vec<Rc<Section>> {
        let mut expanded = Vec::new();
        for section in writes {
            let Some(mut section) = section.substitute(passes.variable, &passes.value) else { continue };
            section.local.push(passes.symbol);
            section.require(&passes.given);
            if !self.varies(id, &section) {
                expanded.push(Rc::new(section.simplify()));
            }
        }
        expanded
    }

    /// The reads of all passes that `covered` does not cover.
    fn expand_reads(
        &mut self,
        id: LoopId,
        reads: &[Read],
        passes: &Passes,
        covered: &[Rc<Section>],
    ) -> Vec<Read> {
        let mut expanded = Vec::new();
        for read in reads {
            let section = read.section.as_ref().and_then(|section| self.expand_read(id, section, passes));
            let Some(section) = section else {
                expanded.push(Read { section: None, ..read.clone() });
                continue;
            };
            let next = &mut self.next;
            let mut fresh = || {
                *next += 1;
                VariableId(*next - 1)
            };
            let latest = covered.iter().rev().take(COMPARED).map(|one| &**one);
            let parts = remainder(&section, latest, &mut fresh);
            expanded.extend(parts.into_iter().map(|part| Read { section: Some(part), ..read.clone() }));
        }
        expanded
    }

    /// None if the section becomes any memory.
    fn expand_read(&mut self, id: LoopId, section: &Section, passes: &Passes) -> Option<Section> {
        if matches!(section.base, Base::Target(pointer) if self.is_inside(id, pointer)) {
            return None;
        }
        let mut section = section.substitute(passes.variable, &passes.value)?;
        section.require(&passes.given);
        section.local.push(passes.symbol);
        let others: FxHashSet<Symbol> =
            section.symbols().into_iter().filter(|&one| self.is_inside(id, one)).collect();
        let mut others: Vec<Symbol> = others.into_iter().filter(|one| !section.local.contains(one)).collect();
        others.sort_unstable();
        for symbol in others {
            let renamed = self.fresh();
            section = section.substitute(symbol, &Affine::variable(renamed))?;
            section.local.push(renamed);
        }
        Some(section)
    }
}

/// Some passes of a loop.
#[derive(Debug, Clone)]
struct Passes {
    /// The loop variable in one pass, and its value.
    variable: Symbol,
    value: Affine,
    /// The number of the pass, from 0.
    symbol: Symbol,
    given: Vec<Affine>,
}

impl Passes {
    fn all(counted: &Counted, symbol: Symbol) -> Option<Passes> {
        let number = Affine::variable(symbol);
        let value = counted.first.add(&number.scale(counted.step)?)?;
        let rest = if counted.step > 0 { counted.last.sub(&value)? } else { value.sub(&counted.last)? };
        Some(Passes { variable: counted.symbol, value, symbol, given: vec![number, rest] })
    }

    /// Keeps only the passes for which `value + constant` is not negative. An unknown value has no effect.
    fn limit(mut self, value: Option<Affine>, constant: i64) -> Passes {
        self.given.extend(value.and_then(|value| value.add(&Affine::constant(constant))));
        self
    }
}

#[derive(Debug)]
struct Plan {
    blocks: Vec<u32>,
    nodes: FxHashMap<u32, u32>,
    /// The nodes after which the region ends.
    ends: Vec<u32>,
    graph: Graph,
}

impl Plan {
    fn node(&mut self, block: u32) -> u32 {
        let next = self.blocks.len() as u32;
        let node = *self.nodes.entry(block).or_insert(next);
        if node == next {
            self.blocks.push(block);
        }
        node
    }
}

enum Visit {
    Enter(u32),
    Leave(u32),
}

struct Walk {
    plan: Plan,
    /// For each node, the sections that are written there.
    added: Vec<Vec<Rc<Section>>>,
    /// The sections that are written at the current position of the walk.
    active: FxHashMap<Base, Vec<Rc<Section>>>,
    reads: Vec<Read>,
}

impl Walk {
    /// The sections that are written on the path to the end of `node`, from below `above` or from the start.
    fn chain(&self, node: u32, above: Option<u32>) -> Vec<Rc<Section>> {
        let mut nodes = Vec::new();
        let mut at = node;
        while Some(at) != above {
            nodes.push(at);
            let next = self.plan.graph.dominator[at as usize];
            if next == at {
                break;
            }
            at = next;
        }
        nodes.iter().rev().flat_map(|&node| &self.added[node as usize]).cloned().collect()
    }
}
