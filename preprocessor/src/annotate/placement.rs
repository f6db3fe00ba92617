//! Where `checkpoint loop` places a checkpoint.
//!
//! Input: a program, and the loops that its directives mark.
//! Output: the first statement of the body before which a checkpoint is safe, or the reasons why there is none.
//! Postcondition: a place is proved to be safe with all numbers of processes that were tried, or the user asserts it.

use cppc_analysis::candidates::Candidate;
use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::natural_loops::NaturalLoops;
use cppc_analysis::program::{LoopStatement, ProcedureId, Program};
use cppc_source::{Diagnostic, Files, Span};

use super::positions;
use crate::front::Front;
use crate::remarks::{Remark, RemarkKind};
use crate::safe_points::{of_candidates, Proof, Reasons};
use crate::safety::Safety;

/// The number of statements that a report of a loop without safe point shows.
const REASONS_SHOWN: usize = 8;

/// A loop of the program.
#[derive(Debug, Clone, Copy)]
pub struct Loop<'p> {
    pub procedure: ProcedureId,
    pub statement: &'p LoopStatement,
}

/// A directive `checkpoint loop`.
#[derive(Debug)]
pub struct Marked<'p> {
    pub directive: Span,
    pub is_asserted: bool,
    /// None if there is no loop after it.
    pub target: Option<Loop<'p>>,
}

/// The directives `checkpoint loop` of a program.
pub fn marked<'p>(front: &Front, files: &Files, program: &'p Program, remarks: &[Remark]) -> Vec<Marked<'p>> {
    let of_remark = |remark: &Remark| {
        let RemarkKind::CheckpointLoop { is_asserted } = remark.kind else { return None };
        let unit = front.units.iter().find(|unit| unit.file() == remark.span.file)?;
        let span = positions(unit, files).loop_after(remark.span);
        let target = span.and_then(|span| loop_at(program, span));
        Some(Marked { directive: remark.span, is_asserted, target })
    };
    remarks.iter().filter_map(of_remark).collect()
}

/// The first loop that begins in the span.
fn loop_at(program: &Program, span: Span) -> Option<Loop<'_>> {
    let begins = |found: &Loop| {
        let own = found.statement.span;
        own.file == span.file && (span.start..span.end).contains(&own.start)
    };
    let procedures = (0..).map(ProcedureId).zip(&program.procedures);
    let loops = procedures.flat_map(|(procedure, content)| {
        content.loop_statements.iter().map(move |statement| Loop { procedure, statement })
    });
    loops.filter(begins).min_by_key(|found| found.statement.span.start)
}

/// The statements before which a checkpoint is safe.
#[derive(Debug, Clone)]
pub struct SafePlaces {
    pub candidates: Vec<Candidate>,
    /// What a checkpoint there has to say.
    pub safety: Safety,
}

impl<'p> Loop<'p> {
    pub fn has_checkpoint(&self, program: &Program) -> bool {
        self.checkpoint(program).is_some()
    }

    /// The first checkpoint in the loop.
    pub fn checkpoint(&self, program: &Program) -> Option<Span> {
        let spans = program.checkpoints().map(|site| program.operation(site).span);
        spans.into_iter().find(|span| self.statement.span.contains(*span))
    }

    /// The statements of the body before which a directive is possible.
    pub fn candidates(&self, is_possible: &dyn Fn(Span) -> bool) -> Vec<Candidate> {
        let body = &self.statement.body;
        // All statements of a macro have the place of its name. A directive is possible before the first one.
        let is_first = |number: usize| number == 0 || body[number].span.start > body[number - 1].span.start;
        let possible = (0..body.len()).filter(|&number| is_first(number) && is_possible(body[number].span));
        possible.map(|number| Candidate { procedure: self.procedure, statement: body[number] }).collect()
    }

    /// The statements before which a checkpoint is safe. Those that each iteration passes come first: only if none of them
    /// is safe, the others are tried. If none is safe with all numbers of processes, those that are safe with most.
    pub fn safe(
        &self,
        program: &Program,
        catalogue: &Catalogue,
        counts: &[usize],
        candidates: Vec<Candidate>,
    ) -> Result<SafePlaces, Reasons> {
        if candidates.is_empty() {
            return Err(vec![(self.statement.span, "no directive can be written into its body".to_owned())]);
        }
        let loops = NaturalLoops::new(&program.procedures[self.procedure.0 as usize]);
        let number = loops.of_statement(self.statement);
        let is_frequent = |one: &Candidate| {
            number.is_none_or(|number| loops.is_in_each_iteration(number, one.statement.block))
        };
        let (frequent, others): (Vec<_>, Vec<_>) = candidates.into_iter().partition(is_frequent);
        let safety = |proof: &Proof| match (proof.is_complete && counts.is_empty(), &proof.counts[..]) {
            (true, _) | (_, []) => Safety::Checked,
            (false, _) => Safety::Ranks(proof.ranks()),
        };
        let mut partial: Vec<(Candidate, Proof)> = Vec::new();
        let mut reasons = Reasons::new();
        for group in [frequent, others].into_iter().filter(|group| !group.is_empty()) {
            let (mut safe, mut without_files) = (Vec::new(), Vec::new());
            for (candidate, found) in group.iter().zip(of_candidates(program, catalogue, counts, &group)) {
                match found {
                    Ok(proof) if !proof.is_complete => partial.push((*candidate, proof)),
                    Ok(proof) if proof.without_files.is_empty() => safe.push((*candidate, proof)),
                    Ok(proof) => without_files.push((*candidate, proof)),
                    Err(more) => more.into_iter().for_each(|reason| {
                        if reasons.iter().all(|(known, _)| *known != reason.0) {
                            reasons.push(reason);
                        }
                    }),
                }
            }
            let best = if safe.is_empty() { without_files } else { safe };
            if let Some((_, proof)) = best.first() {
                let safety = safety(proof);
                return Ok(SafePlaces { candidates: best.into_iter().map(|(one, _)| one).collect(), safety });
            }
        }
        let rank = |proof: &Proof| (proof.counts.len(), proof.without_files.is_empty());
        let Some(best) = partial.iter().map(|(_, proof)| rank(proof)).max() else { return Err(reasons) };
        let mut best = partial.into_iter().filter(|(_, proof)| rank(proof) == best).peekable();
        let Some((_, first)) = best.peek().cloned() else { return Err(reasons) };
        let same = best.filter(|(_, proof)| proof.counts == first.counts).map(|(one, _)| one);
        Ok(SafePlaces { candidates: same.collect(), safety: safety(&first) })
    }
}

/// Reports the directives `checkpoint loop` without effect.
pub fn check(
    program: &Program,
    catalogue: &Catalogue,
    counts: &[usize],
    marked: &[Marked],
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for mark in marked {
        let Some(target) = mark.target else {
            diagnostics.push(
                Diagnostic::error("C0806", mark.directive, "no loop follows this `checkpoint loop`")
                    .because("the next statement is not a loop, or comes from a macro")
                    .help("write the directive in the line before `for`, `while`, `do` or DO"),
            );
            continue;
        };
        // Messages of other sources are not known before the link.
        if !program.whole || target.has_checkpoint(program) {
            continue;
        }
        let reasons = match mark.is_asserted {
            true => None,
            false => target.safe(program, catalogue, counts, target.candidates(&|_| true)).err(),
        };
        diagnostics.push(not_placed(mark.directive, reasons));
    }
    diagnostics
}

/// Without reasons, a place is safe.
fn not_placed(at: Span, reasons: Option<Reasons>) -> Diagnostic {
    let message = "this loop gets no checkpoint";
    let Some(reasons) = reasons else {
        return Diagnostic::error("C0805", at, message)
            .because("the translation refuses a checkpoint in its body")
            .help("write `checkpoint` into the body of the loop: the translation then reports the reason");
    };
    let found = Diagnostic::error("C0805", at, message)
        .because("no statement of its body is proved to be a safe point");
    with_reasons(found, &reasons)
        .help("if no message is in transit at the beginning of its body, write `checkpoint loop safe`")
}

/// The statements that prevent a proof.
pub fn with_reasons(mut found: Diagnostic, reasons: &Reasons) -> Diagnostic {
    for (at, reason) in reasons.iter().take(REASONS_SHOWN) {
        found = found.label(*at, reason);
    }
    match reasons.len().saturating_sub(REASONS_SHOWN) {
        0 => found,
        more => found.note(format!("{more} more statements prevent it")),
    }
}
