//! Generated Fortran: standard for its form, within its columns, as a careful person would have written it.
//!
//! In: the plans of the procedures of one file, and its logical lines. Out: the file's edits. Holds
//! afterwards: generated names begin with a prefix that no name of the file begins with; a statement that
//! changes is written anew as a whole.

mod text;
mod sheet;
mod fold;
mod names;
mod sentence;
mod items;
mod indexed;
mod followed;
mod registers;
mod captures;
mod bundles;
mod keeping;
mod files;
mod clauses;
mod frame;

use std::collections::BTreeSet;

use cppc_grammar::fortran::logical::{Form, Lines};
use cppc_source::{EditList, FileId, Files};

use crate::plan::structured::{Clause, Frame, Position};
use crate::plan::{Action, ProcedurePlan, Rewrite};
use bundles::Bundles;
use names::Names;
use sentence::Sentences;
use sheet::Sheet;
use text::Text;

/// What spelling a file needs to know.
pub struct Style<'a> {
    pub files: &'a Files,
    pub file: FileId,
    pub lines: &'a Lines,
    /// The program's fingerprint, for `init`.
    pub fingerprint: String,
}

/// The edits of one file.
pub fn spell(style: &Style, plans: &[&ProcedurePlan], outside: &[&Rewrite]) -> EditList {
    let text = Text::new(style);
    let mut sheet = Sheet::new(&text);
    let prefix = prefix(plans);
    let bundles = Bundles::default();
    for plan in plans {
        let Some(frame) = &plan.frame else { continue };
        let names = Names::new(&prefix, frame.layout.capitals, style.lines.form, plan);
        let writer = Writer { style, text: &text, plan, frame, names, bundles: &bundles, bundles_arrays: bundles::is_worth(frame) };
        let opening = writer.opening();
        let changes = frame.changes.iter();
        let changes = changes.map(|change| writer.sentences(&change.clauses, change.position == Position::Behind));
        let changes: Vec<Sentences> = changes.collect();
        let called = changes.iter().chain([&opening]).flat_map(Sentences::called).collect();
        writer.declare(&called, &mut sheet);
        sheet.before(text.line_at(frame.layout.execution_at), opening);
        for (change, sentences) in frame.changes.iter().zip(changes) {
            let line = text.line_at(change.at.start);
            match change.position {
                Position::Before => sheet.before(line, sentences),
                Position::Instead => sheet.instead(line, change.at, sentences),
                Position::Behind => sheet.behind(line, sentences),
            }
        }
    }
    for (at, sentences) in bundles.before_ends() {
        sheet.before(text.line_at(at), sentences);
    }
    for rewrite in outside {
        if let Rewrite::Directive { span, action } = rewrite {
            let line = text.line_at(span.start);
            sheet.instead(line, *span, outside_sentences(&text, style.lines.form, *span, action));
        }
    }
    sheet.edits()
}

/// What generated names begin with: no name of the file does.
fn prefix(plans: &[&ProcedurePlan]) -> String {
    let layouts = plans.iter().filter_map(|plan| plan.frame.as_ref());
    let used: BTreeSet<&str> =
        layouts.flat_map(|frame| &frame.layout.names).map(String::as_str).collect();
    let taken = |prefix: &str| {
        let under = format!("{prefix}_");
        used.range(under.as_str()..).next().is_some_and(|name| name.starts_with(&under))
    };
    let numbered = (2..).map(|number| format!("cppc{number}"));
    std::iter::once("cppc".to_owned()).chain(numbered).find(|prefix| !taken(prefix)).unwrap_or_default()
}

/// A directive in a procedure without blocks.
fn outside_sentences(text: &Text, form: Form, span: cppc_source::Span, action: &Action) -> Sentences {
    let capitals = !text.original(span).bytes().any(|byte| byte.is_ascii_lowercase());
    let names = Names::plain(capitals, form);
    let mut sentences = Sentences::new();
    sentences.note(span);
    match action {
        Action::Unregister { items } => {
            items.iter().for_each(|item| registers::unregister(&names, &item.item, &mut sentences));
        }
        _ => sentences.say(names.say("CALL CPPC_SHUTDOWN", &[])),
    }
    sentences
}

/// Writes the text of one procedure.
struct Writer<'a> {
    style: &'a Style<'a>,
    text: &'a Text<'a>,
    plan: &'a ProcedurePlan,
    frame: &'a Frame,
    names: Names<'a>,
    bundles: &'a Bundles,
    /// Arrays are named in lists.
    bundles_arrays: bool,
}

impl Writer<'_> {
    /// `inside`: they stand behind a header of the program's.
    fn sentences(&self, clauses: &[Clause], inside: bool) -> Sentences {
        let mut sentences = if inside { Sentences::inside() } else { Sentences::new() };
        for clause in clauses {
            self.clause(clause, &mut sentences);
        }
        sentences
    }
}
