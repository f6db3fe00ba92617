//! The part of a program that decides which messages are sent.
//!
//! Input: a program, its points-to sets and the procedures without source.
//! Output: the memory whose content matters (peers, tags, requests, conditions), and the operations that matter.
//! Postcondition: an operation that is not in the result neither communicates nor writes such memory. An exception are
//! local variables that are overwritten before an operation that matters reads them: otherwise a loop variable that also
//! counts messages would make each loop matter in which it is used.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bulk::bulk;
use super::input::{addressed, written, Input};
use crate::points_to::Target;
use crate::program::{
    Access, Affine, Argument, BlockId, Call, Content, Dimension, Directive, Expression, Index, Lifetime,
    Operation, OperationKind, ProcedureId, Program, Site, Step, Terminator, Value,
};
use crate::sets::Memory;

#[derive(Debug, Default)]
pub struct Relevant {
    memories: FxHashSet<Memory>,
    /// Local memory that other procedures read.
    shared: FxHashSet<Memory>,
    /// The local memory that is read by what matters, by procedure and block: after the beginning of the block, and by the
    /// condition at its end.
    live: Vec<Vec<Live>>,
    /// Memory whose content is never followed: large arrays of real numbers, and what may change at any time.
    bulk: FxHashSet<Memory>,
    /// The operations that matter, by procedure and block.
    operations: Vec<Vec<Vec<u32>>>,
    procedures: Vec<bool>,
    /// Procedures that communicate or pass a checkpoint, also through other procedures.
    communicating: Vec<bool>,
    /// Whether a branch decides about something that matters.
    branches: Vec<Vec<bool>>,
    ends: Vec<Vec<bool>>,
    /// For branches that decide about a loop: what it contains.
    loops: Vec<Vec<Option<LoopContent>>>,
    /// The checkpoints, and the calls that pass one.
    passing: FxHashSet<Site>,
    /// The blocks from which control may come to such an operation of the same procedure.
    before_checkpoints: Vec<Vec<bool>>,
}

#[derive(Debug, Clone, Default)]
struct Live {
    at_beginning: BTreeSet<Memory>,
    in_condition: BTreeSet<Memory>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoopContent {
    Checkpoint,
    Communication,
    Computation,
}

impl Relevant {
    pub fn new(input: &Input) -> Relevant {
        let procedures = &input.program.procedures;
        let mut found = Relevant {
            memories: FxHashSet::default(),
            shared: FxHashSet::default(),
            live: procedures.iter().map(|one| vec![Live::default(); one.blocks.len()]).collect(),
            bulk: bulk(input),
            operations: procedures.iter().map(|one| vec![Vec::new(); one.blocks.len()]).collect(),
            procedures: vec![false; procedures.len()],
            communicating: vec![false; procedures.len()],
            branches: procedures.iter().map(|one| vec![false; one.blocks.len()]).collect(),
            ends: procedures.iter().map(|one| vec![false; one.blocks.len()]).collect(),
            loops: procedures.iter().map(|one| vec![None; one.blocks.len()]).collect(),
            passing: FxHashSet::default(),
            before_checkpoints: Vec::new(),
        };
        let written: FxHashMap<Site, Vec<Memory>> = input
            .program
            .operations()
            .map(|(site, operation)| (site, written(input, site, operation)))
            .filter(|(_, memories)| !memories.is_empty())
            .collect();
        while found.find_communicating(input) {}
        found.find_ends(input);
        while found.extend(input, &written) {}
        found.find_regions(input);
        found
    }

    fn find_communicating(&mut self, input: &Input) -> bool {
        let mut changed = false;
        for (site, operation) in input.program.operations() {
            let at = site.procedure.0 as usize;
            if !self.communicating[at] && self.communicates(input, site, operation) {
                self.communicating[at] = true;
                changed = true;
            }
        }
        changed
    }

    /// Whether the operation communicates or passes a checkpoint.
    pub fn communicates(&self, input: &Input, site: Site, operation: &Operation) -> bool {
        match &operation.kind {
            OperationKind::Directive(directive) => matches!(**directive, Directive::Checkpoint),
            OperationKind::Call(_) => input.callees(site).iter().any(|target| match target {
                Target::Procedure(id) => self.communicating[id.0 as usize],
                Target::Outside(name) => {
                    let outside = input.outside.get(name);
                    outside.is_none_or(|one| one.communicates() || one.calls_back() && self.calls_back(input))
                }
                Target::Unknown => true,
            }),
            _ => false,
        }
    }

    /// Whether a procedure that is called through a pointer communicates.
    pub fn calls_back(&self, input: &Input) -> bool {
        let procedures = input.program.procedures.iter().zip(&self.communicating);
        procedures.into_iter().any(|(procedure, &communicates)| procedure.address_taken && communicates)
    }

    pub fn operations(&self, procedure: ProcedureId, block: BlockId) -> &[u32] {
        &self.operations[procedure.0 as usize][block.0 as usize]
    }

    pub fn has(&self, memory: Memory) -> bool {
        self.memories.contains(&memory)
    }

    pub fn bulk(&self) -> &FxHashSet<Memory> {
        &self.bulk
    }

    pub fn runs(&self, procedure: ProcedureId) -> bool {
        self.procedures[procedure.0 as usize]
    }

    pub fn branches(&self, procedure: ProcedureId, block: BlockId) -> bool {
        self.branches[procedure.0 as usize][block.0 as usize]
    }

    /// Whether a side of the branch ends the program.
    pub fn ends(&self, procedure: ProcedureId, block: BlockId) -> bool {
        self.ends[procedure.0 as usize][block.0 as usize]
    }

    /// Whether control may come back to the branch before its sides meet.
    pub fn is_loop(&self, procedure: ProcedureId, block: BlockId) -> bool {
        self.loops[procedure.0 as usize][block.0 as usize].is_some()
    }

    /// Whether the branch decides about iterations that pass a checkpoint.
    pub fn has_checkpoint(&self, procedure: ProcedureId, block: BlockId) -> bool {
        self.loops[procedure.0 as usize][block.0 as usize] == Some(LoopContent::Checkpoint)
    }

    /// Whether the branch decides about iterations that neither communicate nor pass a checkpoint.
    pub fn only_computes(&self, procedure: ProcedureId, block: BlockId) -> bool {
        self.loops[procedure.0 as usize][block.0 as usize] == Some(LoopContent::Computation)
    }

    /// The first operation that communicates, and that the branch decides about.
    pub fn first_communication(&self, input: &Input, procedure: ProcedureId, block: BlockId) -> Option<Site> {
        let mut region = input.shapes[procedure.0 as usize].region(block);
        region.sort_unstable();
        let sites = region.into_iter().flat_map(|block| {
            let operations = self.operations(procedure, block).iter();
            operations.map(move |&operation| Site { procedure, block, operation })
        });
        sites.into_iter().find(|&site| self.communicates(input, site, input.program.operation(site)))
    }

    /// The branches of which a side ends the program.
    fn find_ends(&mut self, input: &Input) {
        for (at, (procedure, shape)) in input.program.procedures.iter().zip(input.shapes).enumerate() {
            let stops =
                |one: &BlockId| matches!(procedure.blocks[one.0 as usize].terminator, Terminator::Stop);
            if !(0..procedure.blocks.len() as u32).any(|block| stops(&BlockId(block))) {
                continue;
            }
            for block in (0..procedure.blocks.len() as u32).map(BlockId) {
                let branches = shape.successors[block.0 as usize].len() >= 2;
                self.ends[at][block.0 as usize] = branches && shape.region(block).iter().any(stops);
            }
        }
    }

    /// What the regions of branches contain.
    fn find_regions(&mut self, input: &Input) {
        let passes = self.find_passing(input);
        for (id, procedure) in (0..).map(ProcedureId).zip(&input.program.procedures) {
            if !self.runs(id) {
                continue;
            }
            let shape = &input.shapes[id.0 as usize];
            for block in (0..procedure.blocks.len() as u32).map(BlockId) {
                if shape.successors[block.0 as usize].len() < 2 {
                    continue;
                }
                let region = shape.region(block);
                let at = (id.0 as usize, block.0 as usize);
                let passes_checkpoint = region.iter().any(|one| passes[at.0][one.0 as usize]);
                let content = || match passes_checkpoint {
                    true => LoopContent::Checkpoint,
                    false if self.first_communication(input, id, block).is_some() => {
                        LoopContent::Communication
                    }
                    false => LoopContent::Computation,
                };
                self.loops[at.0][at.1] = region.contains(&block).then(content);
            }
        }
    }

    /// Whether control may come from the block to a checkpoint before the procedure returns.
    pub fn is_before_checkpoint(&self, procedure: ProcedureId, block: BlockId) -> bool {
        let blocks = &self.before_checkpoints[procedure.0 as usize];
        // The end of the procedure is no block.
        blocks.get(block.0 as usize).is_some_and(|&is_before| is_before)
    }

    /// The same for the operations after a call.
    pub fn continues_to_checkpoint(&self, input: &Input, call: Site) -> bool {
        let later = |site: &&Site| {
            site.procedure == call.procedure && site.block == call.block && site.operation > call.operation
        };
        let next = &input.shapes[call.procedure.0 as usize].successors[call.block.0 as usize];
        self.passing.iter().any(|site| later(&site))
            || next.iter().any(|&block| self.is_before_checkpoint(call.procedure, block))
    }

    /// Whether a checkpoint is on a cycle through the block.
    pub fn repeats_checkpoint(&self, input: &Input, procedure: ProcedureId, block: BlockId) -> bool {
        let successors = &input.shapes[procedure.0 as usize].successors;
        let reached = |start: BlockId| {
            let mut seen = vec![false; successors.len()];
            let mut work = successors[start.0 as usize].clone();
            while let Some(next) = work.pop() {
                if !std::mem::replace(&mut seen[next.0 as usize], true) {
                    work.extend(&successors[next.0 as usize]);
                }
            }
            seen
        };
        let forward = reached(block);
        let own = self.passing.iter().filter(|site| site.procedure == procedure);
        let blocks: std::collections::BTreeSet<BlockId> = own.map(|site| site.block).collect();
        blocks.into_iter().any(|one| forward[one.0 as usize] && reached(one)[block.0 as usize])
    }

    /// Whether each block passes a checkpoint, also in procedures that it calls.
    fn find_passing(&mut self, input: &Input) -> Vec<Vec<bool>> {
        let procedures = &input.program.procedures;
        let mut blocks: Vec<Vec<bool>> = procedures.iter().map(|one| vec![false; one.blocks.len()]).collect();
        let mut known = vec![false; procedures.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (site, operation) in input.program.operations() {
                let passes = match &operation.kind {
                    OperationKind::Directive(directive) => matches!(**directive, Directive::Checkpoint),
                    OperationKind::Call(_) => {
                        let targets = input.callees(site);
                        targets
                            .iter()
                            .any(|target| matches!(target, Target::Procedure(id) if known[id.0 as usize]))
                    }
                    _ => false,
                };
                if passes {
                    self.passing.insert(site);
                }
                let block = &mut blocks[site.procedure.0 as usize][site.block.0 as usize];
                if passes && !*block {
                    *block = true;
                    known[site.procedure.0 as usize] = true;
                    changed = true;
                }
            }
        }
        let all = blocks.iter().zip(input.shapes);
        self.before_checkpoints = all.map(|(blocks, shape)| before(blocks, &shape.successors)).collect();
        blocks
    }

    /// One round. Returns whether something was added.
    fn extend(&mut self, input: &Input, written: &FxHashMap<Site, Vec<Memory>>) -> bool {
        let before = self.total();
        let memories = std::mem::take(&mut self.memories);
        let mut needs = Needs { input, bulk: &self.bulk, memories, recent: Vec::new() };
        for (id, procedure) in (0..).map(ProcedureId).zip(&input.program.procedures) {
            let shape = &input.shapes[id.0 as usize];
            // Operations come after those that need them.
            for (number, content) in procedure.blocks.iter().enumerate().rev() {
                let block = BlockId(number as u32);
                let all = &self.live[id.0 as usize];
                let next = &shape.successors[block.0 as usize];
                let mut live = all[block.0 as usize].in_condition.clone();
                live.extend(next.iter().flat_map(|next| &all[next.0 as usize].at_beginning));
                let mut own = Vec::new();
                for (at, operation) in content.operations.iter().enumerate().rev() {
                    let at = at as u32;
                    let site = Site { procedure: id, block, operation: at };
                    let targets = written.get(&site).map_or(&[][..], |memories| memories);
                    let replaced = replaced(input.program, id, operation);
                    let replaced = replaced.filter(|memory| !self.shared.contains(memory));
                    let matters = |memory: &Memory| match replaced == Some(*memory) {
                        true => live.contains(memory),
                        false => needs.matters(*memory),
                    };
                    let writes = targets.iter().any(matters);
                    if let Some(memory) = replaced {
                        live.remove(&memory);
                    }
                    if self.acts(input, site, operation) || writes {
                        needs.operation(site, operation);
                        needs.take_local(id, &mut live, &mut self.shared);
                        own.push(at);
                    }
                }
                own.reverse();
                self.procedures[id.0 as usize] |= !own.is_empty();
                self.operations[id.0 as usize][block.0 as usize] = own;
                self.live[id.0 as usize][block.0 as usize].at_beginning = live;
            }
        }
        for (id, procedure) in (0..).map(ProcedureId).zip(&input.program.procedures) {
            if !self.procedures[id.0 as usize] {
                continue;
            }
            for (block, content) in (0..).map(BlockId).zip(&procedure.blocks) {
                let shape = &input.shapes[id.0 as usize];
                if shape.successors[block.0 as usize].len() < 2 {
                    continue;
                }
                let operations = &self.operations[id.0 as usize];
                let decides =
                    shape.region(block).iter().any(|inside| !operations[inside.0 as usize].is_empty());
                self.branches[id.0 as usize][block.0 as usize] = decides;
                if decides || self.ends(id, block) {
                    if let Terminator::Branch { condition: Some(condition), .. } = &content.terminator {
                        needs.affine(&condition.left);
                        needs.affine(&condition.right);
                    }
                    content.condition.iter().for_each(|condition| needs.expression(condition));
                    let live = &mut self.live[id.0 as usize][block.0 as usize];
                    needs.take_local(id, &mut live.in_condition, &mut self.shared);
                }
            }
        }
        self.memories = needs.memories;
        before != self.total()
    }

    /// A number that grows with everything that is added.
    fn total(&self) -> usize {
        let live = self.live.iter().flatten();
        let live: usize = live.map(|live| live.at_beginning.len() + live.in_condition.len()).sum();
        let operations: usize = self.operations.iter().flatten().map(Vec::len).sum();
        live + operations + self.memories.len() + self.shared.len()
    }

    /// Whether an operation communicates, or calls a procedure that matters.
    fn acts(&self, input: &Input, site: Site, operation: &Operation) -> bool {
        let runs = |target: &Target| matches!(target, Target::Procedure(id) if self.runs(*id));
        self.communicates(input, site, operation) || input.callees(site).iter().any(runs)
    }
}

/// The blocks from which control may come to one of these.
fn before(these: &[bool], successors: &[Vec<BlockId>]) -> Vec<bool> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (block, next) in successors.iter().enumerate() {
        next.iter().for_each(|to| predecessors[to.0 as usize].push(block));
    }
    let mut found = these.to_vec();
    let mut work: Vec<usize> = (0..these.len()).filter(|&block| these[block]).collect();
    while let Some(block) = work.pop() {
        for &earlier in &predecessors[block] {
            if !std::mem::replace(&mut found[earlier], true) {
                work.push(earlier);
            }
        }
    }
    found
}

/// Whether an argument is the data of a message, whose content does not matter. Its type shows what is overwritten.
pub fn is_data(name: &str) -> bool {
    name.contains("buf")
        || matches!(name, "status" | "array_of_statuses" | "ierror" | "base" | "info" | "op")
        || name.ends_with("addr")
}

/// The local memory that the operation replaces as a whole.
fn replaced(program: &Program, procedure: ProcedureId, operation: &Operation) -> Option<Memory> {
    let to = match &operation.kind {
        OperationKind::Write { to, .. } | OperationKind::Allocate { to, .. } => to,
        OperationKind::Call(call) => call.result.as_ref()?,
        _ => return None,
    };
    let variable = &program.variables[to.root.0 as usize];
    let object = &program.objects[variable.object.0 as usize];
    let is_whole = to.path.is_empty() && variable.offset == 0 && to.size.is_some() && to.size == object.size;
    (is_whole && object.lifetime == Lifetime::Local(procedure)).then(|| variable.object.into())
}

struct Needs<'i, 'p> {
    input: &'i Input<'p>,
    bulk: &'i FxHashSet<Memory>,
    memories: FxHashSet<Memory>,
    /// What was needed since the last call of `take_local`.
    recent: Vec<Memory>,
}

impl Needs<'_, '_> {
    fn matters(&self, memory: Memory) -> bool {
        if memory == self.input.points.unknown() {
            return self.memories.iter().any(|&one| self.input.points.is_escaped(one));
        }
        self.memories.contains(&memory)
    }

    fn add(&mut self, access: &Access) {
        let unknown = self.input.points.unknown();
        let places = self.input.points.denoted(self.input.program, access);
        self.insert(places.into_iter().map(|place| place.0).filter(|&memory| memory != unknown));
    }

    fn insert(&mut self, memories: impl Iterator<Item = Memory>) {
        memories.filter(|memory| !self.bulk.contains(memory)).for_each(|memory| self.need(memory));
    }

    fn need(&mut self, memory: Memory) {
        self.memories.insert(memory);
        self.recent.push(memory);
    }

    /// Sorts the local memory that was needed last: that of this procedure, and of others.
    fn take_local(&mut self, id: ProcedureId, own: &mut BTreeSet<Memory>, others: &mut FxHashSet<Memory>) {
        for memory in self.recent.drain(..) {
            let object = self.input.program.objects.get(memory.0 as usize);
            match object.map(|object| object.lifetime) {
                Some(Lifetime::Local(owner)) if owner == id => own.insert(memory),
                Some(Lifetime::Local(_)) => others.insert(memory),
                Some(Lifetime::Static) | None => false,
            };
        }
    }

    fn operation(&mut self, site: Site, operation: &Operation) {
        operation.computed.iter().for_each(|computed| self.expression(computed));
        match &operation.kind {
            OperationKind::Write { to, value } => {
                self.path(to);
                self.value(value);
            }
            OperationKind::Allocate { to, .. } => self.path(to),
            OperationKind::Call(call) => self.call(site, call),
            _ => {}
        }
    }

    fn call(&mut self, site: Site, call: &Call) {
        call.result.iter().for_each(|access| self.path(access));
        for target in self.input.callees(site) {
            match target {
                Target::Procedure(id) => self.inside(*id, call),
                Target::Outside(name) => {
                    let outside = self.input.outside.get(name);
                    for (at, argument) in call.arguments.iter().enumerate() {
                        let parameter = outside.and_then(|one| one.entry.as_ref()?.parameter(at));
                        let is_data = parameter.is_some_and(|parameter| is_data(&parameter.name));
                        let is_size = outside.is_some_and(|one| one.is_size_of_sent(at));
                        let is_mpi = outside.is_some_and(|one| one.mpi.is_some());
                        if !(is_mpi && (is_data || is_size)) {
                            self.argument(argument, true);
                        }
                    }
                }
                Target::Unknown => {}
            }
        }
    }

    fn inside(&mut self, id: ProcedureId, call: &Call) {
        let program = self.input.program;
        let procedure = &program.procedures[id.0 as usize];
        if let (Some(to), Some(result)) = (&call.result, procedure.result) {
            let places = self.input.points.denoted(program, to);
            if places.iter().any(|place| self.memories.contains(&place.0)) {
                self.need(program.variables[result.0 as usize].object.into());
            }
        }
        for (argument, parameter) in call.arguments.iter().zip(&procedure.parameters) {
            let parameter = &program.variables[parameter.0 as usize];
            let is_used = self.memories.contains(&parameter.object.into());
            if is_used || matches!(argument, Argument::Reference(_)) {
                self.argument(argument, false);
            }
        }
    }

    /// `content`: also what a reference or a pointer refers to.
    fn argument(&mut self, argument: &Argument, content: bool) {
        match argument {
            Argument::Value(value) => self.value(value),
            Argument::Reference(access) => self.path(access),
            Argument::Absent => {}
        }
        if content {
            let unknown = self.input.points.unknown();
            let found = addressed(self.input, argument);
            self.insert(found.into_iter().filter(|&memory| memory != unknown));
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Affine(affine) => self.affine(affine),
            Value::Copy(access) => {
                self.path(access);
                self.add(access);
            }
            Value::Address(access) => self.path(access),
            Value::Data | Value::Procedure(_) | Value::Null | Value::Unknown => {}
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Affine(affine) => self.affine(affine),
            Expression::Load(access) => {
                self.path(access);
                self.add(access);
            }
            Expression::Negate(inner) | Expression::Not(inner) | Expression::NonNegative(inner) => {
                self.expression(inner);
            }
            Expression::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            Expression::Choice(all) => all.iter().for_each(|one| self.expression(one)),
            Expression::RealFunction(_, all) | Expression::Of(all) => {
                all.iter().for_each(|one| self.expression(one));
            }
            Expression::Parts { parts, .. } => parts.iter().for_each(|part| self.expression(&part.1)),
            Expression::FirstElement(access) => self.path(access),
            Expression::Real(_) | Expression::InputFile(_) | Expression::Text(_) | Expression::Unknown => {}
        }
    }

    fn affine(&mut self, affine: &Affine) {
        for (variable, _) in &affine.terms {
            let view = &self.input.program.variables[variable.0 as usize];
            self.need(view.object.into());
            if let Content::Reference { .. } = view.content {
                let object = [(Memory::from(view.object), Some(view.offset))];
                let unknown = self.input.points.unknown();
                let targets = self.input.points.follow(&object);
                self.insert(targets.into_iter().map(|place| place.0).filter(|&one| one != unknown));
            }
        }
    }

    /// The pointers and the indices on the way to the memory.
    fn path(&mut self, access: &Access) {
        for (at, step) in access.path.iter().enumerate() {
            match step {
                Step::Dereference => {
                    let pointer = Access { path: access.path[..at].to_vec(), ..access.clone() };
                    self.add(&pointer);
                }
                Step::Elements(dimensions) => dimensions.iter().for_each(|one| self.dimension(one)),
                Step::Field { .. } => {}
            }
        }
    }

    fn dimension(&mut self, dimension: &Dimension) {
        match &dimension.index {
            Index::At(index) => self.affine(index),
            Index::Range { first, .. } => self.affine(first),
            Index::All | Index::Unknown => {}
        }
        dimension.lower.iter().for_each(|lower| self.affine(lower));
    }
}
