//! Fortran statements in the model.

use cppc_grammar::fortran::logical::At;
use cppc_grammar::fortran::tree::{ArgumentKind, Expr, Statement, StatementKind};
use cppc_source::Span;

use super::calls::Sites;
use super::{Builder, ProcedureContext};
use crate::bind::fortran::visit::{inside as statements_inside, is_passive, of_statement};
use crate::bind::fortran::ScopeId;
use crate::model::structured::StatementLabel;
use crate::model::{self, Expression, ExpressionKind, ExpressionProperties, Origin};

impl Builder<'_, '_> {
    /// Statements and the directives between them, without declarations.
    pub(super) fn statements(
        &self,
        statements: &[&Statement],
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Vec<model::Statement> {
        statements.iter().filter_map(|statement| self.statement(statement, scope, context)).collect()
    }

    pub(super) fn statement(
        &self,
        statement: &Statement,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Option<model::Statement> {
        if is_passive(statement) {
            return None;
        }
        if let StatementKind::Construct(construct) = &statement.kind {
            return Some(self.construct(statement, construct, scope, context));
        }
        let kind = self.kind_with_patterns(statement, scope, context)?;
        Some(model::Statement {
            id: context.next_statement(),
            place: self.place(context, statement.at),
            anchor: self.bound.anchor(context.source, statement.at),
            label: self.label(statement.label),
            kind,
        })
    }

    /// Most statements contain no calls. Declaration patterns of their parts are not needed.
    fn kind_with_patterns(
        &self,
        statement: &Statement,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Option<model::StatementKind> {
        let before = context.patterns.replace(false);
        let mut kind = self.statement_kind(statement, scope, context);
        if kind.as_ref().is_some_and(calls) {
            context.patterns.set(true);
            kind = self.statement_kind(statement, scope, context);
        }
        context.patterns.set(before);
        kind
    }

    fn statement_kind(
        &self,
        statement: &Statement,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Option<model::StatementKind> {
        use model::StatementKind as To;
        let at = statement.at;
        let value = |expr: &Expr| self.expression(expr, scope, context);
        let operand = |expr: &Expr| self.operand(expr, scope, context);
        let action = |list: Vec<Expression>| To::Expression(self.action(list, at, context));
        Some(match &statement.kind {
            StatementKind::Directive => {
                let bound = self.bound.directives.get(&(context.source, statement.line))?;
                To::Directive(self.directive(bound, context))
            }
            StatementKind::Assignment { target, value: right } => {
                To::Expression(self.assignment(target, right, at, scope, context))
            }
            StatementKind::PointerAssignment { target, value: right } => {
                let right = self.placed(right, scope, operand(right));
                action(vec![self.designated(target, scope, context), right])
            }
            StatementKind::Call { procedure, arguments } => {
                self.call_statement(statement, procedure, arguments, scope, context)
            }
            StatementKind::Goto(_) | StatementKind::Cycle(_) | StatementKind::Exit(_) => To::Jump,
            StatementKind::AssignedGoto { .. } => To::Jump,
            StatementKind::ComputedGoto { selector, .. } => action(vec![value(selector)]),
            StatementKind::ArithmeticIf { value: selector, .. } => action(vec![value(selector)]),
            StatementKind::Stop(None) => To::Jump,
            StatementKind::Stop(Some(code)) => action(vec![value(code)]),
            StatementKind::Return(code) => To::Return(code.as_ref().map(value)),
            StatementKind::LogicalIf { condition, action } => {
                let anchor = self.bound.anchor(context.source, action.at);
                let place = self.place(context, action.at);
                let action = self.statement(action, scope, context);
                let nothing = model::Statement {
                    id: context.next_statement(),
                    place,
                    anchor,
                    label: None,
                    kind: To::Opaque,
                };
                To::Guarded { condition: value(condition), action: Box::new(action.unwrap_or(nothing)) }
            }
            StatementKind::Io { controls, items, .. } => {
                let mut list = self.operands(controls, scope, context);
                list.extend(items.iter().map(operand));
                action(list)
            }
            StatementKind::Allocate { objects, options } | StatementKind::Deallocate { objects, options } => {
                let mut list: Vec<Expression> = objects.iter().map(operand).collect();
                list.extend(self.operands(options, scope, context));
                action(list)
            }
            StatementKind::Nullify(objects) => action(objects.iter().map(operand).collect()),
            StatementKind::Masked { .. } => {
                let mut list: Vec<&Expr> = of_statement(statement);
                list.extend(statements_inside(statement).into_iter().flat_map(of_statement));
                let mut whole = self.action(Vec::new(), at, context);
                whole.kind = self.closed(list, scope, context);
                To::Expression(whole)
            }
            StatementKind::OtherExecutable { expressions } => {
                action(expressions.iter().map(operand).collect())
            }
            _ => To::Opaque,
        })
    }

    fn assignment(
        &self,
        target: &Expr,
        right: &Expr,
        at: At,
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> Expression {
        let left = self.placed(target, scope, self.designated(target, scope, context));
        let value = self.expression(right, scope, context);
        let mut whole = self.action(vec![left, value], at, context);
        let defined = self.bound.assignment_calls(scope, target, right);
        if !defined.is_empty() {
            let anchor = self.bound.anchor(context.source, at);
            let callees = defined.into_iter().map(|id| model::Callee::Named(self.key_of(id)));
            let mut sites = Sites::of(callees, anchor);
            self.sites(target, scope, context, &mut sites);
            self.sites(right, scope, context, &mut sites);
            whole.kind = ExpressionKind::Statements(sites.list);
        }
        whole
    }

    fn call_statement(
        &self,
        statement: &Statement,
        procedure: &Expr,
        arguments: &[cppc_grammar::fortran::tree::Argument],
        scope: ScopeId,
        context: &ProcedureContext,
    ) -> model::StatementKind {
        let at = statement.at;
        let Some(resolved) = self.resolved(procedure, arguments, scope) else {
            let list = self.operands(arguments, scope, context);
            return model::StatementKind::Expression(self.action(list, at, context));
        };
        let call = Expression {
            place: self.place(context, at),
            anchor: self.bound.anchor(context.source, at),
            macro_name: None,
            local: None,
            through: None,
            emptied: None,
            origin: Origin::Places,
            ty: super::types::VOID,
            nature: ExpressionProperties { effects: true, acts: true, ..ExpressionProperties::default() },
            kind: self.call(&resolved, scope, context),
        };
        let returns: Vec<StatementLabel> = arguments
            .iter()
            .filter_map(|argument| match &argument.kind {
                ArgumentKind::AlternateReturn(label) => {
                    let span = self.bound.anchor(context.source, argument.at);
                    Some(StatementLabel { value: label.value, span })
                }
                _ => None,
            })
            .collect();
        match returns.is_empty() {
            true => model::StatementKind::Expression(call),
            false => model::StatementKind::CallWithReturns { call, returns },
        }
    }

    /// From the start of the first range to the end of the second.
    pub(super) fn joined(start: Option<Span>, end: Option<Span>) -> Option<Span> {
        let (start, end) = (start?, end?);
        (start.file == end.file && start.start <= end.end).then(|| start.to(end))
    }
}

/// True if a statement itself contains a call.
fn calls(kind: &model::StatementKind) -> bool {
    use model::StatementKind as Of;
    match kind {
        Of::Expression(expression) => has_call(expression),
        Of::Return(value) => value.as_ref().is_some_and(has_call),
        Of::Guarded { condition, .. } => has_call(condition),
        Of::CallWithReturns { .. } => true,
        _ => false,
    }
}

fn has_call(expression: &Expression) -> bool {
    let own = matches!(expression.kind, ExpressionKind::Call { .. } | ExpressionKind::Statements(_));
    own || expression.children().into_iter().any(has_call)
}

/// True if a statement continues at a statement other than the next one. Cycles and exits of loops do not
/// count.
pub(super) fn jumps(statement: &Statement) -> bool {
    let own = match &statement.kind {
        StatementKind::Goto(_)
        | StatementKind::ComputedGoto { .. }
        | StatementKind::AssignedGoto { .. }
        | StatementKind::ArithmeticIf { .. } => true,
        StatementKind::Call { arguments, .. } => {
            arguments.iter().any(|argument| matches!(argument.kind, ArgumentKind::AlternateReturn(_)))
        }
        StatementKind::Io { controls, .. } => controls.iter().any(|control| {
            control.keyword.as_ref().is_some_and(|word| matches!(word.text.as_str(), "err" | "end" | "eor"))
        }),
        _ => false,
    };
    own || statements_inside(statement).into_iter().any(jumps)
}
