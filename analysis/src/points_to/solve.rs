//! Solution of the constraints by difference propagation.
//!
//! Input: copies, loads, stores and record copies between nodes. Output: the targets of every node.
//! Postcondition: every constraint holds. The order of the work depends only on the program.
//!
//! Nodes of a cycle of copies have the same targets, so they are unified: Hardekopf and Lin, The Ant and the Grasshopper
//! (PLDI 2007), section 4. A search for cycles follows when the number of copies has grown by a half.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::records::{shifted, Record, Relation};
use super::{MemoryKind, PointsTo, ANY_OFFSET};
use crate::components::components;
use crate::effects::Effects;
use crate::program::{Call, ObjectId, ProcedureId, Program};
use crate::sets::{Memory, NumberSet};

/// The maximum number of offsets of a memory that have their own node. All others share one node, and then all nodes of the
/// memory have the same targets. Structures of large programs have some hundreds of pointers.
const OFFSETS: usize = 1024;
/// The same for memory whose size is not known. If a program allocates all of its memory in one procedure, many structures share
/// such a memory.
const OFFSETS_OF_ANY_SIZE: usize = 64;
/// With fewer copies, a search for cycles takes longer than the work that it saves.
const FEW_COPIES: usize = 2000;

pub(super) struct Solver<'p> {
    pub program: &'p Program,
    pub effects: &'p dyn Effects,
    pub result: PointsTo,
    work: Vec<Work<'p>>,
    relations: Vec<Vec<Relation>>,
    records: Vec<Record>,
    known: FxHashSet<(u32, u32)>,
    /// The number of copies that lead to the next search for cycles.
    limit: usize,
    called: FxHashSet<(*const Call, u32)>,
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
    /// These nodes get the same targets.
    copies: Vec<u32>,
    /// The node gets the same targets, at this distance.
    shifts: Vec<(u64, u32)>,
    /// The node gets the content of the memory at this distance.
    loads: Vec<(u64, u32)>,
    /// The memory at this distance gets the targets of the node.
    stores: Vec<(u64, u32)>,
    /// Records at the targets, and records that are copied to the targets.
    records: Vec<u32>,
    destinations: Vec<u32>,
    calls: Vec<&'p Call>,
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
            limit: FEW_COPIES,
            called: FxHashSet::default(),
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
            if self.known.len() > self.limit {
                self.unify_cycles();
            }
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
        let node = self.work.len() as u32;
        self.result.same.push(node);
        self.work.push(Work::default());
        node
    }

    /// The node of the addresses that a procedure without source keeps, and returns later.
    pub fn kept(&mut self, name: &str) -> u32 {
        if let Some(&node) = self.result.kept.get(name) {
            return node;
        }
        let node = self.node();
        self.point(node, self.library);
        self.result.kept.insert(name.to_owned(), node);
        node
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
        let limit = self.result.size(memory).map_or(OFFSETS_OF_ANY_SIZE, |_| OFFSETS);
        if self.result.nodes_of[memory.0 as usize].len() >= limit && offset != ANY_OFFSET {
            offset = ANY_OFFSET;
            if let Some(&node) = self.result.nodes.get(&(memory, offset)) {
                return node;
            }
        }
        let node = self.node();
        self.result.places[node as usize] = Some((memory, offset));
        self.result.nodes.insert((memory, offset), node);
        let any = self.result.nodes.get(&(memory, ANY_OFFSET)).copied();
        let others = self.result.nodes_of[memory.0 as usize].clone();
        self.result.nodes_of[memory.0 as usize].push(node);
        match any {
            // All nodes of the memory are one, to which its relations apply already.
            Some(any) if any != node => {
                self.result.same[node as usize] = self.same(any);
                return node;
            }
            Some(_) => self.unify_all(others.into_iter().map(|other| (node, other)).collect()),
            None => {}
        }
        for relation in self.relations[memory.0 as usize].clone() {
            self.relate(node, relation);
        }
        if self.result.escaped.contains(&memory) {
            self.escape_node(node);
        }
        node
    }

    /// The nodes of a memory that may have different targets.
    fn separate_nodes(&self, memory: Memory) -> Vec<u32> {
        match self.result.nodes.get(&(memory, ANY_OFFSET)) {
            Some(&any) => vec![any],
            None => self.result.nodes_of[memory.0 as usize].clone(),
        }
    }

    fn shifted(&mut self, node: u32, distance: u64) -> Option<u32> {
        let (memory, offset) = self.result.places[node as usize]?;
        Some(self.location(memory, shifted(offset, distance)))
    }

    /// `node` may point to `target`.
    pub fn point(&mut self, node: u32, target: u32) {
        let mut set = NumberSet::default();
        set.insert(target);
        self.extend(node, &set);
    }

    fn extend(&mut self, node: u32, set: &NumberSet) {
        let node = self.same(node);
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

    /// The node that has the targets of this one.
    fn same(&mut self, node: u32) -> u32 {
        let found = self.result.same_as(node);
        self.result.same[node as usize] = found;
        found
    }

    pub fn copy(&mut self, from: u32, to: u32, distance: u64) {
        if from == self.unknown && to != from {
            // Otherwise, each pointer in escaped memory would have all escaped memory as its targets.
            return self.point(to, self.unknown);
        }
        let (from, to) = (self.same(from), self.same(to));
        if distance != 0 {
            if !self.work[from as usize].shifts.contains(&(distance, to)) {
                self.work[from as usize].shifts.push((distance, to));
                let set = self.result.targets[from as usize].clone();
                self.copy_shifted(&set, to, distance);
            }
            return;
        }
        if from == to || !self.known.insert((from, to)) {
            return;
        }
        self.work[from as usize].copies.push(to);
        let set = std::mem::take(&mut self.result.targets[from as usize]);
        self.extend(to, &set);
        self.result.targets[from as usize] = set;
    }

    fn copy_shifted(&mut self, set: &NumberSet, to: u32, distance: u64) {
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
        let pointer = self.same(pointer);
        let known = self.work[pointer as usize].loads.iter().find(|load| load.0 == distance);
        if let Some(&(_, node)) = known {
            return node;
        }
        let node = self.node();
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
        let pointer = self.same(pointer);
        let known = self.work[pointer as usize].stores.iter().find(|store| store.0 == distance);
        if let Some(&(_, node)) = known {
            return self.copy(value, node, 0);
        }
        let node = self.node();
        self.copy(value, node, 0);
        self.work[pointer as usize].stores.push((distance, node));
        for target in self.result.targets[pointer as usize].clone().iter() {
            self.store_to(target, distance, node);
        }
    }

    fn store_to(&mut self, target: u32, distance: u64, value: u32) {
        if let Some(at) = self.shifted(target, distance) {
            self.copy(value, at, 0);
        }
    }

    /// Pointers in the `size` bytes at the targets of `from` are copied to the targets of `to`.
    pub fn copy_record(&mut self, from: u32, to: u32, size: u64) {
        let (from, to) = (self.same(from), self.same(to));
        let records = self.work[from as usize].records.iter().copied();
        let known = records.into_iter().find(|id| self.records[*id as usize].size == size);
        let id = known.unwrap_or_else(|| {
            self.records.push(Record::new(size));
            self.records.len() as u32 - 1
        });
        if known.is_none() {
            self.work[from as usize].records.push(id);
            for target in self.result.targets[from as usize].clone().iter() {
                self.add_source(id, target);
            }
        }
        if !self.work[to as usize].destinations.contains(&id) {
            self.work[to as usize].destinations.push(id);
            for target in self.result.targets[to as usize].clone().iter() {
                self.add_destination(id, target);
            }
        }
    }

    fn add_source(&mut self, id: u32, source: u32) {
        let Some((memory, start)) = self.result.places[source as usize] else { return };
        let record = &mut self.records[id as usize];
        if !record.sources.insert(source) {
            return;
        }
        let relation = Relation { start, end: start.saturating_add(record.size), record: id };
        self.relations[memory.0 as usize].push(relation);
        for node in self.separate_nodes(memory) {
            self.relate(node, relation);
        }
    }

    fn add_destination(&mut self, id: u32, target: u32) {
        let Some((memory, start)) = self.result.places[target as usize] else { return };
        let record = &mut self.records[id as usize];
        if !record.destinations.insert(target) {
            return;
        }
        record.destination_places.push((memory, start));
        for distance in record.distances.clone() {
            let node = self.records[id as usize].nodes[&distance];
            let at = self.location(memory, shifted(start, distance));
            self.copy(node, at, 0);
        }
    }

    /// The pointer at this node is part of the record, if it is in its bytes.
    fn relate(&mut self, node: u32, relation: Relation) {
        let Some((_, offset)) = self.result.places[node as usize] else { return };
        let Some(distance) = relation.distance(offset) else { return };
        let id = relation.record as usize;
        if let Some(&to) = self.records[id].nodes.get(&distance) {
            return self.copy(node, to, 0);
        }
        let to = self.node();
        self.records[id].nodes.insert(distance, to);
        self.records[id].distances.push(distance);
        self.copy(node, to, 0);
        for (memory, start) in self.records[id].destination_places.clone() {
            let at = self.location(memory, shifted(start, distance));
            self.copy(to, at, 0);
        }
    }

    pub fn call_through(&mut self, pointer: u32, call: &'p Call) {
        let pointer = self.same(pointer);
        self.work[pointer as usize].calls.push(call);
        for target in self.result.targets[pointer as usize].clone().iter() {
            self.find_callee(call, target);
        }
    }

    fn find_callee(&mut self, call: &'p Call, target: u32) {
        if self.called.insert((std::ptr::from_ref(call), target)) {
            self.found.push(Found::Callee(call, target));
        }
    }

    fn propagate(&mut self, node: u32) {
        let work = &mut self.work[node as usize];
        if !std::mem::take(&mut work.queued) {
            return;
        }
        let new = std::mem::take(&mut work.pending);
        let (copies, shifts) = (work.copies.clone(), work.shifts.clone());
        let (loads, stores, calls) = (work.loads.clone(), work.stores.clone(), work.calls.clone());
        let (records, destinations) = (work.records.clone(), work.destinations.clone());
        for to in copies {
            self.extend(to, &new);
        }
        for (distance, to) in shifts {
            self.copy_shifted(&new, to, distance);
        }
        for target in new.iter() {
            for &(distance, to) in &loads {
                self.load_from(target, distance, to);
            }
            for &(distance, value) in &stores {
                self.store_to(target, distance, value);
            }
            for call in &calls {
                self.find_callee(call, target);
            }
            for &id in &records {
                self.add_source(id, target);
            }
            for &id in &destinations {
                self.add_destination(id, target);
            }
            if node == self.unknown {
                self.escape(target);
            }
        }
    }

    /// Unifies the nodes of each cycle of copies.
    fn unify_cycles(&mut self) {
        for node in 0..self.work.len() {
            let mut copies = std::mem::take(&mut self.work[node].copies);
            copies.iter_mut().for_each(|to| *to = self.same(*to));
            self.work[node].copies = copies;
        }
        let target = |node: usize, edge: usize| self.work[node].copies.get(edge).map(|to| *to as usize);
        let found = components(self.work.len(), target);
        for members in found.into_iter().filter(|members| members.len() > 1) {
            self.unify_all(members[1..].iter().map(|&member| (members[0], member)).collect());
        }
        self.known.clear();
        for node in 0..self.work.len() {
            let mut copies = std::mem::take(&mut self.work[node].copies);
            copies.iter_mut().for_each(|to| *to = self.same(*to));
            copies.retain(|&to| to as usize != node && self.known.insert((node as u32, to)));
            self.work[node].copies = copies;
        }
        self.limit = (self.known.len() + self.known.len() / 2).max(FEW_COPIES);
    }

    /// Makes one node of each pair.
    fn unify_all(&mut self, mut pairs: Vec<(u32, u32)>) {
        while let Some((one, other)) = pairs.pop() {
            self.unify(one, other, &mut pairs);
        }
    }

    /// Makes one node of two, with the targets and the constraints of both. `pairs` gets nodes that are then one node too.
    fn unify(&mut self, one: u32, other: u32, pairs: &mut Vec<(u32, u32)>) {
        let (one, other) = (self.same(one), self.same(other));
        let (one, other) = (one.min(other), one.max(other));
        if one == other {
            return;
        }
        self.result.same[other as usize] = one;
        let mut its = std::mem::take(&mut self.result.targets[other as usize]);
        let work = std::mem::take(&mut self.work[other as usize]);
        // What is new for the constraints of one of the two nodes.
        let mut new = self.result.targets[one as usize].clone();
        new = its.add(&new);
        new.add(&self.result.targets[one as usize].add(&its));
        new.add(&work.pending);
        let mine = &mut self.work[one as usize];
        mine.pending.add(&new);
        if !mine.pending.is_empty() && !std::mem::replace(&mut mine.queued, true) {
            self.queue.push_back(one);
        }
        mine.copies.extend(work.copies);
        mine.calls.extend(work.calls);
        add_missing(&mut mine.shifts, work.shifts);
        add_missing(&mut mine.records, work.records);
        add_missing(&mut mine.destinations, work.destinations);
        for (mine, its) in [(&mut mine.loads, work.loads), (&mut mine.stores, work.stores)] {
            for (distance, node) in its {
                match mine.iter().find(|known| known.0 == distance) {
                    Some(&(_, known)) => pairs.push((known, node)),
                    None => mine.push((distance, node)),
                }
            }
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
        for node in self.separate_nodes(memory) {
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

fn add_missing<T: PartialEq>(list: &mut Vec<T>, others: Vec<T>) {
    for other in others {
        if !list.contains(&other) {
            list.push(other);
        }
    }
}
