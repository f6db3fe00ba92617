//! Real numbers, such as the square root of the number of processes.
//!
//! Input: numbers that are known up to a rounding error. Output: the same.
//! Postcondition: the number that the program computes is in the interval, also if the compiler uses another order of
//! operations or another mathematical library. What depends on the rounding is `Unknown`.

use super::value::{compared, Real, Val};
use crate::program::{Comparison, RealConstant, RealFunction};

/// Both real types hold whole numbers up to this one.
const EXACT: f64 = 16_777_216.0;

impl Real {
    pub fn constant(constant: &RealConstant) -> Val {
        let value = f64::from_bits(constant.bits);
        let is_exact = constant.is_literal && f64::from(value as f32) == value;
        Real::of(value, value, (!is_exact).then_some(constant.bytes))
    }

    /// `rounded`: the size of the type whose rounding errors are added.
    fn of(low: f64, high: f64, rounded: Option<u8>) -> Val {
        let error = match rounded {
            None => 0.0,
            Some(bytes) => match rounding_error(bytes) {
                Some(error) => error,
                None => return Val::Unknown,
            },
        };
        // The sum turns -0 into 0.
        let (low, high) = (low - low.abs() * error + 0.0, high + high.abs() * error + 0.0);
        match low.is_finite() && high.is_finite() && low <= high {
            true => Val::Real(Real { low: low.to_bits(), high: high.to_bits() }),
            false => Val::Unknown,
        }
    }

    fn ends(self) -> (f64, f64) {
        (f64::from_bits(self.low), f64::from_bits(self.high))
    }

    /// The number, if there is no error.
    fn exact(self) -> Option<f64> {
        (self.low == self.high).then(|| f64::from_bits(self.low))
    }
}

pub fn real_function(function: RealFunction, arguments: &[Val]) -> Val {
    match (function, arguments) {
        (RealFunction::Convert(bytes), &[Val::Int(value)]) => {
            let value = value as f64;
            Real::of(value, value, (value.abs() > EXACT).then_some(bytes))
        }
        (_, &[Val::Real(value)]) => of_one(function, value),
        (_, &[Val::Real(left), Val::Real(right)]) => of_two(function, left, right),
        _ => Val::Unknown,
    }
}

fn of_one(function: RealFunction, value: Real) -> Val {
    let (low, high) = value.ends();
    match function {
        RealFunction::Convert(bytes) => {
            let is_exact = value.exact().is_some_and(|value| f64::from(value as f32) == value);
            Real::of(low, high, (!is_exact).then_some(bytes))
        }
        RealFunction::Negate => Real::of(-high, -low, None),
        RealFunction::SquareRoot(bytes) if low >= 0.0 => {
            let root = low.sqrt();
            let is_exact = value.exact().is_some_and(is_small_integer) && is_small_integer(root);
            Real::of(root, high.sqrt(), (!is_exact).then_some(bytes))
        }
        RealFunction::Logarithm(bytes) => logarithm(value, bytes, f64::ln),
        RealFunction::Logarithm2(bytes) => logarithm(value, bytes, f64::log2),
        RealFunction::Logarithm10(bytes) => logarithm(value, bytes, f64::log10),
        RealFunction::Truncate => whole(low.trunc(), high.trunc()),
        RealFunction::Floor => whole(low.floor(), high.floor()),
        RealFunction::Ceiling => whole(low.ceil(), high.ceil()),
        RealFunction::Round => whole(low.round(), high.round()),
        RealFunction::Integer => match low.trunc() {
            value if value == high.trunc() && value.abs() <= f64::from(i32::MAX) => Val::Int(value as i64),
            _ => Val::Unknown,
        },
        _ => Val::Unknown,
    }
}

fn whole(low: f64, high: f64) -> Val {
    match low == high {
        true => Real::of(low, high, None),
        false => Val::Unknown,
    }
}

/// Close to 1, the relative error of the argument is an absolute error of the result.
fn logarithm(value: Real, bytes: u8, of: fn(f64) -> f64) -> Val {
    let (low, high) = value.ends();
    match value.exact() {
        Some(1.0) => Real::of(0.0, 0.0, None),
        _ if low <= 0.0 => Val::Unknown,
        _ => {
            let Some(error) = library_error(bytes) else { return Val::Unknown };
            let (low, high) = (of(low), of(high));
            Real::of(low - low.abs() * error, high + high.abs() * error, None)
        }
    }
}

fn of_two(function: RealFunction, left: Real, right: Real) -> Val {
    let ((low, high), (other_low, other_high)) = (left.ends(), right.ends());
    let is_exact = |result: f64| {
        let all = [left.exact(), right.exact(), Some(result)];
        all.into_iter().all(|value| value.is_some_and(is_small_integer))
    };
    let rounded = |low: f64, high: f64, bytes: u8| Real::of(low, high, (!is_exact(low)).then_some(bytes));
    match function {
        RealFunction::Add(bytes) => {
            sum((low, high), (other_low, other_high), bytes, is_exact(low + other_low))
        }
        RealFunction::Subtract(bytes) => {
            sum((low, high), (-other_high, -other_low), bytes, is_exact(low - other_high))
        }
        RealFunction::Multiply(bytes) => {
            let (low, high) = products([low, high], [other_low, other_high]);
            rounded(low, high, bytes)
        }
        RealFunction::Divide(bytes) if other_low > 0.0 || other_high < 0.0 => {
            let (low, high) = products([low, high], [1.0 / other_low, 1.0 / other_high]);
            // The compiler may multiply by the reciprocal.
            let is_power = right.exact().is_some_and(|value| value.abs().log2().fract() == 0.0);
            match is_power {
                true => rounded(low, high, bytes),
                false => Real::of(low, high, Some(bytes)),
            }
        }
        RealFunction::Compare(comparison) => compare(comparison, left, right),
        _ => Val::Unknown,
    }
}

/// The rounding error depends on the operands, because a compiler may change the order of several additions.
fn sum((low, high): (f64, f64), (other_low, other_high): (f64, f64), bytes: u8, is_exact: bool) -> Val {
    if is_exact {
        return Real::of(low + other_low, high + other_high, None);
    }
    let Some(error) = rounding_error(bytes) else { return Val::Unknown };
    let largest = low.abs().max(high.abs()).max(other_low.abs()).max(other_high.abs());
    Real::of(low + other_low - largest * error, high + other_high + largest * error, None)
}

/// An upper limit of the relative error of one operation, for a type of this size. IEEE 754 requires half a unit in the last
/// place. The limit for 8 bytes also covers the errors of the intervals themselves.
fn rounding_error(bytes: u8) -> Option<f64> {
    match bytes {
        8 => Some(1e-14),
        4 => Some(f64::from(f32::EPSILON)),
        _ => None,
    }
}

/// The same for a function of a mathematical library. Vector libraries have errors of up to 4 units in the last place.
fn library_error(bytes: u8) -> Option<f64> {
    rounding_error(bytes).map(|error| 5.0 * error)
}

fn products(left: [f64; 2], right: [f64; 2]) -> (f64, f64) {
    let all = left.into_iter().flat_map(|left| right.map(|right| left * right));
    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| (low.min(one), high.max(one)))
}

fn compare(comparison: Comparison, left: Real, right: Real) -> Val {
    let ((low, high), (other_low, other_high)) = (left.ends(), right.ends());
    let order = match () {
        () if high < other_low => -1,
        () if low > other_high => 1,
        () if left.exact().is_some() && left == right => 0,
        () => return Val::Unknown,
    };
    compared(comparison, Val::Int(order), Val::Int(0))
}

fn is_small_integer(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= EXACT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(value: f64, bytes: u8) -> Val {
        Real::constant(&RealConstant { bits: value.to_bits(), bytes, is_literal: true })
    }

    fn convert(value: i64) -> Val {
        real_function(RealFunction::Convert(8), &[Val::Int(value)])
    }

    fn integer(value: Val) -> Val {
        real_function(RealFunction::Integer, &[value])
    }

    #[test]
    fn the_root_of_a_square_is_exact_and_other_roots_are_truncated() {
        for value in 1..200_i64 {
            let root = real_function(RealFunction::SquareRoot(8), &[convert(value)]);
            assert_eq!(integer(root), Val::Int((value as f64).sqrt() as i64));
        }
    }

    #[test]
    fn a_logarithm_of_a_power_of_two_is_not_truncated_without_a_margin() {
        let two = real_function(RealFunction::Logarithm(8), &[literal(2.0, 8)]);
        for exponent in 1..20 {
            let power = real_function(RealFunction::Logarithm(8), &[convert(1 << exponent)]);
            let quotient = real_function(RealFunction::Divide(8), &[power, two]);
            assert_eq!(integer(quotient), Val::Unknown);
            let more = real_function(RealFunction::Add(8), &[quotient, literal(0.00001, 4)]);
            assert_eq!(integer(more), Val::Int(exponent));
        }
    }

    /// As NPB MG computes it, in single precision. The margin is too small for 32 processes.
    #[test]
    fn a_small_margin_is_enough_in_single_precision() {
        let function = |function, arguments: &[Val]| real_function(function, arguments);
        let two = function(RealFunction::Logarithm(4), &[literal(2.0, 4)]);
        for exponent in 0..6 {
            let count = function(RealFunction::Convert(4), &[Val::Int(1 << exponent)]);
            let more = function(RealFunction::Add(4), &[count, literal(0.0001, 4)]);
            let logarithm = function(RealFunction::Logarithm(4), &[more]);
            let quotient = function(RealFunction::Divide(4), &[logarithm, two]);
            let expected = if exponent < 5 { Val::Int(exponent) } else { Val::Unknown };
            assert_eq!(integer(quotient), expected, "{exponent}");
        }
    }

    #[test]
    fn what_depends_on_the_rounding_is_not_known() {
        let tenth = literal(0.1, 8);
        let one = real_function(RealFunction::Multiply(8), &[tenth, literal(10.0, 8)]);
        assert_eq!(integer(one), Val::Unknown);
        let equal = RealFunction::Compare(Comparison::Equal);
        assert_eq!(real_function(equal, &[one, literal(1.0, 8)]), Val::Unknown);
        assert_eq!(real_function(equal, &[literal(1.5, 8), literal(1.5, 4)]), Val::Int(1));
        let third = real_function(RealFunction::Divide(4), &[convert(9), convert(3)]);
        assert_eq!(integer(third), Val::Unknown);
        assert_eq!(integer(real_function(RealFunction::Divide(4), &[convert(9), convert(2)])), Val::Int(4));
    }

    #[test]
    fn a_difference_keeps_the_error_of_its_operands() {
        let large = real_function(RealFunction::Add(4), &[literal(1000.1, 4), literal(-1000.0, 4)]);
        let scaled = real_function(RealFunction::Multiply(4), &[large, literal(10.0, 4)]);
        assert_eq!(integer(scaled), Val::Unknown);
    }
}
