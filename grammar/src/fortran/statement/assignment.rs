//! Assignments, which may begin with any word.
//!
//! Input: a cursor at the first token.
//! Output: the assignment, if the statement is one: `IF(X)=1`, `DO10I=1.10`, `FORMAT(I)=2`, but not
//! `DO10I=1,10`, which is a loop.

use super::role::Role;
use super::{LineResult, Reader};
use crate::fortran::body::{self, Body};
use crate::fortran::cursor::Cursor;
use crate::fortran::terminal::Start;
use crate::fortran::token::Shape;
use crate::fortran::tree::StatementKind;

/// True if a designator and `=` or `=>` come next.
pub fn is_assignment(cursor: Cursor<'_>) -> bool {
    let Some(equals) = after_designator(cursor) else { return false };
    match equals.shape() {
        Some(Shape::Equals) => !begins_loop(cursor, equals),
        Some(Shape::Arrow) => true,
        _ => false,
    }
}

/// Skips `a%b(1)[2]`.
fn after_designator(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    cursor.word()?;
    cursor.advance();
    loop {
        match cursor.shape()? {
            Shape::Open | Shape::OpenBracket => drop(cursor.take_brackets()?),
            Shape::Percent | Shape::Dot => {
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
    /// The assignment, if it is one.
    pub(super) fn assignment(&mut self, cursor: Cursor<'_>) -> Option<LineResult<Role>> {
        // `PROCEDURE A => B` and `ENUMERATOR A = 1` are one word each in fixed form.
        let declares = self.line_context.derived_type || self.line_context.enumeration;
        if declares && cursor.fixed || !is_assignment(cursor) {
            return None;
        }
        if self.line_context.specification && is_old_parameter(cursor) {
            return None;
        }
        Some(assignment(cursor).map(Role::Plain))
    }
}

fn assignment(cursor: Cursor<'_>) -> LineResult<StatementKind> {
    Ok(match body::read(cursor, Start::Assignment)? {
        Body::Assignment { target, value } => StatementKind::Assignment { target, value },
        Body::PointerAssignment { target, value } => StatementKind::PointerAssignment { target, value },
        _ => StatementKind::Unknown,
    })
}

/// `PARAMETER N = 10` without brackets. In fixed form `PARAMETERN` written as one word is a name.
fn is_old_parameter(mut cursor: Cursor<'_>) -> bool {
    let Some(token) = cursor.peek() else { return false };
    let joined = token.to - token.from == token.end - token.start;
    !joined && cursor.take(&["parameter"]) && cursor.word().is_some()
}
