//! The check of communications: whether messages are in transit at a checkpoint.
//!
//! Input: the program that lowering made.
//! Output: diagnostics; on request, the verdict of each checkpoint as text.
//! Postcondition: an error names a message, a request, or processes that miss the checkpoint, and is the same for all
//! numbers of processes that were tried.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cppc_abi::ranks::Ranks;
use cppc_analysis::calls::Calls;
use cppc_analysis::candidates::{with_checkpoints, Candidate};
use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::communications::{check as verdicts, is_parallel, Evidence, Outcome, Verdict};
use cppc_analysis::points_to::{PointsTo, Target};
use cppc_analysis::program::{ProcedureId, Program, Site};
use cppc_source::{Diagnostic, Files, Span};

use crate::live_data::Warnings;
use crate::model;
use crate::safety::Safety;

/// The numbers of processes for a proof, unless the user names them.
pub const COUNTS: [usize; 21] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 25, 32, 36, 49, 64];

/// The numbers of processes for errors that every translation reports.
const USUAL_COUNTS: [usize; 5] = [2, 3, 4, 8, 9];

/// How many of the numbers of processes that a directive names are tried.
const TRIED_OF_NAMED: usize = 8;
/// The largest of them, apart from the smallest that it names.
const LARGEST_TRIED: usize = 64;

/// The limits of the work for one number of processes: for proofs, and for every translation. Beyond it, the verdict is
/// not known.
const STEPS: usize = 400_000;
const USUAL_STEPS: usize = 4_000;

/// The result of the check.
#[derive(Debug, Default)]
pub struct Checked {
    pub diagnostics: Vec<Diagnostic>,
    /// The placed checkpoints that are proved to be safe.
    pub proved: Vec<Span>,
}

/// What the checkpoints of a program say, with the lines of their directives.
#[derive(Debug, Default)]
pub struct Claims(Vec<(Span, Safety)>);

impl Claims {
    pub fn new(program: &model::Program) -> Claims {
        let directives = program.procedures.iter().flat_map(model::Procedure::directives);
        let claim = |directive: &model::Directive| match &directive.kind {
            model::DirectiveKind::Checkpoint(safety) => Some((directive.span, safety.clone())),
            _ => None,
        };
        Claims(directives.filter_map(claim).collect())
    }

    fn at(&self, checkpoint: Span) -> &Safety {
        let found = self.0.iter().find(|(line, _)| line.contains(checkpoint));
        found.map_or(&Safety::Checked, |(_, safety)| safety)
    }

    fn ranks(&self) -> impl Iterator<Item = &Ranks> {
        self.0.iter().filter_map(|(_, safety)| safety.ranks())
    }
}

/// Checks the checkpoints of a program. `counts`: the numbers of processes that the user names. `placed`: the loops with a
/// checkpoint that the translation has placed, which must be proved to be safe.
pub fn check(
    program: &Program,
    catalogue: &Catalogue,
    claims: &Claims,
    warnings: Warnings,
    counts: &[usize],
    placed: &[Span],
) -> Checked {
    let (usual, steps) = match warnings {
        Warnings::Usual if placed.is_empty() => (&USUAL_COUNTS[..], USUAL_STEPS),
        Warnings::Usual | Warnings::All => (&COUNTS[..], STEPS),
    };
    let counts = tried(if counts.is_empty() { usual } else { counts }, claims);
    let claim = |site: Site| claims.at(program.operation(site).span);
    let is_asserted = |site: Site| *claim(site) == Safety::Asserted;
    // Other outcomes, with the numbers of processes that the directive excludes.
    let mut excluded: BTreeMap<Site, Verdict> = BTreeMap::new();
    let mut found = with_limit(program, catalogue, &counts, steps);
    for (site, verdict) in &mut found {
        let Some(ranks) = claim(*site).ranks() else { continue };
        let outcomes = std::mem::take(&mut verdict.outcomes);
        let (own, others) = outcomes.into_iter().partition(|(count, _)| ranks.contains(*count as u32));
        verdict.outcomes = own;
        excluded.insert(*site, Verdict { outcomes: others });
    }
    let placed = if is_parallel(program, catalogue) { placed } else { &[] };
    let is_placed = |site: Site| placed.iter().any(|around| around.contains(program.operation(site).span));
    let mut diagnostics = Vec::new();
    for (site, verdict) in found.iter().filter(|(site, _)| !is_asserted(**site)) {
        match verdict.unsafe_with_all() {
            Some((count, evidence)) => diagnostics.push(error(program, *site, count, evidence)),
            None if warnings == Warnings::All
                && !verdict.is_safe()
                && !(is_placed(*site) && verdict.safe_without().is_some()) =>
            {
                diagnostics.push(not_proved(program, *site, verdict));
            }
            None => {}
        }
    }
    let all = program.checkpoints().filter(|site| is_placed(*site));
    let mut proved = Vec::new();
    for site in all.filter(|site| !is_asserted(*site)) {
        let verdict = found.get(&site);
        let is_reported = verdict.is_some_and(|verdict| verdict.unsafe_with_all().is_some());
        let at = program.operation(site).span;
        match proof(program, site, verdict, &counts) {
            Err(reasons) if !is_reported => diagnostics.push(not_safe(at, reasons)),
            Ok(proof) if !proof.is_complete => {
                diagnostics
                    .push(not_safe(at, verdict.map_or_else(Reasons::new, |one| reasons(program, one))));
            }
            Ok(proof) => {
                proved.push(at);
                if let Some(others) = excluded.get(&site).filter(|others| !others.outcomes.is_empty()) {
                    diagnostics.push(not_with_others(at, &proof.ranks(), reasons(program, others)));
                }
                if !proof.without_files.is_empty() {
                    diagnostics.push(needs_no_file(at, &proof.without_files));
                }
            }
            Err(_) => {}
        }
    }
    Checked { diagnostics, proved }
}

/// The numbers of processes that are tried: these, and for each directive that names numbers some of its own.
fn tried(counts: &[usize], claims: &Claims) -> Vec<usize> {
    let mut all: BTreeSet<usize> = counts.iter().copied().collect();
    for ranks in claims.ranks() {
        let mut first: Vec<usize> = ranks.ranges().map(|range| *range.start() as usize).collect();
        first.sort_unstable();
        // The smallest in any case.
        all.extend(first.iter().take(1));
        all.extend(first.into_iter().filter(|first| *first <= LARGEST_TRIED).take(TRIED_OF_NAMED));
    }
    all.into_iter().collect()
}

/// A checkpoint that the translation has placed for some numbers of processes.
fn not_with_others(at: Span, ranks: &Ranks, reasons: Reasons) -> Diagnostic {
    let message = format!("this checkpoint saves state only in runs with {ranks} processes");
    let found = Diagnostic::warning("C0810", at, message)
        .because("it was placed here, because it is proved to be safe with these numbers");
    let found = reasons.into_iter().take(4).fold(found, |found, (at, reason)| found.label(at, reason));
    found
        .help("for runs with another number of processes, name it with `--ranks`, or write `checkpoint safe`")
}

/// A checkpoint that the translation has placed, and that is not proved after all.
fn not_safe(at: Span, reasons: Reasons) -> Diagnostic {
    let found = Diagnostic::error("C0805", at, "the checkpoint of this loop is not proved to be safe")
        .because("it was placed here");
    let found = reasons.into_iter().take(4).fold(found, |found, (at, reason)| found.label(at, reason));
    found.help("write `checkpoint` at a place where no message is in transit")
}

/// A checkpoint that the translation has placed, and whose proof needs the values that the program has without input.
fn needs_no_file(at: Span, files: &[Span]) -> Diagnostic {
    let found =
        Diagnostic::warning("C0809", at, "this checkpoint is proved to be safe only without an input file")
            .because("it was placed here, with the values that the program uses if the file does not exist");
    let found =
        files.iter().take(4).fold(found, |found, at| found.label(*at, "the proof fails if this file exists"));
    found
        .help("before you use such a file, make sure that no message is in transit at the checkpoint with it")
}

/// The verdict of each checkpoint, with the numbers of processes.
pub fn dump(program: &Program, catalogue: &Catalogue, files: &Files, counts: &[usize]) -> String {
    let counts = if counts.is_empty() { &COUNTS[..] } else { counts };
    let mut text = String::new();
    for (site, verdict) in of_program(program, catalogue, counts) {
        let label = &program.procedures[site.procedure.0 as usize].label;
        let _ = writeln!(text, "checkpoint in {label}, {}", position(files, program.operation(site).span));
        if verdict.is_safe() {
            let _ = writeln!(text, "  safe with {} processes", numbers(verdict.outcomes.keys()));
            continue;
        }
        for (counts, outcome) in grouped(&verdict) {
            let what = match outcome {
                Outcome::Safe => "safe".to_owned(),
                Outcome::SafeWithout(files_opened) => {
                    let each = files_opened.iter().map(|site| position(files, span(program, *site)));
                    let places: BTreeSet<String> = each.collect();
                    let places: Vec<String> = places.into_iter().collect();
                    format!("safe without the input file of {}", places.join(", "))
                }
                Outcome::Unsafe(evidence) => {
                    let (what, at) = described(evidence);
                    format!("unsafe: {what} at {}", position(files, span(program, at)))
                }
                Outcome::Unknown(doubts) => {
                    let each = doubts.iter().map(|doubt| {
                        format!("{}: {}", position(files, span(program, doubt.site)), doubt.reason)
                    });
                    format!("not known: {}", each.collect::<Vec<_>>().join("; "))
                }
            };
            let _ = writeln!(text, "  {}: {what}", numbers(counts.iter()));
        }
    }
    text
}

/// Why a place is not proved to be safe: places in the source, each with a reason.
pub type Reasons = Vec<(Span, String)>;

/// A place that is proved to be safe.
#[derive(Debug, Clone, Default)]
pub struct Proof {
    /// The numbers of processes with which it is proved. Empty: the program does not use MPI.
    pub counts: Vec<usize>,
    /// It is proved with all numbers of processes with which the program comes here.
    pub is_complete: bool,
    /// Where input files are opened that must not exist.
    pub without_files: Vec<Span>,
}

impl Proof {
    /// The numbers of processes with which it is proved.
    pub fn ranks(&self) -> Ranks {
        Ranks::of(self.counts.iter().map(|&count| count as u32))
    }
}

/// Whether a checkpoint at each of these places would be safe, with some of these numbers of processes: the proof, or the
/// reasons why there is none. Empty numbers: usual ones.
pub fn of_candidates(
    program: &Program,
    catalogue: &Catalogue,
    counts: &[usize],
    candidates: &[Candidate],
) -> Vec<Result<Proof, Reasons>> {
    let counts = if counts.is_empty() { &COUNTS[..] } else { counts };
    let (program, sites) = with_checkpoints(program, candidates);
    let of_all = |result: Result<Proof, Reasons>| candidates.iter().map(|_| result.clone()).collect();
    if !is_parallel(&program, catalogue) {
        let unknown = unknown_procedures(&program, catalogue);
        return of_all(if unknown.is_empty() {
            Ok(Proof { is_complete: true, ..Proof::default() })
        } else {
            Err(unknown)
        });
    }
    let found = of_program(&program, catalogue, counts);
    let of_site = |site: &Site| proof(&program, *site, found.get(site), counts);
    sites.iter().map(of_site).collect()
}

/// With which numbers of processes a checkpoint is proved to be safe, or why it is not.
fn proof(
    program: &Program,
    site: Site,
    verdict: Option<&Verdict>,
    counts: &[usize],
) -> Result<Proof, Reasons> {
    let here = |reason: String| Err(vec![(program.operation(site).span, reason)]);
    let Some(verdict) = verdict else {
        return here(format!(
            "with {} processes, the program does not reach this point",
            numbers(counts.iter())
        ));
    };
    let proved = verdict.proved();
    let is_complete = proved.outcomes.len() == verdict.outcomes.len();
    let files = proved.safe_without().unwrap_or_default();
    // With one process there is no message.
    if counts != [1] && proved.outcomes.keys().all(|&count| count == 1) {
        return match is_complete {
            true => here("control comes here with one process only".to_owned()),
            false => Err(reasons(program, verdict)),
        };
    }
    let without_files = files.into_iter().map(|site| span(program, site)).collect();
    Ok(Proof { counts: proved.outcomes.into_keys().collect(), is_complete, without_files })
}

/// The calls of procedures that may communicate, in a program that does not call MPI.
fn unknown_procedures(program: &Program, catalogue: &Catalogue) -> Reasons {
    let effects = catalogue.of_program(program);
    let points = PointsTo::new(program, &effects);
    let calls = Calls::new(program, &points, &effects);
    let all = (0..).map(ProcedureId).zip(&program.procedures);
    let mut waiting: Vec<ProcedureId> = all.filter(|(_, one)| one.main).map(|(id, _)| id).collect();
    let mut run = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if run.insert(id) {
            waiting.extend(&calls.runs[id.0 as usize]);
        }
    }
    let mut reasons = Reasons::new();
    for (site, span, _) in program.calls().filter(|(site, ..)| run.contains(&site.procedure)) {
        for target in calls.targets(site) {
            let reason = match target {
                Target::Outside(name) if catalogue.entry(name).is_none() => {
                    let shown = name.trim_end_matches('_');
                    format!("the effects of `{shown}` are not known: it may communicate")
                }
                Target::Unknown => "the procedure that is called is not known: it may communicate".to_owned(),
                Target::Outside(_) | Target::Procedure(_) => continue,
            };
            reasons.push((span, reason));
        }
    }
    reasons
}

/// The statements that prevent a proof, each once.
fn reasons(program: &Program, verdict: &Verdict) -> Reasons {
    let mut reasons = Reasons::new();
    // What happens with several processes tells more.
    for (count, outcome) in verdict.outcomes.range(2..).chain(verdict.outcomes.range(..2)) {
        let found: Vec<(Site, String)> = match outcome {
            Outcome::Safe => Vec::new(),
            Outcome::SafeWithout(files) => {
                let reason = "it is proved only for runs in which this input file does not exist";
                files.iter().map(|site| (*site, reason.to_owned())).collect()
            }
            Outcome::Unsafe(evidence) => {
                let (what, at) = described(evidence);
                let processes = if *count == 1 { "process" } else { "processes" };
                vec![(at, format!("with {count} {processes}, {what}"))]
            }
            Outcome::Unknown(doubts) => {
                doubts.iter().map(|doubt| (doubt.site, doubt.reason.clone())).collect()
            }
        };
        for (site, reason) in found {
            let at = span(program, site);
            if reasons.iter().all(|(known, _)| *known != at) {
                reasons.push((at, reason));
            }
        }
    }
    reasons
}

/// The verdict of each checkpoint with these numbers of processes.
pub fn of_program(program: &Program, catalogue: &Catalogue, counts: &[usize]) -> BTreeMap<Site, Verdict> {
    with_limit(program, catalogue, counts, STEPS)
}

fn with_limit(
    program: &Program,
    catalogue: &Catalogue,
    counts: &[usize],
    steps: usize,
) -> BTreeMap<Site, Verdict> {
    let effects = catalogue.of_program(program);
    let points = PointsTo::new(program, &effects);
    verdicts(program, &points, catalogue, counts, steps)
}

fn error(program: &Program, site: Site, count: usize, evidence: &Evidence) -> Diagnostic {
    let at = program.operation(site).span;
    let (what, other) = described(evidence);
    let processes = format!("with {count} processes, for example");
    match evidence {
        Evidence::Sent(..) => Diagnostic::error("C0801", at, "a message is in transit at this checkpoint")
            .because(format!("{processes}: {what}"))
            .label(span(program, other), "it is sent here, and not received before the checkpoint")
            .help("place the checkpoint where every message that was sent has been received"),
        Evidence::Awaited(..) => {
            Diagnostic::error("C0801", at, "a process waits for a message that is sent after this checkpoint")
                .because(format!("{processes}: {what}"))
                .label(span(program, other), "it is received here, and not sent before the checkpoint")
                .help("place the checkpoint where every message that was received has been sent")
        }
        Evidence::Request(..) | Evidence::Epoch(..) | Evidence::Collective(..) => {
            Diagnostic::error("C0802", at, "a communication is not complete at this checkpoint")
                .because(format!("{processes}: {what}"))
                .label(span(program, other), "it begins here, and nothing completes it before the checkpoint")
                .help(match evidence {
                    Evidence::Collective(..) => {
                        "place the checkpoint where all processes have made the same collective operations"
                    }
                    _ => "wait for it before the checkpoint",
                })
        }
        Evidence::NotAll { .. } => Diagnostic::error("C0803", at, "not all processes pass this checkpoint")
            .because(format!("{processes}: {what}"))
            .help("place the checkpoint where all processes pass it the same number of times"),
    }
}

fn not_proved(program: &Program, site: Site, verdict: &Verdict) -> Diagnostic {
    let at = program.operation(site).span;
    let safe = verdict.outcomes.iter().filter(|(_, outcome)| **outcome == Outcome::Safe);
    let safe: Vec<&usize> = safe.map(|(count, _)| count).collect();
    let mut found = Diagnostic::warning("C0804", at, "it is not proved that no message is in transit here");
    found = match &safe[..] {
        [] => found.because("the communications before it could not be followed"),
        _ => found.because(format!("it is proved for {} processes only", numbers(safe.into_iter()))),
    };
    for (at, reason) in reasons(program, verdict).into_iter().take(4) {
        found = found.label(at, reason);
    }
    found.help("if no message is in transit here, write `checkpoint safe`")
}

/// What the evidence is, and where it happens.
fn described(evidence: &Evidence) -> (String, Site) {
    match evidence {
        Evidence::Sent(channel, message) => {
            (format!("process {} sends to process {}", channel.from, channel.to), message.site)
        }
        Evidence::Awaited(channel, message) => {
            (format!("process {} receives from process {}", channel.to, channel.from), message.site)
        }
        Evidence::Request(process, site) => (format!("process {process} has an open request"), *site),
        Evidence::Epoch(process, site) => (format!("process {process} has an open epoch of a window"), *site),
        Evidence::Collective(process, site) => {
            (format!("process {process} begins a collective operation before another process does"), *site)
        }
        Evidence::NotAll { more, fewer: (fewer, 0), branch } => {
            (format!("process {} passes it, and process {fewer} does not", more.0), *branch)
        }
        Evidence::NotAll { more, fewer, branch } => (
            format!(
                "process {} passes {} checkpoints, and process {} passes {}",
                more.0, more.1, fewer.0, fewer.1
            ),
            *branch,
        ),
    }
}

/// The operation, or the first one of the block, or the procedure.
fn span(program: &Program, site: Site) -> Span {
    let procedure = &program.procedures[site.procedure.0 as usize];
    let block = &procedure.blocks[site.block.0 as usize];
    let operation = block.operations.get(site.operation as usize).or(block.operations.first());
    operation.map_or(procedure.span, |operation| operation.span)
}

/// Neighbouring numbers of processes with the same outcome.
fn grouped(verdict: &Verdict) -> Vec<(Vec<usize>, &Outcome)> {
    let mut groups: Vec<(Vec<usize>, &Outcome)> = Vec::new();
    for (&count, outcome) in &verdict.outcomes {
        let is_alike = |other: &Outcome| match (outcome, other) {
            (Outcome::Safe, Outcome::Safe)
            | (Outcome::SafeWithout(_), Outcome::SafeWithout(_))
            | (Outcome::Unknown(_), Outcome::Unknown(_)) => true,
            (Outcome::Unsafe(one), Outcome::Unsafe(other)) => described(one).1 == described(other).1,
            _ => false,
        };
        match groups.iter_mut().find(|group| is_alike(group.1)) {
            Some(group) => group.0.push(count),
            None => groups.push((vec![count], outcome)),
        }
    }
    groups
}

pub fn numbers<'n>(counts: impl Iterator<Item = &'n usize>) -> String {
    counts.map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

pub fn position(files: &Files, span: Span) -> String {
    let file = files.get(span.file);
    let (line, _) = file.line_column(span.start);
    let name = file.shown_path(line).file_name().unwrap_or_default().to_string_lossy();
    format!("{name}:{}", file.shown_number(line))
}
