//! Where a directive stands among the statements.
//!
//! Input: the token index that a pragma stands before.
//! Output: the place in the tree.
//! Postcondition: a place lies between statements; inside an expression, a declaration or a condition there
//! is none.

use cppc_grammar::c::tree::{BlockItem, Compound, External, Function, Range, Statement, StatementKind, Unit};

use super::bound::DirectivePosition;

/// A place, and the item of the innermost compound statement around it that it stands before, if only
/// labels lie between.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundPosition {
    pub place: DirectivePosition,
    pub item: Option<(Range, usize)>,
}

/// The function at file level whose body holds a token.
pub(super) fn function_at(unit: &Unit, at: u32) -> Option<&Function> {
    let index = unit.items.partition_point(|item| range_of(item).end <= at);
    match unit.items.get(index)? {
        External::Function(function) if strictly_inside(function.body.range, at) => Some(function),
        _ => None,
    }
}

/// Whether a pragma before this token stands between two braces.
pub(super) fn strictly_inside(range: Range, at: u32) -> bool {
    range.start < at && at < range.end
}

pub(super) fn find(compound: &Compound, at: u32) -> Option<FoundPosition> {
    let index = compound.items.partition_point(|item| item.range().end <= at);
    let here = Some((compound.range, index));
    let inside = compound.items.get(index).filter(|item| item.range().start < at);
    match inside {
        None => Some(FoundPosition {
            place: DirectivePosition::Item { compound: compound.range, index },
            item: here,
        }),
        Some(BlockItem::Statement(statement)) => in_statement(statement, at, here),
        Some(_) => None,
    }
}

/// The compound statement with these braces.
pub(super) fn compound_of(compound: &Compound, range: Range) -> Option<&Compound> {
    if compound.range == range {
        return Some(compound);
    }
    let index = compound.items.partition_point(|item| item.range().end <= range.start);
    let Some(BlockItem::Statement(statement)) = compound.items.get(index) else { return None };
    compound_in(statement, range)
}

fn compound_in(statement: &Statement, range: Range) -> Option<&Compound> {
    if let StatementKind::Compound(body) = &statement.kind {
        return compound_of(body, range);
    }
    let holding = statement
        .bodies()
        .into_iter()
        .find(|body| body.range.start <= range.start && range.end <= body.range.end);
    compound_in(holding?, range)
}

fn in_statement(statement: &Statement, at: u32, item: Option<(Range, usize)>) -> Option<FoundPosition> {
    if let StatementKind::Compound(body) = &statement.kind {
        return find(body, at);
    }
    let labelled = matches!(
        statement.kind,
        StatementKind::Label { .. } | StatementKind::Case { .. } | StatementKind::Default { .. }
    );
    for body in statement.bodies() {
        if body.range.start == at && labelled {
            return Some(FoundPosition {
                place: DirectivePosition::AfterLabel { labelled: statement.range, body: body.range },
                item,
            });
        }
        if body.range.start == at {
            let place = DirectivePosition::Unbraced { parent: statement.range, body: body.range };
            return Some(FoundPosition { place, item: None });
        }
        if strictly_inside(body.range, at) {
            return in_statement(body, at, if labelled { item } else { None });
        }
    }
    None
}

fn range_of(item: &External) -> Range {
    match item {
        External::Function(function) => function.range,
        External::Declaration(declaration) => declaration.range,
        External::StaticAssert(range) | External::Asm(range) | External::Empty(range) => *range,
    }
}
