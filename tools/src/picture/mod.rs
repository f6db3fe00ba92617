//! `cppc show --plot`: an array as a picture.
//!
//! Input: a register of a state file.
//! Output: a PNG file: a plane as colours with a scale next to it, or one dimension as a line.
//! Postcondition: a file that is not a picture was not overwritten.
//!
//! The index that varies fastest in memory runs to the right, the other one downwards, like a printed matrix.
//! If a pixel stands for several elements, it shows the one farthest from their mean, so that a single wrong
//! value is visible.

mod colour;
mod canvas;
mod slice;
mod grid;
mod draw;

pub use slice::Slice;

use crate::content::ContentReader;
use crate::display::{is_wanted, none_named, plain};
use crate::pending_file::{self, PendingFile};
use crate::shape::Shapes;
use crate::show::size_bytes;
use crate::value::{Kind, Part, Reader};
use anyhow::{bail, Context, Result};
use cppc_runtime::verify::{Description, Verified};
use grid::Grid;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

/// What to draw, and how.
#[derive(Debug, Clone)]
pub struct PlotOptions {
    pub output: PathBuf,
    pub names: Vec<String>,
    /// The field of a structure.
    pub field: Option<String>,
    pub shape: Option<Vec<u64>>,
    pub slice: Option<Slice>,
    pub log: bool,
    /// The values at the ends of the scale.
    pub range: Option<(f64, f64)>,
    pub upwards: bool,
}

/// Draws the picture. Returns a message about it.
pub fn plot(description: &Verified<Description>, wanted: &PlotOptions) -> Result<String> {
    let reader = Reader { manifest: description.manifest(), machine: description.machine() };
    let index = chosen(&reader, wanted)?;
    let register = &reader.manifest.registers[index];
    let part = part(&reader, index, wanted.field.as_deref())?;
    let mut shape = Shapes::new(description).of(index, &reader);
    if let Some(extents) = &wanted.shape {
        shape = shape.given(extents, register.count)?;
    }
    let plane = slice::plane(&shape, wanted.slice.as_ref())?;
    let name = format!("{}{}", plain(&register.name), part.path);
    let Some(content) = ContentReader::new(description, register) else {
        bail!("`{name}` has nothing to draw")
    };
    let grid = Grid::read(content, &part, &reader, &plane)?;
    let said = &reader.manifest.provenance;
    let title = format!("{name}{}", plane.text);
    let details = format!(
        "{} {}, line {}, rank {}",
        reader.type_name(register.type_code),
        shape.text(),
        said.number,
        said.rank
    );
    let labels = draw::Labels {
        title: title.clone(),
        details,
        is_modulus: matches!(part.element.kind, Kind::Complex(_)),
    };
    let canvas = draw::draw(&grid, &plane, &labels, wanted)?;
    let png = canvas.png()?;
    if wanted.output == Path::new("-") {
        return print(&png).map(|()| String::new());
    }
    save(&wanted.output, &png)?;
    Ok(format!("{title} is drawn in {}{}", plain(&wanted.output.display().to_string()), grid.reduction()))
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

/// Writes the picture completely or not at all, and overwrites only another picture.
fn save(path: &Path, png: &[u8]) -> Result<()> {
    let shown = || plain(&path.display().to_string());
    // Checked before it is opened: opening a pipe would wait for a writer.
    pending_file::check(path)?;
    match std::fs::File::open(path) {
        Ok(file) => {
            let mut first = Vec::new();
            file.take(SIGNATURE.len() as u64)
                .read_to_end(&mut first)
                .with_context(|| format!("cannot look at `{}`", shown()))?;
            if first != SIGNATURE && !first.is_empty() {
                bail!("`{}` exists and is not a picture; it was not changed", shown());
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("cannot look at `{}`", shown())),
    }
    let (workpiece, mut file) = PendingFile::new(path)?;
    file.write_all(png).with_context(|| format!("cannot write `{}`", shown()))?;
    workpiece.keep(true)
}
