//! Statements and blocks.
//!
//! In: labels and items in the order of the text. Out: items. Holds afterwards: a label in a block
//! has the statement after it as its body, or an empty one before a declaration and at the block's
//! end, which C23 allows.

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

/// `if (…)`, `while (…)`, `switch (…)`, with the scopes that began there.
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

pub fn statement(
    context: &Context<'_>,
    start: u32,
    end: u32,
    kind: StatementKind,
) -> Built<Statement> {
    context.enclose(start, end)?;
    Ok(Statement { range: Range { start, end }, kind })
}

impl Header {
    pub fn new(context: &Context<'_>, start: u32, whole: Mark, condition: Expr) -> Header {
        Header { start, whole, body: context.mark(), condition: Box::new(condition) }
    }

    /// The statement that the header begins; its scope ends.
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
        self.header.finish(context, end, |condition| StatementKind::If {
            condition,
            then,
            otherwise,
        })
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

/// The items of a block so far, and the labels that still want a statement.
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
            BlockItem::Statement(body) => BlockItem::Statement(self.settle(context, body)?),
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

    /// The waiting labels get an empty statement of no width.
    fn close_labels(&mut self, context: &Context<'_>) -> Built<()> {
        if let Some(last) = self.labels.last() {
            let at = last.range.end;
            let empty =
                Statement { range: Range { start: at, end: at }, kind: StatementKind::Expr(None) };
            let labelled = self.settle(context, empty)?;
            self.items.push(BlockItem::Statement(labelled));
        }
        Ok(())
    }

    fn settle(&mut self, context: &Context<'_>, body: Statement) -> Built<Statement> {
        self.labels.drain(..).rev().try_fold(body, |body, label| labelled(context, label, body))
    }
}

/// An external declaration with what leads it: `__extension__` or `[[…]]`.
pub fn led(external: External, start: u32, attribute: Option<Attribute>) -> External {
    match external {
        External::Function(function) => {
            External::Function(led_function(function, start, attribute))
        }
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

/// A block item with what leads it.
pub fn led_item(item: BlockItem, start: u32, attribute: Option<Attribute>) -> BlockItem {
    match item {
        BlockItem::Function(function) => {
            BlockItem::Function(led_function(function, start, attribute))
        }
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

fn led_function(
    mut function: Box<Function>,
    start: u32,
    attribute: Option<Attribute>,
) -> Box<Function> {
    function.range.start = start;
    lead(&mut function.specifiers, attribute);
    function
}

/// Puts an attribute before the specifiers that it belongs to.
pub fn lead(specifiers: &mut Specifiers, attribute: Option<Attribute>) {
    if let Some(attribute) = attribute {
        specifiers.range.start = attribute.range.start;
        specifiers.attributes.push(attribute);
    }
}
