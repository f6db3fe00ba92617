//! State files of writers that are shared objects.
//!
//! Input: the first bytes of a file.
//! Output: the writer that has it open, and the seal that it returned, not verified yet.
//! Postcondition: a file that begins like a binary one is never given to a plugin; a file of an unknown
//! writer is distinguished from a damaged one.

use super::error::Reason;
use super::piece_map::PieceMap;
use super::records::Records;
use crate::codec::Algorithm;
use crate::format::layout::MAGIC;
use crate::plugin::{self, Input};
use crate::storage::{File, Storage};
use cppc_abi::writer::SIGNATURE_MOST_BYTES;
use std::io;
use std::path::Path;

/// Opens the file with its writer. `None` if it is, or was, a file of the binary writer.
pub(super) fn open(
    storage: &dyn Storage,
    path: &Path,
    file: &dyn File,
    size_bytes: u64,
) -> Result<Option<(Input, Vec<u8>)>, Reason> {
    let mut first = [0; SIGNATURE_MOST_BYTES];
    let there = size_bytes.min(first.len() as u64) as usize;
    file.read_at(0, &mut first[..there]).map_err(Reason::Unreadable)?;
    let first = &first[..there];
    if is_binary(first) {
        return Ok(None);
    }
    let Some(plugin) = plugin::find_by_signature(first).map_err(Reason::NoPlugin)? else {
        if plugin::is_damaged(first) {
            return Err(Reason::NotAStateFile);
        }
        let said: Vec<String> = first.iter().take(MAGIC.len()).map(|byte| format!("{byte:02x}")).collect();
        return Err(Reason::UnknownWriter { first: said.join(" ") });
    };
    let Some(path) = storage.real_path(path) else {
        return Err(Reason::NoRealPath { writer: plugin.name().to_owned() });
    };
    let mut input = plugin.open(&path, size_bytes).map_err(Reason::Plugin)?;
    let seal = input.take_seal();
    Ok(Some((input, seal)))
}

/// Whether the file is one of the binary writer, possibly damaged or truncated: at least half of the first
/// bytes are right, or all of them are zero.
fn is_binary(first: &[u8]) -> bool {
    let same = first.iter().zip(MAGIC).filter(|(found, wanted)| **found == *wanted).count();
    same * 2 >= first.len().min(MAGIC.len()) || first.iter().all(|&byte| byte == 0)
}

/// Reports an error of the seal as an error of the file.
pub(super) fn in_seal(reason: Reason) -> Reason {
    match reason {
        Reason::NotAStateFile | Reason::Truncated { .. } | Reason::Unfit { .. } | Reason::Damaged { .. } => {
            Reason::BadSeal
        }
        other => other,
    }
}

/// The pieces of each memory block at their offsets in the block. `None` if the index does not fit the
/// blocks, or if they are larger than the file can contain.
pub(super) fn content(records: &Records, file_bytes: u64) -> Option<PieceMap> {
    let blocks = &records.manifest.blocks;
    let total = blocks.iter().try_fold(0u64, |total, block| total.checked_add(block.size_bytes))?;
    // However the writer compresses, it does not exceed the ratio of deflate.
    (total / Algorithm::Deflate.max_ratio() <= file_bytes).then_some(())?;
    PieceMap::read_sealed(blocks, &records.index, records.header.version, &records.bounds())
}

/// A seal is read like a file.
impl File for Vec<u8> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let end = start.and_then(|start| start.checked_add(buffer.len()));
        match start.zip(end).and_then(|(start, end)| self.get(start..end)) {
            Some(found) => buffer.copy_from_slice(found),
            None => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        Ok(())
    }

    fn write_at(&self, _offset: u64, _bytes: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn truncate(&self, _size_bytes: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn size_bytes(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}
