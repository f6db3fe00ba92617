//! The checks of directives.
//!
//! Input: a program and the effects of procedures without source. Output: findings, in the order of the program.
//! Postcondition: memory that is live at a checkpoint and lost in a restart has a finding, unless a register on
//! every path covers it.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::access_ranges::AccessRanges;
use crate::calls::Calls;
use crate::early_registers::early_registers;
use crate::effects::{Assumptions, Effects, LibraryState};
use crate::evaluated_again::evaluated_again;
use crate::existing::existing_at_checkpoints;
use crate::handles::lost_handles;
use crate::kept_arrays::{kept_arrays, KeptArray};
use crate::live::{instrumented, liveness, Instrumented, Liveness};
use crate::nameless::Nameless;
use crate::needs::{Frames, Missing};
use crate::paths::Paths;
use crate::points_to::{MemoryKind, PointsTo};
use crate::program::{
    Callee, Content, Directive, ObjectId, ProcedureId, Program, Site, Variable, VariableId,
};
use crate::proof::Proofs;
use crate::reached::Pointers;
use crate::region::Escapes;
use crate::register_sizes::{Gap, RegisterSizes};
use crate::restored::Restored;
use crate::sets::{Bytes, Memory, Range, END};
use crate::shared_units::lost_shared_units;
use crate::summary::{Mark, Summaries};
use crate::witness::{find, Search, Witness};

/// The statement READ for standard input.
const READ_INPUT: &str = "fortran%read_input";

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// It is read after the checkpoint, and a restart does not restore it.
    NotRestored,
    /// A restart evaluates it again when it enters a procedure or a construct, and has not restored it then.
    EvaluatedAgain,
    /// An execute block reads it, and a restart gives it another value.
    BlockReads,
    /// An execute block takes over what a run of a block has set. A restart does not repeat this run.
    BlockNeedsEarlierRun,
    /// An execute block with a collective call may run a different number of times in each process in a restart.
    UnequalRuns,
    /// A handle is used after the checkpoint, and a restart does not create it again.
    LostHandle,
    /// The same for the request of one communication. No request is open at a checkpoint that is proved to be safe.
    LostRequest,
    /// State of a library is used after the checkpoint, and a restart does not restore it.
    LostState(LibraryState),
    /// An execute block adds to the state several times, and a restart runs the block once.
    RepeatedSetting(LibraryState),
    /// A file is opened for appending between two checkpoints, or in an execute block without `file`, and a restart does not
    /// remove what was appended.
    RepeatedAppend,
    AppendInBlock,
    /// A file that must not exist is created after the checkpoint, or in an execute block without `file`, and a restart finds it.
    RepeatedCreation,
    CreationInBlock,
    /// A file is opened for reading and writing between two checkpoints, or in an execute block, and a restart does not restore
    /// what was overwritten.
    UpdatedFile,
    /// Records of a unit are read and overwritten after a checkpoint, and a restart does not restore them.
    UpdatedRecords,
    /// A file is read after a checkpoint, and then removed.
    RemovedFile,
    /// The program asks after a checkpoint whether a file exists, and then creates or removes it.
    AskedFile,
    /// A restart creates a file again that the program has changed since.
    RecreatedFile,
    /// The program may make a file shorter than it was at the checkpoint, and a restart needs its content.
    ShortenedFile,
    /// A restart opens a file again that the program has used before the checkpoint.
    LostPosition {
        is_early: bool,
        is_truncated: bool,
    },
    /// A call reads a large local array before it writes it, and a restart does not restore what the last call has written.
    KeptArray,
    NoCheckpoint,
    /// The memory of a registered pointer may be newer than the register, and larger.
    NewerThanRegister,
    /// The register of a pointer saves less memory than is allocated.
    ShortRegister,
    /// A registered pointer may take over memory of another size.
    ExchangedRegister,
    /// A registered pointer may be moved within its memory.
    MovedPointer,
    /// The variable that gives the number of elements has grown since the register.
    GrownRegister,
    /// Saved memory depends on a number that is computed from the bits of an address.
    AddressHash {
        is_index: bool,
    },
}

#[derive(Debug, Clone)]
pub struct Finding {
    pub kind: FindingKind,
    /// The checkpoint, the execute block, or `init`.
    pub at: Site,
    pub memory: Option<Range>,
    /// The text for messages: the variable, or the expression that reads it.
    pub text: String,
    pub variable: Option<VariableId>,
    pub read: Option<Witness>,
    pub written: Option<Witness>,
    /// For `NewerThanRegister`, `ShortRegister`, `ExchangedRegister`, `MovedPointer` and `GrownRegister`: the register.
    pub register: Option<Site>,
}

/// All analyses of a program.
pub struct Analysis<'p> {
    pub summaries: Summaries<'p>,
    pub instrumented: Instrumented,
    pub liveness: Liveness,
    pub restored: Restored,
    /// The memory that exists at checkpoints, if all of the program is known.
    existing: Option<FxHashSet<Memory>>,
    /// The program as the front ends made it.
    original: &'p Program,
    pointers: OnceCell<Pointers>,
    evaluated_again: OnceCell<BTreeSet<Missing>>,
    /// The declared variables of each object.
    declared_of: OnceCell<FxHashMap<Memory, Vec<VariableId>>>,
}

impl<'p> Analysis<'p> {
    pub fn new(program: &'p Program, effects: &'p dyn Effects) -> Analysis<'p> {
        Analysis::assuming(Assumptions::Worst, program, program, effects)
    }

    /// `usual`: the program in its usual runs.
    pub fn of_usual_runs(usual: &'p Program, program: &'p Program, effects: &'p dyn Effects) -> Analysis<'p> {
        Analysis::assuming(Assumptions::Usual, usual, program, effects)
    }

    fn assuming(
        assumptions: Assumptions,
        program: &'p Program,
        original: &'p Program,
        effects: &'p dyn Effects,
    ) -> Analysis<'p> {
        let points = PointsTo::new(program, effects);
        let calls = Calls::new(program, &points, effects);
        let summaries = Summaries::new(AccessRanges::new(program, points, calls), effects, assumptions);
        let instrumented = instrumented(&summaries);
        let liveness = liveness(&summaries, &instrumented);
        let restored = Restored::new(&summaries, &instrumented);
        let existing = existing_at_checkpoints(&summaries);
        let (pointers, evaluated_again) = (OnceCell::new(), OnceCell::new());
        Analysis {
            summaries,
            instrumented,
            liveness,
            restored,
            existing,
            original,
            pointers,
            evaluated_again,
            declared_of: OnceCell::new(),
        }
    }

    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let (mut seen, mut seen_registers, mut seen_sizes) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for lost in lost_handles(&self.summaries, &self.liveness, &self.restored) {
            let is_unit = lost.range.memory == self.summaries.units.memory;
            let is_variable = self.declared(lost.range.memory) && self.may_exist(lost.range.memory);
            if (is_unit || is_variable) && seen.insert(self.owner(lost.range)) {
                let kind = match lost.is_request {
                    true => FindingKind::LostRequest,
                    false => FindingKind::LostHandle,
                };
                let mut finding = self.finding(kind, lost.checkpoint, lost.range);
                if is_unit {
                    finding.text = self.summaries.units.name(self.summaries.places.program, lost.range);
                }
                findings.push(finding);
            }
        }
        for lost in lost_shared_units(&self.summaries, &self.liveness, &self.restored) {
            if !seen.insert(self.owner(lost.opened)) || seen.contains(&self.owner(lost.used)) {
                continue;
            }
            let used = self.finding(FindingKind::LostHandle, lost.checkpoint, lost.used);
            let opened = self.finding(FindingKind::LostHandle, lost.checkpoint, lost.opened);
            let text = self.summaries.units.name(self.summaries.places.program, lost.used);
            findings.push(Finding { text, written: opened.written, ..used });
        }
        self.check_states(&mut findings);
        findings.extend(self.files());
        findings.extend(self.kept_arrays());
        findings.extend(self.grown_registers());
        findings.extend(self.hashed_memory());
        let sizes = RegisterSizes::new(&self.summaries, &self.instrumented);
        for missing in self.missing(&sizes, false) {
            let memory = missing.range.memory;
            let (kind, register) = match missing.gap {
                None | Some(Gap::Beyond) => (FindingKind::NotRestored, None),
                Some(Gap::Short) => (FindingKind::ShortRegister, sizes.short(memory)),
                Some(Gap::Exchanged) => (FindingKind::ExchangedRegister, sizes.exchanged(memory)),
                Some(Gap::Moved) => (FindingKind::MovedPointer, sizes.moved(memory)),
                Some(Gap::Older) => (FindingKind::NewerThanRegister, sizes.older(missing.checkpoint, memory)),
            };
            if let Some(register) = register {
                if seen_registers.insert((register.site.procedure, &register.text)) {
                    let found = self.finding(kind, missing.checkpoint, missing.range);
                    let (text, site) = (register.text.clone(), Some(register.site));
                    findings.push(Finding { text, register: site, ..found });
                }
                continue;
            }
            let named = match self.summaries.places.points.kind(missing.range.memory) {
                MemoryKind::Object => {
                    self.declared(missing.range.memory)
                        || self.summaries.changed_nameless(missing.range.memory).is_some()
                }
                // No directive can name it. `needs_unknown_memory` reports it.
                MemoryKind::Unknown => false,
                MemoryKind::Heap(_)
                | MemoryKind::Target { .. }
                | MemoryKind::Code(..)
                | MemoryKind::Library => true,
            };
            // A report of the pointer says to register what it points to.
            let is_known = missing.pointer.is_some_and(|pointer| seen.contains(&self.owner(pointer)));
            if named && !is_known && seen.insert(self.owner(missing.range)) {
                let mut finding = match missing.evaluation {
                    None => self.finding(FindingKind::NotRestored, missing.checkpoint, missing.range),
                    Some(evaluation) => self.evaluated(evaluation, &missing),
                };
                let pointer = missing.pointer.and_then(|pointer| self.variable(pointer));
                if let (None, Some(pointer)) = (finding.variable, pointer) {
                    let pointer = &self.summaries.places.program.variables[pointer.0 as usize];
                    if pointer.content == Content::Pointer && !finding.text.contains(&pointer.name) {
                        let star = if self.is_of_fortran(pointer, missing.checkpoint) { "" } else { "*" };
                        finding.text = format!("{star}{}", pointer.name);
                    }
                }
                if missing.evaluation.is_some() && !seen_sizes.insert((missing.frame, finding.text.clone())) {
                    continue;
                }
                // A value that has no name in the program is part of one that has.
                let has_name = !finding.text.starts_with('%');
                let is_pointed_to = missing.pointer.is_some();
                if has_name || (is_pointed_to && self.summaries.assumptions == Assumptions::Worst) {
                    findings.push(finding);
                }
            }
        }
        self.check_blocks(&mut findings);
        self.check_program(&mut findings);
        findings
    }

    /// Whether a variable is declared in Fortran. A source without procedures has the language of the checkpoint.
    fn is_of_fortran(&self, variable: &Variable, checkpoint: Site) -> bool {
        let mut procedures = self.summaries.places.program.procedures.iter();
        let declared = variable.declared.map(|declared| declared.file);
        let beside = procedures.find(|procedure| declared == Some(procedure.span.file));
        beside.unwrap_or_else(|| self.summaries.procedure(checkpoint.procedure)).keeps_loops
    }

    /// Memory of which nothing is known may be read after a checkpoint.
    pub fn needs_unknown_memory(&self) -> bool {
        let is_unknown = |missing: &Missing| {
            *self.summaries.places.points.kind(missing.range.memory) == MemoryKind::Unknown
        };
        // Proofs only remove memory, and they take longer.
        let may_be_unknown = self.evaluated_again().iter().any(is_unknown)
            || self.missing_with(&RegisterSizes::default(), true, None).iter().any(is_unknown);
        may_be_unknown && self.unrestored().iter().any(is_unknown)
    }

    /// Memory that is read after a checkpoint and that a restart does not restore, in the order of the
    /// program.
    pub fn unrestored(&self) -> Vec<Missing> {
        self.missing(&RegisterSizes::default(), true)
    }

    fn missing(&self, sizes: &RegisterSizes, every_checkpoint: bool) -> Vec<Missing> {
        // A register that is there in time restores the memory for later reads too.
        let mut missing: Vec<Missing> = self.evaluated_again().iter().copied().collect();
        missing.retain(|missing| self.may_exist(missing.range.memory));
        missing.extend(self.missing_in_frames(sizes, every_checkpoint));
        // A procedure whose effects are not known may read to the end of the object, and not beyond.
        let early = early_registers(self.summaries.places.program);
        missing.retain(|missing| {
            let is_object = *self.summaries.places.points.kind(missing.range.memory) == MemoryKind::Object;
            let objects = &self.summaries.places.program.objects;
            let size = is_object.then(|| objects[missing.range.memory.0 as usize].size).flatten();
            let is_early = is_object && early.contains(&ObjectId(missing.range.memory.0));
            size.is_none_or(|size| missing.range.start < size) && !is_early
        });
        missing
    }

    /// Whether the memory may exist at a checkpoint.
    fn may_exist(&self, memory: Memory) -> bool {
        self.existing.as_ref().is_none_or(|existing| existing.contains(&memory))
    }

    fn evaluated_again(&self) -> &BTreeSet<Missing> {
        let find = || evaluated_again(&self.summaries, &self.instrumented, &self.restored);
        self.evaluated_again.get_or_init(find)
    }

    /// Proofs take longer, so they are tried last.
    fn missing_in_frames(&self, sizes: &RegisterSizes, every_checkpoint: bool) -> Vec<Missing> {
        let missing = self.missing_with(sizes, every_checkpoint, None);
        if missing.is_empty() {
            return missing;
        }
        let escapes = Escapes::new(self.original, self.summaries.effects);
        self.missing_with(sizes, every_checkpoint, Some(&Proofs::new(self.original, &escapes)))
    }

    fn missing_with(
        &self,
        sizes: &RegisterSizes,
        every_checkpoint: bool,
        proofs: Option<&Proofs>,
    ) -> Vec<Missing> {
        let (summaries, restored) = (&self.summaries, &self.restored);
        let pointers = self.pointers.get_or_init(|| Pointers::new(summaries, &self.instrumented));
        let frames = Frames::new(summaries, &self.instrumented, restored, pointers, sizes, proofs);
        let mut missing = match every_checkpoint {
            true => frames.missing(),
            false => frames.first_checkpoints().missing(),
        };
        missing.retain(|missing| self.may_exist(missing.range.memory));
        missing
    }

    /// The operation that allocates the memory, if it is on the heap.
    pub fn allocation(&self, range: Range) -> Option<Site> {
        match self.summaries.places.points.kind(range.memory) {
            MemoryKind::Heap(site) => Some(*site),
            MemoryKind::Object
            | MemoryKind::Target { .. }
            | MemoryKind::Code(..)
            | MemoryKind::Library
            | MemoryKind::Unknown => None,
        }
    }

    /// Whether a directive can name the memory.
    pub(crate) fn declared(&self, memory: Memory) -> bool {
        if *self.summaries.places.points.kind(memory) != MemoryKind::Object {
            return false;
        }
        if self.summaries.places.program.objects[memory.0 as usize].constant {
            return false;
        }
        let mut views = self.summaries.places.program.variables.iter();
        views.any(|variable| Memory::from(variable.object) == memory && variable.declared.is_some())
    }

    /// The variable that contains the range, or the memory.
    pub(crate) fn owner(&self, range: Range) -> (Memory, Option<VariableId>, Option<u64>) {
        let unit = (range.memory == self.summaries.units.memory).then_some(range.start);
        (range.memory, self.variable(range), unit)
    }

    fn variable(&self, range: Range) -> Option<VariableId> {
        let variables = &self.summaries.places.program.variables;
        let views = self.declared_of.get_or_init(|| {
            let mut views: FxHashMap<Memory, Vec<VariableId>> = FxHashMap::default();
            let numbered = (0..).map(VariableId).zip(variables);
            for (id, variable) in numbered.filter(|(_, variable)| variable.declared.is_some()) {
                views.entry(variable.object.into()).or_default().push(id);
            }
            views
        });
        let contains = |id: &&VariableId| {
            let variable = &variables[id.0 as usize];
            let end = variable.size.map_or(u64::MAX, |size| variable.offset + size);
            variable.offset <= range.start && range.start < end
        };
        views.get(&range.memory)?.iter().find(contains).copied()
    }

    pub(crate) fn finding(&self, kind: FindingKind, at: Site, range: Range) -> Finding {
        let find = |search| find(&self.summaries, &self.instrumented, at, range, search);
        let (read, written) = (find(Search::Read), find(Search::Write));
        let variable = self.variable(range);
        let program = self.summaries.places.program;
        let text = match (variable, &read) {
            (Some(id), _) => program.variables[id.0 as usize].name.clone(),
            (None, Some(read)) => self.text_at(read.site),
            (None, None) => "memory".to_string(),
        };
        let text = match self.summaries.nameless(range.memory) {
            Some(Nameless::Arguments) => self.summaries.name_of_arguments().unwrap_or(text),
            Some(Nameless::Literal) if text.starts_with('%') => "compound literal".to_string(),
            Some(Nameless::Literal | Nameless::Stack) | None => text,
        };
        Finding { kind, at, memory: Some(range), text, variable, read, written, register: None }
    }

    fn evaluated(&self, evaluation: Site, missing: &Missing) -> Finding {
        let found = self.finding(FindingKind::EvaluatedAgain, missing.frame, missing.range);
        let text = found.variable.map_or_else(|| self.text_at(evaluation), |_| found.text.clone());
        Finding { read: Some(Witness { calls: Vec::new(), site: evaluation }), text, ..found }
    }

    /// The text of the memory that the operation reads.
    fn text_at(&self, site: Site) -> String {
        let mut text = None;
        crate::accesses::accesses(&self.operation(site).kind, &mut |access| {
            text.get_or_insert_with(|| access.text.clone());
        });
        text.unwrap_or_else(|| "memory".to_string())
    }

    pub fn operation(&self, site: Site) -> &'p crate::program::Operation {
        self.summaries.places.program.operation(site)
    }

    /// The number of bytes that are live at a checkpoint. Memory whose size is not known does not count.
    pub fn live_bytes(&self, site: Site) -> u64 {
        let objects = &self.summaries.places.program.objects;
        let size = |range: Range| match (range.end, self.summaries.places.points.kind(range.memory)) {
            _ if range.memory == self.summaries.units.memory => 0,
            (END, MemoryKind::Object) => {
                objects[range.memory.0 as usize].size.map_or(0, |size| size.saturating_sub(range.start))
            }
            (END, _) => 0,
            (end, _) => end - range.start,
        };
        let found = self.liveness.checkpoints.iter().find(|(checkpoint, _)| *checkpoint == site);
        found.map_or(0, |(_, live)| live.iter().map(size).sum())
    }

    /// The memory that is live, lost and registered at each checkpoint, in this order.
    pub fn dump(&self) -> String {
        let mut text = String::new();
        for (site, live) in &self.liveness.checkpoints {
            let label = &self.summaries.procedure(site.procedure).label;
            let _ = writeln!(text, "checkpoint in {label}, block {}", site.block.0);
            let _ = writeln!(text, "  live: {}", self.names(live));
            if let Some(point) = self.restored.points.get(site) {
                let held = point.registered.all();
                let _ = writeln!(text, "  lost: {}", self.names(&point.lost));
                let _ = writeln!(text, "  registered: {}", self.names(&held.bytes));
                let _ = writeln!(text, "  registered through: {}", self.names(&held.slots));
            }
        }
        text
    }

    fn names(&self, bytes: &Bytes) -> String {
        let program = self.summaries.places.program;
        let name = |memory: Memory| match self.summaries.places.points.kind(memory) {
            MemoryKind::Object => program.objects[memory.0 as usize].name.clone(),
            MemoryKind::Heap(site) => {
                let label = &self.summaries.procedure(site.procedure).label;
                format!("heap of {label}:b{}.{}", site.block.0, site.operation)
            }
            MemoryKind::Target { procedure, parameter } => {
                let procedure = self.summaries.procedure(*procedure);
                let parameter = procedure.parameters[*parameter as usize];
                format!("*{}.{}", procedure.label, program.variables[parameter.0 as usize].name)
            }
            MemoryKind::Code(_, name) => name.clone(),
            MemoryKind::Library => "library".to_string(),
            MemoryKind::Unknown => "unknown".to_string(),
        };
        let shown = bytes.iter().map(|range| match range.end {
            END => format!("{}[{}..]", name(range.memory), range.start),
            end => format!("{}[{}..{end}]", name(range.memory), range.start),
        });
        shown.collect::<Vec<_>>().join(", ")
    }

    fn kept_arrays(&self) -> Vec<Finding> {
        let kept = kept_arrays(&Paths::new(&self.summaries)).into_iter();
        let witness = |site: Site| Some(Witness { calls: Vec::new(), site });
        let finding = |array: KeptArray| Finding {
            kind: FindingKind::KeptArray,
            at: array.checkpoint,
            memory: None,
            text: self.summaries.places.program.variables[array.variable.0 as usize].name.clone(),
            variable: Some(array.variable),
            read: witness(array.read),
            written: witness(array.written),
            register: None,
        };
        kept.map(finding).collect()
    }

    /// State of libraries and settings of the process that a restart lacks, each once.
    fn check_states(&self, findings: &mut Vec<Finding>) {
        for state in LibraryState::ALL {
            let (range, added) = (self.summaries.state(state), self.summaries.added(state));
            let lost_at = |(checkpoint, live): &(Site, Bytes)| {
                let all = &self.restored.points.get(checkpoint)?.lost;
                let mut lost = all.iter().filter(|lost| lost.overlaps(&range));
                let lost = lost.find(|lost| state.is_always_used() || live.overlaps(*lost));
                let lost = lost.or_else(|| all.overlaps(added).then_some(added))?;
                Some((*checkpoint, lost))
            };
            if let Some((checkpoint, lost)) = self.liveness.checkpoints.iter().find_map(lost_at) {
                let kind = match lost == added {
                    true => FindingKind::RepeatedSetting(state),
                    false => FindingKind::LostState(state),
                };
                let found = self.finding(kind, checkpoint, lost);
                let is_changed = state.is_setting() || state.is_always_used();
                let shown = if is_changed { &found.written } else { &found.read };
                let text = shown.as_ref().and_then(|shown| self.called(shown.site));
                let text = text.unwrap_or_else(|| "a procedure".to_owned());
                // `if (pthread_create(…) == 0) pthread_join(…);`: if the thread does not exist, nothing ends it.
                let is_ended = state.is_always_used()
                    && found
                        .written
                        .as_ref()
                        .is_some_and(|made| self.summaries.ends_in_branch(made.site, state));
                if !is_ended {
                    findings.push(Finding { text, ..found });
                }
            }
        }
    }

    /// The name of the procedure that an operation calls.
    pub fn called(&self, site: Site) -> Option<String> {
        match &self.operation(site).call()?.callee {
            Callee::Named(name) if name == READ_INPUT => Some("read".to_owned()),
            Callee::Named(name) => {
                let is_statement = |word: &&str| {
                    name.strip_prefix("fortran%").is_some_and(|name| name.starts_with(&format!("{word}_")))
                };
                let statement = ["open", "inquire"].into_iter().find(is_statement);
                let name = statement.or(name.strip_prefix("fortran%")).unwrap_or(name);
                // A static procedure of C has the name of its file.
                let name = name.rsplit(':').next().unwrap_or(name);
                Some(name.strip_suffix('_').unwrap_or(name).to_owned())
            }
            Callee::Indirect(_) | Callee::OneOf(_) => None,
        }
    }

    fn check_program(&self, findings: &mut Vec<Finding>) {
        let program = self.summaries.places.program;
        if !program.whole {
            return;
        }
        let mains = (0..program.procedures.len() as u32).map(ProcedureId);
        let Some(main) = mains.into_iter().find(|&id| self.summaries.procedure(id).main) else { return };
        let Some(init) = self.find_init() else { return };
        if !self.summaries.may(main, Mark::Checkpoint) {
            findings.push(Finding {
                kind: FindingKind::NoCheckpoint,
                at: init,
                memory: None,
                text: String::new(),
                variable: None,
                read: None,
                written: None,
                register: None,
            });
        }
    }

    fn find_init(&self) -> Option<Site> {
        let mut directives = self.summaries.places.program.directives();
        let init = directives.find(|(_, directive)| matches!(directive, Directive::Init));
        init.map(|(site, _)| site)
    }
}
