//! Pixels and letters.
//!
//! Input: rectangles, lines of text, colours.
//! Output: a PNG file.
//! Postcondition: pixels outside of the canvas were not drawn.

use super::colour::{Colour, PAPER};
use anyhow::Result;
use font8x8::legacy::BASIC_LEGACY;

/// The width and height of a letter in pixels.
pub const LETTER: usize = 8;

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

    /// Draws text. Letters that the font does not have become question marks.
    pub fn text(&mut self, x: usize, y: usize, scale: usize, text: &str, colour: Colour) {
        for (place, letter) in text.chars().enumerate() {
            let glyph = BASIC_LEGACY.get(letter as usize).unwrap_or(&BASIC_LEGACY['?' as usize]);
            for (row, bits) in glyph.iter().enumerate() {
                for column in (0..LETTER).filter(|column| bits >> column & 1 == 1) {
                    let left = x + (place * LETTER + column) * scale;
                    self.fill(left, y + row * scale, scale, scale, colour);
                }
            }
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
