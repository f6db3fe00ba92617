//! Writes a state file from front to back.
//!
//! In: a manifest, the bytes of its blocks, what earlier files hold, a file that may hold something
//! older. Out: the file's new size. Holds afterwards: the bytes up to that size are a whole state file,
//! in the system's hands but not yet durable; what the file held beyond them is still there for the
//! caller to cut.

use super::history::{Account, Draft, History, Key, Place};
use super::index::Index;
use super::layout::{self, BaseRecord, Coding, Header, Machine, Stored, Tail};
use super::output::Output;
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

/// Writes a whole file that needs no other; says its size.
pub fn write(file: &dyn File, manifest: &Manifest, content: &Content) -> io::Result<u64> {
    write_upon(file, manifest, content, None).map(|(size_bytes, _)| size_bytes)
}

/// Writes a file that points to what earlier ones have, unless the history wants a full one. The account
/// is for the history, once the file is durable.
pub fn write_upon(
    file: &dyn File,
    manifest: &Manifest,
    content: &Content,
    history: Option<&History>,
) -> io::Result<(u64, Option<Account>)> {
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
        piece_bytes: if history.is_some() { layout::SMALL_PIECE_BYTES } else { layout::PIECE_BYTES },
    };
    let (record, header_crc) = header.encode();
    let mut writing = Writing {
        header,
        output: Output::new(file),
        index: Index::default(),
        draft: history.map(History::draft),
    };
    writing.output.append(&record)?;
    writing.output.append(&described)?;
    writing.blocks(manifest, content, history)?;

    let Writing { mut output, index, draft, .. } = writing;
    let (index, pieces) = index.close();
    let tail = Tail {
        index_offset: output.offset(),
        pieces,
        file_bytes: output.offset() + (index.len() + layout::TAIL_BYTES) as u64,
        index_crc: crc32_seeded(header_crc, &index),
    };
    output.append(&index)?;
    output.append(&tail.encode(header_crc))?;
    output.flush()?;
    Ok((tail.file_bytes, draft.map(|draft| draft.close(header.number, header_crc))))
}

/// A file that is being written.
struct Writing<'a> {
    header: Header,
    output: Output<'a>,
    index: Index,
    draft: Option<Draft<'a>>,
}

/// What is known of a piece by itself.
enum Prepared {
    Zero,
    /// Stored in an earlier file.
    Known(Key, Place),
    /// To be stored, packed or as it is.
    New(New),
}

struct New {
    key: Option<Key>,
    coding: Coding,
    stored: Stored,
}

/// Looks at a piece, and packs it where that pays; whatever thread does it comes to the same.
fn prepare(piece: &[u8], packer: Option<&mut Packer>, packed: &mut Packed, history: Option<&History>) -> Prepared {
    if is_zero(piece) {
        return Prepared::Zero;
    }
    let key = history.map(|history| history.key(piece));
    if let Some((key, place)) = key.and_then(|key| Some((key, history?.find(&key)?))) {
        return Prepared::Known(key, *place);
    }
    let (coding, bytes) = match packer.and_then(|packer| packer.pack(piece, packed)) {
        Some(method) => (Coding::Packed(method), packed.bytes()),
        None => (Coding::Plain, piece),
    };
    Prepared::New(New { key, coding, stored: Stored { bytes: bytes.len() as u32, crc: crc32(bytes) } })
}

/// Zeros are looked for in steps of this many bytes.
const STEP_BYTES: usize = 256;

fn is_zero(bytes: &[u8]) -> bool {
    // Most pieces that are not zero say so at once; the steps are for the processor's vectors.
    bytes.first() == Some(&0)
        && bytes.chunks(STEP_BYTES).all(|step| step.iter().fold(0, |any, byte| any | byte) == 0)
}

impl<'a> Writing<'a> {
    fn blocks(&mut self, manifest: &Manifest, content: &Content<'a>, history: Option<&History>) -> io::Result<()> {
        let elements = elements_of_blocks(manifest);
        let mut packer = Packer::new(content.packing.compress);
        let mut packed = Packed::default();
        for (number, &block) in content.blocks.iter().enumerate() {
            let enough = elements.get(number).is_some_and(|&count| count >= content.packing.from_elements);
            let (mut start, mut is_begun) = (0, false);
            for piece in block.chunks(self.header.piece_bytes as usize) {
                let prepared = prepare(piece, enough.then_some(&mut packer), &mut packed, history);
                let part = start..start + piece.len();
                start = part.end;
                let Some(new) = self.point(prepared) else { continue };
                if !is_begun {
                    self.output.align_for(block.len() as u64)?;
                    is_begun = true;
                }
                self.note(&new);
                match new.coding {
                    Coding::Packed(_) => self.output.append(packed.bytes())?,
                    Coding::Plain | Coding::Zero => self.output.append_part(block, part)?,
                }
            }
            self.index.end_run();
        }
        Ok(())
    }

    /// Adds a piece that need not be stored to the index; gives back any other.
    fn point(&mut self, prepared: Prepared) -> Option<New> {
        let (key, known, new) = match prepared {
            Prepared::Zero => {
                self.index.push_zero();
                return None;
            }
            Prepared::Known(key, place) => (Some(key), Some(place), None),
            Prepared::New(new) => (new.key, None, Some(new)),
        };
        let (Some(draft), Some(key)) = (&mut self.draft, key) else { return new };
        let Some(place) = draft.find(key, known) else { return new };
        let base = draft.header_of(place.line).map(|header_crc| BaseRecord { line: place.line, header_crc });
        self.index.push(place.coding, base, place.offset, place.stored);
        None
    }

    /// Adds a piece to the index that will be written now.
    fn note(&mut self, new: &New) {
        let offset = self.output.offset();
        self.index.push(new.coding, None, offset, new.stored);
        if let (Some(draft), Some(key)) = (&mut self.draft, new.key) {
            draft.note(key, Place { line: self.header.number, offset, coding: new.coding, stored: new.stored });
        }
    }
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
