//! Checks of a plan. It must not jump over a variable-length array, use an address of this run in another
//! run, or take the address of a variable that has none.

use std::collections::BTreeSet;

use cppc_source::{Diagnostic, Span};

use super::{Planner, Rewrite};
use crate::model::{Expression, Procedure, StatementKind};
use crate::plan::{CapturedMember, Step};

/// The position of the structure and the dispatch: after the variable-length arrays and the variables with the attribute
/// `cleanup` at the beginning of the body, if their sizes and values need only parameters.
pub(in crate::plan) fn opening(procedure: &Procedure, body: Span) -> u32 {
    let mut opening = body.start + 1;
    for item in &procedure.body.items {
        let StatementKind::Declaration(declaration) = &item.kind else { break };
        let mut expressions = declaration.declarators.iter().flat_map(|d| &d.expressions);
        let calm = |e: &Expression| e.nature.stable && !e.nature.effects;
        let mut lengths = declaration.declarators.iter().filter_map(|d| d.variable_length.as_ref());
        let own = declaration.declarators.iter().any(|d| d.variable_length.is_some() || d.cleanup.is_some());
        if !expressions.all(calm) || !lengths.all(|length| length.from_parameters) {
            break;
        }
        if let (true, Some(place)) = (own, item.place) {
            opening = place.end;
        }
    }
    opening
}

impl Planner<'_> {
    /// A value that is recorded with a call must have the same meaning in another run.
    pub(super) fn refuse_addresses(&mut self) {
        let mut found = Vec::new();
        for rewrite in &self.rewrites {
            let (Rewrite::Steps { steps, .. }
            | Rewrite::Become { steps, .. }
            | Rewrite::Condition { steps, .. }
            | Rewrite::LoopEnd { steps, .. }
            | Rewrite::Split { steps, .. }) = rewrite
            else {
                continue;
            };
            noted(steps, &mut found);
        }
        for capture in
            found.into_iter().filter(|capture| self.builder.temporaries.holds_address(capture.slot))
        {
            self.builder.diagnostics.push(
                Diagnostic::error("C0519", capture.source, "an address cannot be recorded with this call")
                    .because("it is in a union, or in another structure that is saved as bytes")
                    .note("it must be valid until the call returns, and it differs in every run")
                    .help("select it by a subscript of a table in the call itself, or set a variable in an `execute` block and use that"),
            );
        }
    }

    /// Variables that are registered in place cannot be declared `register`.
    pub(super) fn take_from_registers(&mut self) {
        let words = self.in_place.iter().filter_map(|&id| self.builder.procedure.variable(id).register_word);
        let words: BTreeSet<(u32, u32)> = words.map(|word| (word.start, word.end)).collect();
        let file = self.builder.procedure.name_span.file;
        self.rewrites.extend(
            words
                .into_iter()
                .map(|(start, end)| Rewrite::Vanish { span: Span::new(file, start, end), always: false }),
        );
    }

    pub(super) fn refuse_jumps_into_scopes(&mut self, opening: u32) {
        for (length, scope) in &self.variable_lengths {
            if scope.start <= opening {
                continue;
            }
            if let Some(&landing) = self.builder.landings.iter().find(|landing| scope.contains(**landing)) {
                let name = &length.name;
                let message = format!("a restart would jump over the variable-length array `{name}`");
                let diagnostic = Diagnostic::error("C0505", length.name_span, message)
                    .because("declared here")
                    .label(landing, "a restart enters here")
                    .note("C forbids a jump into the scope of a variable-length array, and a restart jumps to every register, execute block, checkpoint and call that leads to one")
                    .help("allocate it with `malloc`, or declare it first in its procedure with a size that depends on parameters only");
                self.builder.diagnostics.push(diagnostic);
            }
        }
        for (cleanup, scope) in &self.cleanups {
            if scope.start <= opening {
                continue;
            }
            if let Some(&landing) = self.builder.landings.iter().find(|landing| scope.contains(**landing)) {
                let message =
                    format!("a restart would call the cleanup function of `{}` twice", cleanup.name);
                let diagnostic = Diagnostic::error("C0523", cleanup.name_span, message)
                    .because("declared here")
                    .label(landing, "a restart enters here, from outside of the scope")
                    .note("the compiler calls the function of `__attribute__((cleanup(…)))` each time when control leaves the scope, and a restart enters the scope with a jump")
                    .help("call the function yourself, or declare the variable first in its procedure, with a value that depends on parameters only");
                self.builder.diagnostics.push(diagnostic);
            }
        }
    }
}

/// All values that are recorded with the calls of these steps.
fn noted(steps: &[Step], found: &mut Vec<CapturedMember>) {
    for step in steps {
        match step {
            Step::Call(call) => found.extend(call.captures.iter().cloned()),
            Step::Choose { then, otherwise, .. } => {
                noted(then, found);
                noted(otherwise, found);
            }
            Step::Assign { .. } | Step::Evaluate(_) => {}
        }
    }
}
