//! The shortest decimal number that denotes a binary number and no other.
//!
//! Input: a significand, an exponent, the distance to the next number of the format.
//! Output: digits.
//! Postcondition: the digits, converted to the format with rounding to nearest, give the number.

use num_bigint::BigUint;
use num_traits::Pow;
use std::f64::consts::LOG10_2;

/// More digits than any supported format needs.
const MOST_DIGITS: i32 = 40;

/// The digits of `significand * 2^exponent`, which is not zero. The next number of the format is `2^step`
/// away.
pub fn shortest(significand: u128, exponent: i32, step: i32) -> String {
    // Everything is a multiple of a power of two for which the half step is an integer.
    let shift = (-exponent).max(1 - step).max(0);
    let value = BigUint::from(significand) << (exponent + shift) as u32;
    let half_step = BigUint::from(1u8) << (step - 1 + shift) as u32;
    let one = BigUint::from(1u8) << shift as u32;
    let top = exponent + 127 - significand.leading_zeros() as i32;
    let mut first = (f64::from(top) * LOG10_2).floor() as i32;
    if is_at_least(&value, &one, first + 1) {
        first += 1;
    }
    for count in 1..=MOST_DIGITS {
        let (digits, is_near) = rounded(&value, &one, &half_step, first + 1 - count);
        if is_near || count == MOST_DIGITS {
            return written(&digits.to_string(), first + 1 - count);
        }
    }
    String::new()
}

fn is_at_least(value: &BigUint, one: &BigUint, power: i32) -> bool {
    let ten = ten_to(power.unsigned_abs());
    if power >= 0 {
        *value >= ten * one
    } else {
        value * ten >= *one
    }
}

/// The nearest multiple of `10^power`, and whether it is less than half a step away.
fn rounded(value: &BigUint, one: &BigUint, half_step: &BigUint, power: i32) -> (BigUint, bool) {
    let ten = ten_to(power.unsigned_abs());
    let (value, unit, half_step) = if power >= 0 {
        (value.clone(), one * ten, half_step.clone())
    } else {
        (value * &ten, one.clone(), half_step * ten)
    };
    let digits = (&value + &unit / 2u8) / &unit;
    let there = &digits * unit;
    let distance = if there > value { there - value } else { value - there };
    (digits, distance < half_step)
}

fn ten_to(power: u32) -> BigUint {
    BigUint::from(10u8).pow(power)
}

/// Digits times a power of ten, in the usual notation of programs.
pub fn written(digits: &str, power: i32) -> String {
    let kept = digits.trim_end_matches('0');
    let power = power + (digits.len() - kept.len()) as i32;
    let first = power + kept.len() as i32 - 1;
    if kept.is_empty() {
        return "0".to_owned();
    }
    if !(-5..=15).contains(&first) {
        let (head, tail) = kept.split_at(1);
        let point = if tail.is_empty() { "" } else { "." };
        return format!("{head}{point}{tail}e{first}");
    }
    let zeros = |count: i32| "0".repeat(count.max(0) as usize);
    if first < 0 {
        format!("0.{}{kept}", zeros(-first - 1))
    } else if power >= 0 {
        format!("{kept}{}", zeros(power))
    } else {
        let (head, tail) = kept.split_at(first as usize + 1);
        format!("{head}.{tail}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_double(value: f64) -> String {
        let bits = value.to_bits();
        let (fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
        let (significand, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        shortest(significand.into(), exponent, exponent)
    }

    #[test]
    fn doubles_come_out_as_the_library_has_them() {
        let mut state = 7u64;
        let random = (0..300).map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            f64::from_bits(state >> 1)
        });
        let chosen = [
            0.1,
            1.0,
            1e15,
            1e16,
            123456.75,
            1e-5,
            1e-6,
            f64::MAX,
            5e-324,
            2.2250738585072014e-308,
            9.5,
            1e22,
            1e23,
        ];
        for value in random.filter(|value| value.is_finite() && *value != 0.0).chain(chosen) {
            assert_eq!(of_double(value).parse(), Ok(value), "{value:e}");
            assert!(
                of_double(value).len() <= format!("{value:e}").len().max(format!("{value}").len()),
                "{value:e}"
            );
        }
        assert_eq!(of_double(0.1), "0.1");
        assert_eq!(of_double(1e15), "1000000000000000");
        assert_eq!(of_double(1e16), "1e16");
        assert_eq!(of_double(1.5e-7), "1.5e-7");
    }
}
