//! Statistics of the numbers of an array.
//!
//! Input: elements, one after the other.
//! Output: the minimum, the maximum, the mean, and the numbers of zeros, NaN and infinite values.
//! Postcondition: values that are not finite are counted and not part of the other results; the mean is that
//! of the exact sum.

use crate::value::real::{double_text, RealFormat};
use crate::value::sum::Sum;
use crate::value::text::{from_real, signed_magnitude};
use crate::value::{Element, Kind, Part, Reader, Real};
use cppc_abi::bits;
use cppc_runtime::restore::convert::real::Format;
use serde::Serialize;
use serde_json::{json, Value};
use std::cmp::Ordering;

/// The statistics of one part of an element.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The field of a structure; empty for the elements themselves.
    pub field: String,
    /// The quantity: `value`, or `modulus` for complex numbers.
    pub of: &'static str,
    pub count: u64,
    pub zeros: u64,
    pub nans: u64,
    pub infinities: u64,
    /// Of finite values, as are the following; null if there are none.
    pub min: Value,
    pub max: Value,
    /// Null for logicals, and if it exceeds the range of a double.
    pub mean: Option<f64>,
    #[serde(skip)]
    pub min_text: String,
    #[serde(skip)]
    pub max_text: String,
}

#[derive(Debug, Clone, Copy)]
enum Number {
    Integer { is_negative: bool, magnitude: u128 },
    Double(f64),
    Real(Real),
}

/// The statistics of one part so far.
pub struct Accumulator {
    part: Part,
    big_endian: bool,
    count: u64,
    zeros: u64,
    nans: u64,
    infinities: u64,
    least: Option<Number>,
    largest: Option<Number>,
    sum: Sum,
}

/// One for each part that has numbers.
pub fn accumulators(reader: &Reader, element: Element) -> Vec<Accumulator> {
    let (parts, _) = reader.parts(element);
    let has_numbers = |part: &Part| {
        !matches!(part.element.kind, Kind::Character | Kind::Pointer | Kind::Bytes | Kind::Structure(_))
    };
    let of = |part| Accumulator {
        part,
        big_endian: reader.machine.big_endian,
        count: 0,
        zeros: 0,
        nans: 0,
        infinities: 0,
        least: None,
        largest: None,
        sum: Sum::default(),
    };
    parts.into_iter().filter(has_numbers).map(of).collect()
}

impl Accumulator {
    /// Adds elements of the register, each of `element_bytes` bytes.
    pub fn add(&mut self, bytes: &[u8], element_bytes: usize) {
        if self.part.path.is_empty() {
            return self.add_all(bytes);
        }
        let part = self.part.clone();
        for element in bytes.chunks_exact(element_bytes.max(1)) {
            part.each(element, |_, bytes| self.add_all(bytes));
        }
    }

    /// Adds adjacent elements of the part.
    fn add_all(&mut self, bytes: &[u8]) {
        let Element { kind, size_bytes } = self.part.element;
        let big_endian = self.big_endian;
        let elements = bytes.chunks_exact(size_bytes.max(1));
        match kind {
            Kind::Real(RealFormat::Ieee(Format::Double)) => {
                elements.for_each(|bytes| {
                    self.add_double(f64::from_bits(bits::number(bytes, big_endian) as u64))
                });
            }
            Kind::Real(RealFormat::Ieee(Format::Single)) => {
                elements.for_each(|bytes| {
                    self.add_double(f32::from_bits(bits::number(bytes, big_endian) as u32).into())
                });
            }
            Kind::Real(form) => elements.for_each(|bytes| self.add_real(Real::read(bytes, form, big_endian))),
            Kind::Complex(form) => elements.for_each(|bytes| {
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                let part = |bytes| Real::read(bytes, form, big_endian).to_f64();
                let (real, imaginary) = (part(real), part(imaginary));
                // `hypot` of an infinity and a NaN is infinite and would hide the NaN.
                let modulus =
                    if real.is_nan() || imaginary.is_nan() { f64::NAN } else { real.hypot(imaginary) };
                self.add_double(modulus);
            }),
            Kind::Integer { signed } => elements.for_each(|bytes| {
                let (is_negative, magnitude) = signed_magnitude(bytes, signed, big_endian);
                self.add_integer(is_negative, magnitude);
            }),
            Kind::Logical => elements
                .for_each(|bytes| self.add_integer(false, u128::from(bytes.iter().any(|&byte| byte != 0)))),
            _ => {}
        }
    }

    fn add_double(&mut self, value: f64) {
        self.count += 1;
        if !value.is_finite() {
            self.nans += u64::from(value.is_nan());
            self.infinities += u64::from(value.is_infinite());
            return;
        }
        self.zeros += u64::from(value == 0.0);
        self.sum.add_double(value);
        match (&mut self.least, &mut self.largest) {
            (Some(Number::Double(least)), Some(Number::Double(largest))) => {
                *least = least.min(value);
                *largest = largest.max(value);
            }
            (least, largest) => {
                (*least, *largest) = (Some(Number::Double(value)), Some(Number::Double(value)))
            }
        }
    }

    fn add_real(&mut self, value: Real) {
        self.count += 1;
        let parts = value.finite();
        if parts.is_empty() || value.is_nan() {
            self.nans += u64::from(value.is_nan());
            self.infinities += u64::from(value.is_infinite());
            return;
        }
        self.zeros += u64::from(value.is_zero());
        parts.iter().for_each(|part| self.sum.add_finite(part));
        self.extend(Number::Real(value));
    }

    fn add_integer(&mut self, is_negative: bool, magnitude: u128) {
        self.count += 1;
        self.zeros += u64::from(magnitude == 0);
        self.sum.add_integer(is_negative, magnitude);
        self.extend(Number::Integer { is_negative, magnitude });
    }

    fn extend(&mut self, number: Number) {
        if self.least.is_none_or(|least| number.compare(&least) == Some(Ordering::Less)) {
            self.least = Some(number);
        }
        if self.largest.is_none_or(|largest| number.compare(&largest) == Some(Ordering::Greater)) {
            self.largest = Some(number);
        }
    }

    pub fn summary(self) -> Summary {
        let finite = self.count - self.nans - self.infinities;
        let kind = self.part.element.kind;
        let value =
            |number: &Option<Number>| number.as_ref().map_or(Value::Null, |number| number.value(kind));
        let text =
            |number: &Option<Number>| number.as_ref().map_or(String::new(), |number| number.text(kind));
        let mean = (finite > 0 && kind != Kind::Logical).then(|| self.sum.mean(finite));
        Summary {
            of: if matches!(kind, Kind::Complex(_)) { "modulus" } else { "value" },
            count: self.count,
            zeros: self.zeros,
            nans: self.nans,
            infinities: self.infinities,
            min: value(&self.least),
            max: value(&self.largest),
            mean: mean.filter(|mean| mean.is_finite()),
            min_text: text(&self.least),
            max_text: text(&self.largest),
            field: self.part.path,
        }
    }
}

impl Number {
    fn compare(&self, other: &Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Double(one), Number::Double(other)) => one.partial_cmp(other),
            (Number::Real(one), Number::Real(other)) => one.compare(*other),
            (
                Number::Integer { is_negative, magnitude },
                Number::Integer { is_negative: other_negative, magnitude: other_magnitude },
            ) => Some(match (is_negative, other_negative) {
                (true, true) => other_magnitude.cmp(magnitude),
                (false, false) => magnitude.cmp(other_magnitude),
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
            }),
            // All numbers of one part have one kind.
            _ => None,
        }
    }

    fn text(&self, kind: Kind) -> String {
        match self {
            Number::Integer { magnitude, .. } if kind == Kind::Logical => (*magnitude != 0).to_string(),
            Number::Integer { is_negative, magnitude } => {
                format!("{}{magnitude}", if *is_negative { "-" } else { "" })
            }
            // A float is shown with its own digits, not with those of a double.
            Number::Double(value) if kind == Kind::Real(RealFormat::Ieee(Format::Single)) => {
                Real::Ieee { bits: (*value as f32).to_bits().into(), format: Format::Single }.text()
            }
            Number::Double(value) => double_text(*value),
            Number::Real(real) => real.text(),
        }
    }

    fn value(&self, kind: Kind) -> Value {
        match self {
            Number::Integer { magnitude, .. } if kind == Kind::Logical => json!(*magnitude != 0),
            Number::Integer { is_negative, magnitude } => {
                match (i64::try_from(*magnitude), u64::try_from(*magnitude)) {
                    (Ok(value), _) => json!(if *is_negative { -value } else { value }),
                    (Err(_), Ok(value)) if !is_negative => json!(value),
                    _ => json!(self.text(kind)),
                }
            }
            Number::Double(value) => json!(value),
            Number::Real(real) => from_real(*real),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cppc_abi::types;
    use cppc_runtime::manifest::Manifest;
    use cppc_runtime::verify::Machine;

    fn of(code: i32, big_endian: bool, bytes: &[u8]) -> Summary {
        let manifest = Manifest::default();
        let machine = Machine { big_endian, ..Machine::THIS };
        let reader = Reader { manifest: &manifest, machine: &machine };
        let element = reader.element(code, 1);
        let mut accumulator = accumulators(&reader, element).pop().expect("it has numbers");
        // In two steps, as for a file.
        let (first, second) = bytes.split_at(bytes.len() / element.size_bytes / 2 * element.size_bytes);
        accumulator.add(first, element.size_bytes);
        accumulator.add(second, element.size_bytes);
        accumulator.summary()
    }

    #[test]
    fn what_is_not_finite_is_counted_apart() {
        let values = [1.0, f64::NAN, -3.0, f64::INFINITY, 0.0, f64::NEG_INFINITY, 4.0];
        let found = of(types::DOUBLE, false, &values.map(f64::to_le_bytes).concat());
        assert_eq!((found.count, found.zeros, found.nans, found.infinities), (7, 1, 1, 2));
        assert_eq!((found.min_text.as_str(), found.max_text.as_str(), found.mean), ("-3", "4", Some(0.5)));
        let none = of(types::DOUBLE, false, &[f64::NAN.to_le_bytes(); 2].concat());
        assert_eq!((none.min.clone(), none.mean, none.max_text.as_str()), (Value::Null, None, ""));
        assert_eq!(of(types::DOUBLE, false, &[]).count, 0);
    }

    #[test]
    fn every_kind_of_number_has_its_own() {
        let found = of(types::LONG_LONG, true, &[i64::MIN, i64::MAX, -1].map(i64::to_be_bytes).concat());
        assert_eq!(
            (found.min_text.as_str(), found.max_text.as_str()),
            ("-9223372036854775808", "9223372036854775807")
        );
        assert_eq!(found.mean, Some(-2.0 / 3.0));
        let found = of(types::UNSIGNED_LONG_LONG, false, &[u64::MAX, 1].map(u64::to_le_bytes).concat());
        assert_eq!((found.max, found.mean), (json!(u64::MAX), Some(2f64.powi(63))));
        let found = of(types::FLOAT, true, &[0.1f32, -0.2].map(f32::to_be_bytes).concat());
        assert_eq!((found.min_text.as_str(), found.max_text.as_str()), ("-0.2", "0.1"));
        let found = of(
            types::DOUBLE_COMPLEX,
            false,
            &[3.0f64, 4.0, 0.0, 0.0, f64::INFINITY, f64::NAN].map(f64::to_le_bytes).concat(),
        );
        assert_eq!(
            (found.of, found.max_text.as_str(), found.zeros, found.nans, found.mean),
            ("modulus", "5", 1, 1, Some(2.5))
        );
        let found = of(types::BOOL, false, &[0, 1, 0, 1, 1]);
        assert_eq!((found.zeros, found.min, found.max, found.mean), (2, json!(false), json!(true), None));
        let quads = [0x3fff_0000u128 << 96, 0x4000_4000 << 96, 0x7fff_0000 << 96, 0x7fff_8000 << 96];
        let found = of(types::FLOAT128, true, &quads.map(u128::to_be_bytes).concat());
        assert_eq!((found.min_text.as_str(), found.max_text.as_str(), found.mean), ("1", "2.5", Some(1.75)));
        assert_eq!((found.nans, found.infinities), (1, 1));
    }
}
