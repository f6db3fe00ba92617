//! The results of each stage as text.

use std::fmt::Write as _;

use cppc_source::Files;

use super::arguments::Stage;
use crate::annotate::choice::Choice;
use crate::bind::fortran::{bind, Bound, ScopeKind, Source, Symbol, SymbolId, SymbolKind};
use crate::driver::{catalogue, Outcome, Request, Stages, TranslateError};
use crate::front::Unit;
use crate::live_data;
use crate::lower::lower;
use crate::plan::ProcedurePlan;
use crate::safe_points;

pub(super) fn dump(outcome: &Outcome, request: &Request, stage: Stage) -> Result<String, TranslateError> {
    let stages = &outcome.stages;
    let units = stages.front.units.iter();
    let lowered = || lower(&stages.front, &request.sources, request.whole, &outcome.files);
    Ok(match stage {
        Stage::Tokens => units.map(|unit| tokens(unit, &outcome.files)).collect(),
        Stage::Tree => units.map(tree).collect(),
        Stage::Model => format!("{:#?}\n", stages.program),
        Stage::Facts => {
            let c: String =
                units.filter_map(Unit::as_c).map(|unit| format!("{:#?}\n", unit.bound.procedures)).collect();
            c + &fortran_facts(stages, &outcome.files)
        }
        Stage::Plan => stages.plan.procedures.iter().map(plan).collect(),
        Stage::Flow => lowered().dump(),
        Stage::SafePoints => {
            let catalogue = catalogue(&request.catalogues)?;
            safe_points::dump(&lowered(), &catalogue, &outcome.files, &request.ranks)
        }
        Stage::Loops => {
            let (lowered, catalogue) = (lowered(), catalogue(&request.catalogues)?);
            Choice::new(&lowered, &catalogue, &request.ranks, &|_| true).dump(&outcome.files)
        }
        Stage::Live => live_data::dump(lowered(), &catalogue(&request.catalogues)?),
    })
}

fn tokens(unit: &Unit, files: &Files) -> String {
    match unit {
        Unit::C(unit) => cppc_grammar::c::dump::tokens(&unit.preprocessed, files),
        Unit::Fortran(unit) => cppc_grammar::fortran::dump::lines(&unit.lines, files),
    }
}

fn tree(unit: &Unit) -> String {
    match unit {
        Unit::C(unit) => cppc_grammar::c::dump::tree(&unit.parsed.unit, &unit.preprocessed.names),
        Unit::Fortran(unit) => cppc_grammar::fortran::dump::tree(&unit.parsed.tree, &unit.lines),
    }
}

/// The meaning of the names of Fortran, scope by scope. They are bound for all files together, once more.
fn fortran_facts(stages: &Stages, files: &Files) -> String {
    let read = stages.front.units.iter().filter_map(Unit::as_fortran);
    let sources: Vec<Source> = read.chain(&stages.front.modules).map(|unit| unit.source()).collect();
    let bound = bind(&sources, files);
    let mut text = String::new();
    for (index, scope) in bound.scopes.iter().enumerate() {
        let symbols = bound.symbols.iter().zip(0..).filter(|(symbol, _)| symbol.scope.0 as usize == index);
        let mut lines: Vec<String> = symbols.map(|(symbol, id)| fact(symbol, SymbolId(id), &bound)).collect();
        lines.sort();
        if !lines.is_empty() {
            let what = match scope.kind {
                ScopeKind::Procedure(id) => format!("procedure {}", bound.procedure(id).entry),
                ScopeKind::Interface(id) => format!("interface {}", bound.procedure(id).entry),
                kind => format!("{kind:?} {}", scope.name).trim_end().to_lowercase(),
            };
            let _ = writeln!(text, "{what}\n{}", lines.concat().trim_end_matches('\n'));
        }
    }
    text
}

fn fact(symbol: &Symbol, id: SymbolId, bound: &Bound) -> String {
    let what = match &symbol.kind {
        SymbolKind::Variable => "variable",
        SymbolKind::Constant(_) => "constant",
        SymbolKind::Procedure(_) => "procedure",
        SymbolKind::Generic(_) => "generic",
        SymbolKind::Type(_) => "type",
        SymbolKind::StatementFunction { .. } => "statement function",
        SymbolKind::Namelist => "namelist",
        SymbolKind::Unit => "unit",
        SymbolKind::Unknown => "of a module that was not found",
    };
    let mut text = format!("  {}: {what}, {:?}", symbol.name, symbol.ty).to_lowercase();
    if !symbol.shape.is_empty() {
        let _ = write!(text, ", rank {}", symbol.shape.len());
    }
    if let Some(block) = &symbol.common {
        let _ = write!(text, ", in /{block}/");
    }
    if bound.registered.contains(&id) {
        text.push_str(", registered");
    }
    if bound.passed.contains(&id) {
        text.push_str(", may change on the way to a checkpoint");
    }
    text + "\n"
}

/// The blocks of a procedure, one per line.
fn plan(plan: &ProcedurePlan) -> String {
    let mut text = format!("procedure {}\n", plan.name);
    for (index, block) in plan.blocks.iter().enumerate() {
        let _ = writeln!(text, "  {} {block}", index + 1);
    }
    let _ = writeln!(text, "  {} exit", plan.block_count() + 1);
    text
}
