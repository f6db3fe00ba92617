//! The grammar's actions for expressions.
//!
//! Input: operands and operators from left to right; the grammar has one level for all of them.
//! Output: trees.
//! Postcondition: operators are grouped by Fortran's levels, left-associative except for `**`.

use super::logical::{At, LineId};
use super::terminal::Infix;
use super::tree::{Argument, ArgumentKind, Expr, ExprKind, LabelUse, Literal, Name, Operator, TypeSpec};

/// The data that the actions of the grammar need: the line that is parsed.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    pub line: LineId,
}

/// The error is the end of a range of the line that an action rejects.
pub type Built<T> = Result<T, lalrpop_util::ParseError<u32, super::terminal::Terminal<'static>, ()>>;

impl Context {
    pub fn at(self, start: u32, end: u32) -> At {
        At { line: self.line, start, end }
    }

    pub fn expr(self, start: u32, kind: ExprKind, end: u32) -> Expr {
        Expr { at: self.at(start, end), kind }
    }

    pub fn name(self, start: u32, text: &str, end: u32) -> Name {
        Name { text: text.to_owned(), at: self.at(start, end) }
    }

    pub fn label(self, start: u32, text: &str, end: u32) -> LabelUse {
        LabelUse { value: text.parse().unwrap_or(0), at: self.at(start, end) }
    }

    pub fn argument(self, start: u32, kind: ArgumentKind, end: u32) -> Argument {
        Argument { keyword: None, at: self.at(start, end), kind }
    }
}

pub fn range(lower: Option<Expr>, upper: Option<Expr>, stride: Option<Expr>) -> ArgumentKind {
    ArgumentKind::Range {
        lower: lower.map(Box::new),
        upper: upper.map(Box::new),
        stride: stride.map(Box::new),
    }
}

pub fn integer(text: &str) -> ExprKind {
    ExprKind::Literal(Literal::Integer { kind: kind_of(text) })
}

pub fn real(text: &str, double: bool) -> ExprKind {
    ExprKind::Literal(Literal::Real { double, kind: kind_of(text) })
}

pub fn logical(text: &str) -> ExprKind {
    let value = text.starts_with(".true.");
    ExprKind::Literal(Literal::Logical { value, kind: kind_of(text) })
}

fn kind_of(text: &str) -> Option<String> {
    text.split_once('_').map(|(_, kind)| kind.to_owned())
}

/// An operator whose right operand has not been read yet. Without a left operand it is a prefix operator.
#[derive(Debug)]
struct Waiting {
    left: Option<Expr>,
    operator: Operator,
    level: u8,
    start: u32,
}

/// Operands whose operators have not been applied yet.
#[derive(Debug)]
pub struct Chain {
    waiting: Vec<Waiting>,
    last: Expr,
}

/// A chain that ends with an operator.
#[derive(Debug, Default)]
pub struct Pending {
    waiting: Vec<Waiting>,
}

impl Pending {
    pub fn prefix(mut self, start: u32, operator: Operator) -> Pending {
        let level = match operator {
            Operator::Not => NOT,
            Operator::Defined(_) => DEFINED_UNARY,
            _ => ADDITIVE,
        };
        self.waiting.push(Waiting { left: None, operator, level, start });
        self
    }

    pub fn then(self, last: Expr) -> Chain {
        Chain { waiting: self.waiting, last }
    }
}

impl Chain {
    pub fn of(operand: Expr) -> Chain {
        Chain { waiting: Vec::new(), last: operand }
    }

    pub fn operator(self, operator: Operator) -> Pending {
        let level = level(&operator);
        let right = operator == Operator::Power;
        let mut chain = self.join(if right { level + 1 } else { level });
        let start = chain.last.at.start;
        chain.waiting.push(Waiting { left: Some(chain.last), operator, level, start });
        Pending { waiting: chain.waiting }
    }

    pub fn finish(self) -> Expr {
        self.join(0).last
    }

    /// Joins the operands whose operators have at least this precedence.
    fn join(mut self, down_to: u8) -> Chain {
        while let Some(top) = self.waiting.pop() {
            if top.level < down_to {
                self.waiting.push(top);
                break;
            }
            let Waiting { left, operator, start, .. } = top;
            let at = At { start, ..self.last.at };
            let right = Box::new(self.last);
            let kind = match left {
                Some(left) => ExprKind::Binary { operator, left: Box::new(left), right },
                None => ExprKind::Unary { operator, operand: right },
            };
            self.last = Expr { at, kind };
        }
        self
    }
}

const NOT: u8 = 5;
const ADDITIVE: u8 = 8;
const DEFINED_UNARY: u8 = 11;

fn level(operator: &Operator) -> u8 {
    match operator {
        Operator::Defined(_) => 1,
        Operator::Equivalent | Operator::NotEquivalent => 2,
        Operator::Or => 3,
        Operator::And => 4,
        Operator::Not => NOT,
        Operator::Equal
        | Operator::NotEqual
        | Operator::Less
        | Operator::LessEqual
        | Operator::Greater
        | Operator::GreaterEqual => 6,
        Operator::Concatenate => 7,
        Operator::Add | Operator::Subtract => ADDITIVE,
        Operator::Multiply | Operator::Divide => 9,
        Operator::Power => 10,
    }
}

pub fn infix(operator: Infix) -> Operator {
    match operator {
        Infix::Power => Operator::Power,
        Infix::Equal => Operator::Equal,
        Infix::NotEqual => Operator::NotEqual,
        Infix::Less => Operator::Less,
        Infix::LessEqual => Operator::LessEqual,
        Infix::Greater => Operator::Greater,
        Infix::GreaterEqual => Operator::GreaterEqual,
        Infix::And => Operator::And,
        Infix::Or => Operator::Or,
        Infix::Equivalent => Operator::Equivalent,
        Infix::NotEquivalent => Operator::NotEquivalent,
    }
}

/// `.name.`, without its dots.
pub fn defined(text: &str) -> Operator {
    Operator::Defined(text.trim_matches('.').to_owned())
}

/// The text between commas in parentheses that do not belong to a name.
#[derive(Debug)]
pub enum Piece {
    Value(Expr),
    /// `i = 1` in an implied loop.
    Control(Box<(Name, Expr)>),
}

/// A complex number, an implied loop, or an expression in parentheses.
pub fn parenthesized(context: Context, start: u32, mut pieces: Vec<Piece>, end: u32) -> Built<Expr> {
    let control = pieces.iter().position(|piece| matches!(piece, Piece::Control(..)));
    let rest = control.map_or(Vec::new(), |control| pieces.split_off(control));
    let items: Vec<Expr> = pieces.into_iter().filter_map(value).collect();
    let mut rest = rest.into_iter();
    if let Some(Piece::Control(control)) = rest.next() {
        let (variable, first) = *control;
        let mut bounds = vec![first];
        let more = rest.len();
        bounds.extend(rest.filter_map(value));
        if items.is_empty() || bounds.len() != more + 1 || !(2..=3).contains(&bounds.len()) {
            return Err(at_fault(start));
        }
        return Ok(context.expr(start, ExprKind::ImpliedDo { items, variable, bounds }, end));
    }
    let count = items.len();
    let mut items = items.into_iter();
    match (items.next(), count) {
        (Some(item), 1) => Ok(context.expr(start, ExprKind::Parenthesized(Box::new(item)), end)),
        (Some(first), _) => {
            let parts: Vec<Expr> = std::iter::once(first).chain(items).collect();
            let complex = count == 2 && parts.iter().all(is_number);
            // A complex number of named constants, or a list in brackets as in old programs.
            let kind = if complex { ExprKind::Literal(Literal::Complex) } else { ExprKind::Other(parts) };
            Ok(context.expr(start, kind, end))
        }
        (None, _) => Err(at_fault(start)),
    }
}

/// True for a number with or without a sign.
fn is_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary { operand, .. } => matches!(operand.kind, ExprKind::Literal(_)),
        _ => false,
    }
}

fn value(piece: Piece) -> Option<Expr> {
    match piece {
        Piece::Value(expr) => Some(expr),
        Piece::Control(..) => None,
    }
}

pub fn at_fault(location: u32) -> lalrpop_util::ParseError<u32, super::terminal::Terminal<'static>, ()> {
    lalrpop_util::ParseError::InvalidToken { location }
}

/// `[type :: items]`
pub fn constructor(context: Context, start: u32, spec: Option<TypeSpec>, items: Vec<Expr>, end: u32) -> Expr {
    context.expr(start, ExprKind::ArrayConstructor { spec: spec.map(Box::new), items }, end)
}

/// The expressions in arguments. Ranges are split. Labels and stars contain none.
pub fn values(arguments: Vec<Argument>) -> Vec<Expr> {
    let mut values = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match argument.kind {
            ArgumentKind::Value(value) => values.push(value),
            ArgumentKind::Range { lower, upper, stride } => {
                values.extend([lower, upper, stride].into_iter().flatten().map(|bound| *bound));
            }
            ArgumentKind::AlternateReturn(_) | ArgumentKind::Star => {}
        }
    }
    values
}
