//! Which file an argument names.
//!
//! Input: the paths through the program, a call, and its argument.
//! Output: the constant name, or the memory that contains it, with the calls of the procedures that pass on the name.
//! Postcondition: two uses with one constant name mean one file. Two uses with the same memory mean one file unless the memory
//! changes between them. A name that is computed or chosen has no entry.

use std::cell::RefCell;
use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::paths::Paths;
use crate::points_to::{MemoryKind, Target};
use crate::program::{
    Access, Argument, Content, Expression, ObjectId, Operation, OperationKind, Program, Site, Step, Value,
    TEXT,
};
use crate::sets::{Bytes, Memory, Range};
use crate::spot::AccessRange;
use crate::summary::Summaries;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResolvedName {
    Text(String),
    /// The name is in this memory.
    Memory(Range),
}

/// A name that an argument may have.
#[derive(Debug, Clone)]
pub struct NamedFile {
    pub name: ResolvedName,
    /// The call with the argument, and the calls of the procedures around it that pass on the name.
    pub calls: Vec<Site>,
}

/// How many variables one after the other get a name.
const DEPTH_LIMIT: usize = 8;

pub struct FileNames<'a> {
    paths: &'a Paths<'a>,
    summaries: &'a Summaries<'a>,
    /// The memory of all literals of C.
    literals: Option<Memory>,
    /// The only values of variables.
    values: RefCell<FxHashMap<Range, Option<Assigned>>>,
}

/// What a variable gets everywhere.
#[derive(Debug, Clone)]
enum Assigned {
    Text(String),
    /// The content of another variable, at one place. The other variable never changes later.
    Content(Access),
}

impl<'a> FileNames<'a> {
    pub fn new(paths: &'a Paths<'a>) -> FileNames<'a> {
        let summaries = paths.summaries;
        let mut variables = summaries.places.program.variables.iter();
        let literal = variables.find(|one| one.name.starts_with(TEXT));
        let literals = literal.map(|one| one.object.into());
        FileNames { paths, summaries, literals, values: RefCell::default() }
    }

    /// The names that an argument of a call may have.
    pub fn of(&self, site: Site, argument: &Argument) -> Vec<NamedFile> {
        self.search(site, argument, None)
    }

    /// The names that it may have if the procedures around the call were entered through another call.
    pub fn through(&self, site: Site, argument: &Argument, other: Site) -> Vec<NamedFile> {
        let mut found = self.search(site, argument, Some(other));
        // One name for all calls of the procedure.
        found
            .iter_mut()
            .filter(|one| one.calls.len() == 1 && other != site)
            .for_each(|one| one.calls.push(other));
        found.retain(|one| one.calls.contains(&other));
        found
    }

    /// The name, if it does not depend on the callers.
    pub fn only(&self, site: Site, argument: &Argument) -> Option<ResolvedName> {
        match &self.of(site, argument)[..] {
            [NamedFile { name, calls }] if calls.len() == 1 => Some(name.clone()),
            _ => None,
        }
    }

    /// Follows a name to the callers. Each procedure is searched once for each of its parameters, with `other` and without it,
    /// in execute blocks and outside.
    fn search(&self, site: Site, argument: &Argument, other: Option<Site>) -> Vec<NamedFile> {
        let program = self.program();
        let (mut found, mut searched) = (Vec::new(), FxHashSet::default());
        let mut waiting = VecDeque::from([(argument, vec![site])]);
        while let Some((argument, calls)) = waiting.pop_front() {
            let Some(&site) = calls.last() else { continue };
            let Some(number) = self.parameter(site, argument) else {
                found.extend(self.name(argument, 0).map(|name| NamedFile { name, calls }));
                continue;
            };
            let is_through = other.is_some_and(|other| calls.contains(&other));
            let block = calls.iter().find_map(|call| self.paths.in_blocks.get(call)).copied();
            if !searched.insert((site.procedure, number, is_through, block)) {
                continue;
            }
            for &caller in &self.summaries.places.calls.callers[site.procedure.0 as usize] {
                let passed = program.operation(caller).call().and_then(|call| call.arguments.get(number));
                if let Some(passed) = passed {
                    waiting.push_back((passed, calls.iter().copied().chain([caller]).collect()));
                }
            }
        }
        found
    }

    fn program(&self) -> &'a Program {
        self.summaries.places.program
    }

    /// The number of the parameter that the argument passes on.
    fn parameter(&self, site: Site, argument: &Argument) -> Option<usize> {
        let access = match argument {
            Argument::Value(Value::Copy(access)) if access.path.is_empty() => access,
            Argument::Reference(access) if access.path == [Step::Dereference] => access,
            Argument::Value(_) | Argument::Reference(_) | Argument::Absent => return None,
        };
        let procedure = self.summaries.procedure(site.procedure);
        let number = procedure.parameters.iter().position(|&parameter| parameter == access.root)?;
        let is_change = |operation: &Operation| match &operation.kind {
            OperationKind::Write { to, .. } => to.root == access.root,
            _ => false,
        };
        let is_changed = procedure.operations(site.procedure).any(|(_, operation)| is_change(operation));
        (!is_changed).then_some(number)
    }

    fn name(&self, argument: &Argument, depth: usize) -> Option<ResolvedName> {
        if let Some(text) = self.program().text(argument) {
            return Some(constant(text));
        }
        if let Argument::Value(Value::Copy(pointer)) = argument {
            if let Some(Assigned::Text(text)) = self.pointer_value(pointer) {
                return Some(constant(&text));
            }
        }
        let range = self.memory(argument)?;
        let is_known = match self.summaries.places.points.kind(range.memory) {
            // All literals share one memory, and so do the arguments of the command.
            MemoryKind::Object => {
                self.literals != Some(range.memory)
                    && !self.summaries.places.is_text_of_arguments(range.memory)
            }
            MemoryKind::Heap(_) => self.summaries.places.unique(range.memory),
            MemoryKind::Target { .. } | MemoryKind::Code(..) | MemoryKind::Library | MemoryKind::Unknown => {
                false
            }
        };
        match self.value(range).filter(|_| depth < DEPTH_LIMIT) {
            Some(Assigned::Text(text)) => Some(constant(&text)),
            Some(Assigned::Content(from)) if is_known => self.name(&Argument::Reference(from), depth + 1),
            Some(Assigned::Content(_)) | None => is_known.then_some(ResolvedName::Memory(range)),
        }
    }

    /// The memory that contains the name, if there is only one.
    fn memory(&self, argument: &Argument) -> Option<Range> {
        match argument {
            Argument::Reference(access) if access.path.is_empty() => {
                Some(self.summaries.places.range_of(access.root))
            }
            Argument::Reference(_) | Argument::Value(_) | Argument::Absent => {
                match self.summaries.places.argument_spots(argument)[..] {
                    [AccessRange { exact: true, range, limit }] => {
                        Some(Range { end: range.end.max(limit), ..range })
                    }
                    _ => None,
                }
            }
        }
    }

    /// What a pointer variable of C always points to.
    fn pointer_value(&self, pointer: &Access) -> Option<Assigned> {
        let variable = &self.program().variables[pointer.root.0 as usize];
        let is_whole = pointer.path.is_empty() && variable.content == Content::Pointer;
        is_whole.then(|| self.value(self.summaries.places.range_of(pointer.root))).flatten()
    }

    /// What all statements write that change the memory.
    fn value(&self, range: Range) -> Option<Assigned> {
        if let Some(known) = self.values.borrow().get(&range) {
            return known.clone();
        }
        let found = self.find_value(range);
        self.values.borrow_mut().insert(range, found.clone());
        found
    }

    fn find_value(&self, range: Range) -> Option<Assigned> {
        let program = self.program();
        let is_object = *self.summaries.places.points.kind(range.memory) == MemoryKind::Object;
        if !is_object {
            return None;
        }
        let object = ObjectId(range.memory.0);
        let mut initial = program.initial_texts.iter().filter(|initial| initial.object == object);
        let mut found = initial.next().map(|initial| Assigned::Text(initial.text.clone()));
        let is_pointer = program
            .variables
            .iter()
            .any(|one| one.object == object && one.offset == range.start && one.content == Content::Pointer);
        // A pointer without a text is null at the start.
        if found.is_none() && program.objects[object.0 as usize].initialized && !is_pointer {
            return None;
        }
        let mut copy = None;
        for (site, operation) in program.operations() {
            if !changes(self.summaries, site, range) {
                continue;
            }
            match &operation.kind {
                OperationKind::Write { value: Value::Null, .. } => {}
                OperationKind::Write { to, value } => {
                    let new = assigned(program, to, value, operation)?;
                    copy = Some(site);
                    found = match (found, new) {
                        (None, new) => Some(new),
                        (Some(Assigned::Text(old)), Assigned::Text(new)) if old == new => {
                            Some(Assigned::Text(new))
                        }
                        (Some(_), _) => return None,
                    };
                }
                OperationKind::Call(call) => {
                    let targets = self.summaries.places.calls.targets(site);
                    let is_outside = targets.iter().any(|target| !matches!(target, Target::Procedure(_)));
                    // The statements of a procedure are examined themselves, unless they know the memory as an argument.
                    if is_outside || call.arguments.iter().any(|argument| self.refers_to(argument, range)) {
                        return None;
                    }
                }
                OperationKind::Begin(_) | OperationKind::Directive(_) | OperationKind::Read(_) => {}
                OperationKind::Allocate { .. } | OperationKind::Free(_) | OperationKind::Opaque { .. } => {
                    return None;
                }
            }
        }
        found.filter(|found| match (found, copy) {
            (Assigned::Content(from), Some(copy)) => self.is_kept(from, copy),
            (Assigned::Content(_) | Assigned::Text(_), _) => true,
        })
    }

    /// Whether a variable never changes after an operation.
    fn is_kept(&self, from: &Access, copy: Site) -> bool {
        let Some(range) = self.memory(&Argument::Reference(from.clone())) else { return false };
        let later = self.paths.after(copy);
        let mut sites = self.program().operations().map(|(site, _)| site);
        !sites.any(|site| changes(self.summaries, site, range) && later.contain(site))
    }

    fn refers_to(&self, argument: &Argument, range: Range) -> bool {
        self.summaries.places.argument_spots(argument).iter().any(|spot| {
            let memories = self.summaries.places.concretize(&Bytes::from_range(spot.range));
            let is_same = memories.iter().any(|place| place.memory == range.memory);
            is_same
        })
    }
}

/// Whether an operation may change the memory.
pub fn changes(summaries: &Summaries, site: Site, range: Range) -> bool {
    let effects = summaries.effects_of(site.procedure);
    effects[site.block.0 as usize][site.operation as usize].writes.overlaps(range)
}

/// What a statement writes to a whole variable. A text that is longer than the variable is cut off.
fn assigned(program: &Program, to: &Access, value: &Value, operation: &Operation) -> Option<Assigned> {
    let variable = &program.variables[to.root.0 as usize];
    if !to.path.is_empty() {
        return None;
    }
    if variable.content == Content::Pointer {
        let text = program.text(&Argument::Value(value.clone()))?;
        return Some(Assigned::Text(text.to_owned()));
    }
    if variable.content != Content::Data {
        return None;
    }
    match &operation.computed[..] {
        [Expression::Text(text)] => {
            let length = variable.size.map_or(text.len(), |size| text.len().min(size as usize));
            Some(Assigned::Text(text.get(..length)?.to_owned()))
        }
        [Expression::Load(from)] => Some(Assigned::Content(from.clone())),
        _ => None,
    }
}

/// Names of one file are equal: blanks at the end of a name mean nothing in Fortran.
fn constant(text: &str) -> ResolvedName {
    let mut name = text.trim_end();
    while let Some(rest) = name.strip_prefix("./") {
        name = rest.trim_start_matches('/');
    }
    ResolvedName::Text(name.to_owned())
}
