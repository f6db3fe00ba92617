//! The table after the part of a file that the library sees. It lists where everything is.
//!
//! Input: the file offsets that the library returned when the file was written.
//! Output: bytes for the end of the file, or the table that is read from there.
//! Postcondition: a table that was read has the right checksum, and so has everything that is not content;
//! each offset in it is inside the file. A file without a table is not damaged: HDF5's own tools leave it
//! out.

use crate::fault::Fault;
use crate::transfer;
use flate2::Crc;
use std::fs::File;

/// Bytes of a memory block that are contiguous in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentRow {
    pub block: u64,
    /// The offset in the memory block.
    pub offset: u64,
    pub size: u64,
    /// The offset in the file.
    pub place: u64,
    /// Size of the deflated bytes there; 0 for plain bytes.
    pub deflated: u64,
}

impl ContentRow {
    fn bytes_there(&self) -> u64 {
        if self.deflated > 0 {
            self.deflated
        } else {
            self.size
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct RowTable {
    /// In the order of the memory blocks.
    pub entries: Vec<ContentRow>,
    pub seal_at: u64,
    pub seal_bytes: u64,
}

const MAGIC: [u8; 8] = *b"CPPCrows";
const ENTRY_BYTES: usize = 40;
/// The magic, the offset of the table, the number of entries, offset and size of the seal, the checksum of
/// everything that is not content, the checksum of the table.
const TAIL_BYTES: usize = 48;
const REST_CRC_AT: usize = 40;
const CRC_AT: usize = 44;
const STEP_BYTES: usize = 256 << 10;

impl RowTable {
    /// The bytes of the table, which is to be at `at` at the end of the file. The rest of the file is
    /// complete.
    pub fn encode(&self, file: &File, at: u64) -> Result<Vec<u8>, Fault> {
        Ok(self.encode_with(self.crc_of_rest(file, at)?, at))
    }

    fn encode_with(&self, crc_of_rest: u32, at: u64) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.entries.len() * ENTRY_BYTES + TAIL_BYTES);
        for entry in &self.entries {
            for number in [entry.block, entry.offset, entry.size, entry.place, entry.deflated] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.extend(MAGIC);
        for number in [at, self.entries.len() as u64, self.seal_at, self.seal_bytes] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(crc_of_rest.to_le_bytes());
        let crc = checksum(&bytes);
        bytes.extend(crc.to_le_bytes());
        bytes
    }

    /// The checksum of everything before `end` that is not content. The runtime has checksums of the content.
    fn crc_of_rest(&self, file: &File, end: u64) -> Result<u32, Fault> {
        let mut there: Vec<(u64, u64)> =
            self.entries.iter().map(|entry| (entry.place, entry.place + entry.bytes_there())).collect();
        there.sort_unstable();
        there.push((end, end));
        let (mut crc, mut done, mut step) = (Crc::new(), 0, vec![0; STEP_BYTES]);
        for (begin, after) in there {
            while done < begin {
                let length = (begin - done).min(STEP_BYTES as u64);
                transfer::read(file, done, &mut step[..length as usize])?;
                crc.update(&step[..length as usize]);
                done += length;
            }
            done = done.max(after);
        }
        Ok(crc.sum())
    }

    /// Reads the table. `None` if there is none, or if it is not the one that was written.
    pub fn read(file: &File, length: u64) -> Result<Option<RowTable>, Fault> {
        let Some(tail_at) = length.checked_sub(TAIL_BYTES as u64) else { return Ok(None) };
        let mut tail = [0; TAIL_BYTES];
        transfer::read(file, tail_at, &mut tail)?;
        let (at, count) = (number(&tail, 1), number(&tail, 2));
        let table_bytes = count.checked_mul(ENTRY_BYTES as u64);
        if tail[..MAGIC.len()] != MAGIC
            || table_bytes.and_then(|bytes| bytes.checked_add(at)) != Some(tail_at)
        {
            return Ok(None);
        }
        let mut table = room(tail_at - at)?;
        transfer::read(file, at, &mut table)?;
        table.extend(&tail[..CRC_AT]);
        if checksum(&table).to_le_bytes() != tail[CRC_AT..] {
            return Ok(None);
        }
        table.truncate((tail_at - at) as usize);
        let entry = |row: &[u8]| ContentRow {
            block: number(row, 0),
            offset: number(row, 1),
            size: number(row, 2),
            place: number(row, 3),
            deflated: number(row, 4),
        };
        let entries = table.chunks_exact(ENTRY_BYTES).map(entry).collect();
        let places = RowTable { entries, seal_at: number(&tail, 3), seal_bytes: number(&tail, 4) };
        if !places.is_within(at) {
            return Ok(None);
        }
        if places.crc_of_rest(file, at)?.to_le_bytes() != tail[REST_CRC_AT..CRC_AT] {
            return Err(Fault::new("bytes outside of the content were changed"));
        }
        Ok(Some(places))
    }

    /// Whether everything is before `end`, and the entries are in order.
    fn is_within(&self, end: u64) -> bool {
        let lies = |place: u64, size: u64| place.checked_add(size).is_some_and(|after| after <= end);
        let is_good = |entry: &ContentRow| {
            lies(entry.place, entry.bytes_there())
                && entry.size > 0
                && entry.offset.checked_add(entry.size).is_some()
        };
        let follows = |pair: &[ContentRow]| {
            let (before, after) = (pair[0], pair[1]);
            before.block < after.block
                || (before.block == after.block && before.offset + before.size <= after.offset)
        };
        lies(self.seal_at, self.seal_bytes)
            && self.entries.iter().all(is_good)
            && self.entries.windows(2).all(follows)
    }
}

/// Memory for bytes that are in the file.
pub fn room(bytes: u64) -> Result<Vec<u8>, Fault> {
    let none = || Fault { text: "there is no memory for a table".to_owned(), code: Some(libc::ENOMEM) };
    let bytes = usize::try_from(bytes).map_err(|_| none())?;
    let mut memory = Vec::new();
    memory.try_reserve_exact(bytes.saturating_add(TAIL_BYTES)).map_err(|_| none())?;
    memory.resize(bytes, 0);
    Ok(memory)
}

fn number(row: &[u8], index: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&row[index * 8..index * 8 + 8]);
    u64::from_le_bytes(bytes)
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn made(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn read(bytes: &[u8]) -> Option<RowTable> {
        RowTable::read(&made(bytes), bytes.len() as u64).unwrap()
    }

    fn entry(block: u64, offset: u64, size: u64, place: u64, deflated: u64) -> ContentRow {
        ContentRow { block, offset, size, place, deflated }
    }

    fn file(places: &RowTable) -> Vec<u8> {
        [vec![7; 100], places.encode_with(0, 100)].concat()
    }

    #[test]
    fn a_table_comes_back_and_a_changed_one_is_none() {
        let entries = vec![entry(0, 0, 8, 0, 0), entry(0, 8, 500, 8, 20), entry(3, 0, 50, 28, 0)];
        let places = RowTable { entries, seal_at: 90, seal_bytes: 10 };
        let before = vec![7; 100];
        let table = places.encode(&made(&before), 100).unwrap();
        let whole = [before, table].concat();
        assert_eq!(read(&whole), Some(places));
        let mut other = whole.clone();
        other[99] ^= 1;
        assert!(RowTable::read(&made(&other), other.len() as u64).is_err());
        other[3] ^= 1;
        other[99] ^= 1;
        assert!(read(&other).is_some(), "content is the runtime's");
        for at in 100..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 4;
            assert_eq!(read(&other), None, "{at}");
            assert_eq!(read(&whole[..at]), None);
        }
        assert_eq!(read(b""), None);
    }

    #[test]
    fn what_lies_outside_of_the_file_is_refused() {
        for entries in [
            vec![entry(0, 0, 9, 92, 0)],
            vec![entry(0, 0, 8, u64::MAX, 0)],
            vec![entry(0, 0, u64::MAX, 0, 101)],
            vec![entry(0, u64::MAX, 2, 0, 0)],
            vec![entry(0, 0, 0, 0, 0)],
            vec![entry(0, 8, 8, 0, 0), entry(0, 0, 8, 8, 0)],
            vec![entry(0, 0, 8, 0, 0), entry(0, 7, 8, 8, 0)],
        ] {
            assert_eq!(
                read(&file(&RowTable { entries: entries.clone(), ..RowTable::default() })),
                None,
                "{entries:?}"
            );
        }
        assert_eq!(read(&file(&RowTable { seal_at: 1, seal_bytes: 100, ..RowTable::default() })), None);
    }
}
