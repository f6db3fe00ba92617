//! Finds the memory that a pointer may point to.
//!
//! Input: a program and the effects of procedures without source.
//! Output: for each pointer in memory, the memory and the offset that it may point to. The analysis is
//! inclusion-based and ignores the order of operations. All elements of an array are treated as one.
//! Postcondition: an address that the analysis cannot follow is `unknown`, which means any escaped memory.

mod records;
mod solve;
mod constraints;

pub use constraints::constant_extent;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::effects::{CallEffects, Effects};
use crate::program::{Access, Call, Callee, ProcedureId, Program, Site, Step};
use crate::sets::{Memory, NumberSet};

/// The kinds of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryKind {
    /// The object with the same number.
    Object,
    /// Memory that the operation allocates.
    Heap(Site),
    /// The code of a procedure, or of one without source.
    Code(Option<ProcedureId>, String),
    /// The target of a parameter, within its procedure. Only summaries use it.
    Target { procedure: ProcedureId, parameter: u32 },
    /// Memory of libraries, and the arguments of the program.
    Library,
    /// Any escaped memory.
    Unknown,
}

/// The offset that means any offset of a memory that has too many offsets.
const ANY_OFFSET: u64 = u64::MAX;

#[derive(Debug, Default)]
pub struct PointsTo {
    kinds: Vec<MemoryKind>,
    sizes: Vec<Option<u64>>,
    /// For each node, the memory and the offset of the pointer. `None` for a value of an operation.
    places: Vec<Option<(Memory, u64)>>,
    nodes: FxHashMap<(Memory, u64), u32>,
    nodes_of: Vec<Vec<u32>>,
    /// For each node: the nodes of the locations that it may point to. The location in the unknown memory means all
    /// targets of its node, too, which are not repeated.
    targets: Vec<NumberSet>,
    /// For each node, the one that has its targets. Nodes of a cycle of copies have the same targets.
    same: Vec<u32>,
    heaps: FxHashMap<Site, Memory>,
    /// The nodes of the addresses that procedures without source keep.
    kept: FxHashMap<String, u32>,
    escaped: FxHashSet<Memory>,
    callees: FxHashMap<Site, u32>,
    procedures: FxHashMap<String, ProcedureId>,
    unknown: Memory,
}

/// The targets that a call may run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    Procedure(ProcedureId),
    /// A procedure without source.
    Outside(String),
    /// An unknown procedure without a name.
    Unknown,
}

impl PointsTo {
    pub fn new(program: &Program, effects: &dyn Effects) -> PointsTo {
        constraints::solve(program, effects)
    }

    pub fn kind(&self, memory: Memory) -> &MemoryKind {
        &self.kinds[memory.0 as usize]
    }

    pub fn size(&self, memory: Memory) -> Option<u64> {
        self.sizes[memory.0 as usize]
    }

    pub fn count(&self) -> u32 {
        self.kinds.len() as u32
    }

    /// Adds memory that only a later analysis uses.
    pub fn add_memory(&mut self, kind: MemoryKind, size: Option<u64>) -> Memory {
        self.kinds.push(kind);
        self.sizes.push(size);
        self.nodes_of.push(Vec::new());
        Memory(self.kinds.len() as u32 - 1)
    }

    pub fn unknown(&self) -> Memory {
        self.unknown
    }

    pub fn heap(&self, site: Site) -> Option<Memory> {
        self.heaps.get(&site).copied()
    }

    pub fn procedure(&self, name: &str) -> Option<ProcedureId> {
        self.procedures.get(name).copied()
    }

    /// The memory whose addresses this procedure without source keeps for later calls of it.
    pub fn kept_by(&self, name: &str) -> Vec<Memory> {
        let places = self.kept.get(name).map(|&node| self.places_of(self.targets_of(node)));
        let mut memories: Vec<_> = places.unwrap_or_default().into_iter().map(|place| place.0).collect();
        memories.retain(|memory| *self.kind(*memory) != MemoryKind::Library);
        memories.dedup();
        memories
    }

    /// All memory that code without source may read and write.
    pub fn escaped(&self) -> Vec<Memory> {
        let mut all: Vec<_> = self.escaped.iter().copied().collect();
        all.sort_unstable();
        all
    }

    pub fn is_escaped(&self, memory: Memory) -> bool {
        self.escaped.contains(&memory)
    }

    /// The targets of the pointer at this offset: memory and offset, in ascending order. The offset `None`
    /// means any.
    pub fn targets(&self, memory: Memory, offset: u64) -> Vec<(Memory, Option<u64>)> {
        let mut all = self.targets_at([(memory, Some(offset))]);
        self.add_escaped(&mut all);
        self.places_of(&all)
    }

    /// Whether the pointer at this offset may point to `target`.
    pub fn may_point_to(&self, memory: Memory, offset: u64, target: Memory) -> bool {
        let found = self.memories_to_unknown(memory, offset);
        self.is_among(target, |memory| found.contains(memory))
    }

    /// Whether a set contains this memory. The unknown memory in it stands for all escaped memory.
    pub fn is_among(&self, memory: Memory, contains: impl Fn(&Memory) -> bool) -> bool {
        contains(&memory) || (self.is_escaped(memory) && contains(&self.unknown))
    }

    /// The memory to which the pointer at this offset may point. If the unknown memory is among it, escaped memory may be
    /// missing.
    pub fn memories_to_unknown(&self, memory: Memory, offset: u64) -> Vec<Memory> {
        let all = self.targets_at([(memory, Some(offset))]);
        all.iter().filter_map(|node| self.places[node as usize]).map(|place| place.0).collect()
    }

    /// If the set contains the unknown memory, adds all that a pointer to it may mean.
    fn add_escaped(&self, all: &mut NumberSet) {
        let unknown = self.nodes.get(&(self.unknown, 0)).filter(|&&node| all.contains(node));
        if let Some(&node) = unknown {
            all.add(self.targets_of(node));
        }
    }

    fn targets_of(&self, node: u32) -> &NumberSet {
        &self.targets[self.same_as(node) as usize]
    }

    /// Afterwards, `same_as` takes one step.
    fn shorten(&mut self) {
        for node in 0..self.same.len() as u32 {
            self.same[node as usize] = self.same_as(node);
        }
    }

    fn same_as(&self, mut node: u32) -> u32 {
        while self.same[node as usize] != node {
            node = self.same[node as usize];
        }
        node
    }

    /// The targets of the pointers at these places. `None`: of all pointers in the memory.
    fn targets_at(&self, places: impl IntoIterator<Item = (Memory, Option<u64>)>) -> NumberSet {
        let mut all = NumberSet::default();
        // Many nodes are one.
        let mut seen = FxHashSet::default();
        let mut add = |node: u32| {
            let node = self.same_as(node);
            if seen.insert(node) {
                all.add(&self.targets[node as usize]);
            }
        };
        for (memory, offset) in places {
            let any = self.nodes.get(&(memory, ANY_OFFSET)).copied();
            match (any, offset) {
                // All nodes of the memory are this one.
                (Some(any), _) => add(any),
                (None, Some(offset)) => {
                    self.nodes.get(&(memory, offset)).copied().into_iter().for_each(&mut add)
                }
                (None, None) => self.nodes_of[memory.0 as usize].iter().copied().for_each(&mut add),
            }
        }
        all
    }

    /// All memory that pointers anywhere in this memory may point to.
    pub fn reachable(&self, memory: Memory) -> Vec<Memory> {
        let mut all = self.targets_at([(memory, None)]);
        self.add_escaped(&mut all);
        let mut memories: Vec<_> = self.places_of(&all).into_iter().map(|place| place.0).collect();
        memories.dedup();
        memories
    }

    /// Offsets of the memory where pointers were seen.
    pub fn pointers(&self, memory: Memory) -> Vec<u64> {
        let places =
            self.nodes_of[memory.0 as usize].iter().filter(|&&node| !self.targets_of(node).is_empty());
        let mut offsets: Vec<_> = places.filter_map(|&node| Some(self.places[node as usize]?.1)).collect();
        offsets.sort_unstable();
        offsets
    }

    fn places_of(&self, set: &NumberSet) -> Vec<(Memory, Option<u64>)> {
        let mut places: Vec<_> = set
            .iter()
            .filter_map(|node| self.places[node as usize])
            .map(|(memory, offset)| (memory, (offset != ANY_OFFSET).then_some(offset)))
            .collect();
        places.sort_unstable();
        places
    }

    /// The memory and the offset that a path denotes. Elements of arrays do not change the offset.
    pub fn denoted(&self, program: &Program, access: &Access) -> Vec<(Memory, Option<u64>)> {
        let root = &program.variables[access.root.0 as usize];
        let mut places = vec![(Memory::from(root.object), Some(root.offset))];
        for step in &access.path {
            places = match step {
                Step::Elements(_) => places,
                Step::Field { offset, .. } => {
                    places.into_iter().map(|(memory, at)| (memory, at.map(|at| at + offset))).collect()
                }
                Step::Dereference => self.follow(&places),
            };
        }
        places
    }

    /// The targets of the pointers at these places. A pointer that has no target points to unknown memory.
    pub fn follow(&self, places: &[(Memory, Option<u64>)]) -> Vec<(Memory, Option<u64>)> {
        self.followed(places, true)
    }

    /// The same. If the unknown memory is among them, escaped memory may be missing.
    pub fn follow_to_unknown(&self, places: &[(Memory, Option<u64>)]) -> Vec<(Memory, Option<u64>)> {
        self.followed(places, false)
    }

    fn followed(&self, places: &[(Memory, Option<u64>)], with_escaped: bool) -> Vec<(Memory, Option<u64>)> {
        let is_unknown = places.iter().any(|place| place.0 == self.unknown);
        let known = places.iter().copied().filter(|place| place.0 != self.unknown);
        let mut found = self.targets_at(known);
        if with_escaped {
            self.add_escaped(&mut found);
        }
        let mut all = self.places_of(&found);
        if is_unknown {
            all.push((self.unknown, Some(0)));
            all.sort_unstable();
            all.dedup();
        }
        if all.is_empty() {
            all.push((self.unknown, Some(0)));
        }
        all
    }

    /// The targets that a call at this site may run.
    pub fn callees(&self, site: Site, callee: &Callee) -> Vec<Target> {
        let mut all = match callee {
            Callee::Named(name) => vec![self.named(name)],
            Callee::OneOf(names) => names.iter().map(|name| self.named(name)).collect(),
            Callee::Indirect(_) => {
                let node = self.callees.get(&site);
                let places = node.map(|&node| self.places_of(self.targets_of(node))).unwrap_or_default();
                let mut all: Vec<_> = places.iter().filter_map(|place| self.code(place.0)).collect();
                if all.contains(&Target::Unknown) || all.is_empty() {
                    all.push(Target::Unknown);
                    all.extend(self.escaped().into_iter().filter_map(|memory| self.code(memory)));
                }
                all
            }
        };
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The procedures of the program that a library calls during the call. `None` if they are not known.
    pub fn callbacks(&self, effects: &CallEffects, call: &Call) -> Option<Vec<ProcedureId>> {
        effects.callbacks(call)?.into_iter().map(|name| self.procedure(name)).collect()
    }

    fn code(&self, memory: Memory) -> Option<Target> {
        match self.kind(memory) {
            MemoryKind::Code(Some(id), _) => Some(Target::Procedure(*id)),
            MemoryKind::Code(None, name) => Some(Target::Outside(name.clone())),
            MemoryKind::Unknown => Some(Target::Unknown),
            MemoryKind::Object | MemoryKind::Heap(_) | MemoryKind::Target { .. } | MemoryKind::Library => {
                None
            }
        }
    }

    fn named(&self, name: &str) -> Target {
        match self.procedures.get(name) {
            Some(&id) => Target::Procedure(id),
            None => Target::Outside(name.to_string()),
        }
    }
}
