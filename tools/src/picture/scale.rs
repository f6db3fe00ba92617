//! The scale of a picture.
//!
//! Input: the values of all tiles, and the wishes of the user.
//! Output: the position of a value between 0 and 1, its colour, and the numbers next to the scale.
//! Postcondition: the numbers are round, apart from that of a scale with one value.

use super::colour::{self, Colour, INFINITE, NOT_A_NUMBER, NO_VALUE};
use super::grid::{Grid, GridCell};
use super::PlotOptions;
use crate::value::real::double_text;
use anyhow::{bail, Result};

/// The values at the ends of the scale.
pub struct Scale {
    pub least: f64,
    pub largest: f64,
    pub log: bool,
    has_numbers: bool,
}

/// A number next to a scale.
#[derive(Debug, PartialEq)]
pub struct Tick {
    /// Between 0 and 1.
    pub place: f64,
    pub text: String,
}

const MOST_TICKS: usize = 6;

impl Scale {
    /// The scale that all grids share.
    pub fn new<'a>(grids: impl Iterator<Item = &'a Grid> + Clone, wanted: &PlotOptions) -> Result<Scale> {
        let found = grids.clone().filter_map(|grid| grid.extremes);
        let found = found.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let (mut least, largest) = wanted.range.or(found).unwrap_or((0.0, 0.0));
        if wanted.log {
            let above_zero = grids.filter_map(|grid| grid.least_above_zero).reduce(f64::min);
            least = if least > 0.0 { least } else { above_zero.unwrap_or(0.0) };
            if found.is_some() && (least <= 0.0 || largest < least) {
                bail!("nothing in it is above zero, so it has no logarithm");
            }
        }
        let has_numbers = found.is_some() || wanted.range.is_some();
        Ok(Scale { least, largest, log: wanted.log, has_numbers })
    }

    /// Where a value is on the scale. The result may be outside of 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        let scaled = |value: f64| if self.log { value.log10() } else { value / 2.0 };
        let (least, largest) = (scaled(self.least), scaled(self.largest));
        // Half the values are used, because the difference of two doubles may overflow.
        if largest > least {
            (scaled(value) - least) / (largest - least)
        } else {
            0.5
        }
    }

    pub fn colour(&self, cell: &GridCell) -> Colour {
        if cell.has_nan {
            return NOT_A_NUMBER;
        }
        if cell.has_infinity {
            return INFINITE;
        }
        if !cell.has_values() || (self.log && cell.value() <= 0.0) {
            return NO_VALUE;
        }
        colour::of(self.place(cell.value()))
    }

    /// Whether the scale has more than one value.
    pub fn is_range(&self) -> bool {
        self.largest > self.least
    }

    /// One if all values are equal, none if there are no numbers.
    pub fn ticks(&self) -> Vec<Tick> {
        if !self.has_numbers {
            return Vec::new();
        }
        if !self.is_range() {
            return vec![Tick { place: 0.5, text: double_text(self.least) }];
        }
        let decades = self.decades();
        let values =
            if decades.len() > 1 { decades } else { round_values(self.least, self.largest, MOST_TICKS) };
        let tick = |(value, text)| Tick { place: self.place(value), text };
        values.into_iter().map(tick).collect()
    }

    /// The powers of ten on a logarithmic scale.
    fn decades(&self) -> Vec<(f64, String)> {
        if !self.log {
            return Vec::new();
        }
        let (first, last) = (self.least.log10().ceil() as i32, self.largest.log10().floor() as i32);
        let count = usize::try_from(last - first + 1).unwrap_or(0);
        let step = count.div_ceil(MOST_TICKS).max(1);
        let powers = (first..=last).step_by(step).map(|exponent| format!("1e{exponent}"));
        powers.filter_map(|text| Some((text.parse().ok()?, text))).collect()
    }
}

/// The multiples of 1, 2 or 5 times a power of ten between two values, at most `most` of them, and their text.
pub fn round_values(least: f64, largest: f64, most: usize) -> Vec<(f64, String)> {
    // Half the values are used, because the difference of two doubles may overflow.
    let rough = (largest / 2.0 - least / 2.0) / most.max(1) as f64 * 2.0;
    let mut exponent = rough.log10().floor() as i32;
    if !rough.is_finite() || rough <= 0.0 || exponent < -300 {
        return Vec::new();
    }
    let mut digit = 1;
    let step = |digit: i32, exponent: i32| format!("{digit}e{exponent}").parse::<f64>().unwrap_or(rough);
    while count(least, largest, step(digit, exponent)) > most as f64 {
        (digit, exponent) = match digit {
            1 => (2, exponent),
            2 => (5, exponent),
            _ => (1, exponent + 1),
        };
    }
    let step = step(digit, exponent);
    let first = (least / step).ceil();
    let count = count(least, largest, step) as usize;
    (0..count)
        .map(|place| (first + place as f64) * step)
        .map(|value| (value, text(value, exponent)))
        .collect()
}

/// How many multiples of the step are between the values.
fn count(least: f64, largest: f64, step: f64) -> f64 {
    (largest / step).floor() - (least / step).ceil() + 1.0
}

/// A multiple of a step with this power of ten, without digits that come from rounding.
fn text(value: f64, exponent: i32) -> String {
    let value = if value == 0.0 { 0.0 } else { value };
    let decimals = usize::try_from(-exponent).unwrap_or(0);
    match value.abs() {
        magnitude if decimals <= 6 && magnitude < 1e7 => format!("{value:.decimals$}"),
        0.0 => "0".to_owned(),
        magnitude => {
            let digits = (magnitude.log10().floor() as i32 - exponent).clamp(0, 15) as usize;
            double_text(format!("{value:.digits$e}").parse().unwrap_or(value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(least: f64, largest: f64) -> Vec<String> {
        round_values(least, largest, MOST_TICKS).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn numbers_are_round() {
        assert_eq!(texts(0.0, 1999.0), ["0", "500", "1000", "1500"]);
        assert_eq!(texts(-1.0, 1.0), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(texts(0.13, 0.17), ["0.13", "0.14", "0.15", "0.16", "0.17"]);
        assert_eq!(texts(1e-9, 4.2e-9), ["1e-9", "2e-9", "3e-9", "4e-9"]);
        assert_eq!(
            texts(1_000_000.0, 1_000_001.0),
            ["1000000.0", "1000000.2", "1000000.4", "1000000.6", "1000000.8", "1000001.0"]
        );
        assert_eq!(texts(-f64::MAX, f64::MAX), ["-1e308", "0", "1e308"]);
        assert!(texts(1.0, 1.0).is_empty() && texts(0.0, f64::NAN).is_empty());
    }

    #[test]
    fn there_are_always_some_numbers_and_never_too_many() {
        for exponent in -200..200 {
            for digit in 1..10 {
                let value = format!("{digit}e{exponent}").parse::<f64>().unwrap();
                for (least, largest) in [(0.0, value), (-value, value / 3.0), (value, 1.5 * value)] {
                    let found = round_values(least, largest, MOST_TICKS);
                    assert!((2..=MOST_TICKS).contains(&found.len()), "{least} {largest}: {found:?}");
                    let rounding = 1e-9 * least.abs().max(largest.abs());
                    let range = least - rounding..=largest + rounding;
                    assert!(
                        found.iter().all(|(value, _)| range.contains(value)),
                        "{least} {largest}: {found:?}"
                    );
                }
            }
        }
    }
}
