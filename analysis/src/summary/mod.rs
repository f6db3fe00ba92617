//! The effects of operations and procedures on memory.
//!
//! Input: places, and the effects of procedures without source. Output: the effect of each operation, and a
//! summary of each procedure, computed callees first.
//! Postcondition: reads and writes are complete. Effects that are certain occur on every path that returns.
//! The target of a constant parameter is expressed by the parameter, so that each call gets its own memory.

mod extents;
mod handle_classes;
mod hidden_state;
mod kept;
mod later;
mod standard_input;
mod unit_names;
mod unknown_code;
mod passed_on;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::access_ranges::AccessRanges;
use crate::catalogue::datatype;
use crate::effects::{Assumptions, CallEffects, Effects, Extent, ResultEffect};
use crate::instances::Repeats;
use crate::loop_registers::LoopRegisters;
use crate::messages::{is_completed, Assigned};
use crate::owners::Owners;
use crate::points_to::{MemoryKind, Target};
use crate::problems::{
    execute_after, execute_blocks, meet, Certain, Composed, Effect, Execute, Exposed, Lost,
};
use crate::program::{
    Argument, BlockId, Call, Callee, Directive, Item, OperationKind, Procedure, ProcedureId, Site,
    Terminator, Value, VariableId,
};
use crate::sets::{Bytes, Memory, Range, END};
use crate::solver::{solve, Problem};
use crate::spot::AccessRange;
use crate::units::Units;
use crate::written_handles::{announced, is_null_write, patched};
use handle_classes::HandleClasses;
use hidden_state::external_variables;
use kept::Kept;
use later::Later;
use passed_on::PassedOn;
use standard_input::StandardInput;
use unit_names::UnitNames;
use unknown_code::{UnknownCode, UNKNOWN};

/// The effects of a call of a procedure, in terms of its caller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Read before it was certainly written.
    pub exposed: Bytes,
    pub writes: Bytes,
    /// Written outside of execute blocks, after `init` if that is certain.
    pub lost: Bytes,
    /// Written in execute blocks.
    pub restored: Bytes,
    /// Written on every path. None: no path returns.
    pub certain: Option<Bytes>,
}

/// Bytes of an artificial memory. Directives write them, so that summaries contain them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Init,
    Checkpoint,
    Shutdown,
    Register,
    Execute,
}

pub struct Summaries<'p> {
    pub places: AccessRanges<'p>,
    pub effects: &'p dyn Effects,
    pub assumptions: Assumptions,
    pub of: Vec<Summary>,
    /// The effects of all operations of each procedure.
    of_operations: Vec<Rc<Vec<Vec<Effect>>>>,
    pub loop_registers: LoopRegisters,
    owners: Owners,
    unknown_code: UnknownCode,
    passed_on: PassedOn,
    /// The handles that execute blocks announce with `file(…)`. The runtime restores the files.
    announced: Bytes,
    /// Memory of which a statement outside of execute blocks writes a part.
    patched: Bytes,
    assigned: Assigned,
    kept: Kept,
    later: Later,
    marks: Memory,
    pub units: Units,
    unit_names: UnitNames,
    /// The numbers of the units that OPEN statements connect. None: some numbers are not known.
    opened: Option<BTreeSet<u64>>,
    /// An artificial memory that represents states of libraries.
    states: Memory,
    input: StandardInput,
    handles: HandleClasses,
    repeats: Repeats,
    /// The variables that libraries may set, by their names.
    external_variables: FxHashMap<String, Vec<Range>>,
    /// The heap memory to which pointers of registers may point.
    pub(crate) registered_heap: OnceCell<BTreeSet<Memory>>,
    /// Pointers whose value is read, and not only followed.
    pub(crate) tested_pointers: OnceCell<Bytes>,
    /// Whether all calls of a procedure pass the same pointer, by the number of the parameter.
    pub(crate) same_arguments: RefCell<FxHashMap<(ProcedureId, u32), bool>>,
}

impl<'p> Summaries<'p> {
    pub fn new(
        mut places: AccessRanges<'p>,
        effects: &'p dyn Effects,
        assumptions: Assumptions,
    ) -> Summaries<'p> {
        let marks = places.points.add_memory(MemoryKind::Library, None);
        let units = Units { memory: places.points.add_memory(MemoryKind::Library, None) };
        let states = places.points.add_memory(MemoryKind::Library, None);
        let count = places.program.procedures.len();
        let owners = Owners::new(&places);
        let unit_names = UnitNames::new(&places);
        let opened = hidden_state::opened_units(places.program, units);
        let loop_registers = LoopRegisters::new(places.program);
        let announced = announced(&places);
        let input = StandardInput::new(&places, effects);
        let handles = HandleClasses::new(&places, effects);
        let external_variables = external_variables(places.program);
        let repeats = Repeats::new(places.program, &places.calls);
        let mut summaries = Summaries {
            loop_registers,
            announced,
            patched: Bytes::default(),
            assigned: Assigned::default(),
            kept: Kept::default(),
            later: Later::default(),
            owners,
            unknown_code: UnknownCode::default(),
            passed_on: PassedOn::default(),
            places,
            effects,
            assumptions,
            of: vec![Summary::default(); count],
            of_operations: vec![Rc::default(); count],
            marks,
            units,
            unit_names,
            opened,
            states,
            input,
            handles,
            repeats,
            external_variables,
            registered_heap: OnceCell::new(),
            tested_pointers: OnceCell::new(),
            same_arguments: RefCell::default(),
        };
        if assumptions == Assumptions::Usual {
            summaries.patched = patched(&summaries.places);
            summaries.assigned = Assigned::new(&summaries.places, effects);
        }
        summaries.kept = Kept::new(&summaries);
        summaries.summarise_all();
        summaries.later = Later::new(&summaries);
        if summaries.later != Later::default() {
            summaries.summarise_all();
        }
        summaries
    }

    fn summarise_all(&mut self) {
        for component in self.places.calls.components.clone() {
            self.summarise(&component);
        }
    }

    pub fn mark(&self, mark: Mark) -> Range {
        let start = mark as u64 * 2;
        Range { memory: self.marks, start, end: start + 1 }
    }

    /// Whether a call of the procedure may reach the directive.
    pub fn may(&self, id: ProcedureId, mark: Mark) -> bool {
        self.of[id.0 as usize].writes.overlaps(self.mark(mark))
    }

    pub fn procedure(&self, id: ProcedureId) -> &'p Procedure {
        &self.places.program.procedures[id.0 as usize]
    }

    fn summarise(&mut self, component: &[ProcedureId]) {
        // Those whose own summary, or that of a procedure that they run, has changed.
        let mut waiting = BTreeSet::from_iter(component.iter().copied());
        let mut known = vec![None; component.len()];
        for round in 0.. {
            for (&id, known) in component.iter().zip(&mut known) {
                if !waiting.remove(&id) {
                    continue;
                }
                let effects = Rc::new(self.find_effects(id, known.as_deref()));
                let mut new = self.summary(id, &effects);
                *known = Some(effects.clone());
                self.of_operations[id.0 as usize] = effects;
                if round > 8 {
                    self.widen(&mut new.exposed);
                    self.widen(&mut new.writes);
                    self.widen(&mut new.lost);
                    new.exposed.add(&self.of[id.0 as usize].exposed);
                    new.writes.add(&self.of[id.0 as usize].writes);
                    new.lost.add(&self.of[id.0 as usize].lost);
                }
                if self.of[id.0 as usize] != new {
                    self.unknown_code.forget(self, id);
                    self.passed_on.forget(id);
                    self.of[id.0 as usize] = new;
                    let callers = self.places.calls.callers[id.0 as usize].iter().map(|site| site.procedure);
                    waiting.extend(callers.filter(|&caller| self.places.calls.is_same_recursion(id, caller)));
                }
            }
            if waiting.is_empty() {
                return;
            }
        }
    }

    /// In a recursion, the parts of the target of a parameter could grow without end. So they are widened.
    fn widen(&self, bytes: &mut Bytes) {
        for range in bytes.clone().iter() {
            if let MemoryKind::Target { .. } = self.places.points.kind(range.memory) {
                bytes.insert(Range { start: 0, end: END, ..range });
            }
        }
    }

    fn summary(&self, id: ProcedureId, effects: &[Vec<Effect>]) -> Summary {
        let procedure = self.procedure(id);
        let blocks: Vec<_> = effects.iter().map(|effects| Composed::new(effects)).collect();
        let (empty, init) = (Bytes::default(), self.mark(Mark::Init));
        let live = solve(procedure, &Exposed { procedure, blocks: &blocks, after: &empty }).entering;
        let must = solve(procedure, &Certain { procedure, blocks: &blocks }).entering;
        let problem = Lost { entry: procedure.entry, before: &empty, effects, init };
        let lost = solve(procedure, &problem).entering;
        let mut summary = Summary::default();
        let entries = std::iter::once(procedure.entry).chain(procedure.entries.iter().map(|entry| entry.1));
        for at in entries.map(|entry| entry.0 as usize) {
            if let Some(after) = &live[at] {
                summary.exposed.add(&blocks[at].before(after));
            }
            let certain = must[at].as_ref().and_then(|after| blocks[at].certain_before(after));
            summary.certain = meet(summary.certain, certain, |a, b| a.intersect(b));
        }
        for (at, block) in procedure.blocks.iter().enumerate() {
            for effect in &effects[at] {
                summary.writes.add(&effect.writes);
                summary.restored.add(&effect.restored);
            }
            if let (Terminator::Return, Some(before)) = (&block.terminator, &lost[at]) {
                summary.lost.add(&problem.transfer(BlockId(at as u32), before));
            }
        }
        self.leave(id, &mut summary);
        summary
    }

    /// Removes memory that ends with the procedure.
    fn leave(&self, id: ProcedureId, summary: &mut Summary) {
        let recursive = self.places.calls.recursive(id);
        for set in [&mut summary.exposed, &mut summary.writes, &mut summary.lost, &mut summary.restored] {
            let gone: Vec<_> = set.iter().map(|range| range.memory).collect();
            for memory in gone {
                let local = *self.places.points.kind(memory) == MemoryKind::Object
                    && self.places.local_to(memory, id);
                if local && (!recursive || self.places.private(memory)) {
                    set.remove_memory(memory);
                }
            }
        }
    }

    /// The effects of all operations of a procedure.
    pub fn effects_of(&self, id: ProcedureId) -> &Rc<Vec<Vec<Effect>>> {
        &self.of_operations[id.0 as usize]
    }

    /// The effects of one operation.
    pub fn effect_at(&self, site: Site) -> &Effect {
        &self.effects_of(site.procedure)[site.block.0 as usize][site.operation as usize]
    }

    /// The same, from the summaries of the procedures that it calls.
    /// `known`: those of the last time. Only the calls may have changed.
    fn find_effects(&self, id: ProcedureId, known: Option<&Vec<Vec<Effect>>>) -> Vec<Vec<Effect>> {
        let procedure = self.procedure(id);
        let inside = execute_blocks(procedure);
        let mut all = Vec::with_capacity(procedure.blocks.len());
        for (block, content) in procedure.blocks.iter().enumerate() {
            let mut execute = inside[block];
            let mut effects = Vec::with_capacity(content.operations.len());
            for (operation, content) in content.operations.iter().enumerate() {
                let site = Site { procedure: id, block: BlockId(block as u32), operation: operation as u32 };
                execute = execute_after(execute, &content.kind);
                if let (Some(known), None) = (known, content.call()) {
                    effects.push(known[block][operation].clone());
                    continue;
                }
                let mut effect = self.effect(site, &content.kind);
                if let Some(Execute { captures, .. }) = execute {
                    let added = self.added_in_block(&effect.lost, site, captures);
                    effect.lost = effect.lost.intersect(&self.captured(captures));
                    effect.lost.add(&added);
                }
                if self.assumptions == Assumptions::Usual {
                    if execute.is_some() {
                        effect.restored = effect.writes.clone();
                        effect.restored.subtract(&self.patched);
                        effect.restored.subtract(&self.states_with_parts());
                    } else if is_null_write(&content.kind) {
                        effect.lost.subtract(&self.announced);
                    }
                }
                effects.push(effect);
            }
            all.push(effects);
        }
        all
    }

    /// At the end of a replayed execute block, the captured memory gets the value that it had before.
    fn captured(&self, captures: &[Item]) -> Bytes {
        let mut captured = Bytes::default();
        for capture in captures {
            add(&mut captured, &self.places.resolve(&capture.memory, &mut Vec::new()));
        }
        captured
    }

    pub fn effect(&self, site: Site, kind: &OperationKind) -> Effect {
        let mut effect = Effect::default();
        let mut pointers = Vec::new();
        match kind {
            OperationKind::Read(access) => {
                let places = self.places.resolve(access, &mut pointers);
                add(&mut effect.reads, &places);
            }
            OperationKind::Write { to, value } => {
                let places = self.places.resolve(to, &mut pointers);
                if let Value::Copy(access) | Value::Address(access) = value {
                    self.places.resolve(access, &mut pointers);
                }
                self.write(&mut effect, &places);
                if let (Value::Null, true) = (value, to.path.is_empty()) {
                    self.renew(to.root, &mut effect);
                }
            }
            OperationKind::Begin(variable) => {
                self.renew(*variable, &mut effect);
                let variable = &self.places.program.variables[variable.0 as usize];
                let memory = Memory::from(variable.object);
                let end = variable.size.map_or(END, |size| variable.offset + size);
                if self.places.unique(memory) {
                    effect.certain.insert(Range { memory, start: variable.offset, end });
                }
            }
            OperationKind::Allocate { to, .. } => {
                let places = self.places.resolve(to, &mut pointers);
                self.write(&mut effect, &places);
                if to.path.is_empty() {
                    self.renew(to.root, &mut effect);
                }
            }
            OperationKind::Free(access) => {
                let places = self.places.resolve(access, &mut pointers);
                add(&mut effect.reads, &places);
            }
            OperationKind::Call(call) => self.call(site, call, &mut effect, &mut pointers),
            OperationKind::Directive(directive) => self.directive(directive, &mut effect, &mut pointers),
            OperationKind::Opaque { touched, .. } => {
                effect.reads.add(&self.places.escaped);
                for variable in touched {
                    let variable = &self.places.program.variables[variable.0 as usize];
                    let memory = Memory::from(variable.object);
                    let end = variable.size.map_or(END, |size| variable.offset + size);
                    effect.reads.insert(Range { memory, start: variable.offset, end });
                }
                effect.writes = effect.reads.clone();
                effect.lost = effect.reads.clone();
            }
        }
        add(&mut effect.reads, &pointers);
        effect
    }

    /// Records that the variable no longer points to earlier memory.
    fn renew(&self, variable: VariableId, effect: &mut Effect) {
        self.owners.left_by(&self.places, variable).for_each(|range| effect.certain.insert(range));
    }

    fn write(&self, effect: &mut Effect, places: &[AccessRange]) {
        add(&mut effect.writes, places);
        add(&mut effect.lost, places);
        if let Some(range) = self.places.certain(places) {
            effect.certain.insert(range);
        }
    }

    fn directive(&self, directive: &Directive, effect: &mut Effect, pointers: &mut Vec<AccessRange>) {
        let mark = match directive {
            Directive::Init => {
                self.run_later(effect);
                Mark::Init
            }
            Directive::Shutdown => Mark::Shutdown,
            Directive::Checkpoint => Mark::Checkpoint,
            Directive::Register(_) => Mark::Register,
            Directive::BeginExecute { captures, .. } => {
                for capture in captures {
                    let places = self.places.resolve(&capture.memory, pointers);
                    add(&mut effect.reads, &places);
                }
                Mark::Execute
            }
            Directive::EndExecute => return self.run_later(effect),
            Directive::Unregister(_) => return,
        };
        effect.writes.insert(self.mark(mark));
        effect.certain.insert(self.mark(mark));
    }

    fn call(&self, site: Site, call: &Call, effect: &mut Effect, pointers: &mut Vec<AccessRange>) {
        for argument in &call.arguments {
            match argument {
                Argument::Reference(access)
                | Argument::Value(Value::Copy(access) | Value::Address(access)) => {
                    self.places.resolve(access, pointers);
                }
                Argument::Value(_) | Argument::Absent => {}
            }
        }
        if let Callee::Indirect(access) = &call.callee {
            let places = self.places.resolve(access, pointers);
            add(&mut effect.reads, &places);
        }
        let mut certain: Option<Bytes> = None;
        for target in self.places.calls.targets(site) {
            let one = self.target(site, target, call, effect);
            certain = match (certain, one) {
                (Some(a), Some(b)) => Some(a.intersect(&b)),
                (a, b) => a.or(b),
            };
        }
        effect.ends = call.never_returns || certain.is_none();
        effect.certain = certain.unwrap_or_default();
        if let Some(result) = &call.result {
            let places = self.places.resolve(result, pointers);
            self.write(effect, &places);
        }
    }

    /// Whether the operation may run more than once in a run of the program.
    pub fn may_repeat(&self, site: Site) -> bool {
        self.repeats.may_repeat(site)
    }

    /// Adds the effects of one callee. Returns its certain writes, or `None` if it does not return.
    fn target(&self, site: Site, target: &Target, call: &Call, effect: &mut Effect) -> Option<Bytes> {
        match target {
            Target::Procedure(id) => self.run(site.procedure, *id, call, effect),
            Target::Outside(name) => match self.effects.effects(name) {
                Some(effects) => {
                    for memory in self.places.points.kept_by(name) {
                        self.add_all(memory, effect);
                    }
                    self.run_outside(effects, call, effect)
                }
                None if self.assumptions == Assumptions::Usual => self.run_outside(&UNKNOWN, call, effect),
                None => self.run_unknown(effect),
            },
            Target::Unknown => self.run_unknown(effect),
        }
    }

    fn run_unknown(&self, effect: &mut Effect) -> Option<Bytes> {
        self.unknown_code.run(self, effect);
        Some(Bytes::default())
    }

    fn run_outside(&self, effects: &CallEffects, call: &Call, effect: &mut Effect) -> Option<Bytes> {
        let mut certain = Bytes::default();
        for (number, argument) in call.arguments.iter().enumerate() {
            let known = effects.parameter(number);
            self.unit(known, argument, effect, &mut certain);
            let (mut reads, _) = self.extent(call, argument, &known.reads);
            if self.assumptions == Assumptions::Usual && is_completed(known) {
                reads.retain(|place| self.assigned.is_request(&self.places, place.range));
            }
            // Memory that is kept for a handle is read when the handle is started.
            if known.kept_for.is_none() {
                add(&mut effect.reads, &reads);
            }
            if known.follows_pointers {
                self.follow_all(&reads, effect);
            }
            let (writes, all) = self.extent(call, argument, &known.writes);
            let other = known.in_place.map(|number| call.arguments.get(number));
            if other.is_some_and(|other| !other.is_some_and(datatype::is_memory)) {
                add(&mut effect.reads, &writes);
            }
            add(&mut effect.writes, &writes);
            // A persistent request is still valid after its completion.
            let keeps_handle = known.uses.is_some() && known.reads != Extent::Nothing;
            if self.assumptions == Assumptions::Worst || !keeps_handle {
                add(&mut effect.lost, &writes);
            }
            // Memory whose pointer is kept may be written later.
            if let (true, Some(range)) = (all && !known.keeps, self.places.certain(&writes)) {
                certain.insert(range);
            }
            if self.assumptions == Assumptions::Usual {
                self.filled(call, argument, &known.fills).into_iter().for_each(|range| certain.insert(range));
                let received = self.filled(call, argument, &known.receives);
                if let Some(range) = received.filter(|range| !self.assigned.is_data(&self.places, *range)) {
                    certain.insert(range);
                }
            }
            if let ResultEffect::Reallocates(_) = effects.result {
                add(&mut effect.reads, &self.places.behind_argument(argument, 0, END));
            }
        }
        self.start(effects, call, effect, &mut certain);
        self.library_states(effects, call, effect, &mut certain);
        if effects.calls_back {
            match self.places.points.callbacks(effects, call) {
                Some(called) => called.into_iter().for_each(|id| self.call_back(id, effect)),
                None => {
                    self.run_unknown(effect);
                }
            }
        }
        (!effects.never_returns).then_some(certain)
    }

    /// A library calls the procedure any number of times, with addresses of its choice in the memory that it got.
    fn call_back(&self, id: ProcedureId, effect: &mut Effect) {
        let summary = &self.of[id.0 as usize];
        effect.reads.add(&self.places.concretize(&summary.exposed));
        effect.writes.add(&self.places.concretize(&summary.writes));
        effect.lost.add(&self.places.concretize(&summary.lost));
    }

    /// Adds all memory that pointers in these places reach.
    fn follow_all(&self, places: &[AccessRange], effect: &mut Effect) {
        let mut bytes = Bytes::default();
        add(&mut bytes, places);
        let mut work: Vec<_> = self.places.concretize(&bytes).iter().map(|range| range.memory).collect();
        let mut seen = BTreeSet::new();
        while let Some(memory) = work.pop() {
            for next in self.places.points.reachable(memory) {
                if seen.insert(next) {
                    work.push(next);
                    self.add_all(next, effect);
                }
            }
        }
    }

    /// All of the memory may be read and written.
    fn add_all(&self, memory: Memory, effect: &mut Effect) {
        let range = Range { memory, start: 0, end: END };
        effect.reads.insert(range);
        effect.writes.insert(range);
        effect.lost.insert(range);
    }
}

pub fn add(bytes: &mut Bytes, places: &[AccessRange]) {
    places.iter().for_each(|place| bytes.insert(place.range));
}
