//! The headers of constructs and the statements that divide them.
//!
//! Input: the keyword and the text after it.
//! Output: an opening or a divider.
//! Postcondition: a header with an invalid expression still opens its construct.

use super::keyword::Keyword;
use super::role::{Divider, DividerKind, Opening, Role};
use super::{LineResult, Reader};
use crate::fortran::body::{self, Body};
use crate::fortran::cursor::Cursor;
use crate::fortran::explain::LineError;
use crate::fortran::terminal::Start;
use crate::fortran::token::Shape;
use crate::fortran::tree::{
    ConstructKind, DoControl, DoKind, Expr, ExprKind, Name, Statement, StatementKind,
};

impl Reader {
    /// `None` if the keyword does not begin a construct.
    pub(super) fn construct(&mut self, keyword: Keyword, rest: Cursor<'_>) -> Option<LineResult<Role>> {
        Some(match keyword {
            Keyword::If => self.conditional(rest),
            Keyword::ElseIf => self.else_if(rest),
            Keyword::Else => Ok(self.divider(DividerKind::Else, rest)),
            Keyword::Do => self.repetition(rest),
            Keyword::SelectCase => self.select(rest, Select::Case),
            Keyword::SelectType => self.select(rest, Select::Type),
            Keyword::SelectRank => self.select(rest, Select::Rank),
            Keyword::Case => self.cases(rest, DividerKind::Case),
            Keyword::CaseDefault => Ok(self.divider(DividerKind::Case, rest)),
            Keyword::TypeIs | Keyword::ClassIs => self.guard(rest, DividerKind::Type),
            Keyword::ClassDefault => Ok(self.divider(DividerKind::Type, rest)),
            Keyword::Rank => self.guard(rest, DividerKind::Rank),
            Keyword::RankDefault => Ok(self.divider(DividerKind::Rank, rest)),
            Keyword::Where => self.masked("where", rest),
            Keyword::Forall => self.masked("forall", rest),
            Keyword::ElseWhere => self.else_where(rest),
            Keyword::Block if rest.is_done() => Ok(opens(ConstructKind::Block)),
            Keyword::Associate => self.associate(rest),
            Keyword::Critical => Ok(self.critical(rest)),
            Keyword::ChangeTeam => self.change_team(rest),
            _ => return None,
        })
    }

    /// `IF (…)`: a construct, labels, or an action.
    fn conditional(&mut self, mut rest: Cursor<'_>) -> LineResult<Role> {
        let Some(inside) = rest.take_brackets() else {
            return Err(LineError::here(rest, "expected `(`"));
        };
        let mut then = rest;
        if then.take_whole("then") && then.is_done() {
            let condition = Some(self.expression(inside));
            return Ok(Role::Opens(Opening { kind: ConstructKind::If, condition }));
        }
        let value = self.expression(inside);
        if matches!(rest.shape(), Some(Shape::Number(_))) {
            let labels = super::action::labels(rest)?;
            return Ok(Role::Plain(StatementKind::ArithmeticIf { value, labels }));
        }
        let at = rest.at();
        let kind = self.sub_action(rest)?;
        let action = Box::new(Statement { line: rest.line, label: None, at, kind });
        Ok(Role::Plain(StatementKind::LogicalIf { condition: value, action }))
    }

    fn else_if(&mut self, mut rest: Cursor<'_>) -> LineResult<Role> {
        let Some(inside) = rest.take_brackets() else {
            return Err(LineError::here(rest, "expected `(`"));
        };
        let condition = Some(self.expression(inside));
        if !rest.take(&["then"]) {
            self.errors.push(LineError::here(rest, "expected `then`"));
        }
        let name = rest.take_name();
        self.done(rest);
        Ok(Role::Divides(Divider { kind: DividerKind::Else, name, condition, cases: None }))
    }

    /// A divider with only a name after it.
    fn divider(&mut self, kind: DividerKind, mut rest: Cursor<'_>) -> Role {
        let name = rest.take_name();
        self.done(rest);
        Role::Divides(Divider { kind, name, condition: None, cases: None })
    }

    fn cases(&mut self, mut rest: Cursor<'_>, kind: DividerKind) -> LineResult<Role> {
        let from = rest;
        if rest.take_brackets().is_none() {
            return Err(LineError::here(rest, "expected `(` or `default`"));
        }
        let cases = body::arguments(from.until(rest));
        let cases = Some(self.or_nothing(cases));
        let name = rest.take_name();
        self.done(rest);
        Ok(Role::Divides(Divider { kind, name, condition: None, cases }))
    }

    /// `TYPE IS (…)`, `RANK (…)`. The text in the brackets contains no expression.
    fn guard(&mut self, mut rest: Cursor<'_>, kind: DividerKind) -> LineResult<Role> {
        if rest.take_brackets().is_none() {
            return Err(LineError::here(rest, "expected `(`"));
        }
        Ok(self.divider(kind, rest))
    }

    fn select(&mut self, mut rest: Cursor<'_>, what: Select) -> LineResult<Role> {
        let Some(mut inside) = rest.take_brackets() else {
            return Err(LineError::here(rest, "expected `(`"));
        };
        self.done(rest);
        let associate = match what {
            Select::Case => None,
            Select::Type | Select::Rank => associate_name(&mut inside),
        };
        let selector = self.expression(inside);
        Ok(opens(match what {
            Select::Case => ConstructKind::SelectCase { selector },
            Select::Type => ConstructKind::SelectType { selector, associate },
            Select::Rank => ConstructKind::SelectRank { selector, associate },
        }))
    }

    /// `DO`, with or without a label.
    fn repetition(&mut self, mut rest: Cursor<'_>) -> LineResult<Role> {
        let label = rest.take_label();
        if label.is_some() {
            rest.eat(Shape::Comma);
        }
        let kind = self.loop_kind(rest)?;
        Ok(opens(ConstructKind::Do(DoControl { label, kind })))
    }

    fn loop_kind(&mut self, mut rest: Cursor<'_>) -> LineResult<DoKind> {
        if rest.is_done() {
            return Ok(DoKind::Forever);
        }
        // A comma is also allowed before `WHILE` and `CONCURRENT`.
        rest.eat(Shape::Comma);
        let mut next = rest;
        if next.take(&["while"]) {
            if let Some(inside) = next.take_brackets() {
                if next.is_done() {
                    return Ok(DoKind::While(self.expression(inside)));
                }
            }
        }
        let mut next = rest;
        if next.take(&["concurrent"]) {
            let from = next;
            if next.take_brackets().is_some() {
                let indices = indices(from.until(next));
                let mut expressions = self.or_nothing(indices);
                let localities = localities(next);
                expressions.extend(self.or_nothing(localities));
                return Ok(DoKind::Concurrent { expressions });
            }
        }
        match body::read(rest, Start::Loop) {
            Ok(Body::Loop { variable, start, end, step }) => {
                Ok(DoKind::Counted { variable, start, end, step: step.map(|step| *step) })
            }
            Ok(_) => Ok(DoKind::Forever),
            // With a name and `=` it is a loop with invalid bounds.
            Err(error) => {
                let mut next = rest;
                if next.take_name().is_none() || next.shape() != Some(Shape::Equals) {
                    return Err(error);
                }
                self.errors.push(error);
                Ok(DoKind::Forever)
            }
        }
    }

    /// `WHERE (mask)`, `FORALL (i=1:n)`: a construct, or a statement with an assignment.
    fn masked(&mut self, keyword: &str, mut rest: Cursor<'_>) -> LineResult<Role> {
        let from = rest;
        if rest.take_brackets().is_none() {
            return Err(LineError::here(rest, "expected `(`"));
        }
        let expressions = indices(from.until(rest));
        let expressions = self.or_nothing(expressions);
        let keyword = keyword.to_owned();
        if rest.is_done() {
            return Ok(opens(ConstructKind::Masked { keyword, expressions }));
        }
        let at = rest.at();
        let kind = self.sub_action(rest)?;
        let action = Some(Box::new(Statement { line: rest.line, label: None, at, kind }));
        Ok(Role::Plain(StatementKind::Masked { keyword, expressions, action }))
    }

    fn else_where(&mut self, mut rest: Cursor<'_>) -> LineResult<Role> {
        let inside = rest.take_brackets();
        let condition = inside.map(|inside| self.expression(inside));
        let name = rest.take_name();
        self.done(rest);
        Ok(Role::Divides(Divider { kind: DividerKind::ElseWhere, name, condition, cases: None }))
    }

    fn associate(&mut self, mut rest: Cursor<'_>) -> LineResult<Role> {
        let from = rest;
        if rest.take_brackets().is_none() {
            return Err(LineError::here(rest, "expected `(`"));
        }
        self.done(rest);
        let list = body::read(from.until(rest), Start::Associations).map(|body| match body {
            Body::Associations(list) => list,
            _ => Vec::new(),
        });
        let associations = self.or_nothing(list);
        Ok(opens(ConstructKind::Associate { associations }))
    }

    fn critical(&mut self, mut rest: Cursor<'_>) -> Role {
        rest.take_brackets();
        self.done(rest);
        opens(ConstructKind::Critical)
    }

    fn change_team(&mut self, mut rest: Cursor<'_>) -> LineResult<Role> {
        let Some(inside) = rest.take_brackets() else {
            return Err(LineError::here(rest, "expected `(`"));
        };
        self.done(rest);
        // `a[*] => b` among the values associates coarrays.
        let expressions = body::values(inside).unwrap_or_default();
        Ok(opens(ConstructKind::ChangeTeam { expressions }))
    }
}

#[derive(Clone, Copy)]
enum Select {
    Case,
    Type,
    Rank,
}

fn opens(kind: ConstructKind) -> Role {
    Role::Opens(Opening { kind, condition: None })
}

/// `name =>` before a selector.
fn associate_name(inside: &mut Cursor<'_>) -> Option<Name> {
    let mut next = *inside;
    let name = next.take_name()?;
    if !next.eat(Shape::Arrow) {
        return None;
    }
    *inside = next;
    Some(name)
}

/// `(integer :: i=1:n, mask)`: the variables, their bounds, and the mask.
fn indices(cursor: Cursor<'_>) -> LineResult<Vec<Expr>> {
    let mut whole = cursor;
    let Some(inside) = whole.take_brackets() else { return Ok(Vec::new()) };
    let mut typed = inside;
    let inside = if typed.skip_to(Shape::DoubleColon) && is_type(inside) {
        typed.advance();
        typed
    } else {
        inside
    };
    match body::read(inside, Start::List)? {
        Body::Arguments(arguments) => {
            let mut expressions = Vec::new();
            for argument in arguments {
                if let Some(name) = argument.keyword.clone() {
                    expressions.push(Expr { at: name.at, kind: ExprKind::Name(name) });
                }
                expressions.extend(crate::fortran::expression::values(vec![argument]));
            }
            Ok(expressions)
        }
        _ => Ok(Vec::new()),
    }
}

fn is_type(cursor: Cursor<'_>) -> bool {
    cursor.word().is_some_and(|word| word.starts_with("integer"))
}

/// `LOCAL (a) SHARED (b) REDUCE (+:c) DEFAULT (NONE)`: the variables.
fn localities(mut rest: Cursor<'_>) -> LineResult<Vec<Expr>> {
    let mut variables = Vec::new();
    while !rest.is_done() {
        let Some(word) = rest.take_name() else {
            return Err(LineError::here(rest, "expected a locality"));
        };
        let Some(mut inside) = rest.take_brackets() else {
            return Err(LineError::here(rest, "expected `(`"));
        };
        if word.text == "reduce" && inside.skip_to(Shape::Colon) {
            inside.advance();
        }
        if word.text != "default" {
            variables.extend(body::values(inside)?);
        }
    }
    Ok(variables)
}
