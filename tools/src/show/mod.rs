//! `cppc show`: the content of state files.
//!
//! Input: files, and how much to show of them.
//! Output: provenance, registers with their first values and statistics, the restart plan.
//! Postcondition: the pieces that were read have been verified; a file that cannot be read is named, and the
//! others are shown.

mod text;

use crate::content::ContentReader;
use crate::display::{is_wanted, none_named, wrong};
use crate::plan;
use crate::progress::Progress;
use crate::select::{self, Selection};
use crate::shape::{Shape, Shapes};
use crate::statistics::{accumulators, Summary};
use crate::value::Reader;
use anyhow::{bail, Result};
use cppc_runtime::manifest::{BlockPlace, Kind, Manifest, Register, Scope};
use cppc_runtime::storage::Posix;
use cppc_runtime::verify::{describe, read_part, Description, Verified};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Which files to show, and how much of them.
#[derive(Debug, Clone)]
pub struct ShowOptions {
    pub selection: Selection,
    /// Patterns of names; an empty list selects all.
    pub names: Vec<String>,
    pub values: usize,
    pub statistics: Statistics,
    /// For registers with this number of elements, in the order of the program's language.
    pub shape: Option<Vec<u64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Statistics {
    /// If there are at most 256 MiB to read
    #[default]
    Auto,
    Yes,
    No,
}

const MOST_AUTO_BYTES: u64 = 256 << 20;

#[derive(Debug, Serialize)]
pub struct Report {
    pub files: Vec<Shown>,
    /// Errors of files that could not be read.
    pub problems: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Shown {
    #[serde(serialize_with = "crate::display::lossy")]
    pub path: PathBuf,
    pub size_bytes: u64,
    pub writer: String,
    pub application: String,
    pub fingerprint: String,
    pub run: String,
    pub attempt: String,
    /// The arguments of the process, if the file has them.
    pub arguments: Option<Vec<String>>,
    /// The input files that the setting `inputs` named.
    pub inputs: Vec<String>,
    pub build: String,
    pub architecture: String,
    pub line: u64,
    pub rank: u32,
    pub processes: u32,
    pub checkpoint_calls: u64,
    /// Older lines whose files contain content of this one.
    pub bases: Vec<u64>,
    pub machine: ShownMachine,
    pub registers: Vec<ShownRegister>,
    pub memory_blocks: Vec<ShownBlock>,
    pub pointers: usize,
    pub plan: Vec<String>,
    /// Damage of the content that was read.
    pub damage: Vec<String>,
    /// The number of bytes that were not read for statistics that were not requested.
    #[serde(skip)]
    pub unread_bytes: Option<u64>,
    #[serde(skip)]
    hidden_registers: usize,
    /// Whether the whole file was requested, not registers by name.
    #[serde(skip)]
    is_whole: bool,
}

#[derive(Debug, Serialize)]
pub struct ShownMachine {
    pub byte_order: &'static str,
    pub long_bytes: u8,
    pub pointer_bytes: u8,
    pub long_double_bytes: u8,
    pub long_double_digits: u8,
}

#[derive(Debug, Serialize)]
pub struct ShownRegister {
    /// The position in the manifest.
    #[serde(skip)]
    pub index: usize,
    /// Whether its elements are numbers or logicals.
    #[serde(skip)]
    pub is_number: bool,
    pub name: String,
    /// `None` for the whole program.
    pub procedure: Option<String>,
    pub depth: Option<u32>,
    pub section: i32,
    #[serde(rename = "type")]
    pub type_name: String,
    pub type_code: i32,
    pub element_bytes: u32,
    pub count: u64,
    /// The slowest dimension in memory first; empty for a single value.
    pub shape: Vec<u64>,
    #[serde(skip)]
    pub shape_text: String,
    pub size_bytes: u64,
    /// The percentage of the program's memory in the file.
    pub share_percent: f64,
    /// Where its bytes are stored.
    pub stored: ShownStorage,
    /// `None` for a null pointer.
    pub block: Option<u32>,
    pub offset_bytes: Option<u64>,
    pub is_pointer: bool,
    /// The first values; `None` if they are damaged.
    pub values: Option<Vec<Value>>,
    #[serde(skip)]
    pub values_text: String,
    /// One for the elements, or for each field of a structure; `None` if they were not read.
    pub statistics: Option<Vec<Summary>>,
}

/// In bytes of memory.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct ShownStorage {
    /// In the file itself.
    pub here_bytes: u64,
    /// In files of older lines.
    pub in_bases_bytes: u64,
    /// Not stored: it contains only zeros.
    pub zero_bytes: u64,
}

#[derive(Debug, Serialize)]
pub struct ShownBlock {
    pub size_bytes: u64,
    /// `None` if only the writer of the file knows it.
    pub stored_bytes: Option<u64>,
    pub place: &'static str,
}

/// Shows the files of all paths. An error means that a path has none.
pub fn show(paths: &[PathBuf], wanted: &ShowOptions) -> Result<Report> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(select::files(path, &wanted.selection)?);
    }
    let mut report = Report { files: Vec::new(), problems: Vec::new() };
    for file in files {
        match open(&file) {
            Ok(description) => report.files.push(shown(&description, wanted)),
            Err(problem) => report.problems.push(problem),
        }
    }
    if !report.files.is_empty()
        && !wanted.names.is_empty()
        && report.files.iter().all(|file| file.registers.is_empty())
    {
        bail!("{}", none_named(&wanted.names));
    }
    Ok(report)
}

/// The description of a file, or an error message for people.
pub fn open(file: &Path) -> Result<Verified<Description>, String> {
    describe(&Posix, file).map_err(|error| wrong(&error))
}

impl Report {
    pub fn is_good(&self) -> bool {
        self.problems.is_empty() && self.files.iter().all(|file| file.damage.is_empty())
    }
}

/// What one file contains.
pub fn shown(description: &Verified<Description>, wanted: &ShowOptions) -> Shown {
    let manifest = description.manifest();
    let reader = Reader { manifest, machine: description.machine() };
    let chosen: Vec<usize> = (0..manifest.registers.len())
        .filter(|&index| is_wanted(&manifest.registers[index].name, &wanted.names))
        .collect();
    let to_read =
        chosen.iter().map(|&index| size_bytes(&manifest.registers[index])).fold(0, u64::saturating_add);
    let is_read = match wanted.statistics {
        Statistics::Yes => true,
        Statistics::No => false,
        Statistics::Auto => to_read <= MOST_AUTO_BYTES,
    };
    let progress = if is_read { Progress::new(to_read) } else { Progress::none() };
    let mut look = Inspection {
        description,
        shapes: Shapes::new(description),
        reader,
        wanted,
        is_read,
        progress,
        damage: Vec::new(),
        memory_bytes: memory_bytes(manifest),
    };
    let registers: Vec<ShownRegister> = chosen.iter().map(|&index| look.register(index)).collect();
    let mut damage = look.damage;
    damage.dedup();
    let unread_bytes = (wanted.statistics == Statistics::Auto && !is_read).then_some(to_read);
    let hidden_registers = manifest.registers.len() - registers.len();
    let said = &manifest.provenance;
    Shown {
        path: description.path().to_owned(),
        size_bytes: description.size_bytes(),
        writer: description.writer().to_owned(),
        application: said.application.clone(),
        fingerprint: said.fingerprint.clone(),
        run: format!("{:016x}", said.run),
        attempt: format!("{:016x}", said.attempt),
        arguments: said.identity.arguments.clone(),
        inputs: said.identity.inputs.iter().map(|input| input.name.clone()).collect(),
        build: said.identity.build.clone(),
        architecture: said.identity.architecture.clone(),
        line: said.number,
        rank: said.rank,
        processes: said.processes,
        checkpoint_calls: said.calls,
        bases: description.bases().iter().map(|base| base.line).collect(),
        machine: machine(description),
        registers,
        memory_blocks: blocks(description),
        pointers: manifest.relocations.len(),
        plan: plan::lines(&manifest.plan, &reader),
        damage,
        unread_bytes,
        hidden_registers,
        is_whole: wanted.names.is_empty(),
    }
}

fn machine(description: &Verified<Description>) -> ShownMachine {
    let machine = description.machine();
    ShownMachine {
        byte_order: if machine.big_endian { "big-endian" } else { "little-endian" },
        long_bytes: machine.long_bytes,
        pointer_bytes: machine.pointer_bytes,
        long_double_bytes: machine.long_double_bytes,
        long_double_digits: machine.long_double_digits,
    }
}

fn blocks(description: &Verified<Description>) -> Vec<ShownBlock> {
    let blocks = description.manifest().blocks.iter().enumerate().map(|(index, block)| ShownBlock {
        size_bytes: block.size_bytes,
        stored_bytes: description.stored_bytes(index),
        place: match block.place {
            BlockPlace::Heap => "heap",
            BlockPlace::Program => "program",
        },
    });
    blocks.collect()
}

fn memory_bytes(manifest: &Manifest) -> u64 {
    manifest.blocks.iter().fold(0, |sum, block| sum.saturating_add(block.size_bytes))
}

fn stored(description: &Verified<Description>, register: &Register) -> ShownStorage {
    let Some(target) = register.target else { return ShownStorage::default() };
    let share = description.share(
        target.block as usize,
        target.offset_bytes..target.offset_bytes.saturating_add(size_bytes(register)),
    );
    ShownStorage { here_bytes: share.in_file, in_bases_bytes: share.in_bases, zero_bytes: share.zero }
}

/// The size in bytes of a register in the file.
pub fn size_bytes(register: &Register) -> u64 {
    register.target.map_or(0, |_| register.count.saturating_mul(register.element_bytes.into()))
}

/// Whether the elements are numbers or logicals, not characters, pointers or structures.
fn is_number(reader: &Reader, register: &Register) -> bool {
    use crate::value::Kind;
    let kind = reader.element(register.type_code, register.element_bytes as usize).kind;
    matches!(kind, Kind::Integer { .. } | Kind::Real(_) | Kind::Complex(_) | Kind::Logical)
}

/// A structure may be large; its first bytes are sufficient.
const MOST_VALUE_BYTES: u64 = 4096;

struct Inspection<'a> {
    description: &'a Verified<Description>,
    shapes: Shapes<'a>,
    reader: Reader<'a>,
    wanted: &'a ShowOptions,
    is_read: bool,
    progress: Progress,
    damage: Vec<String>,
    memory_bytes: u64,
}

impl Inspection<'_> {
    fn register(&mut self, index: usize) -> ShownRegister {
        let register = &self.reader.manifest.registers[index];
        let mut shape = self.shapes.of(index, &self.reader);
        if let Some(Ok(given)) =
            self.wanted.shape.as_ref().map(|extents| shape.given(extents, register.count))
        {
            shape = given;
        }
        let (values, values_text) = self.values(register, &shape);
        let statistics = if self.is_read { self.statistics(register) } else { None };
        let size_bytes = size_bytes(register);
        let (procedure, depth) = match &register.scope {
            Scope::Program => (None, None),
            Scope::Frame { depth, procedure } => (Some(procedure.clone()), Some(*depth)),
        };
        ShownRegister {
            index,
            is_number: is_number(&self.reader, register),
            name: register.name.clone(),
            procedure,
            depth,
            section: register.section,
            type_name: self.reader.type_name(register.type_code),
            type_code: register.type_code,
            element_bytes: register.element_bytes,
            count: register.count,
            shape_text: shape.text(),
            shape: shape.extents,
            size_bytes,
            stored: stored(self.description, register),
            share_percent: if self.memory_bytes == 0 {
                0.0
            } else {
                size_bytes as f64 * 100.0 / self.memory_bytes as f64
            },
            block: register.target.map(|target| target.block),
            offset_bytes: register.target.map(|target| target.offset_bytes),
            is_pointer: register.kind == Kind::Pointer,
            values,
            values_text,
            statistics,
        }
    }

    /// The first values.
    fn values(&mut self, register: &Register, shape: &Shape) -> (Option<Vec<Value>>, String) {
        let Some(target) = register.target else { return (Some(Vec::new()), "null".to_owned()) };
        let element_bytes = u64::from(register.element_bytes);
        let element = self.reader.element(register.type_code, register.element_bytes as usize);
        // Texts are shown as a whole. For an array of texts the last extent is their length.
        let is_text = element.kind == crate::value::Kind::Character;
        let length = shape.extents.last().copied().filter(|_| is_text && shape.extents.len() > 1);
        let most = match length {
            Some(length) => (self.wanted.values as u64).saturating_mul(length),
            None if is_text => (self.wanted.values as u64).saturating_mul(16),
            None => self.wanted.values as u64,
        };
        let shown = register.count.min(most).min(MOST_VALUE_BYTES / element_bytes.max(1));
        if shown == 0 {
            return (Some(Vec::new()), if register.count == 0 { "" } else { "…" }.to_owned());
        }
        match read_part(
            self.description,
            target.block as usize,
            target.offset_bytes,
            (shown * element_bytes) as usize,
        ) {
            Ok(bytes) => {
                let more = if shown < register.count { " …" } else { "" };
                let together =
                    length.and_then(|length| usize::try_from(length).ok()).unwrap_or(bytes.len()).max(1);
                let said: Vec<String> =
                    bytes.chunks(together).map(|bytes| self.reader.text(element, bytes)).collect();
                (
                    Some(
                        bytes.chunks(together).flat_map(|bytes| self.reader.values(element, bytes)).collect(),
                    ),
                    said.join(" ") + more,
                )
            }
            Err(error) => {
                self.damage.push(wrong(&error));
                (None, "damaged".to_owned())
            }
        }
    }

    /// `None` for a register without numbers, and for a damaged one.
    fn statistics(&mut self, register: &Register) -> Option<Vec<Summary>> {
        self.progress.at(&register.name);
        let element = self.reader.element(register.type_code, register.element_bytes as usize);
        let mut accumulators = accumulators(&self.reader, element);
        let mut content =
            ContentReader::new(self.description, register).filter(|_| !accumulators.is_empty())?;
        let step = content.step();
        loop {
            match content.take(step) {
                Ok([]) => break,
                Ok(bytes) => {
                    accumulators
                        .iter_mut()
                        .for_each(|accumulator| accumulator.add(bytes, element.size_bytes));
                    self.progress.advance(bytes.len() as u64);
                }
                Err(error) => {
                    self.damage.push(wrong(&error));
                    return None;
                }
            }
        }
        Some(accumulators.into_iter().map(|accumulator| accumulator.summary()).collect())
    }
}
