//! Prepares a piece before its offset in the file is known.
//!
//! Input: the pieces of all memory blocks, and the history of earlier files.
//! Output: for each piece, whether it contains only zeros, whether an earlier file contains it, or how it is
//! stored.
//! Postcondition: the result depends neither on the thread nor on the pieces before.

use super::digest::Digest;
use super::history::{BasePiece, History, Key, Past};
use super::layout::{Codec, StoredBytes};
use crate::codec::crc32::crc32;
use crate::codec::{CompressedPiece, CompressionOptions, Compressor};
use crate::manifest::Manifest;
use crate::threads::Work;
use std::cell::Cell;

/// A piece of a memory block to be prepared.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryPiece<'a> {
    pub block: &'a [u8],
    /// Its offset in the memory block.
    pub start: usize,
    pub bytes: &'a [u8],
    /// Its number among the pieces of all memory blocks.
    pub number: usize,
    /// What is known about its bytes without an examination.
    digest: Digest,
    kind: BlockKind,
}

/// The elements of a memory block.
#[derive(Debug, Clone, Copy, Default)]
struct BlockKind {
    elements: u64,
    /// The size of all its elements in bytes; 0 if they differ.
    width: u64,
}

/// The pieces of all memory blocks, in order.
pub(super) fn pieces<'a>(
    manifest: &Manifest,
    blocks: &'a [&'a [u8]],
    piece_bytes: u32,
    past: Option<Past<'a>>,
) -> impl Iterator<Item = MemoryPiece<'a>> {
    let whole = piece_bytes as usize;
    let starts = kinds(manifest).into_iter().zip(blocks).flat_map(move |(kind, &block)| {
        (0..block.len()).step_by(whole).map(move |start| (kind, block, start))
    });
    let digest = move |number: usize| {
        past.and_then(|past| past.digests.get(number)).map_or(Digest::Unknown, Cell::get)
    };
    starts.enumerate().map(move |(number, (kind, block, start))| {
        let bytes = &block[start..block.len().min(start + whole)];
        MemoryPiece { block, start, bytes, number, digest: digest(number), kind }
    })
}

fn kinds(manifest: &Manifest) -> Vec<BlockKind> {
    let mut kinds = vec![BlockKind::default(); manifest.blocks.len()];
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

/// The number of elements of the registers in each memory block.
pub fn elements_of_blocks(manifest: &Manifest) -> Vec<u64> {
    kinds(manifest).iter().map(|kind| kind.elements).collect()
}

#[derive(Debug)]
pub(super) enum Prepared {
    Zero,
    /// An earlier file contains it.
    Known(Key, BasePiece),
    /// The piece is to be stored, compressed or plain.
    New(NewPiece),
}

impl Prepared {
    /// What is known about the bytes of the piece, wherever they are stored.
    pub fn digest(&self) -> Digest {
        match self {
            Prepared::Zero => Digest::Zero,
            Prepared::Known(key, _) => Digest::Hash(key.hash()),
            Prepared::New(new) => new.key.map_or(Digest::Unknown, |key| Digest::Hash(key.hash())),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct NewPiece {
    pub key: Option<Key>,
    pub codec: Codec,
    pub stored: StoredBytes,
}

/// Examines pieces, and compresses them if that pays.
pub(super) struct Preparation<'a> {
    pub compression: CompressionOptions,
    pub history: Option<&'a History>,
}

/// The result for one piece.
#[derive(Debug)]
pub(super) struct PieceOutcome {
    pub prepared: Prepared,
    /// The bytes of a new piece that is stored compressed.
    pub compressed: CompressedPiece,
}

impl Default for PieceOutcome {
    fn default() -> PieceOutcome {
        PieceOutcome { prepared: Prepared::Zero, compressed: CompressedPiece::default() }
    }
}

/// A reference to a smaller piece would save almost nothing and need a base file.
const BASE_FROM_BYTES: usize = 256;

/// A piece below this size takes less time than handing it to another thread.
const SMALL_BYTES: usize = 8 << 10;

impl<'a> Work for Preparation<'a> {
    type Item = MemoryPiece<'a>;
    type Tools = Compressor;
    type Result = PieceOutcome;

    fn tools(&self) -> Compressor {
        Compressor::new(self.compression.compress)
    }

    fn is_small(&self, piece: MemoryPiece) -> bool {
        piece.bytes.len() < SMALL_BYTES
    }

    fn work(&self, compressor: &mut Compressor, piece: MemoryPiece, outcome: &mut PieceOutcome) {
        outcome.prepared = self.prepare(compressor, &piece, &mut outcome.compressed);
    }
}

impl Preparation<'_> {
    fn prepare(
        &self,
        compressor: &mut Compressor,
        piece: &MemoryPiece,
        compressed: &mut CompressedPiece,
    ) -> Prepared {
        let digest = match piece.digest {
            Digest::Unknown => self.examine(piece.bytes),
            known => known,
        };
        debug_assert_eq!(digest, self.examine(piece.bytes), "a piece has changed and its digest has not");
        let key = match digest {
            Digest::Zero => return Prepared::Zero,
            Digest::Hash(hash) => Some(Key::new(hash, piece.bytes.len())),
            Digest::Unknown => None,
        };
        if let Some((key, found)) = key.and_then(|key| Some((key, self.history?.find(piece.number, &key)?))) {
            return Prepared::Known(key, found);
        }
        let enough = piece.kind.elements >= self.compression.from_elements;
        let method =
            if enough { compressor.compress(piece.bytes, piece.kind.width, compressed) } else { None };
        let (codec, bytes) = match method {
            Some(method) => (Codec::Compressed(method), compressed.bytes()),
            None => (Codec::Plain, piece.bytes),
        };
        Prepared::New(NewPiece {
            key,
            codec,
            stored: StoredBytes { bytes: bytes.len() as u32, crc: crc32(bytes) },
        })
    }

    fn examine(&self, piece: &[u8]) -> Digest {
        if is_zero(piece) {
            return Digest::Zero;
        }
        let history = self.history.filter(|_| piece.len() >= BASE_FROM_BYTES);
        history.map_or(Digest::Unknown, |history| Digest::Hash(history.hash(piece)))
    }
}

/// Zeros are searched in steps of this many bytes.
const STEP_BYTES: usize = 256;

fn is_zero(bytes: &[u8]) -> bool {
    // Most pieces that are not zero have a non-zero first byte. The step size suits vector instructions.
    bytes.first() == Some(&0)
        && bytes.chunks(STEP_BYTES).all(|step| step.iter().fold(0, |any, byte| any | byte) == 0)
}
