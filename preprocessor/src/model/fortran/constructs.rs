//! Fortran constructs in the model: parts with headers.

use cppc_grammar::fortran::logical::{At, LineId};
use cppc_grammar::fortran::tree::{
    Argument, Construct as Tree, ConstructEnd, ConstructKind as Kind, DoControl, DoKind, Expr, ExprKind,
    Part as TreePart, Statement,
};
use cppc_source::Span;

use super::types::pattern;
use super::{Builder, ProcedureContext};
use crate::bind::fortran::types::derived_of;
use crate::bind::fortran::visit::{is_passive, of_arguments, of_headers};
use crate::bind::fortran::{Meaning, ScopeId, SymbolKind, Type, Typed};
use crate::model::structured::{ClosedKind, Construct, ConstructKind, Counted, Part, StatementLabel};
use crate::model::{self, TypeCode};

impl Builder<'_, '_> {
    pub(super) fn construct(
        &self,
        statement: &Statement,
        tree: &Tree,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> model::Statement {
        let parts: Vec<Part> = tree
            .parts
            .iter()
            .enumerate()
            .map(|(index, part)| self.part(tree, part, index == 0, scope, context))
            .collect();
        let end_line = self.end_line(tree);
        let end =
            end_line.and_then(|line| self.place(context, self.bound.statement_at(context.source, line)));
        let start = self.header_at(tree, statement.at);
        let last = match end_line {
            Some(_) => end,
            None => parts.last().and_then(last_place),
        };
        let terminal = match &tree.kind {
            Kind::Do(DoControl { label: Some(label), .. }) => {
                Some(StatementLabel { value: label.value, span: self.bound.anchor(context.source, label.at) })
            }
            _ => None,
        };
        let construct = Construct {
            name: tree.name.as_ref().map(|name| name.text.clone()),
            kind: self.construct_kind(tree, scope, context),
            parts,
            end,
            terminal,
        };
        let place = Self::joined(self.place(context, start), last);
        model::Statement {
            id: context.next_statement(),
            place,
            anchor: self.bound.anchor(context.source, start),
            label: self.label(statement.label),
            kind: model::StatementKind::Construct(Box::new(construct)),
        }
    }

    /// The header, including the construct's name.
    fn header_at(&self, tree: &Tree, at: At) -> At {
        match &tree.name {
            Some(name) if name.at.line == at.line => name.at.to(at),
            _ => at,
        }
    }

    fn end_line(&self, tree: &Tree) -> Option<LineId> {
        match &tree.end {
            ConstructEnd::Statement { line, .. } => Some(*line),
            ConstructEnd::Shared { .. } | ConstructEnd::Missing => None,
        }
    }

    fn part(
        &self,
        tree: &Tree,
        part: &TreePart,
        first: bool,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Part {
        let at = if first { self.header_at(tree, part.header_at) } else { part.header_at };
        let inner = self.scope_in(scope, part.header, context);
        let statements: Vec<&Statement> = part.statements.iter().collect();
        let items = self.statements(&statements, inner, context);
        let declared =
            matches!(tree.kind, Kind::Block) && statements.first().is_some_and(|one| is_passive(one));
        let execution_at = declared.then(|| {
            let executed = statements.iter().find(|statement| !is_passive(statement));
            let line = executed.map(|statement| statement.line).or(self.end_line(tree));
            line.map(|line| self.line_start(line, context))
        });
        Part {
            header: self.place(context, at).unwrap_or_else(|| self.bound.anchor(context.source, at)),
            label: self.label(part.header_label),
            condition: part.condition.as_ref().map(|condition| self.expression(condition, scope, context)),
            cases: part.cases.as_ref().and_then(|cases| self.cases(part, cases, context)),
            execution_at: execution_at.flatten(),
            items,
        }
    }

    /// The text in the parentheses of `CASE (…)`, including the parentheses.
    fn cases(&self, part: &TreePart, cases: &[Argument], context: &ProcedureContext) -> Option<Span> {
        let at = part.header_at;
        let line = self.bound.line(context.source, at.line)?;
        let (first, last) = (cases.first()?, cases.last()?);
        let before = line.text.get(at.start as usize..first.at.start as usize)?;
        let behind = line.text.get(last.at.end as usize..at.end as usize)?;
        let open = at.start + before.iter().rposition(|&byte| byte == b'(')? as u32;
        let close = last.at.end + behind.iter().position(|&byte| byte == b')')? as u32 + 1;
        self.place(context, At { line: at.line, start: open, end: close })
    }

    fn construct_kind(&self, tree: &Tree, scope: ScopeId, context: &ProcedureContext) -> ConstructKind {
        let value = |expr: &Expr| self.expression(expr, scope, context);
        let closed = |kind: ClosedKind| ConstructKind::Closed {
            kind,
            expressions: of_headers(tree).into_iter().map(value).collect(),
        };
        match &tree.kind {
            Kind::If => ConstructKind::If,
            Kind::SelectCase { selector } => ConstructKind::Select { selector: value(selector) },
            Kind::Do(control) => match &control.kind {
                DoKind::Counted { variable, start, end, step } => {
                    let typed = match self.bound.lookup(scope, &variable.text) {
                        Some(id) => self.bound.type_of_symbol(id),
                        None => Typed::UNKNOWN,
                    };
                    let code = match typed.ty {
                        Type::Integer(_) => typed.ty.code().map(TypeCode::Named),
                        _ => None,
                    };
                    ConstructKind::Counted(Box::new(Counted {
                        variable: self.bound.text(context.source, variable.at).trim().to_owned(),
                        variable_span: self.bound.anchor(context.source, variable.at),
                        code,
                        pattern: pattern(typed.ty),
                        start: value(start),
                        end: value(end),
                        step: step.as_ref().map(value),
                    }))
                }
                DoKind::While(condition) => ConstructKind::While { condition: value(condition) },
                DoKind::Forever => ConstructKind::Forever,
                DoKind::Concurrent { .. } => closed(ClosedKind::DoConcurrent),
            },
            Kind::Block => ConstructKind::Scope,
            Kind::Associate { associations } => {
                let plain = associations.iter().all(|(_, value)| self.is_plain(value, scope));
                if plain {
                    ConstructKind::Scope
                } else {
                    closed(ClosedKind::Associate)
                }
            }
            Kind::SelectType { selector, associate } if self.is_plain(selector, scope) => {
                let variable = match (&selector.kind, associate) {
                    (ExprKind::Name(name), None) => Some(name.text.clone()),
                    _ => None,
                };
                ConstructKind::Types { variable }
            }
            Kind::SelectType { .. } => closed(ClosedKind::SelectType),
            Kind::SelectRank { .. } => closed(ClosedKind::SelectRank),
            Kind::Masked { keyword, .. } if keyword.eq_ignore_ascii_case("forall") => {
                closed(ClosedKind::Forall)
            }
            Kind::Masked { .. } => closed(ClosedKind::Where),
            Kind::Critical => closed(ClosedKind::Critical),
            Kind::ChangeTeam { .. } => closed(ClosedKind::ChangeTeam),
        }
    }

    /// A variable, or a part of one, that is at the same address when a restart reaches it.
    fn is_plain(&self, value: &Expr, scope: ScopeId) -> bool {
        match &value.kind {
            ExprKind::Name(name) => self.bound.lookup(scope, &name.text).is_some_and(|id| {
                let symbol = self.bound.symbol(id);
                matches!(symbol.kind, SymbolKind::Variable) && !symbol.is.allocatable && !symbol.is.pointer
            }),
            ExprKind::Component { base, name } => {
                let Some(id) = derived_of(self.bound.type_of(scope, base).ty) else { return false };
                let component = self.bound.component_of(id, &name.text);
                let stays = component
                    .is_some_and(|(found, _)| !found.allocatable && !found.pointer && !found.procedure);
                stays && self.is_plain(base, scope)
            }
            ExprKind::Reference { base, arguments } => {
                let part = matches!(self.bound.meaning(scope, base, arguments), Meaning::Part(_));
                let constant = |expr: &&Expr| self.bound.integer(scope, expr).is_some();
                part && self.is_plain(base, scope) && of_arguments(arguments).iter().all(constant)
            }
            _ => false,
        }
    }
}

fn last_place(part: &Part) -> Option<Span> {
    match part.items.last() {
        Some(last) => last.place,
        None => Some(part.header),
    }
}
