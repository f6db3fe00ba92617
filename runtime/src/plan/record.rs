//! The plan in the form in which a state file contains it.
//!
//! Input: the open frames, the table, and the number of each live register in the file.
//! Output: plan entries, beginning with those of the root.
//! Postcondition: the last entry of each frame is the checkpoint or the call that contains it.

use super::capture::Captures;
use super::entry::{Entry, EntryKind};
use super::frames::Frame;
use crate::manifest::{Capture, Cell, PlanEntry};
use crate::register::{EntryId, Names};
use cppc_abi::types::by_code;
use std::collections::{HashMap, HashSet};

/// The input of the plan besides the frames.
pub struct Recording<'a> {
    pub names: &'a Names,
    /// For each run of a register block, its live registers.
    pub registers: HashMap<EntryId, Vec<u32>>,
    /// The addresses of live registers that are bound to a frame, those of cells included.
    pub bound: HashSet<usize>,
}

impl Recording<'_> {
    /// The plan that ends at the checkpoint `id` in the innermost of the frames. The root comes first.
    pub fn plan(&self, frames: &[Frame], id: i32) -> Vec<PlanEntry> {
        let mut below = vec![PlanEntry::Checkpoint { block: id }];
        for (depth, frame) in frames.iter().enumerate().rev() {
            let mut entries: Vec<PlanEntry> = self.cells(frame).into_iter().collect();
            entries.extend(frame.entries.iter().filter_map(|entry| self.entry(entry)));
            if depth + 1 == frames.len() {
                entries.append(&mut below);
            } else {
                let call = &frame.call;
                entries.push(PlanEntry::Open {
                    block: call.block,
                    callee: self.names.text(call.callee).to_owned(),
                    captures: self.captures(&call.captures),
                    entries: std::mem::take(&mut below),
                });
            }
            below = entries;
        }
        below
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

    fn entries(&self, entries: &[Entry]) -> Vec<PlanEntry> {
        entries.iter().filter_map(|entry| self.entry(entry)).collect()
    }

    fn entry(&self, entry: &Entry) -> Option<PlanEntry> {
        let block = entry.block;
        Some(match &entry.kind {
            EntryKind::Init => PlanEntry::Init { block },
            EntryKind::Register(id) => PlanEntry::Register { block, registers: self.registers.get(id)?.clone() },
            EntryKind::Execute { captures, files } => PlanEntry::Execute {
                block,
                captures: self.captures(captures),
                files: files.iter().map(|file| file.saved().clone()).collect(),
            },
            EntryKind::Call { callee, captures, entries } => PlanEntry::Call {
                block,
                callee: self.names.text(*callee).to_owned(),
                captures: self.captures(captures),
                entries: self.entries(entries),
            },
        })
    }

    /// The relocations are added later, by the code that has the memory blocks.
    fn captures(&self, captures: &Captures) -> Vec<Capture> {
        captures
            .as_slice()
            .iter()
            .map(|captured| Capture {
                name: self.names.text(captured.name).to_owned(),
                type_code: captured.type_code,
                element_bytes: captured.element_bytes,
                count: captured.count,
                bytes: captured.bytes.clone(),
                relocations: Vec::new(),
            })
            .collect()
    }
}
