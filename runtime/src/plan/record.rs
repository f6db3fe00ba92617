//! The plan in the form in which a state file contains it.
//!
//! Input: the open frames, the table, and the number of each live register in the file,
//! and how captured pointers are stored.
//! Output: plan entries, beginning with those of the root.
//! Postcondition: the last entry of each frame is the checkpoint or the call that contains it.

use super::capture::{Captured, Captures, IN_PROGRAM};
use super::entry::{Entries, Entry, EntryKind};
use super::frames::Frame;
use crate::manifest::{Capture, Cell, PlanEntry, Relocation};
use crate::register::{EntryId, Names, Symbol};
use cppc_abi::types::{by_code, CHAR};
use std::collections::{HashMap, HashSet};

/// The input of the plan besides the frames.
pub struct Recording<'a> {
    pub names: &'a Names,
    /// For each run of a register block, its live registers.
    pub registers: HashMap<EntryId, Vec<u32>>,
    /// The addresses of live registers that are bound to a frame, those of cells included.
    pub bound: HashSet<usize>,
}

/// A call or a block that captured something, as it is at the checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captor {
    Execute,
    /// It has returned, and a restart repeats it.
    Returned(Symbol),
    /// It leads to the checkpoint.
    Open,
}

/// The pointers of a capture.
#[derive(Debug, Default)]
pub struct Targets {
    /// In the memory blocks.
    pub relocations: Vec<Relocation>,
    /// In the executable and the libraries: the text of the capture after it. Empty if there are none.
    pub in_program: String,
    /// Whether a pointer into a memory block is not in `in_program` too.
    pub needs_blocks: bool,
    /// Whether a pointer points elsewhere.
    pub has_lost: bool,
}

/// Makes the pointers of a capture portable: for whoever knows the memory blocks.
pub type Relocate<'a, E> = dyn Fn(&Captured, Captor) -> Result<Targets, E> + 'a;

impl Recording<'_> {
    /// The plan that leads to the checkpoint `id` in the innermost of the frames, root first.
    pub fn plan<E>(&self, frames: &[Frame], id: i32, relocate: &Relocate<E>) -> Result<Vec<PlanEntry>, E> {
        let mut below = vec![PlanEntry::Checkpoint { block: id }];
        for (depth, frame) in frames.iter().enumerate().rev() {
            let mut entries: Vec<PlanEntry> = self.cells(frame).into_iter().collect();
            entries.extend(self.entries(&frame.entries, relocate)?);
            if depth + 1 == frames.len() {
                entries.append(&mut below);
            } else {
                let call = &frame.call;
                entries.push(PlanEntry::Open {
                    block: call.block,
                    callee: self.names.text(call.callee).to_owned(),
                    captures: self.captures(&call.captures, Captor::Open, relocate)?,
                    entries: std::mem::take(&mut below),
                });
            }
            below = entries;
        }
        Ok(below)
    }

    /// The filled cells of the frame, except those that are registered.
    fn cells(&self, frame: &Frame) -> Option<PlanEntry> {
        let free = frame.cells.filled().filter(|(_, cell)| !self.bound.contains(&cell.address()));
        let cells: Vec<Cell> = free
            .map(|(number, cell)| Cell {
                number: number as u32,
                type_code: cell.type_code(),
                element_bytes: by_code(cell.type_code()).map_or(0, |found| found.size_bytes as u32),
                count: cell.count() as u64,
                bytes: cell.bytes().to_vec(),
            })
            .collect();
        (!cells.is_empty()).then_some(PlanEntry::Cells { cells })
    }

    fn entries<E>(&self, entries: &Entries, relocate: &Relocate<E>) -> Result<Vec<PlanEntry>, E> {
        entries.iter().filter_map(|entry| self.entry(entry, relocate).transpose()).collect()
    }

    fn entry<E>(&self, entry: &Entry, relocate: &Relocate<E>) -> Result<Option<PlanEntry>, E> {
        let block = entry.block;
        Ok(Some(match &entry.kind {
            EntryKind::Init => PlanEntry::Init { block },
            EntryKind::Register(id) => match self.registers.get(id) {
                Some(registers) => PlanEntry::Register { block, registers: registers.clone() },
                None => return Ok(None),
            },
            EntryKind::Execute { captures, files } => PlanEntry::Execute {
                block,
                captures: self.captures(captures, Captor::Execute, relocate)?,
                files: files.iter().map(|file| file.saved().clone()).collect(),
            },
            EntryKind::Call { callee, captures, entries } => PlanEntry::Call {
                block,
                callee: self.names.text(*callee).to_owned(),
                captures: self.captures(captures, Captor::Returned(*callee), relocate)?,
                entries: self.entries(entries, relocate)?,
            },
        }))
    }

    fn captures<E>(
        &self,
        captures: &Captures,
        captor: Captor,
        relocate: &Relocate<E>,
    ) -> Result<Vec<Capture>, E> {
        let mut all = Vec::new();
        for captured in captures.as_slice() {
            let name = self.names.text(captured.name).to_owned();
            let Targets { relocations, in_program, .. } = relocate(captured, captor)?;
            let described = (!in_program.is_empty()).then(|| Capture {
                name: format!("{name}{IN_PROGRAM}"),
                type_code: CHAR,
                element_bytes: 1,
                count: in_program.len() as u64,
                bytes: in_program.into_bytes(),
                relocations: Vec::new(),
            });
            all.push(Capture {
                name,
                type_code: captured.type_code,
                element_bytes: captured.element_bytes,
                count: captured.count,
                bytes: captured.bytes.clone(),
                relocations,
            });
            all.extend(described);
        }
        Ok(all)
    }
}
