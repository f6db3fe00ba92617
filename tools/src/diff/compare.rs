//! Compares two registers, element by element.
//!
//! Input: the content of both, and a tolerance.
//! Output: how many elements differ, where first, and by how much.
//! Postcondition: between different machines, values were compared and not bytes; padding was not compared;
//! pointers were compared by what they point to.

use crate::content::ContentReader;
use crate::display::shortened;
use crate::location_names::LocationNames;
use crate::shape::Shape;
use crate::value::real::RealFormat;
use crate::value::text::signed_magnitude;
use crate::value::{Element, Kind, Part, Reader, Real};
use cppc_abi::bits;
use cppc_runtime::manifest::{Location, Register};
use cppc_runtime::restore::convert::real::Format;
use cppc_runtime::verify::{Description, Verified, VerifyError};
use serde::Serialize;
use std::collections::HashMap;

/// The largest differences between numbers that are tolerated.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Tolerance {
    pub absolute: f64,
    pub relative: f64,
}

/// One of the two files.
pub struct Side<'a> {
    pub description: &'a Verified<Description>,
    pub reader: Reader<'a>,
    pub places: LocationNames<'a>,
}

/// The result of a comparison.
#[derive(Debug, Default)]
pub struct Differences {
    pub compared: u64,
    pub differing: u64,
    /// Different, but within the tolerance.
    pub tolerated: u64,
    pub first: Option<FirstDifference>,
    pub max_absolute: Option<f64>,
    pub max_relative: Option<f64>,
    pub max_ulps: Option<u128>,
    /// The element with the largest absolute difference.
    pub largest_at: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct FirstDifference {
    /// Its number in memory, counted from zero.
    pub element: u64,
    /// Its index in the notation of the program.
    pub at: String,
    pub a: String,
    pub b: String,
}

const MOST_LETTERS: usize = 40;

impl<'a> Side<'a> {
    pub fn new(description: &'a Verified<Description>) -> Side<'a> {
        let reader = Reader { manifest: description.manifest(), machine: description.machine() };
        Side { description, reader, places: LocationNames::new(description) }
    }

    fn element(&self, register: &Register) -> Element {
        self.reader.element(register.type_code, register.element_bytes as usize)
    }
}

/// The parts that both elements have, or the reason why they cannot be compared.
pub fn parts(a: (&Side, &Register), b: (&Side, &Register)) -> Result<Vec<(Part, Part)>, String> {
    let (own, is_all) = a.0.reader.parts(a.0.element(a.1));
    let (others, _) = b.0.reader.parts(b.0.element(b.1));
    if !is_all {
        return Err("the structure has too many fields to compare".to_owned());
    }
    // If several have one name, they are matched in order.
    let mut by_path: HashMap<&str, Vec<&Part>> = HashMap::new();
    others.iter().rev().for_each(|other| by_path.entry(other.path.as_str()).or_default().push(other));
    let mut pairs = Vec::new();
    for part in &own {
        let Some(other) = by_path.get_mut(part.path.as_str()).and_then(Vec::pop) else {
            return Err(format!("field `{}` is in A only", part.path));
        };
        let counts = |part: &Part| part.repeats.iter().map(|(count, _)| *count).collect::<Vec<_>>();
        if counts(part) != counts(other) {
            return Err(format!("field `{}` has another number of elements", part.path));
        }
        if !is_comparable(part.element, other.element) {
            return Err(if part.path.is_empty() {
                String::new()
            } else {
                format!("field `{}` has another type", part.path)
            });
        }
        pairs.push((part.clone(), other.clone()));
    }
    match by_path.into_values().flatten().next() {
        Some(other) => Err(format!("field `{}` is in B only", other.path)),
        None => Ok(pairs),
    }
}

fn is_comparable(one: Element, other: Element) -> bool {
    match (one.kind, other.kind) {
        (Kind::Integer { .. }, Kind::Integer { .. })
        | (Kind::Bits(_), Kind::Bits(_))
        | (Kind::Real(_), Kind::Real(_))
        | (Kind::Complex(_), Kind::Complex(_)) => true,
        (Kind::Bytes, Kind::Bytes) => one.size_bytes == other.size_bytes,
        (one, other) => one == other,
    }
}

/// Compares the elements that both have.
pub fn compare(
    a: (&Side, &Register),
    b: (&Side, &Register),
    parts: &[(Part, Part)],
    shape: &Shape,
    tolerance: Tolerance,
    advance: &mut dyn FnMut(u64),
) -> Result<Differences, VerifyError> {
    let contents = (ContentReader::new(a.0.description, a.1), ContentReader::new(b.0.description, b.1));
    let mut comparison = Comparison { a: a.0, b: b.0, shape, tolerance, found: Differences::default() };
    let (Some(mut own), Some(mut others)) = contents else { return Ok(comparison.found) };
    let (size, other_size) = (a.1.element_bytes as usize, b.1.element_bytes as usize);
    let targets = (a.1.target.unwrap_or(ORIGIN), b.1.target.unwrap_or(ORIGIN));
    let is_plain = a.0.reader.machine == b.0.reader.machine
        && parts.iter().all(|(part, _)| part.element.kind != Kind::Pointer);
    let step = own.step().min(others.step());
    let mut element = 0;
    loop {
        let bytes = own.take(step)?;
        let count = (bytes.len() / size).min(step);
        let other_bytes = others.take(count)?;
        let count = count.min(other_bytes.len() / other_size);
        if count == 0 {
            return Ok(comparison.found);
        }
        // Equal bits have equal values.
        if !(is_plain && bytes == other_bytes) {
            let pairs = bytes.chunks_exact(size).zip(other_bytes.chunks_exact(other_size)).take(count);
            for (number, (one, other)) in (element..).zip(pairs) {
                let at = (start(targets.0, number, size), start(targets.1, number, other_size));
                parts.iter().for_each(|(part, other_part)| {
                    comparison.part(number, (part, one), (other_part, other), at)
                });
            }
        }
        element += count as u64;
        comparison.found.compared = element;
        advance((count * size) as u64);
    }
}

const ORIGIN: Location = Location { block: 0, offset_bytes: 0 };

fn start(target: Location, element: u64, size_bytes: usize) -> Location {
    Location { offset_bytes: target.offset_bytes + element * size_bytes as u64, ..target }
}

struct Comparison<'a> {
    a: &'a Side<'a>,
    b: &'a Side<'a>,
    shape: &'a Shape,
    tolerance: Tolerance,
    found: Differences,
}

/// The result of comparing two values.
enum ValueComparison {
    Same,
    Other,
    /// Two different numbers.
    Off {
        absolute: f64,
        magnitude: f64,
        ulps: Option<u128>,
    },
}

impl Comparison<'_> {
    /// Compares all occurrences of a part in one element.
    fn part(&mut self, element: u64, a: (&Part, &[u8]), b: (&Part, &[u8]), at: (Location, Location)) {
        let total: usize = a.0.repeats.iter().map(|(count, _)| *count).product();
        if total == 1 && a.0.offset_bytes == 0 && a.0.path.is_empty() {
            return self.value(element, a, b, at, 0);
        }
        let mut others = Vec::with_capacity(total);
        b.0.each(b.1, |_, bytes| others.push(bytes));
        a.0.each(a.1, |number, bytes| {
            if let Some(other) = others.get(number) {
                self.value(element, (a.0, bytes), (b.0, other), at, number);
            }
        });
    }

    fn value(
        &mut self,
        element: u64,
        a: (&Part, &[u8]),
        b: (&Part, &[u8]),
        at: (Location, Location),
        number: usize,
    ) {
        let verdict = match a.0.element.kind {
            Kind::Pointer => {
                let one = self.a.pointer(at.0, a.0, number);
                let other = self.b.pointer(at.1, b.0, number);
                if one != other {
                    self.differs(element, a.0, number, || (one, other));
                }
                return;
            }
            _ => verdict(&self.a.reader, (a.0.element, a.1), &self.b.reader, (b.0.element, b.1)),
        };
        let (absolute, relative, ulps) = match verdict {
            ValueComparison::Same => return,
            ValueComparison::Other => (None, None, None),
            ValueComparison::Off { absolute, magnitude, ulps } => {
                if absolute <= self.tolerance.absolute.max(self.tolerance.relative * magnitude)
                    && self.tolerance.is_given()
                {
                    self.found.tolerated += 1;
                    return;
                }
                (Some(absolute), (magnitude > 0.0).then(|| absolute / magnitude), ulps)
            }
        };
        if absolute > self.found.max_absolute {
            self.found.largest_at = Some(self.at(element, a.0, number));
        }
        self.found.max_absolute = larger(self.found.max_absolute, absolute);
        self.found.max_relative = larger(self.found.max_relative, relative);
        self.found.max_ulps = self.found.max_ulps.max(ulps);
        let (readers, elements) = ((self.a.reader, self.b.reader), (a.0.element, b.0.element));
        self.differs(element, a.0, number, || {
            (readers.0.text(elements.0, a.1), readers.1.text(elements.1, b.1))
        });
    }

    fn at(&self, element: u64, part: &Part, number: usize) -> String {
        format!("{}{}", self.shape.at(element), part.at(number))
    }

    fn differs(&mut self, element: u64, part: &Part, number: usize, said: impl FnOnce() -> (String, String)) {
        self.found.differing += 1;
        if self.found.first.is_none() {
            let (a, b) = said();
            let at = self.at(element, part, number);
            let [a, b] = [a, b].map(|text| shortened(&text, MOST_LETTERS));
            self.found.first = Some(FirstDifference { element, at, a, b });
        }
    }
}

impl Tolerance {
    fn is_given(&self) -> bool {
        self.absolute > 0.0 || self.relative > 0.0
    }
}

impl Side<'_> {
    /// What the pointer in this occurrence of a part points to.
    fn pointer(&self, element: Location, part: &Part, number: usize) -> String {
        let mut offset = part.offset_bytes as u64;
        let mut rest = number;
        for &(count, stride_bytes) in part.repeats.iter().rev() {
            offset += (rest % count * stride_bytes) as u64;
            rest /= count;
        }
        let begin = element.offset_bytes + offset;
        let found = self.reader.manifest.relocations_in(element.block, begin..begin + 1).first();
        match found.map(|relocation| relocation.target) {
            Some(Some(target)) => format!("&{}", self.places.name(target)),
            Some(None) => "null".to_owned(),
            None => "not saved".to_owned(),
        }
    }
}

fn verdict(
    reader: &Reader,
    a: (Element, &[u8]),
    other_reader: &Reader,
    b: (Element, &[u8]),
) -> ValueComparison {
    let order = (reader.machine.big_endian, other_reader.machine.big_endian);
    match (a.0.kind, b.0.kind) {
        (Kind::Real(RealFormat::Ieee(Format::Double)), Kind::Real(RealFormat::Ieee(Format::Double))) => {
            doubles(bits::number(a.1, order.0) as u64, bits::number(b.1, order.1) as u64)
        }
        (Kind::Real(form), Kind::Real(other)) => {
            reals(Real::read(a.1, form, order.0), Real::read(b.1, other, order.1))
        }
        (Kind::Complex(form), Kind::Complex(other)) => {
            let parts = |bytes: &[u8], form, order| {
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                [Real::read(real, form, order), Real::read(imaginary, form, order)]
            };
            let ([real, imaginary], [other_real, other_imaginary]) =
                (parts(a.1, form, order.0), parts(b.1, other, order.1));
            both(
                reals(real, other_real),
                reals(imaginary, other_imaginary),
                (real, imaginary),
                (other_real, other_imaginary),
            )
        }
        (Kind::Integer { signed }, Kind::Integer { signed: other }) => {
            integers(signed_magnitude(a.1, signed, order.0), signed_magnitude(b.1, other, order.1))
        }
        (Kind::Bits(bits), Kind::Bits(other)) => {
            let pair = |value: i128| (value < 0, value.unsigned_abs());
            integers(pair(bits.value(a.1, order.0)), pair(other.value(b.1, order.1)))
        }
        (Kind::Logical, Kind::Logical) => same(is_true(a.1) == is_true(b.1)),
        // Characters are the same on every machine; the meaning of raw bytes is unknown.
        _ => same(a.1 == b.1),
    }
}

fn doubles(bits: u64, other_bits: u64) -> ValueComparison {
    if bits == other_bits {
        return ValueComparison::Same;
    }
    let (one, other) = (f64::from_bits(bits), f64::from_bits(other_bits));
    if !one.is_finite() || !other.is_finite() {
        return ValueComparison::Other;
    }
    let real = |bits: u64| Real::Ieee { bits: bits.into(), format: Format::Double };
    let ulps = real(bits).steps(real(other_bits));
    ValueComparison::Off { absolute: (one - other).abs(), magnitude: one.abs().max(other.abs()), ulps }
}

fn reals(one: Real, other: Real) -> ValueComparison {
    if one == other || (one.is_nan() && other.is_nan() && !is_one_format(one, other)) {
        return ValueComparison::Same;
    }
    let is_zero_of_other_sign = one.is_zero() && other.is_zero() && is_one_format(one, other);
    if one.compare(other) == Some(std::cmp::Ordering::Equal)
        && !is_zero_of_other_sign
        && one.distance(other) == 0.0
    {
        return ValueComparison::Same;
    }
    if one.finite().is_empty() || other.finite().is_empty() {
        return ValueComparison::Other;
    }
    ValueComparison::Off {
        absolute: one.distance(other),
        magnitude: one.to_f64().abs().max(other.to_f64().abs()),
        ulps: one.steps(other),
    }
}

fn is_one_format(one: Real, other: Real) -> bool {
    match (one, other) {
        (Real::Ieee { format, .. }, Real::Ieee { format: other, .. }) => format == other,
        (Real::Pair(..), Real::Pair(..)) => true,
        _ => false,
    }
}

/// For complex numbers, the distance in the complex plane.
fn both(
    real: ValueComparison,
    imaginary: ValueComparison,
    a: (Real, Real),
    b: (Real, Real),
) -> ValueComparison {
    let off = |verdict: ValueComparison| match verdict {
        ValueComparison::Same => Some((0.0, Some(0))),
        ValueComparison::Off { absolute, ulps, .. } => Some((absolute, ulps)),
        ValueComparison::Other => None,
    };
    if matches!((&real, &imaginary), (ValueComparison::Same, ValueComparison::Same)) {
        return ValueComparison::Same;
    }
    match (off(real), off(imaginary)) {
        (Some((real, ulps)), Some((imaginary, other_ulps))) => {
            let modulus = |(real, imaginary): (Real, Real)| real.to_f64().hypot(imaginary.to_f64());
            ValueComparison::Off {
                absolute: real.hypot(imaginary),
                magnitude: modulus(a).max(modulus(b)),
                ulps: ulps.zip(other_ulps).map(|(one, other)| one.max(other)),
            }
        }
        _ => ValueComparison::Other,
    }
}

fn integers(one: (bool, u128), other: (bool, u128)) -> ValueComparison {
    if one == other {
        return ValueComparison::Same;
    }
    let absolute =
        if one.0 == other.0 { one.1.abs_diff(other.1) as f64 } else { one.1 as f64 + other.1 as f64 };
    ValueComparison::Off { absolute, magnitude: one.1.max(other.1) as f64, ulps: None }
}

fn same(is_same: bool) -> ValueComparison {
    if is_same {
        ValueComparison::Same
    } else {
        ValueComparison::Other
    }
}

fn is_true(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte != 0)
}

fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}
