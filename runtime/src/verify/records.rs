//! Reads the records of a state file: header, manifest, index, last record.
//!
//! Input: an open file.
//! Output: the records, verified.
//! Postcondition: every length was checked against the size of the file before memory was allocated for it;
//! index and last record belong to the header.

use super::error::{FilePart, Reason};
use crate::codec::crc32::{crc32, crc32_seeded};
use crate::format::layout::{self, Header, HeaderError, Tail, HEADER_BYTES, TAIL_BYTES, TAIL_MAGIC};
use crate::format::manifest::decode;
use crate::manifest::Manifest;
use crate::storage::directory::parse_line;
use crate::storage::File;
use std::path::Path;

/// Everything except the content.
pub(super) struct Records {
    pub header: Header,
    pub manifest: Manifest,
    pub tail: Tail,
    pub index: Vec<u8>,
}

pub(super) fn read_records(file: &dyn File, size_bytes: u64, path: &Path) -> Result<Records, Reason> {
    let (header, header_crc) = read_header(file, size_bytes)?;
    let manifest = read_manifest(file, size_bytes, &header)?;
    check_names(path, &header, &manifest)?;
    let tail = read_tail(file, size_bytes, header_crc)?;
    let index = read_index(file, size_bytes, &header, header_crc, &tail)?;
    Ok(Records { header, manifest, tail, index })
}

/// Returns the header and its checksum.
pub(super) fn read_header(file: &dyn File, size_bytes: u64) -> Result<(Header, u32), Reason> {
    let mut record = [0; HEADER_BYTES];
    let there = size_bytes.min(HEADER_BYTES as u64) as usize;
    file.read_at(0, &mut record[..there]).map_err(Reason::Unreadable)?;
    if there < HEADER_BYTES {
        let begun = there.min(layout::MAGIC.len());
        let ours = record[..begun] == layout::MAGIC[..begun];
        return Err(if ours { Reason::Truncated { bytes: size_bytes } } else { Reason::NotAStateFile });
    }
    Header::decode(&record).map_err(|fault| match fault {
        HeaderError::NotOurs => Reason::NotAStateFile,
        HeaderError::Damaged => Reason::Damaged { part: FilePart::Header, offset: 0 },
        HeaderError::OtherVersion(found) => Reason::OtherVersion { found },
    })
}

fn read_manifest(file: &dyn File, size_bytes: u64, header: &Header) -> Result<Manifest, Reason> {
    let room = size_bytes.saturating_sub(HEADER_BYTES as u64);
    if header.manifest_bytes > room {
        return Err(Reason::Truncated { bytes: size_bytes });
    }
    let bytes = read_range(file, HEADER_BYTES as u64, header.manifest_bytes)?;
    if crc32(&bytes) != header.manifest_crc {
        return Err(Reason::Damaged { part: FilePart::Manifest, offset: HEADER_BYTES as u64 });
    }
    let manifest = decode(&bytes, header.version).map_err(Reason::Incomprehensible)?;
    manifest.check(&header.machine).map_err(Reason::Contradictory)?;
    Ok(manifest)
}

/// Checks that header, manifest and file name name the same recovery line.
fn check_names(path: &Path, header: &Header, manifest: &Manifest) -> Result<(), Reason> {
    let said = &manifest.provenance;
    let same = (header.run, header.number, header.rank, header.processes)
        == (said.run, said.number, said.rank, said.processes);
    if !same {
        return Err(Reason::LineMismatch);
    }
    match path.file_name().and_then(|name| name.to_str()).and_then(parse_line) {
        Some(wanted) if wanted != said.number => Err(Reason::OtherNumber { found: said.number, wanted }),
        _ => Ok(()),
    }
}

pub(super) fn read_tail(file: &dyn File, size_bytes: u64, header_crc: u32) -> Result<Tail, Reason> {
    let truncated = Reason::Truncated { bytes: size_bytes };
    let Some(offset) = size_bytes.checked_sub(TAIL_BYTES as u64) else { return Err(truncated) };
    let mut record = [0; TAIL_BYTES];
    file.read_at(offset, &mut record).map_err(Reason::Unreadable)?;
    match Tail::decode(&record, header_crc) {
        Some(tail) if tail.file_bytes == size_bytes => Ok(tail),
        Some(_) => Err(Reason::Unfit { part: FilePart::Tail, bytes: size_bytes }),
        None if record.starts_with(&TAIL_MAGIC) => Err(Reason::Damaged { part: FilePart::Tail, offset }),
        None => Err(truncated),
    }
}

pub(super) fn read_index(
    file: &dyn File,
    size_bytes: u64,
    header: &Header,
    header_crc: u32,
    tail: &Tail,
) -> Result<Vec<u8>, Reason> {
    let end = size_bytes - TAIL_BYTES as u64;
    let start = HEADER_BYTES as u64 + header.manifest_bytes;
    let Some(bytes) = end.checked_sub(tail.index_offset).filter(|_| tail.index_offset >= start) else {
        return Err(Reason::Unfit { part: FilePart::Index, bytes: size_bytes });
    };
    let index = read_range(file, tail.index_offset, bytes)?;
    if crc32_seeded(header_crc, &index) != tail.index_crc {
        return Err(Reason::Damaged { part: FilePart::Index, offset: tail.index_offset });
    }
    Ok(index)
}

/// The caller has checked `length` against the size of the file.
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
