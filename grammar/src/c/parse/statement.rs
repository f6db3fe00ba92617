//! Statements and blocks.
//!
//! Input: labels and items in text order.
//! Output: items.
//! Postcondition: the body of a label in a block is the statement after it. Before a declaration and at the
//! end of the block it is an empty statement, which C23 allows.

use super::context::{Built, Context};
use super::scope::Mark;
use crate::c::tree::{
    Attribute, BlockItem, Compound, Expr, External, Function, Ident, Range, Specifiers, Statement,
    StatementKind,
};

/// `name:`, `case …:` or `default:`.
#[derive(Debug)]
pub struct Label {
    pub range: Range,
    pub kind: LabelKind,
}

#[derive(Debug)]
pub enum LabelKind {
    Name(Ident),
    Case(Box<Expr>, Option<Box<Expr>>),
    Default,
}

/// `if (…)`, `while (…)`, `switch (…)`, with the scopes that begin there.
#[derive(Debug)]
pub struct Header {
    start: u32,
    whole: Mark,
    body: Mark,
    condition: Box<Expr>,
}

/// `if (…) statement else`.
#[derive(Debug)]
pub struct IfElse {
    header: Header,
    then: Box<Statement>,
}

pub fn statement(context: &Context<'_>, start: u32, end: u32, kind: StatementKind) -> Built<Statement> {
    context.enclose(start, end)?;
    Ok(Statement { range: Range { start, end }, kind })
}

impl Header {
    pub fn new(context: &Context<'_>, start: u32, whole: Mark, condition: Expr) -> Header {
        Header { start, whole, body: context.mark(), condition: Box::new(condition) }
    }

    /// Completes the statement of this header and closes its scope.
    pub fn finish(
        self,
        context: &Context<'_>,
        end: u32,
        kind: impl FnOnce(Box<Expr>) -> StatementKind,
    ) -> Built<Statement> {
        context.restore(self.whole);
        statement(context, self.start, end, kind(self.condition))
    }
}

impl IfElse {
    pub fn new(context: &Context<'_>, header: Header, then: Statement) -> IfElse {
        context.restore(header.body);
        IfElse { header, then: Box::new(then) }
    }

    pub fn finish(self, context: &Context<'_>, otherwise: Statement, end: u32) -> Built<Statement> {
        let (then, otherwise) = (self.then, Some(Box::new(otherwise)));
        self.header.finish(context, end, |condition| StatementKind::If { condition, then, otherwise })
    }
}

pub fn labelled(context: &Context<'_>, label: Label, body: Statement) -> Built<Statement> {
    let (start, end) = (label.range.start, body.range.end);
    let body = Box::new(body);
    let kind = match label.kind {
        LabelKind::Name(name) => StatementKind::Label { name, body },
        LabelKind::Case(value, last) => StatementKind::Case { value, last, body },
        LabelKind::Default => StatementKind::Default { body },
    };
    statement(context, start, end, kind)
}

/// The items of a block so far, and the labels that still need a statement.
#[derive(Debug, Default)]
pub struct Block {
    items: Vec<BlockItem>,
    labels: Vec<Label>,
}

impl Block {
    pub fn label(mut self, label: Label) -> Block {
        self.labels.push(label);
        self
    }

    pub fn item(mut self, context: &Context<'_>, item: BlockItem) -> Built<Block> {
        let item = match item {
            BlockItem::Statement(body) => BlockItem::Statement(self.apply_labels(context, body)?),
            other => {
                self.close_labels(context)?;
                other
            }
        };
        self.items.push(item);
        Ok(self)
    }

    pub fn finish(mut self, context: &Context<'_>, start: u32, end: u32) -> Built<Compound> {
        self.close_labels(context)?;
        context.enclose(start, end)?;
        Ok(Compound { range: Range { start, end }, items: self.items })
    }

    /// Gives the pending labels an empty statement of width zero.
    fn close_labels(&mut self, context: &Context<'_>) -> Built<()> {
        if let Some(last) = self.labels.last() {
            let at = last.range.end;
            let empty = Statement { range: Range { start: at, end: at }, kind: StatementKind::Expr(None) };
            let labelled = self.apply_labels(context, empty)?;
            self.items.push(BlockItem::Statement(labelled));
        }
        Ok(())
    }

    fn apply_labels(&mut self, context: &Context<'_>, body: Statement) -> Built<Statement> {
        self.labels.drain(..).rev().try_fold(body, |body, label| labelled(context, label, body))
    }
}

/// Adds a leading `__extension__` or `[[…]]` to an external declaration.
pub fn led(external: External, start: u32, attribute: Option<Attribute>) -> External {
    match external {
        External::Function(function) => External::Function(led_function(function, start, attribute)),
        External::Declaration(mut declaration) => {
            declaration.range.start = start;
            lead(&mut declaration.specifiers, attribute);
            External::Declaration(declaration)
        }
        External::StaticAssert(range) => External::StaticAssert(Range { start, ..range }),
        External::Asm(range) => External::Asm(Range { start, ..range }),
        External::Empty(range) => External::Empty(Range { start, ..range }),
    }
}

/// Adds a leading `__extension__` or `[[…]]` to a block item.
pub fn led_item(item: BlockItem, start: u32, attribute: Option<Attribute>) -> BlockItem {
    match item {
        BlockItem::Function(function) => BlockItem::Function(led_function(function, start, attribute)),
        BlockItem::Declaration(mut declaration) => {
            declaration.range.start = start;
            lead(&mut declaration.specifiers, attribute);
            BlockItem::Declaration(declaration)
        }
        BlockItem::Statement(mut statement) => {
            statement.range.start = start;
            BlockItem::Statement(statement)
        }
        BlockItem::StaticAssert(range) => BlockItem::StaticAssert(Range { start, ..range }),
        BlockItem::LocalLabels(range) => BlockItem::LocalLabels(Range { start, ..range }),
    }
}

fn led_function(mut function: Box<Function>, start: u32, attribute: Option<Attribute>) -> Box<Function> {
    function.range.start = start;
    lead(&mut function.specifiers, attribute);
    function
}

/// Adds an attribute before the specifiers that it belongs to.
pub fn lead(specifiers: &mut Specifiers, attribute: Option<Attribute>) {
    if let Some(attribute) = attribute {
        specifiers.range.start = attribute.range.start;
        specifiers.attributes.push(attribute);
    }
}
