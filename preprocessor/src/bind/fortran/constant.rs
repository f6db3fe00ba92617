//! The values of constant expressions, as far as kinds, lengths and bounds need them.
//!
//! Input: an expression and its scope.
//! Output: its value.
//! Postcondition: None for whatever is not constant, overflows, or refers to itself.

use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Expr, ExprKind, Literal, Operator};

use super::bound::Bound;
use super::built_in;
use super::ids::{ScopeId, SymbolId};
use super::machine::{integer_kind, real_kind, Machine};
use super::symbols::{Constant, SymbolKind, Value};
use super::types::{Length, Type};

/// Constants may refer to one another; those that go round end here.
const DEEPEST: u32 = 200;

impl Bound<'_> {
    /// The value of an integer expression.
    pub fn integer(&self, scope: ScopeId, expr: &Expr) -> Option<i128> {
        self.constant(scope, expr)?.integer()
    }

    /// The value of an expression of type real or integer.
    pub fn real(&self, scope: ScopeId, expr: &Expr) -> Option<f64> {
        self.constant(scope, expr)?.real()
    }

    /// The value of an expression of type logical.
    pub fn logical(&self, scope: ScopeId, expr: &Expr) -> Option<bool> {
        match self.constant(scope, expr)? {
            Constant::Logical(value) => Some(value),
            Constant::Integer(_) | Constant::Real(_) => None,
        }
    }

    pub(super) fn constant(&self, scope: ScopeId, expr: &Expr) -> Option<Constant> {
        if self.depth.get() >= DEEPEST {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let value = self.evaluate(scope, expr);
        self.depth.set(self.depth.get() - 1);
        value
    }

    fn evaluate(&self, scope: ScopeId, expr: &Expr) -> Option<Constant> {
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(scope, expr, literal),
            ExprKind::Name(name) => match self.lookup(scope, &name.text) {
                Some(id) => self.named_constant(id),
                None => {
                    built_in::constant_of_foreign(&name.text, || self.machine(scope)).map(Constant::Integer)
                }
            },
            ExprKind::Parenthesized(inner) => self.constant(scope, inner),
            ExprKind::Unary { operator, operand } => {
                let value = self.constant(scope, operand)?;
                match (operator, value) {
                    (Operator::Add, value) => Some(value),
                    (Operator::Subtract, Constant::Integer(value)) => {
                        value.checked_neg().map(Constant::Integer)
                    }
                    (Operator::Subtract, Constant::Real(value)) => Some(Constant::Real(-value)),
                    (Operator::Not, Constant::Logical(value)) => Some(Constant::Logical(!value)),
                    _ => None,
                }
            }
            ExprKind::Binary { operator, left, right } => {
                // Long sums lean to the left: the spine is walked, not descended.
                self.binary(operator, self.constant(scope, left)?, self.constant(scope, right)?)
            }
            ExprKind::Reference { base, arguments } => match &base.kind {
                ExprKind::Name(name) if self.is_intrinsic_here(scope, &name.text) => {
                    self.inquiry(scope, &name.text, arguments)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of a `PARAMETER`.
    pub(super) fn named_constant(&self, id: SymbolId) -> Option<Constant> {
        if let Some(&known) = self.constants.borrow().get(&id) {
            return known;
        }
        // While it is computed it has no value: one that refers to itself gets none.
        self.constants.borrow_mut().insert(id, None);
        let value = self.value_of_constant(id);
        match value {
            Some(_) => self.constants.borrow_mut().insert(id, value),
            // What it refers to may be declared later.
            None => self.constants.borrow_mut().remove(&id),
        };
        value
    }

    /// The value of a named constant, if it is an integer.
    pub fn integer_constant(&self, id: SymbolId) -> Option<i64> {
        let symbol = self.symbol(id);
        if !matches!(symbol.kind, SymbolKind::Constant(_)) || !symbol.shape.is_empty() {
            return None;
        }
        self.named_constant(id)?.integer().and_then(|value| i64::try_from(value).ok())
    }

    fn value_of_constant(&self, id: SymbolId) -> Option<Constant> {
        let symbol = self.symbol(id);
        let value = match symbol.kind {
            SymbolKind::Constant(Value::Integer(value)) => Constant::Integer(value),
            SymbolKind::Constant(Value::Expression(expr)) if symbol.shape.is_empty() => {
                self.constant(symbol.scope, expr)?
            }
            SymbolKind::Unknown => {
                Constant::Integer(built_in::constant_of_foreign(&symbol.name, || self.machine(symbol.scope))?)
            }
            _ => return None,
        };
        // An integer constant takes the whole part of what it is given.
        Some(match (symbol.ty, value) {
            (Type::Integer(_), Constant::Real(value)) => Constant::Integer(value.trunc() as i128),
            (Type::Real(_), Constant::Integer(value)) => Constant::Real(value as f64),
            (_, value) => value,
        })
    }

    fn literal(&self, scope: ScopeId, expr: &Expr, literal: &Literal) -> Option<Constant> {
        let source = self.scope(scope).source;
        let text: String =
            self.text(source, expr.at).chars().filter(|letter| !letter.is_whitespace()).collect();
        let digits = text.split('_').next().unwrap_or_default();
        match literal {
            Literal::Integer { .. } => digits.parse().ok().map(Constant::Integer),
            Literal::Real { .. } => {
                let plain = digits.to_ascii_lowercase().replace(['d', 'q'], "e");
                plain.parse().ok().map(Constant::Real)
            }
            Literal::Logical { value, .. } => Some(Constant::Logical(*value)),
            _ => None,
        }
    }

    fn binary(&self, operator: &Operator, left: Constant, right: Constant) -> Option<Constant> {
        if let (Constant::Integer(left), Constant::Integer(right)) = (left, right) {
            return integers(operator, left, right);
        }
        if let (Constant::Logical(left), Constant::Logical(right)) = (left, right) {
            return Some(Constant::Logical(match operator {
                Operator::And => left && right,
                Operator::Or => left || right,
                Operator::Equivalent => left == right,
                Operator::NotEquivalent => left != right,
                _ => return None,
            }));
        }
        let (left, right) = (left.real()?, right.real()?);
        Some(match operator {
            Operator::Add => Constant::Real(left + right),
            Operator::Subtract => Constant::Real(left - right),
            Operator::Multiply => Constant::Real(left * right),
            Operator::Divide => Constant::Real(left / right),
            Operator::Power => Constant::Real(left.powf(right)),
            Operator::Less => Constant::Logical(left < right),
            Operator::LessEqual => Constant::Logical(left <= right),
            Operator::Greater => Constant::Logical(left > right),
            Operator::GreaterEqual => Constant::Logical(left >= right),
            _ => return None,
        })
    }

    /// Intrinsic functions that constants are computed with.
    fn inquiry(&self, scope: ScopeId, name: &str, arguments: &[Argument]) -> Option<Constant> {
        let argument = |word: &str, index: usize| argument(arguments, word, index);
        let number = |word: &str, index: usize| self.constant(scope, argument(word, index)?);
        let integer = |word: &str, index: usize| number(word, index)?.integer();
        let kind_of = |index: usize| Some(self.type_of(scope, arguments.get(index).and_then(value)?).ty);
        let kind = match (name, kind_of(0)) {
            ("kind", Some(ty)) => kind_of_type(ty),
            ("selected_int_kind", _) => Some(integer_kind(integer("r", 0)?, || self.machine(scope))),
            ("selected_real_kind" | "ieee_selected_real_kind", _) => {
                let (precision, range) = (integer("p", 0).unwrap_or(0), integer("r", 1).unwrap_or(0));
                Some(real_kind(precision, range, || self.machine(scope)))
            }
            ("selected_char_kind", _) => Some(1),
            ("selected_logical_kind", _) => Some(logical_kind(integer("bits", 0)?)),
            ("bit_size" | "storage_size", Some(Type::Integer(kind))) => Some(i128::from(kind) * 8),
            ("storage_size", Some(Type::Real(kind))) => Some(i128::from(kind) * 8),
            ("digits", Some(Type::Integer(kind))) => Some(i128::from(kind) * 8 - 1),
            ("huge", Some(Type::Integer(kind @ 1..=8))) => Some((1_i128 << (u32::from(kind) * 8 - 1)) - 1),
            ("len", Some(Type::Character { length: Length::Known(length), .. })) => Some(i128::from(length)),
            ("size", Some(_)) => return self.constant_size(scope, arguments).map(Constant::Integer),
            _ => None,
        };
        if let Some(kind) = kind {
            return Some(Constant::Integer(kind));
        }
        let values: Option<Vec<Constant>> =
            arguments.iter().map(|argument| self.constant(scope, value(argument)?)).collect();
        arithmetic(name, &values?)
    }

    fn machine(&self, scope: ScopeId) -> Machine {
        Machine::of(self.sources[self.scope(scope).source].options)
    }

    fn constant_size(&self, scope: ScopeId, arguments: &[Argument]) -> Option<i128> {
        let ExprKind::Name(name) = &argument(arguments, "array", 0)?.kind else { return None };
        let symbol = self.symbol(self.lookup(scope, &name.text)?);
        let extents = self.extents(symbol.scope, symbol.shape);
        match argument(arguments, "dim", 1) {
            Some(dim) => {
                let dim = usize::try_from(self.integer(scope, dim)?).ok()?;
                extents.get(dim.checked_sub(1)?).copied().flatten()
            }
            None if extents.is_empty() => None,
            None => extents.into_iter().try_fold(1_i128, |product, extent| product.checked_mul(extent?)),
        }
    }
}

/// The argument of this name, or at this position.
pub(super) fn argument<'t>(arguments: &'t [Argument], word: &str, index: usize) -> Option<&'t Expr> {
    let named = arguments.iter().find(|one| one.keyword.as_ref().is_some_and(|name| name.text == word));
    let found = named.or_else(|| arguments.get(index).filter(|one| one.keyword.is_none()));
    found.and_then(value)
}

fn value(argument: &Argument) -> Option<&Expr> {
    match &argument.kind {
        ArgumentKind::Value(expr) => Some(expr),
        _ => None,
    }
}

fn kind_of_type(ty: Type) -> Option<i128> {
    match ty {
        Type::Integer(kind) | Type::Real(kind) | Type::Complex(kind) | Type::Logical(kind) => {
            Some(kind.into())
        }
        Type::Character { kind, .. } => Some(kind.into()),
        _ => None,
    }
}

fn integers(operator: &Operator, left: i128, right: i128) -> Option<Constant> {
    let value = match operator {
        Operator::Add => left.checked_add(right)?,
        Operator::Subtract => left.checked_sub(right)?,
        Operator::Multiply => left.checked_mul(right)?,
        Operator::Divide => left.checked_div(right)?,
        Operator::Power if right >= 0 => left.checked_pow(u32::try_from(right).ok()?)?,
        Operator::Power => return None,
        Operator::Equal => return Some(Constant::Logical(left == right)),
        Operator::NotEqual => return Some(Constant::Logical(left != right)),
        Operator::Less => return Some(Constant::Logical(left < right)),
        Operator::LessEqual => return Some(Constant::Logical(left <= right)),
        Operator::Greater => return Some(Constant::Logical(left > right)),
        Operator::GreaterEqual => return Some(Constant::Logical(left >= right)),
        _ => return None,
    };
    Some(Constant::Integer(value))
}

fn arithmetic(name: &str, values: &[Constant]) -> Option<Constant> {
    let integers: Option<Vec<i128>> = values.iter().map(|value| value.integer()).collect();
    if let Some(integers) = integers {
        let value = match (name, integers.as_slice()) {
            ("max" | "max0", [_, ..]) => integers.iter().copied().max()?,
            ("min" | "min0", [_, ..]) => integers.iter().copied().min()?,
            ("mod", [a, b]) => a.checked_rem(*b)?,
            ("modulo", [a, b]) => a.checked_rem(*b)?.checked_add(*b)?.checked_rem(*b)?,
            ("abs" | "iabs", [a]) => a.checked_abs()?,
            ("int" | "nint" | "ceiling" | "floor", [a, ..]) => *a,
            ("real" | "dble" | "float", [a, ..]) => return Some(Constant::Real(*a as f64)),
            // Other results depend on the kind.
            ("ishft" | "shiftl" | "lshift", [a @ 0..=i128::MAX, b @ 0..=62]) => {
                let value = a.checked_shl(u32::try_from(*b).ok()?)?;
                i32::try_from(value).ok()?.into()
            }
            ("ishft", [a @ 0..=i128::MAX, b @ -62..=-1]) => a >> u32::try_from(-b).ok()?,
            ("shiftr" | "rshift", [a @ 0..=i128::MAX, b @ 0..=62]) => a >> u32::try_from(*b).ok()?,
            ("iand", [a, b]) => a & b,
            ("ior", [a, b]) => a | b,
            ("ieor", [a, b]) => a ^ b,
            _ => return None,
        };
        return Some(Constant::Integer(value));
    }
    if let (("merge", [one, other, Constant::Logical(first)]), _) = ((name, values), ()) {
        return Some(if *first { *one } else { *other });
    }
    let reals: Vec<f64> = values.iter().map(|value| value.real()).collect::<Option<_>>()?;
    let whole = |value: f64| (value.abs() < 1e30).then_some(Constant::Integer(value as i128));
    match (name, reals.as_slice()) {
        ("int", [a, ..]) => whole(a.trunc()),
        ("nint", [a, ..]) => whole(a.round()),
        ("ceiling", [a, ..]) => whole(a.ceil()),
        ("floor", [a, ..]) => whole(a.floor()),
        ("sqrt", [a]) => Some(Constant::Real(a.sqrt())),
        ("log", [a]) => Some(Constant::Real(a.ln())),
        ("log10", [a]) => Some(Constant::Real(a.log10())),
        ("exp", [a]) => Some(Constant::Real(a.exp())),
        ("abs" | "dabs", [a]) => Some(Constant::Real(a.abs())),
        ("real" | "dble", [a, ..]) => Some(Constant::Real(*a)),
        ("max", [_, ..]) => Some(Constant::Real(reals.iter().copied().fold(f64::MIN, f64::max))),
        ("min", [_, ..]) => Some(Constant::Real(reals.iter().copied().fold(f64::MAX, f64::min))),
        _ => None,
    }
}

fn logical_kind(bits: i128) -> i128 {
    match bits {
        ..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => -1,
    }
}
