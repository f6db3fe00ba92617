//! Reads what a state file says about itself.
//!
//! In: a path. Out: its header, manifest and index, verified, and the open file. Holds afterwards:
//! every length has been held against the size of the file before memory was taken for it; every
//! piece of every block lies in the file, behind the one before and without a gap but for padding.

use super::error::{registers_in, Part, Reason, VerifyError};
use super::{sealed, Expectation, Verified};
use crate::codec::crc32::{crc32, crc32_seeded};
use crate::format::layout::{
    self, Coding, Decoder, Entry, Header, HeaderFault, Machine, Tail, HEADER_BYTES, TAIL_BYTES,
    TAIL_MAGIC,
};
use crate::format::manifest::decode;
use crate::manifest::Manifest;
use crate::plugin::Input;
use crate::storage::directory::parse_line;
use crate::storage::{File, Storage};
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
    /// For each block, the index of its first piece; and one more for the end.
    pub(super) first_pieces: Vec<usize>,
    pub(super) pieces: Vec<Piece>,
    /// Ranges that must be zero.
    pub(super) padding: Vec<(u64, usize)>,
}

/// Where the content of the blocks comes from.
#[derive(Debug)]
pub enum Source {
    /// The file itself.
    File(Arc<dyn File>),
    /// The writer that wrote it; one thread at a time.
    Plugin(Mutex<Input>),
}

/// A part of a block, as it is stored.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// In the file, or in the block when the content comes from a plugin.
    pub offset: u64,
    pub entry: Entry,
    /// Its size in memory.
    pub bytes: usize,
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

    /// What a block takes in the file; none when only its writer knows.
    pub fn stored_bytes(&self, block: usize) -> Option<u64> {
        let stored = || self.pieces_of(block).iter().map(|piece| u64::from(piece.entry.stored_bytes)).sum();
        matches!(self.source, Source::File(_)).then(stored)
    }

    pub(super) fn pieces_of(&self, block: usize) -> &[Piece] {
        &self.pieces[self.first_pieces[block]..self.first_pieces[block + 1]]
    }

    pub(super) fn error(&self, reason: Reason) -> VerifyError {
        VerifyError { path: self.path.clone(), reason }
    }

    pub(super) fn damaged(&self, block: usize, offset: u64) -> VerifyError {
        let registers = registers_in(&self.manifest, block);
        self.error(match self.source {
            Source::File(_) => Reason::DamagedBlock { block, offset, registers },
            Source::Plugin(_) => Reason::DamagedPart { block, offset, registers },
        })
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
        let mut records = read_records(&seal, seal_bytes, path).map_err(sealed::in_seal)?;
        let source = Source::Plugin(Mutex::new(input));
        let mut description = records.begin(source, path, size_bytes);
        return match sealed::lay_out(&mut description, &records.index) {
            Some(()) => Ok(description),
            None => Err(Reason::BadSeal),
        };
    }
    let mut records = read_records(&*file, size_bytes, path)?;
    let mut description = records.begin(Source::File(file), path, size_bytes);
    lay_out(&mut description, HEADER_BYTES as u64 + records.header.manifest_bytes, &records.index, &records.tail)
        .ok_or(Reason::Unfit { part: Part::Index, bytes: size_bytes })?;
    Ok(description)
}

/// All but the content.
struct Records {
    header: Header,
    manifest: Manifest,
    tail: Tail,
    index: Vec<u8>,
}

impl Records {
    /// A description whose pieces have no place yet.
    fn begin(&mut self, source: Source, path: &Path, size_bytes: u64) -> Description {
        Description {
            source,
            path: path.to_owned(),
            size_bytes,
            machine: self.header.machine,
            manifest: std::mem::take(&mut self.manifest),
            first_pieces: Vec::new(),
            pieces: Vec::new(),
            padding: Vec::new(),
        }
    }
}

fn read_records(file: &dyn File, size_bytes: u64, path: &Path) -> Result<Records, Reason> {
    let (header, header_crc) = read_header(file, size_bytes)?;
    let manifest = read_manifest(file, size_bytes, &header)?;
    check_names(path, &header, &manifest)?;
    let tail = read_tail(file, size_bytes, header_crc)?;
    let index = read_index(file, size_bytes, &header, header_crc, &tail)?;
    Ok(Records { header, manifest, tail, index })
}

fn read_header(file: &dyn File, size_bytes: u64) -> Result<(Header, u32), Reason> {
    let mut record = [0; HEADER_BYTES];
    let there = size_bytes.min(HEADER_BYTES as u64) as usize;
    file.read_at(0, &mut record[..there]).map_err(Reason::Unreadable)?;
    if there < HEADER_BYTES {
        let begun = there.min(layout::MAGIC.len());
        let ours = record[..begun] == layout::MAGIC[..begun];
        return Err(if ours { Reason::Truncated { bytes: size_bytes } } else { Reason::NotAStateFile });
    }
    Header::decode(&record).map_err(|fault| match fault {
        HeaderFault::NotOurs => Reason::NotAStateFile,
        HeaderFault::Damaged => Reason::Damaged { part: Part::Header, offset: 0 },
        HeaderFault::OtherVersion(found) => Reason::OtherVersion { found },
    })
}

fn read_manifest(file: &dyn File, size_bytes: u64, header: &Header) -> Result<Manifest, Reason> {
    let room = size_bytes.saturating_sub(HEADER_BYTES as u64);
    if header.manifest_bytes > room {
        return Err(Reason::Truncated { bytes: size_bytes });
    }
    let bytes = read_range(file, HEADER_BYTES as u64, header.manifest_bytes)?;
    if crc32(&bytes) != header.manifest_crc {
        return Err(Reason::Damaged { part: Part::Manifest, offset: HEADER_BYTES as u64 });
    }
    let manifest = decode(&bytes, header.version).map_err(Reason::Incomprehensible)?;
    manifest.check(&header.machine).map_err(Reason::Contradictory)?;
    Ok(manifest)
}

/// Header, manifest and file name speak of one recovery line.
fn check_names(path: &Path, header: &Header, manifest: &Manifest) -> Result<(), Reason> {
    let said = &manifest.provenance;
    let same = (header.run, header.number, header.rank, header.processes)
        == (said.run, said.number, said.rank, said.processes);
    if !same {
        return Err(Reason::TwoNames);
    }
    match path.file_name().and_then(|name| name.to_str()).and_then(parse_line) {
        Some(wanted) if wanted != said.number => {
            Err(Reason::OtherNumber { found: said.number, wanted })
        }
        _ => Ok(()),
    }
}

fn read_tail(file: &dyn File, size_bytes: u64, header_crc: u32) -> Result<Tail, Reason> {
    let truncated = Reason::Truncated { bytes: size_bytes };
    let Some(offset) = size_bytes.checked_sub(TAIL_BYTES as u64) else { return Err(truncated) };
    let mut record = [0; TAIL_BYTES];
    file.read_at(offset, &mut record).map_err(Reason::Unreadable)?;
    match Tail::decode(&record, header_crc) {
        Some(tail) if tail.file_bytes == size_bytes => Ok(tail),
        Some(_) => Err(Reason::Unfit { part: Part::Tail, bytes: size_bytes }),
        None if record.starts_with(&TAIL_MAGIC) => Err(Reason::Damaged { part: Part::Tail, offset }),
        None => Err(truncated),
    }
}

fn read_index(
    file: &dyn File,
    size_bytes: u64,
    header: &Header,
    header_crc: u32,
    tail: &Tail,
) -> Result<Vec<u8>, Reason> {
    let bytes = tail.pieces.checked_mul(layout::ENTRY_BYTES as u64);
    let end = bytes
        .and_then(|bytes| tail.index_offset.checked_add(bytes))
        .and_then(|end| end.checked_add(TAIL_BYTES as u64));
    let begins_after_manifest = tail.index_offset >= HEADER_BYTES as u64 + header.manifest_bytes;
    let Some(bytes) = bytes.filter(|_| end == Some(size_bytes) && begins_after_manifest) else {
        return Err(Reason::Unfit { part: Part::Index, bytes: size_bytes });
    };
    let index = read_range(file, tail.index_offset, bytes)?;
    if crc32_seeded(header_crc, &index) != tail.index_crc {
        return Err(Reason::Damaged { part: Part::Index, offset: tail.index_offset });
    }
    Ok(index)
}

/// The caller has held `length` against the size of the file.
fn read_range(file: &dyn File, offset: u64, length: u64) -> Result<Vec<u8>, Reason> {
    let no_memory = Reason::NoMemory { bytes: length };
    let Ok(length) = usize::try_from(length) else { return Err(no_memory) };
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(length).is_err() {
        return Err(no_memory);
    }
    bytes.resize(length, 0);
    file.read_at(offset, &mut bytes).map_err(Reason::Unreadable)?;
    Ok(bytes)
}

/// Finds the place of each piece; none when index and blocks do not fill the file exactly.
fn lay_out(description: &mut Description, start: u64, index: &[u8], tail: &Tail) -> Option<()> {
    let mut entries = Decoder::new(index);
    let mut offset = start;
    for block in &description.manifest.blocks {
        description.first_pieces.push(description.pieces.len());
        let begin = layout::block_start(offset, block.size_bytes)?;
        if begin > offset {
            description.padding.push((offset, (begin - offset) as usize));
        }
        offset = begin;
        for number in 0..layout::pieces_of(block.size_bytes) {
            let bytes = layout::piece_bytes(block.size_bytes, number);
            let entry = Entry::decode(&mut entries).ok()?;
            if !fits(&entry, bytes) {
                return None;
            }
            description.pieces.push(Piece { offset, entry, bytes });
            offset = offset.checked_add(entry.stored_bytes.into())?;
        }
        if offset > tail.index_offset {
            return None;
        }
    }
    description.first_pieces.push(description.pieces.len());
    (offset == tail.index_offset && entries.left() == 0).then_some(())
}

/// Whether a piece of this size can be stored in this way.
fn fits(entry: &Entry, bytes: usize) -> bool {
    let stored = u64::from(entry.stored_bytes);
    match entry.coding {
        Coding::Plain => stored == bytes as u64,
        Coding::Packed(method) => stored < bytes as u64 && bytes as u64 <= stored * method.max_ratio(),
    }
}
