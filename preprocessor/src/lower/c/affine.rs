//! Integers: constants, and sums of variables.
//!
//! Input: an expression, of which nothing is emitted.
//! Output: its value, if it is certain.
//! Postcondition: no value depends on an overflow. The result of a conversion that may change a value is not
//! known.

use cppc_analysis::program::{Affine, Content};
use cppc_grammar::c::tree::{Basic, BinaryOperator, Expr, ExprKind, UnaryOperator};

use super::body::Body;
use super::lvalue::Lvalue;
use crate::bind::c::{Kind, SymbolKind, Type};

/// The range of an integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Integer {
    pub bits: u32,
    pub signed: bool,
}

impl Body<'_, '_, '_> {
    /// The integer type that a type is. `None` if its values wrap or are truth values.
    pub fn integer(&self, ty: &Type) -> Option<Integer> {
        let basic = match ty.kind {
            Kind::Basic(basic) => basic,
            Kind::Enum(id) => self.bound().tables.enumeration(id).compatible,
            _ => return None,
        };
        let (bits, signed) = match basic {
            Basic::Char | Basic::SignedChar => (8, true),
            Basic::UnsignedChar => (8, false),
            Basic::Short => (16, true),
            Basic::UnsignedShort => (16, false),
            Basic::Int => (32, true),
            Basic::UnsignedInt => (32, false),
            Basic::Long | Basic::LongLong => (64, true),
            Basic::UnsignedLong | Basic::UnsignedLongLong => (64, false),
            _ => return None,
        };
        Some(Integer { bits, signed })
    }

    /// The value after a conversion, if the conversion keeps every value of the old type.
    pub fn converted(&self, value: Affine, from: &Type, to: &Type) -> Option<Affine> {
        if let (Some(constant), Some(to)) = (value.as_constant(), self.integer(to)) {
            let half = i64::MAX >> (64 - to.bits);
            let range =
                if to.signed { -half - 1..=half } else { 0..=half.saturating_mul(2).saturating_add(1) };
            return range.contains(&constant).then_some(value);
        }
        let (from, to) = (self.integer(from)?, self.integer(to)?);
        let keeps = from == to
            || from.bits < to.bits && (to.signed || !from.signed)
            // This is for sizes and counts. A negative `int` that becomes unsigned is outside of every array.
            || from.signed && !to.signed && to.bits == 64;
        keeps.then_some(value)
    }

    /// `left operator right` in a type. Unsigned differences of 32 bits may wrap.
    pub fn combined(
        &self,
        operator: BinaryOperator,
        left: &Affine,
        right: &Affine,
        ty: &Type,
    ) -> Option<Affine> {
        let integer = self.integer(ty)?;
        let value = match operator {
            BinaryOperator::Add => left.add(right)?,
            BinaryOperator::Subtract => left.sub(right)?,
            BinaryOperator::Multiply => left.multiply(right)?,
            BinaryOperator::ShiftLeft => {
                let shift = u32::try_from(right.as_constant()?).ok().filter(|&shift| shift < 31)?;
                left.scale(1 << shift)?
            }
            _ => self.folded(operator, left.as_constant()?, right.as_constant()?).map(Affine::constant)?,
        };
        let may_wrap =
            |value: &Affine| value.constant < 0 || value.terms.iter().any(|&(_, factor)| factor < 0);
        (integer.signed || integer.bits == 64 || !may_wrap(&value)).then_some(value)
    }

    fn folded(&self, operator: BinaryOperator, left: i64, right: i64) -> Option<i64> {
        use BinaryOperator::*;
        Some(match operator {
            Divide => left.checked_div(right)?,
            Remainder => left.checked_rem(right)?,
            ShiftRight if left >= 0 => left.checked_shr(u32::try_from(right).ok()?)?,
            BitAnd if left >= 0 && right >= 0 => left & right,
            BitOr if left >= 0 && right >= 0 => left | right,
            BitXor if left >= 0 && right >= 0 => left ^ right,
            Less => i64::from(left < right),
            Greater => i64::from(left > right),
            LessEqual => i64::from(left <= right),
            GreaterEqual => i64::from(left >= right),
            Equal => i64::from(left == right),
            NotEqual => i64::from(left != right),
            And => i64::from(left != 0 && right != 0),
            Or => i64::from(left != 0 || right != 0),
            _ => return None,
        })
    }

    /// An integer constant.
    pub fn constant(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Integer(_) | ExprKind::Character(_) | ExprKind::Bool(_) => self.literal(expr),
            ExprKind::Ident(_) => {
                let symbol = self.bound().symbol(self.bound().symbol_of(expr.id)?);
                let value = symbol.value.filter(|_| symbol.kind == SymbolKind::EnumConstant)?;
                i64::try_from(value).ok()
            }
            ExprKind::Paren(inner) => self.constant(inner),
            ExprKind::Unary { operator, operand } => {
                let value = self.constant(operand)?;
                match operator {
                    UnaryOperator::Plus | UnaryOperator::Extension => Some(value),
                    UnaryOperator::Minus if self.integer(self.bound().type_of(expr.id))?.signed => {
                        value.checked_neg()
                    }
                    UnaryOperator::Not => Some(i64::from(value == 0)),
                    _ => None,
                }
            }
            ExprKind::Binary { operator, left, right } => {
                let values = (self.constant(left)?, self.constant(right)?);
                if (values.0 < 0 || values.1 < 0) && self.compares_as_unsigned(left, right) {
                    return None;
                }
                let (left, right) = (Affine::constant(values.0), Affine::constant(values.1));
                let value = self.combined(*operator, &left, &right, self.bound().type_of(expr.id))?;
                value.as_constant()
            }
            ExprKind::Cast { operand, .. } => {
                let value = Affine::constant(self.constant(operand)?);
                let (from, to) = (self.bound().type_of(operand.id), self.bound().type_of(expr.id));
                if to.is_pointer() {
                    return value.as_constant();
                }
                self.converted(value, from, to)?.as_constant()
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                self.constant(if self.constant(condition)? != 0 { then } else { otherwise })
            }
            ExprKind::SizeofExpr(operand) => self.size(self.bound().type_of(operand.id)),
            ExprKind::SizeofType(_) => self.size(self.bound().operand_type(expr.id)?),
            _ => None,
        }
    }

    fn size(&self, ty: &Type) -> Option<i64> {
        i64::try_from(self.bound().size_of(ty)?).ok()
    }

    /// Literals are parsed by the binder, for the types; their values are not kept.
    fn literal(&self, expr: &Expr) -> Option<i64> {
        let value = match &expr.kind {
            ExprKind::Integer(text) => crate::bind::c::integer_value(self.unit.text(*text))?,
            ExprKind::Character(text) => crate::bind::c::character_value(self.unit.text(*text))?,
            ExprKind::Bool(value) => i128::from(*value),
            _ => return None,
        };
        i64::try_from(value).ok()
    }

    /// The variable in a place, if its value is an integer that sums can contain.
    pub fn summand(&self, place: &Lvalue) -> Option<Affine> {
        let variable = self.builder.program.get_variable(place.root);
        let is_integer =
            matches!(variable.content, Content::Integer { .. }) && self.integer(&place.ty).is_some();
        (is_integer && place.path.is_empty() && !place.ty.qualifiers.volatile && !place.ty.qualifiers.atomic)
            .then(|| Affine::variable(place.root))
    }

    /// A sum of variables and constants. Nothing is emitted, so it has no effects.
    pub fn sum_of(&mut self, expr: &Expr) -> Option<Affine> {
        if let Some(value) = self.constant(expr) {
            return Some(Affine::constant(value));
        }
        match &expr.kind {
            ExprKind::Paren(inner) => self.sum_of(inner),
            ExprKind::Ident(_) => {
                let id = self.bound().symbol_of(expr.id)?;
                let symbol = self.bound().symbol(id);
                let is_variable = matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Parameter);
                self.integer(&symbol.ty).filter(|_| is_variable)?;
                let root = self.variable(id);
                self.summand(&Lvalue::of(root, symbol.ty.clone()))
            }
            ExprKind::Unary { operator: UnaryOperator::Plus | UnaryOperator::Extension, operand } => {
                self.sum_of(operand)
            }
            ExprKind::Unary { operator: UnaryOperator::Minus, operand } => {
                let value = self.sum_of(operand)?;
                self.integer(self.bound().type_of(expr.id)).filter(|found| found.signed)?;
                value.scale(-1)
            }
            ExprKind::Cast { operand, .. } => {
                let value = self.sum_of(operand)?;
                self.converted(value, self.bound().type_of(operand.id), self.bound().type_of(expr.id))
            }
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (self.sum_of(left)?, self.sum_of(right)?);
                self.combined(*operator, &left, &right, self.bound().type_of(expr.id))
            }
            _ => None,
        }
    }
}
