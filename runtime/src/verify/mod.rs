//! Reads state files and believes nothing.
//!
//! In: a path and what the program expects of a file of its own. Out: the state, in a type that
//! only verification can make. Holds afterwards: every byte has been held against its checksum,
//! every length against the size of the file, every index against its table.

mod description;
mod error;
mod pieces;
mod sealed;

pub use crate::format::layout::Machine;
pub use description::{describe, Description};
pub use error::{registers_in, Part, Reason, VerifyError};
pub use crate::memory::MallocBytes;

use crate::manifest::Manifest;
use crate::memory::is_possible;
use crate::storage::Storage;
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// What a program expects of its own state files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    pub application: String,
    pub fingerprint: String,
    pub processes: u32,
    pub rank: u32,
}

/// Something that has passed verification; only this module makes one.
#[derive(Debug)]
pub struct Verified<T>(T);

impl<T> Deref for Verified<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Verified<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A state file in memory.
#[derive(Debug)]
pub struct StateFile {
    description: Verified<Description>,
    /// None where a block's memory was handed over.
    blocks: Vec<Option<MallocBytes>>,
}

/// Reads and verifies a whole state file.
pub fn open(
    storage: &dyn Storage,
    path: &Path,
    expectation: &Expectation,
) -> Result<Verified<StateFile>, VerifyError> {
    let description = describe(storage, path)?;
    description.meets(expectation)?;
    load(description)
}

/// Reads and verifies the content of a file that has been described.
pub fn load(description: Verified<Description>) -> Result<Verified<StateFile>, VerifyError> {
    let total = description.manifest().blocks.iter().map(|block| u128::from(block.size_bytes)).sum();
    if !is_possible(total) {
        return Err(description.error(Reason::NoMemory { bytes: total.try_into().unwrap_or(u64::MAX) }));
    }
    let mut blocks = Vec::with_capacity(description.manifest().blocks.len());
    for block in &description.manifest().blocks {
        let memory = usize::try_from(block.size_bytes).ok().and_then(MallocBytes::zeroed);
        let no_memory = || description.error(Reason::NoMemory { bytes: block.size_bytes });
        blocks.push(memory.ok_or_else(no_memory)?);
    }
    let places = blocks.iter_mut().map(MallocBytes::as_mut_slice).enumerate().collect();
    pieces::load(&description, places)?;
    pieces::check_padding(&description)?;
    Ok(Verified(StateFile { description, blocks: blocks.into_iter().map(Some).collect() }))
}

/// Verifies the content of every block without keeping it. Returns what is damaged; an error is a
/// file that could not be read on.
pub fn check_content(description: &Verified<Description>) -> Vec<VerifyError> {
    let mut wrong = Vec::new();
    let mut scratch = Vec::new();
    for block in 0..description.manifest().blocks.len() {
        let bad = description
            .pieces_of(block)
            .iter()
            .find_map(|piece| pieces::read_piece(description, block, piece, &mut scratch).err());
        wrong.extend(bad);
    }
    wrong.extend(pieces::check_padding(description).err());
    wrong
}

/// Reads a part of a block, verifying the pieces it lies in. The range must lie in the block.
pub fn read_part(
    description: &Verified<Description>,
    block: usize,
    offset_bytes: u64,
    length: usize,
) -> Result<Vec<u8>, VerifyError> {
    let mut part = Vec::with_capacity(length);
    let mut scratch = Vec::new();
    let (mut begin, end) = (0u64, offset_bytes + length as u64);
    for piece in description.pieces_of(block) {
        let after = begin + piece.bytes as u64;
        if after > offset_bytes && begin < end {
            pieces::read_piece(description, block, piece, &mut scratch)?;
            let from = offset_bytes.saturating_sub(begin) as usize;
            let to = (end.min(after) - begin) as usize;
            part.extend_from_slice(&scratch[from..to]);
        }
        begin = after;
    }
    Ok(part)
}

impl StateFile {
    pub fn manifest(&self) -> &Manifest {
        self.description.manifest()
    }

    /// The machine that wrote it.
    pub fn machine(&self) -> &Machine {
        self.description.machine()
    }

    pub fn path(&self) -> &Path {
        self.description.path()
    }

    /// The content of a block; none once it was taken, or when there is no such block.
    pub fn block(&self, index: usize) -> Option<&[u8]> {
        self.blocks.get(index)?.as_ref().map(MallocBytes::as_slice)
    }

    /// Hands the memory of a block over; none when it was taken before.
    pub fn take_block(&mut self, index: usize) -> Option<MallocBytes> {
        self.blocks.get_mut(index)?.take()
    }

    /// Reads a block once more, and verifies it once more. `into` has the block's size.
    pub fn reread_block(&self, index: usize, into: &mut [u8]) -> Result<(), VerifyError> {
        let size = self.manifest().blocks.get(index).map(|block| block.size_bytes);
        if size != Some(into.len() as u64) {
            let bytes = self.description.size_bytes();
            return Err(self.description.error(Reason::Unfit { part: Part::Index, bytes }));
        }
        pieces::load(&self.description, vec![(index, into)])
    }

    /// The same into memory of its own.
    pub fn read_block(&self, index: usize) -> Result<MallocBytes, VerifyError> {
        let bytes = self.manifest().blocks.get(index).map_or(0, |block| block.size_bytes);
        let memory = usize::try_from(bytes).ok().and_then(MallocBytes::zeroed);
        let mut memory = memory.ok_or_else(|| self.description.error(Reason::NoMemory { bytes }))?;
        self.reread_block(index, memory.as_mut_slice())?;
        Ok(memory)
    }
}
