//! The conversions of arithmetic and of pointers, and when two types are the same to `_Generic`.
//!
//! Input: types of operands.
//! Output: the type of the result.
//! Postcondition: one unknown operand makes an unknown result, unless the result does not depend on it.

use cppc_grammar::c::tree::{Basic, BinaryOperator};

use super::types::{integer_rank, ArrayLength, Kind, Tables, Type};

pub fn is_unsigned(basic: Basic) -> bool {
    matches!(
        basic,
        Basic::Bool
            | Basic::UnsignedChar
            | Basic::UnsignedShort
            | Basic::UnsignedInt
            | Basic::UnsignedLong
            | Basic::UnsignedLongLong
            | Basic::UnsignedInt128
    )
}

/// The precision order of real and complex types; none for integers and for what we do not know.
pub fn real_rank(basic: Basic) -> Option<u8> {
    Some(match basic {
        Basic::Float | Basic::ComplexFloat => 1,
        Basic::Double | Basic::ComplexDouble => 2,
        Basic::LongDouble | Basic::ComplexLongDouble => 3,
        Basic::Float128 | Basic::ComplexFloat128 => 4,
        _ => return None,
    })
}

pub fn is_complex(basic: Basic) -> bool {
    matches!(
        basic,
        Basic::ComplexFloat
            | Basic::ComplexDouble
            | Basic::ComplexLongDouble
            | Basic::ComplexFloat128
            | Basic::ComplexOther
    )
}

/// The real or complex type of a precision.
pub fn of_rank(rank: u8, complex: bool) -> Basic {
    match (rank, complex) {
        (1, false) => Basic::Float,
        (1, true) => Basic::ComplexFloat,
        (2, false) => Basic::Double,
        (2, true) => Basic::ComplexDouble,
        (3, false) => Basic::LongDouble,
        (3, true) => Basic::ComplexLongDouble,
        (_, false) => Basic::Float128,
        (_, true) => Basic::ComplexFloat128,
    }
}

/// The arithmetic type behind a type: an enumeration's compatible type.
pub fn arithmetic(ty: &Type, tables: &Tables) -> Option<Basic> {
    match ty.kind {
        Kind::Basic(basic) => Some(basic),
        Kind::Enum(id) => Some(tables.enumeration(id).compatible),
        _ => None,
    }
}

/// The integer promotions.
pub fn promoted(basic: Basic) -> Basic {
    match integer_rank(basic) {
        Some(rank) if rank < 3 => Basic::Int,
        _ => basic,
    }
}

/// The usual arithmetic conversions; none for types that we carry without knowing them.
pub fn usual(left: Basic, right: Basic) -> Option<Basic> {
    if left == right && integer_rank(left).is_none() {
        return Some(left);
    }
    let complex = is_complex(left) || is_complex(right);
    if let Some(rank) = real_rank(left).max(real_rank(right)) {
        let known = |basic| real_rank(basic).is_some() || integer_rank(basic).is_some() || is_complex(basic);
        return (known(left) && known(right)).then(|| of_rank(rank, complex));
    }
    if complex {
        return Some(Basic::ComplexOther);
    }
    let (left, right) = (promoted(left), promoted(right));
    let (left_rank, right_rank) = (integer_rank(left)?, integer_rank(right)?);
    let (high, low) = if left_rank >= right_rank { (left, right) } else { (right, left) };
    let same_rank = left_rank == right_rank;
    // A signed type of higher rank that is no wider than the unsigned one becomes unsigned itself.
    let as_wide = !is_unsigned(high) && is_unsigned(low) && width(high) == width(low);
    Some(match (same_rank, is_unsigned(high) || is_unsigned(low)) {
        (true, true) => unsigned(high),
        _ if as_wide => unsigned(high),
        _ => high,
    })
}

fn unsigned(basic: Basic) -> Basic {
    match basic {
        Basic::Int => Basic::UnsignedInt,
        Basic::Long => Basic::UnsignedLong,
        Basic::LongLong => Basic::UnsignedLongLong,
        Basic::Int128 => Basic::UnsignedInt128,
        other => other,
    }
}

/// Bits of an integer type on LP64.
pub fn width(basic: Basic) -> Option<u32> {
    Some(match integer_rank(basic)? {
        0 | 1 => 8,
        2 => 16,
        3 => 32,
        6 => 128,
        _ => 64,
    })
}

/// The type of `left operator right`, both already values.
pub fn binary(operator: BinaryOperator, left: &Type, right: &Type, tables: &Tables) -> Type {
    use BinaryOperator::*;
    if let Kind::Vector { .. } = left.kind {
        return left.clone();
    }
    if let Kind::Vector { .. } = right.kind {
        return right.clone();
    }
    match operator {
        Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual | And | Or => return Type::INT,
        ShiftLeft | ShiftRight => {
            return arithmetic(left, tables).map_or(Type::UNKNOWN, |basic| Type::basic(promoted(basic)));
        }
        Add if left.is_pointer() => return left.clone(),
        Add if right.is_pointer() => return right.clone(),
        Subtract if left.is_pointer() && right.is_pointer() => return Type::basic(Basic::Long),
        // An operand that we do not know may be a pointer too.
        Subtract if left.is_pointer() && right.is_unknown() => return Type::UNKNOWN,
        Subtract if left.is_pointer() => return left.clone(),
        _ => {}
    }
    match (arithmetic(left, tables), arithmetic(right, tables)) {
        (Some(left), Some(right)) => usual(left, right).map_or(Type::UNKNOWN, Type::basic),
        _ => Type::UNKNOWN,
    }
}

/// The type of `c ? then : otherwise`, both values; `null` says which of them is a null pointer constant.
pub fn conditional(then: &Type, otherwise: &Type, null: (bool, bool), tables: &Tables) -> Type {
    if then.is_unknown() || otherwise.is_unknown() {
        return if then.is_pointer() && !null.0 { then.clone() } else { Type::UNKNOWN };
    }
    if then.is_void() || otherwise.is_void() {
        return Type::VOID;
    }
    match (&then.kind, &otherwise.kind) {
        (Kind::Pointer(_), _) if null.1 || matches!(otherwise.kind, Kind::Null) => then.clone(),
        (_, Kind::Pointer(_)) if null.0 || matches!(then.kind, Kind::Null) => otherwise.clone(),
        (Kind::Pointer(left), Kind::Pointer(right)) => {
            let target = if left.is_void() {
                left
            } else if right.is_void() {
                right
            } else {
                left
            };
            Type::pointer_to(Type::clone(target).qualified(left.qualifiers).qualified(right.qualifiers))
        }
        (Kind::Pointer(_), _) => then.clone(),
        (_, Kind::Pointer(_)) => otherwise.clone(),
        _ => match (arithmetic(then, tables), arithmetic(otherwise, tables)) {
            (Some(left), Some(right)) => usual(left, right).map_or(Type::UNKNOWN, Type::basic),
            _ => then.clone(),
        },
    }
}

/// Whether two types are compatible, qualifiers included; unknown ones are compatible with none here.
pub fn compatible(left: &Type, right: &Type, tables: &Tables) -> bool {
    left.qualifiers == right.qualifiers && compatible_kinds(left, right, tables)
}

fn compatible_kinds(left: &Type, right: &Type, tables: &Tables) -> bool {
    match (&left.kind, &right.kind) {
        (Kind::Unknown, _) | (_, Kind::Unknown) => false,
        (Kind::Pointer(left), Kind::Pointer(right)) => compatible(left, right, tables),
        (Kind::Array { element: left, size: a }, Kind::Array { element: right, size: b }) => {
            let sizes = match (a, b) {
                (ArrayLength::Known(a), ArrayLength::Known(b)) => a == b,
                _ => true,
            };
            sizes && compatible(left, right, tables)
        }
        (Kind::Function(left), Kind::Function(right)) => {
            let parameters = left.unspecified
                || right.unspecified
                || left.variadic == right.variadic
                    && left.parameters.len() == right.parameters.len()
                    && left
                        .parameters
                        .iter()
                        .zip(&right.parameters)
                        .all(|(a, b)| compatible_kinds(a, b, tables));
            parameters && compatible(&left.result, &right.result, tables)
        }
        (Kind::Enum(left), Kind::Enum(right)) => left == right,
        (Kind::Enum(id), Kind::Basic(basic)) | (Kind::Basic(basic), Kind::Enum(id)) => {
            tables.enumeration(*id).compatible == *basic
        }
        (left, right) => left == right,
    }
}
