//! What each stage made, as text.

use std::fmt::Write as _;

use super::arguments::Stage;
use crate::driver::Outcome;
use crate::front::Unit;
use crate::plan::ProcedurePlan;

pub(super) fn dump(outcome: &Outcome, stage: Stage) -> String {
    let stages = &outcome.stages;
    match stage {
        Stage::Tokens => stages
            .front
            .units
            .iter()
            .filter_map(Unit::as_c)
            .map(|unit| cppc_grammar::c::dump::tokens(&unit.preprocessed, &outcome.files))
            .collect(),
        Stage::Tree => stages
            .front
            .units
            .iter()
            .filter_map(Unit::as_c)
            .map(|unit| cppc_grammar::c::dump::tree(&unit.parsed.unit, &unit.preprocessed.names))
            .collect(),
        Stage::Model => format!("{:#?}\n", stages.program),
        Stage::Facts => stages
            .front
            .units
            .iter()
            .filter_map(Unit::as_c)
            .map(|unit| format!("{:#?}\n", unit.bound.procedures))
            .collect(),
        Stage::Plan => stages.plan.procedures.iter().map(plan).collect(),
    }
}

/// A procedure's blocks, one a line.
fn plan(plan: &ProcedurePlan) -> String {
    let mut text = format!("procedure {}\n", plan.name);
    for (index, block) in plan.summary.iter().enumerate() {
        let _ = writeln!(text, "  {} {block}", index + 1);
    }
    let _ = writeln!(text, "  {} exit", plan.blocks + 1);
    text
}
