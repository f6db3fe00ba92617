//! Parses the rest of a statement after its keyword with the grammar.
//!
//! Input: a cursor at the first token, and what to parse.
//! Output: the body, or the error and its position.

use super::cursor::Cursor;
use super::declaration::{common, type_of_expression, Declared, Member, Selector};
use super::explain::{self, LineError};
use super::expression::{self, Built, Context};
use super::terminal::{Start, Terminals};
use super::tree::{Argument, Attribute, CommonBlock, Entity, Expr, Name};

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused)]
    grammar,
    "/fortran/grammar.rs"
);

/// The result of the grammar. Its variant corresponds to the requested start symbol.
#[derive(Debug)]
pub enum Body {
    Expression(Expr),
    Assignment { target: Expr, value: Expr },
    PointerAssignment { target: Expr, value: Expr },
    Arguments(Vec<Argument>),
    Io { controls: Vec<Argument>, items: Vec<Expr> },
    Loop { variable: Name, start: Expr, end: Expr, step: Option<Box<Expr>> },
    Selector(Selector),
    Declared(Declared),
    Entities(Vec<Entity>),
    Common(Vec<CommonBlock>),
    Lists(Vec<Vec<Expr>>),
    Constants(Vec<(Name, Expr)>),
    Associations(Vec<(Name, Expr)>),
}

impl Body {
    /// `(type :: objects)`. Only the presence of the type matters.
    pub fn typed_allocation(spec: Expr, arguments: Vec<Argument>) -> Built<Box<Body>> {
        type_of_expression(spec).map(|_| Box::new(Body::Arguments(arguments)))
    }

    pub fn common(first: Member, rest: Vec<Member>) -> Box<Body> {
        let mut members = vec![first];
        members.extend(rest);
        Box::new(Body::Common(common(members)))
    }

    pub fn declared(
        selector: Option<Box<Selector>>,
        attributes: Vec<Attribute>,
        entities: Vec<Entity>,
    ) -> Box<Body> {
        let selector = selector.map(|selector| *selector);
        Box::new(Body::Declared(Declared { selector, attributes, entities }))
    }
}

/// Parses the rest of the cursor.
///
/// # Errors
/// What was found, and what was expected.
pub fn read(cursor: Cursor<'_>, start: Start) -> Result<Body, LineError> {
    // If there is no fault, brackets match and no tree is too high.
    if let Some(fault) = cursor.lexed.fault {
        return Err(explain::tokens(cursor.lexed, fault));
    }
    let context = Context { line: cursor.line };
    let terminals = Terminals::new(cursor, start);
    match grammar::BodyParser::new().parse(context, terminals) {
        Ok(body) => Ok(*body),
        Err(error) => Err(explain::body(cursor, error)),
    }
}

pub fn expression(cursor: Cursor<'_>) -> Result<Expr, LineError> {
    match read(cursor, Start::Expression)? {
        Body::Expression(expr) => Ok(expr),
        _ => Err(LineError::here(cursor, "expected an expression")),
    }
}

/// `(a, k=b, 1:2)`, including the brackets.
pub fn arguments(cursor: Cursor<'_>) -> Result<Vec<Argument>, LineError> {
    match read(cursor, Start::Arguments)? {
        Body::Arguments(arguments) => Ok(arguments),
        _ => Err(LineError::here(cursor, "expected `(`")),
    }
}

/// Like `arguments` but without brackets. Ranges and keyword arguments are split into their expressions.
pub fn values(cursor: Cursor<'_>) -> Result<Vec<Expr>, LineError> {
    if cursor.is_done() {
        return Ok(Vec::new());
    }
    match read(cursor, Start::List)? {
        Body::Arguments(arguments) => Ok(expression::values(arguments)),
        _ => Err(LineError::here(cursor, "expected an expression")),
    }
}

pub fn entities(cursor: Cursor<'_>) -> Result<Vec<Entity>, LineError> {
    match read(cursor, Start::Entities)? {
        Body::Entities(entities) => Ok(entities),
        _ => Err(LineError::here(cursor, "expected a name")),
    }
}
