//! Pointers to functions, to constants, and to the texts of the start, in registers that are not in the graph.
//!
//! Input: the lines of the state file about their targets.
//! Output: the addresses of the targets in this process.
//! Postcondition: each line has an address, or the restart is refused.

use super::{Delivery, DeliveryError};
use crate::graph::objects::Objects;
use crate::graph::symbols::{saved_symbols, SavedSymbol};
use crate::graph::OTHER_SYMBOLS;
use crate::manifest::Location;
use std::collections::HashMap;

/// The addresses of the targets.
#[derive(Debug, Default)]
pub struct ProgramSymbols {
    /// The memory block with the lines.
    block: Option<u32>,
    addresses: HashMap<u64, usize>,
    /// What this program does not have.
    lost: Option<String>,
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
    /// Finds the targets in this process.
    pub(super) fn open_symbols(&mut self) {
        let registers = &self.manifest().registers;
        let Some(index) = registers.iter().position(|saved| saved.name == OTHER_SYMBOLS) else { return };
        let (target, count) = (registers[index].target, registers[index].count as usize);
        let Some(target) = target else { return };
        let start = target.offset_bytes as usize;
        let bytes = self
            .file
            .block(target.block as usize)
            .and_then(|block| block.get(start..start.checked_add(count)?));
        let text = String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
        let mut symbols = ProgramSymbols { block: Some(target.block), ..ProgramSymbols::default() };
        let objects = Objects::now();
        let mut at = target.offset_bytes;
        for line in text.split_inclusive('\n') {
            match self.address_of_line(line.trim_end_matches('\n'), &objects) {
                Ok(address) => drop(symbols.addresses.insert(at, address)),
                Err(what) => symbols.lost = symbols.lost.or(Some(what)),
            }
            at += line.len() as u64;
        }
        self.symbols = symbols;
        self.recovered[index] = Some((0, self.activity));
    }

    /// The restart is refused if a pointer pointed to something that this program does not have.
    pub(super) fn check_symbols(&self, name: &str) -> Result<(), DeliveryError> {
        match &self.symbols.lost {
            None => Ok(()),
            Some(what) => Err(DeliveryError::LostSymbol { name: name.to_owned(), what: what.clone() }),
        }
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
