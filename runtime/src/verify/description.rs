//! Reads the description of a state file: everything except the content.
//!
//! Input: a path.
//! Output: its header, manifest and index, verified, and the open file.
//! Postcondition: every length was checked against the size of the file before memory was allocated for it.
//! Every piece of every memory block is in the file or in one of its base files. The file has no gap except
//! for padding.

use super::bases::{Base, Bases};
use super::error::{registers_in, FilePart, Reason, VerifyError};
use super::piece_map::{ContentLimits, FilePiece, PieceMap};
use super::records::{read_records, Records};
use super::{sealed, CachedPiece, Expectation, Verified};
use crate::format::layout::{Codec, Machine, HEADER_BYTES};
use crate::manifest::Manifest;
use crate::plugin::Input;
use crate::storage::{File, Storage};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A state file whose content has not been read yet.
#[derive(Debug)]
pub struct Description {
    pub(super) source: ContentSource,
    path: PathBuf,
    size_bytes: u64,
    machine: Machine,
    manifest: Manifest,
    pub(super) piece_map: PieceMap,
    pub(super) bases: Bases,
    pub(super) cached_piece: Mutex<CachedPiece>,
}

/// Where the content of the memory blocks comes from.
#[derive(Debug)]
pub enum ContentSource {
    /// The file itself.
    File(Arc<dyn File>),
    /// The writer that wrote it, used by one thread at a time.
    Plugin(Mutex<Input>),
}

/// Where the content of a part of a memory block is stored, in bytes of memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoredShare {
    /// Stored in the file itself.
    pub in_file: u64,
    /// Stored in files of earlier lines.
    pub in_bases: u64,
    /// Not stored: it contains only zeros.
    pub zero: u64,
}

impl Description {
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// The machine that wrote the file.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The name of the writer that wrote the file.
    pub fn writer(&self) -> &str {
        match &self.source {
            ContentSource::File(_) => "binary",
            ContentSource::Plugin(input) => {
                input.lock().unwrap_or_else(PoisonError::into_inner).plugin().name()
            }
        }
    }

    /// The size in bytes of a memory block in the file itself; `None` if only the writer knows it. Bytes that
    /// several blocks share count for each of them.
    pub fn stored_bytes(&self, block: usize) -> Option<u64> {
        let here = || self.piece_map.all(block).filter(|piece| piece.base == 0);
        matches!(self.source, ContentSource::File(_))
            .then(|| here().map(|piece| u64::from(piece.stored.bytes)).sum())
    }

    /// The base files of this file, as the index lists them. Those that are used were found and checked.
    pub fn bases(&self) -> &[Base] {
        &self.bases.list
    }

    /// Where the content of a part of a memory block is stored. The part must be inside the block. For a
    /// register it begins at the offset of its target and has the size of the register.
    pub fn share(&self, block: usize, part: Range<u64>) -> StoredShare {
        let mut share = StoredShare::default();
        for piece in self.piece_map.pieces(block, part.clone()) {
            let bytes = piece.end().min(part.end) - piece.start.max(part.start);
            match (piece.codec, piece.base) {
                (Codec::Zero, _) => share.zero += bytes,
                (_, 0) => share.in_file += bytes,
                _ => share.in_bases += bytes,
            }
        }
        share
    }

    pub(super) fn error(&self, reason: Reason) -> VerifyError {
        VerifyError { path: self.path.clone(), reason }
    }

    pub(super) fn damaged(&self, block: usize, piece: &FilePiece) -> VerifyError {
        let registers = registers_in(&self.manifest, block);
        let offset = piece.offset;
        let damage = match self.source {
            ContentSource::File(_) => Reason::DamagedBlock { block, offset, registers },
            ContentSource::Plugin(_) => Reason::DamagedPart { block, offset, registers },
        };
        self.error(self.in_file(piece.base, damage))
    }

    /// Attributes an error to the file itself, or to the base file of this number.
    pub(super) fn in_file(&self, base: u32, reason: Reason) -> Reason {
        match self.bases.get(base) {
            Some(base) => Reason::Base { path: base.path.clone(), reason: Box::new(reason) },
            None => reason,
        }
    }

    /// The file that contains the pieces with this base number; `None` if a plugin provides them.
    pub(super) fn file(&self, base: u32) -> Result<Option<Arc<dyn File>>, VerifyError> {
        match (base, &self.source) {
            (0, ContentSource::File(file)) => Ok(Some(file.clone())),
            (0, ContentSource::Plugin(_)) => Ok(None),
            _ => self.bases.file(base).map(Some).map_err(|reason| self.error(reason)),
        }
    }

    /// Checks that the file is what a process expects of its own state files.
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

/// Reads and verifies everything except the content of the memory blocks.
pub fn describe(storage: &dyn Storage, path: &Path) -> Result<Verified<Description>, VerifyError> {
    read(storage, path).map(Verified).map_err(|reason| VerifyError { path: path.to_owned(), reason })
}

/// Reads and verifies the manifest. Neither content nor base files are read.
pub fn manifest_of(storage: &dyn Storage, path: &Path) -> Result<Manifest, VerifyError> {
    let read = || -> Result<Manifest, Reason> {
        let file = storage.open_for_reading(path).map_err(Reason::Unreadable)?;
        let size_bytes = file.size_bytes().map_err(Reason::Unreadable)?;
        let records = match sealed::open(storage, path, &*file, size_bytes)? {
            Some((_, seal)) => {
                let seal_bytes = seal.len() as u64;
                read_records(&seal, seal_bytes, path).map_err(sealed::in_seal)?
            }
            None => read_records(&*file, size_bytes, path)?,
        };
        Ok(records.manifest)
    };
    read().map_err(|reason| VerifyError { path: path.to_owned(), reason })
}

fn read(storage: &dyn Storage, path: &Path) -> Result<Description, Reason> {
    let file: Arc<dyn File> = storage.open_for_reading(path).map_err(Reason::Unreadable)?.into();
    let size_bytes = file.size_bytes().map_err(Reason::Unreadable)?;
    if let Some((input, seal)) = sealed::open(storage, path, &*file, size_bytes)? {
        let seal_bytes = seal.len() as u64;
        let records = read_records(&seal, seal_bytes, path).map_err(sealed::in_seal)?;
        let content = sealed::content(&records, size_bytes).ok_or(Reason::BadSeal)?;
        return records.describe(
            storage,
            path,
            size_bytes,
            ContentSource::Plugin(Mutex::new(input)),
            content,
        );
    }
    let records = read_records(&*file, size_bytes, path)?;
    let (blocks, bounds) = (&records.manifest.blocks, records.bounds());
    let content = match records.header.version {
        1 => PieceMap::read_first(blocks, &records.index, &bounds),
        _ => PieceMap::read(blocks, &records.index, &bounds),
    };
    let content = content.ok_or(Reason::Unfit { part: FilePart::Index, bytes: size_bytes })?;
    records.describe(storage, path, size_bytes, ContentSource::File(file), content)
}

impl Records {
    pub(super) fn bounds(&self) -> ContentLimits {
        ContentLimits {
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
        source: ContentSource,
        content: PieceMap,
    ) -> Result<Description, Reason> {
        let bases = Bases::find(storage, path, &self.header, &content.bases, &content.needs)?;
        let machine = self.header.machine;
        Ok(Description {
            source,
            path: path.to_owned(),
            size_bytes,
            machine,
            manifest: self.manifest,
            piece_map: content,
            bases,
            cached_piece: Mutex::default(),
        })
    }
}
