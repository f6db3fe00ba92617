//! What no grammar knows, and how bad that is.
//!
//! In: units with what their parsers have to say, and the plan. Out: diagnostics. Holds afterwards: what
//! is not understood is an error only where something may have to be rewritten: where a directive stands,
//! or the name of an instrumented procedure.

use cppc_grammar::c::tree::Range;
use cppc_source::{Diagnostic, Files, Severity};

use crate::front::{c, fortran, Unit};
use crate::model::{Program, UnitId};
use crate::plan::Plan;

/// The diagnostics of one unit's parser.
pub fn unparsed(unit: &Unit, id: UnitId, program: &Program, plan: &Plan, files: &Files) -> Vec<Diagnostic> {
    match unit {
        Unit::C(unit) => of_c(unit, plan),
        Unit::Fortran(unit) => of_fortran(unit, id, program, plan, files),
    }
}

/// A range counts when it carries a directive or names an instrumented procedure; a file of which nothing
/// is understood counts whole.
fn of_c(unit: &c::Unit, plan: &Plan) -> Vec<Diagnostic> {
    let tree = &unit.parsed.unit;
    let matters = |range: &Range| {
        let pragmas = unit.preprocessed.pragmas.iter();
        let directive = pragmas.into_iter().any(|pragma| {
            let sentinel = pragma.tokens.first().map(|token| unit.preprocessed.names.text(token.text));
            range.start <= pragma.before
                && pragma.before < range.end
                && matches!(sentinel, Some("cppc" | "cccp"))
        });
        let tokens = &unit.preprocessed.tokens[range.start as usize..range.end as usize];
        let named = tokens.iter().any(|token| {
            let text = unit.preprocessed.names.text(token.text);
            plan.procedures.iter().any(|procedure| procedure.name.rsplit(':').next() == Some(text))
        });
        directive || named
    };
    let understood = !tree.items.is_empty();
    let mut list = unit.parsed.diagnostics.clone();
    for (diagnostic, range) in list.iter_mut().zip(&tree.unparsed) {
        if diagnostic.is_error() && understood && !matters(range) {
            diagnostic.severity = Severity::Warning;
            diagnostic.notes.push("nothing in it is rewritten: it is carried over as it is".into());
        }
    }
    list
}

/// A line counts when it stands in an instrumented procedure or names one.
fn of_fortran(
    unit: &fortran::Unit,
    id: UnitId,
    program: &Program,
    plan: &Plan,
    files: &Files,
) -> Vec<Diagnostic> {
    let planned = |name: &str| plan.procedures.iter().any(|plan| plan.unit == id && plan.name == name);
    let places: Vec<_> = program
        .procedures
        .iter()
        .filter(|procedure| procedure.unit == id && planned(&procedure.entry_name))
        .filter_map(|procedure| procedure.place)
        .collect();
    let names: Vec<String> = plan.procedures.iter().map(|plan| last_part(&plan.name)).collect();
    let mut list = unit.parsed.diagnostics.clone();
    for diagnostic in list.iter_mut().filter(|diagnostic| diagnostic.is_error()) {
        let Some(span) = diagnostic.labels.first().map(|label| label.span) else { continue };
        let file = files.get(span.file);
        let (line, _) = file.line_column(span.start);
        let text = String::from_utf8_lossy(&file.bytes[file.line_range(line)]).to_ascii_lowercase();
        let inside = places.iter().any(|place| place.contains(span));
        let named = names.iter().any(|name| text.contains(name.as_str()));
        if !inside && !named {
            diagnostic.severity = Severity::Warning;
            diagnostic.notes.push("nothing in it is rewritten: it is carried over as it is".into());
        }
    }
    list
}

/// `solve` of `b.f90:grid%solve`.
fn last_part(name: &str) -> String {
    name.rsplit([':', '%']).next().unwrap_or(name).to_ascii_lowercase()
}
