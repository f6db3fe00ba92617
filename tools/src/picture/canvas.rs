//! Pixels and letters.
//!
//! Input: rectangles, lines of text, colours.
//! Output: a PNG file.
//! Postcondition: pixels outside of the canvas were not drawn.

use super::colour::{Colour, PAPER};
use anyhow::Result;
use noto_sans_mono_bitmap::{get_raster, get_raster_width, FontWeight, RasterHeight, RasterizedChar};

/// The letters of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    Text,
    Title,
}

impl Font {
    const fn raster(self) -> (FontWeight, RasterHeight) {
        match self {
            Font::Text => (FontWeight::Regular, RasterHeight::Size16),
            Font::Title => (FontWeight::Bold, RasterHeight::Size20),
        }
    }

    /// The width of a letter in pixels.
    pub const fn width(self) -> usize {
        let (weight, height) = self.raster();
        get_raster_width(weight, height)
    }

    /// The height of a letter in pixels.
    pub const fn height(self) -> usize {
        self.raster().1.val()
    }

    /// The width of a text in pixels.
    pub fn width_of(self, text: &str) -> usize {
        self.width() * text.chars().count()
    }

    /// Letters that the font does not have become question marks.
    fn letter(self, letter: char) -> Option<RasterizedChar> {
        let (weight, height) = self.raster();
        get_raster(letter, weight, height).or_else(|| get_raster('?', weight, height))
    }
}

pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, height, pixels: PAPER.repeat(width * height) }
    }

    pub fn pixel(&mut self, x: usize, y: usize, colour: Colour) {
        if x < self.width && y < self.height {
            let at = 3 * (y * self.width + x);
            self.pixels[at..at + 3].copy_from_slice(&colour);
        }
    }

    pub fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        for row in y..(y + height).min(self.height) {
            for column in x..(x + width).min(self.width) {
                self.pixel(column, row, colour);
            }
        }
    }

    /// Draws a frame around the area, one pixel wide.
    pub fn frame(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        let (x, y, width, height) = (x - 1, y - 1, width + 2, height + 2);
        self.fill(x, y, width, 1, colour);
        self.fill(x, y + height - 1, width, 1, colour);
        self.fill(x, y, 1, height, colour);
        self.fill(x + width - 1, y, 1, height, colour);
    }

    /// Draws text with smooth edges.
    pub fn text(&mut self, x: usize, y: usize, font: Font, text: &str, colour: Colour) {
        for (place, letter) in text.chars().enumerate() {
            let Some(glyph) = font.letter(letter) else { continue };
            let left = x + place * font.width();
            for (row, line) in glyph.rows().enumerate() {
                for (column, &ink) in line.iter().enumerate().filter(|(_, ink)| **ink > 0) {
                    self.mix(left + column, y + row, colour, ink);
                }
            }
        }
    }

    /// Covers a pixel with a part of a colour: 255 is all of it.
    fn mix(&mut self, x: usize, y: usize, colour: Colour, ink: u8) {
        if x >= self.width || y >= self.height {
            return;
        }
        let at = 3 * (y * self.width + x);
        for (below, above) in self.pixels[at..at + 3].iter_mut().zip(colour) {
            let (ink, old, new) = (u32::from(ink), u32::from(*below), u32::from(above));
            *below = ((old * (255 - ink) + new * ink + 127) / 255) as u8;
        }
    }

    pub fn png(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }
}
