//! Finds the heap memory that the registers of a checkpoint save.
//!
//! Input: the pointers that are live at a checkpoint, and the registers of each frame.
//! Output: for each pointer, whether its target is certainly saved.
//! Postcondition: the program reaches heap memory only through live pointers. So memory is saved if each live
//! pointer that may point to it has a saved target.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::effects::Assumptions;
use crate::held::Held;
use crate::live::Instrumented;
use crate::points_to::MemoryKind;
use crate::program::{
    Access, Argument, Call, Content, Directive, Lifetime, OperationKind, ProcedureId, Step, Value,
    POINTER_BYTES,
};
use crate::registered::{graph_of, targets_of, targets_of_item};
use crate::sets::{Bytes, Memory, Range, END};
use crate::summary::{Mark, Summaries};

/// A pointer in memory, and the offset that points-to uses for it.
pub type LivePointer = (Range, u64);

/// The live pointers of a checkpoint that may point to the heap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reached {
    /// The pointers whose targets no frame so far saves.
    pub open: BTreeSet<LivePointer>,
    /// Memory that is the target of a saved pointer. The unknown memory stands for all escaped memory, here and in `live`.
    pub saved: BTreeSet<Memory>,
    /// Of this, the targets of parameters of C. A restart may give this memory another address, and it sets only the
    /// parameters to it.
    moved: BTreeSet<Memory>,
    /// Memory that is saved independently of other pointers. It is one memory, and a registered pointer
    /// always points to it.
    pub certain: BTreeSet<Memory>,
    /// The memory to which a live pointer of the program may point.
    live: BTreeSet<Memory>,
    /// Heap memory with live pointers that is in the graph of a frame so far. Its pointers stay saved in outer frames. If
    /// some of this memory is not in the graph, another live pointer leads to it, and is open.
    graph: BTreeSet<Memory>,
}

impl Reached {
    pub fn add(&mut self, other: &Reached) {
        self.open.extend(other.open.iter().copied());
        self.saved.extend(other.saved.iter().copied());
        self.moved.extend(other.moved.iter().copied());
        self.certain.extend(other.certain.iter().copied());
        self.live.extend(other.live.iter().copied());
        self.graph.extend(other.graph.iter().copied());
    }

    /// Whether each live pointer to the memory has a saved target. `open`: its open pointers.
    pub fn saves(&self, summaries: &Summaries, open: &OpenPointers, memory: Memory) -> bool {
        let points = &summaries.places.points;
        let has = |set: &BTreeSet<Memory>| points.is_among(memory, |one| set.contains(one));
        let is_saved = match summaries.assumptions {
            Assumptions::Worst => has(&self.saved),
            Assumptions::Usual => has(&self.saved) || !has(&self.live),
        };
        self.certain.contains(&memory) || (is_saved && open.to(summaries, memory).is_none())
    }

    /// Looks up all open pointers, so that they can be found by their targets.
    pub fn open_pointers(&self, summaries: &Summaries) -> OpenPointers {
        let mut first = FxHashMap::default();
        for (number, &(range, offset)) in self.open.iter().enumerate() {
            for target in summaries.places.points.memories_to_unknown(range.memory, offset) {
                first.entry(target).or_insert((number, range));
            }
        }
        OpenPointers { first }
    }
}

/// The open pointers by their targets.
pub struct OpenPointers {
    /// The first pointer to each memory, with its number.
    first: FxHashMap<Memory, (usize, Range)>,
}

impl OpenPointers {
    /// A live pointer to the memory whose target is not saved.
    pub fn to(&self, summaries: &Summaries, memory: Memory) -> Option<Range> {
        let points = &summaries.places.points;
        let unknown = points.is_escaped(memory).then(|| points.unknown());
        let found = [Some(memory), unknown].into_iter().flatten().filter_map(|one| self.first.get(&one));
        found.min().map(|(_, range)| *range)
    }
}

/// What a frame saves at a checkpoint.
pub struct Saves<'a> {
    held: &'a Held,
    /// The memory that a restart does not set again.
    lost: &'a Bytes,
    /// The targets of registered pointers that only allocations set, and those of the other ones, if they were
    /// requested.
    targets: OnceCell<(BTreeSet<Memory>, BTreeSet<Memory>)>,
    /// The heap memory of graphs, if it was requested.
    graph: OnceCell<BTreeSet<Memory>>,
}

impl<'a> Saves<'a> {
    pub fn new(held: &'a Held, lost: &'a Bytes) -> Saves<'a> {
        Saves { held, lost, targets: OnceCell::new(), graph: OnceCell::new() }
    }

    /// Whether the pointer is in a root of `deep`, or in heap memory of a graph. Heap memory stands for all memory
    /// that an operation allocates. If some of it is not in a graph, another live pointer leads to it, and is open.
    fn is_in_graph(&self, summaries: &Summaries, pointer: Range) -> bool {
        if self.held.roots.is_empty() {
            return false;
        }
        let graph = || self.graph.get_or_init(|| graph_of(summaries, &self.held.roots));
        self.held.roots.covers(pointer) || graph().contains(&pointer.memory)
    }
}

/// Facts about the pointers of the whole program.
#[derive(Debug, Default)]
pub struct Pointers {
    /// Memory to which pointers in registers of C may point.
    named: FxHashSet<Memory>,
    /// Of this, the memory that a pointer to unknown memory may point to.
    named_escaped: Vec<Memory>,
    /// Heap memory escapes.
    heap_escapes: bool,
    /// Memory that operations other than allocations write. Other pointers keep their first value.
    written: Bytes,
    /// Written in execute blocks.
    replayed: Bytes,
    parameters: FxHashSet<Memory>,
    /// Variables of lowering.
    hidden: FxHashSet<Memory>,
}

impl Pointers {
    pub fn new(summaries: &Summaries, instrumented: &Instrumented) -> Pointers {
        let program = summaries.places.program;
        let mut pointers = Pointers { hidden: hidden(summaries), ..Pointers::default() };
        for procedure in &program.procedures {
            let objects = procedure.parameters.iter().map(|id| program.variables[id.0 as usize].object);
            pointers.parameters.extend(objects.map(Memory::from));
            for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
                let OperationKind::Directive(directive) = &operation.kind else { continue };
                let Directive::Register(items) = &**directive else { continue };
                // Only roots of Fortran are saved with what their pointers reach.
                for item in items.iter().filter(|item| item.deep || !procedure.keeps_loops) {
                    pointers.named.extend(targets_of_item(summaries, item));
                }
            }
        }
        let points = &summaries.places.points;
        pointers.named_escaped =
            pointers.named.iter().copied().filter(|memory| points.is_escaped(*memory)).collect();
        pointers.heap_escapes =
            points.escaped().into_iter().any(|memory| matches!(points.kind(memory), MemoryKind::Heap(_)));
        pointers.written = written(summaries);
        for effect in instrumented
            .values()
            .flat_map(|effects| effects.iter().flatten())
            .filter(|effect| effect.lost.is_empty())
        {
            pointers.replayed.add(&summaries.places.concretize(&effect.writes));
        }
        pointers
    }

    /// Adds the pointers in memory that is live in a frame, and the memory that its registers save.
    pub fn add(&self, summaries: &Summaries, live: &Bytes, saves: &Saves, reached: &mut Reached) {
        for slot in std::mem::take(&mut reached.open) {
            self.add_slot(summaries, slot, saves, reached);
        }
        for range in live.iter() {
            match summaries.places.points.kind(range.memory) {
                MemoryKind::Object | MemoryKind::Heap(_) => {}
                // The caller has it.
                MemoryKind::Target { .. } => continue,
                MemoryKind::Code(..) | MemoryKind::Library | MemoryKind::Unknown => continue,
            }
            let offsets = summaries.places.pointer_offsets(range);
            let slots = summaries.places.pointers_in(range);
            let slots = slots.unwrap_or_else(|| offsets.into_iter().map(|offset| (range, offset)).collect());
            for slot in slots {
                self.add_slot(summaries, slot, saves, reached);
            }
        }
    }

    fn add_slot(&self, summaries: &Summaries, slot: LivePointer, saves: &Saves, reached: &mut Reached) {
        let Saves { held, lost, .. } = saves;
        let (range, offset) = slot;
        let points = &summaries.places.points;
        let targets = points.memories_to_unknown(range.memory, offset);
        let is_unknown = targets.contains(&points.unknown());
        let is_heap = |memory| matches!(points.kind(memory), MemoryKind::Heap(_));
        let leads_to_heap =
            targets.iter().any(|&target| is_heap(target)) || (is_unknown && self.heap_escapes);
        if self.hidden.contains(&range.memory) || !leads_to_heap {
            return;
        }
        reached.live.extend(&targets);
        if held.slots.covers(range) {
            reached.saved.extend(&targets);
            if self.parameters.contains(&range.memory) {
                reached.moved.extend(targets.iter().filter(|target| is_heap(**target)));
                return;
            }
            if let ([target], false) = (&targets[..], self.written.overlaps(range)) {
                reached.certain.extend(summaries.places.unique(*target).then_some(*target));
            }
            return;
        }
        if reached.graph.contains(&range.memory) || saves.is_in_graph(summaries, range) {
            reached.graph.extend(is_heap(range.memory).then_some(range.memory));
            reached.saved.extend(&targets);
            return;
        }
        // If a pointer in saved memory has a target that is not saved, the runtime skips the checkpoint and gives the
        // reason. This is so for C, and for graphs in Fortran.
        let is_saved = held.bytes.covers(range) || (is_heap(range.memory) && lost.overlaps(range));
        if is_saved {
            let escaped = is_unknown.then_some(&self.named_escaped).into_iter().flatten();
            let named: Vec<Memory> =
                targets.iter().filter(|one| self.named.contains(one)).chain(escaped).copied().collect();
            if !named.is_empty() {
                reached.saved.extend(named);
                return;
            }
        }
        // A restart sets it again, because the replayed call or block sets it.
        let is_moved = targets.iter().any(|target| reached.moved.contains(target));
        let is_set_again = self.parameters.contains(&range.memory)
            || (self.replayed.overlaps(range) && !is_moved)
            || (!is_moved && self.is_set_before(summaries, range.memory, &targets, saves, reached));
        if !is_set_again || lost.overlaps(range) {
            reached.open.insert(slot);
        }
    }

    /// Whether a pointer that is not lost has a saved target: there is one memory of each kind, and another pointer to it is
    /// registered. A pointer in heap memory that is not lost was set before `init`, or is set later.
    fn is_set_before(
        &self,
        summaries: &Summaries,
        pointer: Memory,
        targets: &[Memory],
        saves: &Saves,
        reached: &mut Reached,
    ) -> bool {
        let is_in_heap = matches!(summaries.places.points.kind(pointer), MemoryKind::Heap(_));
        let unique = targets.iter().all(|target| summaries.places.unique(*target));
        if summaries.assumptions == Assumptions::Worst || !(unique || is_in_heap) {
            return false;
        }
        // A restart can leave the memory of an allocatable at its address. The target of a registered pointer gets
        // another address than the other names of the memory have.
        let (kept, moved) = saves.targets.get_or_init(|| {
            let mut slots = saves.held.slots.clone();
            slots.subtract(&self.written);
            let kept = targets_of(summaries, &Held::of_slots(slots));
            let mut moved = targets_of(summaries, saves.held);
            moved.retain(|memory| !kept.contains(memory));
            (kept, moved)
        });
        let points = &summaries.places.points;
        let is_target = |memory: &&Memory| points.is_among(**memory, |one| targets.contains(one));
        if moved.iter().any(|memory| is_target(&memory)) {
            return false;
        }
        reached.saved.extend(kept.iter().filter(is_target));
        true
    }
}

/// The memory that operations other than allocations write.
fn written(summaries: &Summaries) -> Bytes {
    let mut written = Bytes::default();
    for (id, procedure) in (0..).map(ProcedureId).zip(&summaries.places.program.procedures) {
        let effects = summaries.effects_of(id);
        for (site, operation) in procedure.operations(id) {
            let is_value = match &operation.kind {
                OperationKind::Write { .. } | OperationKind::Call(_) | OperationKind::Opaque { .. } => true,
                OperationKind::Read(_)
                | OperationKind::Begin(_)
                | OperationKind::Allocate { .. }
                | OperationKind::Free(_)
                | OperationKind::Directive(_) => false,
            };
            if is_value {
                let effect = &effects[site.block.0 as usize][site.operation as usize];
                written.add(&summaries.places.concretize(&effect.writes));
            }
        }
    }
    written
}

/// Objects that a directive cannot name.
fn hidden(summaries: &Summaries) -> FxHashSet<Memory> {
    let program = summaries.places.program;
    let mut hidden: FxHashSet<Memory> = (0..program.objects.len() as u32).map(Memory).collect();
    for variable in program.variables.iter().filter(|variable| variable.declared.is_some()) {
        hidden.remove(&Memory::from(variable.object));
    }
    hidden
}

/// The pointers that determine the target of a parameter of the callee.
pub fn argument_slots(summaries: &Summaries, call: &Call, number: usize) -> Bytes {
    let access = match call.arguments.get(number) {
        Some(Argument::Value(Value::Copy(access))) => access.clone(),
        Some(Argument::Reference(access) | Argument::Value(Value::Address(access))) => {
            let Some(last) = access.path.iter().rposition(|step| *step == Step::Dereference) else {
                return Bytes::default();
            };
            let path = access.path[..last].to_vec();
            Access { path, size: Some(POINTER_BYTES), content: Content::Pointer, ..access.clone() }
        }
        Some(Argument::Value(_) | Argument::Absent) | None => return Bytes::default(),
    };
    let mut bytes = Bytes::default();
    let places = summaries.places.resolve(&access, &mut Vec::new());
    places.iter().for_each(|place| bytes.insert(place.range));
    bytes
}

/// For heap memory, all pointers that may point to it when a checkpoint is reached.
#[derive(Debug, Default)]
pub struct Holders {
    of: FxHashMap<Memory, Vec<Range>>,
    /// Memory to which an unknown number of pointers may point.
    unknown: FxHashSet<Memory>,
}

impl Holders {
    pub fn new(summaries: &Summaries) -> Holders {
        let places = &summaries.places;
        let hidden = hidden(summaries);
        let program = places.program;
        let mut constant: FxHashSet<Memory> = FxHashSet::default();
        for parameter in program.procedures.iter().flat_map(|procedure| &procedure.parameters) {
            if places.target_of(*parameter).is_some() {
                constant.insert(program.variables[parameter.0 as usize].object.into());
            }
        }
        let mut holders = Holders::default();
        for memory in (0..places.points.count()).map(Memory) {
            // At a checkpoint, these pointers do not exist, or another pointer has the same value.
            if hidden.contains(&memory)
                || constant.contains(&memory)
                || passes_no_checkpoint(summaries, memory)
            {
                continue;
            }
            let is_heap = |memory: &Memory| matches!(places.points.kind(*memory), MemoryKind::Heap(_));
            let heap: Vec<Memory> = places.points.reachable(memory).into_iter().filter(is_heap).collect();
            if heap.is_empty() {
                continue;
            }
            match places.pointers_in(Range { memory, start: 0, end: END }) {
                Some(slots) => {
                    for (range, offset) in slots {
                        for (target, _) in places.points.targets(memory, offset) {
                            holders.of.entry(target).or_default().push(range);
                        }
                    }
                }
                None => holders.unknown.extend(heap),
            }
        }
        holders
    }

    /// Whether all pointers that may point to the memory are registered. Then any of them that points to it
    /// at the checkpoint saves it.
    pub fn are_registered(&self, memory: Memory, held: &Held) -> bool {
        let holders = self.of.get(&memory).map_or(&[][..], |holders| holders);
        !self.unknown.contains(&memory)
            && !holders.is_empty()
            && holders.iter().all(|range| held.slots.covers(*range))
    }
}

/// Whether this is a local variable of a procedure that reaches no checkpoint.
fn passes_no_checkpoint(summaries: &Summaries, memory: Memory) -> bool {
    let owner: Option<ProcedureId> = match summaries.places.points.kind(memory) {
        MemoryKind::Object => match summaries.places.program.objects[memory.0 as usize].lifetime {
            Lifetime::Local(id) => Some(id),
            Lifetime::Static => None,
        },
        MemoryKind::Heap(_)
        | MemoryKind::Code(..)
        | MemoryKind::Target { .. }
        | MemoryKind::Library
        | MemoryKind::Unknown => None,
    };
    owner.is_some_and(|id| !summaries.may(id, Mark::Checkpoint))
}
