//! Variables that contain addresses of labels, and Cray pointers.
//!
//! Input: a variable.
//! Output: an error if an ASSIGN statement sets it, or if it is a Cray pointer or its pointee.

use cppc_grammar::fortran::tree::{Statement, StatementKind};
use cppc_source::{Diagnostic, Span};

use super::bound::Bound;
use super::components::Designator;
use super::symbols::Symbol;

impl<'a> Bound<'a> {
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

    pub(super) fn check_cray_pointer(
        &self,
        symbol: &Symbol,
        place: &Designator<'a>,
    ) -> Result<(), Diagnostic> {
        if !symbol.is.cray_pointer {
            return Ok(());
        }
        let reason = "`POINTER (p, a)` connects an integer with the address of other memory";
        let help = "register the variable whose address the pointer contains, and set the pointer in an `execute` block";
        Err(self.cannot(place, reason, help))
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
