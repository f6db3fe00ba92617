//! Places to which `longjmp` returns.
//!
//! Input: a statement.
//! Output: a step before it that calls `CPPC_Jump_point`.
//! Postcondition: there is a warning for each `setjmp` that a restart would jump over. The runtime gets its
//! place, and skips checkpoints at which its buffer would be lost.

use super::{Planner, Rewrite};
use crate::model::{Callee, Directive, DirectiveKind, Expression, ExpressionKind, Statement};
use cppc_source::{Diagnostic, Span};

/// Its names in the C libraries.
const SETJMP: [&str; 7] =
    ["setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "getcontext"];

impl Planner<'_> {
    pub(super) fn jump_point(&mut self, statement: &Statement) {
        let Some(call) = statement.expressions().into_iter().find_map(setjmp) else { return };
        self.calls_setjmp = true;
        if self.builder.execute.is_some() || !self.leads_to_checkpoint {
            return;
        }
        let anchor = statement.place.unwrap_or(statement.anchor);
        let mut directives = self.builder.procedure.directives().into_iter();
        let runs_again = |directive: &Directive| {
            matches!(directive.kind, DirectiveKind::Init) && directive.span.start > anchor.start
        };
        if directives.any(runs_again) {
            return;
        }
        self.builder.diagnostics.push(
            Diagnostic::warning("C0520", call, "a restart jumps over this `setjmp`")
                .because("a `longjmp` to here would use an empty buffer")
                .note("checkpoints are skipped until its procedure returns")
                .help("call it before `init`, or in an `execute` block, which a restart repeats"),
        );
        self.rewrites.push(Rewrite::JumpPoint(anchor));
        self.needs_braces = true;
    }
}

/// Where it is called.
fn setjmp(expression: &Expression) -> Option<Span> {
    let is_name = |callee: &Callee| matches!(callee, Callee::Named(name) if SETJMP.contains(&name.as_str()));
    let here = match &expression.kind {
        ExpressionKind::Call { callee, .. } => is_name(callee).then_some(expression.anchor),
        ExpressionKind::Statements(sites) => {
            sites.iter().find(|site| is_name(&site.callee)).map(|site| site.anchor)
        }
        _ => None,
    };
    here.or_else(|| expression.children().into_iter().find_map(setjmp))
}
