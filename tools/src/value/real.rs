//! Real numbers of every format that a machine may have.
//!
//! Input: the bits of one.
//! Output: its properties and its decimal text.
//! Postcondition: nothing was rounded, except if the result is an `f64`.

use super::decimal;
use cppc_abi::bits;
use cppc_runtime::restore::convert::real::{convert, Format};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// The format of a real number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RealFormat {
    Ieee(Format),
    /// The sum of two doubles, the larger one first.
    Pair,
}

impl RealFormat {
    /// The number of significant bytes.
    pub fn size_bytes(self) -> usize {
        match self {
            RealFormat::Ieee(format) => format.size_bytes(),
            RealFormat::Pair => 16,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Real {
    Ieee { bits: u128, format: Format },
    Pair(f64, f64),
}

/// A finite number: `significand * 2^exponent`, and the exponent of the distance to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finite {
    pub is_negative: bool,
    pub significand: u128,
    pub exponent: i32,
    step: i32,
}

const QUAD_FRACTION: u32 = 112;
const QUAD_BIAS: i32 = 16383;

impl Real {
    /// `bytes` has at least the size of the format.
    pub fn read(bytes: &[u8], form: RealFormat, big_endian: bool) -> Real {
        match form {
            RealFormat::Ieee(format) => {
                let bytes = &bytes[..format.size_bytes().min(bytes.len())];
                Real::Ieee { bits: bits::number(bytes, big_endian), format }
            }
            RealFormat::Pair => {
                let half = |bytes: &[u8]| f64::from_bits(bits::number(bytes, big_endian) as u64);
                let (high, low) = bytes.split_at(8.min(bytes.len()));
                Real::Pair(half(high), half(&low[..8.min(low.len())]))
            }
        }
    }

    /// The nearest double; infinite if the number is too large.
    pub fn to_f64(self) -> f64 {
        match self {
            Real::Pair(high, _) => high,
            Real::Ieee { bits, format } => match convert(bits, format, Format::Double) {
                Some(double) => f64::from_bits(double as u64),
                None if is_negative(bits, format) => f64::NEG_INFINITY,
                None => f64::INFINITY,
            },
        }
    }

    fn quad(self) -> Option<u128> {
        match self {
            // Every format fits into this one.
            Real::Ieee { bits, format } => convert(bits, format, Format::Quad),
            Real::Pair(..) => None,
        }
    }

    pub fn is_nan(self) -> bool {
        match self {
            Real::Pair(high, low) => high.is_nan() || low.is_nan(),
            Real::Ieee { .. } => self.quad().is_none_or(|quad| quad << 1 > 0x7fff << (QUAD_FRACTION + 1)),
        }
    }

    pub fn is_infinite(self) -> bool {
        match self {
            Real::Pair(high, _) => high.is_infinite(),
            Real::Ieee { .. } => self.quad().is_some_and(|quad| quad << 1 == 0x7fff << (QUAD_FRACTION + 1)),
        }
    }

    pub fn is_zero(self) -> bool {
        match self {
            Real::Pair(high, low) => high == 0.0 && low == 0.0,
            Real::Ieee { .. } => self.quad().is_some_and(|quad| quad << 1 == 0),
        }
    }

    /// The terms of which it is the sum; empty if it is not finite.
    pub fn finite(self) -> Vec<Finite> {
        match self {
            Real::Pair(high, low) if high.is_finite() => {
                let part =
                    |value: f64| Real::Ieee { bits: value.to_bits().into(), format: Format::Double }.finite();
                part(high).into_iter().chain(part(low)).collect()
            }
            Real::Ieee { format, .. } => {
                self.quad().and_then(|quad| finite(quad, format)).into_iter().collect()
            }
            Real::Pair(..) => Vec::new(),
        }
    }

    /// The order of two numbers; `None` if one is NaN. Zeros are equal.
    pub fn compare(self, other: Real) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        match (self, other) {
            (Real::Pair(high, low), Real::Pair(other_high, other_low)) => {
                Some(high.partial_cmp(&other_high)?.then(low.partial_cmp(&other_low)?))
            }
            (Real::Ieee { .. }, Real::Ieee { .. }) => Some(key(self.quad()?).cmp(&key(other.quad()?))),
            _ => self.to_f64().partial_cmp(&other.to_f64()),
        }
    }

    /// The absolute difference, rounded to a double. It is zero only if the numbers are equal.
    pub fn distance(self, other: Real) -> f64 {
        let (own, others) = (self.finite(), other.finite());
        if own.is_empty() || others.is_empty() {
            return if self.compare(other) == Some(Ordering::Equal) { 0.0 } else { f64::INFINITY };
        }
        let least = own.iter().chain(&others).map(|part| part.exponent).min().unwrap_or(0);
        let whole = |parts: &[Finite]| parts.iter().map(|part| part.scaled(least)).sum::<BigInt>();
        let difference = (whole(&own) - whole(&others)).abs();
        if difference.is_zero() {
            0.0
        } else {
            double(&difference, least).max(f64::from_bits(1))
        }
    }

    /// The number of steps in their format between them; `None` for different formats, NaN or pairs.
    pub fn steps(self, other: Real) -> Option<u128> {
        match (self, other) {
            (Real::Ieee { bits, format }, Real::Ieee { bits: other_bits, format: other_format })
                if format == other_format =>
            {
                if self.is_nan() || other.is_nan() {
                    return None;
                }
                Some(place(bits, format).abs_diff(place(other_bits, format)))
            }
            _ => None,
        }
    }

    /// The shortest decimal text.
    pub fn text(self) -> String {
        match self {
            Real::Pair(high, 0.0) => double_text(high),
            Real::Pair(high, low) if high.is_finite() => {
                format!(
                    "{}{}{}",
                    double_text(high),
                    if low < 0.0 { "-" } else { "+" },
                    double_text(low.abs())
                )
            }
            Real::Pair(high, _) => double_text(high),
            Real::Ieee { bits, format: Format::Single } => {
                let value = f32::from_bits(bits as u32);
                if value.is_finite() && value != 0.0 {
                    scientific(&format!("{value:e}"))
                } else {
                    double_text(value.into())
                }
            }
            Real::Ieee { bits, format: Format::Double } => double_text(f64::from_bits(bits as u64)),
            Real::Ieee { bits, format } => match self.finite().first() {
                Some(part) if part.significand != 0 => part.text(),
                Some(_) if is_negative(bits, format) => "-0".to_owned(),
                _ => double_text(self.to_f64()),
            },
        }
    }
}

impl Finite {
    fn text(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        format!("{sign}{}", decimal::shortest(self.significand, self.exponent, self.step))
    }

    fn scaled(&self, least: i32) -> BigInt {
        let whole = BigInt::from(self.significand) << (self.exponent - least) as u32;
        if self.is_negative {
            -whole
        } else {
            whole
        }
    }
}

/// A double in the usual notation of programs.
pub fn double_text(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() || value == 0.0 {
        return value.to_string();
    }
    scientific(&format!("{value:e}"))
}

/// Rust's `d.ddde±n`, without the exponent if the number is readable without it.
fn scientific(text: &str) -> String {
    let (sign, magnitude) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (digits, exponent) = magnitude.split_once('e').unwrap_or((magnitude, "0"));
    let behind = digits.split_once('.').map_or(0, |(_, behind)| behind.len() as i32);
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{sign}{}", decimal::written(&digits.replace('.', ""), exponent - behind))
}

/// `value * 2^exponent`, rounded to a double.
pub fn double(value: &BigInt, exponent: i32) -> f64 {
    // More bits than a double has, so that the scaling below rounds at most once.
    let bits = value.bits() as i32;
    let spare = (bits - 120).max(0);
    let lost = spare > 0 && ((value.abs() >> (spare as u32)) << (spare as u32)) != value.abs();
    let mut top = (value.abs() >> (spare as u32)).to_u128().unwrap_or(u128::MAX);
    top |= u128::from(lost);
    let double = scaled(top, exponent + spare);
    if value.is_negative() {
        -double
    } else {
        double
    }
}

fn scaled(significand: u128, exponent: i32) -> f64 {
    if significand == 0 {
        return 0.0;
    }
    let zeros = significand.leading_zeros() as i32;
    let top = exponent + 127 - zeros;
    if top > 1023 {
        return f64::INFINITY;
    }
    let kept = if top < -1022 { 53 - (-1022 - top) } else { 53 };
    if kept < 0 {
        return 0.0;
    }
    let normal = significand << zeros;
    let (whole, rest) = if kept == 0 { (0, normal) } else { (normal >> (128 - kept), normal << kept) };
    let whole = whole + u128::from(rest > 1 << 127 || (rest == 1 << 127 && whole & 1 == 1));
    // Exact, since there are at most 53 bits. Two steps keep both powers in range.
    let power = top + 1 - kept;
    whole as f64 * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
}

fn finite(quad: u128, format: Format) -> Option<Finite> {
    let biased = (quad >> QUAD_FRACTION) as i32 & 0x7fff;
    let fraction = quad & ((1 << QUAD_FRACTION) - 1);
    if biased == 0x7fff {
        return None;
    }
    let significand = if biased == 0 { fraction } else { fraction | 1 << QUAD_FRACTION };
    let exponent = biased.max(1) - QUAD_BIAS - QUAD_FRACTION as i32;
    let top = exponent + 127 - significand.leading_zeros().min(127) as i32;
    let (digits, least) = match format {
        Format::Half => (11, -24),
        Format::Single => (24, -149),
        Format::Double => (53, -1074),
        Format::Extended => (64, -16445),
        Format::Quad => (113, -16494),
    };
    // All bits below the last digit of the format are zero.
    Some(Finite { is_negative: quad >> 127 == 1, significand, exponent, step: (top + 1 - digits).max(least) })
}

fn is_negative(bits: u128, format: Format) -> bool {
    bits >> (8 * format.size_bytes() - 1) & 1 == 1
}

/// An integer with the order of the numbers.
fn key(quad: u128) -> i128 {
    let magnitude = (quad << 1 >> 1) as i128;
    if quad >> 127 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// The position of the number among all numbers of its format.
fn place(bits: u128, format: Format) -> i128 {
    let sign_at = 8 * format.size_bytes() - 1;
    let magnitude = bits & ((1 << sign_at) - 1);
    let magnitude = match format {
        // The leading digit is explicit in this format. Without it, neighbours differ by one.
        Format::Extended => (magnitude >> 64 << 63) | (magnitude & ((1 << 63) - 1)),
        _ => magnitude,
    } as i128;
    if bits >> sign_at & 1 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: f64, format: Format) -> Real {
        let bits = convert(value.to_bits().into(), Format::Double, format).expect("it fits");
        Real::Ieee { bits, format }
    }

    const ALL: [Format; 5] = [Format::Half, Format::Single, Format::Double, Format::Extended, Format::Quad];

    #[test]
    fn every_format_says_the_same_of_the_same_number() {
        for format in ALL {
            for (value, text) in [
                (1.0, "1"),
                (-2.5, "-2.5"),
                (0.0, "0"),
                (-0.0, "-0"),
                (1024.0, "1024"),
                (f64::INFINITY, "inf"),
                (f64::NEG_INFINITY, "-inf"),
            ] {
                let real = of(value, format);
                assert_eq!(real.text(), text, "{format:?}");
                assert_eq!(real.to_f64(), value);
                assert_eq!(
                    (real.is_zero(), real.is_infinite(), real.is_nan()),
                    (value == 0.0, value.is_infinite(), false),
                    "{text} {format:?}"
                );
            }
            assert!(of(f64::NAN, format).is_nan() && of(f64::NAN, format).text() == "nan");
            assert_eq!(of(1.0, format).compare(of(-1.5, format)), Some(Ordering::Greater));
            assert_eq!(of(0.0, format).compare(of(-0.0, format)), Some(Ordering::Equal));
            assert_eq!(of(1.0, format).distance(of(-1.5, format)), 2.5);
        }
    }

    #[test]
    fn decimals_are_no_longer_than_the_format_is_exact() {
        // 0.1 in each format.
        let tenth = [
            (Format::Half, 0x2e66, "0.1"),
            (Format::Single, 0x3dcc_cccd, "0.1"),
            (Format::Extended, 0x3ffb_cccc_cccc_cccc_cccd, "0.1"),
            (Format::Quad, 0x3ffb_9999_9999_9999_9999_9999_9999_999a, "0.1"),
            (
                Format::Quad,
                0x3ffb_9999_9999_9999_9999_9999_9999_999b,
                "0.10000000000000000000000000000000002",
            ),
            (Format::Extended, 0x7ffe_ffff_ffff_ffff_ffff, "1.189731495357231765e4932"),
            (Format::Extended, 1, "4e-4951"),
            (Format::Quad, 1, "6e-4966"),
        ];
        for (format, bits, text) in tenth {
            assert_eq!(Real::Ieee { bits, format }.text(), text);
        }
    }

    #[test]
    fn neighbours_are_one_step_apart_in_every_format() {
        for format in ALL {
            let one = of(1.0, format);
            let Real::Ieee { bits, .. } = one else { panic!() };
            let next = Real::Ieee { bits: bits + 1, format };
            assert_eq!(one.steps(next), Some(1));
            let below = if format == Format::Extended { 0x3ffe_ffff_ffff_ffff_ffff } else { bits - 1 };
            assert_eq!(one.steps(Real::Ieee { bits: below, format }), Some(1), "{format:?}");
            assert!(one.distance(next) > 0.0);
        }
        assert_eq!(of(0.0, Format::Double).steps(of(-0.0, Format::Double)), Some(0));
        assert_eq!(of(1.0, Format::Double).steps(of(1.0, Format::Quad)), None);
        let tiny = Real::Ieee { bits: 1, format: Format::Quad };
        assert_eq!(tiny.distance(of(0.0, Format::Quad)), f64::from_bits(1));
    }

    #[test]
    fn pairs_of_doubles_are_their_sum() {
        let bytes: Vec<u8> = [1.0f64.to_be_bytes(), 1e-20f64.to_be_bytes()].concat();
        let pair = Real::read(&bytes, RealFormat::Pair, true);
        assert_eq!(pair.text(), "1+1e-20");
        assert_eq!(pair.distance(Real::Pair(1.0, 0.0)), 1e-20);
        assert_eq!(pair.distance(of(1.0, Format::Quad)), 1e-20);
        assert_eq!(pair.compare(Real::Pair(1.0, 0.0)), Some(Ordering::Greater));
    }

    #[test]
    fn large_integers_become_the_nearest_double() {
        for value in [1u128, 3 << 70, (1 << 53) + 1, u128::MAX, (1 << 120) + 1] {
            assert_eq!(double(&BigInt::from(value), 0), value as f64);
        }
        assert_eq!(double(&BigInt::from(-5), -1074), -5.0 * f64::from_bits(1));
        assert_eq!(double(&BigInt::from(1), 1024), f64::INFINITY);
        assert_eq!(double(&BigInt::from(1), -1080), 0.0);
    }
}
