//! `execute` and `end execute`; `init` only once.
//!
//! Input: the directives of a procedure at their places, in the order of the text.
//! Output: for each whether it stays.
//! Postcondition: pairs do not nest or cross, nothing of ours stands between the halves, and no jump leads
//! into the block or out of it.
//!
//! | code | what |
//! |---|---|
//! | C0410, C0411 | `end execute` without `execute`, `execute` without its end |
//! | C0412 | the two are in different blocks |
//! | C0413, C0414 | an `execute` or another directive within an `execute` |
//! | C0416 | a second `init` |
//! | C0417 | a jump into the block or out of it |

use cppc_grammar::directive::Kind;
use cppc_grammar::fortran::tree::Statement;
use cppc_source::Diagnostic;

use super::bound::Bound;
use super::directives::PositionedDirective;
use super::jumps;

impl<'a> Bound<'a> {
    /// For each directive whether it stays.
    pub(super) fn pair(
        &mut self,
        placed: &[PositionedDirective<'a>],
        procedure: &[&'a Statement],
    ) -> Vec<bool> {
        let mut stays = vec![true; placed.len()];
        let mut open: Option<usize> = None;
        let mut refused = false;
        let mut within = Vec::new();
        for (index, here) in placed.iter().enumerate() {
            match &here.directive.kind {
                Kind::Execute { .. } => match open {
                    Some(outer) => {
                        self.diagnostics.push(nested(here, &placed[outer]));
                        stays[index] = false;
                    }
                    None => open = Some(index),
                },
                Kind::EndExecute => {
                    self.diagnostics.append(&mut within);
                    let joined = match open {
                        Some(begin) => self.end(&placed[begin], here, procedure),
                        None => {
                            self.alone(here, refused);
                            false
                        }
                    };
                    stays[index] = joined;
                    if let Some(begin) = open.take() {
                        stays[begin] = joined;
                        refused = !joined;
                    }
                }
                _ => {
                    if let Some(begin) = open {
                        within.push(between(here, &placed[begin]));
                        stays[index] = false;
                    }
                }
            }
        }
        if let Some(begin) = open {
            stays[begin] = false;
            if placed[begin].is_whole {
                self.diagnostics.push(never_ended(&placed[begin]));
            }
        }
        self.second_init(placed, &mut stays);
        stays
    }

    fn alone(&mut self, here: &PositionedDirective, refused: bool) {
        if here.is_whole && !refused {
            let message = "`end execute` without `execute`";
            let diagnostic = Diagnostic::error("C0410", here.span(), message)
                .because("no block is open here")
                .help("write `execute` before the first statement of the block");
            self.diagnostics.push(diagnostic);
        }
    }

    fn end(
        &mut self,
        begin: &PositionedDirective<'a>,
        here: &PositionedDirective<'a>,
        procedure: &[&'a Statement],
    ) -> bool {
        if begin.list.number != here.list.number {
            let message = "`execute` and `end execute` are in different constructs";
            let diagnostic = Diagnostic::error("C0412", here.span(), message)
                .because("the end")
                .label(begin.span(), "the beginning")
                .help("put both into the same construct");
            self.diagnostics.push(diagnostic);
            return false;
        }
        let block = &here.list.statements[begin.index + 1..here.index];
        for jump in jumps::crossing(block, procedure) {
            let span = self.anchor(here.source, jump.at);
            let message = match jump.inwards {
                true => "a jump into an `execute` block",
                false => "a jump out of an `execute` block",
            };
            let diagnostic = Diagnostic::error("C0417", span, message)
                .because(if jump.inwards { "leads to a label in the block" } else { "leaves the block" })
                .label(begin.span(), "the block begins here")
                .help("let the block run to its end, and test the condition after it");
            self.diagnostics.push(diagnostic);
        }
        begin.is_whole && here.is_whole
    }

    fn second_init(&mut self, placed: &[PositionedDirective], stays: &mut [bool]) {
        let is_init = |index: &usize| matches!(placed[*index].directive.kind, Kind::Init);
        let inits: Vec<usize> = (0..placed.len()).filter(is_init).collect();
        let Some((&first, others)) = inits.split_first() else { return };
        for &other in others {
            let diagnostic = Diagnostic::error("C0416", placed[other].span(), "a second `init`")
                .label(placed[first].span(), "the first one")
                .help("call `init` once, and remove this directive");
            self.diagnostics.push(diagnostic);
            stays[other] = false;
        }
    }
}

fn nested(here: &PositionedDirective, outer: &PositionedDirective) -> Diagnostic {
    Diagnostic::error("C0413", here.span(), "an `execute` block within another")
        .label(outer.span(), "this one has not ended")
        .help("end the first block before, or combine both blocks")
}

fn between(here: &PositionedDirective, begin: &PositionedDirective) -> Diagnostic {
    Diagnostic::error("C0414", here.span(), format!("`{}` within an `execute` block", here.word()))
        .because("a restart executes the whole block or nothing of it")
        .label(begin.span(), "the block begins here")
        .help("move it after `end execute`")
}

fn never_ended(begin: &PositionedDirective) -> Diagnostic {
    Diagnostic::error("C0411", begin.span(), "`execute` without `end execute`")
        .because("this block never ends")
        .help("write `!$cppc end execute` after the last statement of the block")
}
