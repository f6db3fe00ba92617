//! Finds the variables of a procedure that have their values while a restart replays its blocks and calls.
//!
//! Input: a procedure of C.
//! Output: an answer for each of its variables.
//! Postcondition: a restored variable is static, or it is set only before `init`, in execute blocks, or as a
//! parameter by the replayed call.

use cppc_source::Span;

use super::reach::Reach;
use super::replayed_calls::{executed, SpanSet};
use crate::model::{
    Directive, DirectiveKind, Expression, ExpressionKind, Procedure, Statement, StatementKind, Variable,
    VariableId,
};

#[derive(Debug)]
pub(super) struct RestoredVariables {
    /// For each variable of the procedure.
    is_restored: Vec<bool>,
}

impl RestoredVariables {
    pub fn of(reach: &Reach, procedure: &Procedure) -> RestoredVariables {
        let mut from = 0;
        for statement in &procedure.body.items {
            find_init(reach, procedure, statement, &mut from);
        }
        let executed = SpanSet::new(executed(procedure));
        let is_restored = |variable: &Variable| {
            let mut late = variable.set_at.iter().filter(|&&byte| byte >= from).peekable();
            let has_value = variable.parameter || variable.scope.start < from || late.peek().is_some();
            variable.is_static || has_value && late.all(|&byte| executed.contains(byte))
        };
        RestoredVariables { is_restored: procedure.variables.iter().map(is_restored).collect() }
    }

    pub fn restores(&self, id: VariableId) -> bool {
        self.is_restored[id.0]
    }
}

/// The end of the first statement or call that starts the runtime.
fn find_init(reach: &Reach, procedure: &Procedure, statement: &Statement, from: &mut u32) {
    if *from > 0 {
        return;
    }
    if let StatementKind::Directive(Directive { span, kind: DirectiveKind::Init }) = &statement.kind {
        *from = span.end;
        return;
    }
    if let Some(call) =
        statement.expressions().into_iter().find_map(|expression| call_of_init(reach, procedure, expression))
    {
        *from = call.end;
        return;
    }
    statement.children().into_iter().for_each(|child| find_init(reach, procedure, child, from));
}

fn call_of_init(reach: &Reach, procedure: &Procedure, expression: &Expression) -> Option<Span> {
    let here = match &expression.kind {
        ExpressionKind::Call { callee, .. } if reach.leads_to_init(procedure.unit, callee) => {
            Some(expression.place.unwrap_or(expression.anchor))
        }
        _ => None,
    };
    here.or_else(|| expression.children().into_iter().find_map(|child| call_of_init(reach, procedure, child)))
}
