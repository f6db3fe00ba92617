//! The manifest as bytes.
//!
//! Input: a manifest, or the bytes of one.
//! Output: the other of the two.
//! Postcondition: a decoded manifest is equal to the encoded one. Other bytes are refused; the time and
//! memory for that are limited by their length. An explicit stack replaces recursion, since the plan is as
//! deep as the calls of the program.

use super::layout::{Decoder, Encoder, Malformed};
use super::open_file;
use crate::arithmetic::Arithmetic;
use crate::manifest::{
    BlockPlace, Capture, Cell, Field, InputFile, Kind, Location, Manifest, MemoryBlock, PlanEntry,
    Provenance, Register, Relocation, RunIdentity, Scope, Shape, StructType, MAX_PLAN_DEPTH,
};

const NOTHING: u8 = 0;
const SOMETHING: u8 = 1;

/// The first version with shapes.
const WITH_SHAPES: u16 = 2;

/// The first version with execute blocks that have open files.
const WITH_FILES: u16 = 2;

/// The first version with the attempt, the arguments and the build of the process.
const WITH_ATTEMPT: u16 = 3;

/// The first version with the modes of arithmetic with reals.
const WITH_ARITHMETIC: u16 = 4;

/// Begins an input file in the list of arguments, which contain no zero bytes.
const INPUT: &str = "\0input\0";

/// Encodes in the form of `layout::VERSION`.
pub fn encode(manifest: &Manifest) -> Vec<u8> {
    let mut out = Encoder::default();
    provenance(&mut out, &manifest.provenance);
    list(&mut out, &manifest.types, struct_type);
    list(&mut out, &manifest.blocks, memory_block);
    list(&mut out, &manifest.registers, register);
    list(&mut out, &manifest.relocations, relocation);
    plan(&mut out, &manifest.plan);
    list(&mut out, &manifest.shapes, shape);
    out.bytes
}

/// Decodes the form of `version`, which the header names.
pub fn decode(bytes: &[u8], version: u16) -> Result<Manifest, Malformed> {
    let mut from = Decoder::new(bytes);
    let manifest = Manifest {
        provenance: read_provenance(&mut from, version)?,
        types: read_list(&mut from, 24, read_struct_type)?,
        blocks: read_list(&mut from, 9, read_memory_block)?,
        registers: read_list(&mut from, 35, read_register)?,
        relocations: read_list(&mut from, 13, read_relocation)?,
        plan: read_plan(&mut from, version)?,
        shapes: if version < WITH_SHAPES { Vec::new() } else { read_list(&mut from, 12, read_shape)? },
    };
    if from.left() > 0 {
        return Err(from.malformed("what follows its end"));
    }
    Ok(manifest)
}

fn list<T>(out: &mut Encoder, items: &[T], item: fn(&mut Encoder, &T)) {
    out.count(items.len());
    for each in items {
        item(out, each);
    }
}

/// `least_bytes` is the size of the shortest item.
fn read_list<T>(
    from: &mut Decoder,
    least_bytes: usize,
    item: fn(&mut Decoder) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let count = from.count(least_bytes)?;
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push(item(from)?);
    }
    Ok(items)
}

fn provenance(out: &mut Encoder, provenance: &Provenance) {
    out.string(&provenance.application);
    out.string(&provenance.fingerprint);
    out.u64(provenance.run);
    out.u64(provenance.number);
    out.u32(provenance.rank);
    out.u32(provenance.processes);
    out.u64(provenance.calls);
    list(out, &provenance.touched, |out, (procedure, id)| {
        out.string(procedure);
        out.i32(*id);
    });
    out.u64(provenance.attempt);
    origin(out, &provenance.identity);
    out.u32(Arithmetic::encode(provenance.arithmetic));
}

fn origin(out: &mut Encoder, origin: &RunIdentity) {
    match &origin.arguments {
        None => out.u8(NOTHING),
        Some(arguments) => {
            out.u8(SOMETHING);
            let inputs =
                origin.inputs.iter().map(|input| format!("{INPUT}{}\0{:032x}", input.name, input.hash));
            let words: Vec<String> = arguments.iter().cloned().chain(inputs).collect();
            list(out, &words, |out, word| out.string(word));
        }
    }
    out.string(&origin.architecture);
    out.string(&origin.build);
}

fn read_origin(from: &mut Decoder) -> Result<RunIdentity, Malformed> {
    let mut arguments = match from.u8()? {
        NOTHING => None,
        SOMETHING => Some(read_list(from, 8, |from| from.string())?),
        _ => return Err(from.malformed("the arguments of the program")),
    };
    let mut inputs = Vec::new();
    if let Some(words) = &mut arguments {
        let first = words.iter().position(|word| word.contains('\0')).unwrap_or(words.len());
        for word in words.split_off(first) {
            inputs.push(read_input(&word).ok_or_else(|| from.malformed("the input files"))?);
        }
    }
    Ok(RunIdentity { arguments, architecture: from.string()?, build: from.string()?, inputs })
}

fn read_input(word: &str) -> Option<InputFile> {
    let (name, hash) = word.strip_prefix(INPUT)?.split_once('\0')?;
    Some(InputFile { name: name.to_owned(), hash: u128::from_str_radix(hash, 16).ok()? })
}

fn read_provenance(from: &mut Decoder, version: u16) -> Result<Provenance, Malformed> {
    let mut provenance = read_first_provenance(from)?;
    if version >= WITH_ATTEMPT {
        provenance.attempt = from.u64()?;
        provenance.identity = read_origin(from)?;
    }
    if version >= WITH_ARITHMETIC {
        let modes = Arithmetic::decode(from.u32()?);
        provenance.arithmetic = modes.ok_or_else(|| from.malformed("the modes of arithmetic"))?;
    }
    Ok(provenance)
}

/// The fields that all versions have.
fn read_first_provenance(from: &mut Decoder) -> Result<Provenance, Malformed> {
    Ok(Provenance {
        application: from.string()?,
        fingerprint: from.string()?,
        run: from.u64()?,
        number: from.u64()?,
        rank: from.u32()?,
        processes: from.u32()?,
        calls: from.u64()?,
        touched: read_list(from, 12, |from| Ok((from.string()?, from.i32()?)))?,
        ..Provenance::default()
    })
}

fn struct_type(out: &mut Encoder, struct_type: &StructType) {
    out.string(&struct_type.name);
    out.u64(struct_type.size_bytes);
    list(out, &struct_type.fields, |out, field| {
        out.string(&field.name);
        out.u64(field.offset_bytes);
        out.i32(field.type_code);
        out.u64(field.count);
    });
}

fn read_struct_type(from: &mut Decoder) -> Result<StructType, Malformed> {
    Ok(StructType {
        name: from.string()?,
        size_bytes: from.u64()?,
        fields: read_list(from, 28, |from| {
            Ok(Field {
                name: from.string()?,
                offset_bytes: from.u64()?,
                type_code: from.i32()?,
                count: from.u64()?,
            })
        })?,
    })
}

fn memory_block(out: &mut Encoder, block: &MemoryBlock) {
    out.u64(block.size_bytes);
    out.u8(match block.place {
        BlockPlace::Heap => 1,
        BlockPlace::Program => 2,
    });
}

fn read_memory_block(from: &mut Decoder) -> Result<MemoryBlock, Malformed> {
    Ok(MemoryBlock {
        size_bytes: from.u64()?,
        place: match from.u8()? {
            1 => BlockPlace::Heap,
            2 => BlockPlace::Program,
            _ => return Err(from.malformed("the place of a block")),
        },
    })
}

fn register(out: &mut Encoder, register: &Register) {
    out.string(&register.name);
    out.i32(register.section);
    match &register.scope {
        Scope::Program => out.u8(1),
        Scope::Frame { depth, procedure } => {
            out.u8(2);
            out.u32(*depth);
            out.string(procedure);
        }
    }
    out.i32(register.type_code);
    out.u32(register.element_bytes);
    out.u64(register.count);
    out.i32(register.storage);
    out.u8(match register.kind {
        Kind::Memory => 1,
        Kind::Pointer => 2,
    });
    target(out, register.target);
}

fn read_register(from: &mut Decoder) -> Result<Register, Malformed> {
    Ok(Register {
        name: from.string()?,
        section: from.i32()?,
        scope: match from.u8()? {
            1 => Scope::Program,
            2 => Scope::Frame { depth: from.u32()?, procedure: from.string()? },
            _ => return Err(from.malformed("the scope of a register")),
        },
        type_code: from.i32()?,
        element_bytes: from.u32()?,
        count: from.u64()?,
        storage: from.i32()?,
        kind: match from.u8()? {
            1 => Kind::Memory,
            2 => Kind::Pointer,
            _ => return Err(from.malformed("the kind of a register")),
        },
        target: read_target(from)?,
    })
}

fn shape(out: &mut Encoder, shape: &Shape) {
    out.u32(shape.register);
    list(out, &shape.extents, |out, extent| out.u64(*extent));
}

fn read_shape(from: &mut Decoder) -> Result<Shape, Malformed> {
    Ok(Shape { register: from.u32()?, extents: read_list(from, 8, |from| from.u64())? })
}

fn location(out: &mut Encoder, location: &Location) {
    out.u32(location.block);
    out.u64(location.offset_bytes);
}

fn read_location(from: &mut Decoder) -> Result<Location, Malformed> {
    Ok(Location { block: from.u32()?, offset_bytes: from.u64()? })
}

fn target(out: &mut Encoder, target: Option<Location>) {
    match target {
        None => out.u8(NOTHING),
        Some(at) => {
            out.u8(SOMETHING);
            location(out, &at);
        }
    }
}

fn read_target(from: &mut Decoder) -> Result<Option<Location>, Malformed> {
    match from.u8()? {
        NOTHING => Ok(None),
        SOMETHING => Ok(Some(read_location(from)?)),
        _ => Err(from.malformed("a target")),
    }
}

fn relocation(out: &mut Encoder, relocation: &Relocation) {
    location(out, &relocation.at);
    target(out, relocation.target);
}

fn read_relocation(from: &mut Decoder) -> Result<Relocation, Malformed> {
    Ok(Relocation { at: read_location(from)?, target: read_target(from)? })
}

fn capture(out: &mut Encoder, capture: &Capture) {
    out.string(&capture.name);
    out.i32(capture.type_code);
    out.u32(capture.element_bytes);
    out.u64(capture.count);
    out.bytes(&capture.bytes);
    list(out, &capture.relocations, relocation);
}

fn read_capture(from: &mut Decoder) -> Result<Capture, Malformed> {
    Ok(Capture {
        name: from.string()?,
        type_code: from.i32()?,
        element_bytes: from.u32()?,
        count: from.u64()?,
        bytes: from.bytes()?.to_vec(),
        relocations: read_list(from, 13, read_relocation)?,
    })
}

const CAPTURE_LEAST_BYTES: usize = 40;

fn cell(out: &mut Encoder, cell: &Cell) {
    out.u32(cell.number);
    out.i32(cell.type_code);
    out.u32(cell.element_bytes);
    out.u64(cell.count);
    out.bytes(&cell.bytes);
}

fn read_cell(from: &mut Decoder) -> Result<Cell, Malformed> {
    Ok(Cell {
        number: from.u32()?,
        type_code: from.i32()?,
        element_bytes: from.u32()?,
        count: from.u64()?,
        bytes: from.bytes()?.to_vec(),
    })
}

const CELL_LEAST_BYTES: usize = 28;

/// Writes the entries in the order of the source. The entries of a call follow it.
fn plan(out: &mut Encoder, entries: &[PlanEntry]) {
    out.count(entries.len());
    let mut open = vec![entries.iter()];
    while let Some(entries) = open.last_mut() {
        let Some(entry) = entries.next() else {
            open.pop();
            continue;
        };
        match entry {
            PlanEntry::Init { block } => head(out, 1, *block),
            PlanEntry::Register { block, registers } => {
                head(out, 2, *block);
                list(out, registers, |out, index| out.u32(*index));
            }
            PlanEntry::Execute { block, captures, files } => {
                head(out, if files.is_empty() { 3 } else { 8 }, *block);
                list(out, captures, capture);
                if !files.is_empty() {
                    list(out, files, open_file::write);
                }
            }
            PlanEntry::Call { block, callee, captures, entries }
            | PlanEntry::Open { block, callee, captures, entries } => {
                let returned = matches!(entry, PlanEntry::Call { .. });
                head(out, if returned { 4 } else { 5 }, *block);
                out.string(callee);
                list(out, captures, capture);
                out.count(entries.len());
                open.push(entries.iter());
            }
            PlanEntry::Checkpoint { block } => head(out, 6, *block),
            PlanEntry::Cells { cells } => {
                head(out, 7, 0);
                list(out, cells, cell);
            }
        }
    }
}

fn head(out: &mut Encoder, tag: u8, block: i32) {
    out.u8(tag);
    out.i32(block);
}

/// A list of entries that is not complete yet, and the call to which it belongs.
struct OpenList {
    entries: Vec<PlanEntry>,
    missing: usize,
    call: Option<(bool, i32, String, Vec<Capture>)>,
}

const ENTRY_LEAST_BYTES: usize = 5;

/// Version 1 has the tags up to 7.
fn read_plan(from: &mut Decoder, version: u16) -> Result<Vec<PlanEntry>, Malformed> {
    let missing = from.count(ENTRY_LEAST_BYTES)?;
    let mut current = OpenList { entries: Vec::new(), missing, call: None };
    let mut outer: Vec<OpenList> = Vec::new();
    loop {
        if current.missing == 0 {
            let Some((returned, block, callee, captures)) = current.call else {
                return Ok(current.entries);
            };
            let entries = current.entries;
            let entry = if returned {
                PlanEntry::Call { block, callee, captures, entries }
            } else {
                PlanEntry::Open { block, callee, captures, entries }
            };
            // A call is inside a list, which was pushed when the call began.
            current = outer.pop().ok_or(from.malformed("the plan"))?;
            current.entries.push(entry);
            continue;
        }
        current.missing -= 1;
        let tag = from.u8()?;
        let block = from.i32()?;
        match tag {
            1 => current.entries.push(PlanEntry::Init { block }),
            2 => current
                .entries
                .push(PlanEntry::Register { block, registers: read_list(from, 4, |from| from.u32())? }),
            3 => current.entries.push(PlanEntry::Execute {
                block,
                captures: read_list(from, CAPTURE_LEAST_BYTES, read_capture)?,
                files: Vec::new(),
            }),
            8 if version >= WITH_FILES => current.entries.push(PlanEntry::Execute {
                block,
                captures: read_list(from, CAPTURE_LEAST_BYTES, read_capture)?,
                files: read_list(from, open_file::LEAST_BYTES, open_file::read)?,
            }),
            4 | 5 => {
                let callee = from.string()?;
                let captures = read_list(from, CAPTURE_LEAST_BYTES, read_capture)?;
                let missing = from.count(ENTRY_LEAST_BYTES)?;
                if outer.len() >= MAX_PLAN_DEPTH {
                    return Err(from.malformed("the depth of the plan"));
                }
                let call = Some((tag == 4, block, callee, captures));
                let inner = OpenList { entries: Vec::new(), missing, call };
                outer.push(std::mem::replace(&mut current, inner));
            }
            6 => current.entries.push(PlanEntry::Checkpoint { block }),
            7 if block == 0 => {
                let cells = read_list(from, CELL_LEAST_BYTES, read_cell)?;
                current.entries.push(PlanEntry::Cells { cells });
            }
            _ => return Err(from.malformed("a plan entry")),
        }
    }
}
