//! Writes a state file from front to back.
//!
//! In: a manifest, the bytes of its blocks, a file that may hold something older. Out: the file's
//! new size. Holds afterwards: the bytes up to that size are a whole state file, in the system's
//! hands but not yet durable; what the file held beyond them is still there for the caller to cut.

use super::layout::{self, Coding, Encoder, Entry, Header, Machine, Tail, PIECE_BYTES};
use crate::codec::crc32::{crc32, crc32_seeded};
use crate::codec::{Packed, Packer, Packing};
use crate::manifest::Manifest;
use crate::storage::File;
use std::io;

/// What goes into the file besides the manifest.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    /// One for each block of the manifest, of its size.
    pub blocks: &'a [&'a [u8]],
    pub packing: Packing,
}

/// Pieces smaller than this are gathered before they are written.
const GATHER_BELOW_BYTES: usize = 64 << 10;
/// How much may be written before the device is told to begin.
const HASTEN_BYTES: u64 = 8 << 20;

/// Writes the whole file; says its size.
pub fn write(file: &dyn File, manifest: &Manifest, content: &Content) -> io::Result<u64> {
    let described = super::manifest::encode(manifest);
    let header = Header {
        version: layout::VERSION,
        machine: Machine::THIS,
        manifest_bytes: described.len() as u64,
        manifest_crc: crc32(&described),
        run: manifest.provenance.run,
        number: manifest.provenance.number,
        rank: manifest.provenance.rank,
        processes: manifest.provenance.processes,
    };
    let (record, header_crc) = header.encode();
    let mut output = Output { file, gathered: Vec::new(), written: 0, hastened: 0 };
    output.append(&record)?;
    output.append(&described)?;

    let index = write_blocks(&mut output, manifest, content)?;
    let tail = Tail {
        index_offset: output.offset(),
        pieces: (index.bytes.len() / layout::ENTRY_BYTES) as u64,
        file_bytes: output.offset() + (index.bytes.len() + layout::TAIL_BYTES) as u64,
        index_crc: crc32_seeded(header_crc, &index.bytes),
    };
    output.append(&index.bytes)?;
    output.append(&tail.encode(header_crc))?;
    output.flush()?;
    Ok(tail.file_bytes)
}

/// Writes the blocks; returns the index.
fn write_blocks(output: &mut Output, manifest: &Manifest, content: &Content) -> io::Result<Encoder> {
    let elements = elements_of_blocks(manifest);
    let mut packer = Packer::new(content.packing.compress);
    let mut packed = Packed::default();
    let mut index = Encoder::default();
    for (block, bytes) in content.blocks.iter().enumerate() {
        output.align_for(bytes.len() as u64)?;
        let enough = elements.get(block).is_some_and(|&count| count >= content.packing.from_elements);
        for piece in bytes.chunks(PIECE_BYTES) {
            let method = if enough { packer.pack(piece, &mut packed) } else { None };
            let (stored, coding) = match method {
                Some(method) => (packed.bytes(), Coding::Packed(method)),
                None => (piece, Coding::Plain),
            };
            let entry = Entry { stored_bytes: stored.len() as u32, coding, crc: crc32(stored) };
            entry.encode(&mut index);
            output.append(stored)?;
        }
    }
    Ok(index)
}

/// How many elements the registers in each block have.
pub fn elements_of_blocks(manifest: &Manifest) -> Vec<u64> {
    let mut elements = vec![0u64; manifest.blocks.len()];
    for register in &manifest.registers {
        let block = register.target.and_then(|target| elements.get_mut(target.block as usize));
        if let Some(count) = block {
            *count = count.saturating_add(register.count);
        }
    }
    elements
}

/// A file that is written from front to back, small pieces together.
struct Output<'a> {
    file: &'a dyn File,
    gathered: Vec<u8>,
    /// Bytes the file has already; what is gathered comes behind them.
    written: u64,
    hastened: u64,
}

impl Output<'_> {
    fn offset(&self) -> u64 {
        self.written + self.gathered.len() as u64
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() < GATHER_BELOW_BYTES {
            self.gathered.extend_from_slice(bytes);
            if self.gathered.len() >= PIECE_BYTES {
                self.flush()?;
            }
            return Ok(());
        }
        self.flush()?;
        self.put(bytes)
    }

    /// Fills up with zeros to where a block of this size may begin.
    fn align_for(&mut self, block_bytes: u64) -> io::Result<()> {
        let start = layout::block_start(self.offset(), block_bytes)
            .ok_or(io::Error::from(io::ErrorKind::FileTooLarge))?;
        let gap = (start - self.offset()) as usize;
        self.append(&[0; layout::ALIGNMENT as usize][..gap])
    }

    fn flush(&mut self) -> io::Result<()> {
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
            self.file.hasten(self.hastened, self.written - self.hastened);
            self.hastened = self.written;
        }
        Ok(())
    }
}
