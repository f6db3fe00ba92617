//! Exact sums.
//!
//! Input: numbers, one after the other.
//! Output: their exact sum.
//! Postcondition: the result depends neither on the order nor on the number of the terms: there is neither
//! overflow nor cancellation.

use super::real::{double, Finite};
use num_bigint::BigInt;
use num_traits::Zero;

/// The largest number of binary digits after the point.
const BELOW: i32 = 16512;
const LIMB_BITS: i32 = 32;
/// The limbs from there to above the largest number, with room for 2^64 terms.
const LIMBS: usize = ((BELOW + 16384 + 64) / LIMB_BITS + 4) as usize;
/// Each term adds less than 2^32 to a limb.
const BEFORE_CARRY: u32 = 1 << 30;

/// A fixed-point number with room for all terms.
#[derive(Debug, Clone)]
pub struct Sum {
    /// The least significant limb first, each with its own sign; empty before the first term.
    limbs: Vec<i64>,
    pending: u32,
    /// The limbs that may be non-zero.
    used: std::ops::Range<usize>,
}

impl Default for Sum {
    fn default() -> Sum {
        Sum { limbs: Vec::new(), pending: 0, used: 0..0 }
    }
}

impl Sum {
    pub fn add_finite(&mut self, number: &Finite) {
        self.add(number.is_negative, number.significand, number.exponent);
    }

    /// Adds a finite number.
    pub fn add_double(&mut self, value: f64) {
        let bits = value.to_bits();
        let (fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
        let significand = if biased == 0 { fraction } else { fraction | 1 << 52 };
        self.add(bits >> 63 == 1, significand.into(), biased.max(1) - 1075);
    }

    pub fn add_integer(&mut self, is_negative: bool, magnitude: u128) {
        self.add(is_negative, magnitude, 0);
    }

    fn add(&mut self, is_negative: bool, significand: u128, exponent: i32) {
        let place = exponent + BELOW;
        let (at, shift) = ((place / LIMB_BITS) as usize, place % LIMB_BITS);
        let (low, high) = (significand << shift, if shift == 0 { 0 } else { significand >> (128 - shift) });
        let mut rest = low;
        let mut limb = at;
        while rest != 0 {
            self.put(limb, (rest & 0xffff_ffff) as i64, is_negative);
            rest >>= LIMB_BITS;
            limb += 1;
        }
        if high != 0 {
            self.put(at + 4, high as i64, is_negative);
        }
        self.pending += 1;
        if self.pending == BEFORE_CARRY {
            self.carry();
        }
    }

    fn put(&mut self, limb: usize, value: i64, is_negative: bool) {
        if self.limbs.is_empty() {
            self.limbs = vec![0; LIMBS];
        }
        self.limbs[limb] += if is_negative { -value } else { value };
        self.used = if self.used.is_empty() {
            limb..limb + 1
        } else {
            self.used.start.min(limb)..self.used.end.max(limb + 1)
        };
    }

    /// Reduces each limb except the last to less than 2^32.
    fn carry(&mut self) {
        let mut over = 0;
        let first = if self.used.is_empty() { LIMBS } else { self.used.start };
        for limb in first..LIMBS {
            let whole = self.limbs[limb] + over;
            if limb >= self.used.end && whole == 0 {
                break;
            }
            self.limbs[limb] = whole & 0xffff_ffff;
            over = whole >> LIMB_BITS;
            self.used.end = self.used.end.max(limb + 1);
        }
        if let Some(last) = self.limbs.last_mut() {
            *last += over << LIMB_BITS;
        }
        self.pending = 0;
    }

    /// The sum divided by a count, rounded to a double.
    pub fn mean(&self, count: u64) -> f64 {
        if self.used.is_empty() || count == 0 {
            return 0.0;
        }
        let limbs = &self.limbs[self.used.clone()];
        let whole = limbs.iter().rev().fold(BigInt::zero(), |whole, limb| (whole << LIMB_BITS as u32) + limb);
        let exponent = self.used.start as i32 * LIMB_BITS - BELOW;
        // Enough digits so that the quotient is rounded only once.
        let spare = 192;
        double(&((whole << spare as u32) / count), exponent - spare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(values: &[f64]) -> f64 {
        let mut sum = Sum::default();
        values.iter().for_each(|&value| sum.add_double(value));
        sum.mean(values.len() as u64)
    }

    #[test]
    fn nothing_is_lost() {
        assert_eq!(mean(&[1e300, 1.0, -1e300, 1.0]), 0.5);
        assert_eq!(mean(&[f64::MAX, f64::MAX]), f64::MAX);
        assert_eq!(mean(&[5e-324, 5e-324, -5e-324, 5e-324]), 0.0);
        assert_eq!(mean(&[5e-324, 5e-324]), 5e-324);
        assert_eq!(mean(&[0.1; 10]), 0.1);
        assert_eq!(mean(&[-1.5, -2.5, 1.0]), -1.0);
        assert_eq!(mean(&[0.0, -0.0]), 0.0);
    }

    #[test]
    fn integers_of_any_size_are_summed() {
        let mut sum = Sum::default();
        sum.add_integer(false, u128::MAX);
        sum.add_integer(false, u128::MAX);
        sum.add_integer(true, 10);
        assert_eq!(sum.mean(2), u128::MAX as f64);
        let mut sum = Sum::default();
        (0..1000u64).for_each(|value| sum.add_integer(value % 2 == 1, value.into()));
        assert_eq!(sum.mean(1000), -0.5);
    }

    #[test]
    fn carrying_changes_nothing() {
        let mut sum = Sum::default();
        for value in [1e10, -3e-10, 7.0, -1e10] {
            sum.add_double(value);
            sum.carry();
        }
        assert_eq!(sum.mean(1), 7.0 - 3e-10);
    }
}
