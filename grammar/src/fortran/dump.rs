//! Lines and tree as text: `--dump=tokens` and `--dump=tree`.
//!
//! Input: logical lines, and their tree.
//! Output: one line per statement, indented by depth: `[line] label statement`. Operations are in braces;
//! brackets are those of the text.
//! Postcondition: the same input always gives the same text.

mod expressions;
mod specification;
mod statements;

use std::fmt::Write as _;

use cppc_source::Files;

use super::logical::{Label, LineId, LineKind, Lines};
use super::tree::{DummyArgument, Name, Prefix, Statement, Tree, Unit, UnitKind};

/// The logical lines: number, position, label, and the text that the parser reads.
pub fn lines(lines: &Lines, files: &Files) -> String {
    let mut text = String::new();
    for (number, line) in lines.lines.iter().enumerate() {
        let file = files.get(line.span.file);
        let (row, column) = file.line_column(line.span.start);
        let label = line.label.map_or(String::new(), |label| format!("{} ", label.value));
        let directive = if line.kind == LineKind::Directive { "directive " } else { "" };
        let said = String::from_utf8_lossy(&line.text);
        let _ = writeln!(
            text,
            "[{number}] {}:{row}:{column} {directive}{label}{}",
            file.path.display(),
            said.trim()
        );
    }
    text
}

pub fn tree(tree: &Tree, lines: &Lines) -> String {
    let mut writer = Writer { lines, text: String::new(), depth: 0 };
    for unit in &tree.units {
        writer.unit(unit);
    }
    if !tree.outside.is_empty() {
        writer.line(None, None, "outside of units");
        writer.within(&tree.outside);
    }
    if !tree.unparsed.is_empty() {
        let list: Vec<String> = tree.unparsed.iter().map(|line| line.0.to_string()).collect();
        writer.line(None, None, &format!("not understood: {}", list.join(", ")));
    }
    writer.text
}

struct Writer<'a> {
    lines: &'a Lines,
    text: String,
    depth: usize,
}

impl Writer<'_> {
    /// One line: the number of the logical line, its label, its description.
    fn line(&mut self, line: Option<LineId>, label: Option<Label>, what: &str) {
        let indent = 2 * self.depth;
        let _ = write!(self.text, "{:indent$}", "");
        if let Some(line) = line {
            let _ = write!(self.text, "[{}] ", line.0);
        }
        if let Some(label) = label {
            let _ = write!(self.text, "{} ", label.value);
        }
        self.text.push_str(what);
        self.text.push('\n');
    }

    fn deeper(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    fn within(&mut self, statements: &[Statement]) {
        self.deeper(|writer| statements.iter().for_each(|statement| writer.statement(statement)));
    }

    fn unit(&mut self, unit: &Unit) {
        let what = self.header(unit);
        self.line(unit.header, None, &what);
        self.deeper(|writer| {
            if !unit.specification.is_empty() {
                writer.line(None, None, "specification");
                writer.within(&unit.specification);
            }
            if !unit.execution.is_empty() {
                writer.line(None, None, "execution");
                writer.within(&unit.execution);
            }
            if let Some(contains) = unit.contains {
                writer.line(Some(contains), None, "contains");
            }
            writer.deeper(|writer| unit.contained.iter().for_each(|unit| writer.unit(unit)));
        });
        let end = if unit.end.is_some() { "end" } else { "no end" };
        self.line(unit.end, unit.end_label, end);
    }

    fn header(&self, unit: &Unit) -> String {
        let mut what = String::new();
        for prefix in &unit.prefixes {
            let word = match prefix {
                Prefix::Type(spec) => self.type_spec(spec),
                Prefix::Recursive => "recursive".to_owned(),
                Prefix::NonRecursive => "non_recursive".to_owned(),
                Prefix::Pure => "pure".to_owned(),
                Prefix::Impure => "impure".to_owned(),
                Prefix::Elemental => "elemental".to_owned(),
                Prefix::Module => "module".to_owned(),
            };
            what += &word;
            what.push(' ');
        }
        what += unit.kind.keywords();
        if let UnitKind::Submodule { ancestor, parent } = &unit.kind {
            what += &format!(
                " ({}{})",
                ancestor.text,
                parent.iter().map(|name| format!(":{}", name.text)).collect::<String>()
            );
        }
        match &unit.name {
            Some(name) => what += &format!(" {}", name.text),
            None => what += " without a name",
        }
        if matches!(unit.kind, UnitKind::Subroutine | UnitKind::Function { .. }) {
            what += &format!("({})", dummies(&unit.arguments));
        }
        if let UnitKind::Function { result: Some(result) } = &unit.kind {
            what += &format!(" result({})", result.text);
        }
        if let Some(bind) = &unit.bind {
            what += &format!(" bind(c, {bind:?})");
        }
        what
    }
}

fn dummies(arguments: &[DummyArgument]) -> String {
    let list: Vec<&str> = arguments
        .iter()
        .map(|argument| match argument {
            DummyArgument::Name(name) => name.text.as_str(),
            DummyArgument::Star(_) => "*",
        })
        .collect();
    list.join(", ")
}

fn names(names: &[Name]) -> String {
    let list: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    list.join(", ")
}
