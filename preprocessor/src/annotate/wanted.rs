//! The directives that a program needs and does not have.
//!
//! Input: the analyses of the program, and the names that are visible in each procedure.
//! Output: directives, each with the code that it belongs to.
//! Postcondition: a directive names only what is visible where it goes. Memory for which there is no directive stays
//! missing, and the check of live data reports it.

mod places;
mod appends;
mod first_values;
mod pointers;
mod before_init;
mod graphs;
mod stated_types;
mod structures;
mod captures;
mod settings;
mod repeated_runs;
mod read_by_blocks;
mod paths;
mod statics;
mod targets;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use cppc_analysis::check::Analysis;
use cppc_analysis::needed_opens::NeededOpens;
use cppc_analysis::needs::Missing;
use cppc_analysis::points_to::MemoryKind;
use cppc_analysis::program::{
    Access, Call, Directive, ObjectId, Operation, OperationKind, ProcedureId, Program, Site, Variable,
    VariableId,
};
use cppc_analysis::register_sizes::have_one_size;
use cppc_analysis::sets::{Bytes, Memory, Range, END};
use cppc_analysis::summary::Mark;
use cppc_analysis::units::{chooses_unit, is_open};
use cppc_source::Span;

use self::graphs::{allocation, Graphs, Variables};
pub use self::graphs::{Allocation, GraphChoice, Line};
use self::pointers::{registered, Writes};
use self::repeated_runs::RepeatedRuns;
use self::stated_types::TypesOfMemory;
use self::structures::handle_fields;
use super::allocations::{freeing, receiving};
use super::before::Starts;
use super::declared_types::DeclaredType;
use super::handles::{ArgumentText, FileName, Handles};
use super::registrar_place::RegistrarPlace;
use super::seen::{NamesOfMemory, Seen};
use super::FieldBytes;
use crate::lower::Names;
use crate::safety::Safety;

/// A directive, and the code that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// An item of `register` before the statement around `at`: in the block that declares it, or in the innermost one.
    Register {
        at: Span,
        declared: Option<Span>,
        nearest: bool,
        item: String,
    },
    /// The same for the fields of a structure of C.
    RegisterFields {
        at: Span,
        declared: Span,
        nearest: bool,
        name: String,
        bytes: FieldBytes,
    },
    /// An item of `register` before the first statement of a procedure.
    RegisterFirst {
        procedure: Span,
        item: String,
    },
    /// A `register` after the statement in which a call at `at` allocates memory for a pointer of C. `whole`: the pointer
    /// may take over other memory, so the size is that of the memory at each checkpoint.
    Allocated {
        at: Span,
        whole: bool,
    },
    /// An item of `register` after a statement.
    RegisterAfter {
        at: Span,
        item: String,
    },
    /// An item of `register` after `init`.
    RegisterAfterInit {
        init: Span,
        item: String,
    },
    /// An `execute` block around the statement that creates a handle.
    Execute {
        at: Span,
        captures: Vec<String>,
        file: Option<OpenedFile>,
    },
    /// The same around a statement that only changes a setting of the process, or sets a variable to a constant.
    Setting {
        at: Span,
        captures: Vec<String>,
    },
    /// `unregister` before the statement that frees memory of an automatic register.
    UnregisterBefore {
        at: Span,
        name: String,
    },
    /// A checkpoint before a statement of the body of a loop.
    Checkpoint {
        at: Span,
        safety: Safety,
    },
    /// An item of `register` for a static variable, before its procedure uses it.
    RegisterStatic {
        procedure: Span,
        declared: Span,
        item: String,
    },
    /// An empty procedure that gets the registers of static data.
    Registrar {
        place: RegistrarPlace,
        name: String,
        declarations: Vec<String>,
    },
    /// Its call after `init`.
    RegistrarCall {
        after: Span,
        name: String,
    },
    InitAfter {
        at: Span,
    },
    InitFirst {
        procedure: Span,
    },
    ShutdownBefore {
        at: Span,
    },
    ShutdownLast {
        procedure: Span,
    },
}

/// The file that a block opens. Without the name there is no block.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpenedFile {
    /// The variable that gets the handle.
    OfC { handle: String, name: ArgumentText },
    /// The OPEN statement has both.
    Unit,
}

/// How often each memory was wanted before: in the first round in the block that declares it, then next to the code that
/// needs it, then no more.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tried {
    rounds: BTreeMap<String, u32>,
    /// The units of Fortran and the settings of the process are in blocks.
    units: bool,
    /// Where there is a procedure for registers, or none is possible.
    places: BTreeSet<RegistrarPlace>,
    /// Memory that is saved in graphs, and the roots that the translation refused.
    pub graphs: GraphChoice,
    /// Heap memory of C for which the directives so far are not enough.
    pub unsaved: BTreeSet<Allocation>,
}

/// What the program needs after its checkpoints and nothing restores.
pub struct Search<'a> {
    pub analysis: &'a Analysis<'a>,
    pub program: &'a Program,
    visible: BTreeMap<ProcedureId, Vec<VariableId>>,
    handles: Handles<'a>,
    starts: Starts<'a>,
    /// An allocation sets them. Its memory is registered there, and the pointer with it.
    allocated: Bytes,
    /// The calls that allocate memory for a pointer.
    receipts: BTreeSet<Span>,
    /// They are in a `register` directive.
    registered: BTreeSet<ObjectId>,
    /// The handles in structures of C.
    handle_fields: Bytes,
    unrestored: Vec<Missing>,
    /// The calls that free memory, with the pointers to it.
    freeing: Vec<(Site, Span, Access)>,
    /// The allocating calls whose directives are already wanted.
    called: RefCell<BTreeSet<Site>>,
    writes: OnceCell<Writes>,
    repeated_runs: OnceCell<RepeatedRuns>,
    /// The memory of other allocations to which pointers in the memory of an allocation point, as far as it is known.
    heap: RefCell<BTreeMap<Memory, Vec<Memory>>>,
    graphs: Graphs,
    /// The items that the translation refused.
    refused_items: BTreeSet<String>,
    types_of_memory: OnceCell<TypesOfMemory>,
    is_c: &'a dyn Fn(Span) -> bool,
    line_of: &'a dyn Fn(Span) -> Line,
    declared_type: &'a dyn Fn(Span) -> Option<DeclaredType>,
}

impl<'a> Search<'a> {
    pub fn new(
        analysis: &'a Analysis<'a>,
        program: &'a Program,
        names: &Names,
        choice: &GraphChoice,
        is_c: &'a dyn Fn(Span) -> bool,
        line_of: &'a dyn Fn(Span) -> Line,
        declared_type: &'a dyn Fn(Span) -> Option<DeclaredType>,
    ) -> Search<'a> {
        let mut visible: BTreeMap<ProcedureId, Vec<VariableId>> = BTreeMap::new();
        for &(procedure, variable) in names {
            visible.entry(procedure).or_default().push(variable);
        }
        let points = &analysis.summaries.places.points;
        let (registered, unrestored) = (registered(program), analysis.unrestored());
        let needed = unrestored.iter().map(|missing| missing.range.memory);
        let needed = needed.filter(|memory| *points.kind(*memory) == MemoryKind::Object);
        let all = needed.chain(registered.iter().map(|object| Memory::from(*object))).collect();
        let handles = Handles::new(analysis, program);
        let handle_fields = handle_fields(program, &handles, is_c);
        let needed = Variables { all, divided: handle_fields.clone() };
        let graphs = Graphs::new(analysis, &handles, choice, &needed, is_c, line_of);
        let receiving: Vec<Site> = program
            .calls()
            .filter(|(site, ..)| points.heap(*site).is_some_and(|memory| !graphs.contains(memory)))
            .flat_map(|(site, ..)| receiving(analysis, site))
            .collect();
        let receipts = receiving.iter().map(|site| program.operation(*site).span).collect();
        // `*p = malloc(…)` is a pointer of the caller.
        let allocated =
            receiving.into_iter().filter_map(|site| handles.pointer(site, program.operation(site).call()?));
        let allocated = allocated.flat_map(|receiver| handles.ranges(&receiver).iter().collect::<Vec<_>>());
        let mut pointers = Bytes::default();
        let objects = allocated.filter(|range| points.kind(range.memory) == &MemoryKind::Object);
        objects.for_each(|range| pointers.insert(range));
        let starts = Starts::new(program, &analysis.summaries.places.calls);
        Search {
            analysis,
            program,
            visible,
            handles,
            starts,
            allocated: pointers,
            receipts,
            registered,
            handle_fields,
            unrestored,
            freeing: freeing(analysis, program),
            called: RefCell::default(),
            writes: OnceCell::new(),
            repeated_runs: OnceCell::new(),
            heap: RefCell::default(),
            graphs,
            refused_items: choice.refused_items.clone(),
            types_of_memory: OnceCell::new(),
            is_c,
            line_of,
            declared_type,
        }
    }

    pub fn wanted(&self, tried: &mut Tried) -> BTreeSet<Wanted> {
        let mut wanted = BTreeSet::new();
        if !std::mem::replace(&mut tried.units, true) {
            self.units(&mut wanted);
            self.appends(&mut wanted);
            self.settings(&mut wanted);
        }
        self.read_by_blocks(tried, &mut wanted);
        let (mut keys, mut places) = (BTreeSet::new(), BTreeSet::new());
        tried.unsaved.clear();
        places.extend(self.targets(&self.unrestored, tried, &mut wanted));
        // The check reports sizes in procedures that have returned. A register before their calls would not be enough: a later
        // one takes its place.
        let is_in_returned = |at: Site| !self.analysis.summaries.may(at.procedure, Mark::Checkpoint);
        for missing in &self.unrestored {
            let key = self.key(missing);
            let round = tried.rounds.get(&key).copied().unwrap_or(0);
            if missing.evaluation.is_some_and(is_in_returned) {
                continue;
            }
            if round < 2 {
                let place = self.one(missing, round, &mut wanted);
                if let Some(place) = place.filter(|place| !tried.places.contains(place)) {
                    // The same round again, with the procedure.
                    places.insert(place);
                    continue;
                }
                for site in self.pointed(missing.range) {
                    self.heap(site, missing, round, &mut wanted);
                }
            }
            tried.unsaved.extend(self.allocation(missing));
            keys.insert(key);
        }
        for key in keys {
            *tried.rounds.entry(key).or_default() += 1;
        }
        tried.places.extend(places.iter().cloned());
        self.registrars(places, &mut wanted);
        self.before_windows(&mut wanted);
        wanted
    }

    /// Units of Fortran have numbers, so nothing shows which of them a program uses after a checkpoint. Every OPEN that a
    /// restart may need is in a block.
    fn units(&self, wanted: &mut BTreeSet<Wanted>) {
        let opens = NeededOpens::new(&self.analysis.summaries);
        for (site, at, call) in self.program.calls() {
            if self.opens_unit(call, at) && !self.is_in_block(site) && opens.is_needed(site, call) {
                let captures = self.captures(site, Some(call), None);
                wanted.insert(Wanted::Execute { at, captures, file: Some(OpenedFile::Unit) });
            }
        }
    }

    fn opens_unit(&self, call: &Call, at: Span) -> bool {
        is_open(call) && !(self.is_c)(at)
    }

    /// An `execute` block begins before the operation, in its basic block, and does not end before it.
    fn is_in_block(&self, site: Site) -> bool {
        let block = &self.procedure(site.procedure).blocks[site.block.0 as usize];
        let before = block.operations[..site.operation as usize].iter().rev();
        let mut directives = before.filter_map(Operation::directive);
        directives.find_map(|directive| match directive {
            Directive::BeginExecute { .. } => Some(true),
            Directive::EndExecute => Some(false),
            _ => None,
        }) == Some(true)
    }

    /// The allocations of all memory that pointers in the range reach. A saved pointer needs the memory that it points
    /// to, even if nothing reads that.
    fn pointed(&self, range: Range) -> BTreeSet<Site> {
        let points = &self.analysis.summaries.places.points;
        let offsets = points.pointers(range.memory).into_iter();
        let offsets = offsets.filter(|offset| range.start <= *offset && *offset < range.end);
        let first = offsets.flat_map(|offset| points.targets(range.memory, offset));
        let mut waiting: Vec<Memory> = first.map(|target| target.0).collect();
        let (mut sites, mut seen) = (BTreeSet::new(), BTreeSet::from([range.memory]));
        let mut heap = self.heap.borrow_mut();
        while let Some(memory) = waiting.pop() {
            if let (MemoryKind::Heap(site), true) = (points.kind(memory), seen.insert(memory)) {
                sites.insert(*site);
                let is_heap = |memory: &Memory| matches!(points.kind(*memory), MemoryKind::Heap(_));
                let targets = heap
                    .entry(memory)
                    .or_insert_with(|| points.reachable(memory).into_iter().filter(is_heap).collect());
                waiting.extend_from_slice(targets);
            }
        }
        sites
    }

    /// The allocation of heap memory of C.
    fn allocation(&self, missing: &Missing) -> Option<Allocation> {
        match self.points(missing.range.memory) {
            MemoryKind::Heap(site)
                if (self.is_c)(self.operation(*site).span)
                    && self.analysis.summaries.nameless(missing.range.memory).is_none() =>
            {
                Some(allocation(self.analysis, *site, self.line_of))
            }
            _ => None,
        }
    }

    /// Names the memory in the same way in every round.
    fn key(&self, missing: &Missing) -> String {
        let memory = missing.range.memory;
        let (start, label) = (missing.range.start, &self.procedure(missing.checkpoint.procedure).label);
        match self.points(memory) {
            MemoryKind::Object => {
                format!("{}+{start} in {label}", self.program.objects[memory.0 as usize].name)
            }
            MemoryKind::Heap(site) => {
                // A size needs an earlier register.
                let frame = missing.evaluation.map(|_| self.operation(missing.frame).span.start);
                format!("{:?} in {label}, {frame:?}", self.procedure(site.procedure).label)
            }
            _ => format!("memory {} in {label}", memory.0),
        }
    }

    /// Returns where a procedure for the register is needed.
    fn one(&self, missing: &Missing, round: u32, wanted: &mut BTreeSet<Wanted>) -> Option<RegistrarPlace> {
        match self.points(missing.range.memory) {
            MemoryKind::Object => return self.object(missing, round, wanted),
            MemoryKind::Heap(site) => self.heap(*site, missing, round, wanted),
            MemoryKind::Code(..) | MemoryKind::Target { .. } | MemoryKind::Library | MemoryKind::Unknown => {}
        }
        None
    }

    fn object(&self, missing: &Missing, round: u32, wanted: &mut BTreeSet<Wanted>) -> Option<RegistrarPlace> {
        let id = ObjectId(missing.range.memory.0);
        // A register would save the copy of one thread.
        if self.program.objects[id.0 as usize].constant || self.program.thread_copies.contains(&id) {
            return None;
        }
        let handles = self.handle(missing.range, wanted);
        let is_field = self.handle_fields.covers(missing.range);
        if round > 0 || is_field {
            self.without_handle(missing.range, wanted);
        }
        if is_field {
            return None;
        }
        // A register after the evaluation would be too late.
        let path = match missing.evaluation {
            Some(_) => vec![missing.frame],
            None => self
                .path_from_host(ObjectId(missing.range.memory.0), missing, round)
                .unwrap_or_else(|| self.path(missing.frame, missing.checkpoint)),
        };
        for &site in &path {
            let at = self.operation(site).span;
            let all = self.names(site.procedure, missing.range);
            let found: Vec<&Variable> = all
                .map(|id| self.variable(id))
                .filter(|variable| self.is_structure(variable) || !handles.overlaps(range_of(variable)))
                .collect();
            for variable in &found {
                let nearest = round > 0 || self.is_set_in_loop(site, variable);
                self.register(variable, at, nearest, wanted);
            }
            if !found.is_empty() {
                return None;
            }
        }
        self.elsewhere(missing.range, &handles, &path, round, wanted)
    }

    fn heap(&self, site: Site, missing: &Missing, round: u32, wanted: &mut BTreeSet<Wanted>) {
        let operation = self.operation(site);
        let memory = self.analysis.summaries.places.points.heap(site);
        if memory.is_some_and(|memory| self.graphs.contains(memory)) {
            return;
        }
        match &operation.kind {
            OperationKind::Call(_) if round == 0 && self.called.borrow_mut().insert(site) => {
                for site in receiving(self.analysis, site) {
                    if self.starts.is_before(site) {
                        wanted.extend(self.registered_after_init(site));
                        continue;
                    }
                    let operation = self.program.operation(site);
                    let receiver = operation.call().and_then(|call| self.handles.pointer(site, call));
                    if receiver.as_ref().is_some_and(|receiver| self.passed_on(site, receiver, wanted)) {
                        continue;
                    }
                    let whole = receiver.as_ref().is_some_and(|receiver| self.has_other_memory(receiver));
                    wanted.insert(Wanted::Allocated { at: operation.span, whole });
                    wanted.extend(receiver.into_iter().flat_map(|receiver| self.frees(receiver)));
                }
            }
            OperationKind::Allocate { to, .. } => {
                let root = self.variable(to.root).object;
                // A register after the evaluation would be too late.
                let host = || self.path_from_host(root, missing, round).map(|path| path[0]);
                let frame = missing.evaluation.is_none().then(host).flatten().unwrap_or(missing.frame);
                let Search { analysis, program, ref visible, .. } = *self;
                let names = NamesOfMemory { analysis, program, visible };
                match names.seen_from(frame.procedure, site.procedure, to, 0) {
                    // The variable is reported too. Its register saves the components of all elements.
                    Some(Seen::Component) => {}
                    Some(Seen::Item(root, item)) => {
                        let declared = self.variable(root).declared;
                        let at = self.operation(frame).span;
                        wanted.insert(Wanted::Register { at, declared, nearest: round > 0, item });
                    }
                    None if round == 0 => {
                        wanted.insert(Wanted::RegisterAfter { at: operation.span, item: to.text.clone() });
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }

    /// Whether a pointer may point to the memory of several allocations, which may have other sizes.
    fn has_other_memory(&self, pointer: &Access) -> bool {
        let points = &self.analysis.summaries.places.points;
        let ranges = self.handles.ranges(pointer);
        let targets = ranges.iter().flat_map(|range| points.targets(range.memory, range.start));
        let heap: BTreeSet<Memory> = targets
            .map(|target| target.0)
            .filter(|&memory| matches!(points.kind(memory), MemoryKind::Heap(_)))
            .collect();
        heap.len() > 1 && !have_one_size(&self.analysis.summaries, &heap)
    }

    /// The calls that free what a pointer points to. A checkpoint after them must not read it. A pointer that is set again
    /// before needs its register.
    fn frees(&self, pointer: Access) -> impl Iterator<Item = Wanted> + '_ {
        self.freeing.iter().filter_map(move |(site, at, freed)| {
            let is_freed = freed.root == pointer.root
                && freed.text == pointer.text
                && self.handles.comes_to_checkpoint(*site, &pointer);
            is_freed.then(|| Wanted::UnregisterBefore { at: *at, name: pointer.text.clone() })
        })
    }

    /// Memory that a call sets to a handle is not saved: the call runs again. Returns this memory.
    fn handle(&self, range: Range, wanted: &mut BTreeSet<Wanted>) -> Bytes {
        let mut found = Bytes::default();
        for creation in self.handles.of(range) {
            let call = self.program.operation(creation.site).call();
            let opens_unit = call.is_some_and(|call| self.opens_unit(call, creation.at));
            // A unit is a number, which can be saved, unless NEWUNIT chooses it.
            if !opens_unit || call.is_some_and(chooses_unit) {
                self.handles.ranges(&creation.receiver).iter().for_each(|range| found.insert(range));
            }
            if opens_unit {
                continue;
            }
            let file = match &creation.file {
                FileName::NotNeeded => None,
                FileName::Known(name) => {
                    let handle = creation.receiver.text.clone();
                    Some(OpenedFile::OfC { handle, name: name.clone() })
                }
                // The check reports it.
                FileName::Unknown => continue,
            };
            if call.is_some_and(|call| self.handles.ends_before_checkpoints(call)) {
                continue;
            }
            if !self.handles.comes_to_checkpoint(creation.site, &creation.receiver)
                || self.is_in_block(creation.site)
            {
                continue;
            }
            let Some(others) = self.distinguishing(creation.site) else { continue };
            let mut captures = self.captures(creation.site, call, Some(&creation.receiver));
            let others: Vec<String> = others.into_iter().filter(|other| !captures.contains(other)).collect();
            captures.extend(others);
            let is_new = wanted.insert(Wanted::Execute { at: creation.at, captures, file });
            for source in creation.sources.iter().filter(|_| is_new) {
                for range in self.handles.ranges(source).iter() {
                    self.handle(range, wanted);
                }
            }
        }
        found
    }

    fn points(&self, memory: Memory) -> &MemoryKind {
        self.analysis.summaries.places.points.kind(memory)
    }

    fn procedure(&self, id: ProcedureId) -> &'a cppc_analysis::program::Procedure {
        &self.program.procedures[id.0 as usize]
    }

    fn operation(&self, site: Site) -> &'a Operation {
        self.program.operation(site)
    }

    fn variable(&self, id: VariableId) -> &'a Variable {
        &self.program.variables[id.0 as usize]
    }
}

/// Whether the variable may contain a part of the memory.
fn is_part(variable: &Variable, memory: Range) -> bool {
    let range = range_of(variable);
    range.memory == memory.memory && range.start < memory.end && memory.start < range.end
}

/// The memory of a variable.
fn range_of(variable: &Variable) -> Range {
    let end = variable.size.map_or(END, |size| variable.offset.saturating_add(size));
    Range { memory: variable.object.into(), start: variable.offset, end }
}
