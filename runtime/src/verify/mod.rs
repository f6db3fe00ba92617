//! Reads state files and verifies everything that it reads.
//!
//! Input: a path, and what the program expects of its own files.
//! Output: the state, in a type that only verification can make.
//! Postcondition: every byte was checked against its checksum, every length against the size of the file,
//! every index against its table.

mod error;
mod records;
mod piece_map;
mod bases;
mod sealed;
mod description;
mod pieces;

pub use crate::format::layout::Machine;
pub use crate::memory::MallocBytes;
pub use bases::{bases, Base};
pub use description::{describe, manifest_of, Description, StoredShare};
pub use error::{registers_in, FilePart, Reason, VerifyError};

use crate::format::layout::Codec;
use crate::manifest::Manifest;
use crate::memory::{is_possible, Unwritten, UnwrittenPart};
use crate::storage::Storage;
use piece_map::FilePiece;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::PoisonError;

/// What a program expects of its own state files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    pub application: String,
    pub fingerprint: String,
    pub processes: u32,
    pub rank: u32,
}

/// A value that has passed verification. Only this module makes one.
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
    /// `None` for a memory block that was taken.
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
    check_size(&description)?;
    let mut blocks = Vec::with_capacity(description.manifest().blocks.len());
    for block in &description.manifest().blocks {
        let memory = usize::try_from(block.size_bytes).ok().and_then(Unwritten::new);
        let no_memory = || description.error(Reason::NoMemory { bytes: block.size_bytes });
        blocks.push(memory.ok_or_else(no_memory)?);
    }
    let places = blocks.iter_mut().map(Unwritten::whole).enumerate().collect();
    pieces::load(&description, places)?;
    pieces::check_padding(&description)?;
    let filled = |block: Unwritten| block.filled().map(Some).ok_or_else(|| unfit(&description));
    let blocks = blocks.into_iter().map(filled).collect::<Result<_, _>>()?;
    Ok(Verified(StateFile { description, blocks }))
}

/// The pieces do not fit the memory blocks.
fn unfit(description: &Description) -> VerifyError {
    description.error(Reason::Unfit { part: FilePart::Index, bytes: description.size_bytes() })
}

/// Refuses a file that is larger than the memory of any machine like this one.
fn check_size(description: &Description) -> Result<(), VerifyError> {
    let total = description.manifest().blocks.iter().map(|block| u128::from(block.size_bytes)).sum();
    if is_possible(total) {
        return Ok(());
    }
    Err(description.error(Reason::NoMemory { bytes: total.try_into().unwrap_or(u64::MAX) }))
}

/// Verifies the content of every memory block, also in base files, without keeping it. Returns the damage, at
/// most one error for each block.
pub fn check_content(description: &Verified<Description>) -> Vec<VerifyError> {
    check_content_reporting(description, &mut |_| {})
}

/// As [`check_content`]. `told` receives the number of bytes that were read for each piece.
pub fn check_content_reporting(
    description: &Verified<Description>,
    told: &mut dyn FnMut(u64),
) -> Vec<VerifyError> {
    if let Err(error) = check_size(description) {
        return vec![error];
    }
    let mut wrong = Vec::new();
    let mut scratch = Vec::new();
    for block in 0..description.manifest().blocks.len() {
        let stored = description.piece_map.all(block).filter(|piece| piece.codec != Codec::Zero);
        let bad = stored
            .map(|piece| {
                told(piece.stored.bytes.into());
                pieces::read_piece(description, block, &piece, &mut scratch)
            })
            .find_map(Result::err);
        wrong.extend(bad);
    }
    wrong.extend(pieces::check_padding(description).err());
    wrong
}

/// Reads a part of a memory block and verifies the pieces that contain it. The part must be inside the block.
/// The last piece is cached, so that many parts of one piece do not require reading it many times.
pub fn read_part(
    description: &Verified<Description>,
    block: usize,
    offset_bytes: u64,
    length: usize,
) -> Result<Vec<u8>, VerifyError> {
    let mut part = Vec::with_capacity(length);
    let end = offset_bytes + length as u64;
    // A thread that panicked has left it empty or complete.
    let mut held = description.cached_piece.lock().unwrap_or_else(PoisonError::into_inner);
    for piece in description.piece_map.pieces(block, offset_bytes..end) {
        let (from, to) = (piece.start.max(offset_bytes), piece.end().min(end));
        if piece.codec == Codec::Zero {
            part.resize(part.len() + (to - from) as usize, 0);
            continue;
        }
        let bytes = held.piece(description, block, &piece)?;
        part.extend_from_slice(&bytes[(from - piece.start) as usize..(to - piece.start) as usize]);
    }
    Ok(part)
}

/// A piece that was read and verified.
#[derive(Debug, Default)]
struct CachedPiece {
    /// Its memory block, and its offset there.
    place: Option<(usize, u64)>,
    bytes: Vec<u8>,
}

impl CachedPiece {
    fn piece(
        &mut self,
        description: &Description,
        block: usize,
        piece: &FilePiece,
    ) -> Result<&[u8], VerifyError> {
        let wanted = Some((block, piece.start));
        if self.place != wanted {
            self.place = None;
            pieces::read_piece(description, block, piece, &mut self.bytes)?;
            self.place = wanted;
        }
        Ok(&self.bytes)
    }
}

impl StateFile {
    pub fn manifest(&self) -> &Manifest {
        self.description.manifest()
    }

    /// The machine that wrote the file.
    pub fn machine(&self) -> &Machine {
        self.description.machine()
    }

    pub fn path(&self) -> &Path {
        self.description.path()
    }

    /// The content of a memory block; `None` if it was taken, or if there is no such block.
    pub fn block(&self, index: usize) -> Option<&[u8]> {
        self.blocks.get(index)?.as_ref().map(MallocBytes::as_slice)
    }

    /// Takes the content of a memory block; `None` if it was taken before.
    pub fn take_block(&mut self, index: usize) -> Option<MallocBytes> {
        self.blocks.get_mut(index)?.take()
    }

    /// The base lines without which this file cannot be read, oldest first.
    pub fn bases(&self) -> Vec<u64> {
        let mut lines: Vec<u64> = self.description.bases().iter().map(|base| base.line).collect();
        lines.sort_unstable();
        lines
    }

    /// Reads and verifies a memory block again. `into` has the size of the block.
    pub fn reread_block(&self, index: usize, into: &mut [u8]) -> Result<(), VerifyError> {
        self.read_into(index, into.into())
    }

    /// The same into new memory.
    pub fn read_block(&self, index: usize) -> Result<MallocBytes, VerifyError> {
        let bytes = self.manifest().blocks.get(index).map_or(0, |block| block.size_bytes);
        let no_memory = || self.description.error(Reason::NoMemory { bytes });
        let mut memory = usize::try_from(bytes).ok().and_then(Unwritten::new).ok_or_else(no_memory)?;
        self.read_into(index, memory.whole())?;
        memory.filled().ok_or_else(|| unfit(&self.description))
    }

    fn read_into(&self, index: usize, into: UnwrittenPart) -> Result<(), VerifyError> {
        let size = self.manifest().blocks.get(index).map(|block| block.size_bytes);
        if size != Some(into.len() as u64) {
            return Err(unfit(&self.description));
        }
        pieces::load(&self.description, vec![(index, into)])
    }
}
