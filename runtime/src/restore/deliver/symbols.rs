//! Pointers to functions, to constants, and to the texts of the start, in registers that are not in the graph.
//!
//! Input: the lines of the state file about their targets.
//! Output: the addresses of the targets in this process.
//! Postcondition: at the end of the restart, each line has an address, or the restart is refused. An execute block may load
//! the library with a target.

use super::{Delivery, DeliveryError};
use crate::graph::objects::Objects;
use crate::graph::symbols::{saved_symbols, SavedSymbol};
use crate::graph::OTHER_SYMBOLS;
use crate::manifest::{Location, Manifest, Register as Saved};
use std::collections::HashMap;

/// The targets, by the start of their lines in the memory block.
#[derive(Debug, Default)]
pub struct ProgramSymbols {
    /// The memory block with the lines.
    block: Option<u32>,
    addresses: HashMap<u64, usize>,
    /// Those that this process does not have yet.
    left: Vec<(u64, String)>,
    /// The activity when they were searched last.
    searched: Option<u64>,
}

impl ProgramSymbols {
    pub fn is_in(&self, target: Location) -> bool {
        self.block == Some(target.block)
    }

    pub fn address(&self, target: Location) -> Option<usize> {
        self.addresses.get(&target.offset_bytes).copied().filter(|_| self.is_in(target))
    }
}

impl Delivery {
    /// Reads the lines.
    pub(super) fn open_symbols(&mut self) {
        let registers = &self.manifest().registers;
        let Some(index) = registers.iter().position(|saved| saved.name == OTHER_SYMBOLS) else { return };
        let (target, count) = (registers[index].target, registers[index].count as usize);
        let Some(target) = target else { return };
        let start = target.offset_bytes as usize;
        let block = self.file.block(target.block as usize);
        let bytes = block.and_then(|block| block.get(start..start.checked_add(count)?));
        let text = String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
        let mut at = target.offset_bytes;
        let lines = text.split_inclusive('\n').map(|line| {
            let start = at;
            at += line.len() as u64;
            (start, line.trim_end_matches('\n').to_owned())
        });
        let left = lines.collect();
        self.symbols = ProgramSymbols { block: Some(target.block), left, ..ProgramSymbols::default() };
        self.recovered[index] = Some((0, self.activity));
    }

    /// Searches for the targets that this process did not have at the last search.
    pub(super) fn find_symbols(&mut self) {
        if self.symbols.left.is_empty() || self.symbols.searched == Some(self.activity) {
            return;
        }
        self.symbols.searched = Some(self.activity);
        let objects = Objects::now();
        for (start, line) in std::mem::take(&mut self.symbols.left) {
            match self.address_of_line(&line, &objects) {
                Ok(address) => drop(self.symbols.addresses.insert(start, address)),
                Err(_) => self.symbols.left.push((start, line)),
            }
        }
    }

    /// The restart is refused if a pointer pointed to something that this process does not have.
    pub(super) fn check_symbols(&self) -> Result<(), DeliveryError> {
        let Some((start, line)) = self.symbols.left.first() else { return Ok(()) };
        let target = Location { block: self.symbols.block.unwrap_or_default(), offset_bytes: *start };
        let name = name_of_pointer(self.manifest(), target).unwrap_or(OTHER_SYMBOLS).to_owned();
        let what = self.address_of_line(line, &Objects::now()).err().unwrap_or_default();
        Err(DeliveryError::LostSymbol { name, what })
    }

    /// The address that a line about the program means. An error is what was there.
    pub(super) fn address_of_line(&self, line: &str, objects: &Objects) -> Result<usize, String> {
        // On a machine of another architecture, the parts of a variable have other distances.
        let is_part = line.starts_with("symbol\t") && !line.ends_with("\t0");
        if self.conversion.is_some() && is_part {
            return Err("a part of a variable".to_owned());
        }
        match saved_symbols(line, objects, self.is_same_build)?[..] {
            [SavedSymbol::Address(address)] => Ok(address),
            _ => Err("memory without a description".to_owned()),
        }
    }
}

/// The register that is a pointer to the target, or contains one.
fn name_of_pointer(manifest: &Manifest, target: Location) -> Option<&str> {
    let mut registers = manifest.registers.iter();
    if let Some(pointer) = registers.find(|saved| saved.target == Some(target) && saved.name != OTHER_SYMBOLS)
    {
        return Some(&pointer.name);
    }
    let at = manifest.relocations.iter().find(|relocation| relocation.target == Some(target))?.at;
    let contains = |saved: &&Saved| {
        let size_bytes = saved.count * u64::from(saved.element_bytes);
        saved.target.is_some_and(|place| {
            place.block == at.block
                && (place.offset_bytes..place.offset_bytes + size_bytes).contains(&at.offset_bytes)
        })
    };
    manifest.registers.iter().find(contains).map(|saved| saved.name.as_str())
}
