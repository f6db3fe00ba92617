//! Executable statements other than assignments, input and output.

use super::keyword::Keyword;
use super::{LineResult, Reader};
use crate::fortran::body::{self, Body};
use crate::fortran::cursor::Cursor;
use crate::fortran::explain::LineError;
use crate::fortran::expression;
use crate::fortran::terminal::Start;
use crate::fortran::token::Shape;
use crate::fortran::tree::{Argument, ArgumentKind, Expr, ExprKind, LabelUse, StatementKind};

impl Reader {
    /// `None` if the keyword does not begin such a statement.
    pub(super) fn action(
        &mut self,
        keyword: Keyword,
        mut rest: Cursor<'_>,
    ) -> Option<LineResult<StatementKind>> {
        Some(match keyword {
            Keyword::Call => call(rest),
            Keyword::Goto => goto(rest),
            Keyword::Assign => assign(rest),
            Keyword::Return => optional(rest).map(StatementKind::Return),
            Keyword::Stop | Keyword::ErrorStop => stop(rest).map(StatementKind::Stop),
            Keyword::FailImage => Ok(StatementKind::Stop(None)),
            Keyword::Pause => Ok(StatementKind::Pause),
            Keyword::Continue => {
                self.done(rest);
                Ok(StatementKind::Continue)
            }
            Keyword::Cycle | Keyword::Exit => {
                let name = rest.take_name();
                self.done(rest);
                let cycle = keyword == Keyword::Cycle;
                Ok(if cycle { StatementKind::Cycle(name) } else { StatementKind::Exit(name) })
            }
            Keyword::Allocate | Keyword::Deallocate => allocation(keyword, rest),
            Keyword::Nullify => {
                body::arguments(rest).map(|list| StatementKind::Nullify(expression::values(list)))
            }
            Keyword::SyncAll
            | Keyword::SyncImages
            | Keyword::SyncMemory
            | Keyword::SyncTeam
            | Keyword::EventPost
            | Keyword::EventWait
            | Keyword::NotifyWait
            | Keyword::FormTeam
            | Keyword::Lock
            | Keyword::Unlock => other(rest),
            // `DEFINE FILE 10(100, 80, U, N)`
            Keyword::DefineFile => Ok(StatementKind::OtherExecutable { expressions: Vec::new() }),
            _ => return None,
        })
    }
}

fn call(rest: Cursor<'_>) -> LineResult<StatementKind> {
    let Body::Expression(designator) = body::read(rest, Start::Call)? else {
        return Err(LineError::here(rest, "expected a procedure"));
    };
    Ok(match designator.kind {
        ExprKind::Reference { base, arguments } => StatementKind::Call { procedure: *base, arguments },
        kind => {
            let procedure = Expr { at: designator.at, kind };
            StatementKind::Call { procedure, arguments: Vec::new() }
        }
    })
}

/// `GOTO 10`, `GOTO (10, 20), I`, `GOTO I, (10, 20)`
fn goto(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    if let Some(inside) = rest.take_brackets() {
        let labels = labels(inside)?;
        rest.eat(Shape::Comma);
        let selector = body::expression(rest)?;
        return Ok(StatementKind::ComputedGoto { labels, selector });
    }
    if let Some(label) = rest.take_label() {
        if !rest.is_done() {
            return Err(LineError::here(rest, "expected the end of the statement"));
        }
        return Ok(StatementKind::Goto(label));
    }
    let Some(variable) = rest.take_name() else {
        return Err(LineError::here(rest, "expected a label"));
    };
    rest.eat(Shape::Comma);
    let inside = rest.take_brackets();
    let labels = inside.map_or(Ok(Vec::new()), labels)?;
    if !rest.is_done() {
        return Err(LineError::here(rest, "expected the end of the statement"));
    }
    Ok(StatementKind::AssignedGoto { variable, labels })
}

/// `10, 20, 30`
pub(super) fn labels(mut rest: Cursor<'_>) -> LineResult<Vec<LabelUse>> {
    let mut labels = Vec::new();
    loop {
        let Some(label) = rest.take_label() else {
            return Err(LineError::here(rest, "expected a label"));
        };
        labels.push(label);
        if rest.is_done() {
            return Ok(labels);
        }
        if !rest.eat(Shape::Comma) {
            return Err(LineError::here(rest, "expected `,`"));
        }
    }
}

fn assign(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    let Some(label) = rest.take_label() else {
        return Err(LineError::here(rest, "expected a label"));
    };
    if !rest.take(&["to"]) {
        return Err(LineError::here(rest, "expected `to`"));
    }
    match rest.take_name().filter(|_| rest.is_done()) {
        Some(variable) => Ok(StatementKind::AssignLabel { label, variable }),
        None => Err(LineError::here(rest, "expected a variable")),
    }
}

fn optional(rest: Cursor<'_>) -> LineResult<Option<Expr>> {
    if rest.is_done() {
        return Ok(None);
    }
    body::expression(rest).map(Some)
}

/// `STOP`, `STOP code, QUIET=q`
fn stop(mut rest: Cursor<'_>) -> LineResult<Option<Expr>> {
    rest.eat(Shape::Comma);
    Ok(body::values(rest)?.into_iter().next())
}

fn allocation(keyword: Keyword, rest: Cursor<'_>) -> LineResult<StatementKind> {
    let typed = { rest }.take_brackets().is_some_and(|mut inside| inside.skip_to(Shape::DoubleColon));
    let arguments = if typed {
        match body::read(rest, Start::TypedAllocation)? {
            Body::Arguments(arguments) => arguments,
            _ => Vec::new(),
        }
    } else {
        body::arguments(rest)?
    };
    let (options, objects): (Vec<Argument>, Vec<Argument>) =
        arguments.into_iter().partition(|argument| argument.keyword.is_some());
    let stray = objects.iter().find(|object| !matches!(object.kind, ArgumentKind::Value(_)));
    if let Some(stray) = stray {
        let message = "this cannot be allocated";
        return Err(LineError::new("C0210", stray.at.start, stray.at.end, message));
    }
    let objects = expression::values(objects);
    Ok(match keyword {
        Keyword::Allocate => StatementKind::Allocate { objects, options },
        _ => StatementKind::Deallocate { objects, options },
    })
}

/// A statement of which only the expressions matter.
fn other(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    let from = rest;
    let expressions = match rest.take_brackets() {
        Some(_) => expression::values(body::arguments(from)?),
        None => Vec::new(),
    };
    Ok(StatementKind::OtherExecutable { expressions })
}
