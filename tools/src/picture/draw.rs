//! Draws grids of values.
//!
//! Input: the tiles of a picture, one for each process, and the text around them.
//! Output: pixels.
//! Postcondition: all tiles have one scale, and it is next to them; NaN and infinity have colours that are not on it.

use super::canvas::{Canvas, Font};
use super::colour::{self, FAINT, INFINITE, INK, NOT_A_NUMBER, NO_VALUE};
use super::grid::Grid;
use super::scale::{round_values, Scale};
use super::slice::Plane;
use super::PlotOptions;
use anyhow::Result;

pub struct Labels {
    pub title: String,
    pub details: String,
    pub is_modulus: bool,
}

pub struct Tile {
    pub grid: Grid,
    pub plane: Plane,
    /// Empty if there is only one tile.
    pub caption: String,
}

/// How the tiles are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The number of tiles in a row.
    pub columns: usize,
    /// The longer side of a tile with few elements.
    pub side: usize,
}

/// The longer side of a picture with one tile, and about that of one with several.
const SIDE: usize = 800;
const SIDE_OF_ALL: usize = 1200;
const LEAST_SIDE: usize = 48;
/// The largest ratio of the sides of a tile.
const MOST_RATIO: usize = 8;
const MARGIN: usize = 16;
const TITLE_TOP: usize = 8;
const DETAILS_TOP: usize = TITLE_TOP + Font::Title.height() + 4;
const TOP: usize = DETAILS_TOP + Font::Text.height() + 12;
const BAR: usize = 20;
const LEAST_BAR_HEIGHT: usize = 120;
const MARK: usize = 4;
const GAP: usize = 12;
/// The height of a line plot, for a width of 800.
const LINE_HEIGHT: usize = 360;
/// A smaller tile has no indices.
const LEAST_WITH_INDICES: usize = 160;
const MOST_TITLE: usize = 60;
const MOST_DETAILS: usize = 120;

impl Layout {
    /// The arrangement of `count` planes that makes the picture nearly square.
    pub fn new(count: usize, plane: &Plane, columns: Option<usize>) -> Layout {
        if count == 1 {
            return Layout { columns: 1, side: SIDE };
        }
        let (width, height) = ratio(plane);
        let square = (count as f64 * height / width).sqrt().round() as usize;
        let columns = columns.unwrap_or(square).clamp(1, count);
        let rows = count.div_ceil(columns);
        let fitting = (SIDE_OF_ALL as f64 / (columns as f64 * width).max(rows as f64 * height)) as usize;
        Layout { columns, side: fitting.clamp(LEAST_SIDE, SIDE) }
    }
}

/// The sides of a tile, the longer of them 1.
fn ratio(plane: &Plane) -> (f64, f64) {
    if plane.row_bounds.is_none() {
        return (1.0, LINE_HEIGHT as f64 / SIDE as f64);
    }
    let longer = plane.columns.max(plane.rows) as f64;
    let side = |extent: u64| (extent as f64 / longer).max(1.0 / MOST_RATIO as f64);
    (side(plane.columns), side(plane.rows))
}

/// What is around each tile.
struct Frame {
    width: usize,
    height: usize,
    /// For the numbers on the left.
    left: usize,
    /// For the caption.
    above: usize,
    /// For the indices below.
    below: usize,
    has_indices: bool,
}

pub fn draw(tiles: &[Tile], layout: Layout, labels: &Labels, wanted: &PlotOptions) -> Result<Canvas> {
    let scale = Scale::new(tiles.iter().map(|tile| &tile.grid), wanted)?;
    let is_line = tiles.iter().all(|tile| tile.plane.row_bounds.is_none());
    let frame = frame(tiles, layout, &scale, is_line);
    let (across, down) = (frame.left + frame.width + GAP, frame.above + frame.height + frame.below + GAP);
    let (rows, columns) = (tiles.len().div_ceil(layout.columns), layout.columns.min(tiles.len()));
    let bar = MARGIN + columns * across;
    let bar_height = (rows * down - GAP - frame.below - frame.above).max(LEAST_BAR_HEIGHT);
    let bar_width = if is_line { 0 } else { BAR + MARK + 4 + widest(&scale) };
    let title = MARGIN + Font::Title.width_of(&labels.title).min(MOST_TITLE * Font::Title.width());
    let details = MARGIN + Font::Text.width_of(&labels.details).min(MOST_DETAILS * Font::Text.width());
    let width = (bar + bar_width + MARGIN).max(title + MARGIN).max(details + MARGIN);
    let end = TOP + (rows * down).max(bar_height + frame.above + GAP);
    let mut canvas = Canvas::new(width, end + Font::Text.height() + MARGIN);
    heading(&mut canvas, labels);
    for (index, tile) in tiles.iter().enumerate() {
        let left = MARGIN + index % columns * across + frame.left;
        let top = TOP + index / columns * down + frame.above;
        canvas.text(left, top - frame.above, Font::Text, &tile.caption, INK);
        if is_line {
            line(&mut canvas, tile, &scale, (left, top), &frame);
        } else {
            plane(&mut canvas, tile, &scale, (left, top), wanted.upwards, layout.side);
        }
        if frame.has_indices {
            indices(&mut canvas, tile, (left, top), layout.side, wanted.upwards, &frame);
        }
    }
    if !is_line {
        bar_of(&scale, &mut canvas, bar, TOP + frame.above, bar_height);
    }
    legend(&mut canvas, tiles, &scale, MARGIN + frame.left, end);
    Ok(canvas)
}

fn frame(tiles: &[Tile], layout: Layout, scale: &Scale, is_line: bool) -> Frame {
    let sizes = tiles.iter().map(|tile| sizes(tile, layout.side));
    let (width, height) = sizes.fold((0, 0), |all, one| (all.0.max(one.0), all.1.max(one.1)));
    let has_caption = tiles.iter().any(|tile| !tile.caption.is_empty());
    let has_indices = tiles.len() == 1 || width.max(height) >= LEAST_WITH_INDICES;
    let numbers = tiles.iter().filter_map(|tile| tile.plane.row_bounds);
    let widest_index = numbers.map(|(first, last)| first.to_string().len().max(last.to_string().len())).max();
    Frame {
        width,
        height,
        left: match (is_line, has_indices) {
            (true, _) => widest(scale) + MARK + 4,
            (false, true) => widest_index.unwrap_or(0) * Font::Text.width() + MARK + 4,
            (false, false) => 0,
        },
        above: if has_caption { Font::Text.height() + 4 } else { 0 },
        below: if has_indices { MARK + 2 + Font::Text.height() } else { 0 },
        has_indices,
    }
}

/// The width of the widest number next to the scale.
fn widest(scale: &Scale) -> usize {
    scale.ticks().iter().map(|tick| Font::Text.width_of(&tick.text)).max().unwrap_or(0)
}

/// The sides have the ratio of the array, within a limit. If there are few cells, they all have one size.
fn sizes(tile: &Tile, side: usize) -> (usize, usize) {
    let grid = &tile.grid;
    let full = side.max(grid.columns.max(grid.rows));
    let (width, height) = ratio(&tile.plane);
    let whole = |ratio: f64, cells: usize| ((full as f64 * ratio) as usize / cells).max(1) * cells;
    match tile.plane.row_bounds {
        Some(_) => (whole(width, grid.columns), whole(height, grid.rows)),
        None => (whole(width, grid.columns), (side as f64 * height) as usize),
    }
}

fn heading(canvas: &mut Canvas, labels: &Labels) {
    let bars = if labels.is_modulus { "|" } else { "" };
    let title: String = labels.title.chars().take(MOST_TITLE).collect();
    canvas.text(MARGIN, TITLE_TOP, Font::Title, &format!("{bars}{title}{bars}"), INK);
    let details: String = labels.details.chars().take(MOST_DETAILS).collect();
    canvas.text(MARGIN, DETAILS_TOP, Font::Text, &details, FAINT);
}

/// Draws two dimensions: a rectangle of one colour for each cell.
fn plane(
    canvas: &mut Canvas,
    tile: &Tile,
    scale: &Scale,
    (left, top): (usize, usize),
    upwards: bool,
    side: usize,
) {
    let grid = &tile.grid;
    let (width, height) = sizes(tile, side);
    canvas.frame(left, top, width, height, INK);
    for y in 0..height {
        let row = y * grid.rows / height;
        let row = if upwards { grid.rows - 1 - row } else { row };
        for x in 0..width {
            let cell = &grid.cells[row * grid.columns + x * grid.columns / width];
            canvas.pixel(left + x, top + y, scale.colour(cell));
        }
    }
}

/// Draws the scale with the largest value at the top.
fn bar_of(scale: &Scale, canvas: &mut Canvas, left: usize, top: usize, height: usize) {
    canvas.frame(left, top, BAR, height, INK);
    for y in 0..height {
        let place = 1.0 - y as f64 / (height - 1).max(1) as f64;
        canvas.fill(left, top + y, BAR, 1, colour::of(if scale.is_range() { place } else { 0.5 }));
    }
    for tick in scale.ticks() {
        let y = top + ((1.0 - tick.place) * (height - 1) as f64) as usize;
        canvas.fill(left + BAR, y, MARK, 1, INK);
        canvas.text(left + BAR + MARK + 4, y - Font::Text.height() / 2, Font::Text, &tick.text, INK);
    }
}

/// Draws indices in both directions.
fn indices(
    canvas: &mut Canvas,
    tile: &Tile,
    (left, top): (usize, usize),
    side: usize,
    upwards: bool,
    frame: &Frame,
) {
    let (width, height) =
        if tile.plane.row_bounds.is_some() { sizes(tile, side) } else { (frame.width, frame.height) };
    let below = top + height + 1;
    let (first, last) = tile.plane.column_bounds;
    let letters = 2 + first.to_string().len().max(last.to_string().len());
    for (place, text) in index_ticks(first, last, width, letters * Font::Text.width()) {
        let x = left + place;
        canvas.fill(x, below, 1, MARK, INK);
        canvas.text(
            x.saturating_sub(Font::Text.width_of(&text) / 2),
            below + MARK + 1,
            Font::Text,
            &text,
            INK,
        );
    }
    let Some((first, last)) = tile.plane.row_bounds else { return };
    for (place, text) in index_ticks(first, last, height, 2 * Font::Text.height()) {
        let y = top + if upwards { height - 1 - place } else { place };
        let beside = left - 1 - MARK;
        canvas.fill(beside, y, MARK, 1, INK);
        let x = (beside - 2).saturating_sub(Font::Text.width_of(&text));
        canvas.text(x, y - Font::Text.height() / 2, Font::Text, &text, INK);
    }
}

/// Round indices, and the positions of their elements on a side of `length` pixels.
fn index_ticks(first: i64, last: i64, length: usize, room: usize) -> Vec<(usize, String)> {
    let extent = last as f64 - first as f64 + 1.0;
    let place = |index: f64| ((index - first as f64 + 0.5) * length as f64 / extent) as usize;
    if first == last {
        return vec![(place(first as f64), first.to_string())];
    }
    let values = round_values(first as f64, last as f64, (length / room.max(1)).max(2));
    values
        .into_iter()
        .filter(|(index, _)| index.fract() == 0.0)
        .map(|(index, _)| (place(index), (index as i64).to_string()))
        .collect()
}

/// Explains the colours that are not on the scale.
fn legend(canvas: &mut Canvas, tiles: &[Tile], scale: &Scale, left: usize, y: usize) {
    let sum = |count: fn(&Grid) -> u64| tiles.iter().map(|tile| count(&tile.grid)).sum::<u64>();
    let (nans, infinities) = (sum(|grid| grid.nans), sum(|grid| grid.infinities));
    let has_others = |tile: &Tile| tile.grid.extremes.is_some_and(|(least, _)| least <= 0.0);
    let entries = [
        (nans > 0, NOT_A_NUMBER, format!("NaN: {nans}")),
        (infinities > 0, INFINITE, format!("infinite: {infinities}")),
        (scale.log && tiles.iter().any(has_others), NO_VALUE, "not above zero".to_owned()),
    ];
    let swatch = Font::Text.height() - 4;
    let mut x = left;
    for (_, colour, text) in entries.iter().filter(|(is_there, _, _)| *is_there) {
        canvas.fill(x, y + 2, swatch, swatch, *colour);
        canvas.text(x + swatch + 6, y, Font::Text, text, INK);
        x += swatch + 6 + Font::Text.width_of(text) + 2 * Font::Text.width();
    }
}

/// Draws one dimension: lines from the smallest to the largest value of each column, connected.
fn line(canvas: &mut Canvas, tile: &Tile, scale: &Scale, (left, top): (usize, usize), frame: &Frame) {
    let grid = &tile.grid;
    let (width, full) = (frame.width / grid.columns.max(1) * grid.columns, frame.height);
    canvas.frame(left, top, frame.width, full, INK);
    for tick in scale.ticks() {
        let y = top + ((1.0 - tick.place) * (full - 1) as f64) as usize;
        canvas.fill(left - 1 - MARK, y, MARK, 1, INK);
        let x = (left - MARK - 4).saturating_sub(Font::Text.width_of(&tick.text));
        canvas.text(x, y - Font::Text.height() / 2, Font::Text, &tick.text, INK);
    }
    let height = |value: f64| (scale.place(value).clamp(0.0, 1.0) * (full - 1) as f64) as usize;
    let mut before: Option<(usize, usize)> = None;
    for (column, cell) in grid.cells.iter().enumerate() {
        let (x, across) = (left + column * width / grid.columns, width / grid.columns);
        if cell.has_nan || cell.has_infinity {
            canvas.fill(x, top, across, full, if cell.has_nan { NOT_A_NUMBER } else { INFINITE });
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
        canvas.fill(x, top + full - 1 - high, 1, high - low + 1, colour::of(0.35));
        canvas.fill(x, top + full - 1 - own.1, across, own.1 - own.0 + 2, colour::of(0.35));
        before = Some(own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(rows: u64, columns: u64) -> Plane {
        Plane {
            first: 0,
            rows,
            row_stride: columns,
            columns,
            column_stride: 1,
            row_bounds: Some((0, rows as i64 - 1)),
            column_bounds: (0, columns as i64 - 1),
            text: String::new(),
        }
    }

    #[test]
    fn tiles_are_arranged_in_a_square() {
        let columns = |count, rows, columns| Layout::new(count, &plane(rows, columns), None).columns;
        assert_eq!(columns(1, 10, 10), 1);
        assert_eq!(columns(4, 10, 10), 2);
        // Strips are below each other.
        assert_eq!(columns(4, 100, 400), 1);
        assert_eq!(columns(4, 400, 100), 4);
        assert_eq!(Layout::new(4, &plane(10, 10), Some(9)).columns, 4);
        assert!(Layout::new(1000, &plane(10, 10), None).side >= LEAST_SIDE);
    }

    #[test]
    fn indices_are_round_and_at_their_elements() {
        let texts = |ticks: Vec<(usize, String)>| ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(index_ticks(0, 1001, 800, 100)), ["0", "200", "400", "600", "800", "1000"]);
        assert_eq!(
            index_ticks(1, 4, 400, 50),
            [(50, "1".into()), (150, "2".into()), (250, "3".into()), (350, "4".into())]
        );
        assert_eq!(index_ticks(7, 7, 100, 50), [(50, "7".into())]);
    }
}
