//! Generated Fortran. It conforms to the standard, and its lines fit into the columns of the source form.
//!
//! Input: the plans of the procedures of one file, and its logical lines.
//! Output: the file's edits.
//! Postcondition: generated names begin with a prefix that no name of the file begins with. A statement that
//! changes is written again as a whole.

mod text;
mod expression;
mod statement;
mod line;
mod words;
mod printer;
mod changes;
mod names;
mod items;
mod followed;
mod nodes;
mod trees;
mod graphs;
mod registers;
mod deferred;
mod captures;
mod files;
mod bundles;
mod saving;
mod followers;
mod headers;
mod substitutes;
mod calls;
mod clauses;
mod frame;

use std::collections::BTreeSet;

use cppc_grammar::fortran::logical::Lines;
use cppc_source::{EditList, FileId, Files, Span};

use crate::model::Follower;
use crate::plan::fortran::{BodyPlan, Position};
use crate::plan::{Action, Form, OutsideDirective, ProcedurePlan};
use bundles::Bundles;
use changes::{Changes, Generated, Indentation};
use names::Names;
use statement::{Statement, Statements};
use text::Text;
use words::Letters;

/// The data that writing the text of a file needs.
pub struct Style<'a> {
    pub files: &'a Files,
    pub file: FileId,
    pub lines: &'a Lines,
    /// The program's fingerprint, for `init`.
    pub fingerprint: String,
}

/// The edits of one file.
pub fn spell(
    style: &Style,
    plans: &[&ProcedurePlan],
    followers: &[&Follower],
    outside: &[&OutsideDirective],
) -> EditList {
    let text = Text::new(style);
    let prefix = prefix(plans, followers);
    let mut changes = Changes::new(&text, &prefix);
    let bundles = Bundles::default();
    for plan in plans {
        let Form::Fortran(frame) = &plan.form else { continue };
        let letters = if frame.layout.capitals { Letters::Capitals } else { Letters::Small };
        let uses_lists = bundles::is_worth(frame);
        let names = Names::new(plan);
        let writer =
            Writer { style, text: &text, plan, frame, names, letters, bundles: &bundles, uses_lists };
        writer.write(&mut changes);
    }
    followers.iter().for_each(|follower| followers::add(follower, &text, &mut changes));
    for (at, procedure) in bundles.before_ends() {
        changes.before(text.line_at(at), procedure);
    }
    for OutsideDirective { span, action, .. } in outside {
        let line = text.line_at(span.start);
        let declared = deferred::declarations(action);
        if let Some((at, statements)) = declared {
            let generated = outside_statements(&text, *span, statements);
            changes.before(text.line_at(at), generated);
        }
        let statements = Statements::of(|statements| {
            statements.push(Statement::Comment(*span));
            without_block(action, statements);
        });
        changes.instead(line, *span, outside_statements(&text, *span, statements));
    }
    changes.edits()
}

/// The prefix of generated names. No name of the file begins with it.
fn prefix(plans: &[&ProcedurePlan], followers: &[&Follower]) -> String {
    let layouts = plans.iter().filter_map(|plan| match &plan.form {
        Form::Fortran(frame) => Some(frame),
        Form::C(_) => None,
    });
    let names = layouts.flat_map(|frame| &frame.layout.names);
    let names = names.chain(followers.iter().flat_map(|follower| &follower.names));
    let used: BTreeSet<&str> = names.map(String::as_str).collect();
    let taken = |prefix: &str| {
        let under = format!("{prefix}_");
        used.range(under.as_str()..).next().is_some_and(|name| name.starts_with(&under))
    };
    let numbered = (2..).map(|number| format!("cppc{number}"));
    std::iter::once("cppc".to_owned()).chain(numbered).find(|prefix| !taken(prefix)).unwrap_or_default()
}

/// What is generated for a directive in a procedure without blocks.
fn outside_statements(text: &Text, span: Span, statements: Statements) -> Generated {
    let is_small = text.original(span).bytes().any(|byte| byte.is_ascii_lowercase());
    let letters = if is_small { Letters::Small } else { Letters::Capitals };
    Generated { statements, letters, indentation: Indentation::AsLine }
}

/// A directive that begins no block.
fn without_block(action: &Action, statements: &mut Statements) {
    match action {
        Action::Shutdown => statements.call("CPPC_SHUTDOWN", []),
        Action::Unregister { items } => {
            items.iter().for_each(|item| registers::unregister(&item.item, statements));
        }
        Action::Defer { items, .. } => deferred::register(items, statements),
        // They need a frame.
        Action::Init { .. }
        | Action::Register { .. }
        | Action::Execute { .. }
        | Action::EndExecute { .. }
        | Action::Checkpoint { .. } => {}
    }
}

/// Writes the statements of one procedure.
struct Writer<'a> {
    style: &'a Style<'a>,
    text: &'a Text<'a>,
    plan: &'a ProcedurePlan,
    frame: &'a BodyPlan,
    names: Names,
    letters: Letters,
    bundles: &'a Bundles,
    /// Whether variables are re-passed in lists.
    uses_lists: bool,
}

impl Writer<'_> {
    fn write(&self, changes: &mut Changes) {
        let opening = self.opening();
        let bodies: Vec<Statements> =
            self.frame.changes.iter().map(|change| self.statements(&change.clauses)).collect();
        let called = bodies.iter().chain([&opening]).flat_map(Statements::called).collect();
        let layout = &self.frame.layout;
        changes.before(self.text.line_at(layout.declarations_at), self.generated(self.declarations(called)));
        changes.before(self.text.line_at(layout.execution_at), self.generated(opening));
        for (change, statements) in self.frame.changes.iter().zip(bodies) {
            let (line, generated) = (self.text.line_at(change.at.start), self.generated(statements));
            match change.position {
                Position::Before => changes.before(line, generated),
                Position::Instead => changes.instead(line, change.at, generated),
                Position::Behind => changes.behind(line, generated),
                Position::Inside => {
                    changes.behind(line, Generated { indentation: Indentation::Inside, ..generated });
                }
                Position::AtEnd => {
                    let body = self.text.line_at(layout.execution_at);
                    let indentation = Indentation::AsOther(body);
                    changes.before(line, Generated { indentation, ..generated });
                }
            }
        }
    }

    fn generated(&self, statements: Statements) -> Generated {
        Generated { statements, letters: self.letters, indentation: Indentation::AsLine }
    }
}
