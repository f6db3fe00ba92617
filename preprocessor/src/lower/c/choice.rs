//! Conditions. Expressions that are evaluated only in some cases are in separate blocks.

use cppc_analysis::program::{Affine, BlockId, Comparison, Condition, Terminator, Value};
use cppc_grammar::c::tree::{BinaryOperator, Expr, ExprKind, UnaryOperator};

use super::body::Body;
use crate::bind::c::Kind;

impl Body<'_, '_, '_> {
    /// Ends the current block with a jump, unless it has ended.
    pub fn jump(&mut self, block: BlockId) {
        if !self.builder.terminated() {
            self.builder.terminate(Terminator::Jump(block));
        }
    }

    /// Evaluates a condition and ends the block with a branch.
    pub fn branch(&mut self, expr: &Expr, then: BlockId, otherwise: BlockId) {
        if let Some(value) = self.constant(expr) {
            return self.jump_from_here(if value != 0 { then } else { otherwise });
        }
        match &expr.kind {
            ExprKind::Paren(inner) => self.branch(inner, then, otherwise),
            ExprKind::Unary { operator: UnaryOperator::Extension, operand } => {
                self.branch(operand, then, otherwise)
            }
            ExprKind::Unary { operator: UnaryOperator::Not, operand } => {
                self.branch(operand, otherwise, then)
            }
            ExprKind::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
            } => {
                let second = self.builder.new_block();
                match operator {
                    BinaryOperator::And => self.branch(left, second, otherwise),
                    _ => self.branch(left, then, second),
                }
                self.builder.switch_to(second);
                self.branch(right, then, otherwise);
            }
            ExprKind::Comma(first, last) => {
                self.discard(first);
                self.branch(last, then, otherwise);
            }
            ExprKind::Call { callee, arguments } if self.is_expectation(callee) && !arguments.is_empty() => {
                for hint in &arguments[1..] {
                    self.discard(hint);
                }
                self.branch(&arguments[0], then, otherwise);
            }
            ExprKind::Cast { operand, .. }
                if self.bound().type_of(expr.id).is_integer() && self.is_comparison(operand) =>
            {
                self.branch(operand, then, otherwise);
            }
            _ => {
                let read_before = self.evaluated.len();
                let condition = self.condition(expr);
                self.evaluated.truncate(read_before);
                let is_unsigned = match &expr.kind {
                    ExprKind::Binary { left, right, .. } => self.compares_as_unsigned(left, right),
                    _ => false,
                };
                if condition.is_none() || is_unsigned {
                    let computed = self.computed(expr);
                    self.builder.set_condition(computed);
                }
                self.end_block(Terminator::Branch { condition, then, otherwise });
            }
        }
    }

    fn jump_from_here(&mut self, block: BlockId) {
        self.end_block(Terminator::Jump(block));
    }

    pub fn end_block(&mut self, terminator: Terminator) {
        self.builder.terminate(terminator);
    }

    fn is_comparison(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Paren(inner) => self.is_comparison(inner),
            ExprKind::Binary { operator, .. } => {
                comparison(*operator).is_some()
                    || matches!(operator, BinaryOperator::And | BinaryOperator::Or)
            }
            ExprKind::Unary { operator, .. } => *operator == UnaryOperator::Not,
            _ => false,
        }
    }

    /// Emits the operands of a condition.
    fn condition(&mut self, expr: &Expr) -> Option<Condition> {
        if let ExprKind::Binary { operator, left, right } = &expr.kind {
            if let Some(comparison) = comparison(*operator) {
                let (first, second) = (self.value(left), self.value(right));
                let (Value::Affine(first), Value::Affine(second)) = (first, second) else { return None };
                let is_exact = self.compares_as_integers(left, right);
                return is_exact.then_some(Condition { left: first, comparison, right: second });
            }
        }
        let is_integer = self.integer(self.bound().type_of(expr.id)).is_some();
        match self.value(expr) {
            Value::Affine(left) if is_integer => {
                Some(Condition { left, comparison: Comparison::NotEqual, right: Affine::constant(0) })
            }
            _ => None,
        }
    }

    /// Whether C compares the two values without changing them. A negative value that becomes unsigned is
    /// changed.
    pub fn compares_as_integers(&self, left: &Expr, right: &Expr) -> bool {
        let signed = |expr: &Expr| {
            let ty = self.bound().value_type(expr.id);
            match (self.constant(expr), &ty.kind) {
                (Some(0..), _) => None,
                (_, Kind::Basic(_) | Kind::Enum(_)) => {
                    self.integer(&ty).map(|found| found.signed || found.bits < 32)
                }
                _ => None,
            }
        };
        match (signed(left), signed(right)) {
            (Some(left), Some(right)) => left == right,
            _ => true,
        }
    }

    /// Evaluates a condition for its reads and effects only.
    pub fn truth(&mut self, expr: &Expr) {
        let skips = |expr: &Expr| {
            matches!(expr.kind, ExprKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, .. })
        };
        let mut inner = expr;
        while let ExprKind::Paren(within)
        | ExprKind::Unary { operator: UnaryOperator::Not, operand: within } = &inner.kind
        {
            inner = within;
        }
        if skips(inner) {
            let after = self.builder.new_block();
            self.branch(inner, after, after);
            self.builder.switch_to(after);
        } else {
            self.value(inner);
        }
    }

    /// Lowers one of two parts, depending on a condition.
    pub fn either(
        &mut self,
        condition: &Expr,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let (yes, no, after) = (self.builder.new_block(), self.builder.new_block(), self.builder.new_block());
        self.branch(condition, yes, no);
        self.builder.switch_to(yes);
        then(self);
        self.jump(after);
        self.builder.switch_to(no);
        otherwise(self);
        self.jump(after);
        self.builder.switch_to(after);
    }

    /// `condition ? then : otherwise` of numbers, and of types that are not known.
    pub fn alternatives(
        &mut self,
        expr: &Expr,
        condition: &Expr,
        then: Option<&Expr>,
        otherwise: &Expr,
    ) -> Value {
        match (then, self.constant(condition)) {
            (Some(then), Some(1..)) => return self.value(then),
            (_, Some(0)) => return self.value(otherwise),
            _ => {}
        }
        let Some(then) = then else {
            // `a ?: b` evaluates `a` once.
            let value = self.value(condition);
            let (no, after) = (self.builder.new_block(), self.builder.new_block());
            self.end_block(Terminator::Branch { condition: None, then: after, otherwise: no });
            self.builder.switch_to(no);
            self.discard(otherwise);
            self.jump(after);
            self.builder.switch_to(after);
            return if matches!(value, Value::Affine(_) | Value::Data) {
                Value::Data
            } else {
                Value::Unknown
            };
        };
        self.either(condition, |body| body.discard(then), |body| body.discard(otherwise));
        let ty = self.bound().type_of(expr.id);
        if ty.is_arithmetic() || ty.is_void() {
            Value::Data
        } else {
            Value::Unknown
        }
    }
}

pub(super) fn comparison(operator: BinaryOperator) -> Option<Comparison> {
    Some(match operator {
        BinaryOperator::Less => Comparison::Less,
        BinaryOperator::LessEqual => Comparison::LessOrEqual,
        BinaryOperator::Greater => Comparison::Greater,
        BinaryOperator::GreaterEqual => Comparison::GreaterOrEqual,
        BinaryOperator::Equal => Comparison::Equal,
        BinaryOperator::NotEqual => Comparison::NotEqual,
        _ => return None,
    })
}
