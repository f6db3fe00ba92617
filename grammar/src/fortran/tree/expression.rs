//! Expressions.
//!
//! Input: nothing; these are types.
//! Postcondition: each expression has its range of a logical line.

use super::{LabelUse, Name, TypeSpec};
use crate::fortran::logical::At;

#[derive(Debug)]
pub struct Expr {
    pub at: At,
    pub kind: ExprKind,
}

#[derive(Debug)]
pub enum ExprKind {
    Literal(Literal),
    Name(Name),
    /// `a(i, j)`: an element, a section, a substring, a function reference, a structure constructor.
    Reference {
        base: Box<Expr>,
        arguments: Vec<Argument>,
    },
    /// `base%name`
    Component {
        base: Box<Expr>,
        name: Name,
    },
    Unary {
        operator: Operator,
        operand: Box<Expr>,
    },
    Binary {
        operator: Operator,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Parenthesized(Box<Expr>),
    ArrayConstructor {
        spec: Option<Box<TypeSpec>>,
        items: Vec<Expr>,
    },
    /// `(items, i = first, last, step)`
    ImpliedDo {
        items: Vec<Expr>,
        variable: Name,
        bounds: Vec<Expr>,
    },
    /// Ignored except for the expressions inside: image selectors, statement labels of formats.
    Other(Vec<Expr>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// Digits. The kind as written: digits or a name.
    Integer {
        kind: Option<String>,
    },
    Real {
        double: bool,
        kind: Option<String>,
    },
    Complex,
    Logical {
        value: bool,
        kind: Option<String>,
    },
    /// Length in bytes.
    Character {
        length: u32,
    },
    Hollerith {
        length: u32,
    },
    /// `Z'FF'`
    Boz,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Concatenate,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Not,
    And,
    Or,
    Equivalent,
    NotEquivalent,
    /// `.name.`
    Defined(String),
}

/// The text between commas in parentheses.
#[derive(Debug)]
pub struct Argument {
    pub keyword: Option<Name>,
    pub at: At,
    pub kind: ArgumentKind,
}

#[derive(Debug)]
pub enum ArgumentKind {
    Value(Expr),
    /// `lower:upper:stride` of a section, a substring or a case.
    Range {
        lower: Option<Box<Expr>>,
        upper: Option<Box<Expr>>,
        stride: Option<Box<Expr>>,
    },
    /// `*10`, `&10`
    AlternateReturn(LabelUse),
    /// `*` alone: a unit or a format.
    Star,
}
