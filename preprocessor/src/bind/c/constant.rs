//! Integer constant expressions, as far as array bounds, enumerators and case labels need them.
//!
//! Input: an expression whose parts are typed.
//! Output: its value, wrapped to its type.
//! Postcondition: None when it is no constant or when we are not sure.

use cppc_grammar::c::tree::{Basic, BinaryOperator, Expr, ExprKind, UnaryOperator};

use super::binder::Binder;
use super::layout::layout;
use super::literals;
use super::operators::{arithmetic, compatible, is_unsigned, width};
use super::symbols::SymbolKind;
use super::types::{Kind, Type};

impl Binder<'_> {
    pub(super) fn constant(&self, expr: &Expr) -> Option<i128> {
        let value = match &expr.kind {
            ExprKind::Integer(text) => literals::integer(self.text(*text)).1?,
            ExprKind::Character(text) => literals::character(self.text(*text)).1?,
            ExprKind::Bool(value) => i128::from(*value),
            ExprKind::Ident(_) => {
                let symbol = self.symbol(self.binding(expr)?);
                (symbol.kind == SymbolKind::EnumConstant).then_some(symbol.value)??
            }
            ExprKind::Paren(inner) => self.constant(inner)?,
            ExprKind::Unary { operator, operand } => self.constant_unary(*operator, operand)?,
            ExprKind::Binary { operator, left, right } => self.constant_binary(*operator, left, right)?,
            ExprKind::Conditional { condition, then, otherwise } => {
                let chosen = self.constant(condition)?;
                match (chosen != 0, then) {
                    (true, Some(then)) => self.constant(then)?,
                    (true, None) => chosen,
                    (false, _) => self.constant(otherwise)?,
                }
            }
            ExprKind::Cast { operand, .. } => self.constant(operand)?,
            ExprKind::SizeofExpr(operand) => i128::from(layout(self.type_of(operand.id), &self.tables)?.size),
            ExprKind::AlignofExpr(operand) => {
                i128::from(layout(self.type_of(operand.id), &self.tables)?.align)
            }
            ExprKind::SizeofType(_) => {
                i128::from(layout(self.operand_types.get(&expr.id)?, &self.tables)?.size)
            }
            ExprKind::AlignofType(_) => {
                i128::from(layout(self.operand_types.get(&expr.id)?, &self.tables)?.align)
            }
            ExprKind::Choose(condition, then, otherwise) => {
                self.constant(if self.constant(condition)? != 0 { then } else { otherwise })?
            }
            ExprKind::TypesCompatible(..) => i128::from(self.types_compatible(expr)?),
            ExprKind::Generic { associations, .. } => {
                let chosen = self.chosen(expr, associations)?;
                self.constant(&associations[chosen].1)?
            }
            ExprKind::Call { callee, arguments } => self.constant_call(callee, arguments)?,
            _ => return None,
        };
        Some(self.wrapped(value, self.type_of(expr.id)))
    }

    /// The types of `__builtin_types_compatible_p` are kept as a function from the one to the other.
    fn types_compatible(&self, expr: &Expr) -> Option<bool> {
        let Kind::Function(pair) = &self.operand_types.get(&expr.id)?.kind else { return None };
        let (left, right) = (&pair.result, pair.parameters.first()?);
        if left.is_unknown() || right.is_unknown() {
            return None;
        }
        Some(compatible(&left.unqualified(), &right.unqualified(), &self.tables))
    }

    fn constant_unary(&self, operator: UnaryOperator, operand: &Expr) -> Option<i128> {
        let value = self.constant(operand)?;
        Some(match operator {
            UnaryOperator::Plus | UnaryOperator::Extension => value,
            UnaryOperator::Minus => value.checked_neg()?,
            UnaryOperator::Complement => !value,
            UnaryOperator::Not => i128::from(value == 0),
            _ => return None,
        })
    }

    fn constant_binary(&self, operator: BinaryOperator, left: &Expr, right: &Expr) -> Option<i128> {
        use BinaryOperator::*;
        let a = self.constant(left)?;
        match operator {
            And if a == 0 => return Some(0),
            Or if a != 0 => return Some(1),
            _ => {}
        }
        let b = self.constant(right)?;
        // Comparisons, divisions and the like happen in the common type.
        let common =
            super::operators::binary(Add, self.type_of(left.id), self.type_of(right.id), &self.tables);
        let (x, y) = (self.wrapped(a, &common), self.wrapped(b, &common));
        Some(match operator {
            Multiply => x.checked_mul(y)?,
            Divide => x.checked_div(y)?,
            Remainder => x.checked_rem(y)?,
            Add => x.checked_add(y)?,
            Subtract => x.checked_sub(y)?,
            ShiftLeft => a.checked_shl(u32::try_from(b).ok()?)?,
            ShiftRight => a.checked_shr(u32::try_from(b).ok()?)?,
            Less => i128::from(x < y),
            Greater => i128::from(x > y),
            LessEqual => i128::from(x <= y),
            GreaterEqual => i128::from(x >= y),
            Equal => i128::from(x == y),
            NotEqual => i128::from(x != y),
            BitAnd => x & y,
            BitXor => x ^ y,
            BitOr => x | y,
            And | Or => i128::from(b != 0),
        })
    }

    fn constant_call(&self, callee: &Expr, arguments: &[Expr]) -> Option<i128> {
        let ExprKind::Ident(name) = &callee.kind else { return None };
        match (self.text(name.name), arguments) {
            ("__builtin_constant_p", [value]) => Some(i128::from(self.constant(value).is_some())),
            ("__builtin_expect", [value, _]) => self.constant(value),
            _ => None,
        }
    }

    /// The value as a value of this type.
    fn wrapped(&self, value: i128, ty: &Type) -> i128 {
        let Some(basic) = arithmetic(ty, &self.tables) else { return value };
        if basic == Basic::Bool {
            return i128::from(value != 0);
        }
        let Some(bits @ 1..=64) = width(basic) else { return value };
        let kept = value & ((1 << bits) - 1);
        let negative = !is_unsigned(basic) && kept >> (bits - 1) & 1 == 1;
        if negative {
            kept - (1 << bits)
        } else {
            kept
        }
    }

    /// Whether an expression depends on a variable, so that an array of that bound is variable-length.
    pub(super) fn varies(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Ident(_) => match self.binding(expr).map(|id| self.symbol(id).kind) {
                Some(kind) => matches!(kind, SymbolKind::Variable | SymbolKind::Parameter),
                None => false,
            },
            ExprKind::Paren(inner) => self.varies(inner),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => self.varies(operand),
            ExprKind::Binary { left, right, .. } => self.varies(left) || self.varies(right),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.varies(condition)
                    || then.as_ref().is_some_and(|then| self.varies(then))
                    || self.varies(otherwise)
            }
            ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Call { .. }
            | ExprKind::Statement(_) => true,
            ExprKind::SizeofExpr(operand) => self.type_of(operand.id).is_variably_modified(),
            ExprKind::SizeofType(_) => {
                self.operand_types.get(&expr.id).is_some_and(Type::is_variably_modified)
            }
            ExprKind::Comma(..) | ExprKind::Assign { .. } => true,
            _ => false,
        }
    }
}
