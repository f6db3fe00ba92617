//! Reads what a state file says about itself.
//!
//! In: a path. Out: its header, manifest and index, verified, and the open file. Holds afterwards:
//! every length has been held against the size of the file before memory was taken for it; every
//! piece of every block lies in the file or in one of its bases, and the file has a gap for padding only.

use super::bases::{Base, Bases};
use super::content::{Bounds, Content, Piece};
use super::error::{registers_in, Part, Reason, VerifyError};
use super::records::{read_records, Records};
use super::{sealed, Expectation, Held, Verified};
use crate::format::layout::{Coding, Machine, HEADER_BYTES};
use crate::manifest::Manifest;
use crate::plugin::Input;
use crate::storage::{File, Storage};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A state file whose content has not been read yet.
#[derive(Debug)]
pub struct Description {
    pub(super) source: Source,
    path: PathBuf,
    size_bytes: u64,
    machine: Machine,
    manifest: Manifest,
    pub(super) content: Content,
    pub(super) bases: Bases,
    pub(super) held: Mutex<Held>,
}

/// Where the content of the blocks comes from.
#[derive(Debug)]
pub enum Source {
    /// The file itself.
    File(Arc<dyn File>),
    /// The writer that wrote it; one thread at a time.
    Plugin(Mutex<Input>),
}

/// Where the content of a part of a block is, in bytes of memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// In the file itself.
    pub here: u64,
    /// In files of earlier lines.
    pub in_bases: u64,
    /// Nowhere: it is zeros.
    pub zero: u64,
}

impl Description {
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// The machine that wrote it.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The writer that wrote it.
    pub fn writer(&self) -> &str {
        match &self.source {
            Source::File(_) => "binary",
            Source::Plugin(input) => input.lock().unwrap_or_else(PoisonError::into_inner).plugin().name(),
        }
    }

    /// What a block takes in the file itself; none when only its writer knows. What stands there for
    /// several blocks counts for each.
    pub fn stored_bytes(&self, block: usize) -> Option<u64> {
        let here = || self.content.all(block).filter(|piece| piece.base == 0);
        matches!(self.source, Source::File(_)).then(|| here().map(|piece| u64::from(piece.stored.bytes)).sum())
    }

    /// The files of earlier lines that this one needs, as the index lists them; they were found, and are
    /// what was pointed into, if anything of them is used.
    pub fn bases(&self) -> &[Base] {
        &self.bases.list
    }

    /// Where the content of a part of a block is; the part must lie in the block. For a register that is
    /// its target's offset and its size in bytes.
    pub fn share(&self, block: usize, part: Range<u64>) -> Share {
        let mut share = Share::default();
        for piece in self.content.pieces(block, part.clone()) {
            let bytes = piece.end().min(part.end) - piece.start.max(part.start);
            match (piece.coding, piece.base) {
                (Coding::Zero, _) => share.zero += bytes,
                (_, 0) => share.here += bytes,
                _ => share.in_bases += bytes,
            }
        }
        share
    }

    pub(super) fn error(&self, reason: Reason) -> VerifyError {
        VerifyError { path: self.path.clone(), reason }
    }

    pub(super) fn damaged(&self, block: usize, piece: &Piece) -> VerifyError {
        let registers = registers_in(&self.manifest, block);
        let offset = piece.offset;
        let damage = match self.source {
            Source::File(_) => Reason::DamagedBlock { block, offset, registers },
            Source::Plugin(_) => Reason::DamagedPart { block, offset, registers },
        };
        self.error(self.in_file(piece.base, damage))
    }

    /// What is wrong with the file itself or with the base of this number.
    pub(super) fn in_file(&self, base: u32, reason: Reason) -> Reason {
        match self.bases.get(base) {
            Some(base) => Reason::Base { path: base.path.clone(), reason: Box::new(reason) },
            None => reason,
        }
    }

    /// The file that pieces with this number of a base are in; none when a plugin has them.
    pub(super) fn file(&self, base: u32) -> Result<Option<Arc<dyn File>>, VerifyError> {
        match (base, &self.source) {
            (0, Source::File(file)) => Ok(Some(file.clone())),
            (0, Source::Plugin(_)) => Ok(None),
            _ => self.bases.file(base).map(Some).map_err(|reason| self.error(reason)),
        }
    }

    /// Whether the file is what a process expects of its own.
    pub fn meets(&self, expectation: &Expectation) -> Result<(), VerifyError> {
        let found = &self.manifest.provenance;
        let reason = if found.application != expectation.application {
            Reason::OtherApplication {
                found: found.application.clone(),
                wanted: expectation.application.clone(),
            }
        } else if found.processes != expectation.processes {
            Reason::OtherProcesses { found: found.processes, wanted: expectation.processes }
        } else if found.fingerprint != expectation.fingerprint {
            Reason::OtherFingerprint {
                found: found.fingerprint.clone(),
                wanted: expectation.fingerprint.clone(),
            }
        } else if found.rank != expectation.rank {
            Reason::OtherRank { found: found.rank, wanted: expectation.rank }
        } else {
            return Ok(());
        };
        Err(self.error(reason))
    }
}

/// Reads and verifies all but the content of the blocks.
pub fn describe(storage: &dyn Storage, path: &Path) -> Result<Verified<Description>, VerifyError> {
    read(storage, path).map(Verified).map_err(|reason| VerifyError { path: path.to_owned(), reason })
}

fn read(storage: &dyn Storage, path: &Path) -> Result<Description, Reason> {
    let file: Arc<dyn File> = storage.open_for_reading(path).map_err(Reason::Unreadable)?.into();
    let size_bytes = file.size_bytes().map_err(Reason::Unreadable)?;
    if let Some((input, seal)) = sealed::open(storage, path, &*file, size_bytes)? {
        let seal_bytes = seal.len() as u64;
        let records = read_records(&seal, seal_bytes, path).map_err(sealed::in_seal)?;
        let content = sealed::content(&records, size_bytes).ok_or(Reason::BadSeal)?;
        return records.describe(storage, path, size_bytes, Source::Plugin(Mutex::new(input)), content);
    }
    let records = read_records(&*file, size_bytes, path)?;
    let (blocks, bounds) = (&records.manifest.blocks, records.bounds());
    let content = match records.header.version {
        1 => Content::read_first(blocks, &records.index, &bounds),
        _ => Content::read(blocks, &records.index, &bounds),
    };
    let content = content.ok_or(Reason::Unfit { part: Part::Index, bytes: size_bytes })?;
    records.describe(storage, path, size_bytes, Source::File(file), content)
}

impl Records {
    pub(super) fn bounds(&self) -> Bounds {
        Bounds {
            line: self.header.number,
            start: HEADER_BYTES as u64 + self.header.manifest_bytes,
            end: self.tail.index_offset,
            pieces: self.tail.pieces,
            piece_bytes: self.header.piece_bytes,
        }
    }

    fn describe(
        self,
        storage: &dyn Storage,
        path: &Path,
        size_bytes: u64,
        source: Source,
        content: Content,
    ) -> Result<Description, Reason> {
        let bases = Bases::find(storage, path, &self.header, &content.bases, &content.needs)?;
        let machine = self.header.machine;
        Ok(Description { source, path: path.to_owned(), size_bytes, machine, manifest: self.manifest, content, bases, held: Mutex::default() })
    }
}
