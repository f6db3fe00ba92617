//! The positions for generated text in a Fortran procedure, and the names and labels that are in use.

use std::collections::BTreeSet;
use std::sync::Arc;

use cppc_grammar::fortran::logical::LineId;
use cppc_grammar::fortran::tree::{DummyArgument, Prefix, Statement, StatementKind};
use cppc_source::Span;

use super::{Builder, ProcedureContext};
use crate::bind::fortran::bound::DirectiveKind;
use crate::bind::fortran::{ScopeId, ScopeKind};
use crate::model::structured::{Contained, Layout, ReachedTypes, StatementLabel};

impl Builder<'_, '_> {
    /// `None` if the end of the procedure is not in the source itself.
    pub(super) fn layout(&self, context: &ProcedureContext) -> Option<Layout> {
        let unit = context.procedure.unit;
        let end_line = unit.contains.or(unit.end)?;
        let end = self.place_of_line(context.source, end_line)?;
        let end_label = match unit.contains {
            Some(line) => self.bound.line(context.source, line)?.label,
            None => unit.end_label.or(self.bound.line(context.source, end_line)?.label),
        };
        let first = context.statements.get(context.start).map_or(end_line, |statement| statement.line);
        let execution_at = self.line_start(first, context);
        let entries = context.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Entry { name, .. } => Some(self.bound.anchor(context.source, name.at)),
            _ => None,
        });
        Some(Layout {
            declarations_at: self.declarations_at(context).min(execution_at),
            execution_at,
            end,
            end_label: end_label.map(|label| StatementLabel { value: label.value, span: label.span }),
            labels: self.labels(context),
            names: self.names[context.source].clone(),
            capitals: context.capitals,
            entries: entries.collect(),
            pure: self.pure(context),
            alternate_returns: unit.arguments.iter().any(|dummy| matches!(dummy, DummyArgument::Star(_))),
            declares_externals: self.declares_externals(context),
            result_variable: context.procedure.result.map(|id| self.bound.symbol(id).name.clone()),
            repassed: self.repassed(context),
            dynamic_types: self.dynamic_types(context),
            included_first: self.included_first(context),
            contained: self.contained(context),
        })
    }

    fn dynamic_types(&self, context: &ProcedureContext) -> Option<Arc<ReachedTypes>> {
        let has_init = self
            .bound
            .directives
            .values()
            .any(|found| found.procedure == context.id && matches!(found.kind, DirectiveKind::Init));
        let found = has_init.then(|| self.bound.dynamic_types(context.procedure.scope))?;
        found.map(Arc::new)
    }

    fn contained(&self, context: &ProcedureContext) -> Option<Contained> {
        let scopes =
            std::iter::successors(Some(context.procedure.scope), |&scope| self.bound.scope(scope).parent);
        let containing =
            |scope: &ScopeId| self.bound.scope(*scope).unit.is_some_and(|unit| unit.contains.is_some());
        let Some(outermost) = scopes.filter(containing).last() else {
            return context.procedure.host.is_none().then_some(Contained::Own);
        };
        let scope = self.bound.scope(outermost);
        let at = self.place_of_line(context.source, scope.unit?.end?)?.start;
        let module = matches!(scope.kind, ScopeKind::Module).then(|| scope.name.clone());
        (scope.source == context.source).then_some(Contained::Before { at, module })
    }

    /// True if the procedure or an enclosing unit declares it.
    fn declares_externals(&self, context: &ProcedureContext) -> bool {
        let scopes =
            std::iter::successors(Some(context.procedure.scope), |&scope| self.bound.scope(scope).parent);
        let units = scopes.filter_map(|scope| self.bound.scope(scope).unit);
        units.flat_map(|unit| &unit.specification).any(|statement| {
            let none = matches!(statement.kind, StatementKind::Implicit(None));
            let text = || self.bound.text(context.source, statement.at).to_ascii_lowercase();
            none && text().split(|c: char| !c.is_alphanumeric()).any(|word| word == "external")
        })
    }

    /// The line after the last declaration, before statement functions.
    fn declarations_at(&self, context: &ProcedureContext) -> u32 {
        let specified = &context.statements[..context.start];
        let last = specified.iter().rev().find(|statement| statement.kind.declares());
        let last = match last.map(|statement| self.last_line(statement, context)) {
            Some(line) => Some(line),
            None => context.procedure.unit.header,
        };
        match last {
            Some(line) => self.line_behind(line, context),
            None => context.extent.start.min(self.line_start_of(context.extent)),
        }
    }

    /// The first statement, if it is in the same included file as the last declaration. Nothing can be inserted between them.
    fn included_first(&self, context: &ProcedureContext) -> Option<Span> {
        let first = context.statements.get(context.start)?;
        let specified = &context.statements[..context.start];
        let last = specified.iter().rev().find(|statement| statement.kind.declares())?;
        let is_included = self.place_of_line(context.source, first.line).is_none();
        let around = |line: LineId| self.own_span(line, context.source);
        let is_same = around(first.line).is_some_and(|span| around(last.line) == Some(span));
        (is_included && is_same).then(|| self.bound.anchor(context.source, first.at))
    }

    /// The last line of a declaration. For a type or an interface it is the line of its end.
    fn last_line(&self, statement: &Statement, context: &ProcedureContext) -> LineId {
        match &statement.kind {
            StatementKind::DerivedType(found) => found.end.unwrap_or(statement.line),
            StatementKind::Interface(found) => {
                let inner = found.bodies.iter().filter_map(|body| body.end).max();
                self.ending(
                    "endinterface",
                    inner.map_or(statement.line, |line| line.max(statement.line)),
                    context,
                )
            }
            StatementKind::Enumeration { .. } => self.ending("endenum", statement.line, context),
            _ => statement.line,
        }
    }

    /// The line that ends a declaration of several statements: the first line after `from` that begins with
    /// `words`.
    fn ending(&self, words: &str, from: LineId, context: &ProcedureContext) -> LineId {
        let unit = context.procedure.unit;
        let last = unit.contains.or(unit.end).map_or(from.0, |line| line.0);
        let ends = |line: &LineId| {
            let text = self.bound.line(context.source, *line).map_or(&[][..], |line| &line.text);
            let letters = text.iter().filter(|byte| !byte.is_ascii_whitespace()).map(u8::to_ascii_lowercase);
            letters.take(words.len()).eq(words.bytes())
        };
        (from.0..last).map(LineId).find(ends).unwrap_or(from)
    }

    /// The bytes of the source for a line. For a line of an included file, those of the include.
    pub(super) fn own_span(&self, line: LineId, source: usize) -> Option<Span> {
        let source = &self.bound.sources[source];
        let lines = &source.lines.lines;
        let mut index = line.0 as usize;
        let own =
            |index: usize| lines.get(index).map(|line| line.span).filter(|span| span.file == source.file);
        if let Some(span) = own(index) {
            return Some(span);
        }
        // The last include of the source before the next line of its own.
        let next = (index..lines.len()).find_map(own).map_or(u32::MAX, |span| span.start);
        while index > 0 && own(index).is_none() {
            index -= 1;
        }
        let behind = own(index).map_or(0, |span| span.end);
        let includes = source.lines.includes.iter().map(|include| include.span);
        let between =
            includes.filter(|span| span.file == source.file && behind <= span.start && span.start < next);
        between.max_by_key(|span| span.start)
    }

    /// The first byte of the line in which a statement begins.
    pub(super) fn line_start(&self, line: LineId, context: &ProcedureContext) -> u32 {
        let span = self.own_span(line, context.source).unwrap_or(context.extent);
        let shares = self.bound.line(context.source, line).is_some_and(|line| line.shares_line);
        let start = self.line_start_of(span);
        // After a semicolon the line begins with another statement.
        match shares
            && self.bound.sources[context.source].lines.form == cppc_grammar::fortran::logical::Form::Free
        {
            true => {
                let bytes = &self.files.get(span.file).bytes;
                let before = bytes.get(start as usize..span.start as usize).unwrap_or_default();
                if before.iter().all(u8::is_ascii_whitespace) {
                    start
                } else {
                    span.start
                }
            }
            false => start,
        }
    }

    fn line_start_of(&self, span: Span) -> u32 {
        let bytes = &self.files.get(span.file).bytes;
        let before = bytes.get(..span.start as usize).unwrap_or_default();
        before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at as u32 + 1)
    }

    /// The first byte of the line after a statement, or of the statement that follows it on its line.
    fn line_behind(&self, line: LineId, context: &ProcedureContext) -> u32 {
        let span = self.own_span(line, context.source).unwrap_or(context.extent);
        let bytes = &self.files.get(span.file).bytes;
        let rest = bytes.get(span.end as usize..).unwrap_or_default();
        let next = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(bytes.len() as u32, |at| span.end + at as u32 + 1);
        let follower = LineId(line.0 + 1);
        match self.bound.line(context.source, follower) {
            Some(found)
                if found.span.file == span.file
                    && found.span.start >= span.end
                    && found.span.start < next =>
            {
                found.span.start
            }
            _ => next,
        }
    }

    fn labels(&self, context: &ProcedureContext) -> BTreeSet<u32> {
        let unit = context.procedure.unit;
        let first = unit.header.or_else(|| context.statements.first().map(|statement| statement.line));
        let (Some(first), Some(last)) = (first, unit.contains.or(unit.end)) else { return BTreeSet::new() };
        let lines = &self.bound.sources[context.source].lines.lines;
        let range = first.0 as usize..(last.0 as usize + 1).min(lines.len());
        lines[range].iter().filter_map(|line| line.label).map(|label| label.value).collect()
    }

    fn pure(&self, context: &ProcedureContext) -> Option<Span> {
        if !context.procedure.pure {
            return None;
        }
        let header = context.procedure.unit.header?;
        let at = self.bound.statement_at(context.source, header);
        let word = context.procedure.unit.prefixes.iter().any(|prefix| matches!(prefix, Prefix::Pure));
        let word = if word { "pure" } else { "elemental" };
        let text = self.bound.text(context.source, at).to_ascii_lowercase();
        let found = text.find(word).map(|start| {
            let start = at.start + start as u32;
            cppc_grammar::fortran::logical::At { start, end: start + word.len() as u32, ..at }
        });
        Some(self.bound.anchor(context.source, found.unwrap_or(at)))
    }
}
