//! Addresses in saved memory where no pointer is declared.
//!
//! Input: a snapshot, and the layouts.
//! Output: for each register the first address that a restart would have to change, and does not.
//! Postcondition: on the stack, only addresses of saved memory count, and a text counts only up to its end. Variables there
//! that the program has not set contain old addresses, most of them of other memory.
//! Real numbers, and integers that are smaller than a pointer, are never addresses.

use super::Snapshot;
use crate::graph::hidden::{merged, Candidate, Pointed, Search, Targets, COMMON_NUMBERS};
use crate::graph::plain::PlainWords;
use crate::loaded_objects::loaded_objects;
use crate::manifest::{Location, Register};
use crate::register::memory::Range;
use crate::register::Layouts;
use cppc_abi::types::{self, Class};
use std::collections::HashSet;

const WORD: usize = size_of::<usize>();

/// Smaller values are no addresses on any system.
const LOWEST_ADDRESS: usize = 1 << 16;

/// An address in a register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenAddress {
    pub register: String,
    /// Its offset in the register.
    pub offset_bytes: usize,
    /// The register with the memory at the address. None if it is another variable or a function.
    pub target: Option<String>,
}

/// The first address in each register, except those with these names.
pub fn hidden_addresses(
    snapshot: &Snapshot,
    layouts: &Layouts,
    stack: &std::ops::Range<usize>,
    except: &HashSet<String>,
) -> Vec<HiddenAddress> {
    let saved = SavedMemory::new(snapshot);
    let mut found = Vec::new();
    for register in outside_of_graph(snapshot) {
        let Some(place) = register.target else { continue };
        let range = extent(register, place, &snapshot.memory);
        let is_on_stack = stack.contains(&range.address);
        let is_text = types::by_code(register.type_code).is_some_and(|found| found.class == Class::Character);
        let words = match is_on_stack && is_text {
            true => PlainWords::of_text(range.size_bytes),
            false => {
                PlainWords::of_address_size(layouts, register.type_code, register.element_bytes as usize)
            }
        };
        let texts = PlainWords::unaligned_texts(layouts, register.type_code);
        if (words.runs.is_empty() && texts.is_empty()) || except.contains(&register.name) {
            continue;
        }
        let is_bytes = types::by_code(register.type_code)
            .is_some_and(|found| matches!(found.class, Class::Character | Class::Byte));
        // Addresses are aligned, and bytes may begin anywhere.
        let skipped = range.address.wrapping_neg() % WORD;
        let aligned =
            Range { address: range.address + skipped, size_bytes: range.size_bytes.saturating_sub(skipped) };
        let first_byte = place.offset_bytes + skipped as u64;
        let targets =
            Moved { saved: &saved, snapshot, block: place.block, first_byte, is_bytes, is_on_stack };
        let search = Search::new(targets);
        // SAFETY: the memory of live registers is readable.
        let bytes = unsafe { aligned.bytes() };
        // Structures are aligned.
        let text = || search.first_text(bytes, &texts, register.element_bytes as usize);
        let Some(at) = search.first(bytes, &words).map(|found| found.0).or_else(text) else { continue };
        let value = bytes[at..at + WORD].try_into().map_or(0, usize::from_ne_bytes);
        found.push(HiddenAddress {
            register: register.name.clone(),
            offset_bytes: skipped + at,
            target: saved.find(value).map(|(_, target)| target.name.clone()),
        });
    }
    found
}

/// What a restart may move: saved memory, and the executable.
struct Moved<'a> {
    saved: &'a SavedMemory<'a>,
    snapshot: &'a Snapshot,
    /// The memory that is searched begins at this byte of this memory block.
    block: u32,
    first_byte: u64,
    /// Whether it has no type.
    is_bytes: bool,
    is_on_stack: bool,
}

impl Moved<'_> {
    /// Whether a pointer is declared at this offset, by another register of the same memory.
    fn is_pointer(&self, at: usize) -> bool {
        let offset = self.first_byte + at as u64;
        !self.snapshot.manifest.relocations_in(self.block, offset..offset + 1).is_empty()
    }
}

impl Targets for Moved<'_> {
    fn bounds(&self) -> std::ops::Range<usize> {
        match self.is_on_stack {
            true => self.saved.bounds(),
            false => merged([self.saved.bounds(), self.saved.executable.clone()]),
        }
    }

    fn pointed(&self, Candidate { at, value, may_be_inside, is_text_start }: Candidate) -> Option<Pointed> {
        let is_common = (value as u64) < COMMON_NUMBERS;
        let is_in_executable = self.saved.executable.contains(&value);
        // An executable with small addresses is at the same addresses in a restart.
        if value < LOWEST_ADDRESS || (is_common && is_in_executable) || self.is_pointer(at) {
            return None;
        }
        // Only the first word of a text may be a copied pointer.
        let may_be_inside = (may_be_inside && (self.is_bytes || !is_common)) || (is_text_start && !is_common);
        match self.saved.find(value) {
            Some((range, _)) if range.address == value || may_be_inside => Some(Pointed::Allocation),
            Some(_) => None,
            None => (is_in_executable && may_be_inside && !self.is_on_stack).then_some(Pointed::Object),
        }
    }
}

/// The range of the executable.
fn executable() -> std::ops::Range<usize> {
    let objects = loaded_objects();
    let parts = || objects.iter().take(1).flat_map(|object| object.with(libc::PT_LOAD));
    let start = parts().map(|part| part.range.start).min().unwrap_or(0);
    start..parts().map(|part| part.range.end).max().unwrap_or(0)
}

/// The registers whose memory is the program's own. The walk through the graph has searched the others.
fn outside_of_graph(snapshot: &Snapshot) -> impl Iterator<Item = &Register> {
    let is_copy = |index| {
        let is_in_graph = snapshot.graph.as_ref().is_some_and(|graph| graph.has_copy_of(index));
        is_in_graph || snapshot.symbols.has_register(index)
    };
    let registers = snapshot.manifest.registers.iter().enumerate();
    registers.filter(move |(index, _)| !is_copy(*index)).map(|(_, register)| register)
}

fn extent(register: &Register, place: Location, memory: &[Range]) -> Range {
    let block = memory[place.block as usize];
    let offset = place.offset_bytes as usize;
    let size_bytes = register.element_bytes as usize * register.count as usize;
    Range {
        address: block.address + offset,
        size_bytes: size_bytes.min(block.size_bytes.saturating_sub(offset)),
    }
}

/// The memory of the program that is saved.
struct SavedMemory<'a> {
    /// Sorted by address.
    registers: Vec<(Range, &'a Register)>,
    /// The largest register so far, since registers may be within one another.
    ends: Vec<usize>,
    executable: std::ops::Range<usize>,
}

impl SavedMemory<'_> {
    fn new(snapshot: &Snapshot) -> SavedMemory<'_> {
        let mut registers: Vec<(Range, &Register)> = outside_of_graph(snapshot)
            .filter_map(|register| Some((extent(register, register.target?, &snapshot.memory), register)))
            .filter(|(range, _)| range.size_bytes > 0)
            .collect();
        registers.sort_by_key(|(range, _)| range.address);
        let ends = registers.iter().scan(0, |end: &mut usize, (range, _)| {
            *end = range.end().max(*end);
            Some(*end)
        });
        SavedMemory { ends: ends.collect(), registers, executable: executable() }
    }

    fn bounds(&self) -> std::ops::Range<usize> {
        let first = self.registers.first().map_or(0, |(range, _)| range.address);
        first..self.ends.last().copied().unwrap_or(first)
    }

    fn find(&self, address: usize) -> Option<&(Range, &Register)> {
        let after = self.registers.partition_point(|(range, _)| range.address <= address);
        let candidates = self.registers[..after].iter().zip(&self.ends[..after]).rev();
        candidates
            .take_while(|(_, end)| address < **end)
            .map(|(found, _)| found)
            .find(|(range, _)| address < range.end())
    }
}
