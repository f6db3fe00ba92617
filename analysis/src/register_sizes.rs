//! Finds heap memory of which a register may save only a part.
//!
//! Input: the operations that allocate memory, and the registers with a size. Output: for heap memory, the bytes that its
//! registers save; for each checkpoint, the memory that some path allocates after the last register of a pointer to it.
//! Postcondition: a register saves the number of bytes that it was made with, from where its pointer points at the
//! checkpoint. A register counts for all memory to which its pointer may point.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::allocated_sizes::{allocated_bytes, passed_bytes};
use crate::handovers::Handovers;
use crate::live::{callees, top_down, Instrumented};
use crate::points_to::{MemoryKind, Target};
use crate::program::{
    Affine, BlockId, Directive, Index, Item, OperationKind, ProcedureId, Site, Step, Terminator,
    POINTER_BYTES,
};
use crate::registered::{targets_of_item, Parts};
use crate::sets::{Bytes, Memory, Range};
use crate::solver::{solve, Direction, Problem};
use crate::summary::Summaries;

type Memories = BTreeSet<Memory>;

/// Why a register may not save memory to which its pointer points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// The memory is behind what is saved.
    Beyond,
    /// The register saves less than is allocated.
    Short,
    /// The memory may be newer than the register, and larger.
    Older,
    /// The pointer may have taken over the memory of another pointer, which has another size.
    Exchanged,
    /// The pointer may point behind the start of the memory, or before it.
    Moved,
}

/// A register of a number of bytes behind a pointer.
#[derive(Debug, Clone)]
pub struct SizedRegister {
    pub site: Site,
    /// As written: `p[n]`.
    pub text: String,
    bytes: Option<Affine>,
    /// The same in variables of the caller, if the number is a parameter.
    bytes_in_caller: Option<Affine>,
    /// The pointers.
    slots: Bytes,
    /// Whether they can point to only one allocation.
    has_one_target: bool,
    /// `p[]`: all of the allocation, whatever its size.
    of_allocation: bool,
}

#[derive(Debug, Default)]
pub struct RegisterSizes {
    sizes: FxHashMap<Memory, Size>,
    /// The registers that may have another size than the memory.
    older: FxHashMap<Memory, SizedRegister>,
    /// The registers whose pointers may take over memory of another size.
    exchanged: FxHashMap<Memory, SizedRegister>,
    /// The registers of all of the memory, if the pointer of each may be moved.
    moved: FxHashMap<Memory, SizedRegister>,
    /// For each checkpoint, the memory that some path has allocated after its last register.
    newer: FxHashMap<Site, Memories>,
}

/// What the registers save of a memory, if each of them has a size.
#[derive(Debug)]
struct Size {
    /// The least and the most bytes, if all are constant.
    constant: Option<(u64, u64)>,
    /// A register, if all of them together save certainly less than is allocated.
    short: Option<SizedRegister>,
}

impl RegisterSizes {
    pub fn new(summaries: &Summaries, instrumented: &Instrumented) -> RegisterSizes {
        let mut sizes = RegisterSizes::default();
        sizes.add_sizes(summaries);
        if sizes.older.is_empty() {
            return sizes;
        }
        let all: Memories = sizes.older.keys().copied().collect();
        let events = Events::new(summaries, &all);
        let changes = changes(summaries, &events, &all);
        let order = top_down(summaries, instrumented);
        let mut entering: FxHashMap<ProcedureId, Memories> = FxHashMap::default();
        loop {
            let mut changed = false;
            for &id in &order {
                let before = entering.get(&id).cloned().unwrap_or_default();
                let flow = Flow { summaries, events: &events, changes: &changes, procedure: id, before };
                let solution = solve(summaries.procedure(id), &flow).entering;
                for (at, block) in summaries.procedure(id).blocks.iter().enumerate() {
                    let Some(mut state) = solution[at].clone() else { continue };
                    flow.begin(BlockId(at as u32), &mut state);
                    for (operation, content) in block.operations.iter().enumerate() {
                        let site =
                            Site { procedure: id, block: BlockId(at as u32), operation: operation as u32 };
                        for callee in callees(summaries, instrumented, site) {
                            let known = entering.entry(callee).or_default();
                            let count = known.len();
                            known.extend(&state);
                            changed |= known.len() > count && summaries.places.calls.recursive(callee);
                        }
                        if let Some(Directive::Checkpoint) = content.directive() {
                            sizes.newer.insert(site, state.clone());
                        }
                        flow.step(site, &mut state);
                    }
                }
            }
            if !changed {
                return sizes;
            }
        }
    }

    /// Why registers of a pointer to the memory may not save all of the range.
    pub fn gap(&self, checkpoint: Site, range: Range) -> Option<Gap> {
        if self.moved(range.memory).is_some() {
            return Some(Gap::Moved);
        }
        match self.sizes.get(&range.memory).and_then(|size| size.constant) {
            Some((_, most)) if most <= range.start => Some(Gap::Beyond),
            Some((least, _)) if range.end <= least => None,
            Some(_) | None if self.short(range.memory).is_some() => Some(Gap::Short),
            Some(_) | None if self.older(checkpoint, range.memory).is_some() => Some(Gap::Older),
            Some(_) | None => self.exchanged(range.memory).map(|_| Gap::Exchanged),
        }
    }

    /// A register of the memory, if all of its registers together save certainly less than is allocated.
    pub fn short(&self, memory: Memory) -> Option<&SizedRegister> {
        self.sizes.get(&memory).and_then(|size| size.short.as_ref())
    }

    /// A register of a pointer that may take over the memory, and that has another size.
    pub fn exchanged(&self, memory: Memory) -> Option<&SizedRegister> {
        self.exchanged.get(&memory)
    }

    /// A register of all of the memory, if its pointer may be moved.
    pub fn moved(&self, memory: Memory) -> Option<&SizedRegister> {
        self.moved.get(&memory)
    }

    /// The register of the memory, if the memory may be newer at the checkpoint.
    pub fn older(&self, checkpoint: Site, memory: Memory) -> Option<&SizedRegister> {
        let is_newer = self.newer.get(&checkpoint).is_some_and(|newer| newer.contains(&memory));
        is_newer.then(|| &self.older[&memory])
    }
}

/// The memory that operations allocate and that registers name.
#[derive(Debug, Default)]
struct Events {
    allocated: FxHashMap<Site, Memory>,
    registered: FxHashMap<Site, Memories>,
    /// What loops have registered when control reaches the block.
    by_loops: FxHashMap<(ProcedureId, BlockId), Memories>,
}

impl Events {
    fn new(summaries: &Summaries, all: &Memories) -> Events {
        let mut events = Events::default();
        for &memory in all {
            let MemoryKind::Heap(site) = summaries.places.points.kind(memory) else { continue };
            let effects = summaries.effects_of(site.procedure);
            // A restart runs execute blocks again.
            if !effects[site.block.0 as usize][site.operation as usize].lost.is_empty() {
                events.allocated.insert(*site, memory);
            }
        }
        for (site, directive) in summaries.places.program.directives() {
            if let Directive::Register(items) = directive {
                events.registered.insert(site, named(summaries, items));
            }
        }
        for (id, procedure) in (0..).map(ProcedureId).zip(&summaries.places.program.procedures) {
            for block in (0..procedure.blocks.len() as u32).map(BlockId) {
                let items = summaries.loop_registers.at(id, block);
                if !items.is_empty() {
                    events.by_loops.insert((id, block), named(summaries, items));
                }
            }
        }
        events
    }
}

/// The memory that the items may name.
pub fn named(summaries: &Summaries, items: &[Item]) -> Memories {
    let mut all = Memories::new();
    for item in items {
        let places = summaries.places.resolve(&item.memory, &mut Vec::new());
        all.extend(places.iter().map(|place| place.range.memory));
        all.extend(targets_of_item(summaries, item));
    }
    all
}

impl SizedRegister {
    fn new(summaries: &Summaries, site: Site, item: &Item, targets: &Memories) -> SizedRegister {
        let is_heap =
            |memory: &&Memory| matches!(summaries.places.points.kind(**memory), MemoryKind::Heap(_));
        let mut slots = Bytes::default();
        Parts::new(&summaries.places, item).slot.iter().for_each(|slot| slots.insert(slot.range));
        let bytes = bytes_of(item);
        SizedRegister {
            site,
            text: item.text.clone(),
            bytes_in_caller: bytes.as_ref().and_then(|bytes| passed_bytes(summaries, site, bytes)),
            bytes,
            slots,
            has_one_target: targets.iter().filter(is_heap).count() == 1,
            of_allocation: item.allocation,
        }
    }
}

impl RegisterSizes {
    /// Finds the heap memory whose size only registers give, and the registers whose size may be another one.
    fn add_sizes(&mut self, summaries: &Summaries) {
        let mut sized: FxHashMap<Memory, Vec<SizedRegister>> = FxHashMap::default();
        let mut other = Memories::new();
        for (site, directive) in summaries.places.program.directives() {
            let Directive::Register(items) = directive else { continue };
            for item in items {
                // Pointers and allocatable arrays of Fortran have their size with them.
                let has_size = item.deep || summaries.procedure(site.procedure).keeps_loops;
                if has_size {
                    other.extend(named(summaries, std::slice::from_ref(item)));
                    continue;
                }
                let targets = targets_of_item(summaries, item);
                let register = SizedRegister::new(summaries, site, item, &targets);
                for memory in targets {
                    sized.entry(memory).or_default().push(register.clone());
                }
            }
        }
        let mut found = Vec::new();
        for (memory, registers) in sized {
            if let (MemoryKind::Heap(site), false) =
                (summaries.places.points.kind(memory), other.contains(&memory))
            {
                found.push((memory, registers, allocated_bytes(summaries, *site)));
            }
        }
        if found.is_empty() {
            return;
        }
        let known: Vec<Affine> = found.iter().filter_map(|found| found.2.clone()).collect();
        let writes = Writes::new(summaries, &known);
        let handovers = Handovers::new(summaries);
        for (memory, registers, allocated) in found {
            let stays = allocated.as_ref().is_some_and(|allocated| writes.has_one_value(allocated));
            // The size has another name in the caller.
            let has_passed = |register: &SizedRegister| stays && register.bytes_in_caller == allocated;
            let has_bytes = |register: &SizedRegister| {
                allocated.is_some() && (register.bytes == allocated || has_passed(register))
            };
            // If the size of the memory is not known, an array of pointers may be one of rows in one block.
            let is_one_pointer = |register: &SizedRegister| {
                register.slots.iter().all(|slot| slot.end - slot.start == POINTER_BYTES)
            };
            let saves_all = |register: &&SizedRegister| match &allocated {
                _ if register.of_allocation => true,
                Some(_) => has_bytes(register),
                None => {
                    let bytes = register.bytes.as_ref();
                    bytes.is_some_and(|bytes| bytes.as_constant() != Some(0)) && is_one_pointer(register)
                }
            };
            let mut owners = registers.iter().filter(saves_all).peekable();
            if let Some(&first) = owners.peek() {
                if owners.all(|owner| handovers.may_be_moved(&owner.slots)) {
                    self.moved.insert(memory, first.clone());
                }
            }
            // The runtime looks up the size at each checkpoint.
            if registers.iter().any(|register| register.of_allocation) {
                continue;
            }
            // Several pointers can lead to parts of one memory.
            let mut parts: Vec<&SizedRegister> = registers.iter().collect();
            parts.sort_by_key(|register| &register.text);
            parts.dedup_by_key(|register| &register.text);
            let saved = parts.iter().try_fold(Affine::default(), |sum, part| sum.add(part.bytes.as_ref()?));
            let less = saved.and_then(|saved| allocated.as_ref()?.sub(&saved));
            let is_short = less.is_some_and(|less| is_positive(&less)) && stays;
            let constant = |register: &SizedRegister| register.bytes.as_ref()?.as_constant()?.try_into().ok();
            let constants: Option<Vec<u64>> = registers.iter().map(constant).collect();
            let constant = constants.and_then(|all| Some((*all.iter().min()?, *all.iter().max()?)));
            let short = is_short.then(|| registers[0].clone());
            self.sizes.insert(memory, Size { constant, short });
            // The memory of an array belongs to a pointer that does not change, and others point into it.
            let has_owner = registers.iter().any(|register| register.has_one_target && has_bytes(register));
            let may_take_over = |register: &&SizedRegister| {
                let Some(bytes) = &register.bytes else { return false };
                let differs = allocated.is_some() && bytes.as_constant() != Some(0) && !has_bytes(register);
                differs && handovers.comes_after(register.site, &register.slots)
            };
            if let (false, Some(register)) = (has_owner, registers.iter().find(may_take_over)) {
                self.exchanged.insert(memory, register.clone());
            }
            let has_size = |register: &SizedRegister| has_bytes(register) && stays;
            if let Some(register) = registers.iter().find(|register| !has_size(register)) {
                self.older.insert(memory, register.clone());
            }
        }
    }
}

/// Whether all of this heap memory is allocated with the same size, whenever that is.
pub fn have_one_size(summaries: &Summaries, memories: &BTreeSet<Memory>) -> bool {
    let size = |memory: &Memory| match summaries.places.points.kind(*memory) {
        MemoryKind::Heap(site) => allocated_bytes(summaries, *site),
        _ => None,
    };
    let sizes: Option<Vec<Affine>> = memories.iter().map(size).collect();
    let Some(sizes) = sizes else { return false };
    let writes = Writes::new(summaries, &sizes);
    sizes.iter().all(|size| *size == sizes[0] && writes.has_one_value(size))
}

/// Whether a size is larger than 0. Its variables are not negative, because they are sizes too.
fn is_positive(size: &Affine) -> bool {
    let is_more = size.constant > 0 || !size.terms.is_empty();
    size.constant >= 0 && is_more && size.terms.iter().all(|term| term.1 > 0)
}

/// The number of bytes that an item saves behind its last pointer.
fn bytes_of(item: &Item) -> Option<Affine> {
    let last = item.memory.path.iter().rposition(|step| *step == Step::Dereference)?;
    let mut bytes = Affine::constant(i64::try_from(item.memory.size?).ok()?);
    for step in &item.memory.path[last + 1..] {
        let Step::Elements(dimensions) = step else { continue };
        for dimension in dimensions {
            let count = match &dimension.index {
                Index::All => dimension.extent.clone()?,
                Index::Range { first, last, step: 1 } => last.sub(first)?.add(&Affine::constant(1))?,
                Index::At(_) | Index::Range { .. } | Index::Unknown => return None,
            };
            bytes = bytes.multiply(&count)?;
        }
    }
    Some(bytes)
}

/// The operations that write the variables of sizes.
struct Writes<'a> {
    summaries: &'a Summaries<'a>,
    of: FxHashMap<Memory, Vec<(Range, Site)>>,
}

impl<'a> Writes<'a> {
    fn new(summaries: &'a Summaries<'a>, sizes: &[Affine]) -> Writes<'a> {
        let mut writes = Writes { summaries, of: FxHashMap::default() };
        for &(variable, _) in sizes.iter().flat_map(|size| &size.terms) {
            writes.of.entry(summaries.places.range_of(variable).memory).or_default();
        }
        if writes.of.is_empty() {
            return writes;
        }
        for (id, procedure) in (0..).map(ProcedureId).zip(&summaries.places.program.procedures) {
            let effects = summaries.effects_of(id);
            for (site, operation) in procedure.operations(id) {
                if !writes.is_own(site, &operation.kind) {
                    continue;
                }
                let effect = &effects[site.block.0 as usize][site.operation as usize];
                for range in summaries.places.concretize(&effect.writes).iter() {
                    if let Some(known) = writes.of.get_mut(&range.memory) {
                        known.push((range, site));
                    }
                }
            }
        }
        writes
    }

    /// A call has the effects of the procedure that it runs.
    fn is_own(&self, site: Site, kind: &OperationKind) -> bool {
        match kind {
            OperationKind::Begin(_) => false,
            OperationKind::Call(_) => {
                let targets = self.summaries.places.calls.targets(site);
                targets.iter().any(|target| !matches!(target, Target::Procedure(_)))
            }
            OperationKind::Read(_)
            | OperationKind::Write { .. }
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Directive(_)
            | OperationKind::Opaque { .. } => true,
        }
    }

    /// Whether at most one operation sets each variable of the size, once.
    fn has_one_value(&self, size: &Affine) -> bool {
        size.terms.iter().all(|&(variable, _)| {
            let range = self.summaries.places.range_of(variable);
            let own = Bytes::from_range(range);
            let all = self.of.get(&range.memory).into_iter().flatten();
            let sites: BTreeSet<Site> =
                all.filter(|write| own.overlaps(write.0)).map(|write| write.1).collect();
            sites.len() <= 1 && sites.iter().all(|&site| !self.summaries.places.is_repeated(site))
        })
    }
}

/// What a call of a procedure changes.
#[derive(Debug, Clone)]
struct Change {
    /// The newer memory at the return if there was none at the call.
    made: Memories,
    /// The newer memory that stays newer.
    kept: Memories,
}

fn changes(summaries: &Summaries, events: &Events, all: &Memories) -> Vec<Change> {
    let count = summaries.places.program.procedures.len();
    let mut changes = vec![Change { made: Memories::new(), kept: all.clone() }; count];
    for component in &summaries.places.calls.components {
        for _ in 0..component.len().min(4) + 1 {
            for &id in component {
                let after = |before| {
                    let flow = Flow { summaries, events, changes: &changes, procedure: id, before };
                    flow.at_return()
                };
                let change = Change { made: after(Memories::new()), kept: after(all.clone()) };
                changes[id.0 as usize] = change;
            }
        }
    }
    changes
}

/// A forward problem. The state is the memory that some path has allocated after its last register.
struct Flow<'a> {
    summaries: &'a Summaries<'a>,
    events: &'a Events,
    changes: &'a [Change],
    procedure: ProcedureId,
    before: Memories,
}

impl Problem for Flow<'_> {
    type State = Memories;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, block: BlockId) -> Option<Memories> {
        let procedure = self.summaries.procedure(self.procedure);
        let is_entry = block == procedure.entry || procedure.entries.iter().any(|entry| entry.1 == block);
        is_entry.then(|| self.before.clone())
    }

    fn transfer(&self, block: BlockId, state: &Memories) -> Memories {
        let mut state = state.clone();
        self.begin(block, &mut state);
        let operations = &self.summaries.procedure(self.procedure).blocks[block.0 as usize].operations;
        for operation in 0..operations.len() as u32 {
            self.step(Site { procedure: self.procedure, block, operation }, &mut state);
        }
        state
    }

    fn join(&self, state: &mut Memories, other: &Memories) -> bool {
        let count = state.len();
        state.extend(other);
        state.len() > count
    }
}

impl Flow<'_> {
    fn begin(&self, block: BlockId, state: &mut Memories) {
        if let Some(named) = self.events.by_loops.get(&(self.procedure, block)) {
            state.retain(|memory| !named.contains(memory));
        }
    }

    fn step(&self, site: Site, state: &mut Memories) {
        if let Some(named) = self.events.registered.get(&site) {
            state.retain(|memory| !named.contains(memory));
        }
        if self.summaries.places.program.operation(site).call().is_some() {
            let before = std::mem::take(state);
            for target in self.summaries.places.calls.targets(site) {
                match target {
                    Target::Procedure(callee) => {
                        let Change { made, kept } = &self.changes[callee.0 as usize];
                        state.extend(before.intersection(kept));
                        state.extend(made);
                    }
                    Target::Outside(_) | Target::Unknown => state.extend(&before),
                }
            }
        }
        state.extend(self.events.allocated.get(&site));
    }

    fn at_return(&self) -> Memories {
        let procedure = self.summaries.procedure(self.procedure);
        let solution = solve(procedure, self).entering;
        let mut all = Memories::new();
        for (at, block) in procedure.blocks.iter().enumerate() {
            if let (Terminator::Return, Some(state)) = (&block.terminator, &solution[at]) {
                all.extend(self.transfer(BlockId(at as u32), state));
            }
        }
        all
    }
}
