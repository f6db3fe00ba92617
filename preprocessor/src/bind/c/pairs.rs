//! `execute` and `end execute`; `init` only once.
//!
//! Input: directives at their places, in the order of the text.
//! Output: for each whether it stays, and its other half.
//! Postcondition: pairs do not nest or cross, nothing of ours stands between the halves, and no jump leads
//! into the block or out of it.
//!
//! | code | what |
//! |---|---|
//! | C0410, C0411 | `end execute` without `execute`, `execute` without its end |
//! | C0412 | the two are in different blocks |
//! | C0413, C0414 | an `execute` or another directive within an `execute` |
//! | C0415 | one of them is the only statement of an `if` or loop |
//! | C0416 | a second `init` |
//! | C0417 | a jump into the block or out of it |

use cppc_grammar::c::tree::Unit;
use cppc_grammar::directive::Kind;
use cppc_source::Diagnostic;

use super::binder::Binder;
use super::directives::PositionedDirective;
use super::position;

/// For each directive: none when it falls away, otherwise the index of its other half, if it has one.
pub(super) type Pairs = Vec<Option<Option<usize>>>;

impl Binder<'_> {
    pub(super) fn pair(&mut self, unit: &Unit, placed: &[PositionedDirective]) -> Pairs {
        let mut pairs: Pairs = vec![Some(None); placed.len()];
        let mut open: Option<usize> = None;
        // What may not stand in the open block, if it is one: without an end, nobody knows its extent.
        let mut within = Vec::new();
        for (index, directive) in placed.iter().enumerate() {
            if let Some(begin) = open.filter(|&begin| placed[begin].procedure != directive.procedure) {
                self.never_ended(placed, begin, &mut pairs);
                within.clear();
                open = None;
            }
            match &directive.directive.kind {
                Kind::Execute { .. } => open = self.begin(placed, index, open, &mut pairs),
                Kind::EndExecute => {
                    self.diagnostics.append(&mut within);
                    self.end(unit, placed, index, open, &mut pairs);
                    open = None;
                }
                _ => within.extend(between(placed, index, open, &mut pairs)),
            }
        }
        if let Some(begin) = open {
            self.never_ended(placed, begin, &mut pairs);
        }
        self.second_init(placed, &mut pairs);
        pairs
    }

    fn begin(
        &mut self,
        placed: &[PositionedDirective],
        index: usize,
        open: Option<usize>,
        pairs: &mut Pairs,
    ) -> Option<usize> {
        let here = &placed[index];
        if let Some(outer) = open {
            let diagnostic =
                Diagnostic::error("C0413", here.directive.span, "an `execute` block within another")
                    .label(placed[outer].directive.span, "this one has not ended")
                    .help("end the first block before, or combine both blocks");
            self.diagnostics.push(diagnostic);
            // Its own end would be taken for the outer one's.
            pairs[index] = None;
            return open;
        }
        if here.item.is_none() {
            self.needs_braces(here);
            pairs[index] = None;
        }
        Some(index)
    }

    fn end(
        &mut self,
        unit: &Unit,
        placed: &[PositionedDirective],
        index: usize,
        open: Option<usize>,
        pairs: &mut Pairs,
    ) {
        let here = &placed[index];
        let Some(begin) = open else {
            // The end of one that was refused has been spoken of.
            let opens = |other: &usize| {
                let other = &placed[*other];
                matches!(other.directive.kind, Kind::Execute { .. }) && other.procedure == here.procedure
            };
            let refused = (0..index).rev().find(opens);
            if here.is_whole && refused.is_none_or(|other| pairs[other].is_some()) {
                let diagnostic =
                    Diagnostic::error("C0410", here.directive.span, "`end execute` without `execute`")
                        .because("no block is open here")
                        .help("write `execute` before the first statement of the block");
                self.diagnostics.push(diagnostic);
            }
            pairs[index] = None;
            return;
        };
        let start = &placed[begin];
        let compound = |placed: &PositionedDirective| placed.item.map(|(compound, _)| compound);
        if pairs[begin].is_none() || here.item.is_none() {
            if here.item.is_none() {
                self.needs_braces(here);
            }
            (pairs[begin], pairs[index]) = (None, None);
            return;
        }
        if compound(start) != compound(here) {
            let message = "`execute` and `end execute` are in different constructs";
            let diagnostic = Diagnostic::error("C0412", here.directive.span, message)
                .because("the end")
                .label(start.directive.span, "the beginning")
                .help("put both between the same pair of braces");
            self.diagnostics.push(diagnostic);
            (pairs[begin], pairs[index]) = (None, None);
            return;
        }
        (pairs[begin], pairs[index]) = (Some(Some(index)), Some(Some(begin)));
        self.jumps(unit, start, here);
    }

    fn never_ended(&mut self, placed: &[PositionedDirective], begin: usize, pairs: &mut Pairs) {
        if pairs[begin].take().is_some() {
            let diagnostic =
                Diagnostic::error("C0411", placed[begin].directive.span, "`execute` without `end execute`")
                    .because("this block never ends")
                    .help("write `#pragma cppc end execute` after the last statement of the block");
            self.diagnostics.push(diagnostic);
        }
    }

    fn needs_braces(&mut self, here: &PositionedDirective) {
        let message = format!("`{}` is at a position where only one statement is allowed", here.word());
        let diagnostic = Diagnostic::error("C0415", here.directive.span, message)
            .because("the body of an `if`, `else` or loop")
            .help("put braces around the whole block, directives included");
        self.diagnostics.push(diagnostic);
    }

    fn second_init(&mut self, placed: &[PositionedDirective], pairs: &mut Pairs) {
        let inits: Vec<usize> =
            (0..placed.len()).filter(|&index| matches!(placed[index].directive.kind, Kind::Init)).collect();
        let Some((&first, others)) = inits.split_first() else { return };
        for &other in others {
            let diagnostic = Diagnostic::error("C0416", placed[other].directive.span, "a second `init`")
                .label(placed[first].directive.span, "the first one")
                .help("call `init` once, and remove this directive");
            self.diagnostics.push(diagnostic);
            pairs[other] = None;
        }
    }

    /// Refuses jumps into an execute block and out of it.
    fn jumps(&mut self, unit: &Unit, start: &PositionedDirective, end: &PositionedDirective) {
        let Some(function) = position::function_at(unit, start.before) else { return };
        let (Some((compound, _)), Some(procedure)) =
            (start.item, self.procedures.get(start.procedure.0 as usize))
        else {
            return;
        };
        let Some(compound) = position::compound_of(&function.body, compound) else { return };
        let block = super::jumps::ExecuteRange { start: start.before, end: end.before };
        for jump in super::jumps::crossing(compound, &block, &procedure.facts) {
            let token = self.preprocessed.tokens.get(jump.token as usize);
            let Some(span) = token.map(|token| self.place_of(token)) else { continue };
            let message = if jump.inwards {
                "a jump into an `execute` block"
            } else {
                "a jump out of an `execute` block"
            };
            let diagnostic = Diagnostic::error("C0417", span, message)
                .because(if jump.inwards { "leads to a label in the block" } else { "leaves the block" })
                .label(start.directive.span, "the block begins here")
                .help("let the block run to its end, and test the condition after it");
            self.diagnostics.push(diagnostic);
        }
    }

    /// Where to point for a token: at the use of the macro that brought it.
    pub(super) fn place_of(&self, token: &cppc_grammar::c::token::Token) -> cppc_source::Span {
        match token.origin.expansion {
            Some(id) => self.preprocessed.expansions.get(id).invocation,
            None => token.origin.span,
        }
    }
}

/// Refuses a directive in an open block.
fn between(
    placed: &[PositionedDirective],
    index: usize,
    open: Option<usize>,
    pairs: &mut Pairs,
) -> Option<Diagnostic> {
    let begin = open?;
    let here = &placed[index];
    pairs[index] = None;
    let message = format!("`{}` within an `execute` block", here.word());
    let diagnostic = Diagnostic::error("C0414", here.directive.span, message)
        .because("a restart executes the whole block or nothing of it")
        .label(placed[begin].directive.span, "the block begins here")
        .help("move it after `end execute`");
    Some(diagnostic)
}
