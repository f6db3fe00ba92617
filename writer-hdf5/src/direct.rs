//! Reads a file as it was written, without the library.
//!
//! Input: a file with its table of rows; ranges of memory blocks.
//! Output: the seal; the bytes of the ranges.
//! Postcondition: nothing was read outside of the file; memory was allocated only for the seal and one small
//! chunk.

use crate::fault::Fault;
use crate::row_table::{room, ContentRow, RowTable};
use crate::transfer;
use flate2::{Decompress, FlushDecompress, Status};
use std::fs::File;
use std::sync::{Mutex, PoisonError};

/// A chunk up to this size is cached, since it is read in parts.
const KEPT_BYTES: u64 = 4 << 20;
const STEP_BYTES: usize = 64 << 10;

#[derive(Debug)]
pub struct Direct {
    file: File,
    entries: Vec<ContentRow>,
    /// The cached chunk: the one that was read last.
    kept: Mutex<Option<(ContentRow, Vec<u8>)>>,
}

impl Direct {
    /// Opens the file. Returns it and its seal.
    pub fn open(file: File, places: RowTable) -> Result<(Direct, Vec<u8>), Fault> {
        let mut seal = room(places.seal_bytes)?;
        transfer::read(&file, places.seal_at, &mut seal)?;
        Ok((Direct { file, entries: places.entries, kept: Mutex::default() }, seal))
    }

    /// Fills `into` with the bytes of a memory block from `offset` on.
    pub fn read(&self, block: u64, offset: u64, into: &mut [u8]) -> Result<(), Fault> {
        let first = self.entries.partition_point(|entry| {
            (entry.block, entry.offset.saturating_add(entry.size)) <= (block, offset)
        });
        let (mut at, mut rest) = (offset, into);
        for entry in &self.entries[first..] {
            if rest.is_empty() || entry.block != block || entry.offset > at {
                break;
            }
            let inside = at - entry.offset;
            let length = (entry.size - inside).min(rest.len() as u64) as usize;
            let (here, behind) = rest.split_at_mut(length);
            self.read_entry(entry, inside, here)?;
            rest = behind;
            at += length as u64;
        }
        if rest.is_empty() {
            Ok(())
        } else {
            Err(Fault::new(format!("memory block {block} is incomplete")))
        }
    }

    fn read_entry(&self, entry: &ContentRow, inside: u64, into: &mut [u8]) -> Result<(), Fault> {
        if entry.deflated == 0 {
            return transfer::read(&self.file, entry.place + inside, into);
        }
        if entry.size > KEPT_BYTES {
            return self.inflate(entry, inside, into);
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(of, _)| of != entry) {
            let mut bytes = room(entry.size)?;
            self.inflate(entry, 0, &mut bytes)?;
            *kept = Some((*entry, bytes));
        }
        if let Some((_, bytes)) = &*kept {
            into.copy_from_slice(&bytes[inside as usize..inside as usize + into.len()]);
        }
        Ok(())
    }

    /// Fills `into` with the decompressed bytes of an entry, from `skip` on. Bytes after them are not read.
    fn inflate(&self, entry: &ContentRow, skip: u64, into: &mut [u8]) -> Result<(), Fault> {
        let damaged = || Fault::new("a chunk is not a valid deflate stream");
        let mut inflater = Decompress::new(true);
        let (mut packed, mut waste) = (vec![0; STEP_BYTES], vec![0; STEP_BYTES]);
        let (mut done, mut wanted) = (0, skip + into.len() as u64);
        while done < entry.deflated {
            let length = (entry.deflated - done).min(STEP_BYTES as u64) as usize;
            transfer::read(&self.file, entry.place + done, &mut packed[..length])?;
            done += length as u64;
            let mut left = &packed[..length];
            loop {
                let made = inflater.total_out();
                let room = if made < skip {
                    let most = (skip - made).min(STEP_BYTES as u64) as usize;
                    &mut waste[..most]
                } else {
                    &mut into[(made - skip) as usize..]
                };
                let (used, status) =
                    (inflater.total_in(), inflater.decompress(left, room, FlushDecompress::None));
                let status = status.map_err(|_| damaged())?;
                left = &left[(inflater.total_in() - used) as usize..];
                let progress = inflater.total_out() - made;
                wanted -= progress;
                match status {
                    _ if wanted == 0 => return Ok(()),
                    Status::StreamEnd => return Err(damaged()),
                    _ if progress == 0 => break,
                    _ => {}
                }
            }
            if !left.is_empty() {
                return Err(damaged());
            }
        }
        Err(damaged())
    }
}
