//! The calls that create handles: open files, communicators, requests.
//!
//! Input: the analyses of the program.
//! Output: for each such call, what gets the handle and where the name of its file is.
//! Postcondition: a procedure of the program that returns a handle creates it too. A file whose name is not known at
//! the call has none, so that no block opens it again without its content.

use std::collections::BTreeSet;

use cppc_analysis::check::Analysis;
use cppc_analysis::effects::{CallEffects, Extent, ResultEffect};
use cppc_analysis::handles::{copied, handles, Created};
use cppc_analysis::messages::REQUEST;
use cppc_analysis::points_to::{MemoryKind, Target};
use cppc_analysis::program::{
    Access, Argument, Call, Callee, Directive, OperationKind, ProcedureId, Program, Site, Step, Terminator,
    Value, VariableId,
};
use cppc_analysis::sets::{Bytes, Memory, Range, END};
use cppc_analysis::spot::AccessRange;
use cppc_analysis::summary::Mark;
use cppc_analysis::units::UNIT;
use cppc_source::Span;

use super::allocations::receiver;

/// Where the text of an argument is: a call in a source, and the number of the argument.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArgumentText {
    pub call: Span,
    pub number: usize,
}

/// A call that creates a handle.
#[derive(Debug, Clone)]
pub struct Creation {
    pub site: Site,
    pub at: Span,
    /// What gets the handle.
    pub receiver: Access,
    pub file: FileName,
    /// It is a unit of Fortran.
    pub is_unit: bool,
    /// Other handles that it is made of: `dup(first)`.
    pub sources: Vec<Access>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileName {
    /// The handle is not an open file of C.
    NotNeeded,
    /// No block can create the handle again.
    Unknown,
    Known(ArgumentText),
}

/// The handles of open files of C.
const FILES: [&str; 2] = ["stream", "descriptor"];

/// A datatype that a call creates is used after another call that changes it: `MPI_Type_commit`.
const DATATYPE: &str = "datatype";

/// A thread has state of its own, which a restart does not have.
const THREAD: &str = "thread";

/// How many procedures pass on the name of a file.
const DEPTH_LIMIT: u32 = 8;

pub struct Handles<'a> {
    analysis: &'a Analysis<'a>,
    program: &'a Program,
    /// All memory that may have a handle.
    bytes: Bytes,
    creations: Vec<Creation>,
}

impl<'a> Handles<'a> {
    pub fn new(analysis: &'a Analysis<'a>, program: &'a Program) -> Handles<'a> {
        let bytes = handles(&analysis.summaries, Created::Anywhere);
        let mut found = Handles { analysis, program, bytes, creations: Vec::new() };
        let creations = program.calls().filter_map(|(site, at, call)| found.creation(site, at, call));
        let creations: Vec<Creation> = creations.collect();
        found.creations = creations;
        found.add_copies();
        found
    }

    /// Statements that copy a handle, which is not an open file, to another variable.
    fn add_copies(&mut self) {
        let statements = self.program.operations().filter_map(|(site, operation)| {
            let OperationKind::Write { to, value } = &operation.kind else { return None };
            let is_declared = self.program.variables[to.root.0 as usize].declared.is_some();
            let from = copied(value, self.program).filter(|_| is_declared)?;
            Some((site, operation.span, to.clone(), from))
        });
        let mut statements: Vec<_> = statements.collect();
        loop {
            let is_copy = |(_, _, _, from): &(Site, Span, Access, Access)| {
                let created =
                    self.creations.iter().filter(|one| one.file == FileName::NotNeeded && !one.is_unit);
                created
                    .into_iter()
                    .any(|one| self.ranges(&one.receiver).iter().any(|range| self.may_contain(from, range)))
            };
            let (copies, others): (Vec<_>, Vec<_>) = statements.into_iter().partition(is_copy);
            if copies.is_empty() {
                return;
            }
            self.creations.extend(copies.into_iter().map(|(site, at, receiver, from)| Creation {
                site,
                at,
                receiver,
                file: FileName::NotNeeded,
                is_unit: false,
                sources: vec![from],
            }));
            statements = others;
        }
    }

    /// The calls whose handle is in the memory.
    pub fn of(&self, range: Range) -> impl Iterator<Item = &Creation> {
        self.creations.iter().filter(move |creation| self.is_at(&creation.receiver, range))
    }

    /// The calls that create handles, and the statements that copy them.
    pub fn creations(&self) -> &[Creation] {
        &self.creations
    }

    /// The calls that open a file, and keep its handle in a variable: a call, or those of the procedure that returns it.
    pub fn opening(&self, site: Site) -> Vec<&Creation> {
        let mut found = Vec::new();
        let (mut waiting, mut seen) = (vec![site], BTreeSet::from([site]));
        while let Some(site) = waiting.pop() {
            if self.returned(site.procedure, 0).is_some() {
                let callers = self.analysis.summaries.places.calls.callers[site.procedure.0 as usize].iter();
                waiting.extend(callers.copied().filter(|caller| seen.insert(*caller)));
                continue;
            }
            found.extend(self.creations.iter().filter(|creation| creation.site == site));
        }
        found
    }

    pub fn holds(&self, range: Range) -> bool {
        self.bytes.overlaps(range)
    }

    /// The handles in this memory.
    pub fn in_memory(&self, memory: &Bytes) -> Bytes {
        self.bytes.intersect(memory)
    }

    /// Whether the memory gets handles that are not numbers of units. In Fortran, all of these are integers.
    pub fn are_made_again(&self, range: Range) -> bool {
        let mut others = self.creations.iter().filter(|creation| !creation.is_unit);
        others.any(|creation| self.ranges(&creation.receiver).overlaps(range))
    }

    /// The memory of an access, by its objects.
    pub fn ranges(&self, access: &Access) -> Bytes {
        let places = &self.analysis.summaries.places;
        let mut all = Bytes::default();
        for AccessRange { range, .. } in places.resolve(access, &mut Vec::new()) {
            all.add(&places.concretize(&Bytes::from_range(range)));
        }
        all
    }

    /// As `is_at`. A larger structure is not in the variable of a handle.
    fn may_contain(&self, access: &Access, range: Range) -> bool {
        let object = self.program.objects.get(range.memory.0 as usize);
        let is_smaller = object.and_then(|object| object.size).zip(access.size).is_some_and(|(a, b)| a < b);
        !is_smaller && self.is_at(access, range)
    }

    fn is_at(&self, access: &Access, range: Range) -> bool {
        self.ranges(access).overlaps(range)
    }

    fn creation(&self, site: Site, at: Span, call: &Call) -> Option<Creation> {
        let (kind, receiver) = self.created(site, call)?;
        let is_file = FILES.contains(&kind.as_str());
        let mut sources: Vec<Access> = Vec::new();
        for argument in &call.arguments {
            let Argument::Value(value) = argument else { continue };
            let access = match copied(value, self.program) {
                Some(access) => access,
                None => continue,
            };
            if self.ranges(&access).iter().any(|range| self.holds(range)) {
                sources.push(access);
            }
        }
        let file = match is_file {
            // A block would start it anew.
            false if kind == THREAD => FileName::Unknown,
            false => FileName::NotNeeded,
            true => match self.name(site, at, call) {
                Some(name) => FileName::Known(name),
                None => FileName::Unknown,
            },
        };
        Some(Creation { site, at, receiver, file, is_unit: kind == UNIT, sources })
    }

    /// Whether the call creates a request that is complete at every checkpoint: no message is in transit there. Only
    /// persistent requests (`MPI_Send_init`) are created again.
    pub fn ends_before_checkpoints(&self, call: &Call) -> bool {
        let Callee::Named(name) = &call.callee else { return false };
        let is_request = |effects: &CallEffects| {
            effects.parameters.iter().any(|effect| effect.creates.as_deref() == Some(REQUEST))
        };
        self.analysis.summaries.effects.effects(name).is_some_and(is_request)
            && !name.to_ascii_lowercase().contains("_init")
    }

    /// The kind of handle that a call creates, and what gets it.
    fn created(&self, site: Site, call: &Call) -> Option<(String, Access)> {
        if let Callee::Named(name) = &call.callee {
            if let Some(effects) = self.analysis.summaries.effects.effects(name) {
                if let ResultEffect::Handle(kind) = &effects.result {
                    return Some((kind.clone(), self.receiver(site, call)?));
                }
                return call.arguments.iter().enumerate().find_map(|(number, argument)| {
                    let effect = effects.parameters.get(number)?;
                    let completes = effect.uses.as_deref() == Some(DATATYPE)
                        && effect.writes != Extent::Nothing
                        && !effect.ends;
                    let kind = effect.creates.clone().or(effect.uses.clone().filter(|_| completes))?;
                    match argument {
                        Argument::Reference(access) | Argument::Value(Value::Address(access)) => {
                            Some((kind, access.clone()))
                        }
                        Argument::Value(_) | Argument::Absent => None,
                    }
                });
            }
        }
        let kind = self.callees(site).find_map(|id| self.returned(id, 0))?;
        Some((kind, self.receiver(site, call)?))
    }

    /// The kind of handle that a procedure creates and returns.
    fn returned(&self, id: ProcedureId, depth: u32) -> Option<String> {
        let procedure = &self.program.procedures[id.0 as usize];
        if depth > DEPTH_LIMIT || !self.holds(self.variable(procedure.result?)) {
            return None;
        }
        procedure.operations(id).find_map(|(site, operation)| {
            let Callee::Named(name) = &operation.call()?.callee else { return None };
            match self.analysis.summaries.effects.effects(name).map(|effects| &effects.result) {
                Some(ResultEffect::Handle(kind)) => Some(kind.clone()),
                Some(_) => None,
                None => self.callees(site).find_map(|callee| self.returned(callee, depth + 1)),
            }
        })
    }

    fn callees(&self, site: Site) -> impl Iterator<Item = ProcedureId> + '_ {
        self.analysis.summaries.places.calls.targets(site).iter().filter_map(|target| match target {
            Target::Procedure(id) => Some(*id),
            Target::Outside(_) | Target::Unknown => None,
        })
    }

    /// What gets the result of a call, also through a temporary.
    pub fn receiver(&self, site: Site, call: &Call) -> Option<Access> {
        receiver(self.program, site, call)
    }

    /// The same for a call that allocates memory. The result may be something else, such as the length of a line that
    /// `getline` reads.
    pub fn pointer(&self, site: Site, call: &Call) -> Option<Access> {
        let points = &self.analysis.summaries.places.points;
        let is_heap =
            |(memory, _): &(Memory, Option<u64>)| matches!(points.kind(*memory), MemoryKind::Heap(_));
        let receiver = self.receiver(site, call)?;
        let ranges = self.ranges(&receiver);
        let points_there = ranges.iter().any(|at| points.targets(at.memory, at.start).iter().any(is_heap));
        points_there.then_some(receiver)
    }

    /// The name of the file that a call opens, as one of its own arguments or as a text that does not change.
    fn name(&self, site: Site, at: Span, call: &Call) -> Option<ArgumentText> {
        match self.name_argument(site, call, 0) {
            Some(number) => Some(ArgumentText { call: at, number }),
            None => self.name_of_source(site, call, 0),
        }
    }

    /// The name of the file of another handle: `dup(first)`.
    fn name_of_source(&self, site: Site, call: &Call, depth: u32) -> Option<ArgumentText> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        let Some(Argument::Value(value)) = call.arguments.first() else { return None };
        let source = self.ranges(&copied(value, self.program)?);
        let range = source.iter().next()?;
        let mut makers = self.program.calls().filter(|(other, _, call)| {
            *other != site
                && self.created(*other, call).is_some_and(|(_, receiver)| self.is_at(&receiver, range))
        });
        let (Some((other, span, maker)), None) = (makers.next(), makers.next()) else { return None };
        let Some(number) = self.name_argument(other, maker, 0) else {
            return self.name_of_source(other, maker, depth + 1);
        };
        let Some(Argument::Value(Value::Address(text))) = maker.arguments.get(number) else { return None };
        let object = self.program.variables[text.root.0 as usize].object;
        let is_constant = self.program.objects[object.0 as usize].constant;
        is_constant.then_some(ArgumentText { call: span, number })
    }

    /// Which argument of a call is the name of the file that it opens.
    fn name_argument(&self, site: Site, call: &Call, depth: u32) -> Option<usize> {
        if let Callee::Named(name) = &call.callee {
            if let Some(opens) = self.analysis.summaries.effects.effects(name).and_then(|known| known.opens) {
                return Some(opens.file);
            }
        }
        let mut callees = self.callees(site);
        let (Some(id), None) = (callees.next(), callees.next()) else { return None };
        let procedure = &self.program.procedures[id.0 as usize];
        let mut opening = procedure.operations(id).filter_map(|(inner, operation)| {
            let call = operation.call()?;
            self.created(inner, call).map(|_| (inner, call))
        });
        let (Some((inner, call)), None) = (opening.next(), opening.next()) else { return None };
        let number = (depth < DEPTH_LIMIT).then(|| self.name_argument(inner, call, depth + 1))??;
        let Some(Argument::Value(Value::Copy(access))) = call.arguments.get(number) else { return None };
        let is_changed = procedure.operations(id).any(|(_, operation)| match &operation.kind {
            OperationKind::Write { to, .. } => to.root == access.root && to.path.is_empty(),
            _ => false,
        });
        let parameter = procedure.parameters.iter().position(|&parameter| parameter == access.root)?;
        (access.path.is_empty() && !is_changed).then_some(parameter)
    }

    fn variable(&self, id: VariableId) -> Range {
        let variable = &self.program.variables[id.0 as usize];
        let end = variable.size.map_or(END, |size| variable.offset + size);
        Range { memory: Memory::from(variable.object), start: variable.offset, end }
    }

    /// Whether a handle or a pointer may have the same value at a checkpoint after the call: nothing replaces or closes it
    /// before.
    pub fn comes_to_checkpoint(&self, call: Site, receiver: &Access) -> bool {
        let procedure = &self.program.procedures[call.procedure.0 as usize];
        let own = self.program.operation(call).call().and_then(|call| Some(call.result.as_ref()?.root));
        let own = own.filter(|own| self.program.variables[own.0 as usize].declared.is_none());
        let mut seen = vec![false; procedure.blocks.len()];
        let mut waiting = vec![(call.block, call.operation as usize + 1)];
        while let Some((id, first)) = waiting.pop() {
            let block = &procedure.blocks[id.0 as usize];
            let site = |operation| Site { block: id, operation: operation as u32, ..call };
            let mut steps = (first..block.operations.len()).map(|at| self.step(receiver, own, site(at)));
            match steps.find(|step| *step != Fate::Continues) {
                Some(Fate::Checkpoint) => return true,
                Some(Fate::Ends) => continue,
                Some(Fate::Continues) | None => {}
            }
            if matches!(block.terminator, Terminator::Return | Terminator::Anywhere) {
                return true;
            }
            for next in block.terminator.successors(procedure.blocks.len()) {
                if !std::mem::replace(&mut seen[next.0 as usize], true) {
                    waiting.push((next, 0));
                }
            }
        }
        false
    }

    fn step(&self, receiver: &Access, own: Option<VariableId>, site: Site) -> Fate {
        let is_same = |access: &Access| {
            let is_certain = !access.path.iter().any(|step| matches!(step, Step::Elements(_)));
            is_certain && access.root == receiver.root && access.path == receiver.path
        };
        let operation = self.program.operation(site);
        match &operation.kind {
            OperationKind::Write { to, value } if is_same(to) => {
                // The temporary of its own result.
                let from = copied(value, self.program).map(|from| from.root);
                let is_own = from.is_some() && from == own;
                if is_own {
                    Fate::Continues
                } else {
                    Fate::Ends
                }
            }
            OperationKind::Directive(directive) if matches!(**directive, Directive::Checkpoint) => {
                Fate::Checkpoint
            }
            OperationKind::Call(call) => {
                let ends = |(number, argument): (usize, &Argument)| {
                    let Callee::Named(name) = &call.callee else { return false };
                    let Some(effects) = self.analysis.summaries.effects.effects(name) else { return false };
                    let Argument::Value(value) = argument else { return false };
                    effects.parameters.get(number).is_some_and(|effect| effect.ends)
                        && copied(value, self.program).is_some_and(|access| is_same(&access))
                };
                if call.arguments.iter().enumerate().any(ends) {
                    return Fate::Ends;
                }
                if self.callees(site).any(|id| self.analysis.summaries.may(id, Mark::Checkpoint)) {
                    return Fate::Checkpoint;
                }
                match &call.result {
                    Some(result) if is_same(result) => Fate::Ends,
                    _ => Fate::Continues,
                }
            }
            _ => Fate::Continues,
        }
    }
}

/// What an operation does to a handle.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    Continues,
    /// It is closed, or its variable gets another one.
    Ends,
    Checkpoint,
}
