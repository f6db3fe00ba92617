//! Variables that contain addresses of labels.
//!
//! Input: a variable.
//! Output: an error if an ASSIGN statement sets it.

use cppc_grammar::fortran::tree::{Statement, StatementKind};
use cppc_source::{Diagnostic, Span};

use super::bound::Bound;
use super::symbols::Symbol;

impl Bound<'_> {
    /// Refuses a variable with the address of a label, which is in a hidden variable of the compiler.
    pub(super) fn check_label(&self, symbol: &Symbol, text: &str, span: Span) -> Result<(), Diagnostic> {
        let unit = self.scope(symbol.scope).unit;
        if !unit.is_some_and(|unit| assigns_label(&unit.execution, &symbol.name)) {
            return Ok(());
        }
        Err(Diagnostic::error("C0422", span, format!("`{text}` contains the address of a label"))
            .because("an ASSIGN statement sets it, and the address differs in each run")
            .help("replace ASSIGN by an assignment of a number, and the assigned GO TO by a computed GO TO"))
    }
}

/// Whether a statement is `ASSIGN 10 TO name`.
fn assigns_label(statements: &[Statement], name: &str) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::AssignLabel { variable, .. } => variable.text == name,
        StatementKind::LogicalIf { action, .. } => assigns_label(std::slice::from_ref(action), name),
        StatementKind::Construct(construct) => {
            construct.parts.iter().any(|part| assigns_label(&part.statements, name))
        }
        _ => false,
    })
}
