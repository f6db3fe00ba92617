//! The stages of the C front end as text: `--dump=tokens` and `--dump=tree`.
//!
//! Input: tokens, a tree.
//! Output: lines, indented by depth.
//! Postcondition: the same input always gives the same text.

mod declarations;
mod expressions;
mod statements;

use std::fmt::Write as _;

use cppc_source::Files;

use super::token::{Name, Names, Preprocessed};
use super::tree::{Attribute, AttributeKind, External, Ident, Range, Unit};

/// A node without its type: the label to print, its range, and its children.
#[derive(Debug)]
pub struct Node {
    pub label: String,
    /// `None` for a node without text of its own, such as a pointer or a default.
    pub range: Option<Range>,
    pub children: Vec<Node>,
}

/// One line per token: index, position, kind, spelling, and the macro that produced it.
pub fn tokens(preprocessed: &Preprocessed, files: &Files) -> String {
    let mut text = String::new();
    for (index, token) in preprocessed.tokens.iter().enumerate() {
        let span = token.origin.span;
        let file = files.get(span.file);
        let (line, column) = file.line_column(span.start);
        let spelling = preprocessed.names.text(token.text);
        let path = file.path.display();
        let kind = format!("{:?}", token.kind).to_lowercase();
        let _ = write!(text, "{index} {path}:{line}:{column} {kind} {spelling}");
        if let Some(id) = token.origin.expansion {
            let _ = write!(text, " (from `{}`)", preprocessed.expansions.get(id).name);
        }
        text.push('\n');
    }
    text
}

/// The tree of a unit: one line per node, with the range of its tokens.
pub fn tree(unit: &Unit, names: &Names) -> String {
    let mut text = String::new();
    for node in nodes(unit, names) {
        node.render(0, &mut text);
    }
    text
}

/// The external declarations and the ranges that could not be parsed, in text order.
pub fn nodes(unit: &Unit, names: &Names) -> Vec<Node> {
    let writer = Writer { names };
    let mut nodes: Vec<Node> = unit.items.iter().map(|item| writer.external(item)).collect();
    nodes.extend(unit.unparsed.iter().map(|&range| leaf("unparsed", range)));
    nodes.sort_by_key(|node| node.range.map(|range| range.start));
    nodes
}

impl Node {
    fn render(&self, depth: usize, text: &mut String) {
        let _ = write!(text, "{:1$}{2}", "", 2 * depth, self.label);
        if let Some(range) = self.range {
            let _ = write!(text, " {}..{}", range.start, range.end);
        }
        text.push('\n');
        for child in &self.children {
            child.render(depth + 1, text);
        }
    }
}

fn leaf(label: impl Into<String>, range: Range) -> Node {
    node(label, range, Vec::new())
}

fn node(label: impl Into<String>, range: Range, children: Vec<Node>) -> Node {
    Node { label: label.into(), range: Some(range), children }
}

/// A node that only groups its children and has no range.
fn group(label: impl Into<String>, children: Vec<Node>) -> Node {
    Node { label: label.into(), range: None, children }
}

struct Writer<'a> {
    names: &'a Names,
}

impl Writer<'_> {
    fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    fn name(&self, name: Ident) -> &str {
        self.text(name.name)
    }

    fn external(&self, external: &External) -> Node {
        match external {
            External::Function(function) => self.function(function),
            External::Declaration(declaration) => self.declaration(declaration),
            External::StaticAssert(range) => leaf("static assertion", *range),
            External::Asm(range) => leaf("asm", *range),
            External::Empty(range) => leaf("empty", *range),
        }
    }

    fn attributes(&self, attributes: &[Attribute]) -> Vec<Node> {
        let label = |kind| match kind {
            AttributeKind::Other => "attribute".to_owned(),
            AttributeKind::VectorSize => "attribute vector_size".to_owned(),
            AttributeKind::Mode(mode) => format!("attribute mode {}", self.text(mode)),
            AttributeKind::Packed => "attribute packed".to_owned(),
            AttributeKind::NoReturn => "attribute noreturn".to_owned(),
        };
        let nodes = attributes.iter().map(|attribute| leaf(label(attribute.kind), attribute.range));
        nodes.collect()
    }
}
