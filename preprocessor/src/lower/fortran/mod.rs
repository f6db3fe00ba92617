//! Lowers the Fortran sources of a program.
//!
//! Input: trees and the facts of the binder, while both are alive.
//! Output: the procedures and objects of the sources, added to a program.
//! Postcondition: every executable statement is in a block, also those that could not be parsed. A procedure with
//! `ENTRY` statements is lowered once for each of its names.

mod layout;
mod facts;
mod storage;
mod designated_memory;
mod link_names;
mod body;
mod affine;
mod designators;
mod values;
mod keywords;
mod calls;
mod assign;
mod allocate;
mod first_targets;
mod io;
mod defined;
mod computed;
mod reals;
mod loops;
mod constructs;
mod directives;
mod statements;

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::{Content, Terminator};
use cppc_grammar::fortran::tree::{DummyArgument, Name, Statement, StatementKind};
use cppc_source::{Files, Span};
use rustc_hash::FxHashMap;

use self::body::Body;
use self::facts::Facts;
use self::link_names::entry_key;
use self::storage::Storage;
use super::Names;
use crate::bind::fortran::visit::{lengths, result_length};
use crate::bind::fortran::{
    statements_of, Bound, Procedure, ProcedureId, ProcedureKind, ScopeId, ScopeKind, SymbolId, Type,
};

/// An `ENTRY` statement.
#[derive(Clone, Copy)]
struct Entry<'a> {
    name: &'a Name,
    arguments: &'a [DummyArgument],
    result: Option<&'a Name>,
}

/// A procedure to lower, under one of its names.
struct Task<'a> {
    id: ProcedureId,
    defined: cppc_analysis::program::ProcedureId,
    entry: Option<Entry<'a>>,
}

/// Adds the Fortran procedures of a program.
pub fn lower(bound: &Bound, files: &Files, program: &mut ProgramBuilder, names: Option<&mut Names>) {
    let pointer_bytes = bound.pointer_bytes();
    let mut storage = Storage::new(pointer_bytes);
    let tasks = define(bound, program, &mut storage);
    let mut symbols: FxHashMap<ScopeId, Vec<SymbolId>> = FxHashMap::default();
    for (index, symbol) in bound.symbols.iter().enumerate() {
        symbols.entry(symbol.scope).or_default().push(SymbolId(index as u32));
    }
    let has_first_targets = first_targets::define(bound, files, program, &mut storage, &tasks);
    for task in &tasks {
        let own = symbols.get(&bound.procedure(task.id).scope).map_or(&[][..], |own| own);
        procedure(bound, files, program, &mut storage, task, own, has_first_targets);
    }
    // Block data and modules have no statements. Their variables are added even if they are not used.
    for index in 0..bound.scopes.len() as u32 {
        let scope = ScopeId(index);
        let lasting = matches!(bound.scope(scope).kind, ScopeKind::Module | ScopeKind::BlockData);
        let (true, Some(owner)) = (lasting, tasks.first()) else { continue };
        for &id in symbols.get(&scope).map_or(&[][..], |own| own) {
            if bound.symbol(id).has_memory() && bound.symbol(id).origin.at.is_some() {
                storage.variable(program, bound, id, owner.defined);
            }
        }
    }
    if let Some(names) = names {
        // A procedure with several entries can have no directive.
        let has_entry = |task: &&Task| {
            let statements = statements_of(bound.procedure(task.id).unit);
            statements.iter().any(|statement| matches!(statement.kind, StatementKind::Entry { .. }))
        };
        for task in tasks.iter().filter(|task| !has_entry(task)) {
            list_names(bound, &mut storage, task, program, names);
        }
    }
}

/// Adds the variables that a procedure can name: its own with those of its blocks, and those of its host and of
/// modules under their own names.
fn list_names<'a>(
    bound: &Bound<'a>,
    storage: &mut Storage<'a>,
    task: &Task<'a>,
    program: &mut ProgramBuilder,
    names: &mut Names,
) {
    let own = bound.procedure(task.id).scope;
    let mut next = Some(own);
    while let Some(scope) = next {
        let mut visible: Vec<(&String, SymbolId)> =
            bound.scope(scope).names.iter().map(|(name, &symbol)| (name, symbol)).collect();
        visible.sort_unstable();
        for (name, id) in visible {
            let symbol = bound.symbol(id);
            let is_seen = bound.lookup(own, name) == Some(id) && symbol.name == *name;
            if is_seen
                && symbol.has_memory()
                && symbol.origin.at.is_some()
                && !is_protected(bound, storage, own, id)
            {
                names.push((task.defined, storage.variable(program, bound, id, task.defined)));
            }
        }
        next = bound.scope(scope).parent;
    }
    let mut inner: Vec<ScopeId> = bound.scope(own).inside.clone();
    while let Some(scope) = inner.pop() {
        if !matches!(bound.scope(scope).kind, ScopeKind::Inner) {
            continue;
        }
        inner.extend(&bound.scope(scope).inside);
        let mut visible: Vec<SymbolId> = bound.scope(scope).names.values().copied().collect();
        visible.sort_unstable();
        for id in visible {
            if bound.symbol(id).has_memory() && bound.symbol(id).origin.at.is_some() {
                names.push((task.defined, storage.variable(program, bound, id, task.defined)));
            }
        }
    }
}

/// Whether only procedures of its module may set what a restart sets: where its memory is.
fn is_protected<'a>(bound: &Bound<'a>, storage: &mut Storage<'a>, from: ScopeId, id: SymbolId) -> bool {
    let symbol = bound.symbol(id);
    let mut around = std::iter::successors(Some(from), |&scope| bound.scope(scope).parent);
    let moves = |storage: &mut Storage<'a>| {
        symbol.is.allocatable
            || symbol.is.pointer
            || matches!(symbol.ty, Type::Derived(ty) if storage.layouts.holds_descriptors(bound, ty))
    };
    symbol.is.protected && !around.any(|scope| scope == symbol.scope) && moves(storage)
}

fn define<'a>(bound: &Bound<'a>, program: &mut ProgramBuilder, storage: &mut Storage<'a>) -> Vec<Task<'a>> {
    let mut tasks = Vec::new();
    for index in 0..bound.procedures.len() as u32 {
        let id = ProcedureId(index);
        let procedure = bound.procedure(id);
        if !procedure.has_body {
            continue;
        }
        let defined = program.define(&procedure.key, &procedure.entry, span_of(bound, procedure));
        storage.procedures.insert(id, defined);
        tasks.push(Task { id, defined, entry: None });
        for statement in statements_of(procedure.unit) {
            let StatementKind::Entry { name, arguments, result } = &statement.kind else { continue };
            let key = entry_key(procedure, &name.text);
            let defined = program.define(&key, &name.text, bound.anchor(procedure.source, name.at));
            tasks.push(Task { id, defined, entry: Some(Entry { name, arguments, result: result.as_ref() }) });
        }
    }
    tasks
}

fn span_of(bound: &Bound, procedure: &Procedure) -> Span {
    let unit = procedure.unit;
    let first = || unit.specification.first().or(unit.execution.first()).map(|statement| statement.at);
    let header = unit.header.map(|line| bound.statement_at(procedure.source, line));
    let at = unit.name.as_ref().map(|name| name.at).or(header).or_else(first);
    at.map_or(Span::new(bound.sources[procedure.source].file, 0, 0), |at| bound.anchor(procedure.source, at))
}

/// An empty body.
fn new_body<'l, 'a>(
    bound: &'l Bound<'a>,
    files: &'l Files,
    program: &'l mut ProgramBuilder,
    storage: &'l mut Storage<'a>,
    facts: &'l Facts,
    id: ProcedureId,
    defined: cppc_analysis::program::ProcedureId,
) -> Body<'l, 'a> {
    let found = bound.procedure(id);
    let mut flow = program.body(defined);
    let (before, start, exit) = (flow.new_block(), flow.new_block(), flow.new_block());
    flow.terminate(Terminator::Jump(before));
    flow.switch_to(start);
    Body {
        bound,
        files,
        storage,
        flow,
        id,
        source: found.source,
        facts,
        copies: None,
        labels: FxHashMap::default(),
        frames: Vec::new(),
        before,
        start,
        exit,
        aliases: FxHashMap::default(),
        names: Vec::new(),
        first_elements: Vec::new(),
        entry_values: FxHashMap::default(),
        prologue: Vec::new(),
        open_functions: Vec::new(),
        expanded_functions: 0,
        span: span_of(bound, found),
    }
}

fn procedure<'a>(
    bound: &Bound<'a>,
    files: &Files,
    program: &mut ProgramBuilder,
    storage: &mut Storage<'a>,
    task: &Task<'a>,
    own: &[SymbolId],
    has_first_targets: bool,
) {
    let found = bound.procedure(task.id);
    let statements = statements_of(found.unit);
    let facts = Facts::of(bound, found.source, found.scope, &statements);
    let mut body = new_body(bound, files, program, storage, &facts, task.id, task.defined);
    body.copies = task.entry.map(|_| FxHashMap::default());
    body.parameters(found, task.entry);
    if has_first_targets && found.kind == ProcedureKind::Main {
        body.call_initial();
    }
    if let Some(length) = result_length(&found.unit.prefixes) {
        body.read_declared(found.scope, &[length], None);
    }
    for statement in &statements {
        let at = body.anchor(statement.at);
        body.read_declared(found.scope, &lengths(statement), Some(at));
    }
    for &id in own {
        body.read_bounds(id, bound.declared(bound.symbol(id).origin));
        body.begin_local(id);
        body.begin_argument(id);
    }
    if task.entry.is_some() && !found.unit.contained.is_empty() {
        body.opaque("an ENTRY of a procedure with internal procedures", Vec::new());
    }
    let from = task.entry.map(|_| {
        let from = body.flow.new_block();
        body.jump(from);
        from
    });
    body.executable(found.scope, &statements, task.entry.map(|entry| entry.name), from);
    if let Some(label) = &found.unit.end_label {
        body.begin_label(label.value);
    }
    let exit = body.exit;
    body.flow.fall_into(exit);
    body.span = span_of(bound, found);
    body.read_result();
    if found.kind != ProcedureKind::Main {
        own.iter().for_each(|&id| body.end_local(id));
    }
    body.finish();
}

impl<'a> Body<'_, 'a> {
    /// The procedure returns here. What it computes at its entry is known now.
    fn finish(mut self) {
        self.flow.terminate(Terminator::Return);
        let (before, start) = (self.before, self.start);
        self.flow.switch_to(before);
        for (kind, span) in std::mem::take(&mut self.prologue) {
            self.flow.emit(kind, span);
        }
        self.flow.terminate(Terminator::Jump(start));
        self.missing_labels();
        self.flow.finish();
    }

    /// The caller gets the value that the result has at the end.
    fn read_result(&mut self) {
        if let Some(result) = self.flow.procedure().result {
            let whole = self.flow.program.whole(result);
            // The data of an allocatable or a pointer belongs to the caller.
            if !matches!(whole.content, Content::Descriptor | Content::Pointer) {
                self.read(whole);
            }
        }
    }

    fn parameters(&mut self, found: &Procedure<'a>, entry: Option<Entry<'a>>) {
        let bound = self.bound;
        let named = |name: &Name| bound.lookup(found.scope, &name.text);
        let (dummies, result) = match entry {
            None => (found.dummies.iter().flatten().copied().collect(), found.result),
            Some(entry) => {
                let dummies = entry.arguments.iter().filter_map(|argument| match argument {
                    DummyArgument::Name(name) => named(name),
                    DummyArgument::Star(_) => None,
                });
                let result = found.result.and_then(|_| named(entry.result.unwrap_or(entry.name)));
                (dummies.collect::<Vec<SymbolId>>(), result)
            }
        };
        let is_scalar = |id: &SymbolId| {
            let symbol = bound.symbol(*id);
            symbol.shape.is_empty()
                && !symbol.is.allocatable
                && !symbol.is.pointer
                && !matches!(symbol.ty, Type::Derived(_) | Type::Unknown)
        };
        let parameters = dummies.iter().map(|&id| self.variable(id)).collect();
        let recorded: Vec<SymbolId> = dummies.iter().copied().filter(is_scalar).collect();
        let recorded = recorded.into_iter().map(|id| self.variable(id)).collect();
        let result = result.map(|id| self.variable(id));
        let procedure = self.flow.procedure();
        procedure.parameters = parameters;
        procedure.recorded = recorded;
        procedure.result = result;
        procedure.main = found.kind == ProcedureKind::Main;
        procedure.local = found.kind == ProcedureKind::Internal;
        procedure.keeps_loops = true;
        procedure.address_taken |= found.escapes;
    }

    /// The statements of the procedure. `entry`: control begins at this `ENTRY`, in the block `from`.
    fn executable(
        &mut self,
        scope: ScopeId,
        statements: &[&Statement],
        entry: Option<&Name>,
        from: Option<cppc_analysis::program::BlockId>,
    ) {
        if from.is_some() {
            // The statements before the entry are reached only by jumps.
            let before = self.flow.new_block();
            self.flow.switch_to(before);
        }
        for statement in statements {
            if let (StatementKind::Entry { name, .. }, Some(entry), Some(from)) =
                (&statement.kind, entry, from)
            {
                if name.text == entry.text {
                    self.flow.fall_into(from);
                }
            }
            self.statement(scope, statement);
        }
    }

    /// A jump to a label that no statement has.
    fn missing_labels(&mut self) {
        let mut blocks: Vec<_> = self.labels.values().copied().collect();
        blocks.sort_unstable();
        for block in blocks {
            if !self.flow.has_terminator(block) {
                self.flow.switch_to(block);
                self.flow.terminate(Terminator::Anywhere);
            }
        }
    }
}
