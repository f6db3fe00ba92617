//! What can be said of a piece by itself, before it is known where in the file it will stand.
//!
//! In: the pieces of all blocks, what earlier files hold. Out: for each piece whether it has only zeros,
//! stands in an earlier file, or how it is stored. Holds afterwards: whatever thread did it and whatever
//! came before, the same came of it.

use super::history::{Found, History, Key, Past};
use super::layout::{Coding, Stored};
use super::mark::Mark;
use crate::codec::crc32::crc32;
use crate::codec::{Packed, Packer, Packing};
use crate::manifest::Manifest;
use crate::threads::Work;
use std::cell::Cell;

/// A piece of a block, to be looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    pub block: &'a [u8],
    /// Where it begins in the block.
    pub start: usize,
    pub bytes: &'a [u8],
    /// Among the pieces of all blocks.
    pub number: usize,
    /// What is known of it without a look.
    mark: Mark,
    kind: Kind,
}

/// What a block is made of.
#[derive(Debug, Clone, Copy, Default)]
struct Kind {
    elements: u64,
    /// The size of all its elements in bytes; 0 when they differ.
    width: u64,
}

/// The pieces of all blocks, in order.
pub(super) fn pieces<'a>(
    manifest: &Manifest,
    blocks: &'a [&'a [u8]],
    piece_bytes: u32,
    past: Option<Past<'a>>,
) -> impl Iterator<Item = Piece<'a>> {
    let whole = piece_bytes as usize;
    let starts = kinds(manifest).into_iter().zip(blocks).flat_map(move |(kind, &block)| {
        (0..block.len()).step_by(whole).map(move |start| (kind, block, start))
    });
    let mark = move |number: usize| past.and_then(|past| past.marks.get(number)).map_or(Mark::Unknown, Cell::get);
    starts.enumerate().map(move |(number, (kind, block, start))| {
        let bytes = &block[start..block.len().min(start + whole)];
        Piece { block, start, bytes, number, mark: mark(number), kind }
    })
}

fn kinds(manifest: &Manifest) -> Vec<Kind> {
    let mut kinds = vec![Kind::default(); manifest.blocks.len()];
    for register in &manifest.registers {
        let kind = register.target.and_then(|target| kinds.get_mut(target.block as usize));
        if let Some(kind) = kind {
            let width = u64::from(register.element_bytes);
            kind.width = if kind.elements == 0 || kind.width == width { width } else { 0 };
            kind.elements = kind.elements.saturating_add(register.count);
        }
    }
    kinds
}

/// How many elements the registers in each block have.
pub fn elements_of_blocks(manifest: &Manifest) -> Vec<u64> {
    kinds(manifest).iter().map(|kind| kind.elements).collect()
}

#[derive(Debug)]
pub(super) enum Prepared {
    Zero,
    /// Stored in an earlier file.
    Known(Key, Found),
    /// To be stored, packed or as it is.
    New(New),
}

impl Prepared {
    /// What there is to know of the piece's bytes, wherever they are stored.
    pub fn mark(&self) -> Mark {
        match self {
            Prepared::Zero => Mark::Zero,
            Prepared::Known(key, _) => Mark::Hash(key.hash()),
            Prepared::New(new) => new.key.map_or(Mark::Unknown, |key| Mark::Hash(key.hash())),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct New {
    pub key: Option<Key>,
    pub coding: Coding,
    pub stored: Stored,
}

/// Looks at pieces, and packs them where that pays.
pub(super) struct Preparation<'a> {
    pub packing: Packing,
    pub history: Option<&'a History>,
}

/// What came of one piece.
#[derive(Debug)]
pub(super) struct Outcome {
    pub prepared: Prepared,
    /// The bytes of a new piece that is stored packed.
    pub packed: Packed,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome { prepared: Prepared::Zero, packed: Packed::default() }
    }
}

/// To say where a smaller piece is would save next to nothing, and need another file for it.
const LEAN_FROM_BYTES: usize = 256;

/// A piece of less than this takes less time than another thread would take to hear of it.
const SMALL_BYTES: usize = 8 << 10;

impl<'a> Work for Preparation<'a> {
    type Item = Piece<'a>;
    type Tools = Packer;
    type Result = Outcome;

    fn tools(&self) -> Packer {
        Packer::new(self.packing.compress)
    }

    fn is_small(&self, piece: Piece) -> bool {
        piece.bytes.len() < SMALL_BYTES
    }

    fn work(&self, packer: &mut Packer, piece: Piece, outcome: &mut Outcome) {
        outcome.prepared = self.prepare(packer, &piece, &mut outcome.packed);
    }
}

impl Preparation<'_> {
    fn prepare(&self, packer: &mut Packer, piece: &Piece, packed: &mut Packed) -> Prepared {
        let mark = match piece.mark {
            Mark::Unknown => self.look(piece.bytes),
            known => known,
        };
        debug_assert_eq!(mark, self.look(piece.bytes), "a piece has changed and its mark has not");
        let key = match mark {
            Mark::Zero => return Prepared::Zero,
            Mark::Hash(hash) => Some(Key::new(hash, piece.bytes.len())),
            Mark::Unknown => None,
        };
        if let Some((key, found)) = key.and_then(|key| Some((key, self.history?.find(piece.number, &key)?))) {
            return Prepared::Known(key, found);
        }
        let enough = piece.kind.elements >= self.packing.from_elements;
        let method = if enough { packer.pack(piece.bytes, piece.kind.width, packed) } else { None };
        let (coding, bytes) = match method {
            Some(method) => (Coding::Packed(method), packed.bytes()),
            None => (Coding::Plain, piece.bytes),
        };
        Prepared::New(New { key, coding, stored: Stored { bytes: bytes.len() as u32, crc: crc32(bytes) } })
    }

    fn look(&self, piece: &[u8]) -> Mark {
        if is_zero(piece) {
            return Mark::Zero;
        }
        let history = self.history.filter(|_| piece.len() >= LEAN_FROM_BYTES);
        history.map_or(Mark::Unknown, |history| Mark::Hash(history.hash(piece)))
    }
}

/// Zeros are looked for in steps of this many bytes.
const STEP_BYTES: usize = 256;

fn is_zero(bytes: &[u8]) -> bool {
    // Most pieces that are not zero say so at once; the steps are for the processor's vectors.
    bytes.first() == Some(&0)
        && bytes.chunks(STEP_BYTES).all(|step| step.iter().fold(0, |any, byte| any | byte) == 0)
}
