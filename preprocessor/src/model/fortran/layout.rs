//! Where generated text goes in a procedure of Fortran, and which names and labels are taken.

use std::collections::BTreeSet;

use cppc_grammar::fortran::logical::LineId;
use cppc_grammar::fortran::tree::{DummyArgument, Prefix, Statement, StatementKind};
use cppc_source::Span;

use super::{Builder, Inside};
use crate::bind::fortran::{ScopeId, ScopeKind};
use crate::model::structured::{Contained, Layout, StatementLabel};

impl Builder<'_, '_> {
    /// None when the procedure's end does not stand in the source itself.
    pub(super) fn layout(&self, inside: &Inside) -> Option<Layout> {
        let unit = inside.procedure.unit;
        let end_line = unit.contains.or(unit.end)?;
        let end = self.place_of_line(inside.source, end_line)?;
        let end_label = match unit.contains {
            Some(line) => self.bound.line(inside.source, line)?.label,
            None => unit.end_label.or(self.bound.line(inside.source, end_line)?.label),
        };
        let first = inside.statements.get(inside.start).map_or(end_line, |statement| statement.line);
        let execution_at = self.line_start(first, inside);
        let entries = inside.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Entry { name, .. } => Some(self.bound.anchor(inside.source, name.at)),
            _ => None,
        });
        Some(Layout {
            declarations_at: self.declarations_at(inside).min(execution_at),
            execution_at,
            end,
            end_label: end_label.map(|label| StatementLabel { value: label.value, span: label.span }),
            labels: self.labels(inside),
            names: self.names[inside.source].clone(),
            capitals: inside.capitals,
            entries: entries.collect(),
            pure: self.pure(inside),
            alternate_returns: unit.arguments.iter().any(|dummy| matches!(dummy, DummyArgument::Star(_))),
            declares_externals: self.declares_externals(inside),
            result_variable: inside.procedure.result.map(|id| self.bound.symbol(id).name.clone()),
            kept: self.kept(inside),
            contained: self.contained(inside),
        })
    }

    fn contained(&self, inside: &Inside) -> Option<Contained> {
        let scopes = std::iter::successors(Some(inside.procedure.scope), |&scope| self.bound.scope(scope).parent);
        let containing = |scope: &ScopeId| self.bound.scope(*scope).unit.is_some_and(|unit| unit.contains.is_some());
        let Some(outermost) = scopes.filter(containing).last() else {
            return inside.procedure.host.is_none().then_some(Contained::Own);
        };
        let scope = self.bound.scope(outermost);
        let at = self.place_of_line(inside.source, scope.unit?.end?)?.start;
        let module = matches!(scope.kind, ScopeKind::Module).then(|| scope.name.clone());
        (scope.source == inside.source).then_some(Contained::Before { at, module })
    }

    /// Whether the procedure or what is around it says so.
    fn declares_externals(&self, inside: &Inside) -> bool {
        let scopes = std::iter::successors(Some(inside.procedure.scope), |&scope| self.bound.scope(scope).parent);
        let units = scopes.filter_map(|scope| self.bound.scope(scope).unit);
        units.flat_map(|unit| &unit.specification).any(|statement| {
            let none = matches!(statement.kind, StatementKind::Implicit(None));
            let text = || self.bound.text(inside.source, statement.at).to_ascii_lowercase();
            none && text().split(|c: char| !c.is_alphanumeric()).any(|word| word == "external")
        })
    }

    /// The line behind the last declaration, before statement functions.
    fn declarations_at(&self, inside: &Inside) -> u32 {
        let specified = &inside.statements[..inside.start];
        let last = specified.iter().rev().find(|statement| statement.kind.declares());
        let last = match last.map(|statement| self.last_line(statement, inside)) {
            Some(line) => Some(line),
            None => inside.procedure.unit.header,
        };
        match last {
            Some(line) => self.line_behind(line, inside),
            None => inside.extent.start.min(self.line_start_of(inside.extent)),
        }
    }

    /// The last line of a declaration: of a type or an interface, its end.
    fn last_line(&self, statement: &Statement, inside: &Inside) -> LineId {
        match &statement.kind {
            StatementKind::DerivedType(found) => found.end.unwrap_or(statement.line),
            StatementKind::Interface(found) => {
                let inner = found.bodies.iter().filter_map(|body| body.end).max();
                self.ending("endinterface", inner.map_or(statement.line, |line| line.max(statement.line)), inside)
            }
            StatementKind::Enumeration { .. } => self.ending("endenum", statement.line, inside),
            _ => statement.line,
        }
    }

    /// The line that ends a declaration of several statements, the first one behind a line that begins so.
    fn ending(&self, words: &str, from: LineId, inside: &Inside) -> LineId {
        let unit = inside.procedure.unit;
        let last = unit.contains.or(unit.end).map_or(from.0, |line| line.0);
        let ends = |line: &LineId| {
            let text = self.bound.line(inside.source, *line).map_or(&[][..], |line| &line.text);
            let letters = text.iter().filter(|byte| !byte.is_ascii_whitespace()).map(u8::to_ascii_lowercase);
            letters.take(words.len()).eq(words.bytes())
        };
        (from.0..last).map(LineId).find(ends).unwrap_or(from)
    }

    /// The bytes of the source that a line comes from: of one of an included file, those of the include.
    pub(super) fn own_span(&self, line: LineId, source: usize) -> Option<Span> {
        let source = &self.bound.sources[source];
        let lines = &source.lines.lines;
        let mut index = line.0 as usize;
        let own = |index: usize| lines.get(index).map(|line| line.span).filter(|span| span.file == source.file);
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
        let between = includes.filter(|span| span.file == source.file && behind <= span.start && span.start < next);
        between.max_by_key(|span| span.start)
    }

    /// The first byte of the line that a statement begins in.
    pub(super) fn line_start(&self, line: LineId, inside: &Inside) -> u32 {
        let span = self.own_span(line, inside.source).unwrap_or(inside.extent);
        let shares = self.bound.line(inside.source, line).is_some_and(|line| line.shares_line);
        let start = self.line_start_of(span);
        // Behind a semicolon the line begins with another statement.
        match shares && self.bound.sources[inside.source].lines.form == cppc_grammar::fortran::logical::Form::Free {
            true => {
                let bytes = &self.files.get(span.file).bytes;
                let before = bytes.get(start as usize..span.start as usize).unwrap_or_default();
                if before.iter().all(u8::is_ascii_whitespace) { start } else { span.start }
            }
            false => start,
        }
    }

    fn line_start_of(&self, span: Span) -> u32 {
        let bytes = &self.files.get(span.file).bytes;
        let before = bytes.get(..span.start as usize).unwrap_or_default();
        before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at as u32 + 1)
    }

    /// The first byte of the line behind a statement; of what follows it on its line, if something does.
    fn line_behind(&self, line: LineId, inside: &Inside) -> u32 {
        let span = self.own_span(line, inside.source).unwrap_or(inside.extent);
        let bytes = &self.files.get(span.file).bytes;
        let rest = bytes.get(span.end as usize..).unwrap_or_default();
        let next = rest.iter().position(|&byte| byte == b'\n').map_or(bytes.len() as u32, |at| span.end + at as u32 + 1);
        let follower = LineId(line.0 + 1);
        match self.bound.line(inside.source, follower) {
            Some(found) if found.span.file == span.file && found.span.start >= span.end && found.span.start < next => {
                found.span.start
            }
            _ => next,
        }
    }

    fn labels(&self, inside: &Inside) -> BTreeSet<u32> {
        let unit = inside.procedure.unit;
        let first = unit.header.or_else(|| inside.statements.first().map(|statement| statement.line));
        let (Some(first), Some(last)) = (first, unit.contains.or(unit.end)) else { return BTreeSet::new() };
        let lines = &self.bound.sources[inside.source].lines.lines;
        let range = first.0 as usize..(last.0 as usize + 1).min(lines.len());
        lines[range].iter().filter_map(|line| line.label).map(|label| label.value).collect()
    }

    fn pure(&self, inside: &Inside) -> Option<Span> {
        if !inside.procedure.pure {
            return None;
        }
        let header = inside.procedure.unit.header?;
        let at = self.bound.statement_at(inside.source, header);
        let word = inside.procedure.unit.prefixes.iter().any(|prefix| matches!(prefix, Prefix::Pure));
        let word = if word { "pure" } else { "elemental" };
        let text = self.bound.text(inside.source, at).to_ascii_lowercase();
        let found = text.find(word).map(|start| {
            let start = at.start + start as u32;
            cppc_grammar::fortran::logical::At { start, end: start + word.len() as u32, ..at }
        });
        Some(self.bound.anchor(inside.source, found.unwrap_or(at)))
    }
}
