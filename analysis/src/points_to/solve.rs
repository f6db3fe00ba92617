//! Solution of the constraints by difference propagation.
//!
//! Input: copies, loads, stores and record copies between nodes. Output: the targets of every node.
//! Postcondition: every constraint holds. The order of the work depends only on the program.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{MemoryKind, PointsTo, ANY_OFFSET};
use crate::effects::Effects;
use crate::program::{Call, ObjectId, ProcedureId, Program};
use crate::sets::{Memory, NumberSet, END};

/// The maximum number of offsets of a memory that have their own node. All others share one node.
const OFFSETS: usize = 64;

pub(super) struct Solver<'p> {
    pub program: &'p Program,
    pub effects: &'p dyn Effects,
    pub result: PointsTo,
    work: Vec<Work<'p>>,
    relations: Vec<Vec<Relation>>,
    records: Vec<Record>,
    known: FxHashSet<(u32, u32, u64)>,
    related: FxHashSet<(u32, u32, u32)>,
    loaded: FxHashMap<(u32, u64), u32>,
    pub code_of: FxHashMap<String, Memory>,
    /// Memory whose type has no addresses. Unknown code stores none there. The program may, through another type.
    pub only_data: FxHashSet<Memory>,
    queue: VecDeque<u32>,
    found: Vec<Found<'p>>,
    pub unknown: u32,
    pub library: u32,
}

/// The constraints that have to be applied when a node gets a new target.
#[derive(Default)]
struct Work<'p> {
    pending: NumberSet,
    queued: bool,
    /// The node gets the same targets, at this distance.
    copies: Vec<(u32, u64)>,
    /// The node gets the content of the memory at this distance.
    loads: Vec<(u64, u32)>,
    stores: Vec<(u64, u32)>,
    records: Vec<u32>,
    calls: Vec<&'p Call>,
}

/// `size` bytes at the targets of `from` are copied to the targets of `to`.
#[derive(Clone, Copy)]
struct Record {
    from: u32,
    to: u32,
    size: u64,
}

/// Pointers at `start..end` of a memory are copied to another memory.
#[derive(Clone, Copy)]
struct Relation {
    start: u64,
    end: u64,
    to: Memory,
    to_start: u64,
}

/// Facts that the solver has found and that lead to new constraints.
pub(super) enum Found<'p> {
    /// The call may run the procedures at this node.
    Callee(&'p Call, u32),
    /// Unknown code may call this procedure.
    Escaped(ProcedureId),
}

impl<'p> Solver<'p> {
    pub fn new(program: &'p Program, effects: &'p dyn Effects) -> Solver<'p> {
        let mut solver = Solver {
            program,
            effects,
            result: PointsTo::default(),
            work: Vec::new(),
            relations: Vec::new(),
            records: Vec::new(),
            known: FxHashSet::default(),
            related: FxHashSet::default(),
            loaded: FxHashMap::default(),
            code_of: FxHashMap::default(),
            only_data: FxHashSet::default(),
            queue: VecDeque::new(),
            found: Vec::new(),
            unknown: 0,
            library: 0,
        };
        for object in &program.objects {
            solver.memory(MemoryKind::Object, object.size);
        }
        let unknown = solver.memory(MemoryKind::Unknown, None);
        let library = solver.memory(MemoryKind::Library, None);
        solver.result.unknown = unknown;
        solver.unknown = solver.location(unknown, 0);
        solver.library = solver.location(library, 0);
        solver.point(solver.unknown, solver.unknown);
        solver.point(solver.library, solver.library);
        for (number, object) in program.objects.iter().enumerate() {
            if object.external && !program.whole {
                let at = solver.location(ObjectId(number as u32).into(), 0);
                solver.point(solver.unknown, at);
            }
        }
        solver
    }

    /// Propagates until the targets no longer change, or a new fact was found.
    pub fn run(&mut self) -> Vec<Found<'p>> {
        while self.found.is_empty() {
            let Some(node) = self.queue.pop_front() else { break };
            self.propagate(node);
        }
        std::mem::take(&mut self.found)
    }

    pub fn memory(&mut self, kind: MemoryKind, size: Option<u64>) -> Memory {
        self.relations.push(Vec::new());
        self.result.add_memory(kind, size)
    }

    pub fn node(&mut self) -> u32 {
        self.result.places.push(None);
        self.result.targets.push(NumberSet::default());
        self.work.push(Work::default());
        self.work.len() as u32 - 1
    }

    /// The node of the pointer at this offset of the memory.
    pub fn location(&mut self, memory: Memory, offset: u64) -> u32 {
        let single = matches!(
            self.result.kind(memory),
            MemoryKind::Unknown | MemoryKind::Library | MemoryKind::Code(..)
        );
        let mut offset = if single { 0 } else { offset };
        if let Some(&node) = self.result.nodes.get(&(memory, offset)) {
            return node;
        }
        if self.result.nodes_of[memory.0 as usize].len() >= OFFSETS && offset != ANY_OFFSET {
            offset = ANY_OFFSET;
            if let Some(&node) = self.result.nodes.get(&(memory, offset)) {
                return node;
            }
        }
        let node = self.node();
        self.result.places[node as usize] = Some((memory, offset));
        self.result.nodes.insert((memory, offset), node);
        if offset == ANY_OFFSET {
            for other in self.result.nodes_of[memory.0 as usize].clone() {
                self.copy(other, node, 0);
                self.copy(node, other, 0);
            }
        }
        self.result.nodes_of[memory.0 as usize].push(node);
        for relation in self.relations[memory.0 as usize].clone() {
            self.relate(node, offset, relation);
        }
        if self.result.escaped.contains(&memory) {
            self.escape_node(node);
        }
        node
    }

    fn shifted(&mut self, node: u32, distance: u64) -> Option<u32> {
        let (memory, offset) = self.result.places[node as usize]?;
        let offset = if offset == ANY_OFFSET { offset } else { offset.saturating_add(distance) };
        Some(self.location(memory, offset))
    }

    /// `node` may point to `target`.
    pub fn point(&mut self, node: u32, target: u32) {
        let mut set = NumberSet::default();
        set.insert(target);
        self.extend(node, &set);
    }

    fn extend(&mut self, node: u32, set: &NumberSet) {
        let new = self.result.targets[node as usize].add(set);
        if new.is_empty() {
            return;
        }
        let work = &mut self.work[node as usize];
        work.pending.add(&new);
        if !work.queued {
            work.queued = true;
            self.queue.push_back(node);
        }
    }

    pub fn copy(&mut self, from: u32, to: u32, distance: u64) {
        if from == self.unknown && to != from {
            // Otherwise, each pointer in escaped memory would have all escaped memory as its targets.
            return self.point(to, self.unknown);
        }
        if (from == to && distance == 0) || !self.known.insert((from, to, distance)) {
            return;
        }
        self.work[from as usize].copies.push((to, distance));
        let set = self.result.targets[from as usize].clone();
        self.copy_set(&set, to, distance);
    }

    fn copy_set(&mut self, set: &NumberSet, to: u32, distance: u64) {
        if distance == 0 {
            self.extend(to, set);
            return;
        }
        let mut moved = NumberSet::default();
        for target in set.iter() {
            if let Some(target) = self.shifted(target, distance) {
                moved.insert(target);
            }
        }
        self.extend(to, &moved);
    }

    /// The node of the value at `distance` from the target of `pointer`.
    pub fn load(&mut self, pointer: u32, distance: u64) -> u32 {
        if let Some(&node) = self.loaded.get(&(pointer, distance)) {
            return node;
        }
        let node = self.node();
        self.loaded.insert((pointer, distance), node);
        self.work[pointer as usize].loads.push((distance, node));
        for target in self.result.targets[pointer as usize].clone().iter() {
            self.load_from(target, distance, node);
        }
        node
    }

    fn load_from(&mut self, target: u32, distance: u64, node: u32) {
        if let Some(at) = self.shifted(target, distance) {
            self.copy(at, node, 0);
        }
    }

    pub fn store(&mut self, pointer: u32, distance: u64, value: u32) {
        self.work[pointer as usize].stores.push((distance, value));
        for target in self.result.targets[pointer as usize].clone().iter() {
            self.store_to(target, distance, value);
        }
    }

    fn store_to(&mut self, target: u32, distance: u64, value: u32) {
        if let Some(at) = self.shifted(target, distance) {
            self.copy(value, at, 0);
        }
    }

    /// Pointers in the `size` bytes at the targets of `from` are copied to the targets of `to`.
    pub fn copy_record(&mut self, from: u32, to: u32, size: u64) {
        let id = self.records.len() as u32;
        self.records.push(Record { from, to, size });
        self.work[from as usize].records.push(id);
        self.work[to as usize].records.push(id);
        self.relate_all(id);
    }

    fn relate_all(&mut self, id: u32) {
        let Record { from, to, size } = self.records[id as usize];
        let sources: Vec<_> = self.result.targets[from as usize].iter().collect();
        let targets: Vec<_> = self.result.targets[to as usize].iter().collect();
        for &source in &sources {
            for &target in &targets {
                if !self.related.insert((source, target, id)) {
                    continue;
                }
                let (Some((memory, start)), Some((to, to_start))) =
                    (self.result.places[source as usize], self.result.places[target as usize])
                else {
                    continue;
                };
                let any = start == ANY_OFFSET || to_start == ANY_OFFSET;
                let relation = Relation {
                    start: if any { 0 } else { start },
                    end: if any { END } else { start.saturating_add(size) },
                    to,
                    to_start: if any { ANY_OFFSET } else { to_start },
                };
                self.relations[memory.0 as usize].push(relation);
                for node in self.result.nodes_of[memory.0 as usize].clone() {
                    if let Some((_, offset)) = self.result.places[node as usize] {
                        self.relate(node, offset, relation);
                    }
                }
            }
        }
    }

    fn relate(&mut self, node: u32, offset: u64, relation: Relation) {
        if offset != ANY_OFFSET && (offset < relation.start || offset >= relation.end) {
            return;
        }
        let any = offset == ANY_OFFSET || relation.to_start == ANY_OFFSET;
        let at = if any { ANY_OFFSET } else { relation.to_start + (offset - relation.start) };
        let to = self.location(relation.to, at);
        self.copy(node, to, 0);
    }

    pub fn call_through(&mut self, pointer: u32, call: &'p Call) {
        self.work[pointer as usize].calls.push(call);
        for target in self.result.targets[pointer as usize].clone().iter() {
            self.found.push(Found::Callee(call, target));
        }
    }

    fn propagate(&mut self, node: u32) {
        let work = &mut self.work[node as usize];
        work.queued = false;
        let new = std::mem::take(&mut work.pending);
        let (copies, loads, stores) = (work.copies.clone(), work.loads.clone(), work.stores.clone());
        let (records, calls) = (work.records.clone(), work.calls.clone());
        for (to, distance) in copies {
            self.copy_set(&new, to, distance);
        }
        for target in new.iter() {
            for &(distance, to) in &loads {
                self.load_from(target, distance, to);
            }
            for &(distance, value) in &stores {
                self.store_to(target, distance, value);
            }
            for call in &calls {
                self.found.push(Found::Callee(call, target));
            }
            if node == self.unknown {
                self.escape(target);
            }
        }
        for id in records {
            self.relate_all(id);
        }
    }

    /// Records that unknown code may use the address of this memory.
    fn escape(&mut self, target: u32) {
        let Some((memory, _)) = self.result.places[target as usize] else { return };
        if memory == self.result.unknown || !self.result.escaped.insert(memory) {
            return;
        }
        if let MemoryKind::Code(Some(id), _) = *self.result.kind(memory) {
            self.found.push(Found::Escaped(id));
            return;
        }
        for node in self.result.nodes_of[memory.0 as usize].clone() {
            self.escape_node(node);
        }
    }

    fn escape_node(&mut self, node: u32) {
        self.copy(node, self.unknown, 0);
        let is_only_data =
            self.result.places[node as usize].is_some_and(|place| self.only_data.contains(&place.0));
        if !is_only_data {
            self.copy(self.unknown, node, 0);
        }
    }
}
