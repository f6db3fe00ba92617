//! The values of a plane, reduced to the resolution of a picture.
//!
//! Input: the content of an array.
//! Output: cells, each of which stands for one or more elements.
//! Postcondition: memory was allocated for the picture, not for the array; NaN and infinity are not lost in
//! an average.

use super::slice::Plane;
use crate::content::ContentReader;
use crate::progress::Progress;
use crate::value::text::signed_magnitude;
use crate::value::{Kind, Part, Reader};
use anyhow::{Context, Result};

/// The largest number of cells in one direction.
pub const MOST_CELLS: usize = 1024;

#[derive(Debug, Clone, Copy, Default)]
pub struct GridCell {
    pub least: f64,
    pub largest: f64,
    sum: f64,
    finite: u64,
    pub has_nan: bool,
    pub has_infinity: bool,
}

#[derive(Debug)]
pub struct Grid {
    pub columns: usize,
    pub rows: usize,
    /// Elements per cell, in each direction.
    pub across: u64,
    pub down: u64,
    pub cells: Vec<GridCell>,
    /// The smallest and the largest finite value; `None` if there is none.
    pub extremes: Option<(f64, f64)>,
    pub least_above_zero: Option<f64>,
    pub nans: u64,
    pub infinities: u64,
}

impl Grid {
    /// Reads a plane into at most `most` cells in each direction.
    pub fn read(
        mut content: ContentReader,
        part: &Part,
        reader: &Reader,
        plane: &Plane,
        most: usize,
    ) -> Result<Grid> {
        let mut grid = Grid::empty(plane, most as u64);
        let progress = Progress::new(plane.rows.saturating_mul(plane.columns));
        progress.at("drawing");
        let element_bytes = content.element_bytes();
        let mut at = 0;
        for row in 0..plane.rows {
            // Adjacent elements are read together.
            let together = if plane.column_stride == 1 { content.step() as u64 } else { 1 };
            let mut column = 0;
            while column < plane.columns {
                let wanted = together.min(plane.columns - column);
                let next = plane.first + row * plane.row_stride + column * plane.column_stride;
                content.skip(next - at);
                let bytes = content.take(wanted as usize).context("cannot draw")?;
                for element in bytes.chunks_exact(element_bytes) {
                    part.each(element, |_, bytes| grid.add(row, column, number(reader, part, bytes)));
                    column += 1;
                }
                at = next + wanted;
                if bytes.is_empty() {
                    anyhow::bail!("the array is shorter than its shape");
                }
            }
            progress.advance(plane.columns);
        }
        Ok(grid)
    }

    fn empty(plane: &Plane, most: u64) -> Grid {
        let (across, down) = (plane.columns.div_ceil(most), plane.rows.div_ceil(most));
        let (columns, rows) = (plane.columns.div_ceil(across) as usize, plane.rows.div_ceil(down) as usize);
        Grid {
            columns,
            rows,
            across,
            down,
            cells: vec![GridCell::default(); columns * rows],
            extremes: None,
            least_above_zero: None,
            nans: 0,
            infinities: 0,
        }
    }

    fn add(&mut self, row: u64, column: u64, value: f64) {
        let cell =
            &mut self.cells[(row / self.down) as usize * self.columns + (column / self.across) as usize];
        if !value.is_finite() {
            cell.has_nan |= value.is_nan();
            cell.has_infinity |= value.is_infinite();
            self.nans += u64::from(value.is_nan());
            self.infinities += u64::from(value.is_infinite());
            return;
        }
        (cell.least, cell.largest) =
            if cell.finite == 0 { (value, value) } else { (cell.least.min(value), cell.largest.max(value)) };
        cell.sum += value;
        cell.finite += 1;
        self.extremes = Some(
            self.extremes.map_or((value, value), |(least, largest)| (least.min(value), largest.max(value))),
        );
        if value > 0.0 {
            self.least_above_zero = Some(self.least_above_zero.map_or(value, |least| least.min(value)));
        }
    }

    /// Explains what a cell with several elements shows.
    pub fn reduction(&self) -> String {
        if self.across * self.down == 1 {
            return String::new();
        }
        format!("; a pixel shows, of {} elements, the one farthest from their mean", self.across * self.down)
    }
}

impl GridCell {
    pub fn has_values(&self) -> bool {
        self.finite > 0
    }

    /// The value that is farthest from the mean.
    pub fn value(&self) -> f64 {
        let mean = self.sum / self.finite as f64;
        if self.largest - mean >= mean - self.least {
            self.largest
        } else {
            self.least
        }
    }
}

/// The modulus of a complex number.
fn number(reader: &Reader, part: &Part, bytes: &[u8]) -> f64 {
    match part.element.kind {
        Kind::Integer { signed } => {
            let (is_negative, magnitude) = signed_magnitude(bytes, signed, reader.machine.big_endian);
            if is_negative {
                -(magnitude as f64)
            } else {
                magnitude as f64
            }
        }
        Kind::Real(form) => reader.real(form, bytes).to_f64(),
        Kind::Complex(form) => {
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            let (real, imaginary) = (reader.real(form, real).to_f64(), reader.real(form, imaginary).to_f64());
            if real.is_nan() || imaginary.is_nan() {
                f64::NAN
            } else {
                real.hypot(imaginary)
            }
        }
        _ => f64::from(u8::from(bytes.iter().any(|&byte| byte != 0))),
    }
}
