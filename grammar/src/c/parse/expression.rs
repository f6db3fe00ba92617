//! Groups binary operators by precedence.
//!
//! Input: operands and operators from left to right; the grammar has one level for all of them.
//! Output: the tree.
//! Postcondition: operators of one level are left-associative.

use super::context::{Built, Context};
use super::symbol::Constant;
use crate::c::tree::{BinaryOperator, Expr, ExprKind};

/// Operands whose operators have not been applied yet, in order of increasing precedence.
#[derive(Debug)]
pub struct Chain {
    waiting: Vec<(Expr, BinaryOperator)>,
    last: Expr,
}

/// A chain that ends with an operator.
#[derive(Debug)]
pub struct Pending {
    waiting: Vec<(Expr, BinaryOperator)>,
}

impl Pending {
    pub fn first(operand: Expr, operator: BinaryOperator) -> Pending {
        Pending { waiting: vec![(operand, operator)] }
    }

    pub fn then(self, last: Expr) -> Chain {
        Chain { waiting: self.waiting, last }
    }
}

impl Chain {
    pub fn operator(self, context: &Context<'_>, operator: BinaryOperator) -> Built<Pending> {
        let chain = self.join(context, level(operator))?;
        let Chain { mut waiting, last } = chain;
        waiting.push((last, operator));
        Ok(Pending { waiting })
    }

    pub fn finish(self, context: &Context<'_>) -> Built<Expr> {
        Ok(self.join(context, 0)?.last)
    }

    /// Joins the operands whose operators have at least this precedence.
    fn join(mut self, context: &Context<'_>, down_to: u8) -> Built<Chain> {
        while let Some((left, operator)) = self.waiting.pop() {
            if level(operator) < down_to {
                self.waiting.push((left, operator));
                break;
            }
            let (start, end) = (left.range.start, self.last.range.end);
            let (left, right) = (Box::new(left), Box::new(self.last));
            self.last = context.expression(start, end, ExprKind::Binary { operator, left, right })?;
        }
        Ok(self)
    }
}

fn level(operator: BinaryOperator) -> u8 {
    match operator {
        BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => 10,
        BinaryOperator::Add | BinaryOperator::Subtract => 9,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => 8,
        BinaryOperator::Less
        | BinaryOperator::Greater
        | BinaryOperator::LessEqual
        | BinaryOperator::GreaterEqual => 7,
        BinaryOperator::Equal | BinaryOperator::NotEqual => 6,
        BinaryOperator::BitAnd => 5,
        BinaryOperator::BitXor => 4,
        BinaryOperator::BitOr => 3,
        BinaryOperator::And => 2,
        BinaryOperator::Or => 1,
    }
}

pub fn constant(constant: Constant) -> ExprKind {
    match constant {
        Constant::Integer(text) => ExprKind::Integer(text),
        Constant::Float(text) => ExprKind::Float(text),
        Constant::Character(text) => ExprKind::Character(text),
        Constant::Bool(value) => ExprKind::Bool(value),
        Constant::Null => ExprKind::Null,
    }
}
