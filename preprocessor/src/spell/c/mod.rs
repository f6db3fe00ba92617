//! Generated C. It is short and readable. Except in procedures with many jumps, it conforms to the standard.
//!
//! Input: the plans of the procedures of one file.
//! Output: the edits of the file.
//! Postcondition: generated names begin with a prefix with which no name of the file begins.

mod fragment;
mod layout;
mod records;
mod directives;
mod frame;
mod steps;

use cppc_source::{EditList, FileId, Files, Span};

use crate::model::SharedDescription;
use crate::plan::c::{BodyPlan, Rewrite};
use crate::plan::{Form, Fragment, OutsideDirective, ProcedurePlan, SavedMemberId, Step};

/// The form of the jumps of a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dispatch {
    /// One `switch` of gotos at the procedure's entry.
    #[default]
    Switch,
    /// A `goto` through a table of labels at each block's end: GNU C, the papers' form.
    Computed,
}

/// The data that writing the text of a file needs.
pub struct Style<'a> {
    pub files: &'a Files,
    pub file: FileId,
    pub dispatch: Dispatch,
    /// The prefix of generated names: `cppc`.
    pub prefix: String,
    /// The program's fingerprint, for `init`.
    pub fingerprint: String,
    /// The byte at which `#include <cppc.h>` is inserted.
    pub include_at: u32,
}

/// The edits of one file.
pub fn spell(
    style: &Style,
    plans: &[&ProcedurePlan],
    outside: &[&OutsideDirective],
    shared: &[&SharedDescription],
) -> EditList {
    let mut edits = EditList::new(style.file);
    if plans.is_empty() && outside.is_empty() && shared.is_empty() {
        return edits;
    }
    let newline = layout::newline(style);
    edits.insert(style.include_at, format!("#include <cppc.h>{newline}"));
    let bodies = plans.iter().filter_map(|plan| match &plan.form {
        Form::C(body) => Some((*plan, &**body)),
        Form::Fortran(_) => None,
    });
    let bodies: Vec<(&ProcedurePlan, &BodyPlan)> = bodies.collect();
    records::describe(style, bodies.iter().map(|(_, body)| *body), shared, &mut edits);
    for (plan, body) in bodies {
        let writer = Writer { style, plan, body, newline, members: fragment::members(&plan.slots) };
        writer.open(&mut edits);
        for rewrite in &body.rewrites {
            writer.rewrite(rewrite, &mut edits);
        }
        writer.close(&mut edits);
    }
    for directive in outside {
        directives::outside(style, newline, directive.span, &directive.action, &mut edits);
    }
    edits
}

/// Turns the line of a directive that has no code into a comment, unless another edit replaces it.
pub fn comment_out(style: &Style, span: Span, edits: &mut EditList) {
    if !edits.edits().iter().any(|edit| edit.span.start < span.end && span.start < edit.span.end) {
        edits.replace(span, directives::comment(style, span));
    }
}

/// With more targets, gcc 12 may need time that grows exponentially with their number: it follows each value through each
/// sequence of jumps. It does not if all jumps meet at a statement that it cannot remove.
const MANY_TARGETS: usize = 8;

/// Writes the text of one procedure.
struct Writer<'a> {
    style: &'a Style<'a>,
    plan: &'a ProcedurePlan,
    body: &'a BodyPlan,
    newline: &'static str,
    /// The names of the members of the structure, by slot.
    members: Vec<String>,
}

impl Writer<'_> {
    fn prefix(&self) -> &str {
        &self.style.prefix
    }

    /// The member of the structure: `cppc.value_1`.
    fn slot(&self, id: SavedMemberId) -> String {
        format!("{}.{}", self.prefix(), self.member(id))
    }

    /// Ends a block. In a restart, jumps to the next one.
    fn jump(&self) -> String {
        let prefix = self.prefix();
        let target = match self.style.dispatch {
            Dispatch::Switch if self.joins_jumps() => format!("{prefix}_again"),
            Dispatch::Switch => format!("{prefix}_jump"),
            Dispatch::Computed => format!("*{prefix}_labels[{prefix}_next]"),
        };
        format!("if (({prefix}_next = CPPC_Jump_next()) != 0) goto {target};")
    }

    /// Whether all jumps go to a statement of its own before the `switch`.
    fn joins_jumps(&self) -> bool {
        self.body.targets.len() > MANY_TARGETS
    }

    fn label(&self, block: u32) -> Vec<String> {
        let prefix = self.prefix();
        let label = format!("{prefix}_{block}:");
        if self.body.calls_setjmp {
            return vec![label, format!("CPPC_Land({prefix}_frame);")];
        }
        vec![label]
    }

    /// The test at the start of a loop's body that decides whether the loop continues.
    fn condition(
        &self,
        at: u32,
        wrapped: bool,
        steps: &[Step],
        condition: &Fragment,
        edits: &mut EditList,
    ) -> String {
        let mut lines = self.steps(steps);
        lines.push(format!("if (!({})) break;", self.text(condition)));
        if wrapped {
            let indent = if self.starts_line(at) { self.indent(at) } else { self.inner_indent(at) };
            self.outdent(at, &lines, edits);
            return format!("{}{}{indent}", self.join(&lines, &indent), self.newline);
        }
        let indent = self.inner_indent(at);
        let first = self.first_indent(&lines, &indent);
        let text = format!("{}{first}{}", self.newline, self.join(&lines, &indent));
        if self.ends_line(at) {
            text
        } else {
            text + self.newline + &indent
        }
    }

    fn rewrite(&self, rewrite: &Rewrite, edits: &mut EditList) {
        match rewrite {
            Rewrite::OpenBrace { at } => match self.brace_place(*at) {
                Some(place) => edits.insert(place, " {"),
                None => edits.insert(*at, format!("{{{}{}", self.newline, self.inner_indent(*at))),
            },
            Rewrite::CloseBrace { opened, at } => {
                let indent = self.indent(self.brace_place(*opened).unwrap_or(*opened));
                edits.insert(*at, format!("{}{indent}}}", self.newline));
            }
            Rewrite::Directive { span, action } => self.directive(*span, action, edits),
            Rewrite::Steps { at, steps } => {
                let indent = self.indent(*at);
                let lines = self.steps(steps);
                self.outdent(*at, &lines, edits);
                let mut text = self.join(&lines, &indent);
                text.push_str(self.newline);
                text.push_str(&indent);
                edits.insert(*at, text);
            }
            Rewrite::Become { span, steps } => {
                let indent = self.indent(span.start);
                let end = self.line_break(span.end, &indent);
                let lines = self.steps(steps);
                self.outdent(span.start, &lines, edits);
                edits.replace(*span, self.join(&lines, &indent) + &end);
            }
            Rewrite::Hole(hole) => edits.replace(hole.span, self.slot(hole.slot)),
            Rewrite::Vanish { span, always } => edits.replace(*span, if *always { "1" } else { "" }),
            Rewrite::JumpPoint(span) => {
                let place = fragment::literal(&super::place(self.style.files, *span));
                edits.insert(
                    span.start,
                    format!("CPPC_Jump_point({place});{}{}", self.newline, self.indent(span.start)),
                );
            }
            Rewrite::Static { at, instead_of: None } => edits.insert(*at, "static "),
            Rewrite::Static { instead_of: Some(word), .. } => edits.replace(*word, "static"),
            Rewrite::Return { span, value, braces, last } => {
                edits.replace(*span, self.return_text(*span, value.as_ref(), *braces, *last));
            }
            Rewrite::Condition { at, wrapped, steps, condition } => {
                let text = self.condition(*at, *wrapped, steps, condition, edits);
                edits.insert(*at, text);
            }
            Rewrite::LoopEnd { body, label, labelled, steps, evaluate } => {
                let mut lines = Vec::new();
                if *labelled {
                    lines.push(format!("{}_continue_{label}:;", self.prefix()));
                }
                lines.extend(self.steps(steps));
                lines.extend(evaluate.iter().map(|fragment| format!("{};", self.text(fragment))));
                let begins_line = self.starts_line(body.start) && !self.is_brace(body.start);
                let indent =
                    if begins_line { self.indent(body.start) } else { self.inner_indent(body.start) };
                let first = self.first_indent(&lines, &indent);
                edits.insert(body.end, format!("{}{first}{}", self.newline, self.join(&lines, &indent)));
            }
            Rewrite::Continue { span, label } => {
                edits.replace(*span, format!("goto {}_continue_{label};", self.prefix()));
            }
            Rewrite::Split { span, steps, specifiers } => {
                let indent = self.indent(span.start);
                let again = self.style.files.text_lossy(*specifiers);
                let lines = self.join(&self.steps(steps), &indent);
                let text = format!(";{0}{indent}{lines}{0}{indent}{again} ", self.newline);
                edits.replace(*span, text);
            }
        }
    }
}
