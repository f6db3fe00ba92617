//! Checks that a manifest is consistent.
//!
//! Input: a manifest, perhaps of a file that an attacker has made.
//! Output: the first error.
//! Postcondition: every index is in its table, every range is in its memory block, and every name can be a C
//! string. Each frame of the plan ends with its open call or its checkpoint, which are nowhere else. Sizes
//! are those of the types on the writing machine. Pointers are in the memory of registers, sorted, and do not
//! overlap.

use super::parts::parts;
use super::{
    BlockPlace, Capture, Cell, Kind, Location, Manifest, OpenFile, PlanEntry, Register, Relocation, Scope,
};
use crate::machine::Machine;
use cppc_abi::storage::{DYNAMIC, FOLLOWED};
use cppc_abi::types::{by_code, BitField, FIRST_STRUCTURE, POINTER};

/// The maximum depth of nested calls in a plan.
pub const MAX_PLAN_DEPTH: usize = 4096;

/// Cells of a frame have numbers below this.
pub const MAX_CELLS: u32 = 1 << 16;

/// The maximum number of dimensions of an array, as in HDF5.
pub const MAX_RANK: usize = 32;

/// The maximum number of files of one execute block.
const MAX_FILES: usize = 1 << 12;

/// The reasons why a manifest is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    #[error("rank {rank} is not one of {processes} processes")]
    Rank { rank: u32, processes: u32 },
    #[error("a recovery line has the number 0")]
    Unnumbered,
    #[error("no machine has the type sizes that its header contains")]
    Machine,
    #[error("a name contains a NUL byte")]
    Name,
    #[error("field `{field}` of structure `{structure}` is outside it or has an unknown type")]
    Field { structure: String, field: String },
    #[error("a member of a union in structure `{structure}` depends on no integer of the structure")]
    Condition { structure: String },
    #[error("register `{name}` is outside its memory block")]
    Register { name: String },
    #[error("register `{name}` has type {type_code}, which the file does not describe")]
    Type { name: String, type_code: i32 },
    #[error("`{name}` is a variable in a heap block, but no pointer points to it")]
    Place { name: String },
    #[error("`{name}` has elements of {bytes} bytes, which is not the size of its type on the machine that wrote it")]
    Element { name: String, bytes: u32 },
    #[error("a pointer points outside its memory block, or is not in the memory of a register, or overlaps another pointer")]
    Relocation,
    #[error("register `{name}` has a shape that does not match its number of elements")]
    Shape { name: String },
    #[error("captured value `{name}` does not have the size of its type")]
    Capture { name: String },
    #[error("an open file has an impossible length or position, or one block has too many open files")]
    File,
    #[error("the cells of a frame are invalid")]
    Cells,
    #[error("the restart plan does not end at one checkpoint")]
    Plan,
    #[error("calls are nested more than {MAX_PLAN_DEPTH} deep in the restart plan")]
    Deep,
}

impl Manifest {
    /// Checks the manifest. `machine` is the machine that wrote it.
    pub fn check(&self, machine: &Machine) -> Result<(), ManifestError> {
        if !machine.is_possible() {
            return Err(ManifestError::Machine);
        }
        self.check_provenance()?;
        self.check_types(machine)?;
        self.check_registers(machine)?;
        self.check_shapes()?;
        self.check_relocations(machine)?;
        self.check_plan(machine)
    }

    fn check_registers(&self, machine: &Machine) -> Result<(), ManifestError> {
        let led_to = self.memory(|register| register.kind == Kind::Pointer);
        for register in &self.registers {
            if let Scope::Frame { procedure, .. } = &register.scope {
                check_name(procedure)?;
            }
            check_name(&register.name)?;
            self.check_type(machine, &register.name, register.type_code, register.element_bytes)?;
            let bytes = register.count.checked_mul(register.element_bytes.into());
            let fits = match (register.target, bytes) {
                (None, bytes) => bytes.is_some(),
                (Some(target), Some(bytes)) => self.holds(target, bytes),
                (Some(_), None) => false,
            };
            if !fits {
                return Err(ManifestError::Register { name: register.name.clone() });
            }
            // A variable has an address in the program, so its memory block is a placed block. The exception
            // is a variable that begins in the memory that a pointer points to, or at its end.
            let is_variable = register.kind == Kind::Memory
                && register.count > 0
                && register.storage & (DYNAMIC | FOLLOWED) == 0;
            let place = register
                .target
                .and_then(|target| self.blocks.get(target.block as usize))
                .map(|block| block.place);
            if is_variable && place == Some(BlockPlace::Heap) && !begins_in(&led_to, register) {
                return Err(ManifestError::Place { name: register.name.clone() });
            }
        }
        Ok(())
    }

    /// Checks that shapes are sorted, that a register has at most one, and that each has the number of
    /// elements of its register.
    fn check_shapes(&self) -> Result<(), ManifestError> {
        let mut least = 0;
        for shape in &self.shapes {
            let index = shape.register as usize;
            let name =
                || self.registers.get(index).map_or_else(String::new, |register| register.name.clone());
            let elements =
                shape.extents.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent));
            let is_possible = (2..=MAX_RANK).contains(&shape.extents.len()) && elements.is_some();
            let count = self.registers.get(index).map(|register| register.count);
            if index < least || !is_possible || count != elements {
                return Err(ManifestError::Shape { name: name() });
            }
            least = index + 1;
        }
        Ok(())
    }

    /// Checks that pointers are sorted, and that each is in the memory of registers. A restart may write only
    /// there.
    fn check_relocations(&self, machine: &Machine) -> Result<(), ManifestError> {
        if self.relocations.is_empty() {
            return Ok(());
        }
        let memory = self.memory(|_| true);
        let (mut at, mut least) = (0, Location { block: 0, offset_bytes: 0 });
        for relocation in &self.relocations {
            let Location { block, offset_bytes } = relocation.at;
            let end =
                offset_bytes.checked_add(machine.pointer_bytes.into()).ok_or(ManifestError::Relocation)?;
            while memory.get(at).is_some_and(|part| (part.0, part.2) < (block, end)) {
                at += 1;
            }
            let is_inside = memory.get(at).is_some_and(|part| part.0 == block && part.1 <= offset_bytes);
            let is_behind = (block, offset_bytes) >= (least.block, least.offset_bytes);
            if !is_inside || !is_behind || !self.points_inside(relocation) {
                return Err(ManifestError::Relocation);
            }
            least = Location { block, offset_bytes: end };
        }
        Ok(())
    }

    /// The parts of memory blocks in these registers, sorted and disjoint: memory block, first byte, end.
    pub fn memory(&self, is_meant: impl Fn(&Register) -> bool) -> Vec<(u32, u64, u64)> {
        let extents = self.registers.iter().filter(|register| is_meant(register)).filter_map(|register| {
            let Location { block, offset_bytes } = register.target?;
            let size_bytes = register.count.checked_mul(register.element_bytes.into())?;
            (size_bytes > 0).then_some((block, offset_bytes, offset_bytes.checked_add(size_bytes)?))
        });
        parts(extents.collect())
    }

    fn check_provenance(&self) -> Result<(), ManifestError> {
        let provenance = &self.provenance;
        if provenance.rank >= provenance.processes {
            return Err(ManifestError::Rank { rank: provenance.rank, processes: provenance.processes });
        }
        if provenance.number == 0 {
            return Err(ManifestError::Unnumbered);
        }
        check_name(&provenance.application)?;
        check_name(&provenance.fingerprint)?;
        provenance.touched.iter().try_for_each(|(procedure, _)| check_name(procedure))
    }

    fn check_types(&self, machine: &Machine) -> Result<(), ManifestError> {
        for (index, structure) in self.types.iter().enumerate() {
            check_name(&structure.name)?;
            if !structure.has_valid_conditions() {
                return Err(ManifestError::Condition { structure: structure.name.clone() });
            }
            for field in &structure.fields {
                check_name(&field.name)?;
                // Only an earlier structure is allowed, so that no structure contains itself.
                let inner = self.structure(field.type_code).filter(|&inner| inner < index);
                let element_bytes = match inner {
                    Some(inner) => self.types[inner].size_bytes,
                    None => machine.scalar_bytes(field.type_code).map_or(1, |bytes| bytes as u64),
                };
                let end = field
                    .count
                    .checked_mul(element_bytes)
                    .and_then(|bytes| bytes.checked_add(field.offset_bytes));
                let is_bit_field = BitField::from_code(field.type_code).is_some() && field.count == 1;
                let known = field.type_code < FIRST_STRUCTURE || inner.is_some() || is_bit_field;
                if !known || end.is_none_or(|end| end > structure.size_bytes) {
                    return Err(ManifestError::Field {
                        structure: structure.name.clone(),
                        field: field.name.clone(),
                    });
                }
            }
        }
        Ok(())
    }

    /// The index of a structure type; none for the code of another type.
    fn structure(&self, type_code: i32) -> Option<usize> {
        let index = usize::try_from(type_code.checked_sub(FIRST_STRUCTURE)?).ok()?;
        (index < self.types.len()).then_some(index)
    }

    /// Unknown codes may belong to a later version, so their size is not checked.
    fn check_type(
        &self,
        machine: &Machine,
        name: &str,
        type_code: i32,
        element_bytes: u32,
    ) -> Result<(), ManifestError> {
        let wanted = match self.structure(type_code) {
            Some(structure) => Some(self.types[structure].size_bytes),
            None if type_code < FIRST_STRUCTURE => {
                by_code(type_code).map(|found| machine.element_bytes(found) as u64)
            }
            None => return Err(ManifestError::Type { name: name.to_owned(), type_code }),
        };
        match wanted {
            Some(wanted) if wanted != u64::from(element_bytes) => {
                Err(ManifestError::Element { name: name.to_owned(), bytes: element_bytes })
            }
            _ => Ok(()),
        }
    }

    /// Whether this many bytes at this location are in the memory block.
    fn holds(&self, place: Location, bytes: u64) -> bool {
        let Some(block) = self.blocks.get(place.block as usize) else { return false };
        place.offset_bytes.checked_add(bytes).is_some_and(|end| end <= block.size_bytes)
    }

    /// A pointer may point to the end of its memory block, as in C.
    fn points_inside(&self, relocation: &Relocation) -> bool {
        relocation.target.is_none_or(|target| self.holds(target, 0))
    }

    fn check_plan(&self, machine: &Machine) -> Result<(), ManifestError> {
        // Each list, with whether it belongs to a call that has returned, and whether it has had an entry.
        let mut open = vec![(self.plan.iter(), false, false)];
        while let Some((entries, returned, is_begun)) = open.last_mut() {
            let Some(entry) = entries.next() else {
                open.pop();
                continue;
            };
            let (last, returned) = (entries.len() == 0, *returned);
            let is_first = !std::mem::replace(is_begun, true);
            match entry {
                PlanEntry::Init { .. } => {}
                PlanEntry::Cells { cells } => {
                    if returned || !is_first {
                        return Err(ManifestError::Plan);
                    }
                    check_cells(machine, cells)?;
                }
                PlanEntry::Register { registers, .. } => {
                    if registers.iter().any(|&index| index as usize >= self.registers.len()) {
                        return Err(ManifestError::Plan);
                    }
                }
                PlanEntry::Execute { captures, files, .. } => {
                    self.check_captures(captures, machine)?;
                    check_files(files)?;
                }
                PlanEntry::Call { callee, captures, entries, .. } => {
                    check_name(callee)?;
                    self.check_captures(captures, machine)?;
                    open.push((entries.iter(), true, false));
                }
                PlanEntry::Open { callee, captures, entries, .. } => {
                    if returned || !last {
                        return Err(ManifestError::Plan);
                    }
                    check_name(callee)?;
                    self.check_captures(captures, machine)?;
                    open.push((entries.iter(), false, false));
                }
                PlanEntry::Checkpoint { .. } => {
                    if returned || !last {
                        return Err(ManifestError::Plan);
                    }
                }
            }
            if open.len() > MAX_PLAN_DEPTH + 1 {
                return Err(ManifestError::Deep);
            }
        }
        Ok(())
    }

    fn check_captures(&self, captures: &[Capture], machine: &Machine) -> Result<(), ManifestError> {
        for capture in captures {
            check_name(&capture.name)?;
            self.check_type(machine, &capture.name, capture.type_code, capture.element_bytes)?;
            let bytes = capture.count.checked_mul(capture.element_bytes.into());
            if bytes != Some(capture.bytes.len() as u64) {
                return Err(ManifestError::Capture { name: capture.name.clone() });
            }
            for relocation in &capture.relocations {
                let end = relocation.at.offset_bytes.checked_add(machine.pointer_bytes.into());
                let inside = end.is_some_and(|end| end <= capture.bytes.len() as u64);
                if !inside || !self.points_inside(relocation) {
                    return Err(ManifestError::Relocation);
                }
            }
        }
        Ok(())
    }
}

/// Whether the memory of a register begins in one of these parts of memory blocks, or at its end.
fn begins_in(parts: &[(u32, u64, u64)], register: &Register) -> bool {
    let Some(Location { block, offset_bytes }) = register.target else { return false };
    let after = parts.partition_point(|part| (part.0, part.1) <= (block, offset_bytes));
    let part = after.checked_sub(1).and_then(|before| parts.get(before));
    part.is_some_and(|part| part.0 == block && offset_bytes <= part.2)
}

/// Checks that cells are sorted by number, that the numbers are in range, and that they have the size of
/// their type.
fn check_cells(machine: &Machine, cells: &[Cell]) -> Result<(), ManifestError> {
    let mut least = 0;
    for cell in cells {
        let bytes = cell.count.checked_mul(cell.element_bytes.into());
        let known = by_code(cell.type_code).filter(|_| cell.type_code != POINTER);
        let is_plain =
            known.is_some_and(|found| machine.element_bytes(found) as u64 == u64::from(cell.element_bytes));
        if !(least..MAX_CELLS).contains(&cell.number) || bytes != Some(cell.bytes.len() as u64) || !is_plain {
            return Err(ManifestError::Cells);
        }
        least = cell.number + 1;
    }
    Ok(())
}

/// Names are passed back to C, where a NUL byte would truncate them.
fn check_name(name: &str) -> Result<(), ManifestError> {
    if name.contains('\0') {
        Err(ManifestError::Name)
    } else {
        Ok(())
    }
}

fn check_files(files: &[OpenFile]) -> Result<(), ManifestError> {
    let possible = |bytes: u64| i64::try_from(bytes).is_ok();
    for file in files {
        check_name(&file.name)?;
        if !possible(file.length_bytes) || !possible(file.position_bytes) {
            return Err(ManifestError::File);
        }
    }
    if files.len() > MAX_FILES {
        return Err(ManifestError::File);
    }
    Ok(())
}
