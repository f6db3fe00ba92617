//! `cppc show --plot`: an array as a picture.
//!
//! Input: a register of the state files of one or more processes.
//! Output: a PNG file: a plane as colours with a scale next to it, or one dimension as a line. Each process has a tile.
//! Postcondition: a file that is not a picture was not overwritten.
//!
//! The index that varies fastest in memory runs to the right, the other one downwards, like a printed matrix.
//! If a pixel stands for several elements, it shows the one farthest from their mean, so that a single wrong
//! value is visible.

mod colour;
mod canvas;
mod slice;
mod grid;
mod scale;
mod draw;

pub use slice::Slice;

use crate::content::ContentReader;
use crate::display::{is_wanted, none_named, plain, ranges};
use crate::pending_file;
use crate::shape::Shapes;
use crate::show::size_bytes;
use crate::value::{Kind, Part, Reader};
use anyhow::{bail, Context, Result};
use cppc_runtime::manifest::Register;
use cppc_runtime::verify::{Description, Verified};
use draw::{Labels, Layout, Tile};
use grid::{Grid, MOST_CELLS};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// What to draw, and how.
#[derive(Debug, Clone, Default)]
pub struct PlotOptions {
    pub names: Vec<String>,
    /// The field of a structure.
    pub field: Option<String>,
    pub shape: Option<Vec<u64>>,
    pub slice: Option<Slice>,
    pub log: bool,
    /// The values at the ends of the scale.
    pub range: Option<(f64, f64)>,
    pub upwards: bool,
    /// The number of tiles in a row.
    pub columns: Option<usize>,
}

/// A picture of one array, in PNG.
#[derive(Debug)]
pub struct Picture {
    pub title: String,
    pub details: String,
    pub png: Vec<u8>,
    /// Explains what a pixel with several elements shows; may be empty.
    pub reduction: String,
}

/// More tiles would be too small.
const MOST_TILES: usize = 1024;

/// Draws the picture. Returns a message about it.
pub fn plot(files: &[Verified<Description>], wanted: &PlotOptions, output: &Path) -> Result<String> {
    let files: Vec<&Verified<Description>> = files.iter().collect();
    let Some(first) = files.first() else { bail!("there is no file to draw") };
    let index = chosen(&Reader { manifest: first.manifest(), machine: first.machine() }, wanted)?;
    let picture = picture_of(&files, index, wanted)?;
    if output == Path::new("-") {
        return print(&picture.png).map(|()| String::new());
    }
    pending_file::replace(output, &picture.png, SIGNATURE, "a picture")?;
    let Picture { title, reduction, .. } = picture;
    Ok(format!("{title} is drawn in {}{reduction}", plain(&output.display().to_string())))
}

/// Draws the register with this index in the first file, of one process or of several next to each other.
pub fn picture_of(files: &[&Verified<Description>], index: usize, wanted: &PlotOptions) -> Result<Picture> {
    let Some(first) = files.first() else { bail!("there is no file to draw") };
    if files.len() > MOST_TILES {
        bail!("one picture shows at most {MOST_TILES} processes, and {} were named", files.len());
    }
    let reader = Reader { manifest: first.manifest(), machine: first.machine() };
    let register = &reader.manifest.registers[index];
    let mut layout = None;
    let mut tiles = Vec::new();
    for file in files {
        let mut tile = |plane: &slice::Plane| {
            *layout.get_or_insert_with(|| Layout::new(files.len(), plane, wanted.columns))
        };
        tiles.push(read(file, register, wanted, files.len() == 1, &mut tile)?);
    }
    let labels = labels(files, register, &tiles, &reader, wanted)?;
    let Some(layout) = layout else { bail!("there is nothing to draw") };
    let canvas = draw::draw(&tiles, layout, &labels, wanted)?;
    Ok(Picture {
        png: canvas.png()?,
        reduction: tiles.iter().map(|tile| tile.grid.reduction()).max_by_key(String::len).unwrap_or_default(),
        title: labels.title,
        details: labels.details,
    })
}

/// The same register of another process.
fn same(reader: &Reader, register: &Register) -> Result<usize> {
    let registers = &reader.manifest.registers;
    let is_same = |other: &Register| {
        (&other.name, &other.scope, other.section) == (&register.name, &register.scope, register.section)
    };
    let Some(index) = registers.iter().position(is_same) else {
        bail!("rank {} has no `{}`", reader.manifest.provenance.rank, plain(&register.name))
    };
    Ok(index)
}

fn read(
    file: &Verified<Description>,
    register: &Register,
    wanted: &PlotOptions,
    is_alone: bool,
    layout: &mut dyn FnMut(&slice::Plane) -> Layout,
) -> Result<Tile> {
    let reader = Reader { manifest: file.manifest(), machine: file.machine() };
    let index = same(&reader, register)?;
    let register = &reader.manifest.registers[index];
    let part = part(&reader, index, wanted.field.as_deref())?;
    let mut shape = Shapes::new(file).of(index, &reader);
    if let Some(extents) = &wanted.shape {
        shape = shape.given(extents, register.count)?;
    }
    let plane = slice::plane(&shape, wanted.slice.as_ref())?;
    let rank = reader.manifest.provenance.rank;
    let Some(content) = ContentReader::new(file, register) else {
        bail!("`{}{}` of rank {rank} has nothing to draw", plain(&register.name), part.path)
    };
    let most = if is_alone { MOST_CELLS } else { layout(&plane).side.min(MOST_CELLS) };
    layout(&plane);
    let grid = Grid::read(content, &part, &reader, &plane, most)?;
    Ok(Tile { grid, plane, caption: if is_alone { String::new() } else { format!("rank {rank}") } })
}

/// The text of the picture: that of the first process, and the ranks.
fn labels(
    files: &[&Verified<Description>],
    register: &Register,
    tiles: &[Tile],
    reader: &Reader,
    wanted: &PlotOptions,
) -> Result<Labels> {
    let index = same(reader, register)?;
    let part = part(reader, index, wanted.field.as_deref())?;
    let mut shape = Shapes::new(files[0]).of(index, reader);
    if let Some(extents) = &wanted.shape {
        shape = shape.given(extents, register.count)?;
    }
    let mut ranks: Vec<u32> = files.iter().map(|file| file.manifest().provenance.rank).collect();
    ranks.sort_unstable();
    let noun = if ranks.len() == 1 { "rank" } else { "ranks" };
    let first = &tiles[0].plane;
    let has_one_shape =
        tiles.iter().all(|tile| (tile.plane.rows, tile.plane.columns) == (first.rows, first.columns));
    Ok(Labels {
        title: format!("{}{}{}", plain(&register.name), part.path, first.text),
        details: format!(
            "{} {}{}, line {}, {noun} {}",
            reader.type_name(register.type_code),
            shape.text(),
            if has_one_shape { "" } else { " and other shapes" },
            reader.manifest.provenance.number,
            ranges(&ranks)
        ),
        is_modulus: matches!(part.element.kind, Kind::Complex(_)),
    })
}

/// The requested register, or the largest array of numbers.
fn chosen(reader: &Reader, wanted: &PlotOptions) -> Result<usize> {
    let registers = &reader.manifest.registers;
    let has_numbers = |&index: &usize| part(reader, index, wanted.field.as_deref()).is_ok();
    let named = (0..registers.len()).filter(|&index| is_wanted(&registers[index].name, &wanted.names));
    let named: Vec<usize> = named.collect();
    let drawable: Vec<usize> =
        named.iter().copied().filter(has_numbers).filter(|&index| registers[index].count > 1).collect();
    match (&drawable[..], wanted.names.is_empty()) {
        ([one], _) => Ok(*one),
        _ if named.is_empty() && wanted.names.is_empty() => bail!("there are no registers"),
        _ if named.is_empty() => bail!("{}", none_named(&wanted.names)),
        ([], _) if named.len() == 1 => part(reader, named[0], wanted.field.as_deref()).map(|_| named[0]),
        ([], _) => bail!("there is no array of numbers to draw"),
        (several, true) => Ok(several
            .iter()
            .copied()
            .max_by_key(|&index| (size_bytes(&registers[index]), usize::MAX - index))
            .unwrap_or(several[0])),
        (several, false) => {
            let names: Vec<String> =
                several.iter().take(8).map(|&index| format!("`{}`", plain(&registers[index].name))).collect();
            bail!("one picture shows one array, and the names fit {}: {}", several.len(), names.join(", "))
        }
    }
}

/// The part of each element to draw.
fn part(reader: &Reader, index: usize, field: Option<&str>) -> Result<Part> {
    let register = &reader.manifest.registers[index];
    let name = plain(&register.name);
    let (parts, _) = reader.parts(reader.element(register.type_code, register.element_bytes as usize));
    let wanted = field.map_or(String::new(), |field| format!(".{}", field.trim_start_matches('.')));
    let Some(part) = parts.iter().find(|part| part.path == wanted) else {
        let fields: Vec<&str> = parts.iter().take(8).map(|part| part.path.as_str()).collect();
        bail!("`{name}` is a structure; name a field of it with `--field`: {}", fields.join(", "))
    };
    let is_number =
        matches!(part.element.kind, Kind::Integer { .. } | Kind::Real(_) | Kind::Complex(_) | Kind::Logical);
    if is_number && !part.repeats.is_empty() {
        bail!("`{name}{}` is an array in each element, and a picture shows one number of each", part.path);
    }
    if !is_number {
        bail!("`{name}{}` is no number that could be drawn", part.path);
    }
    Ok(part.clone())
}

/// Writes the picture to standard output, for another program.
fn print(png: &[u8]) -> Result<()> {
    let mut output = std::io::stdout().lock();
    if output.is_terminal() {
        bail!("a picture cannot be shown in a terminal; name a file, or pipe it to another program");
    }
    match output.write_all(png).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write the picture"),
        _ => Ok(()),
    }
}

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
