//! Builds the model of the Fortran sources of a program.
//!
//! Input: trees and the facts of the binder.
//! Output: the procedures of the sources that are translated.
//! Postcondition: every directive that the binder placed is among the statements of its procedure, in text
//! order. A name that was declared by a module that was not found has an unknown type.

mod types;
mod names;
mod through;
mod calls;
mod expressions;
mod followers;
mod items;
mod statements;
mod constructs;
mod variables;
mod repassed;
mod size_variables;
mod layout;

pub use followers::Checkpoints;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use cppc_grammar::fortran::logical::{At, Label, LineId};
use cppc_grammar::fortran::tree::{Statement, Unit};
use cppc_source::{Diagnostic, Files, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::structured::StatementLabel;
use super::{Body, Follower, Language, Procedure, Region, Shape, StatementId, UnitId, Variable};
use crate::bind::fortran::{statements_of, Bound, ProcedureId, ProcedureKind, ScopeId, Source, SymbolId};

/// The procedures of the sources that have a unit, and those that are added.
pub fn model(
    bound: &Bound,
    sources: &[Source],
    units: &[Option<UnitId>],
    files: &Files,
    whole: bool,
    checkpoints: Checkpoints,
) -> (Vec<Procedure>, Vec<Follower>, Vec<Diagnostic>) {
    let mut symbols: FxHashMap<ProcedureId, Vec<SymbolId>> = FxHashMap::default();
    for (index, symbol) in bound.symbols.iter().enumerate() {
        if let Some(id) = bound.procedure_of(symbol.scope) {
            symbols.entry(id).or_default().push(SymbolId(index as u32));
        }
    }
    let followers = followers::find(bound, units, checkpoints);
    let (names, left) = (names::names(bound), FxHashSet::default());
    let mut builder = Builder { bound, files, whole, symbols, names, followers, left };
    builder.left = builder.left_to_followers();
    let mut list = Vec::new();
    for index in 0..bound.procedures.len() as u32 {
        let id = ProcedureId(index);
        let procedure = bound.procedure(id);
        let unit = units.get(procedure.source).copied().flatten();
        let translated = sources.get(procedure.source).is_some_and(|source| source.translated);
        if let (true, true, Some(unit)) = (procedure.has_body, translated, unit) {
            list.push(builder.procedure(id, unit));
        }
    }
    let (followers, diagnostics) = builder.made_followers(units);
    (list, followers, diagnostics)
}

/// The data that building the model needs.
struct Builder<'b, 'a> {
    bound: &'b Bound<'a>,
    files: &'b Files,
    whole: bool,
    /// The symbols that each procedure declares.
    symbols: FxHashMap<ProcedureId, Vec<SymbolId>>,
    /// For each source, the names that generated names could equal.
    names: Vec<BTreeSet<String>>,
    followers: followers::Followers,
    /// The variables that only followers re-pass.
    left: FxHashSet<SymbolId>,
}

/// The procedure being built.
struct ProcedureContext<'b, 'a> {
    id: ProcedureId,
    procedure: &'b crate::bind::fortran::Procedure<'a>,
    source: usize,
    variables: Vec<Variable>,
    /// The symbols of `variables`, in the same order.
    symbols: Vec<SymbolId>,
    /// Its statements. Those from `start` on are executable.
    statements: Vec<&'a Statement>,
    start: usize,
    /// The bytes of the whole procedure.
    extent: Span,
    capitals: bool,
    /// Expressions get the declarations of their types. They are needed only where calls may be taken out.
    patterns: std::cell::Cell<bool>,
    statement_count: std::cell::Cell<u32>,
}

impl ProcedureContext<'_, '_> {
    /// A number that no other statement of the procedure has.
    fn next_statement(&self) -> StatementId {
        let id = self.statement_count.get();
        self.statement_count.set(id + 1);
        StatementId(id)
    }
}

impl<'b, 'a> Builder<'b, 'a> {
    fn procedure(&self, id: ProcedureId, unit: UnitId) -> Procedure {
        let procedure = self.bound.procedure(id);
        let (source, scope) = (procedure.source, procedure.scope);
        let statements = statements_of(procedure.unit);
        let start = self.bound.first_executable(scope, &statements);
        let extent = self.extent(source, procedure.unit, &statements);
        let mut context = ProcedureContext {
            id,
            procedure,
            source,
            variables: Vec::new(),
            symbols: Vec::new(),
            statements,
            start,
            extent: extent.unwrap_or(Span::new(self.bound.sources[source].file, 0, 0)),
            capitals: self.bound.writes_capitals(source),
            patterns: std::cell::Cell::new(true),
            statement_count: std::cell::Cell::new(0),
        };
        self.variables(&mut context);
        let items = self.statements(&context.statements[start..], scope, &context);
        let layout = extent.and_then(|_| self.layout(&context));
        let main = procedure.kind == ProcedureKind::Main;
        let size_variables = self.size_variables(&context);
        let result = procedure.result.map(|result| self.type_of_result(result, &context));
        Procedure {
            language: Language::Fortran,
            name: procedure.key.clone(),
            entry_name: procedure.entry.clone(),
            unit,
            local: procedure.kind == ProcedureKind::Internal,
            main,
            command_line: None,
            escapes: procedure.escapes,
            result,
            shape: Shape::ANY,
            place: extent,
            name_span: self.name_span(procedure.unit, &context),
            body: Body { place: extent, items },
            regions: self.regions(&context),
            jumps: context.statements[start..].iter().any(|statement| statements::jumps(statement)),
            layout: layout.map(Box::new),
            next_statement: context.next_statement(),
            variables: context.variables,
            parameters: Vec::new(),
            mentions: Vec::new(),
            conditions: Vec::new(),
            size_variables,
            by_name: OnceLock::new(),
        }
    }

    /// The bytes from its header to its end, if all of it is in the source itself.
    fn extent(&self, source: usize, unit: &Unit, statements: &[&Statement]) -> Option<Span> {
        let first = unit.header.or_else(|| statements.first().map(|statement| statement.line));
        let first = first.or(unit.end)?;
        let start = match unit.header {
            Some(_) => self.place_of_line(source, first)?,
            // A main program without a header may begin with an include.
            None => self.place_of_line(source, first).or_else(|| self.own_span(first, source))?,
        };
        let end = self.place_of_line(source, unit.end?)?;
        (start.start <= end.end).then(|| start.to(end))
    }

    fn place_of_line(&self, source: usize, line: LineId) -> Option<Span> {
        self.bound.place(source, self.bound.statement_at(source, line))
    }

    fn name_span(&self, unit: &Unit, context: &ProcedureContext) -> Span {
        if let Some(name) = &unit.name {
            return self.bound.anchor(context.source, name.at);
        }
        let first = unit.header.or_else(|| context.statements.first().map(|statement| statement.line));
        match first.or(unit.end) {
            Some(line) => self.bound.anchor(context.source, self.bound.statement_at(context.source, line)),
            None => context.extent,
        }
    }

    fn regions(&self, context: &ProcedureContext) -> Vec<Region> {
        let own =
            self.bound.regions[context.source].iter().filter(|region| context.extent.contains(region.extent));
        let regions = own.map(|region| Region {
            statement: region.extent,
            pragma: region.directive,
            name: region.name.clone(),
        });
        regions.collect()
    }

    fn place(&self, context: &ProcedureContext, at: At) -> Option<Span> {
        self.bound.place(context.source, at)
    }

    fn label(&self, label: Option<Label>) -> Option<StatementLabel> {
        label.map(|label| StatementLabel { value: label.value, span: label.span })
    }

    /// The scope inside a part of a construct.
    fn scope_in(&self, scope: ScopeId, header: LineId, context: &ProcedureContext) -> ScopeId {
        self.bound.inner_scope(context.source, header).unwrap_or(scope)
    }
}
