//! In which loops automatic checkpoints are placed, and where.
//!
//! Input: a program. Output: the loops with most work, each with a place, or with the reasons why it has none.
//! Postcondition: each iteration of a chosen loop passes the place if one such place is safe. Among these places, the one
//! with the least live memory is chosen.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cppc_analysis::calls::Calls;
use cppc_analysis::candidates::{with_checkpoints, Candidate};
use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::check::Analysis;
use cppc_analysis::costs::{Costs, Decision, Iterations, LoopCost, LoopNumber, LEAST_SHARE};
use cppc_analysis::points_to::PointsTo;
use cppc_analysis::program::Program;
use cppc_source::{Diagnostic, Files, Span};

use super::placement::{with_reasons, Loop};
use crate::safe_points::{position, Reasons};
use crate::safety::Safety;

/// A place for the checkpoint of a loop.
#[derive(Debug, Clone)]
struct CheckpointPlace {
    at: Span,
    safety: Safety,
    /// Without memory whose size is not known.
    live_bytes: u64,
}

/// A loop of the program, those with most work first.
struct Row<'p> {
    target: Loop<'p>,
    cost: LoopCost,
    decision: Option<Decision>,
    place: Option<Result<CheckpointPlace, Reasons>>,
}

pub struct Choice<'p> {
    program: &'p Program,
    rows: Vec<Row<'p>>,
}

impl<'p> Choice<'p> {
    /// `is_possible`: whether a directive can be written before a statement.
    pub fn new(
        program: &'p Program,
        catalogue: &Catalogue,
        counts: &[usize],
        is_possible: &dyn Fn(Span) -> bool,
    ) -> Choice<'p> {
        let effects = catalogue.of_program(program);
        let points = PointsTo::new(program, &effects);
        let calls = Calls::new(program, &points, &effects);
        let costs = Costs::new(program, &calls);
        let mut places: BTreeMap<LoopNumber, Result<CheckpointPlace, Reasons>> = BTreeMap::new();
        let suitable = costs.select(&mut |_| true);
        let without_messages = costs.without_messages(&suitable);
        let mut decisions = costs.select(&mut |number| {
            if without_messages.contains(&number) {
                return false;
            }
            let target = loop_of(program, number);
            let found = place(program, catalogue, target, counts, target.candidates(is_possible));
            let is_found = found.is_ok();
            places.insert(number, found);
            is_found
        });
        for number in without_messages {
            decisions.entry(number).and_modify(|decision| *decision = Decision::NoMessages);
        }
        let rows = costs.loops().into_iter().map(|cost| Row {
            target: loop_of(program, cost.loop_number),
            cost,
            decision: decisions.get(&cost.loop_number).copied(),
            place: places.remove(&cost.loop_number),
        });
        Choice { program, rows: rows.collect() }
    }

    /// The statements before which checkpoints are placed.
    pub fn places(&self) -> impl Iterator<Item = (Span, Safety)> + '_ {
        let places = self.rows.iter().filter_map(|row| row.place.as_ref()?.as_ref().ok());
        places.map(|place| (place.at, place.safety.clone()))
    }

    /// Whether each loop with much work has a checkpoint, and there is one.
    pub fn is_complete(&self) -> bool {
        self.places().next().is_some()
            && self.rows.iter().all(|row| row.decision != Some(Decision::NotPossible))
    }

    /// A table of all loops, and the statements that prevent a safe point.
    pub fn dump(&self, files: &Files) -> String {
        let mut text = String::new();
        line(&mut text, ["loop", "procedure", "iterations", "work", "share", "safe point", "live bytes"], "");
        let has_checkpoints = self.program.checkpoints().next().is_some();
        for row in &self.rows {
            let iterations = match row.cost.iterations {
                None => "1".to_owned(),
                Some(Iterations::Known(number)) => short(number),
                Some(Iterations::Assumed(_)) => "?".to_owned(),
            };
            let known = row.target.checkpoint(self.program);
            let place = row.place.as_ref().and_then(|place| place.as_ref().ok());
            let safe = match (place, &row.place) {
                (Some(place), _) => format!("line {}", line_of(files, place.at)),
                (None, Some(_)) => "not known".to_owned(),
                (None, None) => String::new(),
            };
            let decision = match (row.decision, known) {
                (_, Some(_)) => "has checkpoint".to_owned(),
                (Some(Decision::Chosen), None) if has_checkpoints => "candidate".to_owned(),
                (Some(Decision::Chosen), None) => "chosen".to_owned(),
                (Some(Decision::NoMessages), None) => "no messages".to_owned(),
                (Some(Decision::NotPossible), None) => "not safe".to_owned(),
                (Some(Decision::RunsOnce), None) => "runs once".to_owned(),
                (Some(Decision::FewIterations), None) => "few iterations".to_owned(),
                (Some(Decision::NotStarted), None) => "not after init".to_owned(),
                (None, None) if row.cost.share < LEAST_SHARE => "little work".to_owned(),
                (None, None) => "in another loop".to_owned(),
            };
            let procedure = &self.program.procedures[row.target.procedure.0 as usize].label;
            let bytes = place.map_or(String::new(), |place| place.live_bytes.to_string());
            line(
                &mut text,
                [
                    &position(files, row.target.statement.span),
                    procedure,
                    &iterations,
                    &short(row.cost.work),
                    &format!("{:.1}%", 100.0 * row.cost.share),
                    &safe,
                    &bytes,
                ],
                &decision,
            );
        }
        for row in &self.rows {
            let Some(Err(reasons)) = &row.place else { continue };
            let _ = writeln!(text, "{}: no safe point", position(files, row.target.statement.span));
            for (at, reason) in reasons {
                let _ = writeln!(text, "  {}: {reason}", position(files, *at));
            }
        }
        text
    }
}

fn loop_of(program: &Program, number: LoopNumber) -> Loop<'_> {
    let procedure = &program.procedures[number.procedure.0 as usize];
    Loop { procedure: number.procedure, statement: &procedure.loop_statements[number.number] }
}

/// The best of the safe points of a loop: the first of those with the least live memory.
fn place(
    program: &Program,
    catalogue: &Catalogue,
    target: Loop,
    counts: &[usize],
    candidates: Vec<Candidate>,
) -> Result<CheckpointPlace, Reasons> {
    let safe = target.safe(program, catalogue, counts, candidates)?;
    let places = safe.candidates.iter().zip(live_bytes(program, catalogue, &safe.candidates));
    let places = places.map(|(one, live_bytes)| CheckpointPlace {
        at: one.statement.span,
        safety: safe.safety.clone(),
        live_bytes,
    });
    places.min_by_key(|place| place.live_bytes).ok_or_else(Reasons::new)
}

/// The live memory at each place.
fn live_bytes(program: &Program, catalogue: &Catalogue, places: &[Candidate]) -> Vec<u64> {
    if places.is_empty() {
        return Vec::new();
    }
    let (program, sites) = with_checkpoints(program, places);
    let effects = catalogue.of_program(&program);
    let program = program.without_unreached().with_copied_allocators(&effects);
    let analysis = Analysis::new(&program, &effects);
    sites.iter().map(|site| analysis.live_bytes(*site)).collect()
}

/// Reports what prevents automatic checkpoints.
pub fn check(program: &Program, catalogue: &Catalogue, files: &Files, counts: &[usize]) -> Vec<Diagnostic> {
    let choice = Choice::new(program, catalogue, counts, &|_| true);
    let mut diagnostics = Vec::new();
    for row in choice.rows.iter().filter(|row| !row.target.has_checkpoint(program)) {
        let at = head(files, row.target.statement.span);
        let share = format!("it does {:.0}% of the work of the program", 100.0 * row.cost.share);
        let found = match &row.place {
            None => continue,
            Some(Ok(_)) => Diagnostic::warning("C0807", at, "this loop gets no automatic checkpoint")
                .because(share)
                .help("the translation refuses a checkpoint in its body: write `checkpoint` there to see the reason"),
            Some(Err(reasons)) => {
                let found =
                    Diagnostic::warning("C0807", at, "this loop gets no automatic checkpoint, because no safe point is proved")
                        .because(share);
                with_reasons(found, reasons)
                    .help("if no message is in transit at the beginning of its body, write `checkpoint loop safe`")
            }
        };
        diagnostics.push(found);
    }
    let main = program.procedures.iter().find(|procedure| procedure.main);
    if let (true, Some(main)) = (diagnostics.is_empty() && program.checkpoints().next().is_none(), main) {
        let percent = 100.0 * LEAST_SHARE;
        diagnostics.push(
            Diagnostic::warning("C0808", main.span, "the program gets no automatic checkpoint")
                .because(format!(
                    "no loop with several iterations does at least {percent:.0}% of its work after `init`"
                ))
                .note("`--dump=loops` shows all loops with their work")
                .help("write `checkpoint` at the place where the program should save its state"),
        );
    }
    diagnostics
}

/// The first line of a loop.
fn head(files: &Files, span: Span) -> Span {
    let text = &files.get(span.file).bytes[span.start as usize..span.end as usize];
    let length = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    Span::new(span.file, span.start, span.start + text[..length].trim_ascii_end().len() as u32)
}

fn line_of(files: &Files, span: Span) -> u32 {
    let file = files.get(span.file);
    file.shown_number(file.line_column(span.start).0)
}

/// One line of the table, at most 100 columns.
fn line(text: &mut String, cells: [&str; 7], decision: &str) {
    let [place, procedure, iterations, work, share, safe, bytes] = cells;
    let decision = if decision.is_empty() && text.is_empty() { "decision" } else { decision };
    let found = format!(
        "{:<20} {:<12} {iterations:>10} {work:>6} {share:>6} {safe:>10} {bytes:>11} {decision}",
        cut(place, 20),
        cut(procedure, 12),
    );
    let _ = writeln!(text, "{}", found.trim_end());
}

/// The end of a text that is too long is its most useful part.
fn cut(text: &str, columns: usize) -> String {
    let count = text.chars().count();
    match count > columns {
        true => format!("…{}", text.chars().skip(count - columns + 1).collect::<String>()),
        false => text.to_owned(),
    }
}

/// A number in at most six columns.
fn short(number: f64) -> String {
    match number {
        _ if number < 100_000.0 => format!("{number:.0}"),
        _ => format!("{number:.1e}"),
    }
}
