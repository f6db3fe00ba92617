//! Where directives go in a Fortran source.
//!
//! Input: the tree of a source.
//! Output: offsets between statements.
//! Postcondition: no offset is inside a continued statement or in an included file.

use cppc_grammar::directive_words::begins_with_sentinel;
use cppc_grammar::fortran::logical::{Form, LineId, LogicalLine};
use cppc_grammar::fortran::tree::{
    Construct, ConstructEnd, ConstructKind, DoKind, Expr, Part, Statement, StatementKind, Unit as Procedure,
    UnitKind,
};
use cppc_source::{Files, Span};

use super::pragmas::above_pragmas;
use super::registrar_place::RegistrarPlace;
use super::spot::{
    end_of_text, line_start, separator_length, ExecuteClauses, Gap, Spot, Style, END_EXECUTE, END_IF,
};
use super::{FieldBytes, Parts, Positions};
use crate::bind::fortran::leading;
use crate::front::fortran::Unit;

/// The columns of a statement in fixed form.
const FIXED_COLUMNS: u32 = 72;

pub struct FortranSource<'a> {
    unit: &'a Unit,
    text: &'a [u8],
}

impl<'a> FortranSource<'a> {
    pub fn new(unit: &'a Unit, files: &'a Files) -> FortranSource<'a> {
        FortranSource { unit, text: &files.get(unit.file).bytes }
    }

    fn text_of(&self, expr: &Expr) -> String {
        let line = &self.unit.lines.lines[expr.at.line.0 as usize];
        let text = &line.text[expr.at.start as usize..expr.at.end as usize];
        String::from_utf8_lossy(text).trim().to_owned()
    }

    fn innermost(&self, at: Span) -> Option<&'a Statement> {
        let procedure = self.procedure(at.start)?;
        let mut statement = self.last_before(&procedure.execution, at.start)?;
        while let Some(inner) = self.inside(statement, at.start) {
            statement = inner;
        }
        Some(statement)
    }

    /// The innermost program unit whose lines contain the offset.
    fn procedure(&self, at: u32) -> Option<&'a Procedure> {
        let mut found = None;
        for unit in &self.unit.parsed.tree.units {
            unit.walk(&mut |unit| {
                if self.extent(unit).is_some_and(|(start, end)| start <= at && at < end) {
                    found = Some(unit);
                }
            });
        }
        found
    }

    fn extent(&self, unit: &Procedure) -> Option<(u32, u32)> {
        let first = unit.specification.first().or(unit.execution.first()).map(|statement| statement.line);
        let start = self.unit.lines.lines.get(unit.header.or(first)?.0 as usize)?.span;
        let end = self.unit.lines.lines.get(unit.end?.0 as usize)?.span;
        (start.file == self.unit.file && end.file == self.unit.file).then_some((start.start, end.end))
    }

    fn line(&self, statement: &Statement) -> Option<&'a LogicalLine> {
        self.unit.lines.lines.get(statement.line.0 as usize)
    }

    /// The last statement of a list that begins at the offset or before it.
    fn last_before(&self, list: &'a [Statement], at: u32) -> Option<&'a Statement> {
        let begins = |statement: &&Statement| {
            self.line(statement).is_some_and(|line| line.span.file == self.unit.file && line.span.start <= at)
        };
        list.iter().rev().find(begins)
    }

    fn inside(&self, statement: &'a Statement, at: u32) -> Option<&'a Statement> {
        let StatementKind::Construct(construct) = &statement.kind else { return None };
        construct.parts.iter().rev().find_map(|part| self.last_before(&part.statements, at))
    }

    /// The next statement of the innermost list around the offset that is no directive.
    fn following(&self, list: &'a [Statement], at: u32) -> Option<&'a Statement> {
        let starts = |statement: &Statement| self.line(statement).map_or(0, |line| line.span.start);
        let after = list.iter().position(|statement| starts(statement) > at).unwrap_or(list.len());
        let around = list[..after].last().and_then(|statement| match &statement.kind {
            StatementKind::Construct(construct) => Some(construct),
            _ => None,
        });
        if let Some(construct) = around.filter(|construct| self.ends_after(construct, at)) {
            let begins = |part: &&Part| {
                self.unit.lines.lines.get(part.header.0 as usize).is_some_and(|line| line.span.start <= at)
            };
            let part = construct.parts.iter().rev().find(begins)?;
            return self.following(&part.statements, at);
        }
        list[after..].iter().find(|statement| !matches!(statement.kind, StatementKind::Directive))
    }

    fn ends_after(&self, construct: &Construct, at: u32) -> bool {
        let begins_after = |line: LineId| {
            self.unit.lines.lines.get(line.0 as usize).is_some_and(|line| at < line.span.start)
        };
        match &construct.end {
            ConstructEnd::Statement { line, .. } => begins_after(*line),
            ConstructEnd::Shared { .. } | ConstructEnd::Missing => {
                let last = construct.parts.last().and_then(|part| part.statements.last());
                last.is_some_and(|last| match &last.kind {
                    StatementKind::Construct(inner) => begins_after(last.line) || self.ends_after(inner, at),
                    _ => begins_after(last.line),
                })
            }
        }
    }

    /// The innermost BLOCK whose declarations contain the offset.
    fn block_around(&self, declared: Span) -> Option<&'a Part> {
        let procedure = self.procedure(declared.start)?;
        let mut statement = self.last_before(&procedure.execution, declared.start)?;
        let mut found = None;
        while let StatementKind::Construct(construct) = &statement.kind {
            if matches!(construct.kind, ConstructKind::Block) && self.ends_after(construct, declared.start) {
                found = construct.parts.first();
            }
            let Some(inner) = self.inside(statement, declared.start) else { break };
            statement = inner;
        }
        found
    }

    fn is_here(&self, id: LineId) -> bool {
        self.unit.lines.lines.get(id.0 as usize).is_some_and(|line| line.span.file == self.unit.file)
    }

    /// Before a statement. It does not go above another one in the same line.
    fn before_line(&self, id: LineId) -> Option<Spot> {
        let line = self.unit.lines.lines.get(id.0 as usize)?;
        let previous = id.0.checked_sub(1).map(LineId);
        if let Some(previous) = previous.filter(|&previous| self.shares_line(previous)) {
            return self.separator(previous);
        }
        let offset = line_start(self.text, line.span.start);
        (line.span.file == self.unit.file).then_some(Spot { offset, gap: Gap::Line })
    }

    /// After a statement and before another one in the same line.
    fn after_line(&self, id: LineId) -> Option<Spot> {
        match self.shares_line(id) {
            true => self.separator(id),
            false => self.line_after(self.unit.lines.lines.get(id.0 as usize)?.span.end),
        }
    }

    /// The next statement begins in the line in which a statement ends.
    fn shares_line(&self, id: LineId) -> bool {
        let span = |id: u32| self.unit.lines.lines.get(id as usize).map(|line| line.span);
        span(id.0).zip(span(id.0 + 1)).is_some_and(|(one, next)| {
            one.file == self.unit.file
                && next.file == self.unit.file
                && one.end <= next.start
                && !self.text[one.end as usize..next.start as usize].contains(&b'\n')
        })
    }

    /// The `;` between a statement and the next one. None if the line cannot be divided there: a macro contains it, the next
    /// statement begins after a continuation, or the line is a comment without OpenMP (`!$`).
    fn separator(&self, id: LineId) -> Option<Spot> {
        let [line, next] = self.unit.lines.lines.get(id.0 as usize..)?.get(..2)? else { return None };
        let offset = line.span.end;
        let text = next.text.iter().position(|byte| !byte.is_ascii_whitespace())? as u32;
        let first = next.label.map(|label| label.span).or_else(|| next.place(text..text + 1, self.unit.file));
        let length = separator_length(&self.text[offset as usize..]);
        let start = line_start(self.text, offset) as usize;
        let is_comment = match line.form {
            Form::Fixed { .. } => matches!(self.text.get(start), Some(b'!' | b'c' | b'C' | b'*')),
            Form::Free => self.text[start..].trim_ascii_start().starts_with(b"!"),
        };
        let is_between =
            self.text[offset as usize..].starts_with(b";") && first?.start == offset + length as u32;
        (is_between && !is_comment).then_some(Spot { offset, gap: Gap::Separator })
    }

    /// The gaps around the action of `IF (…) action`, which becomes a block.
    fn action(&self, at: Span) -> Option<(Spot, Spot)> {
        let statement = self.innermost(at)?;
        let StatementKind::LogicalIf { action, .. } = &statement.kind else { return None };
        // A loop may end with a statement that has a label, and not with a block.
        let line = self.line(statement).filter(|_| statement.label.is_none())?;
        let offset = line.place(action.at.start..action.at.end, self.unit.file)?.start;
        let column = offset - line_start(self.text, offset);
        let fits = line.form == Form::Free || column + 4 <= FIXED_COLUMNS;
        fits.then(|| Some((Spot { offset, gap: Gap::Then }, self.after_line(statement.line)?)))?
    }

    fn line_after(&self, end: u32) -> Option<Spot> {
        let rest = &self.text[end as usize..];
        let length = rest.iter().position(|&byte| byte == b'\n')? as u32;
        Some(Spot { offset: end + length + 1, gap: Gap::Line })
    }
}

impl Positions for FortranSource<'_> {
    fn before(&self, at: Span, declared: Option<Span>, nearest: bool) -> Option<Spot> {
        let procedure = self.procedure(at.start)?;
        let mut statement = self.last_before(&procedure.execution, at.start)?;
        let is_inside = |statement: &Statement| {
            let line = self.line(statement);
            line.zip(declared).is_some_and(|(line, declared)| {
                declared.file == self.unit.file
                    && line.span.start < declared.start
                    && declared.start < at.start
            })
        };
        while nearest || is_inside(statement) {
            let Some(inner) = self.inside(statement, at.start) else { break };
            statement = inner;
        }
        self.before_line(statement.line)
    }

    fn around_body(&self, _at: Span, _declared: Span) -> Option<(Spot, Spot)> {
        None
    }

    fn around(&self, at: Span) -> Option<(Spot, Spot)> {
        let line = self.innermost(at)?.line;
        Some((self.before_line(line)?, self.after_line(line)?))
    }

    fn body_start(&self, procedure: Span) -> Option<Spot> {
        let procedure = self.procedure(procedure.start)?;
        let first = procedure.execution.first()?.line;
        // The statement may be in an included file, after declarations. Then the first statement of the source counts.
        let after_previous = || {
            let previous = LineId(first.0.checked_sub(1)?);
            self.is_here(previous).then(|| self.after_line(previous))?
        };
        let next =
            || self.before_line(procedure.execution.iter().map(|it| it.line).find(|&it| self.is_here(it))?);
        self.before_line(first).or_else(after_previous).or_else(next)
    }

    fn body_ends(&self, procedure: Span) -> Vec<(Spot, Spot)> {
        let end = self.procedure(procedure.start).and_then(|procedure| {
            match procedure.execution.last() {
                // The end is not reached.
                Some(last) if matches!(last.kind, StatementKind::Stop(_)) => None,
                Some(last) if matches!(last.kind, StatementKind::Return(_)) => self.before_line(last.line),
                _ => self.before_line(procedure.contains.or(procedure.end)?),
            }
        });
        end.map(|spot| (spot, spot)).into_iter().collect()
    }

    fn alone(&self, at: Span) -> Option<(Spot, Spot)> {
        match self.innermost(at)?.kind {
            StatementKind::LogicalIf { .. } => self.action(at),
            _ => self.around(at),
        }
    }

    fn simple(&self, at: Span) -> Option<(Spot, Spot)> {
        let is_simple = |statement: &Statement| {
            matches!(statement.kind, StatementKind::Call { .. } | StatementKind::Assignment { .. })
        };
        self.innermost(at).is_some_and(is_simple).then(|| self.around(at))?
    }

    fn fields(&self, _declared: Span, _name: &str, _bytes: &FieldBytes) -> Vec<String> {
        Vec::new()
    }

    fn initial(&self, _at: Span, _block: &ExecuteClauses) -> Parts {
        None
    }

    /// The condition of `IF (…) action` stays outside, because the block may only run if the action does.
    fn separated(&self, at: Span, block: &ExecuteClauses) -> Parts {
        let (before, after) = self.action(at)?;
        Some(vec![
            (before, super::Part::Execute(block.clone())),
            (after, super::Part::Closing(END_EXECUTE.to_owned())),
            (after, super::Part::Statement(END_IF.to_owned())),
        ])
    }

    /// Only blocks around calls of C need it.
    fn argument(&self, _at: Span, _number: usize) -> Option<String> {
        None
    }

    fn opened(&self, at: Span) -> Option<(String, String)> {
        let mut statement = self.innermost(at)?;
        if let StatementKind::LogicalIf { action, .. } = &statement.kind {
            statement = action;
        }
        let StatementKind::Io { keyword, controls, .. } = &statement.kind else { return None };
        let control = |names: [&str; 2], position: Option<usize>| {
            let found = controls.iter().enumerate().find(|(index, control)| match &control.keyword {
                Some(keyword) => names.contains(&keyword.text.as_str()),
                None => position == Some(*index),
            });
            found.and_then(|(_, control)| control.expressions().first().map(|expr| self.text_of(expr)))
        };
        let unit = control(["unit", "newunit"], Some(0))?;
        (keyword == "open").then_some(())?;
        Some((unit, control(["file", "name"], None)?))
    }

    fn loop_after(&self, at: Span) -> Option<Span> {
        let procedure = self.procedure(at.start)?;
        let next = self.following(&procedure.execution, at.start)?;
        let StatementKind::Construct(construct) = &next.kind else { return None };
        let is_loop = matches!(&construct.kind, ConstructKind::Do(control) if !matches!(control.kind, DoKind::Concurrent { .. }));
        let span = self.line(next)?.span;
        (is_loop && span.file == self.unit.file).then_some(span)
    }

    fn above_pragmas(&self, spot: Spot) -> Spot {
        above_pragmas(self.text, spot, &|line| {
            let mut letters = line.iter();
            let begins = matches!(letters.next(), Some(b'!' | b'c' | b'C' | b'*'));
            // `!$omp`, `!dir$`
            let directive = line.get(1..).unwrap_or_default();
            let words = directive.strip_prefix(b"$").unwrap_or(directive);
            let is_directive = directive.starts_with(b"$")
                || directive.iter().take(4).any(|&byte| byte == b'$')
                    && directive.iter().take_while(|&&byte| byte != b'$').all(u8::is_ascii_alphabetic);
            begins && is_directive && !begins_with_sentinel(words)
        })
    }

    fn before_use(&self, procedure: Span, declared: Span) -> Option<Spot> {
        match self.block_around(declared) {
            Some(block) => self.before_line(block.statements.get(leading(block).count())?.line),
            None => self.body_start(procedure),
        }
    }

    fn after_directive(&self, at: Span) -> Option<Spot> {
        // The procedure that is called there would need a declaration.
        let needs_declaration = |statement: &Statement| {
            let text = self.line(statement).map_or(&[][..], |line| line.text.as_slice());
            let text = String::from_utf8_lossy(text).to_ascii_lowercase();
            ["implicit", "none", "external"].iter().all(|word| text.contains(word))
        };
        let procedure = self.procedure(at.start)?;
        (!procedure.specification.iter().any(needs_declaration)).then(|| self.line_after(at.end))?
    }

    fn registrar(
        &self,
        place: &RegistrarPlace,
        name: &str,
        declarations: &[String],
    ) -> Option<(Spot, Vec<String>)> {
        let (spot, mut lines) = match place {
            RegistrarPlace::Source { .. } => return None,
            RegistrarPlace::Common { .. } => (end_of_text(self.text), vec![format!("subroutine {name}")]),
            RegistrarPlace::Module { declared } => {
                let module = self.procedure(declared.start)?;
                if !matches!(module.kind, UnitKind::Module | UnitKind::Submodule { .. }) {
                    return None;
                }
                let contains = module.contains.is_none().then(|| "contains".to_owned());
                let header = format!("subroutine {name}() bind(c, name='{name}_')");
                (self.before_line(module.end?)?, contains.into_iter().chain([header]).collect())
            }
        };
        lines.extend_from_slice(declarations);
        lines.extend(["return".to_owned(), format!("end subroutine {name}")]);
        Some((spot, lines))
    }

    fn call(&self, name: &str) -> String {
        format!("call {name}")
    }

    fn refuses(&self, spot: Spot) -> bool {
        // Control may begin at another statement.
        self.procedure(spot.offset).is_some_and(|unit| {
            let mut statements = unit.specification.iter().chain(&unit.execution);
            statements.any(|statement| matches!(statement.kind, StatementKind::Entry { .. }))
        })
    }

    fn style(&self) -> Style {
        let (indent, columns, keeps_columns) = match self.unit.lines.form {
            Form::Fixed { .. } => ("      ", 72, true),
            Form::Free => ("  ", 100, false),
        };
        Style { sentinel: super::FORTRAN_SENTINEL, indent, columns, keeps_columns }
    }

    /// ALLOCATE names what it allocates.
    fn allocated(&self, _at: Span, _whole: bool) -> Option<String> {
        None
    }
}
