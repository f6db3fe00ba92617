//! Heap memory of C that other heap memory points to: lists, trees, tables of pointers.
//!
//! Input: the allocations that registers of single allocations did not restore, and the variables that checkpoints need.
//! Output: the memory of the graphs that contain these allocations, and the pointers in the variables that point to it.
//! Postcondition: all memory that is connected with memory of a graph is in the graph, so it needs no other register.

use std::collections::BTreeSet;

use cppc_analysis::check::Analysis;
use cppc_analysis::points_to::{MemoryKind, PointsTo};
use cppc_analysis::program::{Site, Step, POINTER_BYTES};
use cppc_analysis::sets::{Bytes, Memory, Range};
use cppc_analysis::summary::Summaries;
use cppc_source::{FileId, ShownLine, Span};

use super::super::allocations::receiving;
use super::super::handles::Handles;

/// A line of a source.
pub type Line = (FileId, ShownLine);

/// Names an allocation in the same way in every pass: by the lines of the call that allocates the memory, and of those that
/// receive it.
pub type Allocation = BTreeSet<Line>;

/// What is known about graphs from one pass to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphChoice {
    /// The allocations whose memory is saved in graphs.
    pub allocations: BTreeSet<Allocation>,
    /// The variables that the translation cannot save as roots. Their graphs are left out.
    pub refused: BTreeSet<String>,
    /// All items that the translation refused.
    pub refused_items: BTreeSet<String>,
}

/// The graphs of a program.
#[derive(Debug, Default)]
pub struct Graphs {
    /// Heap memory, and the variables that are roots.
    memories: BTreeSet<Memory>,
    /// The pointers in variables.
    roots: Bytes,
    /// Memory that needs a graph, with what is connected with it, if the translation refused a root. Single registers would
    /// save only parts of it.
    refused: BTreeSet<Memory>,
}

impl Graphs {
    pub fn new(
        analysis: &Analysis,
        handles: &Handles,
        choice: &GraphChoice,
        needed: &Variables,
        is_c: &dyn Fn(Span) -> bool,
        line_of: &dyn Fn(Span) -> Line,
    ) -> Graphs {
        let program = analysis.summaries.places.program;
        let points = &analysis.summaries.places.points;
        let connections = Connections::new(points, needed);
        let needing = connections.needing_graphs(analysis, handles);
        let is_in = |memory: &Memory| match points.kind(*memory) {
            MemoryKind::Heap(site) if is_c(program.operation(*site).span) => {
                needing.contains(memory)
                    || !choice.allocations.is_empty()
                        && choice.allocations.contains(&allocation(analysis, *site, line_of))
            }
            _ => false,
        };
        let mut memories = connections.connected(memories(points).filter(is_in).collect());
        if memories.is_empty() {
            return Graphs::default();
        }
        let mut refused = BTreeSet::new();
        for variable in program.variables.iter().filter(|variable| choice.refused.contains(&variable.name)) {
            let variable = Memory::from(variable.object);
            let reached = points.reachable(variable).into_iter().chain([variable]);
            let found = connections.connected(reached.filter(|memory| memories.contains(memory)).collect());
            memories.retain(|memory| !found.contains(memory));
            if found.iter().any(|memory| needing.contains(memory)) {
                refused.extend(found);
            }
        }
        let mut roots = Bytes::default();
        for (slot, targets) in &connections.slots {
            // A pointer that never has the address of a node cannot be a root. It may point into one.
            let is_root =
                |target: &(Memory, Option<u64>)| memories.contains(&target.0) && target.1 == Some(0);
            let is_possible = points.targets(slot.memory, slot.start).iter().any(is_root);
            if is_possible
                && needed.all.contains(&slot.memory)
                && targets.iter().any(|target| memories.contains(target))
            {
                roots.insert(*slot);
            }
        }
        Graphs { memories, roots, refused }
    }

    /// Whether the memory has no register of its own.
    pub fn contains(&self, memory: Memory) -> bool {
        self.memories.contains(&memory) || self.refused.contains(&memory)
    }

    /// Whether the memory needs a graph, and the translation refused its root.
    pub fn refuse(&self, memory: Memory) -> bool {
        self.refused.contains(&memory)
    }

    /// Whether there is a pointer to a graph in these bytes of a variable.
    pub fn have_root_in(&self, range: Range) -> bool {
        self.roots.overlaps(range)
    }

    pub fn roots_in(&self, bytes: &Bytes) -> Bytes {
        self.roots.intersect(bytes)
    }
}

/// The name of the allocation at a call.
pub fn allocation(analysis: &Analysis, site: Site, line_of: &dyn Fn(Span) -> Line) -> Allocation {
    let program = analysis.summaries.places.program;
    let sites = receiving(analysis, site).into_iter().chain([site]);
    sites.map(|site| line_of(program.operation(site).span)).collect()
}

fn memories(points: &PointsTo) -> impl Iterator<Item = Memory> {
    (0..points.count()).map(Memory)
}

/// The variables that checkpoints need.
pub struct Variables {
    pub all: BTreeSet<Memory>,
    /// Those that are registered field by field. All pointers in any other variable belong to one root.
    pub divided: Bytes,
}

/// The heap memory and the variables to which each pointer in heap memory and in the variables may point.
struct Connections<'n> {
    slots: Vec<(Range, Vec<Memory>)>,
    variables: &'n Variables,
}

impl Connections<'_> {
    fn new<'n>(points: &PointsTo, variables: &'n Variables) -> Connections<'n> {
        let mut slots = Vec::new();
        let is_heap = |memory: &Memory| matches!(points.kind(*memory), MemoryKind::Heap(_));
        for memory in memories(points).filter(|memory| is_heap(memory) || variables.all.contains(memory)) {
            for start in points.pointers(memory) {
                let mut targets = points.memories_to_unknown(memory, start);
                targets.retain(|target| is_heap(target) || variables.all.contains(target));
                if !targets.is_empty() {
                    slots.push((Range { memory, start, end: start.saturating_add(POINTER_BYTES) }, targets));
                }
            }
        }
        Connections { slots, variables }
    }

    /// Memory that heap memory points to, if there may be several allocations of the latter: nodes of lists, and what they
    /// contain. Registers of single allocations name the memory by subscripts: `rows[k]`. Other names would mean only the last
    /// of the allocations.
    fn needing_graphs(&self, analysis: &Analysis, handles: &Handles) -> BTreeSet<Memory> {
        let Summaries { places, .. } = &analysis.summaries;
        let mut found = BTreeSet::new();
        for (slot, targets) in &self.slots {
            let MemoryKind::Heap(site) = places.points.kind(slot.memory) else { continue };
            if !analysis.summaries.may_repeat(*site) {
                continue;
            }
            for target in targets {
                let MemoryKind::Heap(site) = places.points.kind(*target) else { continue };
                if *target == slot.memory || !is_named_by_subscripts(analysis, handles, *site) {
                    found.insert(*target);
                }
            }
        }
        found
    }

    /// All that is connected with some memory: the heap memory that it points to, what points to it, and to what else a pointer
    /// to it may point.
    fn connected(&self, mut found: BTreeSet<Memory>) -> BTreeSet<Memory> {
        loop {
            let count = found.len();
            for (slot, targets) in &self.slots {
                let is_whole = self.variables.divided.of(slot.memory).is_empty();
                let is_in = is_whole && found.contains(&slot.memory);
                if is_in || targets.iter().any(|target| found.contains(target)) {
                    found.extend(targets.iter().filter(|target| !self.variables.all.contains(target)));
                    found.extend(is_whole.then_some(slot.memory));
                }
            }
            if found.len() == count {
                return found;
            }
        }
    }
}

/// Whether each pointer that receives the memory is named by a variable and subscripts.
fn is_named_by_subscripts(analysis: &Analysis, handles: &Handles, site: Site) -> bool {
    let is_element = |path: &[Step]| match path {
        [Step::Dereference, next, ..] => matches!(next, Step::Elements(_)),
        [Step::Dereference] => false,
        _ => true,
    };
    receiving(analysis, site).into_iter().all(|site| {
        let call = analysis.summaries.places.program.operation(site).call();
        let receiver = call.and_then(|call| handles.pointer(site, call));
        receiver.is_some_and(|receiver| {
            !receiver.path.is_empty()
                && (0..receiver.path.len()).all(|from| is_element(&receiver.path[from..]))
        })
    })
}
