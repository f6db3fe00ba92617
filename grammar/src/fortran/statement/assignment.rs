//! Assignments, which may begin with any word.
//!
//! In: a cursor at the first token. Out: the assignment, if the statement is one: `IF(X)=1`, `DO10I=1.10`,
//! `FORMAT(I)=2`, but not `DO10I=1,10`, which is a loop.

use super::role::Role;
use super::{Found, Reader};
use crate::fortran::body::{self, Body};
use crate::fortran::cursor::Cursor;
use crate::fortran::terminal::Start;
use crate::fortran::token::Shape;
use crate::fortran::tree::{Expr, ExprKind, Operator, StatementKind};

/// Whether a designator and `=` or `=>` stand at the front.
pub fn is_assignment(cursor: Cursor<'_>) -> bool {
    let Some(equals) = after_designator(cursor) else { return false };
    match equals.shape() {
        Some(Shape::Equals) => !begins_loop(cursor, equals),
        Some(Shape::Arrow) => true,
        _ => false,
    }
}

/// Moves over `a%b(1)[2]`.
fn after_designator(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    cursor.word()?;
    cursor.advance();
    loop {
        match cursor.shape()? {
            Shape::Open | Shape::OpenBracket => drop(cursor.take_brackets()?),
            // `a.b.c` of old records has `.b.` in it.
            Shape::Percent | Shape::Dot | Shape::Defined => {
                cursor.advance();
                cursor.word()?;
                cursor.advance();
            }
            _ => return Some(cursor),
        }
    }
}

/// `DO10I=1,10`: a comma outside of brackets.
fn begins_loop(cursor: Cursor<'_>, equals: Cursor<'_>) -> bool {
    let mut next = cursor;
    let is_word = cursor.word().is_some_and(|word| word.starts_with("do"));
    if !is_word {
        return false;
    }
    next.advance();
    next.place() == equals.place() && { equals }.skip_to(Shape::Comma)
}

impl Reader {
    /// The assignment, if it is one. In a type or an enumeration there are none.
    pub(super) fn assignment(&mut self, cursor: Cursor<'_>) -> Option<Found<Role>> {
        if self.scene.derived_type || self.scene.enumeration || !is_assignment(cursor) {
            return None;
        }
        if self.scene.specification && is_old_parameter(cursor) {
            return None;
        }
        Some(assignment(cursor).map(Role::Plain))
    }
}

fn assignment(cursor: Cursor<'_>) -> Found<StatementKind> {
    Ok(match body::read(cursor, Start::Assignment)? {
        Body::Assignment { target, value } => {
            StatementKind::Assignment { target: designator(target), value }
        }
        Body::PointerAssignment { target, value } => {
            StatementKind::PointerAssignment { target: designator(target), value }
        }
        _ => StatementKind::Unknown,
    })
}

/// `a.b.c = 1`: components of old records, which look like operators.
fn designator(target: Expr) -> Expr {
    let Expr { at, kind } = target;
    match kind {
        ExprKind::Binary { operator: Operator::Defined(name), left, right } => {
            let base = designator(*left);
            let middle = crate::fortran::logical::At {
                start: base.at.end + 1,
                end: right.at.start.saturating_sub(1).max(base.at.end + 1),
                ..at
            };
            let name = crate::fortran::tree::Name { text: name, at: middle };
            let base = component(base, name, middle.end);
            graft(base, *right)
        }
        kind => Expr { at, kind },
    }
}

fn component(base: Expr, name: crate::fortran::tree::Name, end: u32) -> Expr {
    let at = crate::fortran::logical::At { end, ..base.at };
    Expr { at, kind: ExprKind::Component { base: Box::new(base), name } }
}

/// `base%` in front of the name that `rest` begins with.
fn graft(base: Expr, rest: Expr) -> Expr {
    let at = base.at.to(rest.at);
    let kind = match rest.kind {
        ExprKind::Name(name) => ExprKind::Component { base: Box::new(base), name },
        ExprKind::Reference { base: inner, arguments } => {
            ExprKind::Reference { base: Box::new(graft(base, *inner)), arguments }
        }
        ExprKind::Component { base: inner, name } => {
            ExprKind::Component { base: Box::new(graft(base, *inner)), name }
        }
        kind => ExprKind::Other(vec![base, Expr { at: rest.at, kind }]),
    };
    Expr { at, kind }
}

/// `PARAMETER N = 10` without brackets; what is one word in fixed form is a name, unless it is written as two.
fn is_old_parameter(mut cursor: Cursor<'_>) -> bool {
    let Some(token) = cursor.peek() else { return false };
    let joined = token.to - token.from == token.end - token.start;
    !joined && cursor.take(&["parameter"]) && cursor.word().is_some()
}
