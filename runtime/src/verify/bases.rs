//! The base files of a state file.
//!
//! Input: the list of base files in the index of a state file, and the range that it needs of each.
//! Output: files to read from.
//! Postcondition: a base file is exactly the file that was referred to, complete up to its last record, and
//! the needed range is in its content. It is always a line of the same directory and never a symbolic link.
//! Only a few base files are open at a time.

use super::error::{FilePart, Reason};
use super::records::{read_header, read_index, read_tail};
use crate::format::layout::{BaseRecord, Decoder, Header, Tail, HEADER_BYTES};
use crate::storage::directory::{line_name, ASIDE};
use crate::storage::{EntryKind, File, Storage};
use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A base file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub line: u64,
    pub path: PathBuf,
    header_crc: u32,
}

#[derive(Debug)]
pub(super) struct Bases {
    storage: Arc<dyn Storage>,
    pub list: Vec<Base>,
    /// The files that were read last, newest first.
    open: Mutex<VecDeque<(u32, Arc<dyn File>)>>,
}

/// A process may have few descriptors left.
const MOST_OPEN: usize = 16;

impl Bases {
    /// Finds the base files of the file at `path`, and checks that each has the range that is needed of it.
    pub fn find(
        storage: &dyn Storage,
        path: &Path,
        header: &Header,
        records: &[BaseRecord],
        needs: &[Option<Range<u64>>],
    ) -> Result<Bases, Reason> {
        let mut bases = Bases { storage: storage.share(), list: Vec::new(), open: Mutex::default() };
        for record in records {
            let path = path_of_base(storage, path, record.line);
            bases.list.push(Base { line: record.line, path, header_crc: record.header_crc });
        }
        for (base, need) in bases.list.iter().zip(needs) {
            if let Some(need) = need {
                check(storage, base, header, need).map_err(|reason| base.reason(reason))?;
            }
        }
        Ok(bases)
    }

    /// A base file by its position in the list, from 1.
    pub fn get(&self, number: u32) -> Option<&Base> {
        self.list.get((number as usize).checked_sub(1)?)
    }

    /// Opens a base file, or returns the open one.
    pub fn file(&self, number: u32) -> Result<Arc<dyn File>, Reason> {
        // A thread that panicked has not changed the list.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match open.iter().position(|(which, _)| *which == number) {
            Some(at) => open.remove(at).map(|(_, file)| file),
            None => None,
        };
        let file = match (file, self.get(number)) {
            (Some(file), _) => file,
            (None, Some(base)) => {
                let opened = open_base(&*self.storage, base).map_err(|reason| base.reason(reason))?;
                opened.0.into()
            }
            (None, None) => return Err(Reason::Unreadable(io::ErrorKind::NotFound.into())),
        };
        open.truncate(MOST_OPEN - 1);
        open.push_front((number, file.clone()));
        Ok(file)
    }
}

impl Base {
    fn reason(&self, reason: Reason) -> Reason {
        Reason::Base { path: self.path.clone(), reason: Box::new(reason) }
    }
}

/// The path of the file of an earlier line: in the same directory as the file that needs it. A set-aside file
/// may need a base file that was not set aside.
fn path_of_base(storage: &dyn Storage, path: &Path, line: u64) -> PathBuf {
    let name = line_name(line);
    let directory = path.parent().unwrap_or(Path::new(""));
    let beside = directory.join(&name);
    let is_aside = directory.file_name().is_some_and(|name| name == ASIDE);
    match directory.parent() {
        Some(above) if is_aside && is_missing(storage, &beside) => above.join(name),
        _ => beside,
    }
}

fn is_missing(storage: &dyn Storage, path: &Path) -> bool {
    storage.entry(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Opens the file if it is the one that was referred to.
fn open_base(storage: &dyn Storage, base: &Base) -> Result<(Box<dyn File>, Header), Reason> {
    let entry = storage.entry(&base.path).map_err(Reason::Unreadable)?;
    if entry.kind != EntryKind::File {
        return Err(Reason::NoRegularFile);
    }
    let file = storage.open_for_reading(&base.path).map_err(Reason::Unreadable)?;
    let size_bytes = file.size_bytes().map_err(Reason::Unreadable)?;
    let (header, header_crc) = read_header(&*file, size_bytes)?;
    if header_crc != base.header_crc || header.number != base.line {
        return Err(Reason::OtherFile);
    }
    Ok((file, header))
}

/// Checks a base file against the header of the file that needs it, and against the needed range.
fn check(storage: &dyn Storage, base: &Base, of: &Header, need: &Range<u64>) -> Result<(), Reason> {
    let (file, header) = open_base(storage, base)?;
    if (header.run, header.rank, header.processes) != (of.run, of.rank, of.processes) {
        return Err(Reason::OtherFile);
    }
    let size_bytes = file.size_bytes().map_err(Reason::Unreadable)?;
    let Tail { index_offset, .. } = read_tail(&*file, size_bytes, base.header_crc)?;
    let start = (HEADER_BYTES as u64).saturating_add(header.manifest_bytes);
    if need.start < start || need.end > index_offset || index_offset > size_bytes {
        return Err(Reason::Unfit { part: FilePart::Content, bytes: size_bytes });
    }
    Ok(())
}

/// The lines whose files contain pieces of a state file, oldest first; empty if it needs no other file. Reads
/// neither content nor base files: `describe` and `load` check whether those exist and are complete.
pub fn bases(storage: &dyn Storage, path: &Path) -> Result<Vec<u64>, Reason> {
    let file = storage.open_for_reading(path).map_err(Reason::Unreadable)?;
    let size_bytes = file.size_bytes().map_err(Reason::Unreadable)?;
    let (header, header_crc) = match read_header(&*file, size_bytes) {
        // It may be a file of another writer, which needs no other file.
        Err(Reason::NotAStateFile) => return Ok(Vec::new()),
        found => found?,
    };
    if header.version < WITH_BASES {
        return Ok(Vec::new());
    }
    let tail = read_tail(&*file, size_bytes, header_crc)?;
    let index = read_index(&*file, size_bytes, &header, header_crc, &tail)?;
    let mut from = Decoder::new(&index);
    let count = from.count(BaseRecord::BYTES).map_err(Reason::Incomprehensible)?;
    let mut lines = Vec::new();
    for _ in 0..count {
        lines.push(BaseRecord::decode(&mut from).map_err(Reason::Incomprehensible)?.line);
    }
    lines.sort_unstable();
    Ok(lines)
}

/// The first version with base files.
const WITH_BASES: u16 = 2;
