//! Reads what stands behind a keyword with the grammar.
//!
//! In: a cursor at the first token, and what to read. Out: the body, or where and why it is none.

use super::cursor::Cursor;
use super::declaration::{common, type_of_expression, Declared, Member, Selector};
use super::expression::{self, Built, Context};
use super::explain::{self, Trouble};
use super::terminal::{Start, Terminals};
use super::tree::{Argument, Attribute, CommonBlock, Entity, Expr, Name};

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused)]
    grammar,
    "/fortran/grammar.rs"
);

/// What the grammar reads; which one, the start that it was asked for says.
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
    /// `(type :: objects)`: the type matters no more than that it is one.
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

/// Reads all that the cursor still has.
///
/// # Errors
/// What was found where something else was expected.
pub fn read(cursor: Cursor<'_>, start: Start) -> Result<Body, Trouble> {
    // Without faults, brackets match, and no tree is too high.
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

pub fn expression(cursor: Cursor<'_>) -> Result<Expr, Trouble> {
    match read(cursor, Start::Expression)? {
        Body::Expression(expr) => Ok(expr),
        _ => Err(Trouble::here(cursor, "expected an expression")),
    }
}

/// `(a, k=b, 1:2)`, brackets included.
pub fn arguments(cursor: Cursor<'_>) -> Result<Vec<Argument>, Trouble> {
    match read(cursor, Start::Arguments)? {
        Body::Arguments(arguments) => Ok(arguments),
        _ => Err(Trouble::here(cursor, "expected `(`")),
    }
}

/// The same without brackets, ranges and keywords taken apart.
pub fn values(cursor: Cursor<'_>) -> Result<Vec<Expr>, Trouble> {
    if cursor.is_done() {
        return Ok(Vec::new());
    }
    match read(cursor, Start::List)? {
        Body::Arguments(arguments) => Ok(expression::values(arguments)),
        _ => Err(Trouble::here(cursor, "expected an expression")),
    }
}

pub fn entities(cursor: Cursor<'_>) -> Result<Vec<Entity>, Trouble> {
    match read(cursor, Start::Entities)? {
        Body::Entities(entities) => Ok(entities),
        _ => Err(Trouble::here(cursor, "expected a name")),
    }
}
