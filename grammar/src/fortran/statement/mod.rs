//! From the tokens of a line to what it says.
//!
//! In: a cursor at the first token, and among what the line stands. Out: the role that the line plays, and what
//! was wrong with it. Holds afterwards: a line that opens or closes something does so even when the
//! rest of it makes no sense, so that one fault costs one line.

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
use self::role::{Role, Scene};
use super::cursor::Cursor;
use super::explain::{self, Trouble};
use super::logical::At;
use super::token::Shape;
use super::tree::{Expr, ExprKind, Name, StatementKind};

/// A line after reading.
#[derive(Debug)]
pub struct Read {
    pub name: Option<Name>,
    /// Without the construct name.
    pub at: At,
    pub role: Role,
    pub troubles: Vec<Trouble>,
}

/// Reads one line.
pub fn read(mut cursor: Cursor<'_>, scene: Scene) -> Read {
    let mut name = construct_name(&mut cursor);
    let at = cursor.at();
    let mut reader = Reader { scene, troubles: Vec::new() };
    let role = match cursor.lexed.fault {
        Some(fault) if !tolerates_faults(cursor) => {
            let mut role = reader.role(cursor).unwrap_or(Role::Plain(StatementKind::Unknown));
            if let Role::Plain(kind) = &mut role {
                *kind = StatementKind::Unknown;
            }
            reader.troubles = vec![explain::tokens(cursor.lexed, fault)];
            role
        }
        _ => reader.role(cursor).unwrap_or_else(|trouble| {
            reader.troubles.push(trouble);
            Role::Plain(StatementKind::Unknown)
        }),
    };
    if !matches!(role, Role::Opens(_)) {
        name = None;
    }
    Read { name, at, role, troubles: reader.troubles }
}

fn no_statement(cursor: Cursor<'_>) -> Trouble {
    let Some(word) = cursor.word().filter(|word| word.len() < 32) else {
        return Trouble::here(cursor, "expected a statement");
    };
    let at = cursor.place();
    let end = cursor.peek().map_or(at, |token| token.to);
    Trouble::new("C0210", at, end, format!("`{word}` begins no statement"))
        .help("is a `=` missing, or a keyword misspelled?")
}

/// `name:` in front of a construct.
fn construct_name(cursor: &mut Cursor<'_>) -> Option<Name> {
    let mut next = *cursor;
    let name = next.take_name()?;
    if !next.eat(Shape::Colon) || next.is_done() {
        return None;
    }
    *cursor = next;
    Some(name)
}

/// Brackets mean nothing in a `FORMAT`, and `OPERATOR (/)` has them in its own way.
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

/// Reads the parts of one line.
struct Reader {
    scene: Scene,
    troubles: Vec<Trouble>,
}

type Found<T> = Result<T, Trouble>;

impl Reader {
    fn role(&mut self, cursor: Cursor<'_>) -> Found<Role> {
        if let Some(role) = self.assignment(cursor) {
            return role;
        }
        if let Some(role) = self.ending(cursor) {
            return Ok(role);
        }
        if let Some(role) = self.header(cursor) {
            return Ok(role);
        }
        let scene = self.scene;
        let mut rest = cursor;
        let keyword = keyword::take(&mut rest, |keyword| match keyword {
            Keyword::TypeIs | Keyword::ClassIs | Keyword::ClassDefault => scene.select_type,
            Keyword::Rank | Keyword::RankDefault => scene.select_rank,
            Keyword::Enumerator => scene.enumeration,
            Keyword::Final | Keyword::Generic => scene.derived_type,
            Keyword::Map | Keyword::Union => scene.derived_type,
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

    /// What may stand behind `IF (…)`, `WHERE (…)`, `FORALL (…)`.
    fn sub_action(&mut self, cursor: Cursor<'_>) -> Found<StatementKind> {
        match self.role(cursor)? {
            Role::Plain(
                StatementKind::LogicalIf { .. } | StatementKind::Format | StatementKind::Data(_),
            ) => Err(Trouble::here(cursor, "expected an action")),
            Role::Plain(kind) => Ok(kind),
            _ => Err(Trouble::here(cursor, "expected an action")),
        }
    }

    /// An expression without which the line still has its role.
    fn expression(&mut self, cursor: Cursor<'_>) -> Expr {
        match super::body::expression(cursor) {
            Ok(expr) => expr,
            Err(trouble) => {
                self.troubles.push(trouble);
                Expr { at: cursor.at(), kind: ExprKind::Other(Vec::new()) }
            }
        }
    }

    /// Something without which the line still has its role.
    fn or_nothing<T: Default>(&mut self, found: Found<T>) -> T {
        found.unwrap_or_else(|trouble| {
            self.troubles.push(trouble);
            T::default()
        })
    }

    /// Complains when something is left.
    fn done(&mut self, cursor: Cursor<'_>) {
        if !cursor.is_done() {
            self.troubles.push(Trouble::here(cursor, "expected the end of the statement"));
        }
    }
}
