//! Finds the memory that is certainly registered.
//!
//! Input: places of items. Output: for each point of a procedure, the registers that exist there on all paths.
//! Postcondition: a register that may have ended, or that some path does not make, is not in the result.

use std::collections::BTreeSet;

use crate::access_ranges::AccessRanges;
use crate::effects::Assumptions;
use crate::held::Held;
use crate::points_to::MemoryKind;
use crate::problems::meet;
use crate::program::{
    Access, Affine, Argument, BlockId, Call, Callee, Content, Dimension, Directive, Index, Item, Lifetime,
    OperationKind, ProcedureId, Site, Step, Value, VariableId, POINTER_BYTES,
};
use crate::register_state::{RegisterSummary, Registered};
use crate::same_arguments::{is_same_in_all_calls, parameter_of};
use crate::sets::{Bytes, Memory, Range, END};
use crate::solver::{Direction, Problem};
use crate::spot::AccessRange;
use crate::summary::{Mark, Summaries};

/// The memory that a register of a parameter saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// What the running call passes, in terms of the parameter.
    RunningCall,
    /// What any call passes.
    AnyCall,
}

/// A forward problem. The state `None` means that the point was not reached.
pub struct InForce<'a> {
    pub summaries: &'a Summaries<'a>,
    pub binding: Binding,
    pub of: &'a [RegisterSummary],
    pub procedure: ProcedureId,
    pub before: &'a Registered,
}

impl Problem for InForce<'_> {
    type State = Option<Registered>;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, block: BlockId) -> Option<Self::State> {
        (block == self.summaries.procedure(self.procedure).entry).then(|| Some(self.before.clone()))
    }

    fn transfer(&self, block: BlockId, before: &Self::State) -> Self::State {
        let mut state = before.clone()?;
        self.begin(block, &mut state);
        let operations = &self.summaries.procedure(self.procedure).blocks[block.0 as usize].operations;
        for (operation, content) in operations.iter().enumerate() {
            let site = Site { procedure: self.procedure, block, operation: operation as u32 };
            self.step(site, &content.kind, &mut state);
        }
        Some(state)
    }

    fn join(&self, state: &mut Self::State, other: &Self::State) -> bool {
        let joined = meet(state.clone(), other.clone(), |a, b| a.both(b, self.summaries.assumptions));
        let changed = joined != *state;
        *state = joined;
        changed
    }
}

impl InForce<'_> {
    /// Adds at the start of a block the items that a loop before it has registered.
    pub fn begin(&self, block: BlockId, state: &mut Registered) {
        let registers = &self.summaries.loop_registers;
        for item in registers.assumed_at(self.procedure, block, self.summaries.assumptions) {
            self.register(item, std::slice::from_ref(item), state);
        }
    }

    pub fn step(&self, site: Site, kind: &OperationKind, state: &mut Registered) {
        match kind {
            OperationKind::Directive(directive) => match &**directive {
                Directive::Register(items) => {
                    for (number, item) in items.iter().enumerate() {
                        let all = self.summaries.loop_registers.of_iterations(site, number);
                        self.register(item, all.unwrap_or(std::slice::from_ref(item)), state);
                    }
                }
                Directive::Unregister(items) => {
                    for item in items {
                        let places = &self.summaries.places;
                        let held = unregistered(places, item);
                        state.subtract(&held);
                        let pointer = places.certain(&pointers_of(places, item));
                        if let Some(pointer) = pointer.filter(is_plain_pointer) {
                            state.give_up(pointer);
                        }
                        // The check does not compare the condition of an `unregister` in a branch with those of later
                        // branches.
                        let registers = &self.summaries.loop_registers;
                        if registers.always_ends(site.procedure, site.block) && means_one(places, item) {
                            state.ended.add(&held);
                        }
                    }
                }
                Directive::Init => *state = Registered::default(),
                Directive::Shutdown
                | Directive::Checkpoint
                | Directive::BeginExecute { .. }
                | Directive::EndExecute => {}
            },
            OperationKind::Begin(variable) => {
                let variable = &self.summaries.places.program.variables[variable.0 as usize];
                let memory = Memory::from(variable.object);
                state.framed.remove_memory(memory);
                state.ended.remove_memory(memory);
                state.given_up.remove_memory(memory);
                state.reset.remove_memory(memory);
            }
            // The memory no longer exists, so nothing of it is missing.
            OperationKind::Free(access) => {
                let places = &self.summaries.places;
                let pointers = places.resolve(access, &mut Vec::new());
                let path = access.path.iter().cloned().chain([Step::Dereference]).collect();
                let freed = places.resolve(&Access { path, ..access.clone() }, &mut Vec::new());
                for place in pointers.iter().chain(&freed) {
                    state.ended.remove_memory(place.range.memory);
                }
            }
            OperationKind::Call(call) => self.call(site, call, state),
            OperationKind::Write { to, value } => self.set(to, *value == Value::Null, state),
            OperationKind::Allocate { to, .. } => self.set(to, false, state),
            OperationKind::Read(_) | OperationKind::Opaque { .. } => {}
        }
    }

    fn call(&self, site: Site, call: &Call, state: &mut Registered) {
        let targets = self.summaries.places.calls.targets(site);
        let mut made: Option<Held> = None;
        for target in targets {
            let crate::points_to::Target::Procedure(id) = target else {
                made = Some(Held::default());
                continue;
            };
            if self.summaries.of[id.0 as usize]
                .certain
                .as_ref()
                .is_some_and(|certain| certain.covers(self.summaries.mark(Mark::Init)))
            {
                *state = Registered::default();
            }
            let summary = &self.of[id.0 as usize];
            let places = |range| {
                let places = self.summaries.at_call(*id, call, range);
                places.into_iter().map(|place| place.range).collect()
            };
            let ended = summary.ended.translated(places);
            // In a loop, each element has been passed.
            let is_any =
                (self.binding, self.summaries.assumptions) == (Binding::RunningCall, Assumptions::Usual);
            let certain = |range| {
                let known = self.summaries.registered_at_call(*id, call, range).into_iter();
                match is_any {
                    true => {
                        let parameter = parameter_of(&self.summaries.places, *id, range.memory);
                        let is_same = |parameter| is_same_in_all_calls(self.summaries, *id, parameter);
                        let is_replaced_later = |one: &Range| {
                            is_replaced_later(self.summaries, one.memory) && !parameter.is_some_and(is_same)
                        };
                        let all = places(range).into_iter().filter(|range| !is_replaced_later(range));
                        all.chain(known.filter(is_replaced_later)).collect::<Vec<Range>>()
                    }
                    false => known.collect(),
                }
            };
            let certain = summary.made.translated(certain);
            state.subtract(&ended);
            let pointers = ended.slots.iter().filter(is_plain_pointer);
            pointers.for_each(|pointer| state.give_up(pointer));
            let reset = summary.reset.iter().flat_map(places);
            reset.for_each(|pointer| state.reset.insert(pointer));
            self.replace(*id, &summary.made, state);
            made = meet(made, Some(certain), |a, b| a.both(b, self.summaries.assumptions));
        }
        let made = made.unwrap_or_default();
        if let Some(result) = &call.result {
            self.set(result, false, state);
        }
        state.ended.subtract(&made);
        state.save(&made.bytes);
        state.lasting.add(&made);
    }

    fn set(&self, access: &Access, is_null: bool, state: &mut Registered) {
        if state.given_up.is_empty() {
            return;
        }
        let places = &self.summaries.places;
        let Some(range) = places.certain(&places.resolve(access, &mut Vec::new())) else { return };
        if !is_null || is_tested(self.summaries, range) {
            state.set(range);
        }
    }

    /// Ends the registers of other calls of the procedure: `p->x`, where `p` is a parameter.
    fn replace(&self, id: ProcedureId, made: &Held, state: &mut Registered) {
        let replaced = self.replaced(id, made);
        if !replaced.is_empty() {
            state.lasting.bytes.subtract(&replaced);
            state.lasting.slots.subtract(&replaced);
        }
    }

    /// The memory of all calls of the procedure whose registers these may replace.
    pub fn replaced(&self, id: ProcedureId, made: &Held) -> Bytes {
        let (places, mut replaced) = (&self.summaries.places, Bytes::default());
        if self.summaries.assumptions == Assumptions::Worst {
            return replaced;
        }
        for range in made.bytes.iter().chain(made.slots.iter()) {
            let Some(parameter) = parameter_of(places, id, range.memory) else { continue };
            let mut all = places.concretize(&Bytes::from_range(range));
            all = all.iter().filter(|range| is_replaced_later(self.summaries, range.memory)).collect();
            if !all.is_empty() && !is_same_in_all_calls(self.summaries, id, parameter) {
                replaced.add(&all);
            }
        }
        replaced
    }

    /// `all`: the parts of the item that the iterations of loops register.
    fn register(&self, item: &Item, all: &[Item], state: &mut Registered) {
        let parts = Parts::new(&self.summaries.places, item);
        let id = self.procedure;
        let ends = match (&parts.slot[..], parts.by_reference || parts.of_dummy) {
            (_, true) => true,
            ([], false) => {
                parts.memory.iter().any(|place| {
                    let places = &self.summaries.places;
                    *places.points.kind(place.range.memory) == MemoryKind::Object
                        && places.local_to(place.range.memory, id)
                }) || parts.through_local
            }
            (slots, false) => slots.iter().any(|slot| {
                *self.summaries.places.points.kind(slot.range.memory) == MemoryKind::Object
                    && self.summaries.places.local_to(slot.range.memory, id)
            }),
        };
        let mut held = Held::default();
        match all {
            [_] | [] => parts.hold(self.summaries, self.binding, &mut held),
            // An assumption: if control comes here, all iterations come.
            several if self.summaries.assumptions == Assumptions::Usual => {
                let places = &self.summaries.places;
                let each = several.iter().map(|item| Parts::new(places, item));
                each.for_each(|parts| parts.hold(self.summaries, self.binding, &mut held));
            }
            _ => parts.hold(self.summaries, self.binding, &mut held),
        }
        // The copies of the other threads are not saved.
        for &object in &self.summaries.places.program.thread_copies {
            held.remove_memory(object.into());
        }
        state.ended.subtract(&held);
        state.save(&held.bytes);
        state.save(&held.slots);
        self.replace(id, &held, state);
        if ends { &mut state.framed } else { &mut state.lasting }.add(&held);
        for range in &parts.implied {
            state.framed.bytes.insert(*range);
        }
    }
}

/// Whether the runtime takes a register of this memory for the register of a later call, if both have one name: heap memory that
/// no other register saves.
fn is_replaced_later(summaries: &Summaries, memory: Memory) -> bool {
    let is_heap = matches!(summaries.places.points.kind(memory), MemoryKind::Heap(_));
    is_heap && !registered_heap(summaries).contains(&memory)
}

/// The heap memory to which pointers of registers may point.
fn registered_heap<'s>(summaries: &'s Summaries) -> &'s BTreeSet<Memory> {
    summaries.registered_heap.get_or_init(|| {
        let mut found = BTreeSet::new();
        for (_, operation) in summaries.places.program.operations() {
            if let Some(Directive::Register(items)) = operation.directive() {
                items.iter().for_each(|item| found.extend(targets_of_item(summaries, item)));
            }
        }
        found
    })
}

/// Whether the item can mean only one place in memory.
fn means_one(places: &AccessRanges, item: &Item) -> bool {
    let parts = Parts::new(places, item);
    parts.slot.len() <= 1 && parts.memory.len() <= 1
}

/// The memory that an item of `unregister` names, and that may be registered.
pub fn unregistered(places: &AccessRanges, item: &Item) -> Held {
    let parts = Parts::new(places, item);
    let mut held = Held::default();
    for slot in pointers_of(places, item) {
        held.slots.insert(slot.range);
        held.bytes.insert(slot.range);
    }
    for place in &parts.memory {
        held.bytes.insert(Range { end: END, ..place.range });
    }
    held.roots = held.bytes.clone();
    held
}

/// Whether the program may read a null pointer here and go on. If it only follows the pointer, other conditions say that it is not
/// null. Only local variables count: static pointers are null in a new run too, and others are saved with their structures.
fn is_tested(summaries: &Summaries, pointer: Range) -> bool {
    let places = &summaries.places;
    let tested = summaries.tested_pointers.get_or_init(|| {
        let mut tested = Bytes::default();
        for (site, operation) in places.program.operations() {
            let OperationKind::Read(access) = &operation.kind else { continue };
            let block = &summaries.procedure(site.procedure).blocks[site.block.0 as usize];
            let next = block.operations.get(site.operation as usize + 1).map(|next| &next.kind);
            let is_freed = next.is_some_and(|next| frees(summaries, next, access));
            if access.content == Content::Pointer && !is_freed {
                places.resolve(access, &mut Vec::new()).iter().for_each(|place| tested.insert(place.range));
            }
        }
        places.concretize(&tested)
    });
    let is_local_pointer = |range: Range| {
        let object = places.program.objects.get(range.memory.0 as usize);
        *places.points.kind(range.memory) == MemoryKind::Object
            && object.is_some_and(|object| {
                object.lifetime != Lifetime::Static && object.size == Some(POINTER_BYTES)
            })
    };
    let concrete = places.concretize(&Bytes::from_range(pointer));
    let mut all = concrete.iter();
    all.any(|range| is_local_pointer(range) && tested.overlaps(range))
}

/// Whether the operation frees what this pointer points to.
fn frees(summaries: &Summaries, kind: &OperationKind, pointer: &Access) -> bool {
    let OperationKind::Call(call) = kind else { return false };
    let Callee::Named(name) = &call.callee else { return false };
    let effects = summaries.effects.effects(name);
    let is_it = |argument: &Argument| matches!(argument, Argument::Value(Value::Copy(one)) if one == pointer);
    let number = call.arguments.iter().position(is_it);
    effects.zip(number).is_some_and(|(effects, number)| effects.parameter(number).frees)
}

/// Whether it is a pointer without a descriptor. A restart finds an array of Fortran that is not allocated.
fn is_plain_pointer(range: &Range) -> bool {
    range.end - range.start == POINTER_BYTES
}

/// The pointers that an item of `unregister` means: `p` ends the register of `p[n]`.
fn pointers_of(places: &AccessRanges, item: &Item) -> Vec<AccessRange> {
    let is_pointer = item.memory.content == Content::Pointer && item.memory.size == Some(POINTER_BYTES);
    match item.memory.path.last() {
        None | Some(Step::Field { .. }) if is_pointer => places.resolve(&item.memory, &mut Vec::new()),
        _ => Parts::new(places, item).slot,
    }
}

/// The memory that registered pointers may point to.
pub fn targets_of(summaries: &Summaries, held: &Held) -> BTreeSet<Memory> {
    let points = &summaries.places.points;
    let mut saved = BTreeSet::new();
    for slot in summaries.places.concretize(&held.slots).iter() {
        for offset in summaries.places.pointer_offsets(slot) {
            saved.extend(points.targets(slot.memory, offset).into_iter().map(|target| target.0));
        }
    }
    saved
}

/// The memory to which the pointer of an item may point, and that of its graph.
pub fn targets_of_item(summaries: &Summaries, item: &Item) -> BTreeSet<Memory> {
    let parts = Parts::new(&summaries.places, item);
    let mut held = Held::default();
    parts.slot.iter().for_each(|slot| held.slots.insert(slot.range));
    let mut targets = targets_of(summaries, &held);
    if item.deep {
        let roots = if parts.slot.is_empty() { &parts.memory } else { &parts.slot };
        for root in roots {
            targets.extend(graph_of(summaries, &Bytes::from_range(root.range)));
        }
    }
    targets
}

/// The heap memory that pointers reach from these roots.
pub fn graph_of(summaries: &Summaries, roots: &Bytes) -> BTreeSet<Memory> {
    let points = &summaries.places.points;
    let mut waiting: Vec<Memory> = Vec::new();
    for root in summaries.places.concretize(roots).iter() {
        for offset in summaries.places.pointer_offsets(root) {
            waiting.extend(points.targets(root.memory, offset).into_iter().map(|target| target.0));
        }
    }
    let mut graph = BTreeSet::new();
    while let Some(memory) = waiting.pop() {
        let is_heap = matches!(points.kind(memory), MemoryKind::Heap(_));
        if is_heap && graph.insert(memory) {
            waiting.extend(points.reachable(memory));
        }
    }
    graph
}

/// The parts of an item.
pub struct Parts {
    /// The memory that the item may mean.
    pub memory: Vec<AccessRange>,
    /// The memory that it saves.
    saved: Vec<AccessRange>,
    /// Whether it is reached through pointers.
    follows: bool,
    /// Whether it is a part of an array.
    is_part: bool,
    /// Whether it is the root of a graph.
    is_root: bool,
    /// Whether it is a field of certain elements of a variable, so that all of its places are saved.
    is_field_of_all: bool,
    /// The pointer whose target is saved, if the item is the target of a pointer.
    pub slot: Vec<AccessRange>,
    /// Variables in the size, which are registered too.
    pub implied: Vec<Range>,
    /// Whether the item is a dummy argument.
    by_reference: bool,
    /// Whether the item is what an allocatable or a pointer of a dummy argument refers to. Its register ends with the
    /// procedure.
    of_dummy: bool,
    /// Whether the item was reached through a local pointer that is not a parameter.
    through_local: bool,
    /// Whether the pointer is a parameter of C. A restart passes it again, so it has the same target there.
    is_passed_again: bool,
}

impl Parts {
    pub fn new(places: &AccessRanges, item: &Item) -> Parts {
        let access = &item.memory;
        let root = &places.program.variables[access.root.0 as usize];
        let reference = matches!(root.content, Content::Reference { .. })
            && access.path.first() == Some(&Step::Dereference);
        let skip = usize::from(reference);
        let last = access.path.iter().rposition(|step| *step == Step::Dereference).filter(|&at| at >= skip);
        let memory = places.resolve(access, &mut Vec::new());
        let slot = match last {
            Some(at)
                if !item.keeps_pointer
                    && access.path[at + 1..].iter().all(|step| matches!(step, Step::Elements(_))) =>
            {
                let size = if at == 0 { root.size } else { Some(POINTER_BYTES) };
                let path = access.path[..at].to_vec();
                let pointer = Access { path, size, content: Content::Pointer, ..access.clone() };
                // All elements in turn, if a loop registers them.
                let is_known = |dimension: &Dimension| dimension.index != Index::Unknown;
                match pointer.path.last() {
                    Some(Step::Elements(dimensions)) if dimensions.iter().all(is_known) => {
                        places.resolve_registered(&pointer)
                    }
                    Some(_) | None => places.resolve(&pointer, &mut Vec::new()),
                }
            }
            _ => Vec::new(),
        };
        let local = matches!(
            places.program.objects[root.object.0 as usize].lifetime,
            crate::program::Lifetime::Local(_)
        );
        let through_local = last.is_some() && local && places.target_of(access.root).is_none();
        let by_reference = reference && last.is_none();
        let of_dummy =
            reference && last.is_some_and(|at| !access.path[skip..at].contains(&Step::Dereference));
        let saved = places.resolve_registered(access);
        let is_passed_again = last == Some(0) && places.target_of(access.root).is_some();
        let follows = access.path.contains(&Step::Dereference);
        let is_part = matches!(access.path.last(), Some(Step::Elements(_)));
        Parts {
            memory,
            saved,
            follows,
            is_part,
            is_root: item.deep,
            is_field_of_all: item.keeps_pointer && !follows && has_certain_elements(access),
            slot,
            implied: implied(places, access),
            by_reference,
            of_dummy,
            through_local,
            is_passed_again,
        }
    }

    /// Adds the memory that is certainly saved: known bytes of one memory. For other targets of a pointer,
    /// only the pointer is added to `slots`.
    fn hold(&self, summaries: &Summaries, binding: Binding, held: &mut Held) {
        let places = &summaries.places;
        if summaries.assumptions == Assumptions::Usual {
            self.hold_all(places, binding, held);
        }
        if let Some(slot) = places.certain(&self.slot) {
            held.slots.insert(slot);
            held.bytes.insert(slot);
            self.hold_graph(slot, held);
        }
        let is_heap = |range: Range| matches!(places.points.kind(range.memory), MemoryKind::Heap(_));
        if self.is_field_of_all && self.saved.len() > 1 {
            self.saved.iter().for_each(|place| held.bytes.insert(place.range));
            return;
        }
        let saved = match &self.saved[..] {
            [place] if !self.follows => place.exact.then_some(place.range),
            several => places.certain(several),
        };
        // A restart could not find a variable through a pointer that it sets. The variable needs a register of its own.
        let is_saved = |range: Range| self.slot.is_empty() || (self.is_passed_again && !is_heap(range));
        let Some(saved) = saved.filter(|range| is_saved(*range)) else { return };
        held.bytes.insert(saved);
        if !self.slot.is_empty() {
            held.by_parameter.insert(saved);
        }
        self.hold_graph(saved, held);
        if self.by_reference {
            held.bytes.add(&places.concretize_certain(&Bytes::from_range(saved)));
        }
    }

    /// Adds all memory that the item may mean.
    fn hold_all(&self, places: &AccessRanges, binding: Binding, held: &mut Held) {
        for slot in &self.slot {
            held.slots.insert(slot.range);
            self.hold_graph(slot.range, held);
        }
        let is_running = binding == Binding::RunningCall;
        let is_one_of = is_running && self.by_reference && self.saved.len() > 1;
        for place in self.saved.iter().filter(|_| self.slot.is_empty() && !is_one_of) {
            let end = if self.is_part { place.limit } else { place.range.end };
            held.bytes.insert(Range { end, ..place.range });
            self.hold_graph(Range { end, ..place.range }, held);
        }
        held.roots.add(&places.concretize(&held.roots));
        for set in [&mut held.bytes, &mut held.slots] {
            let concrete = match binding {
                Binding::RunningCall => places.concretize_certain(set),
                Binding::AnyCall => places.concretize(set),
            };
            set.add(&concrete);
        }
    }

    fn hold_graph(&self, root: Range, held: &mut Held) {
        if self.is_root {
            held.roots.insert(root);
        }
    }
}

/// Whether the elements of a section are the same in every run, and do not depend on a variable.
fn has_certain_elements(access: &Access) -> bool {
    let is_certain = |dimension: &Dimension| match &dimension.index {
        Index::All => true,
        Index::At(index) => index.as_constant().is_some(),
        Index::Range { first, last, step } => {
            *step == 1 && first.as_constant().is_some() && last.as_constant().is_some()
        }
        Index::Unknown => false,
    };
    access.path.iter().all(|step| match step {
        Step::Elements(dimensions) => dimensions.iter().all(is_certain),
        Step::Field { .. } => true,
        Step::Dereference => false,
    })
}

fn implied(places: &AccessRanges, access: &Access) -> Vec<Range> {
    let mut found: Vec<VariableId> = Vec::new();
    let mut add = |value: &Affine| found.extend(value.terms.iter().map(|term| term.0));
    for step in &access.path {
        let Step::Elements(dimensions) = step else { continue };
        for Dimension { index, lower, extent, .. } in dimensions {
            lower.iter().chain(extent).for_each(&mut add);
            match index {
                Index::At(at) => add(at),
                Index::Range { first, last, .. } => {
                    add(first);
                    add(last);
                }
                Index::All | Index::Unknown => {}
            }
        }
    }
    found.into_iter().map(|variable| places.range_of(variable)).collect()
}
