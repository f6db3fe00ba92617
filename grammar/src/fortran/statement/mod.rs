//! Parses the tokens of one line.
//!
//! Input: a cursor at the first token, and the context of the line.
//! Output: the role of the line, and the errors in it.
//! Postcondition: a line that opens or closes something does so even if the rest of it is invalid, so that
//! one error affects only one line.

pub mod keyword;
pub mod role;
mod action;
mod assignment;
mod construct;
mod declare;
mod ending;
mod header;
mod io;
mod specify;

use self::keyword::Keyword;
use self::role::{LineContext, Role};
use super::cursor::Cursor;
use super::explain::{self, LineError};
use super::logical::At;
use super::token::Shape;
use super::tree::{Expr, ExprKind, Name, StatementKind};

/// A parsed line.
#[derive(Debug)]
pub struct Read {
    pub name: Option<Name>,
    /// Without the construct name.
    pub at: At,
    pub role: Role,
    pub errors: Vec<LineError>,
}

/// Parses one line.
pub fn read(mut cursor: Cursor<'_>, line_context: LineContext) -> Read {
    let mut name = construct_name(&mut cursor);
    let at = cursor.at();
    let mut reader = Reader { line_context, errors: Vec::new() };
    let role = match cursor.lexed.fault {
        Some(fault) if !tolerates_faults(cursor) => {
            let mut role = reader.role(cursor).unwrap_or(Role::Plain(StatementKind::Unknown));
            if let Role::Plain(kind) = &mut role {
                *kind = StatementKind::Unknown;
            }
            reader.errors = vec![explain::tokens(cursor.lexed, fault)];
            role
        }
        _ => reader.role(cursor).unwrap_or_else(|error| {
            reader.errors.push(error);
            Role::Plain(StatementKind::Unknown)
        }),
    };
    if !matches!(role, Role::Opens(_)) {
        name = None;
    }
    Read { name, at, role, errors: reader.errors }
}

fn no_statement(cursor: Cursor<'_>) -> LineError {
    let Some(word) = cursor.word().filter(|word| word.len() < 32) else {
        return LineError::here(cursor, "expected a statement");
    };
    let at = cursor.place();
    let end = cursor.peek().map_or(at, |token| token.to);
    LineError::new("C0210", at, end, format!("`{word}` does not begin a statement"))
        .help("is a `=` missing, or a keyword misspelled?")
}

/// `name:` before a construct.
fn construct_name(cursor: &mut Cursor<'_>) -> Option<Name> {
    let mut next = *cursor;
    let name = next.take_name()?;
    if !next.eat(Shape::Colon) || next.is_done() {
        return None;
    }
    *cursor = next;
    Some(name)
}

/// Brackets in a `FORMAT` and in `OPERATOR (/)` need not match.
fn tolerates_faults(mut cursor: Cursor<'_>) -> bool {
    if assignment::is_assignment(cursor) {
        return false;
    }
    if { cursor }.take(&["end", "interface"]) {
        return true;
    }
    let keyword = keyword::take(&mut cursor, |_| true);
    matches!(
        keyword,
        Some(
            Keyword::Format
                | Keyword::Use
                | Keyword::Interface
                | Keyword::Public
                | Keyword::Private
                | Keyword::Generic
        )
    )
}

/// Parses the parts of one line.
struct Reader {
    line_context: LineContext,
    errors: Vec<LineError>,
}

type LineResult<T> = Result<T, LineError>;

impl Reader {
    fn role(&mut self, cursor: Cursor<'_>) -> LineResult<Role> {
        if let Some(role) = self.assignment(cursor) {
            return role;
        }
        if let Some(role) = self.ending(cursor) {
            return Ok(role);
        }
        if let Some(role) = self.header(cursor) {
            return Ok(role);
        }
        let line_context = self.line_context;
        let mut rest = cursor;
        let keyword = keyword::take(&mut rest, |keyword| match keyword {
            Keyword::TypeIs | Keyword::ClassIs | Keyword::ClassDefault => line_context.select_type,
            Keyword::Rank | Keyword::RankDefault => line_context.select_rank,
            Keyword::Enumerator => line_context.enumeration,
            Keyword::Final | Keyword::Generic => line_context.derived_type,
            Keyword::Map | Keyword::Union => line_context.derived_type,
            _ => true,
        });
        let Some(keyword) = keyword else {
            return Err(no_statement(cursor));
        };
        if let Some(role) = self.construct(keyword, rest) {
            return role;
        }
        if let Some(role) = self.specification(keyword, rest) {
            return role;
        }
        if let Some(kind) = self.io(keyword, rest) {
            return kind.map(Role::Plain);
        }
        match self.action(keyword, rest) {
            Some(kind) => kind.map(Role::Plain),
            None => Err(no_statement(cursor)),
        }
    }

    /// The statements that are allowed after `IF (…)`, `WHERE (…)`, `FORALL (…)`.
    fn sub_action(&mut self, cursor: Cursor<'_>) -> LineResult<StatementKind> {
        match self.role(cursor)? {
            Role::Plain(StatementKind::LogicalIf { .. } | StatementKind::Format | StatementKind::Data(_)) => {
                Err(LineError::here(cursor, "expected an action"))
            }
            Role::Plain(kind) => Ok(kind),
            _ => Err(LineError::here(cursor, "expected an action")),
        }
    }

    /// Parses an expression. If it is invalid, the line keeps its role.
    fn expression(&mut self, cursor: Cursor<'_>) -> Expr {
        match super::body::expression(cursor) {
            Ok(expr) => expr,
            Err(error) => {
                self.errors.push(error);
                Expr { at: cursor.at(), kind: ExprKind::Other(Vec::new()) }
            }
        }
    }

    /// Returns the result or a default. If it is invalid, the line keeps its role.
    fn or_nothing<T: Default>(&mut self, found: LineResult<T>) -> T {
        found.unwrap_or_else(|error| {
            self.errors.push(error);
            T::default()
        })
    }

    /// Reports an error if text remains.
    fn done(&mut self, cursor: Cursor<'_>) {
        if !cursor.is_done() {
            self.errors.push(LineError::here(cursor, "expected the end of the statement"));
        }
    }
}
