//! Draws a grid of values.
//!
//! Input: cells, and the text around them.
//! Output: pixels.
//! Postcondition: the scale with its ends is next to the picture; NaN and infinity have colours that are not
//! on the scale.

use super::canvas::{Canvas, LETTER};
use super::colour::{self, Colour, FAINT, INFINITE, INK, NOT_A_NUMBER, NO_VALUE};
use super::grid::{Grid, GridCell};
use super::slice::Plane;
use super::PlotOptions;
use crate::value::real::double_text;
use anyhow::{bail, Result};

pub struct Labels {
    pub title: String,
    pub details: String,
    pub is_modulus: bool,
}

/// The longer side of a picture with few elements, and the largest ratio of its sides.
const SIDE: usize = 800;
const MOST_RATIO: usize = 8;
const MARGIN: usize = 16;
const TOP: usize = 48;
const BAR: usize = 20;
/// The width of the numbers next to the scale and the picture.
const NUMBER: usize = 12 * LETTER;
const LINE_HEIGHT: usize = 360;

pub fn draw(grid: &Grid, plane: &Plane, labels: &Labels, wanted: &PlotOptions) -> Result<Canvas> {
    let scale = Scale::new(grid, wanted)?;
    if plane.row_bounds.is_none() {
        return Ok(line(grid, plane, labels, &scale));
    }
    let (width, height) = sizes(grid, plane);
    let left = MARGIN + index_width(plane.row_bounds.unwrap_or_default());
    let bar = left + width + MARGIN;
    let text_width = MARGIN + 2 * LETTER * labels.title.chars().count().min(60);
    let total = (bar + BAR + 6 + NUMBER + MARGIN)
        .max(text_width)
        .max(MARGIN + LETTER * labels.details.chars().count().min(120));
    let mut canvas = Canvas::new(total, TOP + height.max(120) + 56);
    heading(&mut canvas, labels);
    canvas.frame(left, TOP, width, height, INK);
    for y in 0..height {
        let row = y * grid.rows / height;
        let row = if wanted.upwards { grid.rows - 1 - row } else { row };
        for x in 0..width {
            let cell = &grid.cells[row * grid.columns + x * grid.columns / width];
            canvas.pixel(left + x, TOP + y, scale.colour(cell));
        }
    }
    indices(&mut canvas, plane, (left, width, height), wanted.upwards);
    scale.bar(&mut canvas, bar, height.max(120));
    legend(&mut canvas, grid, &scale, left, TOP + height.max(120) + 34);
    Ok(canvas)
}

/// The sides have the ratio of the array, within a limit. If there are few cells, they all have one size.
fn sizes(grid: &Grid, plane: &Plane) -> (usize, usize) {
    let longer = plane.columns.max(plane.rows);
    let full = SIDE.max(grid.columns.max(grid.rows));
    let side = |extent: u64, cells: usize| {
        let wanted = (full as f64 * extent as f64 / longer as f64) as usize;
        let wanted = wanted.max(full / MOST_RATIO);
        (wanted / cells).max(1) * cells
    };
    (side(plane.columns, grid.columns), side(plane.rows, grid.rows))
}

/// The values at the ends of the scale.
struct Scale {
    least: f64,
    largest: f64,
    log: bool,
    has_numbers: bool,
}

impl Scale {
    fn new(grid: &Grid, wanted: &PlotOptions) -> Result<Scale> {
        let found = grid.extremes.unwrap_or((0.0, 0.0));
        let (mut least, largest) = wanted.range.unwrap_or(found);
        if wanted.log {
            least = if least > 0.0 { least } else { grid.least_above_zero.unwrap_or(0.0) };
            if grid.extremes.is_some() && (least <= 0.0 || largest < least) {
                bail!("nothing in it is above zero, so it has no logarithm");
            }
        }
        Ok(Scale {
            least,
            largest,
            log: wanted.log,
            has_numbers: grid.extremes.is_some() || wanted.range.is_some(),
        })
    }

    fn place(&self, value: f64) -> f64 {
        let scaled = |value: f64| if self.log { value.log10() } else { value / 2.0 };
        let (least, largest) = (scaled(self.least), scaled(self.largest));
        // Half the values are used, because the difference of two doubles may overflow.
        if largest > least {
            (scaled(value) - least) / (largest - least)
        } else {
            0.5
        }
    }

    fn value(&self, place: f64) -> f64 {
        if self.log {
            10f64.powf(self.least.log10() + place * (self.largest.log10() - self.least.log10()))
        } else {
            self.least * (1.0 - place) + self.largest * place
        }
    }

    fn colour(&self, cell: &GridCell) -> Colour {
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

    /// Draws the scale with the largest value at the top.
    fn bar(&self, canvas: &mut Canvas, left: usize, height: usize) {
        canvas.frame(left, TOP, BAR, height, INK);
        for y in 0..height {
            let place = 1.0 - y as f64 / (height - 1).max(1) as f64;
            let place = if self.largest > self.least { place } else { 0.5 };
            canvas.fill(left, TOP + y, BAR, 1, colour::of(place));
        }
        for (place, is_end) in self.marks() {
            let y = TOP + ((1.0 - place) * (height - 1) as f64) as usize;
            canvas.fill(left + BAR, y, 4, 1, INK);
            canvas.text(
                left + BAR + 6,
                y.saturating_sub(LETTER / 2),
                1,
                &short(self.value(place)),
                if is_end { INK } else { FAINT },
            );
        }
    }

    /// The positions of the numbers, and whether each is at an end: one if all values are equal, none if
    /// there are no numbers.
    fn marks(&self) -> Vec<(f64, bool)> {
        match self.largest > self.least {
            _ if !self.has_numbers => Vec::new(),
            true => (0..=4).map(|step| (f64::from(step) / 4.0, step % 4 == 0)).collect(),
            false => vec![(0.5, true)],
        }
    }
}

fn heading(canvas: &mut Canvas, labels: &Labels) {
    let bars = if labels.is_modulus { "|" } else { "" };
    let title: String = labels.title.chars().take(60).collect();
    canvas.text(MARGIN, 8, 2, &format!("{bars}{title}{bars}"), INK);
    canvas.text(MARGIN, 30, 1, &labels.details.chars().take(120).collect::<String>(), FAINT);
}

/// Draws the first and the last index in both directions.
fn indices(canvas: &mut Canvas, plane: &Plane, (left, width, height): (usize, usize, usize), upwards: bool) {
    let below = TOP + height + 6;
    let (first, last) = plane.column_bounds;
    canvas.text(left, below, 1, &first.to_string(), INK);
    let last = last.to_string();
    if width > 2 * LETTER * (last.len() + 2) {
        canvas.text((left + width).saturating_sub(LETTER * last.len()), below, 1, &last, INK);
    }
    let Some((first, last)) = plane.row_bounds else { return };
    let (upper, lower) = if upwards { (last, first) } else { (first, last) };
    let mut beside = |index: i64, y: usize| {
        let index = index.to_string();
        canvas.text(left.saturating_sub(LETTER * index.len() + 4), y, 1, &index, INK);
    };
    beside(upper, TOP);
    if height > 3 * LETTER {
        beside(lower, TOP + height - LETTER);
    }
}

fn index_width(bounds: (i64, i64)) -> usize {
    LETTER * bounds.0.to_string().len().max(bounds.1.to_string().len()) + 4
}

/// Explains the colours that are not on the scale.
fn legend(canvas: &mut Canvas, grid: &Grid, scale: &Scale, left: usize, y: usize) {
    let below_zero = scale.log && grid.extremes.is_some_and(|(least, _)| least <= 0.0);
    let entries = [
        (grid.nans > 0, NOT_A_NUMBER, format!("NaN: {}", grid.nans)),
        (grid.infinities > 0, INFINITE, format!("infinite: {}", grid.infinities)),
        (below_zero, NO_VALUE, "not above zero".to_owned()),
    ];
    let mut x = left;
    for (_, colour, text) in entries.iter().filter(|(is_there, _, _)| *is_there) {
        canvas.fill(x, y, LETTER, LETTER, *colour);
        canvas.text(x + 12, y, 1, text, INK);
        x += 12 + LETTER * (text.len() + 2);
    }
}

/// Draws one dimension: lines from the smallest to the largest value of each column, connected.
fn line(grid: &Grid, plane: &Plane, labels: &Labels, scale: &Scale) -> Canvas {
    let width = (SIDE.max(grid.columns) / grid.columns).max(1) * grid.columns;
    let left = MARGIN + NUMBER;
    let mut canvas = Canvas::new(left + width + MARGIN, TOP + LINE_HEIGHT + 56);
    heading(&mut canvas, labels);
    canvas.frame(left, TOP, width, LINE_HEIGHT, INK);
    for (place, _) in scale.marks() {
        let y = TOP + ((1.0 - place) * (LINE_HEIGHT - 1) as f64) as usize;
        canvas.fill(left - 4, y, 4, 1, INK);
        let number = short(scale.value(place));
        canvas.text(
            (left - 8).saturating_sub(LETTER * number.len()),
            y.saturating_sub(LETTER / 2),
            1,
            &number,
            INK,
        );
    }
    let height = |value: f64| (scale.place(value).clamp(0.0, 1.0) * (LINE_HEIGHT - 1) as f64) as usize;
    let mut before: Option<(usize, usize)> = None;
    for (column, cell) in grid.cells.iter().enumerate() {
        let (x, across) = (left + column * width / grid.columns, width / grid.columns);
        if cell.has_nan || cell.has_infinity {
            canvas.fill(x, TOP, across, LINE_HEIGHT, if cell.has_nan { NOT_A_NUMBER } else { INFINITE });
        }
        if !cell.has_values() || (scale.log && cell.least <= 0.0) {
            before = None;
            continue;
        }
        let (mut low, mut high) = (height(cell.least), height(cell.largest));
        let own = (low, high);
        if let Some((before_low, before_high)) = before {
            (low, high) = (low.min(before_high), high.max(before_low));
        }
        canvas.fill(x, TOP + LINE_HEIGHT - 1 - high, 1, high - low + 1, colour::of(0.35));
        canvas.fill(x, TOP + LINE_HEIGHT - 1 - own.1, across, own.1 - own.0 + 2, colour::of(0.35));
        before = Some(own);
    }
    indices(&mut canvas, plane, (left, width, LINE_HEIGHT), false);
    legend(&mut canvas, grid, scale, left, TOP + LINE_HEIGHT + 34);
    canvas
}

/// The value with five digits.
fn short(value: f64) -> String {
    let text = double_text(format!("{value:.4e}").parse().unwrap_or(value));
    if text.len() <= NUMBER / LETTER {
        text
    } else {
        format!("{value:.3e}")
    }
}
