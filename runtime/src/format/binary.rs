//! Writes a state file from front to back.
//!
//! Input: a manifest, the bytes of its memory blocks, the history of earlier files, and a file that may
//! contain older data.
//! Output: the new size of the file.
//! Postcondition: the bytes up to that size are a complete state file, written but not yet durable. Older
//! bytes beyond them are still there; the caller truncates the file.

use super::history::{Account, AccountBuilder, BasePiece, Past, PieceLocation};
use super::index::Index;
use super::layout::{self, BaseRecord, Codec, Header, Machine, Tail};
use super::output::Output;
pub use super::prepared::elements_of_blocks;
use super::prepared::{pieces, MemoryPiece, NewPiece, PieceOutcome, Preparation, Prepared};
use crate::codec::crc32::{crc32, crc32_seeded};
use crate::codec::CompressionOptions;
use crate::manifest::Manifest;
use crate::settings::Compression;
use crate::storage::File;
use crate::threads::in_order;
use std::io;

/// The content of a state file, without the manifest.
#[derive(Debug, Clone, Copy)]
pub struct DumpContent<'a> {
    /// The bytes of each memory block of the manifest, in order.
    pub blocks: &'a [&'a [u8]],
    pub compression: CompressionOptions,
}

/// Writes a full state file and returns its size in bytes.
pub fn write(file: &dyn File, manifest: &Manifest, content: &DumpContent) -> io::Result<u64> {
    write_incremental(file, manifest, Machine::THIS, content, None).map(|(size_bytes, _)| size_bytes)
}

/// Writes an incremental state file, or a full one if the history requires it. The account goes into the
/// history when the file is durable. The digests stay valid even if the file is lost. `machine` describes the
/// byte order and sizes of the content.
pub fn write_incremental(
    file: &dyn File,
    manifest: &Manifest,
    machine: Machine,
    content: &DumpContent,
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
        piece_bytes: piece_bytes(content.compression.compress, past.is_some()),
    };
    let (record, header_crc) = header.encode();
    let mut writing = FileWriting {
        header,
        output: Output::new(file),
        index: Index::default(),
        builder: past.map(|past| past.history.open_account()),
        is_begun: false,
    };
    writing.output.append(&record)?;
    writing.output.append(&described)?;
    writing.blocks(manifest, content, past)?;

    let FileWriting { mut output, index, builder, .. } = writing;
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
    Ok((tail.file_bytes, builder.map(|builder| builder.finish(header.number, header_crc))))
}

/// The piece size in bytes. All files of a run use the same size; otherwise no piece would be found again.
pub fn piece_bytes(compress: Compression, is_incremental: bool) -> u32 {
    match (is_incremental, compress) {
        (false, _) => layout::PIECE_BYTES,
        (true, Compression::None) => layout::SMALL_PIECE_BYTES,
        (true, _) => layout::SMALL_COMPRESSED_PIECE_BYTES,
    }
}

/// A file that is being written.
struct FileWriting<'a> {
    header: Header,
    output: Output<'a>,
    index: Index,
    builder: Option<AccountBuilder>,
    /// Whether a piece of the current block has been written to this file.
    is_begun: bool,
}

impl<'a> FileWriting<'a> {
    fn blocks(
        &mut self,
        manifest: &Manifest,
        content: &DumpContent<'a>,
        past: Option<Past<'a>>,
    ) -> io::Result<()> {
        let preparation =
            Preparation { compression: content.compression, history: past.map(|past| past.history) };
        let pieces = pieces(manifest, content.blocks, self.header.piece_bytes, past);
        in_order(&preparation, content.compression.threads(), pieces, |piece, outcome| {
            if let Some(digest) = past.and_then(|past| past.digests.get(piece.number)) {
                digest.set(outcome.prepared.digest());
            }
            self.piece(&piece, outcome)
        })
    }

    fn piece(&mut self, piece: &MemoryPiece<'a>, outcome: &PieceOutcome) -> io::Result<()> {
        if piece.start == 0 {
            self.index.end_range();
            self.is_begun = false;
        }
        let Some(new) = self.refer(piece.number, &outcome.prepared) else { return Ok(()) };
        if !self.is_begun {
            self.output.align_for(piece.block.len() as u64)?;
            self.is_begun = true;
        }
        self.add_new(piece.number, &new);
        match new.codec {
            Codec::Compressed(_) => self.output.append(outcome.compressed.bytes()),
            Codec::Plain | Codec::Zero => {
                self.output.append_part(piece.block, piece.start..piece.start + piece.bytes.len())
            }
        }
    }

    /// Adds a piece that need not be stored to the index. Returns any other piece.
    fn refer(&mut self, number: usize, prepared: &Prepared) -> Option<NewPiece> {
        match *prepared {
            Prepared::Zero => self.index.push_zero(),
            Prepared::Known(key, found) => {
                let BasePiece { location, header_crc } = found;
                let base = BaseRecord { line: location.line, header_crc };
                self.index.push(location.codec, Some(base), location.offset, location.stored);
                if let Some(builder) = &mut self.builder {
                    builder.add_from_base(number, key, found);
                }
            }
            Prepared::New(new) => {
                let (Some(builder), Some(key)) = (&mut self.builder, new.key) else { return Some(new) };
                let Some(location) = builder.find(&key) else { return Some(new) };
                builder.add_repeated(number, key, location);
                self.index.push(location.codec, None, location.offset, location.stored);
            }
        }
        None
    }

    /// Adds a piece to the index that is written next.
    fn add_new(&mut self, number: usize, new: &NewPiece) {
        let offset = self.output.offset();
        self.index.push(new.codec, None, offset, new.stored);
        if let (Some(builder), Some(key)) = (&mut self.builder, new.key) {
            let location =
                PieceLocation { line: self.header.number, offset, codec: new.codec, stored: new.stored };
            builder.add_written(number, key, location);
        }
    }
}
