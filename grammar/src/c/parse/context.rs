//! The state that the actions of the grammar and the stream of terminals share while a unit is parsed.
//!
//! Postcondition: expressions are numbered densely over the accepted external declarations, and no tree is
//! higher than `HEIGHT_LIMIT`, so that walking or dropping a tree never exhausts the stack.

use std::cell::{Cell, RefCell};

use super::scope::{Class, Mark, Scope};
use super::symbol::Symbol;
use crate::c::token::{Name, Names, Token};
use crate::c::tree::{Expr, ExprId, ExprKind, External, Range};

/// The longest path from an external declaration to a leaf. Trees of this height can be walked and dropped
/// with the usual thread stack of two megabytes.
pub const HEIGHT_LIMIT: u32 = 3000;

/// An error other than an unexpected token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The token at which it was found.
    pub token: u32,
    pub kind: FaultKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// Brackets are nested too deeply.
    Nesting,
    /// A chain of operators, `else if` or labels is too long.
    Height,
    /// An `__attribute__`, `asm`… without its brackets, or with an unclosed bracket.
    Brackets,
    /// `struct s int`.
    TwoTypes,
    /// `short double`.
    WordsOfType,
    /// A body, or K&R parameters, after a declarator that does not declare a function.
    NotAFunction,
}

pub type ParseError = lalrpop_util::ParseError<u32, Symbol, Fault>;
pub type Built<T> = Result<T, ParseError>;

pub fn fault(token: u32, kind: FaultKind) -> ParseError {
    ParseError::User { error: Fault { token, kind } }
}

pub struct Context<'p> {
    pub tokens: &'p [Token],
    pub names: &'p Names,
    pub scope: RefCell<Scope>,
    /// The number of the next expression.
    expressions: Cell<u32>,
    /// Start and height of each finished node that is not yet enclosed by another.
    heights: RefCell<Vec<(u32, u32)>>,
    accepted: RefCell<Vec<External>>,
    /// The token after the last accepted external declaration.
    finished: Cell<u32>,
    accepted_expressions: Cell<u32>,
}

impl<'p> Context<'p> {
    pub fn new(tokens: &'p [Token], names: &'p Names, first_id: ExprId) -> Context<'p> {
        Context {
            tokens,
            names,
            scope: RefCell::new(Scope::new(names.len())),
            expressions: Cell::new(first_id.0),
            heights: RefCell::default(),
            accepted: RefCell::default(),
            finished: Cell::new(0),
            accepted_expressions: Cell::new(first_id.0),
        }
    }

    pub fn text(&self, token: u32) -> &'p str {
        self.tokens.get(token as usize).map_or("", |token| self.names.text(token.text))
    }

    pub fn class(&self, name: Name) -> Class {
        self.scope.borrow().class(name)
    }

    pub fn declare(&self, name: Name, class: Class) {
        self.scope.borrow_mut().declare(name, class);
    }

    pub fn mark(&self) -> Mark {
        self.scope.borrow().mark()
    }

    pub fn restore(&self, mark: Mark) {
        self.scope.borrow_mut().restore(mark);
    }

    /// Creates an expression without children.
    pub fn leaf(&self, start: u32, end: u32, kind: ExprKind) -> Expr {
        let id = self.expressions.get();
        self.expressions.set(id + 1);
        Expr { id: ExprId(id), range: Range { start, end }, kind }
    }

    /// Creates an expression with children.
    pub fn expression(&self, start: u32, end: u32, kind: ExprKind) -> Built<Expr> {
        let expression = self.leaf(start, end, kind);
        self.enclose(start, end)?;
        Ok(expression)
    }

    /// Records a node that encloses the finished nodes inside it. Nodes are built bottom-up and from left to
    /// right, so these are the last ones.
    pub fn enclose(&self, start: u32, end: u32) -> Built<()> {
        let mut heights = self.heights.borrow_mut();
        let mut height = 0;
        while let Some(&(inner_start, inner)) = heights.last() {
            if inner_start < start {
                break;
            }
            height = height.max(inner);
            heights.pop();
        }
        heights.push((start, height + 1));
        if height < HEIGHT_LIMIT {
            return Ok(());
        }
        Err(fault(end.saturating_sub(1), FaultKind::Height))
    }

    pub fn accept(&self, external: External, end: u32) {
        self.accepted.borrow_mut().push(external);
        self.finished.set(end);
        self.accepted_expressions.set(self.expressions.get());
        self.heights.borrow_mut().clear();
        self.scope.borrow_mut().commit();
    }

    /// Discards the external declaration that could not be finished.
    pub fn abandon(&self) {
        self.expressions.set(self.accepted_expressions.get());
        self.heights.borrow_mut().clear();
        self.scope.borrow_mut().roll_back();
    }

    pub fn finished(&self) -> u32 {
        self.finished.get()
    }

    /// The accepted declarations and the number of their expressions.
    pub fn into_accepted(self) -> (Vec<External>, u32) {
        (self.accepted.into_inner(), self.accepted_expressions.get())
    }
}
