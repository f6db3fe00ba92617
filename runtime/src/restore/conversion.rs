//! Converts the state of a machine of a different architecture.
//!
//! Input: the registers in a state file, and the same registers as the program makes them again.
//! Output: content in the representation of this machine, and offsets in its memory blocks.
//! Postcondition: each memory block has one map, with which all registers made in it agree. A pointer into a
//! memory block points to the beginning of an element or component.

use super::convert::{BlockMap, ConvertError, ElementMap, Sides};
use super::same;
use crate::manifest::{Capture, Cell, Location, Manifest, PlanEntry, Register as Saved};
use crate::memory::MallocBytes;
use crate::register::Layouts;
use crate::verify::{Machine, StateFile};
use cppc_abi::types::FIRST_STRUCTURE;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ConversionError {
    #[error(
        "`{name}` was written by a machine of a different architecture, and cannot be converted: {error}"
    )]
    Convert { name: String, error: ConvertError },
    #[error("`{name}` was written by a machine of a different architecture, and shares memory with `{other}` as elements of another type, which cannot be converted")]
    Overlap { name: String, other: String },
    #[error("`{name}` was written by a machine of a different architecture, and shares memory with `{other}`, whose structure has not been described yet: register that one first")]
    TooEarly { name: String, other: String },
    #[error("`{name}` was written by a machine of a different architecture, and a pointer points into it where no element begins (byte {offset} of its memory)")]
    Inside { name: String, offset: u64 },
    #[error("`{name}` was written by a machine of a different architecture, and needs {bytes} bytes of memory here, which are not available")]
    NoMemory { name: String, bytes: usize },
}

/// The conversion of one file to this machine.
#[derive(Debug)]
pub struct Conversion {
    sides: Sides,
    shapes: HashMap<(i32, i32), Arc<ElementMap>>,
    /// For each register, its shape here, once the program has made it.
    registers: Vec<Option<Arc<ElementMap>>>,
    blocks: Vec<Option<BlockMap>>,
    /// The registers that have memory, sorted by memory block and offset; at the same offset the largest
    /// comes first.
    members: Vec<Member>,
    /// The targets of pointers, as memory block and offset.
    targets: Vec<(u32, u64)>,
}

/// A captured value in the representation of this machine.
#[derive(Debug)]
pub struct ConvertedCapture {
    pub bytes: Vec<u8>,
    /// The offsets of the pointers in it, and their targets.
    pub pointers: Vec<(usize, Option<Location>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    block: u32,
    offset_bytes: u64,
    size_bytes: Reverse<u64>,
    register: u32,
}

impl Conversion {
    /// None for a file that needs no conversion.
    pub fn new(file: &StateFile) -> Option<Conversion> {
        if *file.machine() == Machine::THIS {
            return None;
        }
        let manifest = file.manifest();
        let targets = manifest
            .registers
            .iter()
            .enumerate()
            .filter_map(|(index, saved)| Some((index, saved, saved.target?)));
        let mut members: Vec<Member> = targets
            .filter(|(_, saved, _)| saved.count > 0 && saved.element_bytes > 0)
            .map(|(index, saved, target)| Member {
                block: target.block,
                offset_bytes: target.offset_bytes,
                size_bytes: Reverse(saved.count * u64::from(saved.element_bytes)),
                register: index as u32,
            })
            .collect();
        members.sort_unstable();
        let pointed = manifest.relocations.iter().map(|relocation| relocation.target);
        let pointed = pointed.chain(manifest.registers.iter().map(|saved| saved.target)).flatten();
        let mut targets: Vec<(u32, u64)> =
            pointed.map(|target| (target.block, target.offset_bytes)).collect();
        targets.sort_unstable();
        targets.dedup();
        Some(Conversion {
            sides: Sides { from: *file.machine(), to: Machine::THIS },
            shapes: HashMap::new(),
            registers: vec![None; manifest.registers.len()],
            blocks: manifest.blocks.iter().map(|_| None).collect(),
            members,
            targets,
        })
    }

    /// Records that the program has made the register of this index, with elements of this type.
    pub fn learn(
        &mut self,
        manifest: &Manifest,
        layouts: &Layouts,
        index: usize,
        code: i32,
    ) -> Result<(), ConversionError> {
        let saved = &manifest.registers[index];
        let shape = self.shape(manifest, saved.type_code, layouts, code).and_then(|shape| {
            match saved.element_bytes as usize {
                found if found == shape.from_bytes => Ok(shape),
                found => Err(ConvertError::Size { found, wanted: shape.from_bytes }),
            }
        });
        let shape = shape.map_err(|error| ConversionError::Convert { name: saved.name.clone(), error })?;
        self.registers[index] = Some(Arc::clone(&shape));
        let Some(target) = saved.target else { return Ok(()) };
        let block = target.block as usize;
        if self.blocks[block].is_none() {
            self.blocks[block] = Some(self.map(manifest, layouts, saved, target.block)?);
            self.check_pointers(manifest, target.block)?;
        }
        let map = self.blocks[block].as_ref();
        let fits = saved.count == 0
            || map.is_some_and(|map| {
                map.holds(target.offset_bytes as usize, saved.count as usize, &shape).is_some()
            });
        if fits {
            return Ok(());
        }
        Err(self.overlap(manifest, saved, target.block))
    }

    fn shape(
        &mut self,
        manifest: &Manifest,
        saved_code: i32,
        layouts: &Layouts,
        code: i32,
    ) -> Result<Arc<ElementMap>, ConvertError> {
        if let Some(known) = self.shapes.get(&(saved_code, code)) {
            return Ok(Arc::clone(known));
        }
        let shape = Arc::new(self.sides.shape(&manifest.types, saved_code, layouts, code)?);
        self.shapes.insert((saved_code, code), Arc::clone(&shape));
        Ok(shape)
    }

    fn members(&self, block: u32) -> &[Member] {
        let from = self.members.partition_point(|member| member.block < block);
        let to = self.members.partition_point(|member| member.block <= block);
        &self.members[from..to]
    }

    /// Maps a memory block by the registers that the program has made. If they do not cover all of it, uses
    /// the expected shapes of the other registers too.
    fn map(
        &mut self,
        manifest: &Manifest,
        layouts: &Layouts,
        wanted: &Saved,
        block: u32,
    ) -> Result<BlockMap, ConversionError> {
        let size_bytes = manifest.blocks[block as usize].size_bytes;
        let mut map = BlockMap::default();
        let known = self
            .members(block)
            .iter()
            .filter_map(|member| Some((member, self.registers[member.register as usize].as_ref()?)));
        for (member, shape) in known {
            let count = manifest.registers[member.register as usize].count as usize;
            // A register that does not fit is handled by the second attempt.
            let _ = map.add(member.offset_bytes as usize, count, shape);
        }
        if map.from_bytes() as u64 == size_bytes {
            return Ok(map);
        }
        let mut map = BlockMap::default();
        for member in self.members(block).to_vec() {
            let saved = &manifest.registers[member.register as usize];
            let shape = self.expected(manifest, layouts, member).ok_or_else(|| {
                ConversionError::TooEarly { name: wanted.name.clone(), other: saved.name.clone() }
            })?;
            map.add(member.offset_bytes as usize, saved.count as usize, &shape)
                .map_err(|_| self.overlap(manifest, saved, block))?;
        }
        Ok(map)
    }

    /// The shape of a register, known or expected: the shape of another register of the same type in the
    /// memory block, or of the type with the same name.
    fn expected(
        &mut self,
        manifest: &Manifest,
        layouts: &Layouts,
        member: Member,
    ) -> Option<Arc<ElementMap>> {
        if let Some(known) = &self.registers[member.register as usize] {
            return Some(Arc::clone(known));
        }
        let saved = &manifest.registers[member.register as usize];
        let mut others = self.members(member.block).iter().map(|other| other.register as usize);
        let alike = others.find_map(|other| {
            let is_alike = manifest.registers[other].type_code == saved.type_code;
            self.registers[other].clone().filter(|_| is_alike)
        });
        let fits = |shape: &Arc<ElementMap>| shape.from_bytes == saved.element_bytes as usize;
        if let Some(alike) = alike.filter(fits) {
            return Some(alike);
        }
        let Some(was) = same::structure(&manifest.types, saved.type_code) else {
            return self.shape(manifest, saved.type_code, layouts, saved.type_code).ok().filter(fits);
        };
        let codes = layouts.structures().iter().zip(FIRST_STRUCTURE..).filter(|(is, _)| is.name == was.name);
        codes
            .map(|(_, code)| code)
            .find_map(|code| self.shape(manifest, saved.type_code, layouts, code).ok().filter(fits))
    }

    fn overlap(&self, manifest: &Manifest, saved: &Saved, block: u32) -> ConversionError {
        let others = self.members(block).iter().map(|member| &manifest.registers[member.register as usize]);
        let other =
            others.map(|other| other.name.as_str()).find(|name| *name != saved.name).unwrap_or_default();
        ConversionError::Overlap { name: saved.name.clone(), other: other.to_owned() }
    }

    /// Checks that every pointer in the memory block is known to be a pointer, and that every pointer into it
    /// points to an element or component.
    fn check_pointers(&self, manifest: &Manifest, block: u32) -> Result<(), ConversionError> {
        let inside = |offset: u64| {
            let before = self.members(block).iter().rev().find(|member| member.offset_bytes <= offset);
            let name = before.map_or("", |member| &manifest.registers[member.register as usize].name);
            ConversionError::Inside { name: name.to_owned(), offset }
        };
        let from = self.targets.partition_point(|(to, _)| *to < block);
        let targets = self.targets[from..].iter().take_while(|(to, _)| *to == block);
        for (_, offset) in targets {
            self.offset(Location { block, offset_bytes: *offset }).ok_or_else(|| inside(*offset))?;
        }
        for relocation in manifest.relocations_in(block, 0..u64::MAX) {
            self.pointer(relocation.at).ok_or_else(|| inside(relocation.at.offset_bytes))?;
        }
        Ok(())
    }

    /// The offset on this machine of a location; none as long as its memory block has no map.
    pub fn offset(&self, place: Location) -> Option<usize> {
        self.blocks.get(place.block as usize)?.as_ref()?.offset(place.offset_bytes as usize)
    }

    /// The same for the location of a pointer.
    pub fn pointer(&self, place: Location) -> Option<usize> {
        self.blocks.get(place.block as usize)?.as_ref()?.pointer(place.offset_bytes as usize)
    }

    /// The size here of this many bytes of a register, which must have been made.
    pub fn size_of(&self, index: usize, bytes: usize) -> usize {
        let shape = self.registers[index].as_ref();
        shape.map_or(0, |shape| (bytes / shape.from_bytes.max(1)).saturating_mul(shape.to_bytes))
    }

    /// Converts the content of a register into `into`. If a value does not fit, nothing is written.
    pub fn put(
        &self,
        saved: &Saved,
        index: usize,
        bytes: &[u8],
        into: &mut [u8],
    ) -> Result<(), ConversionError> {
        let Some(shape) = &self.registers[index] else { return Ok(()) };
        if self.sides.is_reordered(shape) {
            let outcome = self.sides.convert(shape, bytes, into);
            return outcome.map_err(|error| ConversionError::Convert { name: saved.name.clone(), error });
        }
        let converted = converted(self.sides, &saved.name, shape, bytes)?;
        into.copy_from_slice(&converted);
        Ok(())
    }

    /// The size of a memory block here, in bytes.
    pub fn size_bytes(&self, block: u32) -> usize {
        self.blocks.get(block as usize).and_then(Option::as_ref).map_or(0, BlockMap::to_bytes)
    }

    /// The converted content of a whole memory block, which must have a map.
    pub fn block(
        &self,
        manifest: &Manifest,
        block: u32,
        mut memory: MallocBytes,
    ) -> Result<MallocBytes, ConversionError> {
        let Some(Some(map)) = self.blocks.get(block as usize) else { return Ok(memory) };
        let mut runs = map.runs();
        if let (Some((_, _, shape)), None) = (runs.next(), runs.next()) {
            if self.sides.convert_in_place(shape, memory.as_mut_slice()) {
                return Ok(memory);
            }
        }
        let name = |from: usize| {
            let member = self.members(block).iter().find(|member| member.offset_bytes as usize == from);
            member.map_or(String::new(), |member| manifest.registers[member.register as usize].name.clone())
        };
        let bytes = map.to_bytes();
        let mut converted =
            MallocBytes::zeroed(bytes).ok_or_else(|| ConversionError::NoMemory { name: name(0), bytes })?;
        for (from, to, shape) in map.runs() {
            let start = from.start;
            let place = memory.as_slice().get(from).zip(converted.as_mut_slice().get_mut(to));
            let Some((from, to)) = place else { continue };
            self.sides
                .convert(shape, from, to)
                .map_err(|error| ConversionError::Convert { name: name(start), error })?;
        }
        Ok(converted)
    }

    /// The converted captured value, with null pointers.
    pub fn captured(
        &mut self,
        manifest: &Manifest,
        layouts: &Layouts,
        capture: &Capture,
        code: i32,
    ) -> Result<ConvertedCapture, ConversionError> {
        let shape = self.shape(manifest, capture.type_code, layouts, code);
        let shape = shape.map_err(|error| ConversionError::Convert { name: capture.name.clone(), error })?;
        let found = capture.element_bytes as usize;
        if found != shape.from_bytes {
            let error = ConvertError::Size { found, wanted: shape.from_bytes };
            return Err(ConversionError::Convert { name: capture.name.clone(), error });
        }
        let bytes = converted(self.sides, &capture.name, &shape, &capture.bytes)?;
        let pointers = capture.relocations.iter().map(|relocation| {
            let offset = relocation.at.offset_bytes;
            let inside = || ConversionError::Inside { name: capture.name.clone(), offset };
            Ok((shape.pointer(offset as usize).ok_or_else(inside)?, relocation.target))
        });
        Ok(ConvertedCapture { bytes, pointers: pointers.collect::<Result<_, ConversionError>>()? })
    }
}

/// The plan of a file, with the cells converted to this machine.
pub fn native_plan(file: &StateFile) -> Result<Cow<'_, [PlanEntry]>, ConversionError> {
    let plan = &file.manifest().plan;
    if *file.machine() == Machine::THIS {
        return Ok(Cow::Borrowed(plan));
    }
    let sides = Sides { from: *file.machine(), to: Machine::THIS };
    let mut plan = plan.clone();
    let mut lists: Vec<&mut [PlanEntry]> = vec![&mut plan];
    while let Some(list) = lists.pop() {
        for entry in list {
            match entry {
                PlanEntry::Cells { cells } => {
                    cells.iter_mut().try_for_each(|cell| convert_cell(sides, cell))?
                }
                PlanEntry::Call { entries, .. } | PlanEntry::Open { entries, .. } => lists.push(entries),
                _ => {}
            }
        }
    }
    Ok(Cow::Owned(plan))
}

fn convert_cell(sides: Sides, cell: &mut Cell) -> Result<(), ConversionError> {
    let name = format!("cell {}", cell.number);
    let shape = sides.shape(&[], cell.type_code, &Layouts::default(), cell.type_code);
    let shape = shape.map_err(|error| ConversionError::Convert { name: name.clone(), error })?;
    cell.bytes = converted(sides, &name, &shape, &cell.bytes)?;
    cell.element_bytes = shape.to_bytes as u32;
    Ok(())
}

fn converted(sides: Sides, name: &str, shape: &ElementMap, bytes: &[u8]) -> Result<Vec<u8>, ConversionError> {
    let size_bytes = (bytes.len() / shape.from_bytes.max(1)).saturating_mul(shape.to_bytes);
    let mut converted = Vec::new();
    if converted.try_reserve_exact(size_bytes).is_err() {
        return Err(ConversionError::NoMemory { name: name.to_owned(), bytes: size_bytes });
    }
    converted.resize(size_bytes, 0);
    let outcome = sides.convert(shape, bytes, &mut converted);
    outcome.map(|()| converted).map_err(|error| ConversionError::Convert { name: name.to_owned(), error })
}
