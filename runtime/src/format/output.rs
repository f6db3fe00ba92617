//! A file that is written from front to back.
//!
//! Input: bytes, some of them in a memory block.
//! Output: few and large writes.
//! Postcondition: the bytes are in the file in the order in which they were appended, with only alignment
//! between them.

use super::layout;
use crate::storage::File;
use std::io;
use std::ops::Range;

/// Fewer bytes than this are collected before they are written.
const GATHER_BELOW_BYTES: usize = 64 << 10;
/// The number of bytes that are written at once.
const AT_ONCE_BYTES: usize = 1 << 20;
/// The number of bytes after which the device is told to begin writing.
const HASTEN_BYTES: u64 = 8 << 20;

pub(super) struct Output<'a> {
    file: &'a dyn File,
    gathered: Vec<u8>,
    /// Part of a memory block that is written without a copy, after the collected bytes.
    straight: Option<(&'a [u8], Range<usize>)>,
    /// Bytes that the file has already.
    written: u64,
    hastened: u64,
}

impl<'a> Output<'a> {
    pub fn new(file: &'a dyn File) -> Output<'a> {
        Output { file, gathered: Vec::new(), straight: None, written: 0, hastened: 0 }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> u64 {
        let straight = self.straight.as_ref().map_or(0, |(_, range)| range.len());
        self.written + (self.gathered.len() + straight) as u64
    }

    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.put_straight()?;
        if bytes.len() < GATHER_BELOW_BYTES {
            return self.gather(bytes);
        }
        self.put_gathered()?;
        self.put(bytes)
    }

    /// Appends a part of a memory block. Parts that are adjacent in memory are written together.
    pub fn append_part(&mut self, block: &'a [u8], range: Range<usize>) -> io::Result<()> {
        if let Some((open, so_far)) = &mut self.straight {
            if std::ptr::eq(*open, block)
                && so_far.end == range.start
                && so_far.len() + range.len() <= AT_ONCE_BYTES
            {
                so_far.end = range.end;
                return Ok(());
            }
        }
        self.put_straight()?;
        self.straight = Some((block, range));
        Ok(())
    }

    /// Appends zeros up to the offset at which a memory block of this size may begin.
    pub fn align_for(&mut self, block_bytes: u64) -> io::Result<()> {
        let start = layout::block_start(self.offset(), block_bytes)
            .ok_or(io::Error::from(io::ErrorKind::FileTooLarge))?;
        match (start - self.offset()) as usize {
            0 => Ok(()),
            gap => self.append(&[0; layout::ALIGNMENT as usize][..gap]),
        }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.put_straight()?;
        self.put_gathered()
    }

    fn put_straight(&mut self) -> io::Result<()> {
        let Some((block, range)) = self.straight.take() else { return Ok(()) };
        if range.len() < GATHER_BELOW_BYTES {
            return self.gather(&block[range]);
        }
        self.put_gathered()?;
        self.put(&block[range])
    }

    fn gather(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= AT_ONCE_BYTES {
            self.put_gathered()?;
        }
        Ok(())
    }

    fn put_gathered(&mut self) -> io::Result<()> {
        if self.gathered.is_empty() {
            return Ok(());
        }
        let gathered = std::mem::take(&mut self.gathered);
        self.put(&gathered)?;
        self.gathered = gathered;
        self.gathered.clear();
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_at(self.written, bytes)?;
        self.written += bytes.len() as u64;
        if self.written - self.hastened >= HASTEN_BYTES {
            self.file.start_writeback(self.hastened, self.written - self.hastened);
            self.hastened = self.written;
        }
        Ok(())
    }
}
