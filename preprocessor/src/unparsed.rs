//! Decides whether text that could not be parsed is an error.
//!
//! Input: units with the diagnostics of their parsers, and the plan.
//! Output: diagnostics.
//! Postcondition: text that was not parsed is an error only if it may have to be rewritten: if it contains a
//! directive or the name of an instrumented procedure. Otherwise it is a warning.

use cppc_grammar::c::tree::Range;
use cppc_grammar::directive_words::is_c_sentinel;
use cppc_source::{Diagnostic, Files, Severity};

use crate::front::{c, fortran, Unit};
use crate::model::{Program, UnitId};
use crate::plan::Plan;

/// The diagnostics of the parser of one unit.
pub fn unparsed(unit: &Unit, id: UnitId, program: &Program, plan: &Plan, files: &Files) -> Vec<Diagnostic> {
    match unit {
        Unit::C(unit) => of_c(unit, plan),
        Unit::Fortran(unit) => of_fortran(unit, id, program, plan, files),
    }
}

/// A range is an error if it contains a directive or the name of an instrumented procedure. If nothing in a
/// file could be parsed, the whole file is one range.
fn of_c(unit: &c::Unit, plan: &Plan) -> Vec<Diagnostic> {
    let tree = &unit.parsed.unit;
    let matters = |range: &Range| {
        let pragmas = unit.preprocessed.pragmas.iter();
        let directive = pragmas.into_iter().any(|pragma| {
            let sentinel = pragma.tokens.first().map(|token| unit.preprocessed.names.text(token.text));
            range.start <= pragma.before && pragma.before < range.end && sentinel.is_some_and(is_c_sentinel)
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
            diagnostic.notes.push("nothing in it is rewritten: it is copied unchanged".into());
        }
    }
    list
}

/// A line is an error if it is in an instrumented procedure or contains the name of one.
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
            diagnostic.notes.push("nothing in it is rewritten: it is copied unchanged".into());
        }
    }
    list
}

/// Returns `solve` for `b.f90:grid%solve`.
fn last_part(name: &str) -> String {
    name.rsplit([':', '%']).next().unwrap_or(name).to_ascii_lowercase()
}
