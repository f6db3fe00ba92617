//! What a plan must not do: jump over a variable-length array.

use cppc_source::{Diagnostic, Span};

use super::Planner;
use crate::model::{Expression, StatementKind};

impl Planner<'_> {
    /// Where the record and the dispatch go: after the variable-length arrays that begin the body, if
    /// these need nothing but parameters.
    pub(super) fn opening(&self, body: Span) -> u32 {
        let mut opening = body.start + 1;
        for item in &self.draft.procedure.body.items {
            let StatementKind::Declaration(declaration) = &item.kind else { break };
            let mut expressions = declaration.declarators.iter().flat_map(|d| &d.expressions);
            let calm = |e: &Expression| e.nature.stable && !e.nature.effects;
            let mut lengths = declaration.declarators.iter().filter_map(|d| d.variable_length.as_ref());
            let own = lengths.clone().next().is_some();
            if !expressions.all(calm) || !lengths.all(|length| length.from_parameters) {
                break;
            }
            if let (true, Some(place)) = (own, item.place) {
                opening = place.end;
            }
        }
        opening
    }

    pub(super) fn refuse_jumps_into_scopes(&mut self, opening: u32) {
        for (length, scope) in &self.variable_lengths {
            if scope.start <= opening {
                continue;
            }
            if let Some(&landing) = self.draft.landings.iter().find(|landing| scope.contains(**landing)) {
                let name = &length.name;
                let message =
                    format!("a restart would jump over the variable-length array `{name}`");
                let diagnostic = Diagnostic::error("C0505", length.name_span, message)
                    .because("declared here")
                    .label(landing, "a restart enters here")
                    .note("C forbids a jump into the scope of a variable-length array, and a restart jumps to every register, execute block, checkpoint and call that leads to one")
                    .help("allocate it with `malloc`, or declare it first in its procedure with a size that depends on parameters only");
                self.draft.diagnostics.push(diagnostic);
            }
        }
    }
}
