//! Converts reals between binary formats (IEEE 754 and the x87 format), by their bits.
//!
//! Input: the bits of a value in one format.
//! Output: its bits in another format.
//! Postcondition: values are rounded to nearest, ties to even. Infinities and NaN are preserved. A value that
//! is too large gives none.

/// A binary floating-point format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Half,
    Single,
    Double,
    /// The format of the x87, which stores the first digit of the significand.
    Extended,
    Quad,
}

impl Format {
    /// The format with this many digits in its significand.
    pub fn with_digits(digits: u8) -> Option<Format> {
        [Format::Half, Format::Single, Format::Double, Format::Extended, Format::Quad]
            .into_iter()
            .find(|format| format.digits() == u32::from(digits))
    }

    fn digits(self) -> u32 {
        match self {
            Format::Half => 11,
            Format::Single => 24,
            Format::Double => 53,
            Format::Extended => 64,
            Format::Quad => 113,
        }
    }

    fn exponent_bits(self) -> u32 {
        match self {
            Format::Half => 5,
            Format::Single => 8,
            Format::Double => 11,
            Format::Extended | Format::Quad => 15,
        }
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// The bits below the exponent.
    fn fraction_bits(self) -> u32 {
        if self == Format::Extended {
            64
        } else {
            self.digits() - 1
        }
    }

    /// The bytes that contain the value. The rest is padding.
    pub fn size_bytes(self) -> usize {
        match self {
            Format::Half => 2,
            Format::Single => 4,
            Format::Double => 8,
            Format::Extended => 10,
            Format::Quad => 16,
        }
    }
}

/// `significand / 2^127 * 2^exponent`, where the first bit of the significand is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Magnitude {
    Zero,
    Finite { significand: u128, exponent: i32 },
    Infinite,
    Nan,
}

/// The same value in another format; none if it is too large for it.
pub fn convert(bits: u128, from: Format, to: Format) -> Option<u128> {
    if from == to {
        return Some(bits);
    }
    let sign_at = from.exponent_bits() + from.fraction_bits();
    let is_negative = bits >> sign_at & 1 == 1;
    let magnitude = encode(decode(bits & ((1 << sign_at) - 1), from), to)?;
    Some(magnitude | u128::from(is_negative) << (to.exponent_bits() + to.fraction_bits()))
}

/// The value in decimal, with enough digits for a message.
pub fn text(bits: u128, format: Format) -> String {
    if let Some(double) = convert(bits, format, Format::Double) {
        return format!("{:e}", f64::from_bits(double as u64));
    }
    let sign_at = format.exponent_bits() + format.fraction_bits();
    let sign = if bits >> sign_at & 1 == 1 { "-" } else { "" };
    let Magnitude::Finite { significand, exponent } = decode(bits & ((1 << sign_at) - 1), format) else {
        return format!("{sign}inf");
    };
    let logarithm = (significand as f64).log10() + f64::from(exponent - 127) * std::f64::consts::LOG10_2;
    let whole = logarithm.floor();
    format!("{sign}{:.6}e{whole}", 10f64.powf(logarithm - whole))
}

fn decode(bits: u128, format: Format) -> Magnitude {
    let fraction_bits = format.fraction_bits();
    let fraction = bits & ((1 << fraction_bits) - 1);
    let biased = (bits >> fraction_bits) as i32;
    let is_explicit = format == Format::Extended;
    if biased == (1 << format.exponent_bits()) - 1 {
        let payload = if is_explicit { fraction << 65 } else { fraction };
        return if payload == 0 { Magnitude::Infinite } else { Magnitude::Nan };
    }
    let whole = if biased == 0 || is_explicit { fraction } else { fraction | 1 << fraction_bits };
    if whole == 0 {
        return Magnitude::Zero;
    }
    let scale = biased.max(1) - format.bias() - (format.digits() as i32 - 1);
    let zeros = whole.leading_zeros();
    Magnitude::Finite { significand: whole << zeros, exponent: scale + 127 - zeros as i32 }
}

fn encode(magnitude: Magnitude, format: Format) -> Option<u128> {
    let largest = ((1u128 << format.exponent_bits()) - 1) << format.fraction_bits();
    let first_digit = if format == Format::Extended { 1 << 63 } else { 0 };
    let (significand, exponent) = match magnitude {
        Magnitude::Zero => return Some(0),
        Magnitude::Infinite => return Some(largest | first_digit),
        Magnitude::Nan => return Some(largest | first_digit | 1 << (format.digits() - 2)),
        Magnitude::Finite { significand, exponent } => (significand, exponent),
    };
    let least = 1 - format.bias();
    let kept = format.digits() as i32 - (least - exponent).max(0);
    let whole = round(significand, kept);
    let biased = if exponent < least { 0 } else { (exponent + format.bias()) as u128 };
    let bits = if format == Format::Extended {
        // A carry out of the significand, or into the first digit of a subnormal number.
        let (whole, biased) = if whole >> 64 == 1 { (whole >> 1, biased + 1) } else { (whole, biased) };
        biased.max(whole >> 63) << 64 | whole
    } else {
        // The first digit, and a carry, add to the exponent.
        match biased {
            0 => whole,
            biased => ((biased - 1) << format.fraction_bits()) + whole,
        }
    };
    (bits < largest).then_some(bits)
}

/// The first `kept` bits, rounded to nearest, ties to even.
fn round(significand: u128, kept: i32) -> u128 {
    if kept < 0 {
        return 0;
    }
    let kept = kept as u32;
    let (whole, rest) =
        if kept == 0 { (0, significand) } else { (significand >> (128 - kept), significand << kept) };
    let half = 1 << 127;
    whole + u128::from(rest > half || (rest == half && whole & 1 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(value: f32) -> u128 {
        value.to_bits().into()
    }

    fn double(value: f64) -> u128 {
        value.to_bits().into()
    }

    const NUMBERS: [f64; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        1e300,
        -1e-300,
        5e-324,
        2.2250738585072014e-308,
        f64::MAX,
        f64::INFINITY,
        1e-310,
    ];

    #[test]
    fn wider_formats_hold_every_double() {
        for number in NUMBERS {
            for wide in [Format::Extended, Format::Quad] {
                let there = convert(double(number), Format::Double, wide).expect("it is wider");
                assert_eq!(convert(there, wide, Format::Double), Some(double(number)), "{number} {wide:?}");
            }
        }
        let nan = convert(double(f64::NAN), Format::Double, Format::Extended).expect("NaN fits");
        assert!(
            f64::from_bits(convert(nan, Format::Extended, Format::Double).expect("NaN fits") as u64).is_nan()
        );
    }

    #[test]
    fn narrowing_agrees_with_the_processor() {
        let mut state = 1u64;
        for _ in 0..if cfg!(miri) { 200 } else { 100_000 } {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let number = f64::from_bits(state);
            let narrow = number as f32;
            if number.is_nan() {
                continue;
            }
            let wanted = (!narrow.is_infinite() || number.is_infinite()).then(|| single(narrow));
            assert_eq!(convert(double(number), Format::Double, Format::Single), wanted, "{number:e}");
        }
        for number in [1e-40f64, 1e-45, 7e-46, 1.1754943e-38, 16777217.0] {
            assert_eq!(
                convert(double(number), Format::Double, Format::Single),
                Some(single(number as f32)),
                "{number:e}"
            );
        }
    }

    #[test]
    fn known_bits() {
        let one = 0x3fff_8000_0000_0000_0000;
        assert_eq!(convert(double(1.0), Format::Double, Format::Extended), Some(one));
        assert_eq!(convert(one, Format::Extended, Format::Quad), Some(0x3fff << 112));
        assert_eq!(convert(0x3c00, Format::Half, Format::Double), Some(double(1.0)));
        assert_eq!(convert(double(70000.0), Format::Double, Format::Half), None);
    }

    #[test]
    fn values_are_told_in_decimal() {
        assert_eq!(text(double(-1.5e300), Format::Double), "-1.5e300");
        // 2^16000, and its negative in the other format.
        assert_eq!(text((16383 + 16000) << 64 | 1 << 63, Format::Extended), "3.019469e4816");
        assert_eq!(text(1 << 127 | (16383 + 16000) << 112, Format::Quad), "-3.019469e4816");
    }
}
