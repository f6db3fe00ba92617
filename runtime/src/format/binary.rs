//! Writes a state file from front to back.
//!
//! In: a manifest, the bytes of its blocks, what earlier files hold, a file that may hold something
//! older. Out: the file's new size. Holds afterwards: the bytes up to that size are a whole state file,
//! in the system's hands but not yet durable; what the file held beyond them is still there for the
//! caller to cut.

use super::history::{Account, Draft, Found, Past, Place};
use super::index::Index;
use super::layout::{self, BaseRecord, Coding, Header, Machine, Tail};
use super::output::Output;
use super::prepared::{pieces, New, Outcome, Piece, Preparation, Prepared};
pub use super::prepared::elements_of_blocks;
use crate::codec::crc32::{crc32, crc32_seeded};
use crate::codec::Packing;
use crate::manifest::Manifest;
use crate::settings::Compression;
use crate::storage::File;
use crate::threads::in_order;
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
    write_upon(file, manifest, Machine::THIS, content, None).map(|(size_bytes, _)| size_bytes)
}

/// Writes a file that points to what earlier ones have, unless the history wants a full one. The account
/// is for the history, once the file is durable; the marks hold whatever becomes of the file. The content is as
/// `machine` has it.
pub fn write_upon(
    file: &dyn File,
    manifest: &Manifest,
    machine: Machine,
    content: &Content,
    past: Option<Past>,
) -> io::Result<(u64, Option<Account>)> {
    let described = super::manifest::encode(manifest);
    let header = Header {
        version: layout::VERSION,
        machine,
        manifest_bytes: described.len() as u64,
        manifest_crc: crc32(&described),
        run: manifest.provenance.run,
        number: manifest.provenance.number,
        rank: manifest.provenance.rank,
        processes: manifest.provenance.processes,
        piece_bytes: piece_bytes(content.packing.compress, past.is_some()),
    };
    let (record, header_crc) = header.encode();
    let mut writing = Writing {
        header,
        output: Output::new(file),
        index: Index::default(),
        draft: past.map(|past| past.history.draft()),
        is_begun: false,
    };
    writing.output.append(&record)?;
    writing.output.append(&described)?;
    writing.blocks(manifest, content, past)?;

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

/// The same for all files of a run, or nothing would be found again.
pub fn piece_bytes(compress: Compression, is_incremental: bool) -> u32 {
    match (is_incremental, compress) {
        (false, _) => layout::PIECE_BYTES,
        (true, Compression::None) => layout::SMALL_PIECE_BYTES,
        (true, _) => layout::SMALL_PACKED_PIECE_BYTES,
    }
}

/// A file that is being written.
struct Writing<'a> {
    header: Header,
    output: Output<'a>,
    index: Index,
    draft: Option<Draft>,
    /// Something of the block that is being written stands in this file.
    is_begun: bool,
}

impl<'a> Writing<'a> {
    fn blocks(&mut self, manifest: &Manifest, content: &Content<'a>, past: Option<Past<'a>>) -> io::Result<()> {
        let preparation = Preparation { packing: content.packing, history: past.map(|past| past.history) };
        let pieces = pieces(manifest, content.blocks, self.header.piece_bytes, past);
        in_order(&preparation, content.packing.threads(), pieces, |piece, outcome| {
            if let Some(mark) = past.and_then(|past| past.marks.get(piece.number)) {
                mark.set(outcome.prepared.mark());
            }
            self.piece(&piece, outcome)
        })
    }

    fn piece(&mut self, piece: &Piece<'a>, outcome: &Outcome) -> io::Result<()> {
        if piece.start == 0 {
            self.index.end_run();
            self.is_begun = false;
        }
        let Some(new) = self.point(piece.number, &outcome.prepared) else { return Ok(()) };
        if !self.is_begun {
            self.output.align_for(piece.block.len() as u64)?;
            self.is_begun = true;
        }
        self.note(piece.number, &new);
        match new.coding {
            Coding::Packed(_) => self.output.append(outcome.packed.bytes()),
            Coding::Plain | Coding::Zero => {
                self.output.append_part(piece.block, piece.start..piece.start + piece.bytes.len())
            }
        }
    }

    /// Adds a piece that need not be stored to the index; gives back any other.
    fn point(&mut self, number: usize, prepared: &Prepared) -> Option<New> {
        match *prepared {
            Prepared::Zero => self.index.push_zero(),
            Prepared::Known(key, found) => {
                let Found { place, header_crc } = found;
                let base = BaseRecord { line: place.line, header_crc };
                self.index.push(place.coding, Some(base), place.offset, place.stored);
                if let Some(draft) = &mut self.draft {
                    draft.leans(number, key, found);
                }
            }
            Prepared::New(new) => {
                let (Some(draft), Some(key)) = (&mut self.draft, new.key) else { return Some(new) };
                let Some(place) = draft.find(&key) else { return Some(new) };
                draft.repeated(number, key, place);
                self.index.push(place.coding, None, place.offset, place.stored);
            }
        }
        None
    }

    /// Adds a piece to the index that will be written now.
    fn note(&mut self, number: usize, new: &New) {
        let offset = self.output.offset();
        self.index.push(new.coding, None, offset, new.stored);
        if let (Some(draft), Some(key)) = (&mut self.draft, new.key) {
            let place = Place { line: self.header.number, offset, coding: new.coding, stored: new.stored };
            draft.wrote(number, key, place);
        }
    }
}
